//! Filling a region with grains: at random without overlap, on lattices, or from a file.

use crate::cell::{Cell, THREE_GRAINS};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{LARGEST, Point};
use crate::input::{Reader, Span, csv};
use crate::scenario::check::census::MOST_BODIES;
use crate::scenario::pack::ballistic::deposit;
use crate::scenario::schema::grains::{GrainGroup, GrainLattice, GrainRegion, Place};
use crate::scenario::schema::sizes::PortableRandom;
use crate::shape::Round;
use crate::wall::Surface;
use crate::world::FARTHEST;

/// A grain to be placed: centre and radius [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GrainSite<D: Dim> {
    /// Centre.
    pub x: D::Vec,
    /// Radius.
    pub radius: f64,
}

/// Tries for one grain at random before the region counts as full: at this number the densest random filling is
/// within a percent of what more tries would reach.
const TRIES: u32 = 5_000;

/// Tries in all, beside so many for each grain, so that a region that is asked for too much is refused within seconds. Where
/// grains find places, a few tries each are enough for most.
const TRIES_IN_ALL: u64 = 3_000_000;
const TRIES_OF_EACH: u64 = 10;

/// Part of a region that balls of one size fill at random, one after the other, where no more find a place: disks and
/// spheres. Beyond it, with a margin for the sides of a region, nothing is tried; few may be luckier.
const SATURATION: [f64; 2] = [0.547, 0.384];
const MARGIN: f64 = 1.05;
const FEW: usize = 1000;

/// Places a group of grains, clear of what is in the room so far where the placing is at random.
pub(crate) fn fill<D: Dim>(
    group: &GrainGroup<D>,
    random: &mut PortableRandom,
    room: &Room<D>,
    reader: &Reader,
) -> Option<Vec<GrainSite<D>>> {
    if !group.check(reader) {
        return None;
    }
    let seats = seats(group, random, room, reader)?;
    match seats.iter().find(|seat| !is_computable(seat.radius)) {
        None => Some(seats),
        Some(seat) => refuse_radius(seat.radius, group.shape.span(), reader),
    }
}

/// Whether a radius that was drawn is one that numbers of scenarios can be.
fn is_computable(radius: f64) -> bool {
    (1.0 / LARGEST..=LARGEST).contains(&radius)
}

fn refuse_radius<T>(radius: f64, at: &Span, reader: &Reader) -> Option<T> {
    let message = format!("a grain was drawn with the radius {radius:e} m");
    reader.mistake("E264", at, message, "give the distribution bounds: `min` and `max`")
}

