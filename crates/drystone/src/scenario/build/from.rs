//! Starting from an earlier run: its grains as they were at the end, at the end of a stage, or in a frame.

use std::collections::HashMap;
use std::path::Path;

use crate::body::{Strains, SymmetricTensor};
use crate::contact::Network;
use crate::dim::{Dim, Vector};
use crate::input::{Node, Placed, Reader, Value};
use crate::list::record;
use crate::record::aside::write_digested;
use crate::record::checkpoint::{self, Progress};
use crate::record::digest::Digest;
use crate::record::files::Files;
use crate::record::{RunFolder, frame_files};
use crate::scenario::build::moment::{Moment, read_tree, stage_names};
use crate::scenario::pack::fill::GrainSite;
use crate::scenario::{Material, Scenario, WallSpec};
use crate::world::{Clock, World};

record! {
    /// Grains of an earlier run to start with.
    pub struct StartFrom at span {
        /// Folder of the run, relative to the folder of the scenario: "run.out" is its end, "run.out@fill" the end of
        /// its stage `fill`, "run.out@12" its frame 12, "run.out@first" and "run.out@last" its first and last frame.
        from: Placed<String>,
        /// Whether grains keep their velocities; otherwise they start at rest.
        moving: bool = true,
        /// Whether grains and blocks of this file are added to them. Otherwise they are replaced, except for grains that
        /// are poured.
        add: bool = false,
        /// Where and when the grains were taken over; written by the program.
        origin: Option<String>,
    }
}

/// The state of an earlier run.
pub struct EarlierRun<D: Dim> {
    /// Its walls, grains and contacts.
    pub world: World<D>,
    /// Names and densities of its materials, in their order.
    materials: Vec<(String, f64)>,
    /// Surfaces of its walls as the scenario wrote them.
    surfaces: Vec<toml::Value>,
    /// Deepest overlap of its grains over the radius.
    overlap: f64,
    /// Ids and names of its named grains.
    names: Vec<(u32, String)>,
    /// Text of its scenario.
    scenario: String,
}

/// Grains that a world took over, for the checks of its start.
pub(in crate::scenario) struct Taken {
    /// Which walls are where they were in the earlier run.
    pub walls: Vec<bool>,
    /// First id of other grains.
    pub ids: u32,
    /// Deepest relative overlap in the earlier run.
    pub overlap: f64,
    /// Ids and names of grains that had names in the earlier run.
    pub names: Vec<(u32, String)>,
}

impl StartFrom {
    /// The start from a run, as it is.
    pub fn at(from: String) -> StartFrom {
        let from = Placed { value: from, at: Default::default() };
        StartFrom { from, moving: true, add: false, origin: None, span: Default::default() }
    }

    /// The folder of the run and what stands after `@`.
    fn parts(&self) -> (&str, Option<&str>) {
        let text = self.from.value.as_str();
        text.rsplit_once('@').map_or((text, None), |(path, moment)| (path, Some(moment)))
    }

    /// Whether it names a frame, which does not hold the history of contacts.
    pub(in crate::scenario) fn is_frame(&self, reader: &Reader) -> bool {
        let (path, moment) = self.parts();
        let Ok(folder) = RunFolder::open(&reader.folder.join(path)) else { return false };
        let Ok((_, tree)) = read_tree(&folder) else { return false };
        matches!(Moment::read(moment, &stage_names(&tree), &folder), Some(Moment::Frame(_)))
    }

