//! Groups of grains: what they are, how many, and where they start.

use crate::dim::Dim;
use crate::input::quantity::{Length, Number, Point, Quantity};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Placed, Reader, Span};
use crate::list::{list, record};
use crate::scenario::schema::clumps::{CapsuleSpec, ClumpSpec, DimerSpec, TetramerSpec};
use crate::scenario::schema::motion::{InitialSpin, InitialVelocity};
use crate::scenario::schema::pour::Pour;
use crate::scenario::schema::sizes::{PortableRandom, Sizes};
use crate::scenario::schema::solids::{
    BoxSpec, MeshSpec, Orientation, PolyhedronSpec, RandomSolidSpec, TetrahedronSpec,
};
use crate::scenario::schema::stones::{InitialTurn, PolygonSpec, RandomSpec, RectangleSpec, RegularSpec};
use crate::shape::{Clump, Polygon, PolygonFlaw, Polyhedron, Round, clump, polyhedron};
use crate::wall::cuboid::check_corners;

record! {
    /// A group of grains.
    pub struct GrainGroup<D> at span {
        /// Name that rods, springs and `output.track` refer to; the grains of a group of several are "name.0", "name.1"
        /// ...
        name: Option<Placed<String>>,
        /// Their material.
        material: Placed<String>,
        /// Their shape.
        shape: GrainShape,
        /// Number of grains. With neither `count` nor `fraction` every point of a lattice or file is used.
        count: Option<u64> where POSITIVE,
        /// Instead of `count`: fill the region to this solid fraction.
        fraction: Option<Placed<Number>> where POSITIVE,
        /// Where they are placed at the start.
        place: Place<D>,
        /// Grains that come during the run, one after the other, and not at the start.
        pour: Option<Pour>,
        /// Orientation at the start (2D): an angle, or a distribution of angles.
        angle: Option<Placed<InitialTurn>>,
        /// Orientation at the start (3D): about an axis, or at random.
        orientation: Option<Placed<Orientation>>,
        /// Their velocity at the start: the same for all, or at random.
        velocity: Option<Placed<InitialVelocity<D>>>,
        /// Their angular velocity at the start, the same for all or at random: a number in 2D, counter-clockwise, and a
        /// vector in 3D.
        spin: Option<Placed<InitialSpin<D>>>,
        /// Whether they are held in place: a rough floor, an obstacle.
        fixed: bool = false,
        /// Whether they can turn; a grain that cannot is a block.
        rotates: bool = true,
        /// Largest overlap accepted at the start, relative to the smaller radius.
        overlap: Number where NOT_NEGATIVE = Quantity(1e-9),
    }
}

impl<D: Dim> GrainGroup<D> {
    /// Notes requests that contradict each other; whether there are none.
    pub fn check(&self, reader: &Reader) -> bool {
        let before = reader.count();
        self.check_shape(reader);
        self.check_amount(reader);
        self.check_pour(reader);
        self.check_motion(reader);
        match &self.place {
            Place::Ballistic(region) => {
                check_corners(&region.min, &region.max, &region.span, reader);
                if !self.shape.is_round() {
                    let message = "a ballistic deposit takes round grains";
                    reader.mistake::<()>("E015", self.shape.span(), message, format!("write kind = \"{}\"", D::ROUND));
                }
            }
            Place::Random(region) => check_corners(&region.min, &region.max, &region.span, reader),
            Place::Square(lattice) | Place::Hexagonal(lattice) => self.check_lattice(lattice, 2, reader),
            Place::Cubic(lattice) | Place::Fcc(lattice) => self.check_lattice(lattice, 3, reader),
            Place::File(_) => {}
            Place::At(spots) if spots.points.is_empty() => {
                reader.mistake::<()>(
                    "E005",
                    &spots.span,
                    "there is no point to place a grain at",
                    "write points = [[0, 0]]",
                );
            }
            Place::At(_) => {}
        }
        if let (Some(angle), false) = (&self.angle, D::DIMENSION == 2) {
            let message = "`angle` turns grains in the plane";
            reader.mistake::<()>("E015", &angle.at, message, "leave it out, or write dimension = 2");
        }
        if let (Some(orientation), false) = (&self.orientation, D::DIMENSION == 3) {
            let message = "`orientation` turns grains in space";
            reader.mistake::<()>("E015", &orientation.at, message, "write `angle`");
        }
        reader.count() == before
    }