fn seats<D: Dim>(
    group: &GrainGroup<D>,
    random: &mut PortableRandom,
    room: &Room<D>,
    reader: &Reader,
) -> Option<Vec<GrainSite<D>>> {
    match &group.place {
        Place::Random(region) => {
            let radii = radii(group, region, random, reader)?;
            at_random(region, radii, random, room, reader)
        }
        Place::Ballistic(region) => {
            let radii: Option<Vec<f64>> = (0..group.count?).map(|_| group.shape.draw(random)).collect();
            deposit(region, &radii?, random, reader)
        }
        Place::Square(lattice) => on_lattice(group, lattice, &[[0.0; 3]], [1.0; 3], random, reader),
        Place::Hexagonal(lattice) => {
            on_lattice(group, lattice, &[[0.0; 3], [0.5, 0.5, 0.0]], [1.0, 3.0_f64.sqrt(), 1.0], random, reader)
        }
        Place::Cubic(lattice) => on_lattice(group, lattice, &[[0.0; 3]], [1.0; 3], random, reader),
        Place::Fcc(lattice) => {
            let edge = 2.0_f64.sqrt();
            let basis = [[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
            on_lattice(group, lattice, &basis, [edge; 3], random, reader)
        }
        Place::File(file) => from_file(group, &file.file.value, reader),
        Place::At(spots) => {
            let seat = |x: &Point<D>| Some(GrainSite { x: x.0, radius: group.shape.draw(random)? });
            spots.points.iter().map(seat).collect()
        }
    }
}

/// Radii for a count, or until the region is filled to a fraction; what cannot fit, or is too much, is refused.
fn radii<D: Dim>(
    group: &GrainGroup<D>,
    region: &GrainRegion<D>,
    random: &mut PortableRandom,
    reader: &Reader,
) -> Option<Vec<f64>> {
    let volume: f64 = (0..D::DIMENSION).map(|axis| region.max.0.get(axis) - region.min.0.get(axis)).product();
    let wanted = group.fraction.as_ref().map_or(f64::INFINITY, |fraction| ***fraction * volume);
    let count = group.count.unwrap_or(u64::MAX);
    let (mut radii, mut filled, mut balls) = (Vec::new(), 0.0, 0.0);
    while (radii.len() as u64) < count && filled < wanted {
        let radius = group.shape.draw(random)?;
        if group.count.is_none() {
            filled += group.shape.volume::<D>(radius);
        }
        if !is_computable(radius) {
            return refuse_radius(radius, group.shape.span(), reader);
        }
        balls += Round { radius }.volume::<D>(1.0);
        radii.push(radius);
        if balls > volume {
            let message = format!("the balls around the first {} grains have more volume than the region", radii.len());
            let help = "make the region larger, take fewer grains, or use a lattice";
            return reader.mistake("E011", &region.span, message, help);
        }
        if radii.len() as u64 > MOST_BODIES {
            let help = format!("take fewer or larger ones: a scenario has at most {MOST_BODIES}");
            return reader.mistake("E261", &region.span, "the region would hold too many grains", help);
        }
    }
    Some(radii)
}

/// PortableRandom sequential addition, large grains first; the order of the result is that of the radii.
fn at_random<D: Dim>(
    region: &GrainRegion<D>,
    radii: Vec<f64>,
    random: &mut PortableRandom,
    room: &Room<D>,
    reader: &Reader,
) -> Option<Vec<GrainSite<D>>> {
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|a, b| radii[*b].total_cmp(&radii[*a]));
    let largest = order.first().map_or(0.0, |k| radii[*k]);
    if (0..D::DIMENSION).any(|axis| region.max.0.get(axis) - region.min.0.get(axis) < 2.0 * largest) {
        let message = format!("the region is narrower than the largest grain (radius {largest} m)");
        return reader.mistake("E011", &region.span, message, "make the region wider: min to max holds whole grains");
    }
    let volume: f64 = (0..D::DIMENSION).map(|axis| region.max.0.get(axis) - region.min.0.get(axis)).product();
    let part = radii.iter().map(|radius| Round { radius: *radius }.volume::<D>(1.0)).sum::<f64>() / volume;
    let is_one_size = radii.len() > FEW && radii.iter().all(|radius| *radius == largest);
    if is_one_size && part > MARGIN * SATURATION[D::DIMENSION - 2] {
        let most = SATURATION[D::DIMENSION - 2];
        let message =
            format!("grains of one size fill at most {most} of a region at random, and {part:.3} is asked for");
        return reader.mistake(
            "E011",
            &region.span,
            message,
            "make the region larger, take fewer grains, or use a lattice",
        );
    }
    let corners =
        [region.min.0, region.max.0].into_iter().flat_map(|corner| (0..D::DIMENSION).map(move |k| corner.get(k)));
    if corners.fold(0.0, |far, x| x.abs().max(far)) > FARTHEST * largest {
        let message = format!("grains of radius {largest} m are too small for a region so far away or so wide");
        let help = "numbers have 16 digits: place grains nearer to the origin, or take larger ones";
        return reader.mistake("E264", &region.span, message, help);
    }
    let widest = largest.max(room.largest());
    let is_short = |cell: &Cell<D>| cell.axes().any(|axis| cell.lengths.get(axis) < THREE_GRAINS * widest);
    if room.cell.is_some_and(is_short) {
        let message = format!("three grains of radius {widest} m do not fit side by side into the cell");
        return reader.mistake("E043", &region.span, message, "make the cell longer, or the grains smaller");
    }
    let mut cells = Cells::new(widest);
    let home = |x: D::Vec| room.cell.map_or(x, |cell| cell.wrap(x));
    room.taken.iter().for_each(|seat| cells.insert(GrainSite { x: home(seat.x), ..*seat }));
    let mut seats = vec![GrainSite { x: D::Vec::ZERO, radius: 0.0 }; radii.len()];
    let (mut tries, tries_in_all) = (0, TRIES_IN_ALL + TRIES_OF_EACH * radii.len() as u64);
    for (placed, &k) in order.iter().enumerate() {
        let radius = radii[k];
        let most = u64::from(TRIES).min(tries_in_all - tries);
        let seat = (0..most).find_map(|_| {
            tries += 1;
            let x = D::Vec::from_fn(|axis| {
                let edge = if room.repeats(region, axis) { 0.0 } else { radius };
                let (low, high) = (region.min.0.get(axis) + edge, region.max.0.get(axis) - edge);
                low + (high - low) * random.unit()
            });
            let seat = GrainSite { x, radius };
            (room.is_clear_of_walls(&seat) && !room.images(&seat, &cells).any(|seat| cells.overlaps(&seat)))
                .then_some(seat)
        });
        let Some(seat) = seat else {
            let message = format!("only {placed} of {} grains found a place at random", radii.len());
            let help = "make the region larger, take fewer grains, or use a lattice";
            return reader.mistake("E011", &region.span, message, help);
        };
        cells.insert(GrainSite { x: home(seat.x), ..seat });
        seats[k] = seat;
    }
    Some(seats)
}

/// What is there already.
pub(crate) struct Room<'a, D: Dim> {
    /// GrainGroup that have their place.
    pub taken: &'a [GrainSite<D>],
    /// Walls.
    pub surfaces: &'a [Surface<D>],
    /// The periodic cell, if there is one.
    pub cell: Option<&'a Cell<D>>,
}

