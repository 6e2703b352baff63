//! What a method gets wrong in a scenario, in numbers.

use std::f64::consts::{PI, SQRT_2};

use drystone::dim::Dim;
use drystone::law::Laws;
use drystone::law::soft::collision::head_on;
use drystone::law::soft::normal::Squeeze;
use drystone::law::soft::{Couple, SoftLaw};
use drystone::method::Kind;
use drystone::method::cd::Scheme;
use drystone::scenario::Scenario;

use crate::candidates::Hardness;
use crate::scene::Scene;
use crate::trial::Trial;

/// Overlap over the radius beyond which W105 warns.
const DEEP: f64 = 0.01;
/// Part of a flight that a collision may last before most contacts share a grain, where W101 warns.
const SHARED: f64 = 0.5;
/// Share of steps without the accuracy asked for beyond which the numbers of a run cannot be relied on: most of them.
const MOST: f64 = 0.5;

/// Something that a method gets wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flaw {
    /// Soft grains that meet faster than the critical speed pass each other before springs have braked them (W102).
    BrakeFailure {
        /// Fastest grain [m/s].
        fastest: f64,
        /// V_c of a head-on meeting [m/s].
        critical: f64,
    },
    /// Collisions that last as long as the flights between them: clusters lose less energy than pairs would (W101).
    Detachment {
        /// Duration of a collision [s].
        lasts: f64,
        /// Time between collisions of a grain, as in a gas [s].
        flight: f64,
        /// Whether contacts last anyway, so that rebounds matter less.
        is_dense: bool,
    },
    /// Overlaps over the mean radius (W105).
    Overlap {
        /// Under the largest force seen.
        resting: f64,
        /// In a collision with the fastest grain.
        impact: f64,
    },
    /// Sound takes its time.
    FiniteSound {
        /// Speed of sound in a row of grains [m/s].
        sound: f64,
        /// Time to cross all grains [s].
        crossing: f64,
        /// Fastest grain over the speed of sound.
        mach: f64,
    },
    /// Static friction is a spring with a dashpot: grains rock and creep (W103).
    FrictionSprings,
    /// Balance does not determine the forces of rigid grains.
    Indeterminate {
        /// Components of contact forces.
        unknowns: usize,
        /// Equations of balance.
        equations: usize,
    },
    /// No waves: a push is everywhere at once.
    NoWaves {
        /// Time in which sound would cross all grains if they were as stiff as the scenario says [s].
        crossing: Option<f64>,
    },
    /// Restitution acts at impacts that close a gap, not in lasting contacts; with "euler" hardly at all in a gas (W241).
    Restitution {
        /// Largest restitution of the scenario.
        restitution: f64,
        /// Whether it is lost: a gas under the scheme "euler".
        is_lost: bool,
    },
    /// Steps that do not reach the accuracy asked for (W201).
    Unconverged {
        /// Share of the trial steps.
        share: f64,
    },
    /// Lasting contacts are infinitely many collisions.
    Collapse {
        /// Contacts of a grain.
        coordination: f64,
    },
}

impl Flaw {
    /// Whether it speaks against the method.
    pub fn is_grave(&self) -> bool {
        match self {
            Flaw::BrakeFailure { fastest, critical } => fastest > critical,
            Flaw::Detachment { lasts, flight, is_dense } => *lasts > SHARED * flight && !is_dense,
            Flaw::Overlap { resting, impact } => resting.max(*impact) > DEEP,
            Flaw::FiniteSound { mach, .. } => *mach > 1.0,
            Flaw::Restitution { is_lost, .. } => *is_lost,
            Flaw::Unconverged { share } => *share > MOST,
            Flaw::Collapse { coordination } => *coordination > 1.0,
            Flaw::FrictionSprings | Flaw::Indeterminate { .. } | Flaw::NoWaves { .. } => false,
        }
    }

    /// Code of the warning that a run gives when it sees it.
    pub fn code(&self) -> Option<&'static str> {
        Some(match self {
            Flaw::BrakeFailure { .. } => "W102",
            Flaw::Detachment { .. } => "W101",
            Flaw::Overlap { .. } => "W105",
            Flaw::FrictionSprings => "W103",
            Flaw::Restitution { is_lost: true, .. } => "W241",
            Flaw::Unconverged { .. } => "W201",
            _ => return None,
        })
    }
}

/// Speed above which soft grains pass each other, head-on: V_c = 4 R / tau. [Wolf eq. 26 with cos(theta) = 1]
pub fn critical_speed(radius: f64, lasts: f64) -> f64 {
    4.0 * radius / lasts
}