    fn check_shape(&self, reader: &Reader) {
        let at = self.shape.span();
        if !self.shape.lives_in(D::DIMENSION) {
            let message = format!("a {} does not exist in dimension {}", self.shape.name(), D::DIMENSION);
            reader.mistake::<()>("E015", at, message, format!("write kind = \"{}\"", D::ROUND));
        }
        match &self.shape {
            GrainShape::Clump(spec) => spec.check::<D>(reader),
            GrainShape::Dimer(spec) => spec.check(reader),
            GrainShape::Tetramer(spec) => spec.check(reader),
            GrainShape::Capsule(spec) => spec.check(reader),
            _ => {}
        }
        if let GrainShape::Random(stone) = &self.shape {
            stone.check(reader);
        } else if let GrainShape::RandomSolid(stone) = &self.shape {
            stone.check(reader);
        } else if let Some((flaw, at)) = self.shape.solid_flaw() {
            reader.mistake::<()>("E025", at, flaw.to_string(), flaw.help());
        } else if let Some((flaw, at)) = self.shape.flaw() {
            let help = if matches!(self.shape, GrainShape::Regular(_)) { "write sides = 6" } else { flaw.help() };
            reader.mistake::<()>("E021", at, flaw.to_string(), help);
        }
        match (&self.place, self.shape.sizes()) {
            (Place::File(_), _) if self.shape.has_one_size() => {
                let message = "a file of grains brings radii, and this shape has a size of its own";
                reader.mistake::<()>("E015", at, message, "take a shape with a `radius`, or place = { how = \"at\" }");
            }
            (_, None) if self.shape.has_one_size() => {}
            (Place::File(_), None) => {}
            (Place::File(_), Some(sizes)) => {
                let message = "a file of grains brings its own radii";
                reader.mistake::<()>("E015", &sizes.at, message, "leave `radius` out of the shape");
            }
            (_, None) => {
                reader.mistake::<()>("E005", at, "`grains.shape.radius` is missing", "add radius = \"1 mm\"");
            }
            (_, Some(sizes)) => {
                if let Some((fault, help)) = sizes.fault() {
                    reader.mistake::<()>("E007", &sizes.at, fault, help);
                }
            }
        }
    }

    fn check_amount(&self, reader: &Reader) {
        match (&self.place, self.count, &self.fraction) {
            (Place::Random(_), None, None) => {
                let message = "grains at random need `count` or `fraction`";
                reader.mistake::<()>("E015", &self.span, message, "add count = 1000, or fraction = 0.4");
            }
            (Place::Random(_), Some(_), Some(fraction)) => {
                let message = "`count` and `fraction` exclude each other";
                reader.mistake::<()>("E015", &fraction.at, message, "leave one of them out");
            }
            (Place::At(_), Some(_), _) => {
                let message = "every point has one grain: there is no `count`";
                reader.mistake::<()>("E015", &self.span, message, "leave `count` out");
            }
            (Place::Random(_), None, Some(fraction)) if self.shape.is_drawn() => {
                let message = "the volume of random stones is known only after they are drawn";
                reader.mistake::<()>("E015", &fraction.at, message, "write `count` instead");
            }
            (Place::Ballistic(_), None, _) => {
                let message = "a ballistic deposit needs `count`";
                reader.mistake::<()>("E015", &self.span, message, "add count = 1000");
            }
            (Place::Random(_), ..) | (_, _, None) => {}
            (Place::File(_), _, Some(fraction)) => {
                let message = "a file takes `count`, not `fraction`";
                reader.mistake::<()>("E015", &fraction.at, message, "leave `fraction` out");
            }
            (_, _, Some(fraction)) => {
                let message = "a lattice takes `count`, not `fraction`";
                reader.mistake::<()>("E015", &fraction.at, message, "leave `fraction` out");
            }
        }
    }

