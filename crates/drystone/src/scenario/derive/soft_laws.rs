//! Soft laws from rigid ones: a spring that is stiff enough, a dashpot with the same restitution.
//!
//! With the overlap of a grain at most `delta` times its radius r, a load asks for the stiffness
//!
//! - F / (delta r) under a force F; a pressure p makes F = p (2 r)^(D-1), in the plane times the depth;
//! - m* v^2 / (delta r)^2 for an impact with the speed v: all of m* v^2 / 2 is in the spring at its deepest.
//!
//! The largest over all loads and grains of the pair is taken. The tangential spring is kappa times as stiff, with
//! kappa = 1 / (1 + m r^2 / I): 1/3 for disks and 2/7 for spheres. A tangential force moves the surfaces of two equal
//! grains as one along the normal moves a reduced mass of kappa m*, for 1 / m* + 2 r^2 / I = 1 / (kappa m*). So a
//! contact that sticks swings along its surfaces in the time that it swings along its normal.

use std::path::Path;

use super::loads::{Load, NamedLoad, depth, loads};
use super::{AllowedOverlaps, DerivedKey, DerivedLaw};
use crate::contact::Regime;
use crate::dim::{D2, Dim};
use crate::input::{Mistakes, Reader, Span};
use crate::law::Pair;
use crate::law::soft::{Couple, damping};
use crate::scenario::Scenario;
use crate::world::World;

impl<D: Dim> Scenario<D> {
    /// Soft laws for these [[contact]] tables, in their order.
    pub(super) fn soft_laws(
        &self,
        numbers: &[usize],
        allowed: AllowedOverlaps,
        folder: &Path,
    ) -> Result<Vec<DerivedLaw>, Mistakes> {
        let mut world = self.build(folder)?;
        self.foresee(&mut world);
        let loads = loads(self, &world);
        let reader = Reader::new(folder.to_path_buf());
        let found: Vec<Option<DerivedLaw>> = numbers
            .iter()
            .map(|number| {
                let touching = Touching::of(self, &world, *number);
                touching.soft_law(self, &loads, allowed).or_else(|| {
                    let [a, b] = &touching.between;
                    let message =
                        format!("no soft law between \"{a}\" and \"{b}\" can be derived: nothing presses grains");
                    let help = "add [contact.md] with normal = { law = \"hooke\", stiffness = \"1e5 N/m\" }";
                    reader.mistake("E018", &Span::default(), message, help)
                })
            })
            .collect();
        reader.finish().into_result(found.into_iter().collect())
    }
}

/// Grains that touch under one [[contact]].
pub(super) struct Touching {
    /// Names of the two materials.
    pub between: [String; 2],
    number: usize,
    grains: Vec<RoundGrain>,
    /// Whether walls are made of one of the materials: m* is then the mass of a grain, and half of it otherwise.
    meets_walls: bool,
    /// F / p of a grain with diameter 1: the depth in the plane.
    depth: f64,
}

#[derive(Clone, Copy)]
struct RoundGrain {
    radius: f64,
    mass: f64,
}

/// A stiffness and the load that asks for it.
struct Demand<'l> {
    stiffness: f64,
    load: &'l NamedLoad,
}

impl Touching {
    /// The grains of the two materials of a [[contact]].
    pub(super) fn of<D: Dim>(scenario: &Scenario<D>, world: &World<D>, number: usize) -> Touching {
        let between = scenario.contact[number].between.0.clone().map(|name| name.value);
        let is_of_pair = |material: usize| between.contains(&scenario.material[material].name.value);
        // materials that meet nothing need a law, too: that of all grains
        let meets = world.free_grains().any(|k| is_of_pair(usize::from(world.bodies.material[k])));
        let is_meant = |k: &usize| !meets || is_of_pair(usize::from(world.bodies.material[*k]));
        let of_pair = world.free_grains().filter(is_meant);
        let grain =
            |k: usize| RoundGrain { radius: world.bodies.inner_radius(k), mass: world.bodies.inertia[k].mass() };
        Touching {
            number,
            grains: of_pair.map(grain).collect(),
            meets_walls: scenario.wall.iter().any(|wall| between.contains(&wall.material.value)),
            depth: depth(world),
            between,
        }
    }

