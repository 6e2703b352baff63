//! Solid fraction.

use super::frame::cover::volume_in;
use super::frame::grid::Grid;
use super::frame::solid_volume::solid_volume;
use super::frame::{FrameMeasure, FrameRegion, FrameView, Nothing};
use super::vector::add;
use super::{Column, Measure};
use crate::dim::{Dim, Vector, in_space};
use crate::shape::Shape;
use crate::world::World;

/// Volume of all grains inside the region over the volume of the region; grains that its faces cut count with the
/// part that lies inside, and so do images of grains that lie across the border of a periodic cell. Fixed grains
/// count too: they fill space. Overlaps count twice.
///
/// Grains that deform count with the volume that they had when they were placed, within the box around them as they
/// are.
///
/// Of a world the region is the axis-parallel box around the grains that can move, which along an axis with images is
/// as long as the cell. Fixed polyhedra and clumps are left out: the part of one in a box is not known.
pub(crate) struct SolidFraction;

impl<D: Dim> Measure<D> for SolidFraction {
    fn columns(&self) -> Vec<Column> {
        vec![Column::new("solid_fraction", "1")]
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        vec![solid_fraction(world)]
    }
}

impl FrameMeasure for SolidFraction {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let mut columns = Grid::columns(view);
        columns.push(Column::new("solid_fraction", "1"));
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the solid fraction")?;
        let grid = Grid::of(view)?;
        Ok(grid.rows(view, |cell, _| vec![solid_volume(view, cell) / cell.volume(view.setting.depth)]))
    }

    fn cells(&self, view: &FrameView) -> Result<Option<Grid>, Nothing> {
        view.options.cells.map(|_| Grid::of(view)).transpose()
    }
}

/// Length in the third direction of what is in the plane [m]; 1 in space.
pub(crate) fn depth<D: Dim>(world: &World<D>) -> f64 {
    if D::DIMENSION == 2 { world.setup.depth } else { 1.0 }
}

/// Volume of the grains over the space that those that can move stand in; zero if none can.
pub(crate) fn solid_fraction<D: Dim>(world: &World<D>) -> f64 {
    let Some(region) = occupied_region(world) else { return 0.0 };
    let depth = depth(world);
    let volume = world.free_grains().fold(0.0, |sum, k| sum + world.bodies.volume(k, depth));
    (volume + fixed_volume(world, &region)) / region.volume(depth)
}

/// Corners of a polygon or polyhedron where they are [m].
fn corners<D: Dim>(world: &World<D>, body: usize) -> Option<Vec<[f64; 3]>> {
    let Shape::Stone(stone) = world.bodies.shape[body] else { return None };
    let (place, turned) = (world.home_place(body), D::rotation(world.bodies.pose[body].q));
    let corners = world.bodies.outlines[stone.outline as usize].corners.iter();
    Some(corners.map(|corner| in_space(place + turned(*corner))).collect())
}

/// The axis-parallel box around the grains that can move, which along an axis with images is as long as the cell; none
/// without such grains.
pub(crate) fn occupied_region<D: Dim>(world: &World<D>) -> Option<FrameRegion> {
    world.free_grains().next()?;
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for k in world.free_grains() {
        let (place, radius, corners) = (world.home_place(k), world.bodies.shape[k].radius(), corners(world, k));
        for axis in 0..D::DIMENSION {
            let ends = match &corners {
                Some(corners) => corners.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], corner| {
                    [low.min(corner[axis]), high.max(corner[axis])]
                }),
                None => {
                    let along = D::Vec::from_fn(|k| if k == axis { 1.0 } else { 0.0 });
                    let reach = world.bodies.strains.as_ref().map_or(radius, |_| world.bodies.radius_along(k, along));
                    [place.get(axis) - reach, place.get(axis) + reach]
                }
            };
            (min[axis], max[axis]) = (min[axis].min(ends[0]), max[axis].max(ends[1]));
        }
    }
    if let Some(cell) = &world.cell {
        for axis in cell.axes() {
            min[axis] = cell.origin.get(axis);
            max[axis] = cell.origin.get(axis) + cell.lengths.get(axis);
        }
    }
    Some(FrameRegion { dimension: D::DIMENSION, min, max })
}

/// Volume of disks, polygons and spheres that are held in place, as far as they lie in a region [m3].
fn fixed_volume<D: Dim>(world: &World<D>, region: &FrameRegion) -> f64 {
    let is_known = |k: &usize| match world.bodies.shape[*k] {
        Shape::Round(_) => true,
        Shape::Stone(_) => D::DIMENSION == 2,
        Shape::Clump(_) | Shape::Wall => false,
    };
    let fixed = world.grains().filter(|k| !world.bodies.inertia[*k].is_movable()).filter(is_known);
    let volume = |k: usize| {
        let (place, radius, corners) = (world.home_place(k), world.bodies.shape[k].radius(), corners(world, k));
        let mut shifts = vec![[0.0; 3]];
        if let Some(cell) = &world.cell {
            cell.around(place, radius, |image, _| shifts.push(in_space(cell.shift(image))));
        }
        let part = |shift: [f64; 3]| {
            let corners: Option<Vec<[f64; 3]>> =
                corners.as_ref().map(|corners| corners.iter().map(|corner| add(*corner, shift)).collect());
            volume_in(region, depth(world), add(in_space(place), shift), radius, corners.as_deref())
        };
        shifts.into_iter().map(part).sum::<f64>()
    };
    fixed.map(volume).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use glam::DVec2;

    fn of(world: &World<D2>) -> f64 {
        SolidFraction.sample(world)[0]
    }

    #[test]
    fn disks_on_a_square_lattice_fill_pi_over_four() {
        let mut world = World::<D2>::default();
        assert_eq!(of(&world), 0.0, "there is no grain");
        world.setup.depth = 0.3;
        for id in 0..16 {
            let x = DVec2::new(f64::from(id % 4), f64::from(id / 4)) * 2.0;
            world.bodies.push_round(x, 1.0, 1.0, 0.3, id);
        }
        assert!((of(&world) - std::f64::consts::PI / 4.0).abs() < 1e-14);
        // the corner disks become part of the boundary: the box stays, and they still fill it
        for corner in [0, 3, 12, 15] {
            world.bodies.inertia[corner] = crate::body::Inertia::IMMOVABLE;
        }
        assert!((of(&world) - std::f64::consts::PI / 4.0).abs() < 1e-13, "{}", of(&world));
    }
}
