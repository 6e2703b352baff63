//! Folders of runs: frames and checkpoints.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::method::cd::problem::AnyProblem;
use drystone::record::{RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use drystone::sim::{problem_after, resume, start};
use drystone_certify::certify;

use crate::child::Trial;
use crate::mutate::{change_bytes, change_member};
use crate::scenarios::march;

/// Small runs: disks in a box, soft spheres in a cell, polygons, polyhedra, clumps.
const SCENARIOS: [&str; 4] = [
    "dimension = 2\ngravity = [0, -9.81]\nstop = { at = 1 }\nmethod.cd.time_step = 1e-3\n\
     [[grains]]\nmaterial = \"m\"\nshape = { kind = \"disk\", radius = 0.1 }\n\
     place = { how = \"at\", points = [[0.1, 0.1], [0.3, 0.1], [0.5, 0.1], [0.2, 0.3]] }\n\
     [[wall]]\nname = \"box\"\nmaterial = \"m\"\nkind = \"box\"\nmin = [0, 0]\nmax = [0.6, 1]\n",
    "dimension = 3\ngravity = [0, 0, 0]\nstop = { at = 1 }\nmethod = { use = \"md\", md = { time_step = 1e-5 } }\n\
     cell = { periodic = [\"x\", \"y\", \"z\"], min = [0, 0, 0], max = [1, 1, 1] }\n\
     [[grains]]\nmaterial = \"m\"\nshape = { kind = \"sphere\", radius = 0.1 }\nvelocity = [1, 0, 0]\noverlap = 0.01\n\
     place = { how = \"at\", points = [[0.1, 0.1, 0.1], [0.2999, 0.1, 0.1], [0.6, 0.1, 0.1]] }\n",
    "dimension = 2\ngravity = [0, -9.81]\nstop = { at = 1 }\nmethod.cd.time_step = 1e-3\n\
     [[grains]]\nmaterial = \"m\"\nshape = { kind = \"rectangle\", width = 0.2, height = 0.1 }\n\
     place = { how = \"at\", points = [[0, 0.05], [0.02, 0.15]] }\n\
     [[grains]]\nmaterial = \"m\"\nshape = { kind = \"dimer\", radius = 0.1 }\nplace = { how = \"at\", points = [[1, 0.2]] }\n\
     [[wall]]\nname = \"floor\"\nmaterial = \"m\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\n",
    "dimension = 3\ngravity = [0, 0, -9.81]\nstop = { at = 1 }\nmethod.cd.time_step = 1e-3\n\
     [[grains]]\nmaterial = \"m\"\nshape = { kind = \"box\", size = [0.2, 0.2, 0.1] }\n\
     place = { how = \"at\", points = [[0, 0, 0.05], [0.02, 0.01, 0.15]] }\n\
     [[wall]]\nname = \"floor\"\nmaterial = \"m\"\nkind = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
];

const MATERIAL: &str = "[[material]]\nname = \"m\"\ndensity = 2500\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.3\n\
     md = { normal = { law = \"hooke\", stiffness = 1e5, restitution = 0.5 } }\n";

/// The folders of short runs, each with two frames and a checkpoint.
fn folders(desk: &Path) -> Vec<PathBuf> {
    let run = |(k, text): (usize, &&str)| {
        let text = format!("{text}{MATERIAL}[output]\nframes = 1e-9\n");
        let scenario = AnyScenario::parse("run", &text, &[], Reader::new(desk.to_path_buf()));
        let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let folder = desk.join(format!("run_{k}"));
        let mut run = start(&scenario, desk, &folder, true).unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..3 {
            run.advance().unwrap_or_else(|error| panic!("{error}"));
        }
        run.interrupt().expect("a checkpoint");
        folder
    };
    SCENARIOS.iter().enumerate().map(run).collect()
}

/// Contact problems of the runs.
pub(crate) fn problems(desk: &Path) -> Vec<AnyProblem> {
    let of = |path: PathBuf| problem_after(&RunFolder::open(&path).ok()?, 1).ok().flatten();
    folders(desk).into_iter().filter_map(of).collect()
}

/// Tries damaged frames, which are read, and now and then certified.
pub(crate) fn frame(desk: &Path) -> Trial {
    let folders = folders(desk);
    let files = |folder: &PathBuf| -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(folder.join("frames")).expect("frames");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a frame").path()).collect();
        paths.retain(|path| path.to_string_lossy().contains("000001"));
        paths.sort();
        paths.into_iter().map(|path| (path.clone(), fs::read(path).expect("a frame"))).collect()
    };
    let files: Vec<Vec<(PathBuf, Vec<u8>)>> = folders.iter().map(files).collect();
    Box::new(move |dice| {
        let k = dice.below(folders.len());
        let (path, bytes) = &files[k][dice.below(files[k].len())];
        let mut damaged = bytes.clone();
        (0..1 + dice.below(3)).for_each(|_| change_bytes(&mut damaged, dice));
        fs::write(path, damaged).expect("a frame");
        let is_read = frame_files::read(&folders[k].join("frames"), 1).is_ok();
        if is_read && dice.below(4) == 0 {
            let _ = RunFolder::open(&folders[k]).and_then(|folder| certify(&folder, &mut |_, _| {}));
        }
        fs::write(path, bytes).expect("a frame");
        is_read
    })
}

/// Tries damaged checkpoints: runs are resumed from them.
pub(crate) fn checkpoint(desk: &Path) -> Trial {
    let folders = folders(desk);
    let keep = |folder: &PathBuf| {
        ["checkpoint.npz", "scenario.toml", "series.csv"].map(|name| {
            let path = folder.join(name);
            (path.clone(), fs::read(path).expect("a file of the run"))
        })
    };
    let kept: Vec<[(PathBuf, Vec<u8>); 3]> = folders.iter().map(keep).collect();
    Box::new(move |dice| {
        let k = dice.below(folders.len());
        kept[k].iter().for_each(|(path, bytes)| fs::write(path, bytes).expect("a file of the run"));
        let (path, bytes) = &kept[k][0];
        let mut damaged = bytes.clone();
        match dice.below(4) {
            0 => change_bytes(&mut damaged, dice),
            _ => change_member(&mut damaged, dice),
        }
        fs::write(path, damaged).expect("a checkpoint");
        let Ok(folder) = RunFolder::open(&folders[k]) else { return false };
        let Ok(mut run) = resume(folder) else { return false };
        march(&mut *run);
        true
    })
}