/// Speed of sound in a row of equal grains: c = d (k / m)^1/2. The collision of two of them lasts tau = pi (m / 2k)^1/2
/// without damping, so that c = pi d / (2^1/2 tau).
pub fn chain_sound_speed(diameter: f64, lasts: f64) -> f64 {
    PI * diameter / (SQRT_2 * lasts)
}

/// Components of contact forces minus equations of balance: a lower bound of what is left undetermined. Contacts with
/// friction have as many components as space has dimensions, others one; a grain has d (d + 1) / 2 equations.
pub fn hyperstatic_degree(scene: &Scene, dimension: usize) -> i64 {
    unknowns(scene, dimension) as i64 - equations(scene, dimension) as i64
}

fn unknowns(scene: &Scene, dimension: usize) -> usize {
    scene.contacts + scene.frictional * (dimension - 1)
}

fn equations(scene: &Scene, dimension: usize) -> usize {
    scene.touching * dimension * (dimension + 1) / 2
}

/// What a method is asked to be judged by.
pub(crate) struct Judged<'a, D: Dim> {
    pub method: Kind,
    pub hardness: Hardness,
    pub scenario: &'a Scenario<D>,
    pub scene: &'a Scene,
    pub trials: &'a [Trial],
    /// The laws of soft grains as the scenario states them, if it does.
    pub stated: Option<&'a Laws>,
}

impl<D: Dim> Judged<'_, D> {
    /// All that can be said of the method.
    pub(crate) fn flaws(&self) -> Vec<Flaw> {
        match self.hardness {
            Hardness::Rigid => self.of_rigid_grains(),
            _ => self.of_soft_grains(),
        }
    }

    fn of_soft_grains(&self) -> Vec<Flaw> {
        let scene = self.scene;
        let laws = self.scenario.laws();
        let of_couple = |couple| Response::of(&laws, scene, couple);
        let Some([response, slowest]) =
            of_couple(scene.couple()).zip(of_couple(scene.slowest_couple())).map(|(a, b)| [a, b])
        else {
            return Vec::new();
        };
        let sound = chain_sound_speed(2.0 * scene.radius, response.lasts);
        let is_dense = scene.coordination() > 1.0;
        let mut found = vec![
            Flaw::BrakeFailure { fastest: scene.fastest, critical: critical_speed(scene.radius, slowest.lasts) },
            Flaw::Overlap { resting: response.resting / scene.radius, impact: slowest.impact / scene.radius },
            Flaw::FiniteSound { sound, crossing: scene.extent / sound, mach: scene.fastest / sound },
        ];
        if scene.collision_rate > 0.0 && response.bounces {
            let flight = 1.0 / scene.collision_rate;
            found.push(Flaw::Detachment { lasts: response.lasts, flight, is_dense });
        }
        if self.method == Kind::Md && is_dense && scene.frictional > 0 {
            found.push(Flaw::FrictionSprings);
        }
        found
    }

    fn of_rigid_grains(&self) -> Vec<Flaw> {
        let scene = self.scene;
        if self.method != Kind::Cd {
            // events: rigid grains that collide one by one
            let coordination = scene.coordination();
            return (coordination > 0.0).then_some(Flaw::Collapse { coordination }).into_iter().collect();
        }
        let (unknowns, equations) = (unknowns(scene, D::DIMENSION), equations(scene, D::DIMENSION));
        let stated = self.stated.and_then(|laws| Response::of(laws, scene, scene.couple()));
        let crossing = stated.map(|response| scene.extent / chain_sound_speed(2.0 * scene.radius, response.lasts));
        let mut found = vec![Flaw::NoWaves { crossing }];
        if unknowns > equations {
            found.push(Flaw::Indeterminate { unknowns, equations });
        }
        let laws = self.scenario.laws();
        let restitution = laws.pairs().map(|pair| pair.restitution.normal(scene.fastest)).fold(0.0, f64::max);
        let is_euler = self.scenario.method.cd.as_ref().is_some_and(|options| options.scheme == Scheme::Euler);
        if restitution > 0.0 {
            let is_lost = is_euler && scene.coordination() < 1.0 && scene.collision_rate > 0.0 && self.is_free();
            found.push(Flaw::Restitution { restitution, is_lost });
        }
        let steps: u64 = self.trials.iter().map(|trial| trial.steps).sum();
        let missed: f64 = self.trials.iter().map(|trial| trial.unconverged * trial.steps as f64).sum();
        if missed > 0.0 {
            found.push(Flaw::Unconverged { share: missed / steps as f64 });
        }
        found
    }

    /// Whether nothing presses grains together: no gravity.
    fn is_free(&self) -> bool {
        use drystone::dim::Vector;
        self.scenario.gravity.0.norm() == 0.0
    }
}

