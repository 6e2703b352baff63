//! Head-on collisions of soft grains: P15 to P17.

use drystone::law::soft::collision::head_on;
use drystone::method::Kind;

use super::expect::expect;
use super::soft::{couple, law};

const FINE: &str = "6000 steps a collision, of fourth order; the last one is cut at the end";

/// e and omega_0 t_c of a linear spring and dashpot with m* = k = 1, damping 2 zeta. With the cut
/// t_c = atan2(2 zeta w, 2 zeta^2 - 1) / w, w = sqrt(1 - zeta^2), and e = exp(-zeta t_c).
#[test]
fn a_linear_dashpot_gives_the_exact_restitution_with_and_without_the_cut() {
    let case = "linear spring and dashpot";
    for zeta in [0.05, 0.1, 0.2, 0.5, 0.9_f64] {
        let w = (1.0 - zeta * zeta).sqrt();
        let cut = (2.0 * zeta * w).atan2(2.0 * zeta * zeta - 1.0) / w;
        for (is_cut, lasts) in [(true, cut), (false, std::f64::consts::PI / w)] {
            let text = format!(
                "friction = 0, md = {{ normal = {{ law = \"hooke\", stiffness = 1, damping = {}, cut = {is_cut} }} }}",
                2.0 * zeta
            );
            let met = head_on(&*law(&text).normal, couple(1.0, 1.0), 1.0);
            let named = |what: &str| format!("zeta = {zeta}, cut = {is_cut}: {what}");
            expect(case, Kind::Md, named("e"), met.restitution, (-zeta * lasts).exp()).within(1e-10, FINE);
            expect(case, Kind::Md, named("omega_0 t_c"), met.duration, lasts).within(1e-10, FINE);
        }
    }
}

/// t_c V / xi_max = 2.943275 of an elastic Hertz collision, and t_c falls with the fifth root of V.
#[test]
fn a_hertz_collision_lasts_as_long_as_the_beta_function_says() {
    let case = "elastic Hertz collision";
    let hertz = law("friction = 0, md = { normal = { law = \"hertz\", young = 1e7, poisson = 0.3 } }");
    let met = [0.01, 1.0].map(|speed| head_on(&*hertz.normal, couple(1e-3, 1e-2), speed));
    let ratio = met[1].duration * 1.0 / met[1].overlap;
    expect(case, Kind::Md, "t_c V / xi_max", ratio, 2.943_275).within(1e-6, FINE);
    let exponent = (met[1].duration / met[0].duration).ln() / 100.0_f64.ln();
    expect(case, Kind::Md, "exponent of V in t_c", exponent, -0.2).within(1e-10, FINE);
}

/// e = 1 - C x + 3/5 C^2 x^2, C = 1.15344, x = 3/2 A (K/m)^(2/5) V^(1/5); K = m = 1, A = 0.01: computed values.
/// K = 4/3 E* sqrt(r*), E* = E / (2 (1 - nu^2)): E = 1.5 for nu = 0.
#[test]
fn viscoelastic_grains_lose_more_the_faster_they_meet() {
    let text = "friction = 0, md = { normal = { law = \"hertz_viscoelastic\", young = 1.5, poisson = 0, dissipation = 0.01 } }";
    let law = law(text);
    for (speed, e) in
        [(1e-3, 0.995_665_54), (1e-2, 0.993_141_14), (0.1, 0.989_156_69), (1.0, 0.982_883_29), (10.0, 0.973_045_15)]
    {
        let met = head_on(&*law.normal, couple(1.0, 1.0), speed);
        let lost = 1.0 - met.restitution;
        let quantity = format!("1 - e at V = {speed}");
        expect("viscoelastic Hertz collision", Kind::Md, quantity, lost, 1.0 - e).within(1e-5, "eight digits of e");
    }
}

/// Tsuji's alpha gives the restitution asked for at any velocity.
#[test]
fn tsujis_damping_has_one_restitution_for_all_velocities() {
    for e in [0.9, 0.7, 0.5, 0.3] {
        let text = format!(
            "friction = 0, md = {{ normal = {{ law = \"hertz_tsuji\", young = 1e7, poisson = 0.3, restitution = {e} }} }}"
        );
        let law = law(&text);
        for speed in [0.01, 1.0] {
            let met = head_on(&*law.normal, couple(1e-3, 1e-2), speed);
            let quantity = format!("e = {e} at V = {speed}");
            expect("Hertz with Tsuji's damping", Kind::Md, quantity, met.restitution, e).within(1e-8, FINE);
        }
    }
}
