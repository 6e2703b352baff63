//! Normal laws of soft grains: a force from overlap and its rate.
//!
//! A law is a file and an entry of the list. Its record holds the keys of scenarios ([`NormalRecord`]); its numbers,
//! which may be the record itself, give the force ([`NormalForce`]). A program adds its own law by
//! [`crate::law::Laws::set_soft`].

pub(crate) mod hertz;
pub(crate) mod hertz_tsuji;
pub(crate) mod hertz_viscoelastic;
pub(crate) mod hooke;
pub(crate) mod power;
pub(crate) mod walton_braun;

pub use hertz::Hertz;
pub use hertz_tsuji::HertzTsuji;
pub use hertz_viscoelastic::HertzViscoelastic;
pub use hooke::Hooke;
pub use power::Power;
pub use walton_braun::WaltonBraunNormal;

use std::fmt::Debug;
use std::sync::Arc;

use super::Couple;
use super::plain::PlainNormal;
use crate::list::list;

list! {
    /// Normal law of soft grains.
    pub enum NormalChoice by "law" as NormalRecord {
        /// Linear spring and dashpot: f = k xi + gamma dxi/dt.
        "hooke" => Hooke(Hooke),
        /// Any powers: f = k xi^alpha + gamma xi^beta dxi/dt.
        "power" => Power(Power),
        /// Hertz without damping: f = 4/3 E* sqrt(r* xi) xi.
        "hertz" => Hertz(Hertz),
        /// Hertz with viscoelastic damping: f = K (xi^(3/2) + 3/2 A xi^(1/2) dxi/dt).
        "hertz_viscoelastic" => HertzViscoelastic(HertzViscoelastic),
        /// Hertz with damping that makes the restitution independent of the velocity: f = K xi^(3/2) + c xi^(1/4)
        /// dxi/dt.
        "hertz_tsuji" => HertzTsuji(HertzTsuji),
        /// Partially latching spring: stiffer on unloading than on loading.
        "walton_braun" => WaltonBraun(WaltonBraunNormal),
    }
}

/// How far two grains overlap, and how fast the overlap grows; or the same of four pairs in lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Squeeze<X = f64> {
    /// Overlap xi, more than zero [m].
    pub overlap: X,
    /// Its rate dxi/dt, positive while the grains approach [m/s].
    pub rate: X,
}

/// The result of a normal law, or of one for four pairs in lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push<X = f64> {
    /// Force that drives the grains apart [N]; never negative with the cut.
    pub force: X,
    /// Slope of the elastic part df/dxi, to which tangential springs are proportional [N/m].
    pub stiffness: X,
    /// Coefficient of the dashpot at this overlap, to which tangential dashpots may be proportional [N s/m].
    pub damping: X,
}

/// A pair of grains that is squeezed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compression {
    /// The pair.
    pub couple: Couple,
    /// Its overlap.
    pub squeeze: Squeeze,
}

/// A normal law with its numbers found: a pure function of the pair of grains, the squeeze, and what it remembers.
pub trait NormalForce: Debug + Send + Sync {
    /// Force and slopes. `deepest` is the memory of the law [m]: zero when the grains meet.
    fn push(&self, couple: Couple, squeeze: Squeeze, deepest: &mut f64) -> Push;
    /// Elastic energy of an overlap: what unloading gives back [J].
    fn stored(&self, couple: Couple, overlap: f64, deepest: f64) -> f64;
    /// The force at vanishing overlap [N]: the jump with which a contact begins or ends if its dashpot does not vanish
    /// with the overlap.
    fn jump(&self, couple: Couple, rate: f64) -> f64 {
        self.push(couple, Squeeze { overlap: f64::MIN_POSITIVE, rate }, &mut 0.0).force
    }
    /// Whether the law remembers anything.
    fn remembers(&self) -> bool {
        false
    }
    /// E* of a Hertz law, for attractions [Pa]; zero for others.
    fn modulus(&self) -> f64 {
        0.0
    }
    /// Its numbers in the plain form, if it has one: with them four contacts are evaluated at once.
    fn plain(&self) -> Option<PlainNormal> {
        None
    }
    /// [`NormalForce::push`] of many contacts: the law is chosen once for all of them. Contacts without an overlap are
    /// left out.
    fn push_all(&self, contacts: &[Compression], deepest: &mut [f64], pushes: &mut [Push]) {
        for ((Compression { couple, squeeze }, deepest), push) in contacts.iter().zip(deepest).zip(pushes) {
            if squeeze.overlap > 0.0 {
                *push = self.push(*couple, *squeeze, deepest);
            }
        }
    }
}

/// A normal law with its numbers found, of any kind.
pub type NormalLaw = Arc<dyn NormalForce>;

/// A normal law as a scenario writes it.
pub trait NormalRecord {
    /// The law with its numbers; `restitution` is that of the pair of materials, for laws that state no damping.
    fn law(&self, restitution: f64) -> NormalLaw;
    /// How the energy loss of a collision is stated.
    fn losses(&self) -> Losses {
        Losses::Damping
    }
    /// Poisson's ratio, where the law states one.
    fn poisson(&self) -> Option<f64> {
        None
    }
    /// Whether it is a law of Hertz, to which the attraction of JKR belongs.
    fn is_hertz(&self) -> bool {
        false
    }
}

/// How a normal law states the energy loss of a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Losses {
    /// A damping coefficient, or nothing to choose.
    Damping,
    /// A restitution.
    Restitution(f64),
    /// Nothing: the restitution of the pair of materials holds.
    Neither,
    /// A damping and a restitution, which contradict each other.
    Both,
}

impl Losses {
    /// The losses of a law with keys for a damping and a restitution, one of which follows from the other.
    pub fn of(has_damping: bool, restitution: Option<f64>) -> Losses {
        match (has_damping, restitution) {
            (true, Some(_)) => Losses::Both,
            (true, None) => Losses::Damping,
            (false, Some(e)) => Losses::Restitution(e),
            (false, None) => Losses::Neither,
        }
    }
}

/// max(0, f) if the law is cut: surfaces without attraction do not pull. [Wolf eq. 10]
#[inline]
pub(super) fn cut(force: f64, is_cut: bool) -> f64 {
    if is_cut { force.max(0.0) } else { force }
}
