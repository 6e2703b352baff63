//! A frame as three VTK files in a folder, `grains_000012.vtp`, `contacts_000012.vtp` and `walls_000012.vtp`, with
//! `stones_000012.vtp` and `balls_000012.vtp` for viewing if there are stones or clumps, and the collection (`.pvd`)
//! that shows all frames of a run in ParaView.

mod pieces;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::aside::write_digested;
use super::digest::Digest;
use super::frame::{Frame, Grains};
use super::vtp::{Array, PolyData};
use pieces::{balls, cell, cell_of, outlines, stones};
use pieces::{contacts, contacts_of, find, grains, grains_of, wall_states, wall_states_of, walls, walls_of};

/// Writes the files of frame `number` into the folder `dir`, which must exist; returns their names and digests.
///
/// The grains come last, so that a frame whose grains are there is complete. Columns are dropped as they are written.
pub fn write(dir: &Path, number: usize, mut frame: Frame, compress: bool) -> io::Result<Vec<(String, Digest)>> {
    let (mut written, stamp) = (Vec::new(), stamp(&frame));
    let mut save = |part, data: io::Result<PolyData>, own: Vec<Array>| -> io::Result<()> {
        let file = name(part, number);
        let digest = write_digested(&dir.join(&file), |out| {
            let field_arrays = stamp.iter().cloned().chain(own).collect();
            PolyData { field_arrays, ..data? }.write(out, compress)
        })?;
        written.push((file, digest));
        Ok(())
    };
    save("walls", walls(&frame), wall_states(&frame.wall_states))?;
    save("contacts", contacts(std::mem::take(&mut frame.contacts)), Vec::new())?;
    // what is derived from the columns of the grains waits until these fit each other: if they do not, their own file
    // says so
    let Grains { id, mass, velocity, angular_velocity, material, orientation, .. } = &frame.grains;
    let fit = [mass.len(), velocity.len(), angular_velocity.len(), material.len(), orientation.len()];
    let numbers = 0..if fit.iter().all(|count| *count == id.len()) { id.len() } else { 0 };
    if numbers.clone().any(|k| frame.grains.corners(k).is_some()) {
        save("stones", stones(&frame), Vec::new())?;
    }
    if numbers.into_iter().any(|k| frame.grains.balls(k).is_some()) {
        save("balls", balls(&frame), Vec::new())?;
    }
    let outlines = outlines(&frame.grains);
    save("grains", grains(frame.grains), outlines)?;
    Ok(written)
}

/// Reads frame `number` from the folder `dir`, bit by bit what was written.
pub fn read(dir: &Path, number: usize) -> io::Result<Frame> {
    let mut frame = Frame::default();
    load(&dir.join(name("grains", number)), |data| {
        let number = |name: &str| one(&find(&data.field_arrays, name)?.to_scalars::<f64>()?);
        frame.time = number("TimeValue")?;
        frame.time_step = number("time_step")?;
        frame.residual = number("residual")?;
        frame.force_error = number("force_error")?;
        frame.velocity_error = number("velocity_error")?;
        frame.overlap_growth = number("overlap_growth")?;
        frame.converged = one(&find(&data.field_arrays, "converged")?.to_scalars::<u8>()?)? != 0;
        frame.dissipated = number("dissipated_energy")?;
        frame.wall_work = number("wall_work")?;
        frame.elastic = number("elastic_energy")?;
        frame.step = one(&find(&data.field_arrays, "step")?.to_scalars()?)?;
        let dimension: u64 = one(&find(&data.field_arrays, "dimension")?.to_scalars()?)?;
        frame.dimension = usize::try_from(dimension).map_err(|error| invalid(error.to_string()))?;
        frame.cell = cell_of(&data.field_arrays)?;
        frame.grains = grains_of(data)?;
        Ok(())
    })?;
    load(&dir.join(name("contacts", number)), |data| {
        same_instant(&frame, &data)?;
        frame.contacts = contacts_of(&data)?;
        Ok(())
    })?;
    load(&dir.join(name("walls", number)), |data| {
        same_instant(&frame, &data)?;
        frame.walls = walls_of(&data)?;
        frame.wall_states = wall_states_of(&data)?;
        Ok(())
    })?;
    Ok(frame)
}

/// Name of the collection in the folder of a run.
pub const COLLECTION: &str = "frames.pvd";

/// Kinds of files of a frame.
const PARTS: [&str; 5] = ["grains", "contacts", "walls", "stones", "balls"];

