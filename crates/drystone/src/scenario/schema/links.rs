//! Rods, joints and springs in a scenario: between named grains and fixed points.

use crate::dim::{D2, Dim, Vector};
use crate::input::quantity::{Damping, Length, Point, Quantity, Stiffness, UnitVector};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Flat, Node, Placed, Raw, Reader, Span, Value};
use crate::link::{Anchor, Constraint, Spring};
use crate::list::{list, record};
use crate::scenario::Scenario;
use crate::scenario::schema::names::Directory;
use crate::world::World;

/// An end of a link: a grain by its name, or a fixed point.
#[derive(Clone, Debug)]
pub enum End<D: Dim> {
    /// The name of a group of one grain, or name and number: "chain.3" is the fourth grain of the group "chain".
    Grain(Placed<String>),
    /// A point that never moves.
    Point(Point<D>),
}

impl<D: Dim> Value for End<D> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match node.value {
            Raw::Array(_) => Point::read(node, reader).map(End::Point),
            _ => Placed::read(node, reader).map(End::Grain),
        }
    }
    fn write(&self) -> toml::Value {
        match self {
            End::Grain(name) => name.write(),
            End::Point(point) => point.write(),
        }
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"oneOf": [{"type": "string"}, Point::<D>::schema()]})
    }
    fn example() -> String {
        "\"bob\"".into()
    }
}

record! {
    /// A constraint: a rigid link, for the method "dae" only.
    pub struct ConstraintSpec<D> at span {
        /// Name in messages.
        name: Option<String>,
        /// What holds.
        kind: Flat<ConstraintKind<D>>,
    }
}

list! {
    /// The kinds of constraints.
    pub enum ConstraintKind<D> by "kind" {
        /// A rigid rod: two points keep their distance.
        "distance" => Distance(Rod<D>),
        /// A point of a grain stays on a straight line.
        "line" => Line(OnLine<D>),
        /// A point of a grain stays on a circle.
        "circle" => Circle(OnCircle<D>),
        /// A point of one grain stays at a point of another grain, or at a fixed point.
        "joint" => Joint(Hinge<D>),
    }
}

record! {
    /// A rigid rod between the centres of two grains, or of a grain and a point.
    pub struct Rod<D> at span {
        /// Two grains, or a grain and a point: ["bob", [0, 0]].
        between: [End<D>; 2],
        /// Its length; the distance at the start if it is left out.
        length: Option<Length> where POSITIVE,
    }
}

record! {
    /// A straight line for a point of a grain, through that point.
    pub struct OnLine<D> at span {
        /// The grain.
        grain: Placed<String>,
        /// The point of the grain, as it stands at the start; its centre if it is left out.
        at: Option<Point<D>>,
        /// Direction of the line.
        direction: UnitVector<D>,
    }
}

record! {
    /// A circle for a point of a grain.
    pub struct OnCircle<D> at span {
        /// The grain.
        grain: Placed<String>,
        /// The point of the grain, as it stands at the start; its centre if it is left out.
        at: Option<Point<D>>,
        /// Centre of the circle.
        centre: Point<D>,
        /// Its radius; the distance at the start if it is left out.
        radius: Option<Length> where POSITIVE,
        /// Normal of the plane of the circle; needed in space, not used in the plane.
        axis: Option<UnitVector<D>>,
    }
}

record! {
    /// A joint: two grains share a point and turn about it, or a grain turns about a fixed point.
    pub struct Hinge<D> at span {
        /// The grain.
        grain: Placed<String>,
        /// The other grain; a fixed point if it is left out.
        to: Option<Placed<String>>,
        /// Where it is at the start.
        at: Point<D>,
    }
}

record! {
    /// A spring and dashpot between two points, for the method "dae" only.
    pub struct SpringSpec<D> at span {
        /// Name in messages.
        name: Option<String>,
        /// Two grains, or a grain and a point: ["block", [0, 0]].
        between: [End<D>; 2],
        /// Stiffness.
        stiffness: Stiffness where NOT_NEGATIVE,
        /// Coefficient of the dashpot.
        damping: Damping where NOT_NEGATIVE = Quantity(0.0),
        /// Natural length; 0 for a spring that pulls in all directions.
        length: Length where NOT_NEGATIVE,
    }
}

/// Relative distance from a line or circle, or between the two points of a joint, above which the scenario is refused.
const OFF: f64 = 1e-9;

/// Makes links between the grains of a world.
struct Fastener<'a, D: Dim> {
    world: &'a World<D>,
    directory: Directory<'a, D>,
    reader: &'a Reader,
}

impl<D: Dim> Scenario<D> {
    /// Adds the links of the scenario to its world, whose grains have names, and reports those that are impossible.
    pub(in crate::scenario) fn fasten(&self, world: &mut World<D>, reader: &Reader) {
        let fastener = Fastener { world, directory: self.directory(world, reader), reader };
        let constraints: Vec<Constraint<D>> =
            self.constraint.iter().filter_map(|spec| fastener.constraint(spec)).collect();
        let springs: Vec<Spring<D>> = self.spring.iter().filter_map(|spec| fastener.spring(spec)).collect();
        world.setup.links.constraints = constraints;
        world.setup.links.springs = springs;
    }
}

