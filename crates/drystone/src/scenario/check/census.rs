//! How many bodies a scenario asks for: counted before any is placed or laid, so that a slip of the pen is refused at
//! once.

use crate::dim::{Dim, Vector};
use crate::input::{Node, Reader, Span};
use crate::scenario::Scenario;
use crate::scenario::check::{readable, rough};
use crate::scenario::pack::masonry::Build;
use crate::scenario::schema::grains::{GrainGroup, GrainLattice, Place};
use crate::scenario::{Material, WallSpec};
use crate::wall::Surface;

/// GrainGroup and blocks of a scenario at most, with those that are poured. To build so many takes some five seconds
/// and a gigabyte, to run them ten times as much memory.
pub(crate) const MOST_BODIES: u64 = 2_000_000;

/// Blocks that are laid at most: the hull of each is found, and compared with those of all others.
const MOST_BLOCKS: f64 = 20_000.0;

/// GrainGroup of a ballistic deposit at most: each is compared with all that lie.
const MOST_DROPPED: u64 = 20_000;

/// Materials at most: laws are kept for every pair of them.
const MOST_MATERIALS: usize = 200;

/// Bumps of a rough plane at most that a grain can touch at once, along each direction of the plane.
const MOST_BUMPS: f64 = 100.0;

/// Part of a spacing by which a single site may not fit for rounding.
const ROUNDED: f64 = 1e-6;

/// Notes a scenario that asks for more than can be built; whether it does not.
pub(in crate::scenario) fn check<D: Dim>(tree: &Node, reader: &Reader) -> bool {
    let before = reader.count();
    let groups = readable::<GrainGroup<D>>(tree, "grains", reader);
    let builds = readable::<Build<D>>(tree, "build", reader);
    let counts = groups.iter().map(|group| (group.asked_for(), &group.span));
    let counts: Vec<(f64, &Span)> =
        counts.chain(builds.iter().map(|build| (build.asked_for(), build.span()))).collect();
    let total: f64 = counts.iter().map(|(count, _)| count).sum();
    if let Some((most, at)) = counts.into_iter().max_by(|one, other| one.0.total_cmp(&other.0))
        && total > MOST_BODIES as f64
    {
        let message = match most == total {
            true => format!("this asks for {} bodies", rounded(total)),
            false => format!("the scenario asks for {} bodies, {} of them here", rounded(total), rounded(most)),
        };
        let help = format!("take fewer or larger ones: a scenario has at most {MOST_BODIES}");
        reader.mistake::<()>("E261", at, message, help);
    }
    let blocks: f64 = builds.iter().map(Build::asked_for).sum();
    if let Some(build) = builds.last().filter(|_| blocks > MOST_BLOCKS && total <= MOST_BODIES as f64) {
        let help = format!("take fewer or larger ones: at most {MOST_BLOCKS}");
        reader.mistake::<()>("E261", build.span(), format!("there are {} blocks to lay", rounded(blocks)), help);
    }
    for group in groups.iter().filter(|group| matches!(group.place, Place::Ballistic(_))) {
        if group.count.is_some_and(|count| (MOST_DROPPED + 1..=MOST_BODIES).contains(&count)) {
            let help = format!("take at most {MOST_DROPPED}, or place them at random and let them fall");
            reader.mistake::<()>("E261", &group.span, "a ballistic deposit of so many grains takes too long", help);
        }
    }
    let materials = readable::<Material>(tree, "material", reader);
    if let Some(material) = materials.get(MOST_MATERIALS) {
        let message = format!("there are {} materials", materials.len());
        let help = format!("every pair of materials has a law: take at most {MOST_MATERIALS}");
        reader.mistake::<()>("E261", &material.name.at, message, help);
    }
    check_bumps(&groups, tree, reader);
    reader.count() == before
}

