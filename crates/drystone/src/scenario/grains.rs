//! Groups of grains: what they are, how many, and where they start.

use super::check::check_corners;
use super::sizes::Sizes;
use crate::dim::Dim;
use crate::input::quantity::{Length, Number, Point, Quantity, Velocity};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Placed, Reader, Span};
use crate::list::{list, record};

record! {
    /// A group of grains.
    pub struct Grains<D> {
        /// Name that rods, springs and `output.track` refer to; the grains of a group of several are "name.0", "name.1" ...
        name: Option<Placed<String>>,
        /// Their material.
        material: Placed<String>,
        /// Their shape.
        shape: GrainShape,
        /// How many. With neither `count` nor `fraction` a lattice or file is used up.
        count: Option<u64> where POSITIVE,
        /// Instead of `count`: fill the region to this solid fraction.
        fraction: Option<Placed<Number>> where POSITIVE,
        /// Where they start.
        place: Place<D>,
        /// Their velocity at the start.
        velocity: Option<Velocity<D>>,
        /// Whether they are held in place for ever: a rough floor, an obstacle.
        fixed: bool = false,
        /// Whether they can turn; a grain that cannot is a block.
        rotates: bool = true,
        /// Largest overlap accepted at the start, over the smaller radius.
        overlap: Number where NOT_NEGATIVE = Quantity(1e-9),
    }
}

impl<D: Dim> Grains<D> {
    /// Notes requests that contradict each other; whether there are none.
    pub fn check(&self, reader: &Reader) -> bool {
        let before = reader.count();
        self.check_shape(reader);
        self.check_amount(reader);
        match &self.place {
            Place::Random(region) => check_corners(&region.min, &region.max, &region.span, reader),
            Place::Square(lattice) | Place::Hexagonal(lattice) => self.check_lattice(lattice, 2, reader),
            Place::Cubic(lattice) | Place::Fcc(lattice) => self.check_lattice(lattice, 3, reader),
            Place::File(_) => {}
        }
        reader.count() == before
    }

    fn check_shape(&self, reader: &Reader) {
        let at = self.shape.span();
        if self.shape.name() != D::ROUND {
            let message = format!("a {} does not live in dimension {}", self.shape.name(), D::DIMENSION);
            reader.mistake::<()>("E015", at, message, format!("write kind = \"{}\"", D::ROUND));
        }
        match (&self.place, self.shape.sizes()) {
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

    fn check_lattice(&self, lattice: &Lattice<D>, dimension: usize, reader: &Reader) {
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
    }
}

record! {
    /// A round grain.
    pub struct RoundSpec {
        /// Its radius: a length, or how the radii are distributed. A file of grains may bring its own.
        radius: Option<Placed<Sizes>> where POSITIVE,
    }
}

impl GrainShape {
    /// How the radii are distributed.
    pub fn sizes(&self) -> Option<&Placed<Sizes>> {
        let (GrainShape::Disk(round) | GrainShape::Sphere(round)) = self;
        round.radius.as_ref()
    }

    /// Where it stands in the scenario.
    pub fn span(&self) -> &Span {
        let (GrainShape::Disk(round) | GrainShape::Sphere(round)) = self;
        &round.span
    }

    /// The word that scenarios use.
    pub fn name(&self) -> &'static str {
        match self {
            GrainShape::Disk(_) => "disk",
            GrainShape::Sphere(_) => "sphere",
        }
    }
}

list! {
    /// How grains are placed at the start.
    pub enum Place<D> by "how" {
        /// At random in a region, without overlap.
        "random" => Random(Region<D>),
        /// On a square lattice (2D), row by row from below.
        "square" => Square(Lattice<D>),
        /// On a hexagonal lattice (2D), row by row from below.
        "hexagonal" => Hexagonal(Lattice<D>),
        /// On a simple cubic lattice (3D), layer by layer from below.
        "cubic" => Cubic(Lattice<D>),
        /// On a face-centred cubic lattice (3D), layer by layer from below.
        "fcc" => Fcc(Lattice<D>),
        /// Where a CSV file says: columns x, y[, z], r.
        "file" => File(FromFile),
    }
}

impl<D: Dim> Place<D> {
    /// Where it stands in the scenario: the name of a file, or the whole table.
    pub fn span(&self) -> &Span {
        match self {
            Place::Random(region) => &region.span,
            Place::Square(lattice) | Place::Hexagonal(lattice) | Place::Cubic(lattice) | Place::Fcc(lattice) => {
                &lattice.span
            }
            Place::File(file) => &file.file.at,
        }
    }
}

record! {
    /// An axis-parallel region that holds the grains whole.
    pub struct Region<D> {
        /// Corner with the smallest coordinates.
        min: Point<D>,
        /// Corner with the largest coordinates.
        max: Point<D>,
    }
}

record! {
    /// A lattice in a region that holds the grains whole.
    pub struct Lattice<D> {
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
    pub struct FromFile {
        /// Name of the CSV file, counted from the folder of the scenario.
        file: Placed<String>,
    }
}
