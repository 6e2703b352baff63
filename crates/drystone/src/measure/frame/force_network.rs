//! Strong and weak network.

use super::forces::between_grains;
use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::tensor::Tensor;
use crate::measure::vector::sub;

/// The weak network: contacts between grains in the region whose normal force is below the mean
/// [RadjaiWeak].
///
/// Its shares are those of the contacts, of the pressure (trace of f l), of the shear (its deviator along the
/// deviator of all: s_weak : s / s : s) and of the contacts that slide. `tension_share` is that of the contacts that
/// pull.
pub(crate) struct ForceNetwork;

impl FrameMeasure for ForceNetwork {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        let mut columns: Vec<Column> =
            ["mean_normal_force", "largest_normal_force"].map(|name| Column::new(name, "N")).into();
        let shares = ["weak_share", "weak_pressure_share", "weak_shear_share", "weak_sliding_share", "tension_share"];
        columns.extend(shares.map(|name| Column::new(name, "1")));
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let (contacts, d) = (&view.frame.contacts, view.dimension());
        let forces = between_grains(view, &view.region()?);
        let count = forces.len() as f64;
        let mean = forces.iter().map(|(_, normal, _)| normal).sum::<f64>() / count;
        if forces.is_empty() || mean <= 0.0 {
            return Err(Nothing::Contacts);
        }
        let (mut all, mut weak) = (Tensor::default(), Tensor::default());
        let (mut weak_count, mut sliding, mut weak_sliding, mut tension) = (0.0, 0.0, 0.0, 0.0);
        for (link, normal, _) in &forces {
            let branch = sub(contacts.to[link.contact], contacts.from[link.contact]);
            let slides = f64::from(u8::from(contacts.regime[link.contact] == 2));
            all.add_dyad(1.0, link.force, branch);
            sliding += slides;
            tension += f64::from(u8::from(*normal < 0.0));
            if *normal < mean {
                weak.add_dyad(1.0, link.force, branch);
                weak_count += 1.0;
                weak_sliding += slides;
            }
        }
        let (s, weak_s) = (all.deviator(d), weak.deviator(d));
        let share = |part: f64, whole: f64| if whole == 0.0 { f64::NAN } else { part / whole };
        let largest = forces.iter().map(|(_, normal, _)| *normal).fold(f64::MIN, f64::max);
        Ok(vec![vec![
            mean,
            largest,
            weak_count / count,
            share(weak.trace(), all.trace()),
            share(weak_s.contract(&s), s.contract(&s)),
            share(weak_sliding, sliding),
            tension / count,
        ]])
    }
}
