//! The exact state of a run, from which it continues with the same bits: `checkpoint.npz`.

use std::io;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::RunFolder;
use super::account::{Opened, VERSION, open};
use super::coded::{coded, prefixed};
use super::digest::Digest;
use super::files::Files;
use super::npz::{self, Arrays, Writer, invalid};
use super::report::{Report, Told};
use crate::body::{Bodies, Inertia, Pose, Strains, SymmetricTensor, Twist};
use crate::cell::Cell;
use crate::contact::{Contact, ContactKey, ContactMemory, Network, Regime};
use crate::dim::{Dim, Vector};
use crate::shape::{Outline, Round, Shape};
use crate::world::{ClockBase, State, World};

/// The progress of a run, in addition to the state of its world.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    /// Times at which stages started [s]; the last one is that of the present stage.
    pub stage_starts: Vec<f64>,
    /// What the rules of the run and of its stage remember, in their order.
    pub marks: [Vec<Mark>; 2],
    /// How far the walls had moved when the stage began, wall by wall [m].
    pub walls_at_start: Vec<f64>,
    /// How many grains of each poured group have been added so far.
    pub poured: Vec<u64>,
    /// Id of the first grain that is poured.
    pub first_poured: u32,
    /// Ids and names of named grains, for runs that start with them.
    pub names: Vec<(u32, String)>,
    /// Times of the frames written [s].
    pub frames: Vec<f64>,
    /// Rows of the series.
    pub rows: u64,
    /// Bytes of the series.
    pub series_length: u64,
    /// Bytes of the table of events.
    pub events_length: u64,
    /// Whether the run has come to its end.
    pub finished: bool,
    /// What is known of the run.
    pub report: Report,
    /// Warnings that were reported before the first step, or when the run was resumed.
    pub told: Vec<Told>,
    /// Counts of the monitors of artefacts.
    pub counts: Vec<(String, Vec<f64>)>,
    /// Files written so far, and what they hold; of tables that grow the rows up to this moment.
    pub files: Files,
}

/// What a rule that ends a stage remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mark {
    /// Since when it holds [s].
    pub since: Option<f64>,
    /// Number of grains that had passed at the last count.
    pub count: u64,
}

/// Writes state and progress; returns the digest of the file.
pub(crate) fn save<D: Dim>(path: &Path, state: &State<D>, progress: &Progress) -> io::Result<Digest> {
    npz::write_sealed(path, |out| add_all(out, state, progress))
}

