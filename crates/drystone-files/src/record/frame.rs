//! A frame: what the grains, their contacts and the walls look like at one instant.
//!
//! Plain columns without a dimension parameter (2D has z = 0), so that writers, readers and pictures need no `D`.

/// The visible state of a world at one instant. Vectors have three components; in 2D the third is zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// 2 or 3.
    pub dimension: usize,
    /// Time of the clock [s].
    pub time: f64,
    /// Number of steps made since the start.
    pub step: u64,
    /// Length of the last step [s].
    pub time_step: f64,
    /// Residual of the contact laws in the last step, as the method states it: eps_nat, a ratio.
    pub residual: f64,
    /// Estimated error of the forces in the last step, as the method states it, a ratio.
    pub force_error: f64,
    /// Velocity error of the last step, a ratio.
    pub velocity_error: f64,
    /// Largest growth of an overlap in the last step over the smaller radius, a ratio.
    pub overlap_growth: f64,
    /// Whether the last step reached the accuracy asked for, as the method states it.
    pub converged: bool,
    /// Energy that contacts took out since the start [J].
    pub dissipated: f64,
    /// Energy that moving walls put in since the start [J].
    pub wall_work: f64,
    /// Energy that soft contacts store now [J].
    pub elastic: f64,
    /// The periodic cell, if there is one.
    pub cell: Option<CellState>,
    /// One entry for each grain. In a periodic cell these are the images that lie in it.
    pub grains: Grains,
    /// One entry for each contact that carries an impulse.
    pub contacts: Contacts,
    /// One entry for each wall face, clipped to the scene.
    pub walls: Vec<Face>,
    /// One entry for each wall.
    pub wall_states: WallStates,
}

/// A periodic cell: its lattice of images, and what makes that change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellState {
    /// Lower corner [m].
    pub origin: [f64; 3],
    /// Along which axes there are images.
    pub is_periodic: [bool; 3],
    /// Distances of the images along the axes [m].
    pub lengths: [f64; 3],
    /// How fast they grow [m/s].
    pub stretching: [f64; 3],
    /// The plane in which it is sheared, if it can be.
    pub shear: Option<ShearPlane>,
    /// How far images one cell across lie further along [m].
    pub tilt: f64,
    /// Rate of the shear [1/s].
    pub rate: f64,
    /// What presses the cell, if its lengths or its shear follow a stress.
    pub press: Option<CellPress>,
    /// Accelerations of lengths that follow a stress, as a method that integrates them carries them [m/s2].
    pub stretching_urge: [f64; 3],
    /// The same of images that slide [m/s2].
    pub sliding_urge: f64,
}

/// In which plane a cell is sheared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShearPlane {
    /// Axis along which the images move.
    pub along: usize,
    /// Axis across which they lie.
    pub across: usize,
}

/// A stress that a cell follows.
#[derive(Clone, Debug, PartialEq)]
pub struct CellPress {
    /// Inertia of each length, and of the sliding [kg].
    pub mass: f64,
    /// Normal stresses along the axes, compression positive [Pa].
    pub stress: [f64; 3],
    /// Shear stress on the images across, along the shear direction, if the shear follows it [Pa].
    pub shear: Option<f64>,
    /// Axes whose lengths follow.
    pub follows: [bool; 3],
    /// Length of 2D bodies in the third direction [m]; 1 in space.
    pub depth: f64,
}

