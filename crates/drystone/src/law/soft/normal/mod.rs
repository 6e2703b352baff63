//! Normal laws of soft grains: a force from overlap and its rate. One file and one list line each.

pub mod hertz;
pub mod hertz_tsuji;
pub mod hertz_viscoelastic;
pub mod hooke;
pub mod power;
pub mod walton_braun;

pub use hertz::Hertz;
pub use hertz_tsuji::HertzTsuji;
pub use hertz_viscoelastic::HertzViscoelastic;
pub use hooke::Hooke;
pub use power::Power;
pub use walton_braun::WaltonBraun;

use super::Couple;
use crate::list::list;

list! {
    /// Normal law of soft grains.
    pub enum Normal by "law" {
        /// Linear spring and dashpot: f = k xi + gamma dxi/dt.
        "hooke" => Hooke(Hooke),
        /// Any powers: f = k xi^alpha + gamma xi^beta dxi/dt.
        "power" => Power(Power),
        /// Hertz without damping: f = 4/3 E* sqrt(r* xi) xi.
        "hertz" => Hertz(Hertz),
        /// Hertz with viscoelastic damping: f = K (xi^(3/2) + 3/2 A xi^(1/2) dxi/dt).
        "hertz_viscoelastic" => HertzViscoelastic(HertzViscoelastic),
        /// Hertz with damping that makes the restitution independent of the velocity: f = K xi^(3/2) + c xi^(1/4) dxi/dt.
        "hertz_tsuji" => HertzTsuji(HertzTsuji),
        /// Partially latching spring: stiffer on unloading than on loading.
        "walton_braun" => WaltonBraun(WaltonBraun),
    }
}

/// How far two grains overlap, and how fast the overlap grows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Squeeze {
    /// Overlap xi, more than zero [m].
    pub overlap: f64,
    /// Its rate dxi/dt, positive while the grains approach [m/s].
    pub rate: f64,
}

/// What a normal law answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// Force that drives the grains apart [N]; never negative with the cut.
    pub force: f64,
    /// Slope of the elastic part df/dxi: tangential springs go by it [N/m].
    pub stiffness: f64,
    /// Coefficient of the dashpot at this overlap: tangential dashpots may go by it [N s/m].
    pub damping: f64,
}

/// A normal law with its numbers found: a pure function of the pair of grains, the squeeze, and what it remembers.
pub trait NormalForce: Copy + Send + Sync {
    /// Force and slopes. `deepest` is what the law remembers [m]: zero when the grains meet.
    fn push(&self, couple: Couple, squeeze: Squeeze, deepest: &mut f64) -> Push;
    /// Elastic energy of an overlap: what unloading gives back [J].
    fn stored(&self, couple: Couple, overlap: f64, deepest: f64) -> f64;
    /// The force that is left where the overlap ends [N]: what a dashpot that does not vanish with it begins or ends with.
    fn jump(&self, couple: Couple, rate: f64) -> f64 {
        self.push(couple, Squeeze { overlap: f64::MIN_POSITIVE, rate }, &mut 0.0).force
    }
    /// Whether the law remembers anything.
    fn remembers(&self) -> bool {
        false
    }
}

/// A normal law with its numbers found, of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NormalLaw {
    /// See [`Hooke`].
    Hooke(hooke::Law),
    /// See [`Power`].
    Power(power::Law),
    /// See [`Hertz`], [`HertzTsuji`] and [`HertzViscoelastic`].
    Hertz(hertz::Law),
    /// See [`WaltonBraun`].
    WaltonBraun(walton_braun::Law),
}

impl Normal {
    /// The law with its numbers; `restitution` is that of the pair of materials, for laws that state no damping.
    pub fn law(&self, restitution: f64) -> NormalLaw {
        match self {
            Normal::Hooke(law) => NormalLaw::Hooke(law.law(restitution)),
            Normal::Power(law) => NormalLaw::Power(law.law(restitution)),
            Normal::Hertz(law) => NormalLaw::Hertz(law.law()),
            Normal::HertzViscoelastic(law) => NormalLaw::Hertz(law.law(restitution)),
            Normal::HertzTsuji(law) => NormalLaw::Hertz(law.law(restitution)),
            Normal::WaltonBraun(law) => NormalLaw::WaltonBraun(law.law(restitution)),
        }
    }

    /// Poisson's ratio, where the law states one.
    pub fn poisson(&self) -> Option<f64> {
        match self {
            Normal::Hertz(law) => law.elastic.poisson(),
            Normal::HertzViscoelastic(law) => law.elastic.poisson(),
            Normal::HertzTsuji(law) => law.elastic.poisson(),
            Normal::Hooke(_) | Normal::Power(_) | Normal::WaltonBraun(_) => None,
        }
    }

    /// Damping and restitution, where both are written although one follows from the other; and whether neither is.
    pub fn losses(&self) -> Losses {
        let of = |damping: bool, restitution: Option<f64>| match (damping, restitution) {
            (true, Some(_)) => Losses::Both,
            (true, None) => Losses::Damping,
            (false, Some(e)) => Losses::Restitution(e),
            (false, None) => Losses::Neither,
        };
        match self {
            Normal::Hooke(law) => of(law.damping.is_some(), law.restitution.map(|e| *e)),
            Normal::Power(law) => of(law.damping.is_some(), law.restitution.map(|e| *e)),
            Normal::HertzViscoelastic(law) => of(law.dissipation.is_some(), law.restitution.map(|e| *e)),
            Normal::HertzTsuji(law) => of(law.damping.is_some(), law.restitution.map(|e| *e)),
            Normal::WaltonBraun(law) => of(law.unloading.is_some(), law.restitution.map(|e| *e)),
            Normal::Hertz(_) => Losses::Damping,
        }
    }
}

/// What a normal law says about the energy that a collision takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Losses {
    /// A damping coefficient.
    Damping,
    /// A restitution.
    Restitution(f64),
    /// Nothing: the restitution of the pair of materials holds.
    Neither,
    /// Too much.
    Both,
}

/// Runs `$body` with `$law` bound to the law inside: one choice, and everything below it is static.
macro_rules! with_normal {
    ($choice:expr, $law:ident => $body:expr) => {
        match $choice {
            $crate::law::soft::normal::NormalLaw::Hooke($law) => $body,
            $crate::law::soft::normal::NormalLaw::Power($law) => $body,
            $crate::law::soft::normal::NormalLaw::Hertz($law) => $body,
            $crate::law::soft::normal::NormalLaw::WaltonBraun($law) => $body,
        }
    };
}
pub(crate) use with_normal;

impl NormalForce for NormalLaw {
    fn push(&self, couple: Couple, squeeze: Squeeze, deepest: &mut f64) -> Push {
        with_normal!(self, law => law.push(couple, squeeze, deepest))
    }
    fn stored(&self, couple: Couple, overlap: f64, deepest: f64) -> f64 {
        with_normal!(self, law => law.stored(couple, overlap, deepest))
    }
    fn remembers(&self) -> bool {
        with_normal!(self, law => law.remembers())
    }
}

/// max(0, f) if the law is cut: surfaces without attraction do not pull. [Wolf eq. 10]
#[inline]
pub(super) fn cut(force: f64, is_cut: bool) -> f64 {
    if is_cut { force.max(0.0) } else { force }
}
