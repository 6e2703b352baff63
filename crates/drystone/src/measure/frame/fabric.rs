//! Fabric.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::tensor::Tensor;
use crate::measure::vector::{dot, norm, sub};

/// Fabric tensors of the contacts between grains in the region [Satake; RadjaiWeak].
///
/// Contacts: F = mean of n n. Normal forces: mean of f n n over the mean of f. Branches: mean of l n n over the mean
/// of l, with the distance l of the centres. Each has trace 1. Anisotropy: a = 2 (F1 - F2) in the plane, from the
/// density of directions (1 + a cos 2(theta - theta0)) / 2 pi, and a = 5/2 (F1 - F3) in space, from (1 + a (3 cos^2
/// theta - 1)) / 4 pi.
pub(crate) struct Fabric;

const NAMES: [&str; 3] = ["contact", "force", "branch"];

impl FrameMeasure for Fabric {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let tensors = NAMES.iter().flat_map(|name| Tensor::columns(view.axes(), &format!("{name}_fabric"), "1"));
        tensors.chain(NAMES.iter().map(|name| Column::new(format!("{name}_anisotropy"), "1"))).collect()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let (contacts, d) = (&view.frame.contacts, view.dimension());
        let links = view.contact_forces_in(&view.region()?);
        let mut sums = [(0.0, Tensor::default()); 3];
        for link in links.iter().filter(|link| link.a.is_some()) {
            let normal = contacts.normal[link.contact];
            let branch = norm(sub(contacts.to[link.contact], contacts.from[link.contact]));
            for ((sum, tensor), weight) in sums.iter_mut().zip([1.0, dot(link.force, normal), branch]) {
                *sum += weight;
                tensor.add_dyad(weight, normal, normal);
            }
        }
        if sums[0].0 == 0.0 {
            return Err(Nothing::Contacts);
        }
        let fabrics = sums.map(|(sum, tensor)| tensor.times(1.0 / sum));
        let scale = if d == 2 { 2.0 } else { 2.5 };
        let anisotropy = |fabric: &Tensor| {
            let principal = fabric.principal(d);
            scale * (principal[0] - principal[d - 1])
        };
        let row = fabrics.iter().flat_map(|fabric| fabric.entries(d)).chain(fabrics.iter().map(anisotropy));
        Ok(vec![row.collect()])
    }
}