impl<D: Dim> Room<'_, D> {
    /// Whether a region is as long as the cell along an axis, so that grains may lie across its ends.
    fn repeats(&self, region: &GrainRegion<D>, axis: usize) -> bool {
        self.cell.is_some_and(|cell| {
            let end = cell.origin.get(axis) + cell.lengths.get(axis);
            cell.is_periodic[axis] && region.min.0.get(axis) == cell.origin.get(axis) && region.max.0.get(axis) >= end
        })
    }

    /// A seat in the cell and its images near the border of it.
    fn images(&self, seat: &GrainSite<D>, cells: &Cells<D>) -> impl Iterator<Item = GrainSite<D>> {
        let mut images = vec![*seat];
        if let Some(cell) = self.cell {
            images[0].x = cell.wrap(seat.x);
            cell.around(images[0].x, cells.width, |_, x| images.push(GrainSite { x, radius: seat.radius }));
        }
        images.into_iter()
    }

    fn largest(&self) -> f64 {
        self.taken.iter().map(|seat| seat.radius).fold(0.0, f64::max)
    }

    fn is_clear_of_walls(&self, seat: &GrainSite<D>) -> bool {
        let mut clear = true;
        for surface in self.surfaces {
            surface.as_dyn().near(seat.x, seat.radius, &mut |_, _, _| clear = false);
        }
        clear
    }
}

/// Seats in cells, for a quick look around.
struct Cells<D: Dim> {
    width: f64,
    seats: std::collections::HashMap<[i64; 3], Vec<GrainSite<D>>>,
}

impl<D: Dim> Cells<D> {
    fn new(largest: f64) -> Self {
        Cells { width: 2.0 * largest, seats: Default::default() }
    }

    fn cell(&self, x: D::Vec) -> [i64; 3] {
        std::array::from_fn(|axis| if axis < D::DIMENSION { (x.get(axis) / self.width).floor() as i64 } else { 0 })
    }

    fn insert(&mut self, seat: GrainSite<D>) {
        self.seats.entry(self.cell(seat.x)).or_default().push(seat);
    }

    fn overlaps(&self, seat: &GrainSite<D>) -> bool {
        let [x, y, z] = self.cell(seat.x);
        let depth = if D::DIMENSION == 3 { 1 } else { 0 };
        let mut around = (-depth..=depth)
            .flat_map(|dz| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| [x + dx, y + dy, z + dz])));
        around.any(|cell| {
            let touches =
                |other: &GrainSite<D>| (other.x - seat.x).norm_squared() < (other.radius + seat.radius).powi(2);
            self.seats.get(&cell).is_some_and(|others| others.iter().any(touches))
        })
    }
}

