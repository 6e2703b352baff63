//! `drystone forces` as a user meets it: solves from random forces, and tables over frames.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for one test with the run of 30 disks that come to rest in a box.
struct Place(PathBuf);

impl Place {
    fn with_box(name: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forces").join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        let place = Place(path);
        fs::write(place.0.join("drop.toml"), place.ends("new drop", 0).0).unwrap();
        let size = "--set grains.0.count=30 --set wall.0.max=[0.016,0.2] --set grains.0.place.max=[0.016,0.05]";
        place.ends(&format!("run drop.toml -o out --quiet {size} --set stop.at=0.4 --set output.frames=0.1"), 0);
        place
    }

    /// What a command prints that must end with this code, and what it says beside it.
    fn ends(&self, words: &str, code: i32) -> (String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drystone"));
        let output = command.args(words.split(' ')).current_dir(&self.0).output().unwrap();
        let [out, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(code), "drystone {words}: {out}{said}");
        (out, said)
    }

    /// A column of a table, by its name without the unit.
    fn column(&self, file: &str, name: &str) -> Vec<f64> {
        let text = fs::read_to_string(self.0.join(file)).unwrap();
        let mut lines = text.lines();
        let at = lines.next().unwrap().split(',').position(|head| head.split(' ').next() == Some(name)).unwrap();
        lines.map(|line| line.split(',').nth(at).unwrap().parse().unwrap_or(f64::NAN)).collect()
    }
}

#[test]
fn solves_from_random_forces_spread_within_the_intervals() {
    let place = Place::with_box("solves");
    let (text, _) = place.ends("forces out --at-rest --solves 8 -o contacts.csv --pdf spread.csv", 0);
    assert!(text.contains("8 of the same step") && text.contains("spread of solves"), "{text}");
    let of = |name: &str| place.column("contacts.csv", name);
    let (low, high) = (of("lowest_normal_force"), of("highest_normal_force"));
    let (least, most, deviation) = (of("lowest_of_solves"), of("highest_of_solves"), of("deviation_of_solves"));
    let mean = of("normal_force").iter().sum::<f64>() / low.len() as f64;
    for k in 0..low.len() {
        let slack = 1e-5 * mean;
        assert!(least[k] >= low[k] - slack && most[k] <= high[k] + slack, "contact {k}");
        // a standard deviation is at most half of the range
        assert!(deviation[k] <= 0.5 * (most[k] - least[k]) + slack);
    }
    assert!(deviation.iter().any(|deviation| *deviation > 1e-3 * mean), "forces with friction are not determined");
    // a density: its integral over the bins is one
    let (spread, density) = (place.column("spread.csv", "spread"), place.column("spread.csv", "density"));
    let integral = density.iter().sum::<f64>() * (spread[1] - spread[0]);
    assert!((integral - 1.0).abs() < 1e-12, "{integral}");
    place.ends("plot spread.csv spread,density -o spread.svg", 0);
}

#[test]
fn a_table_over_frames_has_a_row_for_each_with_forces() {
    let place = Place::with_box("frames");
    let (_, said) = place.ends("forces out --frames all -o determinacy.csv", 0);
    assert!(said.contains("1 of") && said.contains("left out"), "nothing touches at the start: {said}");
    let of = |name: &str| place.column("determinacy.csv", name);
    let (contacts, degree, part) = (of("contacts"), of("indeterminacy"), of("indeterminacy_per_contact"));
    assert!(contacts.len() >= 3 && of("mean_interval_width").iter().all(|width| width.is_finite() && *width >= 0.0));
    for k in 0..contacts.len() {
        assert!((part[k] * contacts[k] - degree[k]).abs() < 1e-9);
    }
    // two components a contact that sticks, three equations a disk: what is printed for a frame is in its row
    let (text, _) = place.ends("forces out --frame last", 0);
    assert!(text.contains(&format!("{} independent self-stresses", degree.last().unwrap())), "{text}");
}

#[test]
fn what_cannot_be_asked_for_is_told() {
    let place = Place::with_box("wrong");
    for (words, message) in [
        ("forces out --solves 1", "2 or more"),
        ("forces out --pdf spread.csv", "--solves"),
        ("forces out --accuracy 1e-9", "--solves"),
        ("forces out --frames all --frame 2", "--frame"),
        ("forces out --frames 99", "there is no frame 99"),
        ("forces out --frames 0", "frame 0:"),
        ("forces out --frame 0 --solves 4", "frame 0:"),
        ("forces out --solves 4 --accuracy fine", "preview, flow"),
    ] {
        let (_, said) = place.ends(words, 2);
        assert!(said.contains(message), "{words}: {said}");
    }
}
