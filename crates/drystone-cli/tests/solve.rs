//! `drystone solve` and `drystone export --to fclib` as a user meets them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use drystone::method::cd::problem::{AnyProblem, ContactProblem};
use drystone::record::fclib;
use serde_json::Value as Json;

/// A folder for one test, empty at its start.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solve").join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    /// A place with the problem of a column of disks of 1 kg on a floor, each pressed down with 1 N s.
    fn with_column(name: &str, disks: usize) -> Place {
        let place = Place::new(name);
        let mut entries = Vec::new();
        for k in 0..disks {
            entries.push((2 * k, 2 * k, if k == 0 { 1.0 } else { 2.0 }));
            entries.push((2 * k + 1, 2 * k + 1, if k == 0 { 3.0 } else { 6.0 }));
            if k > 0 {
                entries.extend([(2 * k, 2 * k - 2, -1.0), (2 * k - 2, 2 * k, -1.0)]);
            }
        }
        let q: Vec<f64> = (0..2 * disks).map(|k| if k == 0 { -1.0 } else { 0.0 }).collect();
        let problem = ContactProblem::from_entries(entries, &q, vec![0.5; disks]).unwrap();
        fclib::write(&place.path("column.hdf5"), &AnyProblem::Plane(problem), "a column").unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn run(&self, words: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drystone"));
        command.args(words.split(' ')).current_dir(&self.0).output().unwrap()
    }

    /// What a command prints that must end with this code, and what it says beside it.
    fn ends(&self, words: &str, code: i32) -> (String, String) {
        let output = self.run(words);
        let [out, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(code), "drystone {words}: {out}{said}");
        (out, said)
    }
}

/// The value of a row of the table.
fn row<'t>(table: &'t str, name: &str) -> &'t str {
    let line = table.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name} in {table}"));
    line.trim()
}

#[test]
fn a_problem_is_solved_and_certified() {
    let place = Place::with_column("column", 10);
    let (table, said) = place.ends("solve column.hdf5 -o solved.hdf5", 0);
    assert_eq!(said, "");
    let rows =
        [("contacts", "10"), ("dimension", "2"), ("open", "0"), ("stick", "10"), ("slide", "0"), ("Painleve", "0")];
    for (name, value) in rows {
        assert_eq!(row(&table, name), value, "{table}");
    }
    assert!(row(&table, "eps_nat").parse::<f64>().unwrap() <= 1e-8, "{table}");
    // each disk carries those above it: 10 + 9 + ... + 1
    let sum: f64 = row(&table, "sum of r_n").parse().unwrap();
    // forces are less exact than the residual by the condition of the column, (2 n / pi)^2 and some
    assert!((sum - 55.0).abs() < 1e-3, "{table}");
    let (r, u) = fclib::read_solution(&place.path("solved.hdf5")).unwrap();
    assert!((r[0] - 10.0).abs() < 1e-4 && u[0].abs() < 1e-4, "{r:?}");
    assert_eq!(
        fclib::read(&place.path("solved.hdf5")).unwrap(),
        fclib::read(&place.path("column.hdf5")).unwrap(),
        "the solution comes with its problem"
    );
}