/// Sites of a lattice: a cell of `edges` (in spacings) with a basis (in cells), filled from below.
fn on_lattice<D: Dim>(
    group: &GrainGroup<D>,
    lattice: &GrainLattice<D>,
    basis: &[[f64; 3]],
    edges: [f64; 3],
    random: &mut PortableRandom,
    reader: &Reader,
) -> Option<Vec<GrainSite<D>>> {
    let (_, largest) = group.shape.range()?;
    let spacing = lattice.spacing.map_or(2.0 * largest, |spacing| *spacing);
    let sites = sites::<D>(lattice, (largest, spacing), (basis, edges), group.count, reader)?;
    let wanted = group.count.map_or(sites.len(), |count| count as usize);
    if wanted > sites.len() || sites.is_empty() {
        let message = match group.count {
            Some(_) => format!("the region has {} sites {spacing} m apart, {wanted} grains are wanted", sites.len()),
            None => format!("the region has no room for a grain of radius {largest} m"),
        };
        return reader.mistake("E011", &lattice.span, message, "make the region larger or the spacing smaller");
    }
    sites.into_iter().take(wanted).map(|x| Some(GrainSite { x, radius: group.shape.draw(random)? })).collect()
}

/// Sites from below: all of them, or whole layers of cells until there are as many as wanted.
fn sites<D: Dim>(
    lattice: &GrainLattice<D>,
    (largest, spacing): (f64, f64),
    (basis, edges): (&[[f64; 3]], [f64; 3]),
    wanted: Option<u64>,
    reader: &Reader,
) -> Option<Vec<D::Vec>> {
    let (low, high, up) = (lattice.min.0, lattice.max.0, D::DIMENSION - 1);
    let rounding = 1e-9 * spacing; // a region of exactly n spacings holds n, whatever the rounding of its corners
    let count: [i64; 3] = std::array::from_fn(|axis| match axis < D::DIMENSION {
        true => (((high.get(axis) - low.get(axis)) / (spacing * edges[axis])).ceil() as i64).saturating_add(1),
        false => 1,
    });
    let layer = count[..up].iter().map(|count| *count as f64).product::<f64>() * basis.len() as f64;
    if layer > MOST_BODIES as f64 {
        let message = format!("a layer of this lattice has {layer:.1e} sites");
        let help =
            format!("make the region narrower or the spacing wider: a scenario has at most {MOST_BODIES} bodies");
        return reader.mistake("E261", &lattice.span, message, help);
    }
    let mut sites: Vec<D::Vec> = Vec::new();
    let fits = |x: &D::Vec| (0..D::DIMENSION).all(|axis| x.get(axis) + largest <= high.get(axis) + rounding);
    for level in 0..count[up] {
        let before = sites.len();
        for j in 0..if up == 2 { count[1] } else { 1 } {
            for i in 0..count[0] {
                let cell = if up == 2 { [i, j, level] } else { [i, level, 0] };
                let site = |offset: &[f64; 3]| {
                    let along = |axis: usize| (cell[axis] as f64 + offset[axis]) * spacing * edges[axis];
                    D::Vec::from_fn(|axis| low.get(axis) + largest + along(axis))
                };
                sites.extend(basis.iter().map(site).filter(fits));
            }
        }
        if sites.len() == before || wanted.is_some_and(|wanted| sites.len() as u64 >= wanted) {
            break;
        }
    }
    sites.sort_by(|a, b| {
        let height = a.get(up).total_cmp(&b.get(up));
        (0..up).rev().fold(height, |order, axis| order.then(a.get(axis).total_cmp(&b.get(axis))))
    });
    Some(sites)
}

fn from_file<D: Dim>(group: &GrainGroup<D>, file: &str, reader: &Reader) -> Option<Vec<GrainSite<D>>> {
    let at = group.place.span();
    let rows = csv::numbers(reader, at, file, D::DIMENSION + 1)?;
    let wanted = group.count.map_or(rows.len(), |count| count as usize);
    if wanted > rows.len() {
        let message = format!("`{file}` has {} grains, {wanted} are wanted", rows.len());
        return reader.mistake("E011", at, message, "leave `count` out to take them all");
    }
    if let Some(row) = rows.iter().find(|row| row.numbers[D::DIMENSION] <= 0.0) {
        let message = format!("`{file}`: line {} has the radius {}", row.line, row.numbers[D::DIMENSION]);
        let help = format!("radii are more than zero; the columns are {}, r", D::AXES.join(", "));
        return reader.mistake("E007", at, message, help);
    }
    let seat = |row: &csv::CsvRow| GrainSite {
        x: D::Vec::from_fn(|axis| row.numbers[axis]),
        radius: row.numbers[D::DIMENSION],
    };
    Some(rows.iter().take(wanted).map(seat).collect())
}
