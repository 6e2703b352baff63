//! FCLIB files in every layout, and files that are none: each fault is named with its dataset.

use std::fs;
use std::panic;
use std::path::Path;

use drystone::method::cd::problem::AnyProblem;
use drystone::record::fclib;
use hdf5_pure::{FileBuilder, GroupBuilder};

use super::packing::packing;
use super::place;
use super::solutions::problem;

/// The datasets of a file, each of which may be left out.
#[derive(Clone)]
struct Parts {
    spacedim: Option<i32>,
    m: i32,
    n: i32,
    nz: i32,
    p: Vec<i32>,
    i: Vec<i32>,
    x: Option<Vec<f64>>,
    q: Option<Vec<f64>>,
    mu: Vec<f64>,
}

impl Parts {
    fn write(&self, path: &Path) {
        let mut file = FileBuilder::new();
        let mut local = file.create_group("fclib_local");
        if let Some(spacedim) = self.spacedim {
            local.create_dataset("spacedim").with_i32_data(&[spacedim]);
        }
        let mut w = local.create_group("W");
        for (name, number) in [("m", self.m), ("n", self.n), ("nz", self.nz)] {
            w.create_dataset(name).with_i32_data(&[number]);
        }
        w.create_dataset("p").with_i32_data(&self.p);
        w.create_dataset("i").with_i32_data(&self.i);
        if let Some(x) = &self.x {
            w.create_dataset("x").with_f64_data(x);
        }
        local.add_group(w.finish());
        let mut vectors = local.create_group("vectors");
        if let Some(q) = &self.q {
            vectors.create_dataset("q").with_f64_data(q);
        }
        vectors.create_dataset("mu").with_f64_data(&self.mu);
        local.add_group(vectors.finish());
        file.add_group(local.finish());
        file.write(path).unwrap();
    }
}

/// Triplets of a packing, in a shuffled order.
fn triplets() -> (Parts, AnyProblem) {
    let dense = packing(3, 2, 2, 5);
    let mut entries = dense.entries();
    let count = entries.len();
    (0..count).for_each(|k| entries.swap(k, (7 * k + 3) % count));
    let parts = Parts {
        spacedim: Some(3),
        m: dense.q.len() as i32,
        n: dense.q.len() as i32,
        nz: count as i32,
        p: entries.iter().map(|entry| entry.0 as i32).collect(),
        i: entries.iter().map(|entry| entry.1 as i32).collect(),
        x: Some(entries.iter().map(|entry| entry.2).collect()),
        q: Some(dense.q.clone()),
        mu: dense.mu.clone(),
    };
    (parts, problem(&dense))
}

/// The same entries, compressed by rows (nz = -2) or by columns (nz = -1).
fn compressed(parts: &Parts, nz: i32) -> Parts {
    let x = parts.x.as_ref().unwrap();
    let (lines, places) = if nz == -2 { (&parts.p, &parts.i) } else { (&parts.i, &parts.p) };
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by_key(|k| lines[*k]);
    let mut starts = vec![0; parts.m as usize + 1];
    lines.iter().for_each(|line| starts[*line as usize + 1] += 1);
    (1..starts.len()).for_each(|k| starts[k] += starts[k - 1]);
    Parts {
        nz,
        p: starts,
        i: order.iter().map(|k| places[*k]).collect(),
        x: Some(order.iter().map(|k| x[*k]).collect()),
        ..parts.clone()
    }
}

#[test]
fn every_layout_gives_the_same_problem() {
    let (mut parts, expected) = triplets();
    // W need not be symmetric in a file: rows and columns must not be mixed up
    let k = (0..parts.p.len()).find(|k| parts.p[*k] / 3 != parts.i[*k] / 3).unwrap();
    parts.x.as_mut().unwrap()[k] *= 1.5;
    let path = place("layouts.hdf5");
    let read = |parts: &Parts| {
        parts.write(&path);
        fclib::read(&path).unwrap()
    };
    let problem = read(&parts);
    assert_ne!(problem, expected);
    assert_eq!(problem.asymmetry().blocks, 2, "the changed block and its partner");
    assert_eq!(read(&compressed(&parts, -2)), problem);
    assert_eq!(read(&compressed(&parts, -1)), problem);
    // FCLIB reserves room: what stands behind the entries does not count
    for mut roomy in [parts.clone(), compressed(&parts, -2)] {
        roomy.x.as_mut().unwrap().extend([f64::NAN; 4]);
        roomy.i.extend([-7; 4]);
        assert_eq!(read(&roomy), problem);
    }
    // a triplet given in two halves
    parts.p.push(parts.p[0]);
    parts.i.push(parts.i[0]);
    let x = parts.x.as_mut().unwrap();
    x[0] *= 0.5;
    x.push(x[0]);
    parts.nz += 1;
    assert_eq!(read(&parts), problem);
}

