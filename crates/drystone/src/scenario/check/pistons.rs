//! Checks of walls that forces drive: only planes with a mass are pistons, and pressures need an area.

use crate::dim::{Dim, Vector};
use crate::drive::{Drive, PressedArea};
use crate::input::{Node, Placed, Reader, Span, Value, nearest};
use crate::scenario::WallSpec;
use crate::scenario::schema::stage::WallDrives;
use crate::wall::{Plane, Surface};

/// Largest cosine at which walls count as perpendicular; one minus it is the least at which they count as parallel.
/// Directions are written with a few digits, and the resulting area is wrong by at most the square of the angle.
const SQUARE: f64 = 1e-6;

/// Reports masses and forces on walls that are not planes, forces without a mass, and areas between the wrong walls.
pub(in crate::scenario) fn check<D: Dim>(tree: &Node, reader: &Reader) {
    let scratch = Reader::new(reader.folder.clone());
    let nodes = tree.get("wall").map_or(&[][..], Node::items);
    let walls: Vec<WallSpec<D>> = nodes.iter().filter_map(|node| WallSpec::read(node, &scratch)).collect();
    for node in nodes {
        let Some(wall) = WallSpec::<D>::read(node, &scratch) else { continue };
        if let (Some(mass), false) = (node.get("mass"), matches!(&*wall.surface, Surface::Plane(_))) {
            let message = format!("the wall \"{}\" is not a plane, and cannot have a mass", wall.name.value);
            reader.mistake::<()>("E015", &mass.at, message, ONLY_PLANES);
        } else if let Some(drive) = node.get("drive") {
            Piston { wall: &wall, walls: &walls, at: &drive.at, reader }.check(&wall.drive);
        }
    }
    for drives in tree.get("stage").map_or(&[][..], Node::items).iter().filter_map(|stage| stage.get("drive")) {
        for (name, drive) in WallDrives::<D>::read(drives, &scratch).map_or_else(Vec::new, |drives| drives.0) {
            let wall = walls.iter().find(|wall| wall.name.value == name.value);
            if let (Some(wall), Some(node)) = (wall, drives.get(&name.value)) {
                Piston { wall, walls: &walls, at: &node.at, reader }.check(&drive);
            }
        }
    }
}

const ONLY_PLANES: &str = "a piston is a wall of kind = \"plane\": it moves along its normal";

/// A wall that may be driven by a force.
struct Piston<'a, D: Dim> {
    wall: &'a WallSpec<D>,
    walls: &'a [WallSpec<D>],
    /// Place of its drive in the scenario.
    at: &'a Span,
    reader: &'a Reader,
}

