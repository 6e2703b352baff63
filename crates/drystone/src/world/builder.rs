//! Worlds built by a program: materials, contact laws, walls and grains, without a scenario.
//!
//! ```
//! use drystone::d2::World;
//! use drystone::law::Pair;
//! use drystone::world::{Grain, Wall};
//!
//! let world = World::builder()
//!     .gravity([0.0, -9.81])
//!     .material("sand", 2650.0)
//!     .contact("sand", "sand", Pair::with_friction(0.5))
//!     .wall(Wall::plane("floor", [0.0, 0.0], [0.0, 1.0]))
//!     .grains((0..10).map(|k| Grain::disk(0.01).at([0.0, 0.01 + 0.02 * f64::from(k)])))
//!     .build()?;
//! assert_eq!(world.grains().len(), 10);
//! # Ok::<(), drystone::world::BuildError>(())
//! ```

use std::fmt;

use super::World;
use crate::body::Inertia;
use crate::cell::Cell;
use crate::dim::{D2, D3, Dim, Vector};
use crate::drive::{Drive, Signal};
use crate::input::quantity::Components;
use crate::law::{Laws, Pair};
use crate::link::Links;
use crate::shape::{Clump, Polygon, Polyhedron};
use crate::wall::{Cuboid, Plane, Surface};

/// A wall to build: fixed, and of the first material, unless something else is said.
#[derive(Clone, Debug)]
pub struct Wall<D: Dim> {
    name: String,
    surface: Surface<D>,
    material: Option<String>,
    drive: Drive<D>,
    mass: Option<f64>,
}

impl<D: Dim> Wall<D> {
    /// A wall with this surface.
    pub fn new(name: &str, surface: Surface<D>) -> Wall<D> {
        Wall { name: name.to_string(), surface, material: None, drive: Drive::FIXED, mass: None }
    }

    /// A plane through a point; grains stay on the side that the normal points to. The normal may have any length.
    pub fn plane(name: &str, point: impl Into<D::Vec>, normal: impl Into<D::Vec>) -> Wall<D> {
        Wall::new(name, Surface::Plane(Plane::new(point.into(), normal.into())))
    }

    /// The inside of a box.
    pub fn cuboid(name: &str, min: impl Into<D::Vec>, max: impl Into<D::Vec>) -> Wall<D> {
        Wall::new(name, Surface::Cuboid(Cuboid::new(min.into(), max.into())))
    }

    /// Of this material.
    pub fn material(self, name: &str) -> Wall<D> {
        Wall { material: Some(name.to_string()), ..self }
    }

    /// Moved by this drive.
    pub fn drive(self, drive: Drive<D>) -> Wall<D> {
        Wall { drive, ..self }
    }

    /// Moved with a constant velocity [m/s].
    pub fn velocity(self, velocity: impl Into<D::Vec>) -> Wall<D> {
        self.drive(Drive::Velocity(Signal::Constant(Components(velocity.into()))))
    }

    /// With a mass [kg], so that forces and pressures can drive it.
    pub fn mass(self, mass: f64) -> Wall<D> {
        Wall { mass: Some(mass), ..self }
    }
}

/// The shape of a grain to build.
#[derive(Clone, Debug)]
enum Form {
    Round(f64),
    Polygon(Polygon),
    Polyhedron(Polyhedron),
    Clump(Clump),
}

/// A grain to build: at rest at the origin, and of the first material, unless something else is said.
#[derive(Clone, Debug)]
pub struct Grain<D: Dim> {
    form: Form,
    material: Option<String>,
    x: D::Vec,
    v: D::Vec,
    w: D::Spin,
    is_fixed: bool,
    turns: bool,
    name: Option<String>,
}

impl Grain<D2> {
    /// A disk [m].
    pub fn disk(radius: f64) -> Grain<D2> {
        Grain::round(radius)
    }

    /// A convex polygon; [`Grain::at`] says where its centre of mass is.
    pub fn polygon(polygon: Polygon) -> Grain<D2> {
        Grain::of(Form::Polygon(polygon))
    }
}

impl Grain<D3> {
    /// A sphere [m].
    pub fn sphere(radius: f64) -> Grain<D3> {
        Grain::round(radius)
    }

