//! What cases of differential-algebraic mechanics are built of: a world of one material, and the method that moves it.

use drystone::body::{Inertia, Twist};
use drystone::dim::{Dim, Vector};
use drystone::drive::Drive;
use drystone::input::quantity::{Components, UnitVector};
use drystone::input::{Node, Reader, Text, Value};
use drystone::law::{Laws, Pair};
use drystone::link::{Anchor, Constraint, Spring};
use drystone::method::Method;
use drystone::method::dae::{Dae, DaeOptions};
use drystone::shape::{Round, Shape};
use drystone::wall::{Plane, Surface};
use drystone::world::World;

/// A world with constraints, and its method once it moves.
pub(super) struct Constrained<D: Dim> {
    pub world: World<D>,
    options: DaeOptions,
    method: Option<Dae<D>>,
}

/// Elastic grains without friction, where contacts do not matter.
pub(super) const SMOOTH: &str = "friction = 0, md = { normal = { law = \"hooke\", stiffness = 1e4, damping = 0 } }";

impl<D: Dim> Constrained<D> {
    /// An empty world without gravity. `options` are those of [method.dae], without the outer brackets.
    pub(super) fn new(law: &str, options: &str) -> Constrained<D> {
        let pair: Pair = read(&format!("{{ {law} }}"));
        let laws = Laws::new(1, |_, _| pair.clone());
        let world = World::new(laws);
        Constrained { world, options: read(&format!("{{ {options} }}")), method: None }
    }

    /// Adds a plane that moves with a drive as a scenario writes it; before any grain.
    pub(super) fn plane(&mut self, point: D::Vec, normal: D::Vec, drive: Drive<D>) {
        let name = format!("wall {}", self.world.setup.walls.len());
        let plane = Plane { point: Components(point), normal: UnitVector(normal), rough: None };
        self.world.push_wall(&name, Surface::Plane(plane), 0, drive, None);
    }

    /// Adds a solid round grain.
    pub(super) fn grain(&mut self, x: D::Vec, radius: f64, mass: f64) -> usize {
        let moment = Round { radius }.moment::<D>(mass);
        self.body(x, radius, Inertia::isotropic(mass, moment))
    }

    /// Adds a round grain that does not turn.
    pub(super) fn block(&mut self, x: D::Vec, radius: f64, mass: f64) -> usize {
        self.body(x, radius, Inertia::unturnable(mass))
    }

    fn body(&mut self, x: D::Vec, radius: f64, inertia: Inertia<D>) -> usize {
        let id = self.world.bodies.len() as u32;
        self.world.bodies.push(x, inertia, Shape::Round(Round { radius }), 0, id)
    }

    /// Adds a rod between two points.
    pub(super) fn rod(&mut self, between: [Anchor<D>; 2]) {
        let [a, b] = between.map(|anchor| anchor.place(&self.world.bodies.pose));
        self.world.setup.links.constraints.push(Constraint::distance("rod", between, (b - a).norm()));
    }

    /// Adds a spring of no length between a fixed point and a grain.
    pub(super) fn spring(&mut self, point: D::Vec, body: usize, stiffness: f64, damping: f64) {
        let between = [Anchor::Fixed(point), Anchor::centre(body)];
        let name = "spring".to_string();
        self.world.setup.links.springs.push(Spring { name, between, stiffness, damping, length: 0.0 });
    }

    /// The method, which is made when the world is complete.
    pub(super) fn method(&mut self) -> &mut Dae<D> {
        self.method.get_or_insert_with(|| Dae::new(self.options.clone(), &self.world))
    }

    /// Makes a step.
    pub(super) fn step(&mut self) {
        self.method();
        let method = self.method.as_mut().expect("a method");
        method.step(&mut self.world).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Makes steps for so long.
    pub(super) fn run(&mut self, time: f64) {
        let dt = self.method().time_step();
        (0..(time / dt).round() as usize).for_each(|_| self.step());
    }

    /// Brings network and ledger up to date.
    pub(super) fn publish(&mut self) {
        self.method();
        self.method.as_mut().expect("a method").publish(&mut self.world);
    }

    /// Velocity and spin of a body.
    pub(super) fn twist(&mut self, body: usize) -> &mut Twist<D> {
        &mut self.world.bodies.twist[body]
    }

    /// Centre of a body [m].
    pub(super) fn x(&self, body: usize) -> D::Vec {
        self.world.bodies.pose[body].x
    }

    /// Kinetic energy of all that moves [J].
    pub(super) fn kinetic_energy(&self) -> f64 {
        self.world.kinetic_energy()
    }
}

/// Reads a value as a scenario writes it.
pub(super) fn read<T: Value>(text: &str) -> T {
    let text = std::sync::Arc::new(Text { name: "test".into(), text: format!("value = {text}") });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    let value = T::read(tree.get("value").expect("the key is there"), &reader);
    value.unwrap_or_else(|| panic!("{}", reader.finish()))
}

/// The unit vector along an axis.
pub(super) fn along<D: Dim>(axis: usize) -> D::Vec {
    D::Vec::from_fn(|k| if k == axis { 1.0 } else { 0.0 })
}

/// The unit vector along the last axis: y in the plane, z in space.
pub(super) fn upward<D: Dim>() -> D::Vec {
    along::<D>(D::DIMENSION - 1)
}