/// Columns of grains, all of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grains {
    /// Centre [m].
    pub position: Vec<[f64; 3]>,
    /// Radius [m].
    pub radius: Vec<f64>,
    /// Velocity of the centre [m/s].
    pub velocity: Vec<[f64; 3]>,
    /// Angular velocity [rad/s]; in 2D only the third component differs from zero.
    pub angular_velocity: Vec<[f64; 3]>,
    /// Velocity at the start of the last step [m/s]; the velocity itself before the first.
    pub previous_velocity: Vec<[f64; 3]>,
    /// Angular velocity at the start of the last step [rad/s]; the angular velocity itself before the first.
    pub previous_angular_velocity: Vec<[f64; 3]>,
    /// Orientation as a unit quaternion x, y, z, w.
    pub orientation: Vec<[f64; 4]>,
    /// Mass [kg]; infinite for a grain that is fixed.
    pub mass: Vec<f64>,
    /// Strain: xx, yy, zz, xy, yz, xz. Empty if all grains are rigid.
    pub strain: Vec<[f64; 6]>,
    /// Rate of the strain [1/s]; empty if all grains are rigid.
    pub strain_rate: Vec<[f64; 6]>,
    /// Centres of the grains themselves, which are never wrapped back into a periodic cell [m]; empty without a cell.
    pub own_position: Vec<[f64; 3]>,
    /// Their velocities [m/s]: those of their images differ where the cell is sheared. Empty without a cell.
    pub own_velocity: Vec<[f64; 3]>,
    /// Their velocities at the start of the last step [m/s]; empty without a cell.
    pub own_previous_velocity: Vec<[f64; 3]>,
    /// Number of the grain, as the scenario placed it.
    pub id: Vec<u32>,
    /// Number of the material, in the order of the scenario.
    pub material: Vec<u32>,
    /// 1 for a grain that turns, 0 for one that does not; empty if all do.
    pub turns: Vec<u8>,
    /// Number of the outline of a grain, -1 for a disk or sphere; empty if all grains are round.
    pub outline: Vec<i32>,
    /// Outlines: corners, or centres of balls, relative to the centre of mass of a grain that is not turned [m].
    pub outlines: Vec<Vec<[f64; 3]>>,
    /// Faces of the outlines in 3D: the numbers of their corners, counter-clockwise as seen from outside. Empty in 2D.
    pub faces: Vec<Vec<Vec<u32>>>,
    /// Radii of the balls of clumps, one radius for the two ends of a capsule, none for polygons and polyhedra [m].
    /// Empty if no outline has any.
    pub radii: Vec<Vec<f64>>,
}

impl Frame {
    /// The frame with the grains themselves in place of their images in a periodic cell.
    pub fn of_grains_themselves(&self) -> std::borrow::Cow<'_, Frame> {
        if self.grains.own_position.is_empty() {
            return std::borrow::Cow::Borrowed(self);
        }
        let mut frame = self.clone();
        frame.grains.position.clone_from(&self.grains.own_position);
        frame.grains.velocity.clone_from(&self.grains.own_velocity);
        frame.grains.previous_velocity.clone_from(&self.grains.own_previous_velocity);
        std::borrow::Cow::Owned(frame)
    }
}

impl Grains {
    /// Where a grain itself is: its displacement does not jump at the border of a periodic cell [m].
    pub fn own_position(&self, grain: usize) -> [f64; 3] {
        self.own_position.get(grain).copied().unwrap_or(self.position[grain])
    }

    /// How a grain itself moves [m/s].
    pub fn own_velocity(&self, grain: usize) -> [f64; 3] {
        self.own_velocity.get(grain).copied().unwrap_or(self.velocity[grain])
    }

    /// Corners of a grain with flat faces, relative to its centre and in its own frame; `None` for a round one.
    pub fn corners(&self, grain: usize) -> Option<&[[f64; 3]]> {
        let number = usize::try_from(*self.outline.get(grain)?).ok()?;
        let is_round = self.radii.get(number).is_some_and(|radii| !radii.is_empty());
        self.outlines.get(number).filter(|_| !is_round).map(Vec::as_slice)
    }

    /// Centres of the balls of a clump, or the ends of a capsule's segment, in the frame of the grain, with their
    /// radii; `None` for other grains.
    pub fn balls(&self, grain: usize) -> Option<(&[[f64; 3]], &[f64])> {
        let number = usize::try_from(*self.outline.get(grain)?).ok()?;
        let radii = self.radii.get(number).filter(|radii| !radii.is_empty())?;
        Some((self.outlines.get(number)?, radii))
    }

    /// Centres of the balls of a clump where they are, or the ends of a capsule's segment, and their radii.
    pub fn balls_now(&self, grain: usize) -> Option<(Vec<[f64; 3]>, &[f64])> {
        let (centres, radii) = self.balls(grain)?;
        Some((centres.iter().map(self.place(grain)).collect(), radii))
    }

    /// Maps a position in the frame of a grain to the world.
    fn place(&self, grain: usize) -> impl Fn(&[f64; 3]) -> [f64; 3] {
        let [x, y, z, w] = self.orientation[grain];
        let turn = glam::DQuat::from_xyzw(x, y, z, w);
        let centre = glam::DVec3::from_array(self.position[grain]);
        move |corner| (centre + turn * glam::DVec3::from_array(*corner)).to_array()
    }