    /// A convex polyhedron; [`Grain::at`] says where its centre of mass is.
    pub fn polyhedron(polyhedron: Polyhedron) -> Grain<D3> {
        Grain::of(Form::Polyhedron(polyhedron))
    }
}

impl<D: Dim> Grain<D> {
    fn of(form: Form) -> Grain<D> {
        let (x, v, w) = (D::Vec::ZERO, D::Vec::ZERO, D::Spin::ZERO);
        Grain { form, material: None, x, v, w, is_fixed: false, turns: true, name: None }
    }

    /// A disk or a sphere [m].
    pub fn round(radius: f64) -> Grain<D> {
        Grain::of(Form::Round(radius))
    }

    /// A clump of round bodies, or a capsule; [`Grain::at`] says where its centre of mass is.
    pub fn clump(clump: Clump) -> Grain<D> {
        Grain::of(Form::Clump(clump))
    }

    /// Of this material.
    pub fn material(self, name: &str) -> Grain<D> {
        Grain { material: Some(name.to_string()), ..self }
    }

    /// Where its centre is [m].
    pub fn at(self, x: impl Into<D::Vec>) -> Grain<D> {
        Grain { x: x.into(), ..self }
    }

    /// How its centre moves [m/s].
    pub fn velocity(self, v: impl Into<D::Vec>) -> Grain<D> {
        Grain { v: v.into(), ..self }
    }

    /// How it turns [rad/s].
    pub fn angular_velocity(self, w: impl Into<D::Spin>) -> Grain<D> {
        Grain { w: w.into(), ..self }
    }

    /// Held in place.
    pub fn fixed(self) -> Grain<D> {
        Grain { is_fixed: true, ..self }
    }

    /// Not free to turn: a block that slides.
    pub fn without_turning(self) -> Grain<D> {
        Grain { turns: false, ..self }
    }

    /// With a name for messages and [`World::body_of_name`].
    pub fn named(self, name: &str) -> Grain<D> {
        Grain { name: Some(name.to_string()), ..self }
    }
}

/// Why a world cannot be built.
#[derive(Clone, Debug, PartialEq)]
pub enum BuildError {
    /// There is no material at all.
    NoMaterial,
    /// A grain, a wall or a contact law names a material that was not added.
    UnknownMaterial(String),
    /// Two materials that can meet have no contact law.
    NoContact(String, String),
    /// A number is not finite, or not positive where it must be: what it is, and the number.
    WrongNumber(&'static str, f64),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NoMaterial => f.write_str("a world needs a material: add .material(\"sand\", 2650.0)"),
            BuildError::UnknownMaterial(name) => {
                write!(f, "there is no material \"{name}\": add .material(\"{name}\", 2650.0)")
            }
            BuildError::NoContact(one, other) => {
                write!(f, "no law holds between \"{one}\" and \"{other}\": ")?;
                write!(f, "add .contact(\"{one}\", \"{other}\", Pair::with_friction(0.5))")
            }
            BuildError::WrongNumber(what, number) => write!(f, "{what} cannot be {number}"),
        }
    }
}

impl std::error::Error for BuildError {}

struct Material {
    name: String,
    density: f64,
}

struct ContactLaw {
    between: [String; 2],
    pair: Pair,
}

/// Puts a world together; made by [`World::builder`].
pub struct WorldBuilder<D: Dim> {
    gravity: D::Vec,
    depth: f64,
    seed: u64,
    cell: Option<Cell<D>>,
    links: Links<D>,
    materials: Vec<Material>,
    contacts: Vec<ContactLaw>,
    walls: Vec<Wall<D>>,
    grains: Vec<Grain<D>>,
}

impl<D: Dim> World<D> {
    /// A world to be put together: no gravity, 2D bodies 1 m long in the third direction, nothing in it.
    pub fn builder() -> WorldBuilder<D> {
        WorldBuilder {
            gravity: D::Vec::ZERO,
            depth: 1.0,
            seed: 0,
            cell: None,
            links: Links::default(),
            materials: Vec::new(),
            contacts: Vec::new(),
            walls: Vec::new(),
            grains: Vec::new(),
        }
    }

    /// The body of the grain with this name.
    pub fn body_of_name(&self, name: &str) -> Option<usize> {
        let (id, _) = self.setup.names.iter().find(|(_, known)| known == name)?;
        self.body_of(*id)
    }
}

