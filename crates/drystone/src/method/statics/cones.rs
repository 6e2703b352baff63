//! Friction cones of all contacts; elastic contacts are either pressed or open.

use super::douglas_rachford::Sets;

/// The friction cones of all contacts. The unknowns of the contacts come first, one contact after the other; further
/// unknowns are free.
pub(super) struct Cones {
    /// Coefficient of friction of every contact.
    pub friction: Vec<f64>,
    /// The contact that must carry a force, and its least normal force.
    pub pressed: Option<(usize, f64)>,
    /// Unknowns of a contact: its force along the normal and the tangents and, if elastic, its gap.
    pub width: usize,
    /// Whether a contact may also be open, with a gap.
    pub is_elastic: bool,
}

impl Cones {
    /// Normal force and length of the tangential one.
    fn split(own: &[f64], width: usize) -> (f64, f64) {
        (own[0], own[1..width].iter().map(|t| t * t).sum::<f64>().sqrt())
    }

    fn forces(&self) -> usize {
        self.width - usize::from(self.is_elastic)
    }
}

impl Sets for Cones {
    fn nearest(&self, z: &mut [f64]) {
        let forces = self.forces();
        for (k, (own, mu)) in z.chunks_exact_mut(self.width).zip(&self.friction).enumerate() {
            let least = self.pressed.filter(|(pressed, _)| *pressed == k).map(|(_, least)| least);
            own[0] -= least.unwrap_or(0.0);
            let (normal, tangential) = Cones::split(own, forces);
            // inside the cone, nearest to its tip, or nearest to its surface
            let along = (normal + mu * tangential) / (1.0 + mu * mu);
            let (near_n, factor) = match () {
                () if tangential <= mu * normal => (normal, 1.0),
                () if along <= 0.0 => (0.0, 0.0),
                () => (along, mu * along / tangential),
            };
            if self.is_elastic {
                // pressed, without a gap, or open, without a force: the nearer of the two
                let gap = own[forces];
                let pressed = (near_n - normal).powi(2) + ((1.0 - factor) * tangential).powi(2) + gap * gap;
                let open = normal * normal + tangential * tangential + gap.min(0.0).powi(2);
                if open < pressed && least.is_none() {
                    own[..forces].fill(0.0);
                    own[forces] = gap.max(0.0);
                    continue;
                }
                own[forces] = 0.0;
            }
            own[0] = near_n + least.unwrap_or(0.0);
            own[1..forces].iter_mut().for_each(|t| *t *= factor);
        }
    }

    fn dual_miss(&self, v: &[f64]) -> Option<f64> {
        let miss = |(own, mu): (&[f64], &f64)| {
            let (normal, tangential) = Cones::split(own, self.forces());
            mu * tangential - normal
        };
        let worst = v.chunks_exact(self.width).zip(&self.friction).map(miss).fold(0.0, f64::max);
        (!self.is_elastic).then_some(worst)
    }
}
