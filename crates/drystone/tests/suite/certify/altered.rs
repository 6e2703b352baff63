//! Every number of every file of a run is altered, one at a time: each is caught by the digests, and those of the
//! classes that mechanics decides are caught without them, too.

use std::fs;
use std::path::Path;

use drystone::record::RunFolder;
use drystone::record::vtp::{Array, PolyData};
use drystone_certify::{Certificate, certify};
use serde_json::Value as Json;

use super::{PISTON, run, run_text};

/// An alteration of a file: where it is, and the bytes that stand there then.
struct Alteration {
    file: String,
    what: String,
    bytes: Vec<u8>,
}

/// What became of all alterations of a run.
#[derive(Default)]
struct Tally {
    all: usize,
    by_mechanics: usize,
    /// Those that the digests alone caught.
    quiet: Vec<String>,
}

/// Certifies; an error means that a file could not be read, which is a way to notice.
fn judged(folder: &RunFolder) -> Option<Certificate> {
    certify(folder, &mut |_, _| {}).ok()
}

/// Makes every alteration, one at a time, and puts the old bytes back.
fn alter_all(folder: &RunFolder, alterations: Vec<Alteration>) -> Tally {
    let mut tally = Tally::default();
    for Alteration { file, what, bytes } in alterations {
        let path = folder.path().join(&file);
        let whole = fs::read(&path).unwrap();
        assert_ne!(bytes, whole, "{file}: {what} is altered");
        fs::write(&path, bytes).unwrap();
        let certificate = judged(folder);
        fs::write(&path, whole).unwrap();
        assert!(certificate.as_ref().is_none_or(|c| !c.holds()), "{file}: {what} went unnoticed");
        tally.all += 1;
        match certificate.is_some_and(|c| c.holds_by_mechanics()) {
            true => tally.quiet.push(format!("{file}: {what}")),
            false => tally.by_mechanics += 1,
        }
    }
    assert!(judged(folder).is_some_and(|c| c.holds()), "everything was put back");
    tally
}

/// A number a little larger, or something where there was nothing: a thousandth is what nobody sees in a picture.
fn shifted(x: f64) -> f64 {
    match x {
        0.0 => 1e-3,
        x if x.is_finite() => x * (1.0 + 1e-3),
        _ => 1.0,
    }
}

/// The array with one number altered, counted over all components.
fn altered(array: &Array, k: usize) -> Array {
    let name = array.name();
    if let Ok(mut column) = array.to_scalars::<f64>() {
        column[k] = shifted(column[k]);
        return Array::scalars(name, &column);
    }
    macro_rules! vectors {
        ($($n:literal)+) => {$(
            if let Ok(mut column) = array.to_vectors::<$n>() {
                column[k / $n][k % $n] = shifted(column[k / $n][k % $n]);
                return Array::vectors(name, &column);
            }
        )+};
    }
    vectors!(2 3 4);
    macro_rules! whole_numbers {
        ($($t:ty)+) => {$(
            if let Ok(mut column) = array.to_scalars::<$t>() {
                column[k] ^= 1;
                return Array::scalars(name, &column);
            }
        )+};
    }
    whole_numbers!(u8 u32 i32 u64);
    panic!("{name} holds something else")
}

/// How many numbers an array has.
fn count(array: &Array) -> usize {
    let components = (1..=4).find(|n| match n {
        1 => array.to_scalars::<f64>().is_ok(),
        2 => array.to_vectors::<2>().is_ok(),
        3 => array.to_vectors::<3>().is_ok(),
        _ => array.to_vectors::<4>().is_ok(),
    });
    array.tuples() * components.unwrap_or(1)
}

/// Up to `most` places, spread over a column of `count`.
fn some(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = count.div_ceil(most).max(1);
    // odd steps meet every component of vectors
    (0..count).step_by(if step > 1 && step.is_multiple_of(3) { step + 1 } else { step })
}

