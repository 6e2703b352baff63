//! Tangential laws of soft grains: a force from slip and the memory of the contact.
//!
//! A law is a file and an entry of the list. Its record holds the keys of scenarios ([`TangentialRecord`]); its
//! numbers, which may be the record itself, give the force ([`TangentialForce`]).

pub(crate) mod coulomb;
pub(crate) mod cundall_strack;
pub(crate) mod grip;
pub(crate) mod mindlin;
pub(crate) mod reset;
pub(crate) mod shear;
pub(crate) mod viscous;
pub(crate) mod viscous_coulomb;
pub(crate) mod walton_braun;

pub(crate) use coulomb::Coulomb;
pub(crate) use cundall_strack::CundallStrack;
pub(crate) use grip::Grip;
pub(crate) use mindlin::Mindlin;
pub(crate) use reset::Reset;
pub(crate) use shear::Shear;
pub(crate) use viscous::Viscous;
pub(crate) use viscous_coulomb::ViscousCoulomb;
pub(crate) use walton_braun::WaltonBraunTangential;

use std::fmt::Debug;
use std::sync::Arc;

use super::SoftMemory;
use super::plain::PlainTangential;
use crate::dim::{D2, D3, Dim, PerDim, Vector};
use crate::law::Friction;
use crate::list::list;

list! {
    /// Tangential law of soft grains. Friction is that of the [[contact]].
    pub enum TangentialChoice by "law" as TangentialRecord {
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
        "walton_braun" => WaltonBraun(WaltonBraunTangential),
    }
}

/// How the surfaces of a contact move against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slip<D: Dim> {
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Velocity of b relative to a at the contact, across the normal [m/s].
    pub velocity: D::Vec,
    /// Normal force in the friction limit [N], zero or more.
    pub press: f64,
    /// Slope of the elastic normal force [N/m].
    pub stiffness: f64,
    /// Coefficient of the normal dashpot [N s/m].
    pub damping: f64,
    /// Time over which the spring is wound up to now [s].
    pub dt: f64,
    /// Largest force over slip velocity that stops the slip without reversing it, while the force acts [N s/m].
    pub brake: f64,
    /// Time over which the spring is stretched further once the force is known [s]: the stored spring is ahead by that
    /// time.
    pub ahead: f64,
}

/// Part of the momentum of a slip that is removed when the slip ends under a force. The velocity in the force still
/// contains half of the previous kick: with this part the remainder decays fastest, by 0.58 a step; with 1 it would
/// oscillate for ever.
pub(crate) const BRAKING: f64 = 2.0 / 3.0;

/// A tangential law with its numbers found: a pure function of the slip and what the contact remembers.
pub trait TangentialForce<D: Dim>: Debug + Send + Sync {
    /// Force on b [N]. The memory has already been turned with the normal.
    fn force(&self, slip: &Slip<D>, memory: &mut SoftMemory<D>) -> D::Vec;
    /// Elastic energy of the spring [J].
    fn stored(&self, _slip: &Slip<D>, _memory: &SoftMemory<D>) -> f64 {
        0.0
    }
    /// Its friction, unless it has none.
    fn grip(&self) -> Option<Grip>;
    /// Whether the law remembers more than its spring, even if sliding does not weaken its friction.
    fn remembers_more(&self) -> bool {
        false
    }
    /// Whether the force begins and ends with a jump, because it depends on nothing that starts from zero.
    fn jumps(&self) -> bool {
        false
    }
    /// Its numbers in the plain form, if it has one: with them four contacts are evaluated at once.
    fn plain(&self) -> Option<PlainTangential> {
        None
    }
    /// [`TangentialForce::force`] of many contacts: the law is chosen once for all of them.
    fn force_all(&self, slips: &[Slip<D>], memories: &mut [SoftMemory<D>], forces: &mut [D::Vec]) {
        for ((slip, memory), force) in slips.iter().zip(memories).zip(forces) {
            *force = self.force(slip, memory);
        }
    }
}

/// A tangential law with its numbers found, of any kind, for the plane and for space.
#[derive(Clone, Debug)]
pub struct TangentialLaw {
    plane: Arc<dyn TangentialForce<D2>>,
    space: Arc<dyn TangentialForce<D3>>,
}

/// A tangential law as a scenario writes it.
pub trait TangentialRecord {
    /// The law with its numbers; Poisson's ratio is that of the normal law.
    fn law(&self, grip: Grip, poisson: Option<f64>) -> TangentialLaw;
    /// Whether it needs Poisson's ratio of the normal law.
    fn needs_poisson(&self) -> bool {
        false
    }
}

/// Surfaces without friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Smooth;

impl<D: Dim> TangentialForce<D> for Smooth {
    fn force(&self, _: &Slip<D>, _: &mut SoftMemory<D>) -> D::Vec {
        D::Vec::ZERO
    }
    fn grip(&self) -> Option<Grip> {
        None
    }
}

impl TangentialChoice {
    /// The law with its numbers; Poisson's ratio is that of the normal law.
    pub fn law(&self, friction: &Friction, poisson: Option<f64>) -> TangentialLaw {
        self.as_dyn().law(Grip::of(friction), poisson)
    }
}

impl PerDim for TangentialLaw {
    type In<D: Dim> = dyn TangentialForce<D>;
    fn plane(&self) -> &(dyn TangentialForce<D2> + 'static) {
        &*self.plane
    }
    fn space(&self) -> &(dyn TangentialForce<D3> + 'static) {
        &*self.space
    }
}

impl TangentialLaw {
    /// A law that holds in the plane and in space.
    pub fn new<L: TangentialForce<D2> + TangentialForce<D3> + 'static>(law: L) -> TangentialLaw {
        let law = Arc::new(law);
        TangentialLaw { plane: law.clone(), space: law }
    }

    /// The law in a dimension.
    pub fn of<D: Dim>(&self) -> &dyn TangentialForce<D> {
        D::pick(self)
    }

    /// Whether the force begins and ends with a jump, because it depends on nothing that starts from zero.
    pub fn jumps(&self) -> bool {
        self.plane.jumps()
    }

    /// Whether the law remembers more than its spring.
    pub fn remembers_more(&self) -> bool {
        self.plane.remembers_more() || self.grip().is_some_and(|grip| grip.weakens())
    }

    /// Its friction, unless it has none.
    pub fn grip(&self) -> Option<Grip> {
        self.plane.grip()
    }

    /// Its numbers in the plain form, if it has one.
    pub fn plain(&self) -> Option<PlainTangential> {
        self.plane.plain()
    }
}
