//! Oblique collisions of soft grains: slip after over slip before, P18, P19 and P21. [Foerster94], [Wassgren09]

use drystone::dim::D3;
use drystone::law::soft::Preset;
use drystone::method::Kind;
use drystone::study::impact::{Numbers, Surfaces, map};

use super::expect::expect;

const TABLE: &str = "2e-3 absolute, as the table states";

fn numbers(ratio: f64) -> Numbers {
    Numbers { ratio, damping: 0.2, poisson: 0.3 }
}

/// Elastic spheres, mu = 0.25: rows of the table of reference values.
#[test]
fn psi_curves_of_elastic_spheres() {
    let before = [0.4, 0.8, 1.5, 2.5, 6.0];
    for (name, ratio, table) in [
        ("coulomb", 1.0, [0.0, 0.0, 0.0, 0.75, 4.25]),
        ("viscous", 1.0, [0.0444, 0.0887, 0.1664, 0.2773, 0.6654]),
        ("viscous_coulomb", 1.0, [0.0501, 0.1129, 0.2651, 0.75, 4.25]),
        ("cundall_strack", 2.0 / 7.0, [-0.4, -0.8, -0.25, 0.75, 4.25]),
        ("cundall_strack", 0.2, [-0.3273, -0.5682, -0.25, 0.75, 4.25]),
        ("walton_braun", 2.0 / 3.0, [-0.2216, -0.4819, -0.2449, 0.7506, 4.25]),
        ("walton_braun", 1.0 / 3.0, [-0.3634, -0.6146, -0.2067, 0.7573, 4.2502]),
    ] {
        let surfaces = Surfaces { friction: 0.25, restitution: 1.0 };
        let law = surfaces.law(name, &numbers(ratio)).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        for ((psi, found), expected) in before.into_iter().zip(map::<D3>(&law, &before)).zip(table) {
            let quantity = format!("{name}, k_S/k_N = {ratio:.4}: psi_2 - psi_1 at psi_1 = {psi}");
            // differences, so that none of them is zero
            let tolerance = 2e-3 / f64::abs(psi - expected);
            expect("psi curves of spheres", Kind::Md, quantity, found - psi, expected - psi).within(tolerance, TABLE);
        }
    }
}

/// eps_S = -cos(pi sqrt(7/2 k_S/k_N)) of a free sphere that sticks.
#[test]
fn sticking_spheres_turn_their_slip_back_as_the_cosine_says() {
    for ratio in [0.05, 0.1, 0.2, 2.0 / 7.0, 0.4, 1.0_f64] {
        let expected = -(std::f64::consts::PI * (3.5 * ratio).sqrt()).cos();
        let surfaces = Surfaces { friction: 1e6, restitution: 1.0 };
        let law = surfaces.law("cundall_strack", &numbers(ratio)).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let found = -map::<D3>(&law, &[0.1])[0] / 0.1;
        let quantity = format!("eps_S at k_S/k_N = {ratio:.4}");
        expect("tangential restitution of springs", Kind::Md, quantity, found, expected)
            .within(1e-5, "tolerance of the table");
    }
}

/// Foerster's spheres: gross sliding psi_2(2) = 2 - 7/2 mu (1 + e) follows from the measured mu and e. Sticking is no
/// prediction: springs of two stiffness ratios have the measured beta_0, and the reference names them for glass.
/// Collisions of acetate are shorter by their losses: there 0.119 is still right, and 0.525 has 0.54 instead of 0.43.
#[test]
fn foersters_glass_and_acetate() {
    let case = "Foerster's spheres";
    for (name, preset, at_two) in
        [("glass", Preset::SodaLimeGlass, 1.3657), ("acetate", Preset::CelluloseAcetate, 0.3638)]
    {
        let measured = preset.measured();
        let surfaces = Surfaces::of(&measured).expect("restitution was measured");
        let (beta, spread) = measured.tangential.expect("it was measured");
        for ratio in [0.119, 0.525] {
            let law = surfaces.law("cundall_strack", &numbers(ratio)).unwrap_or_else(|mistakes| panic!("{mistakes}"));
            let little = 0.01 * surfaces.friction; // nearly no sliding at the end, where the normal force vanishes
            let [stuck, slid] = map::<D3>(&law, &[little, 2.0])[..] else { panic!("two points") };
            let named = |what: &str| format!("{name}, k_S/k_N = {ratio}: {what}");
            if ratio > 0.5 {
                // softer springs do not slide all the time yet
                expect(case, Kind::Md, named("psi_2(2)"), slid, at_two).within(0.03, "sliding branch");
            }
            if ratio < 0.5 || name == "glass" {
                expect(case, Kind::Md, named("beta_0, for which the ratio was chosen"), -stuck / little, beta)
                    .within(spread / beta, "spread of the measurement");
            }
        }
    }
}