impl<D: Dim> Fastener<'_, D> {
    fn body(&self, name: &Placed<String>) -> Option<usize> {
        let body = self.directory.body(name, "")?;
        if !self.world.bodies.inertia[body].is_movable() {
            let message = format!("the grain \"{}\" is fixed: a link cannot move it", name.value);
            return self.reader.mistake("E023", &name.at, message, "write the point where it is instead");
        }
        Some(body)
    }

    fn anchor(&self, end: &End<D>) -> Option<Anchor<D>> {
        match end {
            End::Grain(name) => self.body(name).map(Anchor::centre),
            End::Point(point) => Some(Anchor::Fixed(point.0)),
        }
    }

    /// A point of a grain, in its pose at the start.
    fn point(&self, grain: &Placed<String>, at: Option<Point<D>>) -> Option<Anchor<D>> {
        let body = self.body(grain)?;
        let arm = at.map_or(D::Vec::ZERO, |at| at.0 - self.world.bodies.pose[body].x);
        Some(Anchor::Body { body, arm })
    }

    fn pair(&self, between: &[End<D>; 2], at: &Span) -> Option<[Anchor<D>; 2]> {
        let [a, b] = between.each_ref().map(|end| self.anchor(end));
        self.distinct([a?, b?], at)
    }

    /// The two anchors, unless they coincide.
    fn distinct(&self, pair: [Anchor<D>; 2], at: &Span) -> Option<[Anchor<D>; 2]> {
        let [a, b] = pair.map(|anchor| anchor.body());
        if a == b {
            let message = match a {
                None => "a link between two fixed points moves nothing",
                Some(_) => "a link between a grain and itself moves nothing",
            };
            return self.reader.mistake("E023", at, message, "name two grains, or a grain and a point");
        }
        Some(pair)
    }

    fn place(&self, anchor: &Anchor<D>) -> D::Vec {
        anchor.place(&self.world.bodies.pose)
    }

    /// The length at the start; if one is written, the two must agree.
    fn length(&self, written: Option<Length>, start: f64, at: &Span) -> Option<f64> {
        let length = written.map_or(start, |length| *length);
        if length == 0.0 {
            let help = "for points that are one take kind = \"joint\"";
            return self.reader.mistake(
                "E023",
                at,
                "its points are in one place, and a rod of no length has no direction",
                help,
            );
        }
        if (start - length).abs() > OFF * length {
            let message = format!("its points are {start} m apart at the start, not {length} m");
            return self.reader.mistake("E023", at, message, "move the grain, or leave the length out");
        }
        Some(length)
    }

    fn constraint(&self, spec: &ConstraintSpec<D>) -> Option<Constraint<D>> {
        let at = &spec.span;
        let named = |kind: &str| spec.name.clone().unwrap_or_else(|| kind.into());
        match &*spec.kind {
            ConstraintKind::Distance(rod) => {
                let pair = self.pair(&rod.between, at)?;
                let start = (self.place(&pair[1]) - self.place(&pair[0])).norm();
                Some(Constraint::distance(&named("rod"), pair, self.length(rod.length, start, at)?))
            }
            ConstraintKind::Line(line) => {
                let anchor = self.point(&line.grain, line.at)?;
                Some(Constraint::line(&named("line"), anchor, self.place(&anchor), line.direction.0))
            }
            ConstraintKind::Circle(circle) => {
                let anchor = self.point(&circle.grain, circle.at)?;
                let from = self.place(&anchor) - circle.centre.0;
                let axis = circle.axis.map(|axis| axis.0).filter(|_| D::DIMENSION > D2::DIMENSION);
                if D::DIMENSION > D2::DIMENSION && axis.is_none() {
                    let help = "add axis = [0, 0, 1]: the direction across the circle";
                    return self.reader.mistake("E005", at, "a circle in space needs its `axis`", help);
                }
                if axis.is_some_and(|axis| from.dot(axis).abs() > OFF * from.norm()) {
                    let message = "the point does not lie in the plane of the circle";
                    return self.reader.mistake("E023", at, message, "move the grain, the centre or the axis");
                }
                let radius = self.length(circle.radius, from.norm(), at)?;
                Some(Constraint::circle(&named("circle"), anchor, circle.centre.0, radius, axis))
            }
            ConstraintKind::Joint(joint) => {
                let other = match &joint.to {
                    None => Anchor::Fixed(joint.at.0),
                    Some(other) => self.point(other, Some(joint.at))?,
                };
                let pair = self.distinct([other, self.point(&joint.grain, Some(joint.at))?], at)?;
                Some(Constraint::joint(&named("joint"), pair))
            }
        }
    }

    fn spring(&self, spec: &SpringSpec<D>) -> Option<Spring<D>> {
        let between = self.pair(&spec.between, &spec.span)?;
        let name = spec.name.clone().unwrap_or_else(|| "spring".into());
        Some(Spring { name, between, stiffness: *spec.stiffness, damping: *spec.damping, length: *spec.length })
    }
}
