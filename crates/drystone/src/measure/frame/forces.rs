//! Distribution of forces.

use super::view::{FrameRegion, FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::love_weber::ContactForce;
use crate::measure::vector::{dot, norm};

/// Distribution of normal forces f_n over their mean, and of tangential ones |f_t| over theirs, of the contacts between
/// grains in the region; tangential ones of contacts with friction only.
///
/// Bins are equal from 0, or from the strongest attraction, to the largest ratio; `p` is a density with the integral 1.
/// The certificate of the step says how exactly its forces are known: eta, an error relative to the size of all forces.
/// Forces below eta times the mean are not resolved, and bins that begin below it are marked `resolved = 0`
/// [Radjai, sec. 5.2].
pub(crate) struct Forces;

/// Normal and tangential forces of the contacts between grains in a region [N].
pub(crate) fn between_grains(view: &FrameView, region: &FrameRegion) -> Vec<(ContactForce, f64, f64)> {
    let links = view.contact_forces_in(region).into_iter().filter(|link| link.a.is_some());
    let parts = |link: ContactForce| {
        let normal = dot(link.force, view.frame.contacts.normal[link.contact]);
        (link, normal, norm(view.frame.contacts.tangential_force[link.contact]))
    };
    links.map(parts).collect()
}

/// Values over their mean; none if the mean is zero.
fn ratios(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let mean = values.clone().sum::<f64>() / values.clone().count() as f64;
    if mean > 0.0 { values.map(|x| x / mean).collect() } else { Vec::new() }
}

impl FrameMeasure for Forces {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        ["force_ratio", "p_normal", "p_tangential", "normal_count", "tangential_count", "resolved", "eta"]
            .map(|name| Column::new(name, "1"))
            .into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let forces = between_grains(view, &view.region()?);
        let normal = ratios(forces.iter().map(|(_, normal, _)| *normal));
        let rubs = |link: &ContactForce| view.frame.contacts.friction[link.contact] > 0.0;
        let tangential = ratios(forces.iter().filter(|(link, ..)| rubs(link)).map(|(.., tangential)| *tangential));
        if normal.is_empty() {
            return Err(Nothing::Contacts);
        }
        let all = normal.iter().chain(&tangential);
        let (low, high) = all.fold((0.0, 0.0), |(low, high): (f64, f64), x| (low.min(*x), high.max(*x)));
        let bins = view.options.bins;
        let step = (high - low) / bins as f64;
        let count = |ratios: &[f64]| {
            let mut counts = vec![0_u32; bins];
            ratios.iter().for_each(|x| counts[(((x - low) / step) as usize).min(bins - 1)] += 1);
            counts
        };
        let (normals, tangentials) = (count(&normal), count(&tangential));
        let eta = view.frame.force_error;
        let density = |count: u32, total: usize| match total {
            0 => 0.0,
            _ => f64::from(count) / (total as f64 * step),
        };
        let row = |k: usize| {
            let edge = low + k as f64 * step;
            vec![
                edge + 0.5 * step,
                density(normals[k], normal.len()),
                density(tangentials[k], tangential.len()),
                f64::from(normals[k]),
                f64::from(tangentials[k]),
                f64::from(u8::from(edge >= eta)),
                eta,
            ]
        };
        Ok((0..bins).map(row).collect())
    }

    fn is_row(&self) -> bool {
        false
    }
}