/// Alterations of a file of a frame: some numbers of every array, and some points.
fn of_frame(folder: &RunFolder, file: &str, most: usize) -> Vec<Alteration> {
    let whole = PolyData::read(&fs::read(folder.path().join(file)).unwrap()).unwrap();
    let mut found = Vec::new();
    let mut note = |what: String, data: &PolyData| {
        let mut bytes = Vec::new();
        data.clone().write(&mut bytes, true).unwrap();
        found.push(Alteration { file: file.into(), what, bytes });
    };
    for k in some(3 * whole.points.len(), most) {
        let mut data = whole.clone();
        data.points[k / 3][k % 3] = shifted(data.points[k / 3][k % 3]);
        note(format!("point {} [{}]", k / 3, k % 3), &data);
    }
    type Choose = fn(&mut PolyData) -> &mut Vec<Array>;
    let sorts: [Choose; 3] = [|d| &mut d.point_arrays, |d| &mut d.cell_arrays, |d| &mut d.field_arrays];
    for choose in sorts {
        let mut data = whole.clone();
        for number in 0..choose(&mut data).len() {
            let old = choose(&mut data)[number].clone();
            for k in some(count(&old), most) {
                choose(&mut data)[number] = altered(&old, k);
                note(format!("{} [{k}]", old.name()), &data);
            }
            choose(&mut data)[number] = old;
        }
    }
    found
}

/// Alterations of a text: some of its numbers get another last digit.
fn of_text(folder: &RunFolder, file: &str, most: usize) -> Vec<Alteration> {
    let text = fs::read_to_string(folder.path().join(file)).unwrap();
    let is_number = |(at, c): &(usize, char)| {
        let next = text[at + c.len_utf8()..].chars().next();
        c.is_ascii_digit() && !next.is_some_and(|next| next.is_ascii_digit())
    };
    let digits: Vec<usize> = text.char_indices().filter(is_number).map(|(at, _)| at).collect();
    let alteration = |k: usize| {
        let at = digits[k];
        let digit = text.as_bytes()[at] - b'0';
        let bytes = [&text.as_bytes()[..at], &[b'0' + (digit + 1) % 10], &text.as_bytes()[at + 1..]].concat();
        Alteration { file: file.into(), what: format!("digit at {at}"), bytes }
    };
    some(digits.len(), most).map(alteration).collect()
}

/// Alterations of any file: one bit here and there.
fn of_bytes(folder: &RunFolder, file: &str, most: usize) -> Vec<Alteration> {
    let whole = fs::read(folder.path().join(file)).unwrap();
    let alteration = |k: usize| {
        let mut bytes = whole.clone();
        bytes[k] ^= 1;
        Alteration { file: file.into(), what: format!("bit of byte {k}"), bytes }
    };
    some(whole.len(), most).map(alteration).collect()
}

/// All files of a run, from its own list.
fn files(folder: &RunFolder) -> Vec<String> {
    let report: Json = serde_json::from_slice(&fs::read(folder.report()).unwrap()).unwrap();
    let mut files: Vec<String> = report["files"].as_object().unwrap().keys().cloned().collect();
    files.push("report.json".into());
    files
}

/// Alterations of every file; of frames only this one.
fn of_run(folder: &RunFolder, frame: usize, most: usize) -> Vec<Alteration> {
    let number = format!("_{frame:06}.vtp");
    let mut found = Vec::new();
    for file in files(folder) {
        match Path::new(&file).extension().and_then(|end| end.to_str()) {
            Some("vtp") if file.ends_with(&number) => found.extend(of_frame(folder, &file, most)),
            Some("vtp") => found.extend(of_bytes(folder, &file, 1)),
            Some("npz") => found.extend(of_bytes(folder, &file, most)),
            _ => found.extend(of_text(folder, &file, 2 * most)),
        }
    }
    found
}