    /// Reduced mass of the heaviest contact of grains like this one.
    fn reduced_mass(&self, grain: RoundGrain) -> f64 {
        if self.meets_walls { grain.mass } else { 0.5 * grain.mass }
    }

    /// Two grains of mean mass and radius; none without grains.
    pub(super) fn mean_couple(&self) -> Option<Couple> {
        let count = self.grains.len() as f64;
        let mass: f64 = self.grains.iter().map(|grain| grain.mass).sum();
        let radius: f64 = self.grains.iter().map(|grain| grain.radius).sum();
        (count > 0.0).then(|| Couple { mass: 0.5 * mass / count, radius: 0.5 * radius / count })
    }

    /// Stiffness that keeps the overlap of a grain under a load below what is allowed.
    fn stiffness<D: Dim>(&self, grain: RoundGrain, load: &Load, allowed: AllowedOverlaps) -> f64 {
        let RoundGrain { radius, .. } = grain;
        match load {
            Load::Pressure(p) => {
                let force = p * (2.0 * radius).powi(D::DIMENSION as i32 - 1) * self.depth;
                force / (allowed.standing * radius)
            }
            Load::Force(force) => force / (allowed.standing * radius),
            Load::Impact(speed) => {
                let overlap = allowed.impact * radius;
                self.reduced_mass(grain) * (speed / overlap).powi(2)
            }
        }
    }

    /// The load that asks for the largest stiffness; none without grains or loads.
    fn demand<'l, D: Dim>(&self, loads: &'l [NamedLoad], allowed: AllowedOverlaps) -> Option<Demand<'l>> {
        let of_load = |load: &'l NamedLoad| {
            let asked = self.grains.iter().map(|grain| self.stiffness::<D>(*grain, &load.load, allowed));
            Demand { stiffness: asked.fold(0.0, f64::max), load }
        };
        let demands = loads.iter().map(of_load).filter(|demand| demand.stiffness > 0.0);
        demands.max_by(|a, b| a.stiffness.total_cmp(&b.stiffness))
    }

    fn soft_law<D: Dim>(
        &self,
        scenario: &Scenario<D>,
        loads: &[NamedLoad],
        allowed: AllowedOverlaps,
    ) -> Option<DerivedLaw> {
        let pair = &scenario.contact[self.number].law.0;
        let Demand { stiffness, load } = self.demand::<D>(loads, allowed)?;
        let speed = loads.iter().find_map(|load| if let Load::Impact(speed) = load.load { Some(speed) } else { None });
        let rebound = Rebound::of(pair, speed.unwrap_or(0.0));
        let overlap = if matches!(load.load, Load::Impact(_)) { allowed.impact } else { allowed.standing };
        // stages may change friction
        let has_friction =
            pair.friction.coefficient(Regime::Stick, 0.0) > 0.0 || scenario.stage.iter().any(|s| s.set.is_some());
        let tangential = has_friction.then(|| self.tangential::<D>(pair, stiffness));
        let mut md = format!("normal = {{ law = \"hooke\", stiffness = {stiffness:?}{} }}", rebound.key());
        md += &tangential.map_or_else(String::new, |law| format!(", {law}"));
        for (lever, key) in [(&pair.rolling, "rolling"), (&pair.torsion, "torsion")] {
            if lever.is_some() {
                md += &format!(", {key} = {{ law = \"elastic_plastic\", damping_ratio = 1.0 }}");
            }
        }
        let reason = format!(
            "stiffness {stiffness:.3e} N/m, so that overlaps under {} stay below {overlap:.1e} of the radius{}",
            load.what,
            rebound.words()
        );
        Some(DerivedLaw {
            between: self.between.clone(),
            stiffness: Some(stiffness),
            restitution: rebound.soft,
            reason,
            keys: vec![DerivedKey { key: "md", value: format!("{{ {md} }}") }],
        })
    }

    /// Tangential spring and dashpot. The dashpot follows from the tangential restitution as that of a linear spring
    /// without a cut does, e_t = exp(-pi zeta / sqrt(1 - zeta^2)): critical without any. It holds for the lightest grains;
    /// heavier ones are damped less.
    fn tangential<D: Dim>(&self, pair: &Pair, stiffness: f64) -> String {
        let kappa = if D::DIMENSION == D2::DIMENSION { 1.0 / 3.0 } else { 2.0 / 7.0 };
        let lightest = self.grains.iter().map(|grain| 0.5 * grain.mass).fold(f64::INFINITY, f64::min);
        let e = pair.restitution.tangential();
        let zeta = if e > 0.0 { damping::linear(e, false) } else { 1.0 };
        let damping = 2.0 * zeta * kappa * (stiffness * lightest).sqrt();
        format!("tangential = {{ law = \"cundall_strack\", stiffness_ratio = {kappa:?}, damping = {damping:?} }}")
    }
}