#[test]
fn a_result_is_printed_as_json() {
    let place = Place::with_column("json", 10);
    let (text, said) = place.ends("solve column.hdf5 --accuracy reference --json", 0);
    assert_eq!((text.lines().count(), said.as_str()), (1, ""));
    let json: Json = serde_json::from_str(&text).unwrap();
    assert_eq!((json["contacts"].as_u64(), json["dimension"].as_u64()), (Some(10), Some(2)));
    assert_eq!((json["converged"].as_bool(), json["asymmetric_blocks"].as_u64()), (Some(true), Some(0)));
    let certificate = &json["certificate"];
    assert!(certificate["eps_nat"].as_f64().unwrap() <= 1e-10);
    assert!(certificate["eta"].as_f64().unwrap() < 1.0);
    assert!((certificate["normal_sum"].as_f64().unwrap() - 55.0).abs() < 1e-6);
    assert!(json["sweeps"].as_u64().unwrap() > 10 && json["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_solve_that_does_not_converge_says_so_and_leaves_its_result() {
    let place = Place::with_column("cut", 50);
    let (table, said) = place.ends("solve column.hdf5 --accuracy forces --max-sweeps 7 -o half.hdf5", 1);
    assert_eq!(row(&table, "sweeps"), "7");
    assert!(
        said.starts_with("error: not converged: residual ") && said.contains("1.0e-6 was asked for [E205]"),
        "{said}"
    );
    let (r, _) = fclib::read_solution(&place.path("half.hdf5")).unwrap();
    assert!(r[0] > 0.5 && r[0] < 10.0, "50 N s have not got through in 7 sweeps: {}", r[0]);
    let json = place.run("solve column.hdf5 --max-sweeps 2 --json");
    let json: Json = serde_json::from_slice(&json.stdout).unwrap();
    assert!(json["converged"] == false && json["certificate"]["eta"].is_number());
}

#[test]
fn results_are_not_overwritten_unasked() {
    let place = Place::with_column("force", 3);
    fs::write(place.path("taken"), "mine").unwrap();
    let (_, said) = place.ends("solve column.hdf5 -o taken", 2);
    assert!(said.contains("taken exists already [E105]") && said.contains("--force"), "{said}");
    assert_eq!(fs::read_to_string(place.path("taken")).unwrap(), "mine");
    place.ends("solve column.hdf5 -o taken --force", 0);
    assert_eq!(fclib::read_solution(&place.path("taken")).unwrap().0.len(), 6);
    // the problem itself may take its solution
    place.ends("solve column.hdf5 -o column.hdf5 --force", 0);
    place.ends("solve column.hdf5", 0);
    let (_, said) = place.ends("solve column.hdf5 -o nowhere/out.hdf5", 1);
    assert!(said.contains("cannot write nowhere/out.hdf5") && said.contains("[E103]"), "{said}");
    assert_eq!(fs::read_dir(&place.0).unwrap().count(), 2, "nothing is left beside");
}

#[test]
fn bad_input_is_named() {
    let place = Place::with_column("bad", 3);
    fs::write(place.path("text.hdf5"), "no HDF5").unwrap();
    let whole = fs::read(place.path("column.hdf5")).unwrap();
    fs::write(place.path("cut.hdf5"), &whole[..whole.len() / 2]).unwrap();
    for (file, what) in [("nowhere.hdf5", "No such file"), ("text.hdf5", "not an HDF5 file"), ("cut.hdf5", "damaged")] {
        let (out, said) = place.ends(&format!("solve {file} -o out.hdf5"), 2);
        assert!(out.is_empty() && said.contains(&format!("cannot read {file}: ")) && said.contains(what), "{said}");
        assert!(said.contains("[E104]") && !place.path("out.hdf5").exists());
    }
    for accuracy in ["0", "-1e-8", "nan", "inf", "exact"] {
        let (_, said) = place.ends(&format!("solve column.hdf5 --accuracy={accuracy}"), 2);
        assert!(said.contains("preview, flow, standard, forces, reference"), "{said}");
    }
    place.ends("solve column.hdf5 --max-sweeps 0", 2);
}

#[test]
fn a_frame_becomes_a_problem_that_can_be_solved() {
    let place = Place::new("export");
    let (scenario, _) = place.ends("new drop", 0);
    fs::write(place.path("drop.toml"), scenario).unwrap();
    let small = "--set grains.0.count=60 --set grains.0.place.max=[0.03,0.03] --set wall.0.max=[0.03,0.1]";
    place.ends(&format!("run drop.toml {small} --set stop.at=0.1 -o out --quiet"), 0);
    let (text, _) = place.ends("export out --to fclib --frame 4", 0);
    assert_eq!(text, "1 frame in out/export\n");
    let (table, _) = place.ends("solve out/export/problem_000004.hdf5 --accuracy forces", 0);
    assert!(row(&table, "contacts").parse::<usize>().unwrap() > 5 && row(&table, "dimension") == "2", "{table}");
    // at the start nothing touches, and nothing will within a step
    let (text, said) = place.ends("export out --to fclib --frame 0 -o none", 0);
    assert!(text.starts_with("0 frames") && said.contains("it has no contact problem"), "{text}{said}");
    assert_eq!(fs::read_dir(place.path("none")).unwrap().count(), 0);
    let (_, said) = place.ends("export out --to fclib --frame 99", 2);
    assert!(said.contains("there is no frame 99"), "{said}");
}