impl<D: Dim> WorldBuilder<D> {
    /// Acceleration of gravity [m/s2].
    pub fn gravity(self, gravity: impl Into<D::Vec>) -> Self {
        WorldBuilder { gravity: gravity.into(), ..self }
    }

    /// Length of 2D bodies in the third direction [m].
    pub fn depth(self, depth: f64) -> Self {
        WorldBuilder { depth, ..self }
    }

    /// Seed of the random numbers of methods.
    pub fn seed(self, seed: u64) -> Self {
        WorldBuilder { seed, ..self }
    }

    /// A periodic cell.
    pub fn cell(self, cell: Cell<D>) -> Self {
        WorldBuilder { cell: Some(cell), ..self }
    }

    /// Rods, joints and springs, for the differential-algebraic method. Walls have the first numbers of bodies, grains
    /// follow, each in the order in which they were added.
    pub fn links(self, links: Links<D>) -> Self {
        WorldBuilder { links, ..self }
    }

    /// A material and its density [kg/m3]. Grains and walls are of the first one unless they say otherwise.
    pub fn material(mut self, name: &str, density: f64) -> Self {
        self.materials.push(Material { name: name.to_string(), density });
        self
    }

    /// The contact law between two materials, or within one.
    pub fn contact(mut self, one: &str, other: &str, pair: Pair) -> Self {
        self.contacts.push(ContactLaw { between: [one.to_string(), other.to_string()], pair });
        self
    }

    /// A wall.
    pub fn wall(mut self, wall: Wall<D>) -> Self {
        self.walls.push(wall);
        self
    }

    /// A grain.
    pub fn grain(mut self, grain: Grain<D>) -> Self {
        self.grains.push(grain);
        self
    }

    /// Several grains.
    pub fn grains(mut self, grains: impl IntoIterator<Item = Grain<D>>) -> Self {
        self.grains.extend(grains);
        self
    }

    /// The world, or what is wrong. Grains have the numbers 0, 1, ... in the order in which they were added.
    pub fn build(self) -> Result<World<D>, BuildError> {
        self.check_numbers()?;
        let mut world = World::new(self.laws()?);
        (world.setup.depth, world.setup.seed) = (self.depth, self.seed);
        world.state.gravity = self.gravity;
        for wall in &self.walls {
            let material = self.material_number(wall.material.as_deref())?;
            world.push_wall(&wall.name, wall.surface.clone(), material as u16, wall.drive.clone(), wall.mass);
        }
        for (id, grain) in self.grains.iter().enumerate() {
            self.push(&mut world, grain, id as u32)?;
        }
        world.state.cell = self.cell;
        world.setup.links = self.links;
        Ok(world)
    }

    fn push(&self, world: &mut World<D>, grain: &Grain<D>, id: u32) -> Result<(), BuildError> {
        let material = self.material_number(grain.material.as_deref())?;
        let density = self.materials[material].density;
        let bodies = &mut world.state.bodies;
        let body = match &grain.form {
            Form::Round(radius) => bodies.push_round(grain.x, *radius, density, self.depth, id),
            Form::Polygon(polygon) => bodies.push_polygon(grain.x, polygon, density, self.depth, id),
            Form::Polyhedron(polyhedron) => bodies.push_polyhedron(grain.x, polyhedron, density, id),
            Form::Clump(clump) => bodies.push_clump(grain.x, clump, density, self.depth, id),
        };
        bodies.material[body] = material as u16;
        if grain.is_fixed {
            bodies.inertia[body] = Inertia::IMMOVABLE;
        } else {
            (bodies.twist[body].v, bodies.twist[body].w) = (grain.v, grain.w);
            if !grain.turns {
                bodies.inertia[body].inv_i = D::Moments::ZERO;
            }
        }
        world.setup.names.extend(grain.name.iter().map(|name| (id, name.clone())));
        Ok(())
    }

    fn material_number(&self, name: Option<&str>) -> Result<usize, BuildError> {
        match name {
            None => (!self.materials.is_empty()).then_some(0).ok_or(BuildError::NoMaterial),
            Some(name) => {
                let found = self.materials.iter().position(|material| material.name == name);
                found.ok_or_else(|| BuildError::UnknownMaterial(name.to_string()))
            }
        }
    }

