//! Plain laws: the usual springs, dashpots and friction in one formula, for one contact and for four at once.
//!
//! Hooke and Hertz differ in numbers only: f = s xi + c dxi/dt with s = k + K a, where a = sqrt(r* xi) is the radius of
//! the patch, and c = gamma + alpha sqrt(m* s) + tau s. Tangential springs are proportional to the slope of the elastic
//! force, their dashpots to c. A law gives its numbers by `plain` of [`super::normal::NormalForce`] and
//! [`super::tangential::TangentialForce`]. Laws that have no such form, that store more than a spring, or whose
//! friction weakens are evaluated one at a time.
//!
//! `PlainNormal::push` is the only formula of these normal forces: `normal/hooke.rs` and `normal/hertz.rs` run it for
//! one pair, `PlainLaw::push` for four (`method/md/force_x4.rs`). The tangential spring has one form
//! in `tangential/reset.rs`, and one in two stages in `method/md/force_x4.rs`; a test compares their bits.

use super::normal::{Push, Squeeze};
use super::tangential::{Grip, Reset, shear::Springs};
use super::{Couple, SoftLaw, Turning};
use crate::lane::{Four, Lanes, Real};

/// A normal law in its plain form: f = (k + K a) xi + c dxi/dt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainNormal {
    /// Stiffness k of a linear spring [N/m].
    pub spring: f64,
    /// K = 4/3 E* of a Hertz contact [Pa].
    pub hertz: f64,
    /// Slope of the elastic force over s: 1 for Hooke, 3/2 for Hertz.
    pub slope: f64,
    /// gamma [N s/m].
    pub dashpot: f64,
    /// alpha.
    pub rooted: f64,
    /// tau [s].
    pub viscous: f64,
    /// Whether the force is cut where it would pull.
    pub cut: bool,
}

impl Default for PlainNormal {
    /// No force.
    fn default() -> Self {
        PlainNormal { spring: 0.0, hertz: 0.0, slope: 1.0, dashpot: 0.0, rooted: 0.0, viscous: 0.0, cut: true }
    }
}

impl PlainNormal {
    /// The force of one pair, or of four in lanes: the formula is here only.
    #[inline(always)]
    pub fn push<X: Real>(&self, couple: Couple<X>, squeeze: Squeeze<X>) -> Push<X> {
        let (Couple { mass, radius }, Squeeze { overlap, rate }) = (couple, squeeze);
        let all = |number: f64| overlap.all(number);
        let patch = match self.hertz == 0.0 {
            true => all(0.0),
            false => all(self.hertz) * (radius * overlap).sqrt(), // K a
        };
        let secant = all(self.spring) + patch;
        let rooted = match self.rooted == 0.0 {
            true => all(0.0),
            false => all(self.rooted) * (mass * secant).sqrt(),
        };
        let damping = all(self.dashpot) + rooted + all(self.viscous) * secant;
        let force = secant * overlap + damping * rate;
        let force = if self.cut { force.max(all(0.0)) } else { force };
        Push { force, stiffness: all(self.slope) * secant, damping }
    }
}

/// A tangential law in its plain form: spring, dashpot and slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainTangential {
    /// Stiffness.
    pub springs: Springs,
    /// Dashpot: its own [N s/m], and over the normal one.
    pub drag: [f64; 2],
    /// How the spring yields.
    pub reset: Reset,
    /// Friction.
    pub grip: Grip,
}

/// The numbers of a plain law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainLaw {
    normal: PlainNormal,
    /// Tangential stiffness: its own [N/m], and over the normal slope.
    shear: [f64; 2],
    /// Tangential dashpot: its own [N s/m], and over the normal one.
    drag: [f64; 2],
    /// Coefficient of friction.
    friction: f64,
    /// Whether the spring yields by itself, and not together with the dashpot.
    pub yields_alone: bool,
}

/// Four pushes: force, slope of the elastic part, dashpot.
#[derive(Clone, Copy)]
pub struct FourPushes<S: Lanes> {
    /// Forces that drive the grains apart [N].
    pub force: Four<S>,
    /// Tangential stiffness [N/m].
    pub shear: Four<S>,
    /// Tangential dashpot [N s/m].
    pub drag: Four<S>,
    /// What friction bears [N].
    pub limit: Four<S>,
}

impl PlainLaw {
    /// The plain form of a law, if it has one.
    pub fn of(law: &SoftLaw) -> Option<PlainLaw> {
        if law.remembers_more() || law.turning != Turning::Projection {
            return None;
        }
        let PlainTangential { springs, drag, reset, grip } = law.tangential.plain()?;
        Some(PlainLaw {
            normal: law.normal.plain()?,
            shear: [springs.own, springs.ratio],
            drag,
            friction: grip.r#static,
            yields_alone: reset == Reset::SpringAlone,
        })
    }

    /// The force at vanishing overlap: see [`super::normal::NormalForce::jump`].
    pub fn jump(&self, couple: Couple, rate: f64) -> f64 {
        self.normal.push(couple, Squeeze { overlap: f64::MIN_POSITIVE, rate }).force
    }

    /// Whether the force may end with a jump.
    #[inline(always)]
    pub fn ends_with_a_jump(&self) -> bool {
        !self.normal.cut && self.normal.spring > 0.0
    }

    /// Normal forces of four pairs, and the stiffness, damping and limit of the tangential law that go with them.
    #[inline(always)]
    pub fn push<S: Lanes>(&self, couples: Couple<Four<S>>, squeezes: Squeeze<Four<S>>) -> FourPushes<S> {
        let all = |number: f64| squeezes.overlap.all(number);
        let Push { force, stiffness, damping } = self.normal.push(couples, squeezes);
        FourPushes {
            force,
            shear: all(self.shear[0]) + all(self.shear[1]) * stiffness,
            drag: all(self.drag[0]) + all(self.drag[1]) * damping,
            limit: all(self.friction) * force.max(all(0.0)),
        }
    }
}
