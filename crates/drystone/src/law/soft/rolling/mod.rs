//! Rolling and torsion resistance of soft grains: torques from relative spins. One file and one entry of the list each.
//!
//! The limit, a length times the normal force, is the `rolling` and `torsion` of the [[contact]].

pub(crate) mod elastic_plastic;
pub(crate) mod kondic;
pub(crate) mod zhou;
pub(crate) mod zhu_yu;

pub(crate) use elastic_plastic::ElasticPlastic;
pub(crate) use kondic::Kondic;
pub(crate) use zhou::Zhou;
pub(crate) use zhu_yu::ZhuYu;

use super::{Couple, SoftMemory};
use crate::dim::{Dim, Vector};
use crate::lane::MapInlined;
use crate::list::list;

list! {
    /// Rolling law of soft grains. Its limit is `rolling` of the [[contact]].
    pub enum Rolling by "law" as RollingTorque over D {
        /// Spring, dashpot and slider for the relative rotation (type C).
        "elastic_plastic" => ElasticPlastic(ElasticPlastic),
        /// A force against the relative velocity of the centres; not objective.
        "kondic" => Kondic(Kondic),
        /// A torque against the spin of each grain; not objective.
        "zhou" => Zhou(Zhou),
        /// A torque against the relative spin, viscous up to its limit.
        "zhu_yu" => ZhuYu(ZhuYu),
    }
}

list! {
    /// Torsion law of soft grains. Its limit is `torsion` of the [[contact]].
    pub enum Torsion by "law" as TorsionTorque over D {
        /// Spring, dashpot and slider for the relative rotation about the normal.
        "elastic_plastic" => ElasticPlastic(ElasticPlastic),
        /// A torque against the relative spin about the normal, viscous up to its limit.
        "zhu_yu" => ZhuYu(ZhuYu),
    }
}

/// How two grains in contact turn and move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roll<D: Dim> {
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Angular velocities of a and b [rad/s].
    pub spins: [D::Spin; 2],
    /// Velocity of the centre of b relative to that of a [m/s].
    pub velocity: D::Vec,
    /// Normal force [N], zero or more.
    pub press: f64,
    /// Limit on the torque [N m].
    pub limit: f64,
    /// Slope of the elastic normal force [N/m].
    pub stiffness: f64,
    /// The pair of grains.
    pub couple: Couple,
    /// Time over which springs are wound up to now [s].
    pub dt: f64,
    /// Time over which they are wound on once the torque is known [s].
    pub ahead: f64,
}

/// The result of a rolling law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance<D: Dim> {
    /// Torques on a and b [N m].
    pub torques: [D::Spin; 2],
    /// Force on the centre of b, its negative on that of a [N]: only Kondic's law has one.
    pub force: D::Vec,
}

impl<D: Dim> Default for Resistance<D> {
    /// None.
    #[inline(always)]
    fn default() -> Resistance<D> {
        Resistance { torques: [D::Spin::ZERO; 2], force: D::Vec::ZERO }
    }
}

impl<D: Dim> Resistance<D> {
    /// A torque on b and its opposite on a.
    pub fn opposite(torque: D::Spin) -> Resistance<D> {
        Resistance { torques: [-torque, torque], force: D::Vec::ZERO }
    }

    /// All torques and the force multiplied by a factor.
    #[inline(always)]
    pub fn times(&self, factor: f64) -> Resistance<D> {
        Resistance { torques: self.torques.map_inlined(|torque| torque * factor), force: self.force * factor }
    }
}

/// Resistance to rolling.
pub trait RollingTorque<D: Dim> {
    /// Torques and force against rolling.
    fn resist(&self, roll: &Roll<D>, memory: &mut SoftMemory<D>) -> Resistance<D>;
    /// Elastic energy [J].
    fn stored(&self, _roll: &Roll<D>, _memory: &SoftMemory<D>) -> f64 {
        0.0
    }
}

/// Resistance to torsion.
pub trait TorsionTorque<D: Dim> {
    /// Torque on b about the normal.
    fn resist(&self, roll: &Roll<D>, memory: &mut SoftMemory<D>) -> D::Spin;
    /// Elastic energy [J].
    fn stored(&self, _roll: &Roll<D>, _memory: &SoftMemory<D>) -> f64 {
        0.0
    }
}

impl<D: Dim> Roll<D> {
    /// Spin of b relative to a.
    pub fn spin(&self) -> D::Spin {
        self.spins[1] - self.spins[0]
    }
}