    /// Reads the state that it names.
    pub fn read_source<D: Dim>(&self, reader: &Reader) -> Option<EarlierRun<D>> {
        let (path, moment) = self.parts();
        let refuse = |message: String, help: &str| reader.mistake::<()>("E032", &self.from.at, message, help);
        let Ok(folder) = RunFolder::open(&reader.folder.join(path)) else {
            let help = "name the folder of a run: from = \"run.out\", \"run.out@stage\" or \"run.out@12\"";
            refuse(format!("`{path}` holds no run"), help);
            return None;
        };
        let (scenario, tree) = match read_tree(&folder) {
            Ok(read) => read,
            Err(why) => {
                refuse(
                    format!("the scenario.toml of the run in `{path}` is damaged: {why}"),
                    "name a run that is whole",
                );
                return None;
            }
        };
        let dimension = tree.get("dimension").and_then(|node| u64::read(node, &Reader::default()));
        if dimension != Some(D::DIMENSION as u64) {
            let help = "grains of the plane stay in the plane: write the dimension of the run";
            refuse(format!("the run in `{path}` does not have dimension {}", D::DIMENSION), help);
            return None;
        }
        let (stages, name) = (stage_names(&tree), moment.unwrap_or_default());
        let Some(moment) = Moment::read(moment, &stages, &folder) else {
            let frames = "write the number of a frame, `first` or `last`";
            let help = match stages.is_empty() {
                true => format!("the run has no stages: {frames}"),
                false => format!("its stages: {}; or {frames}", stages.join(", ")),
            };
            refuse(format!("the run has no stage `{name}`"), &help);
            return None;
        };
        let state = match moment {
            Moment::Stage(stage) => folder.stage(stage),
            Moment::End | Moment::Frame(_) => folder.checkpoint(),
        };
        if matches!(moment, Moment::Stage(_)) && !state.exists() {
            let help = "go on with the run first: drystone resume";
            refuse(format!("the run has not come to the end of its stage `{name}`"), help);
            return None;
        }
        let loaded = EarlierRun::load(scenario, &tree, &folder, &state);
        let (mut source, files) = match loaded {
            Ok(loaded) => loaded,
            Err(why) => {
                refuse(why, "the run must have a checkpoint of this version of the program, and be as it was written");
                return None;
            }
        };
        if let Moment::Frame(number) = moment
            && let Err(why) = source.go_to_frame(&folder, number, &files)
        {
            refuse(why, "name a frame that `drystone info` counts");
            return None;
        }
        if !self.moving {
            source.world.bodies.twist.iter_mut().for_each(|twist| *twist = Default::default());
            if let Some(Strains { rate, .. }) = &mut source.world.bodies.strains {
                rate.fill(SymmetricTensor::zero());
            }
        }
        let bodies = source.world.bodies.len();
        let contacts = std::mem::take(&mut source.world.network);
        if source.world.sense(&vec![0.0; bodies], |_, _| 0.0).is_ok() {
            source.overlap = source.world.max_overlap();
        }
        source.world.network = contacts;
        Some(source)
    }
}

impl<D: Dim> EarlierRun<D> {
    /// Reads a stored state of a run, which must belong to this scenario. Also returns what the checkpoint knew of the
    /// run's files.
    fn load(text: String, tree: &Node, folder: &RunFolder, state: &Path) -> Result<(EarlierRun<D>, Files), String> {
        // first of all, so that nothing is taken from a changed scenario or from that of another run
        checkpoint::check(folder, state).map_err(|error| error.to_string())?;
        let reader = Reader::new(folder.path().to_path_buf());
        let nodes = |key: &str| tree.get(key).map_or(&[][..], Node::items);
        let walls: Vec<WallSpec<D>> = nodes("wall").iter().filter_map(|node| WallSpec::read(node, &reader)).collect();
        let materials: Vec<Material> =
            nodes("material").iter().filter_map(|node| Material::read(node, &reader)).collect();
        if let Some(mistake) = reader.finish().0.first() {
            return Err(format!("the scenario.toml of the run is damaged: {}", mistake.message));
        }
        let elasticity: Vec<_> = materials.iter().map(|material| material.elastic.clone()).collect();
        let mut source = EarlierRun {
            world: World::default(),
            materials: materials.into_iter().map(|material| (material.name.value, *material.density)).collect(),
            surfaces: walls.iter().map(|wall| wall.surface.write()).collect(),
            overlap: 0.0,
            names: Vec::new(),
            scenario: text,
        };
        for wall in &walls {
            let (surface, mass) = (wall.surface.0.clone(), wall.mass.map(|mass| *mass));
            source.world.push_wall(&wall.name, surface, 0, wall.drive.clone(), mass);
        }
        source.world.set_elasticity(elasticity);
        let progress = checkpoint::load(folder, state, &mut source.world).map_err(|error| error.to_string())?;
        let bodies = &source.world.bodies;
        match source.world.grains().any(|k| usize::from(bodies.material[k]) >= source.materials.len()) {
            true => Err("the run has grains of a material that is not in its scenario.toml".into()),
            false => {
                source.names = progress.names;
                Ok((source, progress.files))
            }
        }
    }