/// How soft grains of mean size respond to the fastest collision and to the largest force.
struct Response {
    lasts: f64,
    /// Deepest overlap of the collision [m].
    impact: f64,
    /// Overlap under the force [m].
    resting: f64,
    /// Whether anything comes back from the collision.
    bounces: bool,
}

impl Response {
    /// Of the pair of materials with the longest collision; none without soft laws or grains.
    fn of(laws: &Laws, scene: &Scene, couple: Couple) -> Option<Response> {
        let materials = laws.materials() as u16;
        let pairs = (0..materials).flat_map(|a| (a..materials).map(move |b| [a, b]));
        if !(couple.mass > 0.0 && couple.radius > 0.0) {
            return None;
        }
        let all = pairs.filter_map(|[a, b]| laws.soft(a, b)).map(|law| Response::of_law(&law, couple, scene));
        all.filter(|response| response.lasts.is_finite()).max_by(|a, b| a.lasts.total_cmp(&b.lasts))
    }

    fn of_law(law: &SoftLaw, couple: Couple, scene: &Scene) -> Response {
        // of grains that never move any collision tells the duration, unless the law depends on the speed
        let speed = if scene.fastest > 0.0 { scene.fastest } else { 1.0 };
        let collision = head_on(&*law.normal, couple, speed);
        let impact = if scene.fastest > 0.0 { collision.overlap } else { 0.0 };
        let resting = overlap_under(law, couple, scene.force);
        Response { lasts: collision.duration, impact, resting, bounces: collision.restitution > 0.0 }
    }
}

/// Overlap of two grains at rest that are pressed by a force [m], by halving to the last digits.
fn overlap_under(law: &SoftLaw, couple: Couple, force: f64) -> f64 {
    let pushes = |overlap: f64| law.normal.push(couple, Squeeze { overlap, rate: 0.0 }, &mut 0.0).force;
    let (mut low, mut high) = (0.0, 2.0 * couple.radius);
    if force <= 0.0 {
        return 0.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if pushes(middle) < force { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two disks of 0.1 m that meet for 10 ms: 4 R / tau = 40 m/s, the number of the shipped brake failure is made of.
    #[test]
    fn critical_speed_is_four_radii_in_a_collision() {
        assert!((critical_speed(0.1, 0.01) - 40.0).abs() < 1e-12);
    }

    /// k = 1e6 N/m, m = 2 kg, d = 0.1 m: c = 0.1 (5e5)^1/2 m/s, and tau = pi (1 kg / 1e6 N/m)^1/2.
    #[test]
    fn sound_crosses_a_row_of_springs() {
        let lasts = PI * 1e-3;
        assert!((chain_sound_speed(0.1, lasts) / (0.1 * 5e5f64.sqrt()) - 1.0).abs() < 1e-12);
    }

    /// Four disks in a square between frictional neighbours: 4 contacts with 2 components against 4 grains with 3
    /// equations; a fifth of 100 contacts more without friction adds one each.
    #[test]
    fn unknowns_are_counted_against_equations() {
        let scene = Scene { contacts: 4, frictional: 4, touching: 4, ..Scene::default() };
        assert_eq!(hyperstatic_degree(&scene, 2), 8 - 12);
        let packing = Scene { contacts: 300, frictional: 280, touching: 150, ..Scene::default() };
        assert_eq!(hyperstatic_degree(&packing, 2), 580 - 450);
        assert_eq!(hyperstatic_degree(&packing, 3), 860 - 900);
    }

    #[test]
    fn what_is_grave_is_what_the_monitors_warn_of() {
        let brake = |fastest| Flaw::BrakeFailure { fastest, critical: 2.0 };
        assert!(brake(2.1).is_grave() && !brake(1.9).is_grave());
        let overlap = |resting| Flaw::Overlap { resting, impact: 1e-3 };
        assert!(overlap(0.011).is_grave() && !overlap(0.009).is_grave());
        let shared = |is_dense| Flaw::Detachment { lasts: 0.6, flight: 1.0, is_dense };
        assert!(shared(false).is_grave() && !shared(true).is_grave());
        assert!(!Flaw::NoWaves { crossing: None }.is_grave());
    }
}
