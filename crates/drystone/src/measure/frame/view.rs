//! What a measure looks at: a frame, what the frame does not say, and the part of it that was asked for.

use std::fmt;

use super::wall_form::WallForm;
use crate::cell::Cell;
use crate::dim::D3;
use crate::measure::love_weber::ContactForce;
use crate::measure::vector::add;
use crate::record::Frame;

/// What a frame does not say of its run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    /// Length of 2D bodies in the third direction [m]; 1 in 3D.
    pub depth: f64,
    /// Acceleration that acts on every grain [m/s2].
    pub gravity: [f64; 3],
    /// Names of the walls.
    pub walls: Vec<String>,
    /// Their forms, where they stood at the start.
    pub forms: Vec<WallForm>,
    /// Names of the materials.
    pub materials: Vec<String>,
}

/// What part of a frame is measured, and how finely.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureOptions {
    /// Ends of the region along every axis [m]; an end that is not given is where the grains end.
    pub region: [[Option<f64>; 2]; 3],
    /// Cells of a grid along every axis.
    pub cells: Option<[usize; 3]>,
    /// Bins of a distribution or profile.
    pub bins: usize,
    /// Axis of a profile: 0, 1 or 2.
    pub axis: Option<usize>,
    /// Name of the wall that a pressure profile belongs to.
    pub wall: Option<String>,
    /// Part of a wall without end that a pressure profile covers, along the profile and across it [m]; where grains
    /// touch it if nothing is given.
    pub span: Option<[[f64; 2]; 2]>,
    /// How far a pair correlation reaches, in mean diameters.
    pub reach: f64,
    /// Width of the Gaussian of a field, in mean diameters.
    pub width: f64,
    /// Height of the plane that a discharge passes: axis and coordinate [m].
    pub below: Option<(usize, f64)>,
}

impl Default for MeasureOptions {
    fn default() -> Self {
        MeasureOptions {
            region: [[None; 2]; 3],
            cells: None,
            bins: 40,
            axis: None,
            wall: None,
            span: None,
            reach: 5.0,
            width: 1.0,
            below: None,
        }
    }
}

/// Why there is nothing to measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Nothing {
    /// No grain that can move has its centre in the region.
    Grains(FrameRegion),
    /// No contact in the region carries a force: there is none, or the frame is that of the start.
    Contacts,
    /// What the measure needs is not there.
    Lacks(String),
}

impl fmt::Display for Nothing {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Nothing::Grains(region) => write!(out, "no grain that can move has its centre in {region}"),
            Nothing::Contacts => {
                write!(out, "no contact carries a force: nothing touches there, or the frame is that of the start")
            }
            Nothing::Lacks(what) => out.write_str(what),
        }
    }
}

/// An axis-parallel box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRegion {
    /// 2 or 3.
    pub dimension: usize,
    /// Lower corner [m].
    pub min: [f64; 3],
    /// Upper corner [m].
    pub max: [f64; 3],
}

impl FrameRegion {
    /// Whether a point is inside; the lower faces belong to it, the upper ones too.
    pub fn holds(&self, point: [f64; 3]) -> bool {
        (0..self.dimension).all(|axis| (self.min[axis]..=self.max[axis]).contains(&point[axis]))
    }

    /// Length along an axis [m].
    pub fn length(&self, axis: usize) -> f64 {
        self.max[axis] - self.min[axis]
    }

    /// Volume [m3]; a plane one is `depth` thick.
    pub fn volume(&self, depth: f64) -> f64 {
        let space: f64 = (0..self.dimension).map(|axis| self.length(axis)).product();
        if self.dimension == 2 { space * depth } else { space }
    }

    /// Middle [m].
    pub fn middle(&self) -> [f64; 3] {
        std::array::from_fn(|axis| 0.5 * (self.min[axis] + self.max[axis]))
    }
}

impl fmt::Display for FrameRegion {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        for axis in 0..self.dimension {
            let comma = if axis == 0 { "" } else { "," };
            write!(out, "{comma}{}={:.6}..{:.6}", ["x", "y", "z"][axis], self.min[axis], self.max[axis])?;
        }
        Ok(())
    }
}

