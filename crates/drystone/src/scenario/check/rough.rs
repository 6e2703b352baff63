//! Checks of rough planes: which grains and laws support bumps, and whether these fit the periodic cell.

use crate::dim::{Dim, Vector};
use crate::input::{Node, Reader, Span, Value};
use crate::method::Kind;
use crate::scenario::WallSpec;
use crate::scenario::check::scratch;
use crate::scenario::schema::cell::{CellSpec, number};
use crate::scenario::schema::grains::{GrainGroup, GrainShape};
use crate::wall::{Plane, Rough, Surface};

/// Largest misfit between the last bump of a cell and the periodic image of the first, over their spacing: lengths are
/// written with a few digits, and added.
const WHOLE: f64 = 1e-9;

/// Where the bumps of a wall stand in the scenario.
pub(super) fn place<D: Dim>(tree: &Node, wall: &WallSpec<D>) -> Span {
    let walls = tree.get("wall").map_or(&[][..], Node::items);
    let rough = walls.iter().find(|node| node.at.range == wall.span.range).and_then(|node| node.get("rough"));
    rough.map_or_else(|| wall.span.clone(), |node| node.at.clone())
}

/// Where mistakes are noted, and by whom.
struct Place<'p> {
    at: &'p Span,
    reader: &'p Reader,
}

/// Reports rough planes beside grains that bumps would touch between their corners, laws that a rough piston does not
/// support, and rows of bumps that do not fit the periodic cell.
pub(in crate::scenario) fn check<D: Dim>(
    tree: &Node,
    method: Kind,
    groups: &[GrainGroup<D>],
    walls: &[WallSpec<D>],
    reader: &Reader,
) {
    let cell = tree.get("cell").and_then(|node| CellSpec::<D>::read(node, &scratch(reader)));
    for wall in walls {
        let Surface::Plane(plane) = &*wall.surface else { continue };
        let Some(rough) = &plane.rough else { continue };
        let is_angular = |group: &GrainGroup<D>| {
            let is_stone = !group.shape.is_round() && group.shape.clump::<D>(1.0).is_none();
            is_stone || matches!(group.shape, GrainShape::Capsule(_))
        };
        if groups.iter().any(is_angular) || tree.get("build").is_some() {
            let message = "stones and capsules cannot touch bumps, which would meet them between their corners or ends";
            let help = "take disks, spheres or clumps of them, or leave `rough` out";
            reader.mistake::<()>("E042", &place(tree, wall), message, help);
        }
        if wall.mass.is_some() && method == Kind::Cd {
            check_laws(wall, tree, reader);
        }
        if let Some(cell) = &cell {
            check_rows(plane, rough, cell, &Place { at: &place(tree, wall), reader });
        }
    }
}

/// A bump that is pushed aside moves a rigid piston along its guide. This couples normal and tangential forces, which
/// rolling friction and cohesion do not support.
fn check_laws<D: Dim>(wall: &WallSpec<D>, tree: &Node, reader: &Reader) {
    for contact in tree.get("contact").map_or(&[][..], Node::items) {
        let between = contact.get("between").map_or(&[][..], Node::items);
        let names = between.iter().filter_map(|node| String::read(node, &scratch(reader)));
        if !names.into_iter().any(|name| name == wall.material.value) {
            continue;
        }
        for law in ["cohesion", "rolling", "torsion"].iter().filter_map(|key| contact.get(key)) {
            let message = format!("`{}` is beyond the rough piston \"{}\"", law.path, wall.name.value);
            let help = "give the plate a material of its own, and leave it out there; or drive the plate by a velocity";
            reader.mistake::<()>("E015", &law.at, message, help);
        }
    }
}

fn check_rows<D: Dim>(plane: &Plane<D>, rough: &Rough, cell: &CellSpec<D>, Place { at, reader }: &Place) {
    for axis in cell.periodic.iter().map(|axis| number(axis.value)).filter(|axis| *axis < D::DIMENSION) {
        let bumps = (cell.max.0.get(axis) - cell.min.0.get(axis)) / *rough.spacing;
        let is_along = |tangent: &D::Vec| tangent.get(axis).abs() == 1.0;
        if (bumps - bumps.round()).abs() > WHOLE * bumps || !D::tangents(plane.normal.0).iter().any(is_along) {
            let message = format!("the cell holds {bumps} bumps along {}: their row does not repeat", D::AXES[axis]);
            let help = "choose a spacing that goes into the length of the cell, on a plane across an axis";
            reader.mistake::<()>("E043", at, message, help);
        }
        if let Some(stretch) = &cell.drive.stretch {
            let message = "bumps keep their distance, and a cell that grows or shrinks does not";
            reader.mistake::<()>("E043", &stretch.span, message, "leave `stretch` out, or `rough`");
        }
    }
}
