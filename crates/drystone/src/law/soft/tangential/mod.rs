//! Tangential laws of soft grains: a force from slip and what the contact remembers. One file and one list line each.

pub mod coulomb;
pub mod cundall_strack;
pub mod grip;
pub mod mindlin;
pub mod reset;
pub mod shear;
pub mod viscous;
pub mod viscous_coulomb;
pub mod walton_braun;

pub use coulomb::Coulomb;
pub use cundall_strack::CundallStrack;
pub use grip::Grip;
pub use mindlin::Mindlin;
pub use reset::Reset;
pub use shear::Shear;
pub use viscous::Viscous;
pub use viscous_coulomb::ViscousCoulomb;
pub use walton_braun::WaltonBraun;

use super::Memory;
use crate::dim::{Dim, Vector};
use crate::law::Friction;
use crate::list::list;

list! {
    /// Tangential law of soft grains. Friction is that of the [[contact]].
    pub enum Tangential by "law" {
        /// Sliding friction only: mu f_n against the slip, whatever its speed.
        "coulomb" => Coulomb(Coulomb),
        /// A dashpot without any limit.
        "viscous" => Viscous(Viscous),
        /// A dashpot up to the limit of friction.
        "viscous_coulomb" => ViscousCoulomb(ViscousCoulomb),
        /// Spring, dashpot and slider.
        "cundall_strack" => CundallStrack(CundallStrack),
        /// Spring of Mindlin's solution without slip, which grows with the contact, dashpot and slider.
        "mindlin" => Mindlin(Mindlin),
        /// Incrementally slipping friction: the spring gets softer as the slip spreads inwards.
        "walton_braun" => WaltonBraun(WaltonBraun),
    }
}

/// How the surfaces of a contact move against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slip<D: Dim> {
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Velocity of b relative to a at the contact, across the normal [m/s].
    pub velocity: D::Vec,
    /// Normal force that friction goes by [N], zero or more.
    pub press: f64,
    /// Slope of the elastic normal force [N/m].
    pub stiffness: f64,
    /// Coefficient of the normal dashpot [N s/m].
    pub damping: f64,
    /// Time over which the spring is wound up to now [s].
    pub dt: f64,
    /// Force over slip velocity that ends the slip while the force stands, and does not turn it back [N s/m].
    pub brake: f64,
    /// Time over which it is wound on once the force is known [s]: what is remembered is so far ahead.
    pub ahead: f64,
}

/// Part of its momentum that is taken from a slip that ends while a force stands. The velocity that the force sees still has
/// half of the kick before in it: with this part what is left dies out fastest, by 0.58 a step; with 1 it would swing on for
/// ever.
pub const BRAKING: f64 = 2.0 / 3.0;

/// A tangential law with its numbers found: a pure function of the slip and what the contact remembers.
pub trait TangentialForce: Copy + Send + Sync {
    /// Whether the law remembers more than its spring.
    const REMEMBERS_MORE: bool;
    /// Force on b [N]. The memory has followed the normal before.
    fn force<D: Dim>(&self, slip: &Slip<D>, memory: &mut Memory<D>) -> D::Vec;
    /// Elastic energy of the spring [J].
    fn stored<D: Dim>(&self, _slip: &Slip<D>, _memory: &Memory<D>) -> f64 {
        0.0
    }
}

/// A tangential law with its numbers found, of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TangentialLaw {
    /// No force.
    Smooth(Smooth),
    /// See [`Coulomb`].
    Coulomb(coulomb::Law),
    /// See [`Viscous`].
    Viscous(viscous::Law),
    /// See [`ViscousCoulomb`].
    ViscousCoulomb(viscous_coulomb::Law),
    /// See [`CundallStrack`].
    CundallStrack(cundall_strack::Law),
    /// See [`Mindlin`].
    Mindlin(mindlin::Law),
    /// See [`WaltonBraun`].
    WaltonBraun(walton_braun::Law),
}

/// Surfaces without friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smooth;

impl TangentialForce for Smooth {
    const REMEMBERS_MORE: bool = false;
    #[inline]
    fn force<D: Dim>(&self, _: &Slip<D>, _: &mut Memory<D>) -> D::Vec {
        D::Vec::ZERO
    }
}

impl Tangential {
    /// The law with its numbers; Poisson's ratio is that of the normal law.
    pub fn law(&self, friction: &Friction, poisson: Option<f64>) -> TangentialLaw {
        let grip = Grip::of(friction);
        match self {
            Tangential::Coulomb(_) => TangentialLaw::Coulomb(coulomb::Law { grip }),
            Tangential::Viscous(law) => TangentialLaw::Viscous(viscous::Law { damping: *law.damping }),
            Tangential::ViscousCoulomb(law) => {
                TangentialLaw::ViscousCoulomb(viscous_coulomb::Law { damping: *law.damping, grip })
            }
            Tangential::CundallStrack(law) => TangentialLaw::CundallStrack(law.law(grip)),
            Tangential::Mindlin(law) => TangentialLaw::Mindlin(law.law(grip, poisson)),
            Tangential::WaltonBraun(law) => TangentialLaw::WaltonBraun(law.law(grip)),
        }
    }
}

/// Runs `$body` with `$law` bound to the law inside: one choice, and everything below it is static.
macro_rules! with_tangential {
    ($choice:expr, $law:ident => $body:expr) => {
        match $choice {
            $crate::law::soft::tangential::TangentialLaw::Smooth($law) => $body,
            $crate::law::soft::tangential::TangentialLaw::Coulomb($law) => $body,
            $crate::law::soft::tangential::TangentialLaw::Viscous($law) => $body,
            $crate::law::soft::tangential::TangentialLaw::ViscousCoulomb($law) => $body,
            $crate::law::soft::tangential::TangentialLaw::CundallStrack($law) => $body,
            $crate::law::soft::tangential::TangentialLaw::Mindlin($law) => $body,
            $crate::law::soft::tangential::TangentialLaw::WaltonBraun($law) => $body,
        }
    };
}
pub(crate) use with_tangential;

impl TangentialLaw {
    /// Whether the force begins and ends with a jump, as it goes by nothing that does not.
    pub fn jumps(&self) -> bool {
        matches!(self, TangentialLaw::Viscous(_))
    }

    /// Whether the law remembers more than its spring.
    pub fn remembers_more(&self) -> bool {
        fn of<L: TangentialForce>(_: &L) -> bool {
            L::REMEMBERS_MORE
        }
        with_tangential!(self, law => of(law)) || self.grip().is_some_and(|grip| grip.weakens())
    }

    /// Its friction, unless it has none.
    pub fn grip(&self) -> Option<Grip> {
        match self {
            TangentialLaw::Smooth(_) | TangentialLaw::Viscous(_) => None,
            TangentialLaw::Coulomb(law) => Some(law.grip),
            TangentialLaw::ViscousCoulomb(law) => Some(law.grip),
            TangentialLaw::CundallStrack(law) => Some(law.grip),
            TangentialLaw::Mindlin(law) => Some(law.grip),
            TangentialLaw::WaltonBraun(law) => Some(law.grip),
        }
    }

    /// Force on b [N].
    pub fn force<D: Dim>(&self, slip: &Slip<D>, memory: &mut Memory<D>) -> D::Vec {
        with_tangential!(self, law => law.force(slip, memory))
    }

    /// Elastic energy [J].
    pub fn stored<D: Dim>(&self, slip: &Slip<D>, memory: &Memory<D>) -> f64 {
        with_tangential!(self, law => law.stored(slip, memory))
    }
}