    fn check_lattice(&self, lattice: &GrainLattice<D>, dimension: usize, reader: &Reader) {
        check_corners(&lattice.min, &lattice.max, &lattice.span, reader);
        if D::DIMENSION != dimension {
            let message = format!("this lattice needs dimension = {dimension}");
            let help = "2D has square and hexagonal, 3D has cubic and fcc";
            reader.mistake::<()>("E015", &lattice.span, message, help);
        }
        if let Some(sizes) = self.shape.sizes().filter(|sizes| !sizes.range().1.is_finite()) {
            let message = "a lattice needs a largest radius";
            reader.mistake::<()>("E015", &sizes.at, message, "give the distribution a `max`");
        }
    }
}

list! {
    /// The shapes of grains.
    pub enum GrainShape by "kind" {
        /// A disk (2D): a cylinder of the scenario's depth.
        "disk" => Disk(RoundSpec),
        /// A sphere (3D).
        "sphere" => Sphere(RoundSpec),
        /// A convex polygon (2D): a prism of the scenario's depth, like all stones.
        "polygon" => Polygon(PolygonSpec),
        /// A rectangle (2D).
        "rectangle" => Rectangle(RectangleSpec),
        /// A regular polygon (2D), with a side below that lies flat.
        "regular_polygon" => Regular(RegularSpec),
        /// Irregular convex polygons (2D), drawn with the seed of the scenario.
        "random_polygon" => Random(RandomSpec),
        /// A convex polyhedron (3D): the hull of its corners.
        "polyhedron" => Polyhedron(PolyhedronSpec),
        /// A box (3D).
        "box" => Cuboid(BoxSpec),
        /// A regular tetrahedron (3D), with a face below that lies flat.
        "tetrahedron" => Tetrahedron(TetrahedronSpec),
        /// The convex hull of the points of a file (3D).
        "from_file" => Mesh(MeshSpec),
        /// Irregular convex polyhedra (3D), drawn with the seed of the scenario.
        "random_polyhedron" => RandomSolid(RandomSolidSpec),
        /// Disks or spheres that overlap or touch and are one body.
        "clump" => Clump(ClumpSpec),
        /// Two equal disks or spheres that overlap or touch: a peanut.
        "dimer" => Dimer(DimerSpec),
        /// Four equal spheres at the corners of a tetrahedron (3D).
        "tetramer" => Tetramer(TetramerSpec),
        /// A rectangle or cylinder with round ends.
        "capsule" => Capsule(CapsuleSpec),
    }
}

record! {
    /// A round grain.
    pub struct RoundSpec at span {
        /// Its radius: a length, or how the radii are distributed. A file of grains may bring its own.
        radius: Option<Placed<Sizes>> where POSITIVE,
    }
}

impl GrainShape {
    /// How the radii are distributed.
    pub fn sizes(&self) -> Option<&Placed<Sizes>> {
        match self {
            GrainShape::Disk(round) | GrainShape::Sphere(round) => round.radius.as_ref(),
            GrainShape::Regular(regular) => regular.radius.as_ref(),
            GrainShape::Random(stone) => stone.radius.as_ref(),
            GrainShape::Tetrahedron(stone) => stone.radius.as_ref(),
            GrainShape::RandomSolid(stone) => stone.radius.as_ref(),
            GrainShape::Clump(clump) => clump.radius.as_ref(),
            GrainShape::Dimer(clump) => clump.radius.as_ref(),
            GrainShape::Tetramer(clump) => clump.radius.as_ref(),
            GrainShape::Capsule(capsule) => capsule.radius.as_ref(),
            GrainShape::Polygon(_) | GrainShape::Rectangle(_) => None,
            GrainShape::Polyhedron(_) | GrainShape::Cuboid(_) | GrainShape::Mesh(_) => None,
        }
    }