fn add_all<D: Dim>(out: &mut Writer, state: &State<D>, progress: &Progress) -> io::Result<()> {
    let State { clock, gravity, bodies, cell, network, ledger, collisions, carried } = state;
    let notes = json!({
        "version": VERSION,
        "dimension": D::DIMENSION,
        "step": clock.step,
        "time": clock.time,
        "clock_base": [json!(clock.base.time), json!(clock.base.step), json!(clock.base.length)],
        "gravity": flatten(std::iter::once(*gravity)),
        "cell": cell.as_ref().map(cell_numbers),
        "dissipated": ledger.dissipated,
        "wall_work": ledger.wall_work,
        "elastic": ledger.elastic,
        "taken": ledger.taken,
        "collisions": [json!(collisions.all), json!(collisions.elastic), json!(collisions.virial)],
        "stage_starts": progress.stage_starts,
        "marks": progress.marks.each_ref().map(|marks| marks.iter().map(mark_json).collect::<Vec<_>>()),
        "walls_at_start": progress.walls_at_start,
        "poured": progress.poured,
        "first_poured": progress.first_poured,
        "names": progress.names,
        "frames": progress.frames,
        "rows": progress.rows,
        "series_length": progress.series_length,
        "events_length": progress.events_length,
        "finished": progress.finished,
        "report": progress.report.to_json(),
        "told": progress.told.iter().map(Told::to_json).collect::<Vec<_>>(),
        "counts": progress.counts.iter().map(|(name, counts)| json!([name, counts.len()])).collect::<Vec<_>>(),
    });
    out.add("notes_json", 0, notes.to_string().into_bytes())?;
    let [names, digests] = progress.files.columns();
    out.add("file_names", 0, names)?;
    out.add("file_digests", Digest::LENGTH, digests)?;
    out.add("counts", 0, progress.counts.iter().flat_map(|(_, counts)| counts.clone()).collect::<Vec<_>>())?;
    out.add("position", D::Vec::LEN, flatten(bodies.pose.iter().map(|pose| pose.x)))?;
    let angles = D::rot_numbers(D::UPRIGHT).len();
    out.add("orientation", angles, bodies.pose.iter().flat_map(|pose| D::rot_numbers(pose.q)).collect::<Vec<_>>())?;
    out.add("velocity", D::Vec::LEN, flatten(bodies.twist.iter().map(|twist| twist.v)))?;
    out.add("angular_velocity", D::Spin::LEN, flatten(bodies.twist.iter().map(|twist| twist.w)))?;
    out.add("inverse_mass", 0, bodies.inertia.iter().map(|inertia| inertia.inv_m).collect::<Vec<_>>())?;
    out.add("inverse_moments", D::Moments::LEN, flatten(bodies.inertia.iter().map(|inertia| inertia.inv_i)))?;
    out.add("radius", 0, bodies.shape.iter().map(Shape::radius).collect::<Vec<_>>())?;
    let outline = |shape: &Shape| shape.outline().map_or(-1, i64::from);
    out.add("outline", 0, bodies.shape.iter().map(outline).collect::<Vec<_>>())?;
    out.add(
        "outline_corners",
        0,
        bodies.outlines.iter().map(|outline| outline.corners.len() as u64).collect::<Vec<_>>(),
    )?;
    out.add("corner", D::Vec::LEN, flatten(bodies.outlines.iter().flat_map(|o| o.corners.iter().copied())))?;
    out.add("edge_normal", D::Vec::LEN, flatten(bodies.outlines.iter().flat_map(|o| o.normals.iter().copied())))?;
    let faces = || bodies.outlines.iter().flat_map(|outline| &outline.faces);
    out.add(
        "outline_faces",
        0,
        bodies.outlines.iter().map(|outline| outline.normals.len() as u64).collect::<Vec<_>>(),
    )?;
    out.add("face_corners", 0, faces().map(|face| face.len() as u64).collect::<Vec<_>>())?;
    out.add("face_corner", 0, faces().flatten().copied().collect::<Vec<_>>())?;
    out.add("outline_radii", 0, bodies.outlines.iter().map(|outline| outline.radii.len() as u64).collect::<Vec<_>>())?;
    out.add(
        "ball_radius",
        0,
        bodies.outlines.iter().flat_map(|outline| outline.radii.iter().copied()).collect::<Vec<_>>(),
    )?;
    out.add("material", 0, &bodies.material)?;
    out.add("id", 0, &bodies.id)?;
    if let Some(Strains { strain, rate }) = &bodies.strains {
        out.add("strain", D::Vec::LEN + D::Spin::LEN, tensors(strain))?;
        out.add("strain_rate", D::Vec::LEN + D::Spin::LEN, tensors(rate))?;
    }
    let Network { contacts, memory, history, .. } = network;
    out.add("contact_key", 3, contacts.iter().flat_map(|c| [c.key.a, c.key.b, c.key.feature]).collect::<Vec<_>>())?;
    out.add("contact_gap", 0, contacts.iter().map(|c| c.gap).collect::<Vec<_>>())?;
    for (name, column) in vectors() {
        out.add(name, D::Vec::LEN, flatten(contacts.iter().map(column)))?;
    }
    out.add("contact_impulse", D::Vec::LEN, flatten(memory.iter().map(|m| m.impulse)))?;
    out.add("contact_torque", D::Spin::LEN, flatten(memory.iter().map(|m| m.torque)))?;
    out.add("contact_bond", 0, memory.iter().map(|m| m.bond.unwrap_or(f64::NAN)).collect::<Vec<_>>())?;
    out.add("contact_regime", 0, memory.iter().map(|m| m.regime as u8).collect::<Vec<_>>())?;
    out.add("contact_history", 0, history)?;
    out.add("carried", 0, carried)
}

