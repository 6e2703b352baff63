//! Mindlin's spring without slip, with a slider.

use super::reset::ShearedSpring;
use super::shear::{Springs, mindlin_ratio};
use super::{Grip, Reset, Slip, TangentialForce, TangentialLaw, TangentialRecord};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Number, Quantity};
use crate::input::value::NOT_NEGATIVE;
use crate::lane::MapInlined;
use crate::law::soft::SoftMemory;
use crate::law::soft::normal::hertz::POISSON;
use crate::law::soft::plain::PlainTangential;
use crate::list::{list, record};

list! {
    /// What is kept while the stiffness changes with the normal force.
    pub enum Keeping by name {
        /// The force: df = k_S(xi_n) u_t dt. Unloading at constant slip can create energy.
        "incremental" => Incremental,
        /// The displacement: f = k_S(xi_n) xi.
        "secant" => Secant,
    }
}

record! {
    /// k_S = 8 G* sqrt(r* xi_n), which is (1 - nu) / (1 - nu / 2) of the normal slope. [Mindlin49], [Tsuji92 corrected]
    pub struct Mindlin {
        /// Poisson's ratio, if the normal law does not state it.
        poisson: Option<Number> where POISSON,
        /// What is kept while the stiffness changes.
        keep: Keeping = Keeping::Secant,
        /// Tangential over normal dashpot; 1 in Tsuji's paper.
        damping_ratio: Number where NOT_NEGATIVE = Quantity(1.0),
        /// How the spring yields while the contact slides; without a dashpot both are the same.
        reset: Reset = Reset::SpringAlone,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MindlinLaw {
    /// Stiffness over the normal slope.
    pub springs: Springs,
    /// What is kept.
    pub keep: Keeping,
    /// Tangential over normal dashpot.
    pub damping_ratio: f64,
    /// How the spring yields.
    pub reset: Reset,
    /// Friction.
    pub grip: Grip,
}

impl TangentialRecord for Mindlin {
    fn law(&self, grip: Grip, poisson: Option<f64>) -> TangentialLaw {
        let poisson = self.poisson.map(|nu| *nu).or(poisson).expect("a checked law has Poisson's ratio");
        let springs = Springs { own: 0.0, ratio: mindlin_ratio(poisson) };
        let (keep, damping_ratio) = (self.keep, *self.damping_ratio);
        let reset = self.reset.beside(damping_ratio);
        TangentialLaw::new(MindlinLaw { springs, keep, damping_ratio, reset, grip })
    }
    fn needs_poisson(&self) -> bool {
        self.poisson.is_none()
    }
}

impl<D: Dim> TangentialForce<D> for MindlinLaw {
    #[inline]
    fn force(&self, slip: &Slip<D>, memory: &mut SoftMemory<D>) -> D::Vec {
        let k = self.springs.at(slip.stiffness);
        let dashpot = slip.velocity * (-self.damping_ratio * slip.damping);
        // the spring is a displacement, or (incremental) a force along the slip
        let (rate, scale) = match self.keep {
            Keeping::Secant => (1.0, k),
            Keeping::Incremental => (k, 1.0),
        };
        let [path, ahead] = [slip.dt, slip.ahead].map_inlined(|time| slip.velocity * (time * rate));
        let spring = ShearedSpring { path, ahead, stiffness: scale, dashpot };
        self.reset.force(&self.grip, slip, spring, memory)
    }
    fn stored(&self, slip: &Slip<D>, memory: &SoftMemory<D>) -> f64 {
        let k = self.springs.at(slip.stiffness);
        match self.keep {
            Keeping::Secant => 0.5 * k * memory.spring.norm_squared(),
            Keeping::Incremental => 0.5 * memory.spring.norm_squared() / k,
        }
    }
    fn grip(&self) -> Option<Grip> {
        Some(self.grip)
    }
    fn plain(&self) -> Option<PlainTangential> {
        let MindlinLaw { springs, damping_ratio, reset, grip, .. } = *self;
        (self.keep == Keeping::Secant).then_some(PlainTangential { springs, drag: [0.0, damping_ratio], reset, grip })
    }
}