impl<D: Dim> Piston<'_, D> {
    fn check(&self, drive: &Drive<D>) {
        let what = match drive {
            Drive::Still(_) | Drive::Velocity(_) | Drive::Acceleration(_) => return,
            Drive::Spin(_) => return self.check_spin(),
            Drive::Membrane(_) => return self.check_membrane(),
            Drive::Force(_) => "a force",
            Drive::Pressure(_) => "a pressure",
        };
        let name = &self.wall.name.value;
        let Surface::Plane(plane) = &*self.wall.surface else {
            return self.refuse(
                "E015",
                format!("{what} cannot drive the wall \"{name}\": it is not a plane"),
                ONLY_PLANES,
            );
        };
        if self.wall.mass.is_none() {
            let help = format!("add mass = \"1 kg\" to the [[wall]] \"{name}\": how heavy the piston is");
            self.refuse("E015", format!("{what} drives the wall \"{name}\", which has no mass"), &help);
        }
        if let Drive::Pressure(press) = drive
            && let PressedArea::Between(sides) = &*press.extent
        {
            self.check_sides(plane, &sides.between.0);
        }
    }

    /// A membrane takes the place of the side of a cylinder (3D) or of a plane (2D), between two plates.
    fn check_membrane(&self) {
        let name = &self.wall.name.value;
        let axis = match &*self.wall.surface {
            Surface::Cylinder(cylinder) if D::DIMENSION == 3 => cylinder.direction(),
            Surface::Plane(plane) if D::DIMENSION == 2 => D::tangents(plane.normal.0)[0],
            _ if D::DIMENSION == 3 => {
                let message = format!("the wall \"{name}\" is not a cylinder: a membrane replaces a cylinder");
                return self.refuse("E015", message, "write kind = \"cylinder\", as wide as the sample");
            }
            _ => {
                let message = format!("the wall \"{name}\" is not a plane: in the plane a membrane replaces one");
                return self.refuse("E015", message, "write kind = \"plane\", at the side of the sample");
            }
        };
        let faces = |sign: f64| {
            let is_plate = |wall: &&WallSpec<D>| match &*wall.surface {
                Surface::Plane(plane) => plane.normal.0.dot(axis) * sign > 1.0 - SQUARE,
                _ => false,
            };
            self.walls.iter().any(|wall| is_plate(&wall))
        };
        if !faces(1.0) || !faces(-1.0) {
            let message = format!("the membrane \"{name}\" has no ends: it needs a plate at either end");
            self.refuse("E005", message, "add two walls of kind = \"plane\" across it, which face each other");
        }
    }

    /// Only a surface of revolution can spin and keep its place.
    fn check_spin(&self) {
        if let Surface::Mesh(mesh) = &*self.wall.surface
            && mesh.axis.is_none()
        {
            let message = format!("the wall \"{}\" has no axis to spin about", self.wall.name.value);
            self.refuse(
                "E015",
                message,
                "add centre = [0, 0, 0], a point of its axis, and axis = [0, 0, 1] to the [[wall]]",
            );
        } else if self.wall.surface.axis().is_none() {
            let message = format!("the wall \"{}\" is not a cylinder, and cannot spin", self.wall.name.value);
            self.refuse(
                "E015",
                message,
                "write kind = \"cylinder\", or velocity = [..]: a plane that moves along itself is a belt",
            );
        }
    }

    /// The walls of each pair must face each other, and all must be perpendicular to the piston and to the other pairs.
    fn check_sides(&self, piston: &Plane<D>, pairs: &[[Placed<String>; 2]]) {
        let mut across = vec![(piston.normal.0, &self.wall.name.value)];
        for [one, other] in pairs {
            let (Some(first), Some(second)) = (self.plane(one), self.plane(other)) else { return };
            let (names, normal) = (format!("\"{}\" and \"{}\"", one.value, other.value), first.normal.0);
            let faces = normal.dot(second.normal.0) < SQUARE - 1.0;
            if !faces || (second.point.0 - first.point.0).dot(normal) <= 0.0 {
                let help = "name two parallel planes whose normals point to each other";
                return self.refuse("E015", format!("the walls {names} do not face each other"), help);
            }
            if let Some((_, upright)) = across.iter().find(|(other, _)| normal.dot(*other).abs() > SQUARE) {
                let message = format!("the walls {names} are not perpendicular to \"{upright}\"");
                return self.refuse("E015", message, "give the area by hand: area = \"100 cm2\"");
            }
            across.push((normal, &one.value));
        }
    }

    fn plane(&self, name: &Placed<String>) -> Option<&Plane<D>> {
        let Some(wall) = self.walls.iter().find(|wall| wall.name.value == name.value) else {
            let known: Vec<&str> = self.walls.iter().map(|wall| wall.name.as_str()).collect();
            let help = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("walls: {}", known.join(", ")),
            };
            return self.reader.mistake("E006", &name.at, format!("there is no wall \"{}\"", name.value), help);
        };
        match &*wall.surface {
            Surface::Plane(plane) => Some(plane),
            _ => {
                let message = format!("the wall \"{}\" is not a plane: there is no distance to it", name.value);
                self.reader.mistake("E015", &name.at, message, "name planes, or give the area: area = \"100 cm2\"")
            }
        }
    }

    fn refuse(&self, code: &'static str, message: String, help: &str) {
        self.reader.mistake::<()>(code, self.at, message, help);
    }
}