    /// Where it stands in the scenario.
    pub fn span(&self) -> &Span {
        match self {
            GrainShape::Disk(round) | GrainShape::Sphere(round) => &round.span,
            GrainShape::Polygon(polygon) => &polygon.span,
            GrainShape::Rectangle(rectangle) => &rectangle.span,
            GrainShape::Regular(regular) => &regular.span,
            GrainShape::Random(stone) => &stone.span,
            GrainShape::Polyhedron(stone) => &stone.span,
            GrainShape::Cuboid(stone) => &stone.span,
            GrainShape::Tetrahedron(stone) => &stone.span,
            GrainShape::Mesh(stone) => &stone.span,
            GrainShape::RandomSolid(stone) => &stone.span,
            GrainShape::Clump(clump) => &clump.span,
            GrainShape::Dimer(clump) => &clump.span,
            GrainShape::Tetramer(clump) => &clump.span,
            GrainShape::Capsule(capsule) => &capsule.span,
        }
    }

    /// The word that scenarios use.
    pub fn name(&self) -> &'static str {
        match self {
            GrainShape::Disk(_) => "disk",
            GrainShape::Sphere(_) => "sphere",
            GrainShape::Polygon(_) => "polygon",
            GrainShape::Rectangle(_) => "rectangle",
            GrainShape::Regular(_) => "regular_polygon",
            GrainShape::Random(_) => "random_polygon",
            GrainShape::Polyhedron(_) => "polyhedron",
            GrainShape::Cuboid(_) => "box",
            GrainShape::Tetrahedron(_) => "tetrahedron",
            GrainShape::Mesh(_) => "from_file",
            GrainShape::RandomSolid(_) => "random_polyhedron",
            GrainShape::Clump(_) => "clump",
            GrainShape::Dimer(_) => "dimer",
            GrainShape::Tetramer(_) => "tetramer",
            GrainShape::Capsule(_) => "capsule",
        }
    }

    /// Whether it lives in this dimension.
    pub fn lives_in(&self, dimension: usize) -> bool {
        match self {
            GrainShape::Disk(_) | GrainShape::Polygon(_) | GrainShape::Rectangle(_) => dimension == 2,
            GrainShape::Regular(_) | GrainShape::Random(_) => dimension == 2,
            GrainShape::Sphere(_) | GrainShape::Polyhedron(_) | GrainShape::Cuboid(_) => dimension == 3,
            GrainShape::Tetrahedron(_) | GrainShape::Mesh(_) | GrainShape::RandomSolid(_) => dimension == 3,
            GrainShape::Tetramer(_) => dimension == 3,
            GrainShape::Clump(_) | GrainShape::Dimer(_) | GrainShape::Capsule(_) => true,
        }
    }

    /// The clump or capsule that reaches as far as `radius`; `None` for other shapes.
    pub fn clump<D: Dim>(&self, radius: f64) -> Option<Result<Clump, clump::ClumpFlaw>> {
        match self {
            GrainShape::Clump(spec) => Some(spec.scaled(radius)),
            GrainShape::Dimer(spec) => Some(spec.clump::<D>(radius)),
            GrainShape::Tetramer(spec) => Some(spec.clump(radius)),
            GrainShape::Capsule(spec) => Some(Ok(spec.clump::<D>(radius))),
            _ => None,
        }
    }

    /// Whether it is a disk or a sphere.
    pub fn is_round(&self) -> bool {
        matches!(self, GrainShape::Disk(_) | GrainShape::Sphere(_))
    }

    /// Whether every grain of the group has another form.
    pub fn is_drawn(&self) -> bool {
        matches!(self, GrainShape::Random(_) | GrainShape::RandomSolid(_))
    }

    /// Whether its own measures give its size.
    pub fn has_one_size(&self) -> bool {
        matches!(self, GrainShape::Polygon(_) | GrainShape::Rectangle(_))
            || matches!(self, GrainShape::Polyhedron(_) | GrainShape::Cuboid(_) | GrainShape::Mesh(_))
            || matches!(self, GrainShape::Clump(clump) if clump.radius.is_none())
    }

    /// The polyhedron of a stone that reaches as far as `radius`; `None` for round grains and polygons.
    pub fn polyhedron(
        &self,
        radius: f64,
        random: &mut PortableRandom,
    ) -> Option<Result<Polyhedron, polyhedron::PolyhedronFlaw>> {
        match self {
            GrainShape::Polyhedron(stone) => Some(stone.polyhedron()),
            GrainShape::Cuboid(stone) => Some(Polyhedron::cuboid(stone.size.value.0)),
            GrainShape::Tetrahedron(_) => Some(Polyhedron::tetrahedron(radius)),
            GrainShape::Mesh(stone) => Some(stone.polyhedron()),
            GrainShape::RandomSolid(stone) => Some(stone.polyhedron(radius, random)),
            _ => None,
        }
    }

    /// Why the measures make no polyhedron, and where they stand.
    fn solid_flaw(&self) -> Option<(polyhedron::PolyhedronFlaw, &Span)> {
        match self {
            GrainShape::Polyhedron(stone) => Some((stone.polyhedron().err()?, &stone.vertices.at)),
            // a side that is not positive is told already
            GrainShape::Cuboid(stone) if stone.size.value.0.min_element() > 0.0 => {
                Some((Polyhedron::cuboid(stone.size.value.0).err()?, &stone.size.at))
            }
            GrainShape::Mesh(stone) => Some((stone.polyhedron().err()?, &stone.file.at)),
            _ => None,
        }
    }

    /// The polygon of a stone that reaches as far as `radius`; `None` for round grains.
    pub fn polygon(&self, radius: f64, random: &mut PortableRandom) -> Option<Result<Polygon, PolygonFlaw>> {
        match self {
            GrainShape::Polygon(polygon) => Some(polygon.polygon()),
            GrainShape::Rectangle(rectangle) => Some(Polygon::rectangle(*rectangle.width, *rectangle.height)),
            GrainShape::Regular(regular) => Some(Polygon::regular(regular.sides.value as usize, radius)),
            GrainShape::Random(stone) => Some(stone.polygon(radius, random)),
            _ => None,
        }
    }

    /// Why the measures make no polygon, and where they stand.
    fn flaw(&self) -> Option<(PolygonFlaw, &Span)> {
        match self {
            GrainShape::Polygon(polygon) => Some((polygon.polygon().err()?, &polygon.vertices.at)),
            GrainShape::Rectangle(rectangle) => {
                Some((Polygon::rectangle(*rectangle.width, *rectangle.height).err()?, &rectangle.span))
            }
            GrainShape::Regular(regular) if !(3..=MOST_SIDES).contains(&regular.sides.value) => {
                Some((PolygonFlaw::TooFew(regular.sides.value as usize), &regular.sides.at))
            }
            _ => None,
        }
    }

    /// Smallest and largest radius that can come [m]; `None` if nothing says it.
    pub fn range(&self) -> Option<(f64, f64)> {
        match self.own_radius() {
            Some(radius) => Some((radius, radius)),
            None => self.sizes().map(|sizes| sizes.value.range()),
        }
    }

    /// Draws a radius [m]: of the ball around a stone.
    pub fn draw(&self, random: &mut PortableRandom) -> Option<f64> {
        self.own_radius().or_else(|| self.sizes().map(|sizes| sizes.value.draw(random)))
    }

    /// Radius of a shape whose own measures give it.
    fn own_radius(&self) -> Option<f64> {
        let polygon = match self {
            GrainShape::Polygon(polygon) => polygon.polygon(),
            GrainShape::Rectangle(rectangle) => Polygon::rectangle(*rectangle.width, *rectangle.height),
            GrainShape::Polyhedron(_) | GrainShape::Cuboid(_) | GrainShape::Mesh(_) => {
                return Some(self.polyhedron(0.0, &mut PortableRandom::new(0, 0))?.ok()?.outline.radius());
            }
            GrainShape::Clump(spec) if spec.radius.is_none() => return Some(spec.clump().ok()?.radius()),
            _ => return None,
        };
        polygon.ok().map(|polygon| polygon.outline.radius())
    }

    /// Volume of a grain of this radius, over the depth in the plane; a random stone is counted by number only.
    pub fn volume<D: Dim>(&self, radius: f64) -> f64 {
        if let Some(Ok(stone)) = self.polyhedron(radius, &mut PortableRandom::new(0, 0)) {
            return stone.volume;
        }
        if let Some(Ok(clump)) = self.clump::<D>(radius) {
            return clump.volume;
        }
        let polygon = match self {
            GrainShape::Random(_) => None,
            _ => self.polygon(radius, &mut PortableRandom::new(0, 0)).and_then(Result::ok),
        };
        polygon.map_or_else(|| Round { radius }.volume::<D>(1.0), |polygon| polygon.area)
    }
}