/// A frame as a measure sees it.
#[derive(Clone, Copy, Debug)]
pub struct FrameView<'v> {
    /// The frame.
    pub frame: &'v Frame,
    /// What the frame does not say.
    pub setting: &'v Setting,
    /// What was asked for.
    pub options: &'v MeasureOptions,
    /// The frame that strains and energies count from.
    pub first: Option<&'v Frame>,
    /// The frame before this one.
    pub before: Option<&'v Frame>,
}

impl<'v> FrameView<'v> {
    /// A view of a single frame as a whole.
    pub fn whole(frame: &'v Frame, setting: &'v Setting, options: &'v MeasureOptions) -> FrameView<'v> {
        FrameView { frame, setting, options, first: None, before: None }
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        self.frame.dimension
    }

    /// The frame that strains and energies count from.
    pub fn since(&self) -> Result<&'v Frame, Nothing> {
        match self.first {
            Some(first) if first.time <= self.frame.time => Ok(first),
            Some(_) => Err(Nothing::Lacks("the frame is from before the stage that it counts from".into())),
            None => Err(Nothing::Lacks("there is no frame that it counts from".into())),
        }
    }

    /// Refuses frames with clumps, and those of space with polyhedra, for measures that know disks, polygons and
    /// spheres.
    pub fn without_polyhedra(&self, what: &str) -> Result<(), Nothing> {
        if !self.frame.grains.radii.is_empty() {
            return Err(Nothing::Lacks(format!("{what} is known for disks, polygons and spheres, not for clumps")));
        }
        match self.frame.dimension == 3 && self.frame.grains.outline.iter().any(|outline| *outline >= 0) {
            true => Err(Nothing::Lacks(format!("{what} is known for spheres, not for polyhedra"))),
            false => Ok(()),
        }
    }