/// What only the digests catch, of those that mechanics should decide.
fn missed<'t>(tally: &'t Tally, classes: &[&str]) -> Vec<&'t String> {
    tally.quiet.iter().filter(|what| classes.iter().any(|class| what.contains(class))).collect()
}

/// Columns of walls that follow from their drives, files for looking at that follow from the grains, and the verdict.
const DECIDED: [&str; 12] = [
    "wall_displacement",
    "wall_velocity",
    "wall_previous_velocity",
    "wall_angular_velocity",
    "wall_open",
    "wall_mass",
    "wall_drive",
    "wall_force",
    "stones_",
    "balls_",
    "converged",
    "frames.pvd",
];

fn check(name: &str, folder: &RunFolder, frame: usize, also: &[&str]) -> Tally {
    let tally = alter_all(folder, of_run(folder, frame, 3));
    println!("{name}: {} alterations, {} caught by mechanics alone", tally.all, tally.by_mechanics);
    tally.quiet.iter().for_each(|what| println!("  digests alone: {what}"));
    let classes = [&DECIDED[..], also].concat();
    assert!(missed(&tally, &classes).is_empty(), "{name}: {:#?}", missed(&tally, &classes));
    tally
}

/// Columns of grains whose frame tells all that they follow from.
const GRAINS: [&str; 10] = [
    "radius",
    "mass",
    "material",
    "orientation",
    ": velocity",
    ": angular_velocity",
    "previous_velocity",
    "previous_angular_velocity",
    "corner",
    "outline",
];

#[test]
fn disks_that_fall() {
    let folder = super::drop("altered disks");
    let tally = check("disks", &folder, 2, &GRAINS);
    assert!(tally.all > 150, "{}", tally.all);
}

#[test]
fn stones_and_clumps() {
    let small = ["grains.0.count=12", "grains.0.place.max=[0.05, 0.06]", "wall.0.max=[0.05, 0.2]", "stop.at=0.2"];
    let stones = [&small[..], &["output.frames=50 ms", "method.cd.accuracy=standard"]].concat();
    check("stones", &run("altered stones", "stones", &stones), 3, &GRAINS);
    let small = ["grains.0.count=10", "grains.0.place.max=[0.08, 0.1]", "wall.0.max=[0.08, 0.3]", "stop.at=0.15"];
    check("clumps", &run("altered clumps", "peanuts", &small), 3, &GRAINS);
}

/// Grains that are held in place do not move, whatever a frame says.
#[test]
fn grains_that_are_held() {
    let small = ["stop.at=0.05", "output.frames=10 ms"];
    // velocities of grains at rest are rounding, and so is what is added to them
    check("held", &run("altered held", "rest", &small), 3, &["radius", "mass", "material", "orientation"]);
}

#[test]
fn walls_that_shake_press_and_turn() {
    let shaker = ["grains.0.count=20", "grains.0.place.max=[0.06, 0.03]", "stage.0.limit=50 ms", "stage.1.limit=60 ms"];
    let shaker = [&shaker[..], &["stage.2.limit=20 ms"]].concat();
    check("shaker", &run("altered shaker", "shaker", &shaker), 3, &GRAINS);
    check("piston", &run_text("altered piston", PISTON, &[]), 2, &GRAINS);
}

/// Soft grains, and static friction with rods: forces act at instants, so that velocities at the start of a step do not
/// follow.
#[test]
fn soft_grains_and_rods() {
    let folder = run("altered soft", "oblique", &[]);
    check("soft", &folder, 2, &["radius", "mass", "material", "orientation"]);
    let folder = run("altered events", "slope_block", &["stop.at=0.3"]);
    check("events", &folder, 2, &["radius", "mass", "material", "orientation"]);
    let folder = run("altered rods", "double_pendulum", &["stop.at=0.3"]);
    check("rods", &folder, 3, &["radius", "mass", "material", "orientation", ": velocity"]);
}
