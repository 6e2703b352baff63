//! The four cases of friction at zero slip of a single contact. The last one is Painleve's paradox, which the method
//! reports; which contacts stick is decided for all of them together, in [`super::active_set`].

/// What a contact with zero slip does next. [Chen after eq. 40]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
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
pub(crate) struct Flow {
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
    pub(crate) fn new(free: f64, reach: f64) -> Flow {
        Flow { forward: free - reach, backward: -(free + reach) }
    }

    /// Which of the four cases it is.
    pub(crate) fn case(&self) -> Case {
        match (self.forward > 0.0, self.backward > 0.0) {
            (true, false) => Case::Forward,
            (false, true) => Case::Backward,
            (false, false) => Case::Stick,
            (true, true) => Case::Paradox,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_cases() {
        // F/m = 1: friction of 2 holds it, of 0.5 does not
        let flow = Flow::new(1.0, 2.0);
        assert_eq!((flow.forward, flow.backward, flow.case()), (-1.0, -3.0, Case::Stick));
        assert_eq!(Flow::new(1.0, 0.5).case(), Case::Forward);
        assert_eq!(Flow::new(-1.0, 0.5).case(), Case::Backward);
        assert_eq!(Flow::new(1.0, 1.0).case(), Case::Stick, "at the limit it still holds");
        assert_eq!(Flow::new(0.1, -1.0).case(), Case::Paradox, "a normal force that pulls");
    }

    /// The end of a uniform rod of mass 1 at rest on a floor, at an angle to it, pulled along the floor. It stays
    /// closed, so that the normal force follows the friction. Normal up, tangent along the floor towards the other end:
    /// W_nn = 1 + 3 cos^2, W_nt = -3 sin cos, W_tt = 1 + 3 sin^2. [Chen eq. 36, 37]
    fn rod(angle: f64, friction: f64, pull: f64) -> Flow {
        let (sine, cosine) = (angle.sin(), angle.cos());
        let (w_nn, w_nt, w_tt) = (1.0 + 3.0 * cosine * cosine, -3.0 * sine * cosine, 1.0 + 3.0 * sine * sine);
        let along = |sign: f64| {
            let press = 9.81 / (w_nn - sign * friction * w_nt);
            sign * (pull + (w_nt - sign * friction * w_tt) * press)
        };
        Flow { forward: along(1.0), backward: along(-1.0) }
    }

    #[test]
    fn at_rest_the_rod_is_a_paradox_only_beyond_its_critical_friction() {
        // W_nn = mu |W_nt| at mu = (1 + 3 cos^2) / (3 sin cos), least at tan = 2: 4/3
        let case = |friction: f64, pull: f64| rod(2.0_f64.atan(), friction, pull).case();
        for pull in [-20.0, -5.0, 0.0, 5.0, 20.0] {
            assert_ne!(case(1.33, pull), Case::Paradox, "{pull}");
        }
        assert!([-20.0, -5.0, 0.0, 5.0, 20.0].iter().any(|pull| case(1.34, *pull) == Case::Paradox));
    }
}