/// Restitution of rigid grains and of soft ones that come nearest to it.
struct Rebound {
    rigid: f64,
    soft: f64,
    /// Whether it is a number for all speeds, which the soft law takes from [[contact]].
    is_constant: bool,
}

impl Rebound {
    /// A dashpot beyond the critical one does not end a contact sooner: it only relaxes more slowly. So restitution stops
    /// falling at that of critical damping, exp(-2) with the cut.
    fn of(pair: &Pair, speed: f64) -> Rebound {
        let rigid = pair.restitution.normal(speed);
        let least = damping::linear_restitution(1.0);
        Rebound { rigid, soft: rigid.max(least), is_constant: rigid == pair.restitution.normal(0.0) }
    }

    fn key(&self) -> String {
        let is_same = self.is_constant && self.soft == self.rigid;
        if is_same { String::new() } else { format!(", restitution = {:?}", self.soft) }
    }

    fn words(&self) -> String {
        match self.soft == self.rigid {
            true => format!("; restitution {}", self.soft),
            false => format!("; critical damping, restitution {:.3} for {} of rigid grains", self.soft, self.rigid),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{AllowedOverlaps, ForMethod};
    use crate::input::Reader;
    use crate::law::soft::collision::head_on;
    use crate::law::soft::{Couple, SoftLaw};
    use crate::method::Kind;
    use crate::scenario::AnyScenario;

    fn derived(text: &str, method: Kind, allowed: AllowedOverlaps) -> Result<ForMethod, String> {
        let scenario = AnyScenario::parse("test", text, &[], Reader::default()).expect("a scenario");
        scenario.for_method(method, allowed, Path::new(".")).map_err(|mistakes| mistakes.to_string())
    }

    fn soft_law(text: &str, allowed: AllowedOverlaps) -> SoftLaw {
        let found = derived(text, Kind::Md, allowed).expect("a soft scenario");
        let laws = match found.scenario {
            AnyScenario::Plane(scenario) => scenario.laws(),
            AnyScenario::Space(scenario) => scenario.laws(),
        };
        laws.soft(0, 0).expect("the law was derived")
    }

    const METHOD: &str = "[method.cd]\ntime_step = \"1 ms\"\n[stop]\nat = \"0.1 s\"\n";

    /// Twenty spheres of 1 cm on each other: the lowest contact carries their weight.
    fn column(contact: &str) -> String {
        format!(
            "dimension = 3\ngravity = [0, 0, -10]\n[[material]]\nname = \"m\"\ndensity = 3000\n\
             [[contact]]\nbetween = [\"m\", \"m\"]\n{contact}\n\
             [[grains]]\nmaterial = \"m\"\nshape = {{ kind = \"sphere\", radius = 0.01 }}\n\
             place = {{ how = \"cubic\", min = [0, 0, 0], max = [0.02, 0.02, 0.4] }}\noverlap = 1e-6\n{METHOD}"
        )
    }

    /// Two disks meet with 2 m/s; twice the fastest is 2 m/s, and m* v^2 = k (1e-2 r)^2.
    const COLLISION: &str = "dimension = 2\ngravity = [0, 0]\n[[material]]\nname = \"m\"\ndensity = 1000\n\
        [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.5\nrestitution = RESTITUTION\n\
        [[grains]]\nmaterial = \"m\"\nshape = { kind = \"disk\", radius = 0.1 }\nvelocity = [1, 0]\n\
        place = { how = \"square\", min = [0, 0], max = [0.2, 0.2] }\n\
        [[grains]]\nmaterial = \"m\"\nshape = { kind = \"disk\", radius = 0.1 }\nvelocity = [-1, 0]\n\
        place = { how = \"square\", min = [0.3, 0], max = [0.5, 0.2] }\n";

    #[test]
    fn a_column_is_as_stiff_as_its_weight_asks_for() {
        let law = soft_law(&column("friction = 0.3"), AllowedOverlaps { standing: 1e-3, impact: 1.0 });
        // 20 spheres of 4/3 pi (1 cm)^3 at 3000 kg/m3 weigh 2.513 N, over 1e-3 of 1 cm
        let weight = 20.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6 * 3000.0 * 10.0;
        let stiffness = law.normal.plain().expect("a linear spring").spring;
        assert!((stiffness / (weight / 1e-5) - 1.0).abs() < 1e-9, "{stiffness}");
        let springs = law.tangential.plain().expect("spring and slider").springs;
        assert!((springs.at(stiffness) / stiffness - 2.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn a_collision_is_as_deep_and_bounces_as_much_as_was_asked_for() {
        let mass = std::f64::consts::PI * 0.01 * 1000.0;
        let couple = Couple { mass: 0.5 * mass, radius: 0.05 };
        let collide = |e: &str| {
            let text = COLLISION.replace("RESTITUTION", e) + METHOD;
            head_on(&*soft_law(&text, AllowedOverlaps::default()).normal, couple, 2.0)
        };
        let elastic = collide("1");
        assert!((elastic.overlap / 0.1 - 1e-2).abs() < 1e-7 && (elastic.restitution - 1.0).abs() < 1e-6);
        let usual = collide("0.6");
        assert!(usual.overlap / 0.1 < 1e-2 && (usual.restitution - 0.6).abs() < 1e-6, "{usual:?}");
        // no dashpot stops a grain for good: critical damping with the cut gives exp(-2)
        assert!((collide("0").restitution - (-2.0f64).exp()).abs() < 1e-6);
        let plastic = "{ normal = { below_yield = 0.8, yield_velocity = 0.125 } }";
        // sixteen times the yield velocity: (1/16)^(1/4) = 1/2
        assert!((collide(plastic).restitution - 0.4).abs() < 1e-6);
    }

    #[test]
    fn what_is_stated_is_kept() {
        let stated = "friction = 0.3\n[contact.md]\nnormal = { law = \"hooke\", stiffness = 7, restitution = 0.5 }";
        let found = derived(&column(stated), Kind::Md, AllowedOverlaps::default()).expect("a scenario");
        assert_eq!((found.laws.len(), found.table.as_deref()), (0, Some("method.md")));
        assert_eq!(found.text(), "[method.md]\ntime_step = \"auto\"\n");
        let same = derived(&column(stated), Kind::Cd, AllowedOverlaps::default()).expect("a scenario");
        assert_eq!((same.text().as_str(), same.notes().len()), ("", 0));
    }

    #[test]
    fn nothing_that_presses_gives_no_stiffness() {
        let text =
            COLLISION.replace("RESTITUTION", "0.5").replace("velocity = [1, 0]", "").replace("velocity = [-1, 0]", "");
        let refused = derived(&(text + METHOD), Kind::Md, AllowedOverlaps::default()).expect_err("no load");
        assert!(refused.contains("nothing presses grains"), "{refused}");
    }

    #[test]
    fn rigid_grains_bounce_as_soft_ones_did() {
        let soft_method = "[method]\nuse = \"md\"\n[stop]\nat = \"0.1 s\"\n";
        let of = |normal: &str| {
            let contact = format!("[contact.md]\nnormal = {{ law = \"hooke\", stiffness = 1e6, {normal} }}\n");
            let text = COLLISION.replace("restitution = RESTITUTION\n", &contact) + soft_method;
            let found = derived(&text, Kind::Cd, AllowedOverlaps::default()).expect("a rigid scenario");
            let AnyScenario::Plane(scenario) = found.scenario else { panic!("in the plane") };
            scenario.laws().between(0, 0).restitution.normal(1.0)
        };
        assert_eq!(of("restitution = 0.7"), 0.7);
        // e = exp(-pi zeta / sqrt(1 - zeta^2)) with zeta = gamma / (2 sqrt(k m*)) of a spring that is not cut
        let mass: f64 = 0.5 * std::f64::consts::PI * 0.01 * 1000.0;
        let zeta = 500.0 / (2.0 * (1e6 * mass).sqrt());
        let expected = (-std::f64::consts::PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
        assert!((of("damping = 500, cut = false") - expected).abs() < 1e-6, "{}", of("damping = 500, cut = false"));
    }
}