/// Sides of a regular polygon, at most: more are a disk.
const MOST_SIDES: u64 = 1000;

list! {
    /// How grains are placed at the start.
    pub enum Place<D> by "how" {
        /// At random in a region, without overlap.
        "random" => Random(GrainRegion<D>),
        /// On a square lattice (2D), row by row from below.
        "square" => Square(GrainLattice<D>),
        /// On a hexagonal lattice (2D), row by row from below.
        "hexagonal" => Hexagonal(GrainLattice<D>),
        /// On a simple cubic lattice (3D), layer by layer from below.
        "cubic" => Cubic(GrainLattice<D>),
        /// On a face-centred cubic lattice (3D), layer by layer from below.
        "fcc" => Fcc(GrainLattice<D>),
        /// One after the other from above: they stick at their first contact, or roll down until they are supported.
        "ballistic" => Ballistic(Ballistic<D>),
        /// Where a CSV file says: columns x, y[, z], r.
        "file" => File(FromFile),
        /// At points, one grain each.
        "at" => At(Points<D>),
    }
}

impl<D: Dim> Place<D> {
    /// Where it stands in the scenario: the name of a file, or the whole table.
    pub fn span(&self) -> &Span {
        match self {
            Place::Random(region) => &region.span,
            Place::Ballistic(region) => &region.span,
            Place::Square(lattice) | Place::Hexagonal(lattice) | Place::Cubic(lattice) | Place::Fcc(lattice) => {
                &lattice.span
            }
            Place::File(file) => &file.file.at,
            Place::At(points) => &points.span,
        }
    }
}