    /// Takes the poses and velocities of bodies from a frame. A frame does not hold the history of contacts.
    fn go_to_frame(&mut self, folder: &RunFolder, number: usize, files: &Files) -> Result<(), String> {
        for (place, own) in files.iter().filter(|(place, _)| frame_files::is_of_frame(place, number)) {
            // the checkpoint does not know frames that are newer than itself
            match Digest::of_file(&folder.path().join(place), None) {
                Ok(found) if found == own => {}
                Ok(_) => return Err(format!("{place} of the run was altered")),
                Err(error) => return Err(format!("cannot read {place} of the run: {error}")),
            }
        }
        let frame = frame_files::read(&folder.frames(), number).map_err(|error| error.to_string())?;
        let world = &mut self.world;
        world.clock = Clock::at(frame.time, frame.step);
        (world.network, world.carried) = (Network::default(), Vec::new());
        let walls = world.setup.walls.len();
        let vector = |components: [f64; 3]| D::Vec::from_fn(|axis| components[axis]);
        for wall in 0..walls.min(frame.wall_states.displacement.len()) {
            world.bodies.pose[wall].x = vector(frame.wall_states.displacement[wall]);
            world.bodies.twist[wall].v = vector(frame.wall_states.velocity[wall]);
        }
        let body: HashMap<u32, usize> = world.grains().map(|k| (world.bodies.id[k], k)).collect();
        let mut kept: Vec<bool> = (0..world.bodies.len()).map(|k| k < walls).collect();
        let grains = &frame.grains;
        for k in 0..grains.id.len() {
            let Some(&body) = body.get(&grains.id[k]) else {
                return Err(format!("grain {} of frame {number} was taken away later", grains.id[k]));
            };
            kept[body] = true;
            let (pose, twist) = (&mut world.state.bodies.pose[body], &mut world.state.bodies.twist[body]);
            (pose.x, pose.q) = (vector(grains.own_position(k)), D::rot_of(grains.orientation[k]));
            (twist.v, twist.w) = (vector(grains.own_velocity(k)), D::spin_of(grains.angular_velocity[k]));
            let of_frame = grains.strain.get(k).zip(grains.strain_rate.get(k));
            if let (Some(strains), Some((strain, rate))) = (&mut world.state.bodies.strains, of_frame) {
                strains.strain[body] = SymmetricTensor::of_space(*strain);
                strains.rate[body] = SymmetricTensor::of_space(*rate);
            }
        }
        world.retain(&kept);
        Ok(())
    }

    /// Time of the state on the clock of its run [s].
    pub fn time(&self) -> f64 {
        self.world.clock.time
    }

    /// Writes the state as a folder that a scenario can start from. Returns the names and digests of its files.
    pub fn keep(&self, folder: &Path) -> std::io::Result<[(&'static str, Digest); 2]> {
        std::fs::create_dir_all(folder)?;
        let text = self.scenario.as_bytes();
        let scenario = write_digested(&folder.join("scenario.toml"), |out| std::io::Write::write_all(out, text))?;
        let mut progress = Progress { names: self.names.clone(), ..Progress::default() };
        progress.files.note("scenario.toml", scenario);
        let state = checkpoint::save(&folder.join("checkpoint.npz"), &self.world, &progress)?;
        Ok([("scenario.toml", scenario), ("checkpoint.npz", state)])
    }
}

impl<D: Dim> Scenario<D> {
    /// Whether grains and blocks that would be placed at the start give way to those of an earlier run.
    pub fn gives_way(&self) -> bool {
        self.start.as_ref().is_some_and(|start| !start.add)
    }