/// Notes planes with so many bumps that a grain would touch thousands at once.
fn check_bumps<D: Dim>(groups: &[GrainGroup<D>], tree: &Node, reader: &Reader) {
    let radii = groups.iter().filter_map(|group| group.shape.range()).map(|(_, largest)| largest);
    let largest = radii.filter(|radius| radius.is_finite()).fold(0.0, f64::max);
    for wall in &readable::<WallSpec<D>>(tree, "wall", reader) {
        let Surface::Plane(plane) = &*wall.surface else { continue };
        let Some(rough) = &plane.rough else { continue };
        let bumps = 2.0 * (largest + *rough.radius) / *rough.spacing;
        if bumps > MOST_BUMPS {
            let message = format!("a grain of radius {largest} m reaches over {} bumps in a row", rounded(bumps));
            let help =
                format!("space the bumps wider: at most {MOST_BUMPS}, beyond which the plane is as good as smooth");
            reader.mistake::<()>("E261", &rough::place(tree, wall), message, help);
        }
    }
}

/// A count in words: whole as long as it can be read.
fn rounded(count: f64) -> String {
    if count < 1e9 { format!("{count:.0}") } else { format!("{count:.1e}") }
}

impl<D: Dim> GrainGroup<D> {
    /// How many grains the group asks for, or at least: a file tells it only when it is read.
    pub fn asked_for(&self) -> f64 {
        if let Some(count) = self.count {
            return count as f64;
        }
        match &self.place {
            Place::Random(region) => {
                let (Some(fraction), Some((_, largest))) = (&self.fraction, self.shape.range()) else { return 0.0 };
                let volume: f64 =
                    (0..D::DIMENSION).map(|axis| region.max.0.get(axis) - region.min.0.get(axis)).product();
                let count = ***fraction * volume / self.shape.volume::<D>(largest);
                if count.is_finite() { count.max(0.0) } else { 0.0 }
            }
            Place::Square(lattice) | Place::Cubic(lattice) => self.sites(lattice, 1.0),
            Place::Hexagonal(lattice) => self.sites(lattice, 2.0 / 3.0_f64.sqrt()),
            Place::Fcc(lattice) => self.sites(lattice, 4.0 / 8.0_f64.sqrt()),
            Place::At(points) => points.points.len() as f64,
            Place::File(_) | Place::Ballistic(_) => 0.0,
        }
    }

    /// Sites of a lattice that has `density` of them in a cube (square) of its spacing, roughly.
    fn sites(&self, lattice: &GrainLattice<D>, density: f64) -> f64 {
        let Some((_, largest)) = self.shape.range() else { return 0.0 };
        let spacing = lattice.spacing.map_or(2.0 * largest, |spacing| *spacing);
        let along = |axis: usize| {
            let room = lattice.max.0.get(axis) - lattice.min.0.get(axis) - 2.0 * largest;
            let sites = room / spacing + 1.0;
            if sites < 1.0 - ROUNDED { 0.0 } else { sites }
        };
        density * (0..D::DIMENSION).map(along).product::<f64>()
    }
}

impl<D: Dim> Build<D> {
    /// How many blocks it has, up to those at the ends of courses.
    pub fn asked_for(&self) -> f64 {
        match self {
            Build::Arch(arch) => arch.voussoirs.value as f64,
            Build::Wall(wall) => {
                let pieces = 1.0 + wall.openings.len() as f64;
                wall.courses as f64 * (**wall.length / *wall.brick).max(1.0) * pieces
            }
            Build::Stack(stack) => stack.count as f64,
            Build::Tower(tower) => tower.count as f64,
            Build::Dominoes(row) => row.count as f64,
            // storeys have 1, 2, 3 ... pairs of cards, and a level card under each pair but those of the first
            Build::Cards(cards) => cards.storeys as f64 * (cards.storeys as f64 + 2.0),
            Build::Dome(dome) => dome.rings as f64 * dome.voussoirs.value as f64,
        }
    }
}

impl<D: Dim> Scenario<D> {
    /// How many grains and blocks it asks for, with those that are poured; files of grains are not counted.
    pub fn asked_for(&self) -> f64 {
        let stays = |group: &&GrainGroup<D>| group.pour.is_some() || !self.gives_way();
        let grains = self.grains.iter().filter(stays).map(GrainGroup::asked_for);
        let blocks = self.build.iter().filter(|_| !self.gives_way()).map(Build::asked_for);
        grains.chain(blocks).sum()
    }
}