record! {
    /// An axis-parallel region that holds the grains whole.
    pub struct GrainRegion<D> at span {
        /// Corner with the smallest coordinates.
        min: Point<D>,
        /// Corner with the largest coordinates.
        max: Point<D>,
    }
}

record! {
    /// A region that grains are dropped into; its bottom and its sides hold them.
    pub struct Ballistic<D> at span {
        /// Corner with the smallest coordinates.
        min: Point<D>,
        /// Corner with the largest coordinates.
        max: Point<D>,
        /// Whether they stay where they touch first; those that do not roll down until they are held.
        sticks: bool = false,
    }
}

record! {
    /// A lattice in a region that holds the grains whole.
    pub struct GrainLattice<D> at span {
        /// Corner with the smallest coordinates.
        min: Point<D>,
        /// Corner with the largest coordinates.
        max: Point<D>,
        /// Distance of nearest neighbours; twice the largest radius if not given.
        spacing: Option<Length> where POSITIVE,
    }
}

record! {
    /// A file of grains.
    pub struct FromFile at span {
        /// Name of the CSV file, relative to the folder of the scenario. Rows hold coordinates and the radius in SI units;
        /// a header may name the columns in any order and with units: `x [mm], y [mm], radius [mm]`, also velocities
        /// `vx, vy`, and `spin` in 2D; in 3D also `z, vz, wx, wy, wz`. Files of `drystone export --to csv` are such files.
        file: Placed<String>,
    }
}

record! {
    /// Points.
    pub struct Points<D> at span {
        /// Centres of mass of the grains.
        points: Vec<Point<D>>,
    }
}