    /// Names of the axes.
    pub fn axes(&self) -> &'static [&'static str] {
        &["x", "y", "z"][..self.frame.dimension]
    }

    /// Whether a grain can move.
    pub fn is_free(&self, grain: usize) -> bool {
        self.frame.grains.mass[grain].is_finite()
    }

    /// Radius of a round grain along a unit vector, to first order in its strain [m].
    fn radius_along(&self, grain: usize, [x, y, z]: [f64; 3]) -> f64 {
        let grains = &self.frame.grains;
        let radius = grains.radius[grain];
        grains.strain.get(grain).map_or(radius, |[xx, yy, zz, xy, yz, xz]| {
            let stretch = xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + yz * y * z + xz * x * z);
            radius * (1.0 + stretch)
        })
    }

    /// The region asked for; where nothing was asked, the periodic cell, or the box around the grains that can move.
    pub fn region(&self) -> Result<FrameRegion, Nothing> {
        let grains = &self.frame.grains;
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for k in (0..grains.position.len()).filter(|k| self.is_free(*k)) {
            let corners = grains.corners_now(k);
            for axis in 0..3 {
                let reach = |pick: fn(f64, f64) -> f64, sign: f64| match &corners {
                    Some(corners) => corners.iter().map(|c| c[axis]).fold(grains.position[k][axis], pick),
                    None => {
                        let along = std::array::from_fn(|k| if k == axis { 1.0 } else { 0.0 });
                        grains.position[k][axis] + sign * self.radius_along(k, along)
                    }
                };
                min[axis] = min[axis].min(reach(f64::min, -1.0));
                max[axis] = max[axis].max(reach(f64::max, 1.0));
            }
        }
        for axis in (0..self.dimension()).filter(|axis| self.repeats(*axis)) {
            if let Some(cell) = &self.frame.cell {
                min[axis] = cell.origin[axis];
                max[axis] = cell.origin[axis] + cell.lengths[axis];
            }
        }
        for (axis, [low, high]) in self.options.region.iter().enumerate().take(self.dimension()) {
            min[axis] = low.unwrap_or(min[axis]);
            max[axis] = high.unwrap_or(max[axis]);
        }
        if self.dimension() == 2 {
            (min[2], max[2]) = (0.0, 0.0);
        }
        let region = FrameRegion { dimension: self.dimension(), min, max };
        let is_box = (0..self.dimension()).all(|axis| min[axis] < max[axis]);
        if is_box && !self.grains_in(&region).is_empty() { Ok(region) } else { Err(Nothing::Grains(region)) }
    }

    /// The periodic cell, if there is one.
    pub fn cell(&self) -> Option<Cell<D3>> {
        self.frame.cell.as_ref().map(Cell::from)
    }

    /// Whether all of a periodic cell is measured along an axis, so that there is no end.
    pub fn repeats(&self, axis: usize) -> bool {
        let repeats = self.frame.cell.as_ref().is_some_and(|cell| cell.is_periodic[axis]);
        repeats && self.options.region[axis] == [None; 2]
    }

    /// All grains, each with those of its images that lie no further than `margin` beyond the sides of a periodic
    /// cell: their numbers, how far the images are away [m], and how much faster they move [m/s].
    pub fn with_images(&self, margin: f64) -> Vec<(usize, [f64; 3], [f64; 3])> {
        let position = &self.frame.grains.position;
        let mut all: Vec<_> = (0..position.len()).map(|k| (k, [0.0; 3], [0.0; 3])).collect();
        if let Some(cell) = self.cell() {
            for (k, x) in position.iter().enumerate() {
                cell.around(glam::DVec3::from_array(*x), margin, |image, _| {
                    all.push((k, cell.shift(image).to_array(), cell.image_velocity(image).to_array()));
                });
            }
        }
        all
    }

    /// A point, brought into the periodic cell if there is one.
    pub fn home(&self, point: [f64; 3]) -> [f64; 3] {
        self.cell().map_or(point, |cell| cell.wrap(glam::DVec3::from_array(point)).to_array())
    }

    /// Grains that can move and have their centre in a region.
    pub fn grains_in(&self, region: &FrameRegion) -> Vec<usize> {
        let grains = &self.frame.grains;
        (0..grains.position.len()).filter(|k| self.is_free(*k) && region.holds(grains.position[*k])).collect()
    }

    /// Contacts that carry a force, with the grains that they join: their numbers in the columns.
    pub fn contact_forces(&self) -> Vec<ContactForce> {
        let contacts = &self.frame.contacts;
        (0..contacts.a.len()).filter_map(|k| self.contact_force(k)).collect()
    }

    fn contact_force(&self, contact: usize) -> Option<ContactForce> {
        let (contacts, grains) = (&self.frame.contacts, &self.frame.grains);
        let find = |id: i32| u32::try_from(id).ok().and_then(|id| grains.id.binary_search(&id).ok());
        let (a, b) = (find(contacts.a[contact]), find(contacts.b[contact])?);
        let normal = contacts.normal[contact];
        let (arm_a, arm_b) = match (a, contacts.arm_b.get(contact)) {
            (Some(_), Some(arm_b)) => (contacts.arm_a[contact], *arm_b),
            // overlapping round grains meet in the middle of the overlap
            (Some(a), None) => {
                let half = 0.5 * contacts.gap[contact];
                let [ra, rb] = [a, b].map(|grain| self.radius_along(grain, normal) + half);
                (normal.map(|n| n * ra), normal.map(|n| -n * rb))
            }
            (None, Some(arm_b)) => ([0.0; 3], *arm_b),
            // on the surface of the wall
            (None, None) => {
                let rb = self.radius_along(b, normal) + contacts.gap[contact];
                ([0.0; 3], normal.map(|n| -n * rb))
            }
        };
        Some(ContactForce { contact, a, b, arm_a, arm_b, force: contacts.force(contact) })
    }

    /// Contacts between grains, or with walls, that carry a force and whose point lies in a region.
    pub fn contact_forces_in(&self, region: &FrameRegion) -> Vec<ContactForce> {
        let place = |force: &ContactForce| self.home(add(self.frame.grains.position[force.b], force.arm_b));
        self.contact_forces().into_iter().filter(|force| region.holds(place(force))).collect()
    }

    /// Mean diameter of some grains [m].
    pub fn mean_diameter(&self, grains: &[usize]) -> f64 {
        2.0 * grains.iter().map(|k| self.frame.grains.radius[*k]).sum::<f64>() / grains.len() as f64
    }
}
