//! Shapes made of round ones in a scenario: clumps and capsules.

use std::ops::Range;

use glam::DVec3;

use crate::dim::{D2, D3, Dim};
use crate::input::quantity::{Length, Number, Quantity};
use crate::input::value::POSITIVE;
use crate::input::{Node, Placed, Reader, Span, Value};
use crate::list::record;
use crate::method::Kind;
use crate::method::md::integrator::Integrators;
use crate::scenario::WallSpec;
use crate::scenario::schema::grains::GrainGroup;
use crate::scenario::schema::sizes::Sizes;
use crate::shape::Clump;
use crate::shape::clump::ClumpFlaw;
use crate::wall::Capsules;

record! {
    /// Disks or spheres that overlap or touch and are one body.
    pub struct ClumpSpec at span {
        /// Their centres, two or three lengths each; the centre of mass comes to where the grain is placed.
        centres: Placed<Vec<Vec<Length>>>,
        /// Their radii, in the same order; a single one is that of all.
        radii: Placed<Vec<Length>>,
        /// Radius of the ball around it, to which it is scaled: a length, or how the radii are distributed. As written
        /// if not given.
        radius: Option<Placed<Sizes>> where POSITIVE,
    }
}

record! {
    /// Two equal disks or spheres: a peanut.
    pub struct DimerSpec at span {
        /// Half its length: a length, or how these are distributed. A file of grains may bring its own.
        radius: Option<Placed<Sizes>> where POSITIVE,
        /// Short over long axis: from 0.5, where the two touch, to 1.
        elongation: Placed<Number> where POSITIVE = Placed { value: Quantity(0.6), at: Default::default() },
    }
}

record! {
    /// Four equal spheres at the corners of a tetrahedron (3D).
    pub struct TetramerSpec at span {
        /// Radius of the ball around it: a length, or how the radii are distributed. A file of grains may bring its
        /// own.
        radius: Option<Placed<Sizes>> where POSITIVE,
        /// Radius of the spheres over that of the ball around them: from 0.4495, where they touch, to 1.
        ball: Placed<Number> where POSITIVE = Placed { value: Quantity(0.55), at: Default::default() },
    }
}

record! {
    /// All points near a segment: a rectangle (2D) or cylinder (3D) with round ends.
    pub struct CapsuleSpec at span {
        /// Half its length, caps included: a length, or how these are distributed. A file of grains may bring its own.
        radius: Option<Placed<Sizes>> where POSITIVE,
        /// Thickness over length.
        elongation: Placed<Number> where POSITIVE = Placed { value: Quantity(0.5), at: Default::default() },
    }
}

impl ClumpSpec {
    /// Notes centres and radii that do not fit each other or the dimension, or make no body.
    pub fn check<D: Dim>(&self, reader: &Reader) {
        let (centres, radii) = (&self.centres.value, &self.radii.value);
        if let Some(k) = centres.iter().position(|centre| centre.len() != D::DIMENSION) {
            let message = format!("centre {} has {} lengths, not {}", k + 1, centres[k].len(), D::DIMENSION);
            let help = if D::DIMENSION == 2 { "write [x, y]" } else { "write [x, y, z]" };
            reader.mistake::<()>("E027", &self.centres.at, message, help);
        } else if radii.len() != 1 && radii.len() != centres.len() {
            let message = format!("there are {} centres and {} radii", centres.len(), radii.len());
            reader.mistake::<()>("E027", &self.radii.at, message, "write one radius for each, or one for all");
        } else if let Err(flaw) = self.clump() {
            let at = if matches!(flaw, ClumpFlaw::NotABall(_)) { &self.radii.at } else { &self.centres.at };
            reader.mistake::<()>("E027", at, flaw.to_string(), flaw.help());
        }
    }

    /// The clump as it is written.
    pub fn clump(&self) -> Result<Clump, ClumpFlaw> {
        let radii = self.radii.value.iter().cycle();
        let place = |centre: &Vec<Length>| {
            let at = |axis: usize| centre.get(axis).map_or(0.0, |length| **length);
            DVec3::new(at(0), at(1), at(2))
        };
        let balls: Vec<(DVec3, f64)> = self.centres.value.iter().map(place).zip(radii.map(|radius| **radius)).collect();
        match self.centres.value.first().map_or(2, Vec::len) {
            3 => Clump::new::<D3>(&balls),
            _ => Clump::new::<D2>(&balls),
        }
    }