    /// What an earlier run replaces, in words.
    pub fn replaced(&self) -> Option<String> {
        let start = self.start.as_ref().filter(|start| !start.add)?;
        let groups = self.grains.iter().filter(|group| group.pour.is_none()).count();
        let counted = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        };
        let parts = [
            counted(groups, "group of grains", "groups of grains"),
            counted(self.build.len(), "work of blocks", "works of blocks"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let from = start.origin.as_ref().unwrap_or(&start.from.value);
        (!parts.is_empty()).then(|| {
            format!(
                "the grains of {from} replace {} of this scenario; write add = true in [start] to have both",
                parts.join(" and ")
            )
        })
    }

    /// Leaves out what an earlier run replaces.
    pub fn give_way(&mut self) {
        if self.gives_way() {
            self.grains.retain(|group| group.pour.is_some());
            self.build.clear();
        }
    }

    /// Adds the grains of an earlier run to a world that already has its walls.
    pub(in crate::scenario) fn take_over(
        &self,
        world: &mut World<D>,
        start: &StartFrom,
        reader: &Reader,
    ) -> Option<Taken> {
        let source = start.read_source::<D>(reader)?;
        let old = &source.world;
        let refuse = |message: String, help: &str| reader.mistake::<()>("E032", &start.from.at, message, help);
        let mut materials: Vec<Option<u16>> = Vec::new();
        for (number, (name, density)) in source.materials.iter().enumerate() {
            let is_used = old.grains().any(|k| usize::from(old.bodies.material[k]) == number);
            let known = self.material_number(name);
            if let (true, None) = (is_used, known) {
                refuse(
                    format!("the run has grains of \"{name}\", which is no material here"),
                    &format!("add [[material]] with name = \"{name}\""),
                );
                return None;
            }
            // masses are not rescaled: densities must be equal as written
            let differs = |k: usize| *self.material[k].density != *density;
            if let (true, Some(k)) = (is_used, known.filter(|k| differs(*k))) {
                let message =
                    format!("\"{name}\" has {density} kg/m3 in the run and {} here", *self.material[k].density);
                refuse(message, "grains keep their masses: write the density of the run");
                return None;
            }
            materials.push(known.map(|k| k as u16));
        }
        let mut number: Vec<Option<u32>> = Vec::new();
        let mut stand = vec![false; world.setup.walls.len()];
        for (wall, surface) in old.setup.walls.iter().zip(&source.surfaces) {
            let same = |(spec, known): (&WallSpec<D>, &crate::world::DrivenWall<D>)| {
                known.name == wall.name && spec.surface.write() == *surface
            };
            let found = self.wall.iter().zip(&world.setup.walls).position(same);
            if let Some(found) = found {
                let from = number.len();
                (world.bodies.pose[found], world.bodies.twist[found]) = (old.bodies.pose[from], old.bodies.twist[from]);
                stand[found] = true;
            }
            number.push(found.map(|found| found as u32));
        }
        match (&mut world.cell, &old.cell) {
            // the same lattice: periodic images stay where they are
            (Some(cell), Some(known)) if cell.is_periodic == known.is_periodic && cell.origin == known.origin => {
                (cell.lengths, cell.tilt) = (known.lengths, known.tilt);
            }
            (_, Some(_)) => {
                let help = "write the [cell] of the run: its grains touch across the border of it";
                refuse("the run has a periodic cell that is not the one of this scenario".into(), help);
                return None;
            }
            _ => {}
        }
        world.bodies.outlines.clone_from(&old.bodies.outlines);
        world.bodies.sizes.clone_from(&old.bodies.sizes);
        for k in old.grains() {
            let bodies = &old.bodies;
            let material = materials[usize::from(bodies.material[k])].unwrap_or(0);
            let body = world.bodies.push(bodies.pose[k].x, bodies.inertia[k], bodies.shape[k], material, bodies.id[k]);
            (world.bodies.pose[body], world.bodies.twist[body]) = (bodies.pose[k], bodies.twist[k]);
            if let (Some(here), Some(there)) = (&mut world.bodies.strains, &bodies.strains) {
                (here.strain[body], here.rate[body]) = (there.strain[k], there.rate[k]);
            }
            number.push(Some(body as u32));
        }
        world.network = old.network.clone();
        world.network.renumber(&number);
        let ids = old.grains().map(|k| old.bodies.id[k]).max().map_or(0, |id| id + 1);
        self.check_laws(world, start, reader);
        let names = source.names.iter().filter(|(id, _)| world.body_of(*id).is_some()).cloned().collect();
        Some(Taken { walls: stand, ids, overlap: source.overlap, names })
    }

    /// Every material of grains of the earlier run needs a law with every material that it can touch.
    fn check_laws(&self, world: &World<D>, start: &StartFrom, reader: &Reader) {
        let mut here: Vec<u16> = world.grains().map(|k| world.bodies.material[k]).collect();
        here.sort_unstable();
        here.dedup();
        let others = self.grains.iter().map(|group| &group.material).chain(self.wall.iter().map(|wall| &wall.material));
        let mut names: Vec<&str> = here.iter().map(|k| self.material[usize::from(*k)].name.as_str()).collect();
        names.extend(others.map(|name| name.as_str()));
        for &one in &here {
            let one = self.material[usize::from(one)].name.as_str();
            let lacks = |other: &&&str| {
                !self.contact.iter().any(|law| {
                    let pair = [law.between[0].as_str(), law.between[1].as_str()];
                    pair == [one, **other] || pair == [**other, one]
                })
            };
            if let Some(other) = names.iter().find(lacks) {
                let message = format!("no [[contact]] is given between \"{one}\" and \"{other}\"");
                let help = format!("add [[contact]] with between = [\"{one}\", \"{other}\"], friction = 0.5");
                reader.mistake::<()>("E013", &start.from.at, message, help);
                return;
            }
        }
    }

    /// Sites of the grains that are already in a world.
    pub(in crate::scenario) fn seats_of(world: &World<D>) -> Vec<GrainSite<D>> {
        let seat = |k: usize| GrainSite { x: world.bodies.pose[k].x, radius: world.bodies.shape[k].radius() };
        world.grains().map(seat).collect()
    }
}