/// The state of a periodic cell: lengths, their rates, accelerations of stress-controlled lengths, tilt, rate of the
/// shear, and acceleration of images that slide under a stress.
fn cell_numbers<D: Dim>(cell: &Cell<D>) -> Vec<f64> {
    let mut numbers = flatten([cell.lengths, cell.stretching, cell.urge.stretching].into_iter());
    numbers.extend([cell.tilt, cell.rate, cell.urge.sliding]);
    numbers
}

type VectorColumn<D> = fn(&Contact<D>) -> <D as Dim>::Vec;

fn vectors<D: Dim>() -> [(&'static str, VectorColumn<D>); 4] {
    [
        ("contact_normal", |c| c.normal),
        ("contact_arm_a", |c| c.arm_a),
        ("contact_arm_b", |c| c.arm_b),
        ("contact_jump", |c| c.image_velocity),
    ]
}

/// Diagonals and other entries of tensors, one tensor after the other.
fn tensors<D: Dim>(tensors: &[SymmetricTensor<D>]) -> Vec<f64> {
    let numbers = |tensor: &SymmetricTensor<D>| {
        let mut numbers = flatten(std::iter::once(tensor.diagonal));
        numbers.extend(flatten(std::iter::once(tensor.shear)));
        numbers
    };
    tensors.iter().flat_map(numbers).collect()
}

fn flatten<V: Vector>(vectors: impl Iterator<Item = V>) -> Vec<f64> {
    let mut numbers = Vec::with_capacity(vectors.size_hint().0 * V::LEN);
    vectors.for_each(|v| numbers.extend((0..V::LEN).map(|axis| v.get(axis))));
    numbers
}

/// Reads the state that [`save`] wrote into a world that is set up as the scenario says.
///
/// It must be complete, and belong to the scenario of the folder; otherwise that is an error with code E254.
pub(crate) fn load<D: Dim>(folder: &RunFolder, path: &Path, world: &mut World<D>) -> io::Result<Progress> {
    let read = || {
        let Opened { arrays: mut file, notes, files } = open(path)?;
        check_scenario(folder, &files)?;
        let mut bodies = read_bodies::<D>(&mut file, world.setup.walls.len())?;
        if world.bodies.strains.is_some() {
            bodies.strains = Some(read_strains(&mut file, bodies.len())?);
        }
        let network = read_network::<D>(&mut file, bodies.len())?;
        let carried: Vec<f64> = file.flat("carried")?;
        if !carried.len().is_multiple_of(bodies.len().max(1)) {
            return Err(invalid("its column `carried` does not fit".into()));
        }
        let counts = read_counts(&notes, &file.flat::<f64>("counts")?);
        let counts = counts.ok_or_else(|| invalid("its column `counts` does not fit".into()))?;
        Ok((notes, (files, counts), bodies, network, carried))
    };
    let (notes, (files, counts), bodies, network, carried) = read().map_err(|error| named(path, error))?;
    let state = &mut world.state;
    state.bodies = bodies;
    state.network = network;
    state.carried = carried;
    let progress = read_notes(&notes, state).map(|progress| Progress { files, counts, ..progress });
    progress.ok_or_else(|| named(path, invalid("its notes are not complete".into())))
}

/// Checks that a state is complete, and belongs to the scenario of the folder; otherwise an error with code E254.
pub(crate) fn check(folder: &RunFolder, path: &Path) -> io::Result<()> {
    let read = || open(path).and_then(|opened| check_scenario(folder, &opened.files));
    read().map_err(|error| named(path, error))
}

/// The scenario that the folder holds must be the one that the checkpoint was made with.
fn check_scenario(folder: &RunFolder, files: &Files) -> io::Result<()> {
    let path = folder.scenario();
    let own = Digest::of_file(&path, None);
    let own = own.map_err(|error| prefixed(&format!("cannot read {}", path.display()), error))?;
    if files.get("scenario.toml") == Some(own) {
        return Ok(());
    }
    let message = format!("it belongs to another scenario than {}, or that was changed", path.display());
    Err(coded(io::ErrorKind::InvalidData, "E254", message))
}

fn mark_json(mark: &Mark) -> Json {
    json!([mark.since, mark.count])
}

fn read_names(names: &Json) -> Option<Vec<(u32, String)>> {
    let name = |entry: &Json| Some((u32::try_from(entry[0].as_u64()?).ok()?, entry[1].as_str()?.to_string()));
    names.as_array()?.iter().map(name).collect()
}

fn read_marks(marks: &Json) -> Option<Vec<Mark>> {
    let mark = |mark: &Json| Some(Mark { since: mark[0].as_f64(), count: mark[1].as_u64()? });
    marks.as_array()?.iter().map(mark).collect()
}

/// The counts, by name: the numbers of all names are in one column, one after the other.
fn read_counts(notes: &Json, numbers: &[f64]) -> Option<Vec<(String, Vec<f64>)>> {
    let mut left = numbers;
    let mut counts = Vec::new();
    for entry in notes["counts"].as_array()? {
        let (own, rest) = left.split_at_checked(usize::try_from(entry[1].as_u64()?).ok()?)?;
        counts.push((entry[0].as_str()?.to_string(), own.to_vec()));
        left = rest;
    }
    left.is_empty().then_some(counts)
}

fn named(path: &Path, error: io::Error) -> io::Error {
    prefixed(&format!("cannot read {}", path.display()), error)
}

fn read_notes<D: Dim>(notes: &Json, state: &mut State<D>) -> Option<Progress> {
    let numbers = |key: &str| notes[key].as_array()?.iter().map(Json::as_f64).collect::<Option<Vec<f64>>>();
    state.clock.step = notes["step"].as_u64()?;
    state.clock.time = notes["time"].as_f64()?;
    let base = &notes["clock_base"];
    state.clock.base = ClockBase::new(base[0].as_f64()?, base[1].as_u64()?, base[2].as_f64()?);
    state.gravity = vector(&numbers("gravity").filter(|gravity| gravity.len() == D::Vec::LEN)?);
    if let Some(cell) = &mut state.cell {
        let n = D::Vec::LEN;
        let numbers = numbers("cell").filter(|numbers| numbers.len() == 3 * n + 3)?;
        (cell.lengths, cell.stretching) = (vector(&numbers[..n]), vector(&numbers[n..]));
        cell.urge.stretching = vector(&numbers[2 * n..]);
        [cell.tilt, cell.rate, cell.urge.sliding] = numbers[3 * n..].try_into().ok()?;
    }
    state.ledger.dissipated = notes["dissipated"].as_f64()?;
    state.ledger.wall_work = notes["wall_work"].as_f64()?;
    state.ledger.elastic = notes["elastic"].as_f64()?;
    state.ledger.taken = numbers("taken")?.try_into().ok()?;
    let collisions = &notes["collisions"];
    state.collisions.all = collisions[0].as_u64()?;
    state.collisions.elastic = collisions[1].as_u64()?;
    state.collisions.virial = collisions[2].as_f64()?;
    Some(Progress {
        stage_starts: numbers("stage_starts")?,
        marks: [read_marks(&notes["marks"][0])?, read_marks(&notes["marks"][1])?],
        walls_at_start: numbers("walls_at_start")?,
        poured: notes["poured"].as_array()?.iter().map(Json::as_u64).collect::<Option<_>>()?,
        first_poured: u32::try_from(notes["first_poured"].as_u64()?).ok()?,
        names: notes.get("names").map_or(Some(Vec::new()), read_names)?,
        frames: numbers("frames")?,
        rows: notes["rows"].as_u64()?,
        series_length: notes["series_length"].as_u64()?,
        events_length: notes["events_length"].as_u64()?,
        finished: notes["finished"].as_bool()?,
        report: Report::from_json(&notes["report"])?,
        told: notes["told"].as_array()?.iter().map(Told::from_json).collect::<Option<_>>()?,
        ..Progress::default()
    })
}

fn read_bodies<D: Dim>(file: &mut Arrays, walls: usize) -> io::Result<Bodies<D>> {
    let angles = D::rot_numbers(D::UPRIGHT).len();
    let (x, q) = (file.table("position", D::Vec::LEN)?, file.table("orientation", angles)?);
    let (v, w) = (file.table("velocity", D::Vec::LEN)?, file.table("angular_velocity", D::Spin::LEN)?);
    let inv_m: Vec<f64> = file.flat("inverse_mass")?;
    let inv_i = file.table("inverse_moments", D::Moments::LEN)?;
    let radius: Vec<f64> = file.flat("radius")?;
    let (material, id) = (file.flat("material")?, file.flat("id")?);
    let count = x.len();
    let lengths = [q.len(), v.len(), w.len(), inv_m.len(), inv_i.len(), radius.len(), material.len(), id.len()];
    if lengths.iter().any(|length| *length != count) || count < walls {
        return Err(invalid(format!(
            "its columns of bodies do not fit: {count} positions, then {lengths:?}, {walls} walls"
        )));
    }
    let outlines = read_outlines::<D>(file)?;
    let outline: Vec<i64> = file.flat("outline")?;
    if outline.len() != count || outline.iter().any(|number| *number >= outlines.len() as i64) {
        return Err(invalid("its column `outline` does not fit".into()));
    }
    let shape = |k: usize| match usize::try_from(outline[k]) {
        _ if k < walls => Shape::Wall,
        Ok(number) => outlines[number].shape(number),
        Err(_) => Shape::Round(Round { radius: radius[k] }),
    };
    Ok(Bodies {
        pose: (0..count).map(|k| Pose { x: vector(&x[k]), q: D::rot_from(&q[k]) }).collect(),
        twist: (0..count).map(|k| Twist { v: vector(&v[k]), w: vector(&w[k]) }).collect(),
        inertia: (0..count).map(|k| Inertia { inv_m: inv_m[k], inv_i: vector(&inv_i[k]) }).collect(),
        shape: (0..count).map(shape).collect(),
        sizes: outlines.iter().map(Outline::size).collect(),
        outlines,
        material,
        id,
        strains: None,
    })
}

fn read_strains<D: Dim>(file: &mut Arrays, bodies: usize) -> io::Result<Strains<D>> {
    let mut column = |name: &str| {
        let rows = file.table::<f64>(name, D::Vec::LEN + D::Spin::LEN)?;
        if rows.len() != bodies {
            return Err(invalid(format!("its column `{name}` does not fit")));
        }
        let tensor = |row: &Vec<f64>| SymmetricTensor { diagonal: vector(row), shear: vector(&row[D::Vec::LEN..]) };
        Ok(rows.iter().map(tensor).collect())
    };
    Ok(Strains { strain: column("strain")?, rate: column("strain_rate")? })
}

fn read_outlines<D: Dim>(file: &mut Arrays) -> io::Result<Vec<Outline<D>>> {
    let counts: Vec<u64> = file.flat("outline_corners")?;
    let corners = file.table::<f64>("corner", D::Vec::LEN)?;
    let normals = file.table::<f64>("edge_normal", D::Vec::LEN)?;
    let of_faces: Vec<u64> = file.flat("outline_faces")?;
    let (rims, corner): (Vec<u64>, Vec<u32>) = (file.flat("face_corners")?, file.flat("face_corner")?);
    let (of_radii, radii): (Vec<u64>, Vec<f64>) = (file.flat("outline_radii")?, file.flat("ball_radius")?);
    let sum = |numbers: &[u64]| numbers.iter().fold(0_u64, |sum, number| sum.saturating_add(*number)) as usize;
    let has_faces = if D::DIMENSION == 3 { rims.len() == normals.len() } else { rims.is_empty() };
    let fits = sum(&counts) == corners.len() && counts.len() == of_faces.len() && sum(&of_faces) == normals.len();
    let fits = fits && counts.len() == of_radii.len() && sum(&of_radii) == radii.len();
    if !fits || !has_faces || sum(&rims) != corner.len() {
        return Err(invalid("its columns of outlines do not fit".into()));
    }
    let (mut corners, mut normals) = (corners.iter().map(|x| vector(x)), normals.iter().map(|n| vector(n)));
    let (mut rims, mut corner) = (rims.iter(), corner.into_iter());
    let mut radii = radii.into_iter();
    let mut outline = |((corner_count, face_count), radius_count): ((&u64, &u64), &u64)| {
        let count = if D::DIMENSION == 3 { *face_count as usize } else { 0 };
        let mut face = |length: &u64| corner.by_ref().take(*length as usize).collect();
        let faces: Vec<Vec<u32>> = rims.by_ref().take(count).map(&mut face).collect();
        if faces.iter().flatten().any(|k| u64::from(*k) >= *corner_count) {
            return Err(invalid("a face has a corner that is not there".into()));
        }
        let corners = corners.by_ref().take(*corner_count as usize).collect();
        let flat = Outline::assembled(corners, normals.by_ref().take(*face_count as usize).collect(), faces);
        Ok(Outline { radii: radii.by_ref().take(*radius_count as usize).collect(), ..flat })
    };
    counts.iter().zip(&of_faces).zip(&of_radii).map(&mut outline).collect()
}

fn read_network<D: Dim>(file: &mut Arrays, bodies: usize) -> io::Result<Network<D>> {
    let keys = file.table::<u32>("contact_key", 3)?;
    let gaps: Vec<f64> = file.flat("contact_gap")?;
    let [normal, arm_a, arm_b, jump] = vectors::<D>().map(|(name, _)| file.table::<f64>(name, D::Vec::LEN));
    let (normal, arm_a, arm_b, jump) = (normal?, arm_a?, arm_b?, jump?);
    let impulse = file.table::<f64>("contact_impulse", D::Vec::LEN)?;
    let torque = file.table::<f64>("contact_torque", D::Spin::LEN)?;
    let bond: Vec<f64> = file.flat("contact_bond")?;
    let regime: Vec<u8> = file.flat("contact_regime")?;
    let history: Vec<f64> = file.flat("contact_history")?;
    if !history.len().is_multiple_of(keys.len().max(1)) {
        return Err(invalid("its column `contact_history` does not fit".into()));
    }
    let columns = [gaps.len(), normal.len(), arm_a.len(), arm_b.len(), jump.len(), impulse.len()];
    let lengths = columns.into_iter().chain([torque.len(), bond.len(), regime.len()]);
    let out_of_range = keys.iter().any(|key| key[0].max(key[1]) as usize >= bodies);
    if lengths.into_iter().any(|length| length != keys.len()) || out_of_range {
        return Err(invalid("its columns of contacts do not fit".into()));
    }
    let contact = |k: usize| Contact {
        key: ContactKey { a: keys[k][0], b: keys[k][1], feature: keys[k][2] },
        normal: vector(&normal[k]),
        gap: gaps[k],
        arm_a: vector(&arm_a[k]),
        arm_b: vector(&arm_b[k]),
        image_velocity: vector(&jump[k]),
    };
    let memory = |k: usize| ContactMemory {
        impulse: vector(&impulse[k]),
        torque: vector(&torque[k]),
        bond: (!bond[k].is_nan()).then_some(bond[k]),
        regime: match regime[k] {
            0 => Regime::Open,
            1 => Regime::Stick,
            _ => Regime::Slide,
        },
    };
    let count = keys.len();
    Ok(Network {
        contacts: (0..count).map(contact).collect(),
        memory: (0..count).map(memory).collect(),
        history,
        predictions: Vec::new(),
    })
}

fn vector<V: Vector>(numbers: &[f64]) -> V {
    V::from_fn(|axis| numbers[axis])
}