    /// The table of laws: every pair of materials has one, because any two grains can meet.
    fn laws(&self) -> Result<Laws, BuildError> {
        for name in self.contacts.iter().flat_map(|contact| &contact.between) {
            self.material_number(Some(name))?;
        }
        let find = |one: &str, other: &str| {
            let is_it = |[a, b]: &[String; 2]| (a == one && b == other) || (a == other && b == one);
            self.contacts.iter().rfind(|contact| is_it(&contact.between))
        };
        for (k, one) in self.materials.iter().enumerate() {
            for other in &self.materials[k..] {
                if find(&one.name, &other.name).is_none() {
                    return Err(BuildError::NoContact(one.name.clone(), other.name.clone()));
                }
            }
        }
        Ok(Laws::new(self.materials.len(), |a, b| {
            let found = find(&self.materials[a].name, &self.materials[b].name);
            found.expect("every pair was found above").pair.clone()
        }))
    }

    fn check_numbers(&self) -> Result<(), BuildError> {
        let positive = |what, x: f64| {
            if x.is_finite() && x > 0.0 { Ok(()) } else { Err(BuildError::WrongNumber(what, x)) }
        };
        let finite = |what, v: f64| if v.is_finite() { Ok(()) } else { Err(BuildError::WrongNumber(what, v)) };
        positive("the depth", self.depth)?;
        finite("gravity", self.gravity.norm())?;
        self.materials.iter().try_for_each(|material| positive("a density", material.density))?;
        self.walls.iter().filter_map(|wall| wall.mass).try_for_each(|mass| positive("the mass of a wall", mass))?;
        for grain in &self.grains {
            if let Form::Round(radius) = grain.form {
                positive("a radius", radius)?;
            }
            finite("a position", grain.x.norm())?;
            finite("a velocity", grain.v.norm() + grain.w.norm())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Regime;
    use glam::DVec3;
    use std::f64::consts::PI;

    fn two_materials() -> WorldBuilder<D3> {
        World::<D3>::builder()
            .material("glass", 2500.0)
            .material("steel", 7800.0)
            .contact("glass", "glass", Pair::with_friction(0.1))
            .contact("steel", "glass", Pair::with_friction(0.2))
            .contact("steel", "steel", Pair::with_friction(0.3))
    }

    #[test]
    fn grains_have_mass_material_and_motion() {
        let builder = two_materials()
            .wall(Wall::cuboid("box", [0.0; 3], [1.0; 3]).material("steel"))
            .grain(Grain::sphere(0.1).at([0.5; 3]))
            .grain(Grain::sphere(0.1).at([0.2; 3]).material("steel").velocity([1.0, 0.0, 0.0]).named("shot"))
            .grain(Grain::sphere(0.1).at([0.8; 3]).velocity([1.0, 0.0, 0.0]).fixed());
        let world = builder.build().unwrap();
        let shot = world.body_of_name("shot").unwrap();
        assert_eq!((world.grains(), shot), (1..4, 2));
        assert!((world.bodies.inertia[shot].mass() - 7800.0 * 4.0 / 3.0 * PI * 1e-3).abs() < 1e-12);
        assert_eq!(world.bodies.material, [1, 0, 1, 0]);
        assert_eq!(world.bodies.twist[shot].v, DVec3::X);
        assert!(!world.bodies.inertia[3].is_movable() && world.bodies.twist[3].v == DVec3::ZERO);
        assert_eq!(world.setup.laws.between(0, 1).friction.coefficient(Regime::Stick, 0.0), 0.2);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |builder: WorldBuilder<D3>| builder.build().err().unwrap();
        let builder = World::<D3>::builder;
        assert_eq!(wrong(builder().grain(Grain::sphere(0.1))), BuildError::NoMaterial);
        let lead = two_materials().grain(Grain::sphere(0.1).material("lead"));
        assert_eq!(wrong(lead), BuildError::UnknownMaterial("lead".into()));
        let no_law = BuildError::NoContact("clay".into(), "clay".into());
        assert_eq!(wrong(builder().material("clay", 2000.0)), no_law);
        assert_eq!(wrong(two_materials().grain(Grain::sphere(-0.1))), BuildError::WrongNumber("a radius", -0.1));
        assert!(matches!(wrong(two_materials().material("dust", f64::NAN)), BuildError::WrongNumber("a density", _)));
    }
}
