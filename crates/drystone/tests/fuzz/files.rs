//! Files that people bring: tables of numbers, meshes, contact problems.

use std::fs;
use std::path::Path;

use drystone::method::cd::problem::AnyProblem;
use drystone::record::fclib;

use crate::child::Trial;
use crate::mutate::{change_bytes, change_text};
use crate::runs;
use crate::scenarios::check_and_run;

/// The head of a scenario of one dimension.
fn head(dimension: usize) -> String {
    let gravity = if dimension == 2 { "[0, -9.81]" } else { "[0, 0, -9.81]" };
    format!(
        "dimension = {dimension}\ngravity = {gravity}\nstop = {{ at = 1 }}\nmethod.cd.time_step = 1e-3\n\
         [[material]]\nname = \"m\"\ndensity = 2500\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.3\n"
    )
}

/// Tries damaged tables: grains, radii with weights, and signals.
pub(crate) fn table(desk: &Path) -> Trial {
    let desk = desk.to_path_buf();
    let grains = "x,y,r\n0,0.5,0.1\n0.3,0.5,0.1\n0.6,0.5,0.1\n# a comment\n0.9,0.5,0.12\n";
    let sizes = "0.001,3\n0.002,1\n0.003,0.5\n";
    Box::new(move |dice| {
        let is_grains = dice.below(2) == 0;
        let bytes = change_text(if is_grains { grains } else { sizes }, &[], dice);
        fs::write(desk.join("table.csv"), bytes).expect("a table");
        let group = match is_grains {
            true => "shape = { kind = \"disk\" }\nplace = { how = \"file\", file = \"table.csv\" }\n",
            false => {
                "shape = { kind = \"disk\", radius = { table = \"table.csv\" } }\ncount = 20\n\
                 place = { how = \"random\", min = [0, 0], max = [0.1, 0.1] }\n"
            }
        };
        check_and_run(&format!("{}[[grains]]\nmaterial = \"m\"\n{group}", head(2)), &desk)
    })
}

const OBJ: &str =
    "# a tent\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\nf 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf -2 1/1 5//2\n";

/// The tent as STL: text, and binary.
fn stl() -> (String, Vec<u8>) {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0f32]];
    let faces = [[3, 2, 1], [3, 1, 0], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    let (mut text, mut binary) = ("solid tent\n".to_string(), vec![b' '; 80]);
    binary.extend((faces.len() as u32).to_le_bytes());
    for face in faces {
        text += "facet normal 0 0 1\nouter loop\n";
        binary.extend([0; 12]);
        for corner in face.map(|k| points[k]) {
            text += &format!("vertex {} {} {:e}\n", corner[0], corner[1], corner[2]);
            corner.iter().for_each(|x| binary.extend(x.to_le_bytes()));
        }
        text += "endloop\nendfacet\n";
        binary.extend([0; 2]);
    }
    (text + "endsolid\n", binary)
}

/// Tries damaged meshes, as walls and as grains.
pub(crate) fn mesh(desk: &Path) -> Trial {
    let desk = desk.to_path_buf();
    let (text, binary) = stl();
    Box::new(move |dice| {
        let bytes = match dice.below(3) {
            0 => change_text(OBJ, &[], dice),
            1 => change_text(&text, &[], dice),
            _ => {
                let mut bytes = binary.clone();
                (0..1 + dice.below(4)).for_each(|_| change_bytes(&mut bytes, dice));
                bytes
            }
        };
        fs::write(desk.join("shape.mesh"), bytes).expect("a mesh");
        let (grains, walls) = match dice.below(2) {
            0 => {
                let wall =
                    "[[wall]]\nname = \"w\"\nmaterial = \"m\"\nkind = \"mesh\"\nfile = \"shape.mesh\"\nunit = 1\n";
                ("{ kind = \"sphere\", radius = 0.1 }", wall)
            }
            _ => ("{ kind = \"from_file\", file = \"shape.mesh\", unit = 0.1 }", ""),
        };
        let place = "place = { how = \"at\", points = [[0.5, 0.5, 3], [0.5, 0.7, 4]] }";
        check_and_run(&format!("{}[[grains]]\nmaterial = \"m\"\nshape = {grains}\n{place}\n{walls}", head(3)), &desk)
    })
}

/// Tries damaged contact problems.
pub(crate) fn fclib(desk: &Path) -> Trial {
    let path = desk.join("problem.hdf5");
    let files: Vec<Vec<u8>> = runs::problems(desk)
        .iter()
        .map(|problem: &AnyProblem| {
            fclib::write(&path, problem, "a problem to damage").expect("a problem");
            fs::read(&path).expect("a file")
        })
        .collect();
    Box::new(move |dice| {
        let mut bytes = files[dice.below(files.len())].clone();
        (0..1 + dice.below(4)).for_each(|_| change_bytes(&mut bytes, dice));
        fs::write(&path, bytes).expect("a file");
        let _ = fclib::read_solution(&path);
        fclib::read(&path).is_ok()
    })
}