    /// The clump, scaled to reach as far as `radius` if it has a `radius`.
    pub fn scaled(&self, radius: f64) -> Result<Clump, ClumpFlaw> {
        let own = self.clump()?;
        if self.radius.is_none() {
            return Ok(own);
        }
        let (scale, dimension) = (radius / own.radius(), self.centres.value[0].len() as i32);
        Ok(Clump {
            centres: own.centres.iter().map(|x| *x * scale).collect(),
            radii: own.radii.iter().map(|r| r * scale).collect(),
            volume: own.volume * scale.powi(dimension),
            centre: own.centre * scale,
            gyration: own.gyration * (scale * scale),
            axes: own.axes,
        })
    }
}

impl DimerSpec {
    /// Notes an elongation that makes no dimer.
    pub fn check(&self, reader: &Reader) {
        check_ratio("elongation", &self.elongation, 0.5..1.0, "elongation = 0.6", reader);
    }

    /// The dimer that reaches as far as `radius`.
    pub fn clump<D: Dim>(&self, radius: f64) -> Result<Clump, ClumpFlaw> {
        let ball = **self.elongation * radius;
        let end = DVec3::X * (radius - ball);
        Clump::new::<D>(&[(-end, ball), (end, ball)])
    }
}

/// Radius of four equal spheres that touch each other over that of the ball around them. The edge of a regular
/// tetrahedron is sqrt(8/3) times the distance of its corners from its centre.
const TOUCHING: f64 = 0.449_489_742_783_178_1;

impl TetramerSpec {
    /// Notes a size of balls that makes no tetramer.
    pub fn check(&self, reader: &Reader) {
        check_ratio("ball", &self.ball, TOUCHING..1.0, "ball = 0.55", reader);
    }

    /// The tetramer that reaches as far as `radius`.
    pub fn clump(&self, radius: f64) -> Result<Clump, ClumpFlaw> {
        let ball = **self.ball * radius;
        let far = (radius - ball) / 3.0_f64.sqrt();
        let corners = [(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)];
        Clump::new::<D3>(&corners.map(|(x, y, z)| (DVec3::new(x, y, z) * far, ball)))
    }
}

impl CapsuleSpec {
    /// Notes an elongation that makes no capsule.
    pub fn check(&self, reader: &Reader) {
        check_ratio("elongation", &self.elongation, 0.0..1.0, "elongation = 0.5", reader);
    }

    /// The capsule that reaches as far as `radius`.
    pub fn clump<D: Dim>(&self, radius: f64) -> Clump {
        let thick = **self.elongation * radius;
        Clump::capsule::<D>(2.0 * (radius - thick), thick)
    }
}

/// Reports a ratio that is not in the range, at whose end a single ball is left.
fn check_ratio(key: &str, ratio: &Placed<Number>, range: Range<f64>, example: &str, reader: &Reader) {
    let (value, Range { start: low, end: high }) = (*ratio.value, range);
    if value < low || value >= high {
        let message = format!("`{key}` = {value} is not from {low} to below {high}: at {high} it is a single ball");
        reader.mistake::<()>("E027", &ratio.at, message, format!("write {example}"));
    }
}

/// Reports capsules beside walls that would touch their sides. All capsules support edges of meshes; rigid ones also
/// support points of lines and polygons, and the outside of cylinders.
pub(in crate::scenario) fn check_walls<D: Dim>(
    capsule: Option<&Span>,
    method: Kind,
    walls: &[WallSpec<D>],
    reader: &Reader,
) {
    if capsule.is_none() {
        return;
    }
    for wall in walls {
        let kind = match wall.surface.as_dyn().capsules() {
            Capsules::Always => continue,
            Capsules::IfRigid(_) if method == Kind::Cd => continue,
            Capsules::IfRigid(name) => format!("{name} if they are soft"),
            Capsules::Never(name) => name.to_string(),
        };
        let message = format!("capsules cannot touch {kind}: it would meet them between their ends");
        let help = "take dimers or other clumps, or a fixed stone instead of the wall";
        reader.mistake::<()>("E028", &wall.span, message, help);
    }
}

/// Reports 3D clumps with Gear's integrator, whose series have a single moment of inertia.
pub(in crate::scenario) fn check_integrator<D: Dim>(groups: &[GrainGroup<D>], method: Option<&Node>, reader: &Reader) {
    let is_clump = |group: &GrainGroup<D>| group.shape.clump::<D>(1.0).is_some();
    let Some(node) = method.and_then(|node| node.get("md")).and_then(|node| node.get("integrator")) else { return };
    let integrator = Integrators::read(node, &Reader::default());
    if D::DIMENSION == 3 && integrator == Some(Integrators::Gear) && groups.iter().any(is_clump) {
        let message = "Gear's method does not turn clumps of space: their moments of inertia differ";
        reader.mistake::<()>("E022", &node.at, message, "write integrator = \"verlet\"");
    }
}