/// Names of all files of frames in the folder `dir`, with the numbers of their frames, in the order of the names.
pub fn names(dir: &Path) -> io::Result<Vec<(String, usize)>> {
    let number_of = |file: &str| {
        let (part, digits) = file.strip_suffix(".vtp")?.split_once('_')?;
        let number = digits.parse().ok()?;
        (PARTS.contains(&part) && name(part, number) == file).then_some(number)
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).map_err(|error| cannot_read(dir, &error))? {
        let file = entry.map_err(|error| cannot_read(dir, &error))?.file_name();
        found.extend(file.to_str().and_then(|file| Some((file.to_string(), number_of(file)?))));
    }
    found.sort_unstable();
    Ok(found)
}

/// Whether a place in a run folder, `frames/grains_000012.vtp`, is a file of frame `number`.
pub fn is_of_frame(place: &str, number: usize) -> bool {
    place.strip_prefix("frames/").is_some_and(|file| PARTS.iter().any(|part| name(part, number) == file))
}

/// The numbers of the frames in the folder `dir`, in ascending order: of those whose grains are there, which are
/// complete.
pub fn numbers(dir: &Path) -> io::Result<Vec<usize>> {
    let mut numbers: Vec<usize> =
        names(dir)?.into_iter().filter(|(file, _)| file.starts_with(PARTS[0])).map(|(_, number)| number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Removes the files of all frames from number `first` on, also of those that are not complete.
pub fn remove_from(dir: &Path, first: usize) -> io::Result<()> {
    for (file, _) in names(dir)?.into_iter().filter(|(_, number)| *number >= first) {
        let path = dir.join(file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(io::Error::new(error.kind(), format!("cannot remove {}: {error}", path.display())));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes the collection `path`: time and number of every frame, whose files lie in the folder `frames` beside it;
/// returns its digest.
pub fn write_collection(path: &Path, entries: &[(f64, usize)]) -> io::Result<Digest> {
    let text = collection(&path.parent().unwrap_or(Path::new(".")).join("frames"), entries);
    write_digested(path, |out| out.write_all(text.as_bytes()))
}

/// The text of a collection of frames, whose files lie in the folder `frames`.
pub fn collection(frames: &Path, entries: &[(f64, usize)]) -> String {
    let mut text =
        String::from("<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n <Collection>\n");
    for &(time, number) in entries {
        for (index, part) in PARTS.into_iter().enumerate() {
            let file = name(part, number);
            if matches!(part, "stones" | "balls") && !frames.join(&file).exists() {
                continue;
            }
            text += &format!(
                "  <DataSet timestep=\"{time:?}\" part=\"{index}\" name=\"{part}\" file=\"frames/{file}\"/>\n"
            );
        }
    }
    text + " </Collection>\n</VTKFile>\n"
}

/// Names of the files for viewing, `stones_000012.vtp` and `balls_000012.vtp`, that do not show the grains of a frame.
pub fn derived(dir: &Path, number: usize, frame: &Frame) -> io::Result<Vec<String>> {
    let mut wrong = Vec::new();
    let numbers = || 0..frame.grains.id.len();
    let has_stones = numbers().any(|k| frame.grains.corners(k).is_some());
    let has_balls = numbers().any(|k| frame.grains.balls(k).is_some());
    for (part, is_there, data) in [("stones", has_stones, stones(frame)?), ("balls", has_balls, balls(frame)?)] {
        let path = dir.join(name(part, number));
        let expected = PolyData { field_arrays: stamp(frame), ..data };
        let shows = match fs::read(&path) {
            Ok(file) => is_there && PolyData::read(&file).is_ok_and(|found| found == expected),
            Err(error) if error.kind() == ErrorKind::NotFound => !is_there,
            Err(error) => return Err(cannot_read(&path, &error)),
        };
        if !shows {
            wrong.push(name(part, number));
        }
    }
    Ok(wrong)
}

fn name(part: &str, number: usize) -> String {
    format!("{part}_{number:06}.vtp")
}

/// What every file of a frame stores about the instant and the step that led to it. ParaView shows `TimeValue` as the
/// time.
fn stamp(frame: &Frame) -> Vec<Array> {
    let mut stamp = vec![
        Array::scalars("TimeValue", &[frame.time]),
        Array::scalars("step", &[frame.step]),
        Array::scalars("dimension", &[frame.dimension as u64]),
        Array::scalars("time_step", &[frame.time_step]),
        Array::scalars("residual", &[frame.residual]),
        Array::scalars("force_error", &[frame.force_error]),
        Array::scalars("velocity_error", &[frame.velocity_error]),
        Array::scalars("overlap_growth", &[frame.overlap_growth]),
        Array::scalars("converged", &[u8::from(frame.converged)]),
        Array::scalars("dissipated_energy", &[frame.dissipated]),
        Array::scalars("wall_work", &[frame.wall_work]),
        Array::scalars("elastic_energy", &[frame.elastic]),
    ];
    stamp.extend(frame.cell.iter().flat_map(cell));
    stamp
}

fn load(path: &Path, accept: impl FnOnce(PolyData) -> io::Result<()>) -> io::Result<()> {
    let data = fs::read(path).and_then(|file| PolyData::read(&file));
    data.and_then(accept).map_err(|error| cannot_read(path, &error))
}

fn one<T: Copy>(values: &[T]) -> io::Result<T> {
    match values {
        &[value] => Ok(value),
        _ => Err(invalid(format!("a field has {} values, not 1", values.len()))),
    }
}

/// Checks that a file is of the same instant: a kill between the files of a frame that is written again leaves files of
/// two instants.
fn same_instant(frame: &Frame, data: &PolyData) -> io::Result<()> {
    if data.field_arrays.starts_with(&stamp(frame)) {
        return Ok(());
    }
    Err(invalid("its time, step or dimension is not that of the grains".into()))
}

fn invalid(fault: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, fault)
}

fn cannot_read(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::frame::{CellPress, CellState, Contacts, Face, ShearPlane, WallStates};
    use std::path::PathBuf;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("drystone-frames-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    /// A frame full of odd numbers: infinite, subnormal, minus zero.
    fn sample(dimension: usize, grains: usize, contacts: usize) -> Frame {
        let odd = [f64::INFINITY, 5e-324, -0.0, f64::MAX, 0.1];
        let x = |k: usize| odd.get(k % 97).copied().unwrap_or((k as f64 * 12.9898).sin());
        let scalars = |n: usize, seed: usize| (0..n).map(|k| x(k * 7 + seed)).collect::<Vec<_>>();
        let vectors = |n: usize, seed: usize| (0..n).map(|k| [x(k + seed), x(k * 3), x(k * 5)]).collect::<Vec<_>>();
        let corners = |n: usize| vectors(n, n);
        let sizes = if dimension == 2 { [2, 2, 2] } else { [4, 3, 7] };
        Frame {
            dimension,
            time: 0.1 + 0.2,
            step: u64::MAX - 1,
            time_step: 1e-3,
            residual: f64::INFINITY,
            force_error: 0.1,
            velocity_error: 0.2,
            overlap_growth: f64::MAX,
            converged: dimension == 2,
            dissipated: -0.0,
            wall_work: 5e-324,
            elastic: -0.0,
            cell: (grains > 0).then(|| CellState {
                origin: [-0.0, 5e-324, 1.0],
                is_periodic: [true, false, dimension == 3],
                lengths: [0.1, 0.2, 0.3],
                stretching: [0.0; 3],
                shear: (dimension == 3).then_some(ShearPlane { along: 2, across: 0 }),
                tilt: 0.1,
                rate: f64::MAX,
                press: (dimension == 2).then(|| CellPress {
                    mass: 0.1,
                    stress: [1.0, -0.0, 0.2],
                    shear: Some(-0.0),
                    follows: [true, false, false],
                    depth: 0.3,
                }),
                stretching_urge: if dimension == 2 { [5e-324, 0.1, 0.0] } else { [0.0; 3] },
                sliding_urge: if dimension == 2 { f64::MAX } else { 0.0 },
            }),
            grains: Grains {
                position: vectors(grains, 1),
                radius: scalars(grains, 2),
                velocity: vectors(grains, 3),
                angular_velocity: vectors(grains, 4),
                previous_velocity: vectors(grains, 12),
                own_position: vectors(grains, 28),
                own_velocity: vectors(grains, 29),
                own_previous_velocity: vectors(grains, 30),
                previous_angular_velocity: vectors(grains, 13),
                orientation: (0..grains).map(|k| [x(k), x(k + 1), x(k + 2), x(k + 3)]).collect(),
                mass: scalars(grains, 5),
                strain: (0..grains).map(|k| std::array::from_fn(|i| x(k + i))).collect(),
                strain_rate: (0..grains).map(|k| std::array::from_fn(|i| x(k + 2 * i))).collect(),
                id: (0..grains as u32).map(|k| u32::MAX - k).collect(),
                material: (0..grains as u32).map(|k| k % 3).collect(),
                turns: (0..grains).map(|k| (k % 2) as u8).collect(),
                outline: (0..grains as i32).map(|k| k % 4 - 1).collect(),
                outlines: if grains == 0 { Vec::new() } else { vec![vectors(3, 23), vectors(5, 24), vectors(2, 25)] },
                radii: if grains == 0 { Vec::new() } else { vec![Vec::new(), Vec::new(), vec![0.25]] },
                faces: match (grains, dimension) {
                    (0, _) | (_, 2) => Vec::new(),
                    _ => vec![vec![vec![0, 1, 2], vec![2, 1, 0]], vec![vec![0, 1, 2, 3, 4]], Vec::new()],
                },
            },
            contacts: Contacts {
                from: vectors(contacts, 6),
                to: vectors(contacts, 7),
                a: (0..contacts as i32).map(|k| -1 - k).collect(),
                b: (0..contacts as i32).collect(),
                normal: vectors(contacts, 8),
                normal_force: scalars(contacts, 9),
                tangential_force: vectors(contacts, 10),
                torque: vectors(contacts, 14),
                friction: scalars(contacts, 15),
                bias: vectors(contacts, 16),
                gap: scalars(contacts, 11),
                regime: (0..contacts).map(|k| 1 + (k % 2) as u8).collect(),
                arm_a: vectors(contacts, 25),
                arm_b: vectors(contacts, 26),
                ahead: (0..contacts).map(|k| (k % 2) as u8).collect(),
                ahead_velocity_a: vectors(contacts, 32),
                ahead_spin_a: vectors(contacts, 33),
                ahead_velocity_b: vectors(contacts, 34),
                ahead_spin_b: vectors(contacts, 35),
            },
            walls: (0..3).map(|k| Face { wall: 9 - k, corners: corners(sizes[k as usize]) }).collect(),
            wall_states: WallStates {
                displacement: vectors(3, 17),
                velocity: vectors(3, 18),
                previous_velocity: vectors(3, 20),
                angular_velocity: vectors(3, 27),
                open: vec![0, 1, 0],
                mass: scalars(3, 21),
                drive: vectors(3, 22),
                force: vectors(3, 19),
            },
        }
    }

    #[test]
    fn reads_back_the_same_bits() {
        let dir = folder("round-trip");
        let empty = Frame { dimension: 3, ..Frame::default() };
        for frame in [sample(2, 100, 300), sample(3, 5000, 9000), sample(2, 1, 0), empty, Frame::default()] {
            for compress in [false, true] {
                write(&dir, 12, frame.clone(), compress).unwrap();
                let again = read(&dir, 12).unwrap();
                assert_eq!(again, frame);
                // The sign of zero and NaN escape `==`: the same files say that the bits are the same.
                let files = || ["grains", "contacts", "walls"].map(|part| fs::read(dir.join(name(part, 12))).unwrap());
                let before = files();
                write(&dir, 12, again, compress).unwrap();
                assert_eq!(files(), before);
            }
        }
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn lists_the_frames_that_are_there() {
        let dir = folder("list");
        assert!(numbers(&dir).unwrap().is_empty());
        for number in [1_000_000, 7, 0, 999_999] {
            write(&dir, number, Frame::default(), true).unwrap();
        }
        for stranger in ["grains_000008.vtp.part", "grains_9.vtp", "grains_+00009.vtp", "contacts_000003.vtp"] {
            fs::write(dir.join(stranger), "").unwrap();
        }
        assert_eq!(numbers(&dir).unwrap(), [0, 7, 999_999, 1_000_000]);
        fs::remove_dir_all(&dir).unwrap();
        assert_eq!(numbers(&dir).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn errors_name_the_file_and_the_fault() {
        let dir = folder("errors");
        assert_eq!(read(&dir, 3).unwrap_err().kind(), ErrorKind::NotFound);

        let mut frame = sample(2, 4, 5);
        write(&dir, 3, frame.clone(), true).unwrap();
        frame.step += 1;
        write(&dir, 4, frame.clone(), true).unwrap();
        fs::copy(dir.join(name("walls", 4)), dir.join(name("walls", 3))).unwrap();
        let error = read(&dir, 3).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(error.to_string().ends_with("walls_000003.vtp: its time, step or dimension is not that of the grains"));

        fs::copy(dir.join(name("walls", 4)), dir.join(name("grains", 4))).unwrap();
        let error = read(&dir, 4).unwrap_err();
        assert!(error.to_string().ends_with("grains_000004.vtp: array radius is missing"), "{error}");

        frame.grains.mass.pop();
        let error = write(&dir, 5, frame.clone(), true).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert!(error.to_string().ends_with("grains_000005.vtp: array mass has 3 entries for 4"), "{error}");
        assert_eq!(numbers(&dir).unwrap(), [3, 4]);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn the_collection_lists_three_parts_a_frame() {
        let dir = folder("collection");
        let path = dir.join("run.pvd");
        write_collection(&path, &[(0.0, 0), (1e-7, 12)]).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches("<DataSet").count(), 6);
        assert!(
            text.contains(
                "<DataSet timestep=\"1e-7\" part=\"1\" name=\"contacts\" file=\"frames/contacts_000012.vtp\"/>"
            )
        );
        fs::remove_dir_all(dir).unwrap();
    }
}
