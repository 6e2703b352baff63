//! Mobilisation of friction.

use super::forces::between_grains;
use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Mobilised friction of the contacts between grains in the region: mean and mean-weighted-by-force of |f_t| / (mu
/// f_n), over contacts that press and have friction; and the share of contacts that slide.
pub(crate) struct MobilisedFriction;

impl FrameMeasure for MobilisedFriction {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        ["mobilisation", "mobilisation_by_force", "sliding_share"].map(|name| Column::new(name, "1")).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let contacts = &view.frame.contacts;
        let forces = between_grains(view, &view.region()?);
        if forces.is_empty() {
            return Err(Nothing::Contacts);
        }
        let (mut sum, mut rubbing, mut shear, mut limit, mut sliding) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (link, normal, tangential) in &forces {
            let most = contacts.friction[link.contact] * normal;
            if most > 0.0 {
                sum += tangential / most;
                rubbing += 1.0;
                shear += tangential;
                limit += most;
            }
            sliding += f64::from(u8::from(contacts.regime[link.contact] == 2));
        }
        let mean = |sum: f64, count: f64| if count == 0.0 { 0.0 } else { sum / count };
        Ok(vec![vec![mean(sum, rubbing), mean(shear, limit), sliding / forces.len() as f64]])
    }
}
