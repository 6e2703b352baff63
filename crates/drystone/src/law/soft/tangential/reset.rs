//! How a tangential spring yields while its contact slides.

use super::{Grip, Slip};
use crate::dim::{Dim, Vector};
use crate::law::soft::SoftMemory;
use crate::list::list;

list! {
    /// How the spring yields while the contact slides.
    pub enum Reset by name {
        /// The spring yields by itself, so that k xi is at most mu f_n; spring and dashpot together bear at most that,
        /// too.
        /// [Wolf eq. 20, 22]
        "spring_alone" => SpringAlone,
        /// Spring and dashpot together carry the sliding force: xi = (f - gamma u) / k. A dashpot that alone is beyond
        /// the limit sets the spring against the slip. [Wassgren09]
        "with_dashpot" => WithDashpot,
    }
}

/// A tangential spring and a dashpot over one step.
#[derive(Clone, Copy)]
pub(crate) struct ShearedSpring<D: Dim> {
    /// Slip since the last evaluation, which stretches the spring before the force is found [m].
    pub path: D::Vec,
    /// Slip up to the instant at which the memory is stored, which stretches it afterwards [m].
    pub ahead: D::Vec,
    /// Stiffness k [N/m].
    pub stiffness: f64,
    /// Force of the dashpot on b [N].
    pub dashpot: D::Vec,
}

impl Reset {
    /// How a spring beside a dashpot with this coefficient yields. Without a dashpot both ways are the same, and
    /// `WithDashpot`, which sets the spring by the force that it bears, takes fewer operations.
    pub(crate) fn beside(self, dashpot: f64) -> Reset {
        if dashpot == 0.0 { Reset::WithDashpot } else { self }
    }

    /// Force on b of spring and dashpot, within what friction bears.
    ///
    /// Lanes evaluate this formula in two stages, `stretch_springs` and `slide` of `method/md/force_x4.rs`, since four
    /// springs are in memory between them. Both paths round alike.
    #[inline(always)]
    pub(crate) fn force<D: Dim>(
        self,
        grip: &Grip,
        slip: &Slip<D>,
        spring: ShearedSpring<D>,
        memory: &mut SoftMemory<D>,
    ) -> D::Vec {
        let ShearedSpring { path, ahead, stiffness: k, dashpot } = spring;
        let wound = memory.spring + path;
        if self == Reset::WithDashpot {
            let force = grip.hold(wound * -k + dashpot, slip.press, slip.velocity, memory);
            memory.spring = ahead + if memory.slides { (dashpot - force) * (1.0 / k) } else { wound };
            return force;
        }
        let bearing = |limit: f64| {
            let spring = wound * shortening(wound.norm_squared() * (k * k), limit);
            let trial = spring * -k + dashpot;
            let force = trial * shortening(trial.norm_squared(), limit);
            (spring, force, spring != wound || force != trial)
        };
        let slid = memory.slides;
        let limit = grip.coefficient(slid, slip.velocity) * slip.press;
        (_, _, memory.slides) = bearing(limit);
        let lets_go = memory.slides && !slid && grip.weakens();
        let limit = if lets_go { grip.coefficient(true, slip.velocity) * slip.press } else { limit };
        let (spring, force, _) = bearing(limit);
        memory.spring = spring + ahead;
        force
    }
}

/// The factor that makes a vector with this square as long as `limit`, or 1 if it is not longer.
#[inline(always)]
fn shortening(square: f64, limit: f64) -> f64 {
    if square <= limit * limit { 1.0 } else { limit / square.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use glam::DVec2;

    fn slip(speed: f64) -> Slip<D2> {
        let (normal, velocity) = (DVec2::Y, DVec2::X * speed);
        Slip { normal, velocity, press: 10.0, stiffness: 0.0, damping: 0.0, dt: 0.1, ahead: 0.0, brake: f64::INFINITY }
    }

    /// A spring of stiffness 100 after a slip of this length, and a dashpot with this force.
    fn spring(long: f64, dashpot: f64) -> ShearedSpring<D2> {
        ShearedSpring { path: DVec2::X * long, ahead: DVec2::ZERO, stiffness: 100.0, dashpot: DVec2::X * dashpot }
    }

    /// k = 100, gamma = 20, mu f_n = 5, u = 1 for 0.1: alone the spring would bear 10 and the dashpot 20.
    fn slides(reset: Reset) -> (f64, f64) {
        let mut memory = SoftMemory::<D2>::default();
        let force = reset.force(&Grip::constant(0.5), &slip(1.0), spring(0.1, -20.0), &mut memory);
        assert!(memory.slides);
        (force.x, memory.spring.x)
    }

    #[test]
    fn a_strong_dashpot_sets_the_spring_against_the_slip_unless_it_yields_alone() {
        assert_eq!(slides(Reset::SpringAlone), (-5.0, 0.05));
        assert_eq!(slides(Reset::WithDashpot), (-5.0, -0.15));
    }

    #[test]
    fn both_are_the_same_without_a_dashpot_and_slide_on_at_the_dynamic_limit() {
        let grip = Grip { r#static: 0.5, dynamic: 0.3, decay: 0.0 };
        for reset in Reset::ALL {
            let mut memory = SoftMemory::<D2>::default();
            let mut wind = |path: f64| {
                let force = reset.force(&grip, &slip(1.0), spring(path, 0.0), &mut memory);
                (force.x, memory.spring.x, memory.slides)
            };
            for (path, force, spring, slides) in [
                (0.04, -4.0, 0.04, false),
                (0.02, -3.0, 0.03, true),
                (0.01, -3.0, 0.03, true),
                (-0.01, -2.0, 0.02, false),
            ] {
                let found = wind(path);
                assert!((found.0 - force).abs() < 1e-12 && (found.1 - spring).abs() < 1e-14, "{reset:?} {found:?}");
                assert_eq!(found.2, slides, "{reset:?}");
            }
        }
    }
}