    /// Faces of a polyhedron: the numbers of their corners; `None` for other grains.
    pub fn faces(&self, grain: usize) -> Option<&[Vec<u32>]> {
        let number = usize::try_from(*self.outline.get(grain)?).ok()?;
        self.faces.get(number).filter(|faces| !faces.is_empty()).map(Vec::as_slice)
    }

    /// Corners of a grain with flat faces where they are.
    pub fn corners_now(&self, grain: usize) -> Option<Vec<[f64; 3]>> {
        Some(self.corners(grain)?.iter().map(self.place(grain)).collect())
    }
}

/// Columns of contacts, all of one length. The force acts on b, its negative on a.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Where the line of the contact starts: the centre of grain a, or the foot of the contact on a wall [m]. In a
    /// periodic cell b is where its image in the cell is, and a is the image of a that touches it.
    pub from: Vec<[f64; 3]>,
    /// Where it ends: the centre of grain b [m].
    pub to: Vec<[f64; 3]>,
    /// Id of grain a, or -1 - k for wall number k.
    pub a: Vec<i32>,
    /// Id of grain b.
    pub b: Vec<i32>,
    /// Unit normal from a to b.
    pub normal: Vec<[f64; 3]>,
    /// Normal force, averaged over the time step [N].
    pub normal_force: Vec<f64>,
    /// Tangential force on b as a vector, averaged over the time step [N].
    pub tangential_force: Vec<[f64; 3]>,
    /// Torque on b that the contact itself transmits, by rolling and torsion, averaged over the time step [N m].
    pub torque: Vec<[f64; 3]>,
    /// Coefficient of friction in this step.
    pub friction: Vec<f64>,
    /// Velocity that the contact law adds to the relative velocity u in this step [m/s]: n g_pos / dt.
    pub bias: Vec<[f64; 3]>,
    /// Gap [m]; negative = overlap.
    pub gap: Vec<f64>,
    /// 1 = stick, 2 = slide, 0 = open: an inexact solve left it with a force that does not press.
    pub regime: Vec<u8>,
    /// From the centre of a to where the force acts, when the contact was found [m]; for a wall from the axis about
    /// which it spins, or zero. Empty if all grains are round and no mesh or turned profile spins.
    pub arm_a: Vec<[f64; 3]>,
    /// From the centre of b to where the force acts, when the contact was found [m]. Empty where `arm_a` is.
    pub arm_b: Vec<[f64; 3]>,
    /// 1 for a contact of stones that was found where the motion of the step leads, 0 for one of its start; empty if
    /// all are of the start.
    pub ahead: Vec<u8>,
    /// Velocity of a that led to where the contact was found ahead, zero for one of the start [m/s]; empty where
    /// `ahead` is.
    pub ahead_velocity_a: Vec<[f64; 3]>,
    /// Its angular velocity then [rad/s].
    pub ahead_spin_a: Vec<[f64; 3]>,
    /// The same of b [m/s].
    pub ahead_velocity_b: Vec<[f64; 3]>,
    /// Its angular velocity then [rad/s].
    pub ahead_spin_b: Vec<[f64; 3]>,
}

impl Contacts {
    /// Force of contact `k` on b, averaged over the time step [N].
    pub fn force(&self, k: usize) -> [f64; 3] {
        std::array::from_fn(|axis| self.normal[k][axis] * self.normal_force[k] + self.tangential_force[k][axis])
    }
}

/// Columns of walls, all of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallStates {
    /// How far it has moved since the start [m].
    pub displacement: Vec<[f64; 3]>,
    /// Velocity at the end of the last step [m/s].
    pub velocity: Vec<[f64; 3]>,
    /// Velocity at the start of the last step, as the wall was driven in it [m/s].
    pub previous_velocity: Vec<[f64; 3]>,
    /// Angular velocity in the last step, as the wall was driven in it [rad/s].
    pub angular_velocity: Vec<[f64; 3]>,
    /// Whether grains pass it, 1, or not, 0.
    pub open: Vec<u8>,
    /// Mass of a piston in the last step [kg]; infinite for a wall that nothing moves but its drive.
    pub mass: Vec<f64>,
    /// Force that drives a piston, averaged over the time step [N].
    pub drive: Vec<[f64; 3]>,
    /// Force of all grains on the wall, averaged over the time step [N].
    pub force: Vec<[f64; 3]>,
}

/// A face of a wall: a segment (2 corners, 2D) or a convex polygon (3D), clipped to the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// Number of the wall, in the order of the scenario.
    pub wall: u32,
    /// Corners in order [m].
    pub corners: Vec<[f64; 3]>,
}