#[test]
fn faults_are_named_with_their_dataset() {
    let (good, _) = triplets();
    let rows = compressed(&good, -2);
    let (size, contacts) = (good.m, good.mu.len());
    let changed = |change: &dyn Fn(&mut Parts)| {
        let mut parts = rows.clone();
        change(&mut parts);
        parts
    };
    let with_x = |change: &dyn Fn(&mut Vec<f64>)| changed(&|parts| change(parts.x.as_mut().unwrap()));
    let cases: Vec<(Parts, String)> = vec![
        (changed(&|parts| parts.spacedim = None), "`fclib_local/spacedim` is missing".into()),
        (changed(&|parts| parts.spacedim = Some(5)), "`fclib_local/spacedim` is 5, 2 or 3 were expected".into()),
        (changed(&|parts| parts.n += 3), format!("`fclib_local/W` has {size} rows and {} columns, a square", size + 3)),
        (
            changed(&|parts| (parts.m, parts.n) = (parts.m - 1, parts.n - 1)),
            format!("`fclib_local/W` has {} rows, which is no multiple of spacedim = 3", size - 1),
        ),
        (changed(&|parts| parts.m = -3), "`fclib_local/W/m` is -3, zero or more was expected".into()),
        (changed(&|parts| parts.nz = -3), "`fclib_local/W/nz` is -3; -2 (rows), -1 (columns) or".into()),
        (changed(&|parts| parts.p.truncate(4)), format!("`fclib_local/W/p` has 4 numbers, {} were expected", size + 1)),
        (changed(&|parts| parts.p[3] = 100_000), "`fclib_local/W/p` does not rise from 0".into()),
        (changed(&|parts| parts.i.truncate(4)), "`fclib_local/W/i` has 4 numbers, at least ".into()),
        (
            changed(&|parts| parts.i[2] = size),
            format!("`fclib_local/W/i` has index {size} at place 2, W has {size} rows and columns"),
        ),
        (changed(&|parts| parts.i[2] = -1), "`fclib_local/W/i` has index -1 at place 2".into()),
        (changed(&|parts| parts.x = None), "`fclib_local/W/x` is missing".into()),
        (with_x(&|x| x.truncate(10)), "`fclib_local/W/x` has 10 numbers, at least ".into()),
        (with_x(&|x| x[0] = f64::NAN), "`fclib_local/W` cannot be used: W of contact 0 is not a finite number".into()),
        (with_x(&|x| x.fill(0.0)), "the block of W on its diagonal for contact 0 is not positive definite".into()),
        (changed(&|parts| parts.q = None), "`fclib_local/vectors/q` is missing".into()),
        (
            changed(&|parts| parts.q = Some(vec![0.0; 4])),
            format!("`fclib_local/vectors/q` has 4 numbers, {size} were expected"),
        ),
        (
            changed(&|parts| parts.q.as_mut().unwrap()[3] = f64::INFINITY),
            "`fclib_local/vectors/q` cannot be used: q of contact 1 is not a finite number".into(),
        ),
        (
            changed(&|parts| parts.mu.truncate(1)),
            format!("`fclib_local/vectors/mu` has 1 numbers, {contacts} were expected"),
        ),
        (
            changed(&|parts| parts.mu[1] = -0.5),
            "`fclib_local/vectors/mu` cannot be used: mu of contact 1 is -0.5".into(),
        ),
        (
            Parts {
                m: 0,
                n: 0,
                nz: 0,
                p: vec![],
                i: vec![],
                x: Some(vec![]),
                q: Some(vec![]),
                mu: vec![],
                ..rows.clone()
            },
            "`fclib_local/W` cannot be used: there are no contacts".into(),
        ),
    ];
    let path = place("faults.hdf5");
    for (parts, expected) in cases {
        parts.write(&path);
        let text = fclib::read(&path).unwrap_err().to_string();
        assert!(text.starts_with(&format!("cannot read {}: ", path.display())), "{text}");
        assert!(text.contains(&expected), "{text}\n  expected: {expected}");
    }
}

#[test]
fn files_of_another_kind_are_refused() {
    let path = place("other.hdf5");
    let refused = |expected: &str| {
        let text = fclib::read(&path).unwrap_err().to_string();
        assert!(text.contains(expected) && text.contains(path.to_str().unwrap()), "{text}");
    };
    refused("No such file");
    fs::write(&path, "title = \"a scenario\"\n").unwrap();
    refused("it is not an HDF5 file");
    fs::write(&path, "").unwrap();
    refused("it is not an HDF5 file");
    let with_group = |name: &str| {
        let mut file = FileBuilder::new();
        let group = file.create_group(name);
        file.add_group(group.finish());
        fs::write(&path, file.finish().unwrap()).unwrap();
    };
    with_group("something");
    refused("the group `fclib_local` is missing");
    with_group("fclib_global");
    refused("the group `fclib_local` is missing; it holds a global problem, which cannot be solved");
    let with_local = |fill: &dyn Fn(&mut GroupBuilder)| {
        let mut file = FileBuilder::new();
        let mut local = file.create_group("fclib_local");
        fill(&mut local);
        file.add_group(local.finish());
        fs::write(&path, file.finish().unwrap()).unwrap();
    };
    with_local(&|local| _ = local.create_dataset("spacedim").with_f64_data(&[3.0]));
    refused("`fclib_local/spacedim` holds f64, integers were expected");
    with_local(&|local| {
        local.create_dataset("spacedim").with_i32_data(&[3]);
        let bilateral = local.create_group("R");
        local.add_group(bilateral.finish());
    });
    refused("`fclib_local/R` belongs to bilateral constraints, which cannot be solved yet");
    assert!(fclib::read_solution(&path).unwrap_err().to_string().contains("the group `solution` is missing"));
}

#[test]
fn damaged_files_are_refused_or_read_and_never_end_the_program() {
    let whole = place("whole.hdf5");
    let (parts, expected) = triplets();
    parts.write(&whole);
    let bytes = fs::read(&whole).unwrap();
    let path = place("damaged.hdf5");
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        panic::catch_unwind(|| fclib::read(&path)).expect("an error is no panic")
    };
    assert_eq!(read(&bytes).unwrap(), expected);
    for length in (0..bytes.len()).step_by(97) {
        assert!(read(&bytes[..length]).is_err(), "cut after {length} of {} bytes", bytes.len());
    }
    for k in (0..bytes.len()).step_by(13) {
        let mut flipped = bytes.clone();
        flipped[k] ^= 0xff;
        let _ = read(&flipped);
    }
}
