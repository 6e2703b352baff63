//! The four cases of friction at zero slip.

use super::mobility::Mobility;
use crate::dim::{Dim, Vector};
use crate::link::{ConstraintRow, RowPart};

/// What a contact with zero slip does next. [Chen after eq. 40]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// a_I > 0, a_II < 0: it starts in the positive direction, against full friction.
    Forward,
    /// a_I < 0, a_II > 0: it starts in the negative direction.
    Backward,
    /// Both at most zero: the flow points to the surface from both sides, and it sticks.
    Stick,
    /// Both above zero: it could start in both directions. This needs an attractive normal force, or one that depends
    /// on friction: Painleve's paradox.
    Paradox,
}

/// The two accelerations of the slip, each positive away from zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// a_I: acceleration of slip in the positive direction, where friction points back. [Chen eq. 36, 39]
    pub forward: f64,
    /// a_II: acceleration of slip in the negative direction, counted along it. [Chen eq. 37, 40]
    pub backward: f64,
}

impl Flow {
    /// The accelerations of a slip that accelerates with `free` without friction, and with `reach` less under full
    /// friction.
    ///
    /// For a block on a plane free = F / m and reach = mu N / m. [Chen eq. 39, 40]
    pub fn new(free: f64, reach: f64) -> Flow {
        Flow { forward: free - reach, backward: -(free + reach) }
    }

    /// Which of the four cases it is.
    pub fn case(&self) -> Case {
        match (self.forward > 0.0, self.backward > 0.0) {
            (true, false) => Case::Forward,
            (false, true) => Case::Backward,
            (false, false) => Case::Stick,
            (true, true) => Case::Paradox,
        }
    }

    /// Weight of f_II in the convex combination that does not move: a_I / (a_I + a_II). [Chen eq. 38]
    ///
    /// 0 is full friction against the positive direction, 1 against the negative one; a half is none.
    pub fn weight(&self) -> f64 {
        self.forward / (self.forward + self.backward)
    }
}

/// A sliding contact between rigid bodies: accelerations of gap and slip, and their dependence on the contact forces.
///
/// a_n = free_n + W_nn f_n + W_nt f_t, and the same across. `free` are the accelerations without any force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    /// W_nn [1/kg].
    pub w_nn: f64,
    /// W_nt [1/kg].
    pub w_nt: f64,
    /// W_tt [1/kg].
    pub w_tt: f64,
    /// Acceleration of the gap without force [m/s2].
    pub free_n: f64,
    /// Acceleration of the slip without force [m/s2].
    pub free_t: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// What can happen to a rigid contact that slides in a given direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlidingOutcome {
    /// It opens: no force.
    Lift,
    /// It goes on sliding under this normal force [N].
    Slide(f64),
    /// Both are possible. [Painleve 1895]
    Both(f64),
    /// Neither is possible: no finite force keeps the bodies apart, and an impulse ends the slip.
    Jam,
}

impl Rigid {
    /// The end of a uniform rod of mass m and half length l on a floor, at an angle to it. Normal up, tangent along the
    /// floor towards the other end: W_nn = (1 + 3 cos^2) / m, W_nt = -3 sin cos / m, W_tt = (1 + 3 sin^2) / m.
    pub fn rod(mass: f64, angle: f64, gravity: f64, friction: f64) -> Rigid {
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        Rigid {
            w_nn: (1.0 + 3.0 * cosine * cosine) / mass,
            w_nt: -3.0 * sine * cosine / mass,
            w_tt: (1.0 + 3.0 * sine * sine) / mass,
            free_n: -gravity,
            free_t: 0.0,
            friction,
        }
    }

    /// What can happen while the slip points along `sign` (1 or -1): f_t = -sign mu f_n, f_n >= 0, a_n >= 0, f_n a_n =
    /// 0.
    pub fn sliding(&self, sign: f64) -> SlidingOutcome {
        let slope = self.w_nn - sign * self.friction * self.w_nt;
        match (self.free_n < 0.0, slope > 0.0) {
            (true, true) => SlidingOutcome::Slide(-self.free_n / slope),
            (false, true) => SlidingOutcome::Lift,
            (true, false) => SlidingOutcome::Jam,
            (false, false) => SlidingOutcome::Both(-self.free_n / slope),
        }
    }

    /// a_I and a_II of a contact that stays closed: the normal force follows the friction. [Chen eq. 36, 37]
    pub fn flow(&self) -> Flow {
        let along = |sign: f64| {
            let press = -self.free_n / (self.w_nn - sign * self.friction * self.w_nt);
            sign * (self.free_t + (self.w_nt - sign * self.friction * self.w_tt) * press)
        };
        Flow { forward: along(1.0), backward: along(-1.0) }
    }
}

/// Sum of the squares of a row's entries over the inertia of its bodies: its entry on the diagonal of G M^-1 G^T.
pub(super) fn ease<D: Dim>(row: &ConstraintRow<D>, mobility: &[Mobility<D>]) -> f64 {
    row.parts().map(|part| part_ease(part, mobility)).sum()
}

/// The contribution of one body.
pub(super) fn part_ease<D: Dim>(part: &RowPart<D>, mobility: &[Mobility<D>]) -> f64 {
    let answer = mobility[part.body].answer(part.along, part.about);
    part.along.dot(answer.v) + part.about.dot(answer.w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_cases_and_the_weight() {
        // F/m = 1: friction of 2 holds it, of 0.5 does not
        let flow = Flow::new(1.0, 2.0);
        assert_eq!((flow.forward, flow.backward, flow.case()), (-1.0, -3.0, Case::Stick));
        // (mu N - F) / (2 mu N) = 1/4, and the combination of f_I = -1 and f_II = 3 is at rest
        assert_eq!(flow.weight(), 0.25);
        assert_eq!(flow.weight() * 3.0 - (1.0 - flow.weight()), 0.0);
        assert_eq!(Flow::new(1.0, 0.5).case(), Case::Forward);
        assert_eq!(Flow::new(-1.0, 0.5).case(), Case::Backward);
        assert_eq!(Flow::new(0.0, 1.0).weight(), 0.5);
        assert_eq!(Flow::new(1.0, 1.0).case(), Case::Stick, "at the limit it still holds");
        assert_eq!(Flow::new(0.1, -1.0).case(), Case::Paradox, "a normal force that pulls");
    }

    #[test]
    fn the_rod_jams_beyond_four_thirds_and_not_before() {
        // W_nn = mu |W_nt| at mu = (1 + 3 cos^2) / (3 sin cos), least at tan = 2: 4/3
        let critical = |angle: f64| {
            let (sine, cosine) = (angle.sin(), angle.cos());
            (1.0 + 3.0 * cosine * cosine) / (3.0 * sine * cosine)
        };
        let steepest = 2.0_f64.atan();
        assert!((critical(steepest) - 4.0 / 3.0).abs() < 1e-15);
        for k in 1..90 {
            let angle = f64::from(k).to_radians();
            let rod = |friction: f64| Rigid::rod(0.7, angle, 9.81, friction);
            assert!(critical(angle) >= 4.0 / 3.0 - 1e-15);
            for sign in [1.0, -1.0] {
                let below = rod(0.999 * 4.0 / 3.0).sliding(sign);
                assert!(matches!(below, SlidingOutcome::Slide(force) if force > 0.0), "{k} deg: {below:?}");
            }
            // pushed ahead of its other end (slip along -t), friction presses it into the floor
            let above = 1.001 * critical(angle);
            assert_eq!(rod(above).sliding(-1.0), SlidingOutcome::Jam, "{k} deg");
            assert!(matches!(rod(above).sliding(1.0), SlidingOutcome::Slide(_)));
            // turning fast enough its end would lift off: then both
            let turning = Rigid { free_n: 1.0, ..rod(above) };
            assert!(matches!(turning.sliding(-1.0), SlidingOutcome::Both(force) if force > 0.0));
            assert_eq!(turning.sliding(1.0), SlidingOutcome::Lift);
        }
    }

    #[test]
    fn at_rest_the_rod_is_a_paradox_only_beyond_its_critical_friction() {
        let angle = 2.0_f64.atan();
        let case = |friction: f64, pull: f64| {
            Flow::case(&Rigid { free_t: pull, ..Rigid::rod(1.0, angle, 9.81, friction) }.flow())
        };
        for pull in [-20.0, -5.0, 0.0, 5.0, 20.0] {
            assert_ne!(case(1.33, pull), Case::Paradox, "{pull}");
        }
        assert!([-20.0, -5.0, 0.0, 5.0, 20.0].iter().any(|pull| case(1.34, *pull) == Case::Paradox));
    }
}
