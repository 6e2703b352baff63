//! Certificates of stones, clumps and capsules.

use drystone::record::{RunFolder, frame_files};
use drystone::scenario::template::Template;
use drystone_certify::Check;

use super::{breaks, broken, certified, run, run_text};

/// A few stones that slide, roll over and come to rest.
fn stones(name: &str) -> RunFolder {
    let small = [
        "grains.0.count=30",
        "grains.0.place.max=[0.06, 0.1]",
        "wall.0.max=[0.06, 0.2]",
        "stop.at=0.25",
        "output.frames=50 ms",
        "method.cd.accuracy=standard",
    ];
    run(name, "stones", &small)
}

#[test]
fn runs_of_stones_hold_and_altered_ones_do_not() {
    let folder = stones("stones");
    let certificate = certified(&folder);
    assert!(certificate.holds(), "{:?}: {:#?}", broken(&certificate), certificate.sheets);
    let last = frame_files::numbers(&folder.frames()).unwrap().into_iter().last().unwrap();
    let frame = frame_files::read(&folder.frames(), last).unwrap();
    assert!(frame.contacts.a.len() > 20 && frame.grains.outlines.len() == 30);
    let inner = frame.contacts.a.iter().position(|a| *a >= 0).unwrap();
    breaks(&folder, last, Check::Torque, "a longer arm", |frame| frame.contacts.arm_b[inner][0] += 1e-6);
    breaks(&folder, last, Check::Geometry, "a shifted point", |frame| {
        frame.contacts.arm_a[inner][1] += 1e-9;
        frame.contacts.arm_b[inner][1] += 1e-9;
    });
    breaks(&folder, last, Check::Geometry, "a turned normal", |frame| {
        let [x, y, _] = frame.contacts.normal[inner];
        let (sin, cos) = 1e-6_f64.sin_cos();
        frame.contacts.normal[inner] = [cos * x - sin * y, sin * x + cos * y, 0.0];
    });
    breaks(&folder, last, Check::Force, "a larger force", |frame| frame.contacts.normal_force[inner] *= 1.0 + 1e-9);
    breaks(&folder, last, Check::Torque, "a corner pulled out", |frame| {
        let number = frame.grains.outline.iter().position(|number| *number >= 0).unwrap();
        let outline = frame.grains.outline[number] as usize;
        frame.grains.outlines[outline][0][0] *= 1.01;
    });
}

/// Contacts that were found at the end of the step have the normals, points and gaps that follow from the motion that
/// led there.
#[test]
fn contacts_of_the_end_of_a_step_are_checked() {
    let flat = ["grains.0.count=60", "grains.0.place.max=[0.08, 0.15]", "wall.0.max=[0.08, 0.3]", "stop.at=0.2"];
    let solid = ["grains.0.count=30", "grains.0.place.max=[0.04, 0.04, 0.08]", "wall.0.max=[0.04, 0.04, 0.2]"];
    let common = ["method.cd.time_step=1 ms", "output.frames=2 ms", "method.cd.accuracy=standard"];
    for (name, template, settings) in [
        ("ahead in the plane", "stones", [&flat[..], &common].concat()),
        ("ahead in space", "stones3d", [&solid[..], &common, &["stop.at=0.15"]].concat()),
    ] {
        let folder = run(name, template, &settings);
        let certificate = certified(&folder);
        assert!(certificate.holds(), "{:?}: {:#?}", broken(&certificate), certificate.sheets);
        let found = frame_files::numbers(&folder.frames()).unwrap().into_iter().find_map(|number| {
            let contacts = frame_files::read(&folder.frames(), number).unwrap().contacts;
            let is_between = |k: usize| contacts.ahead.get(k) == Some(&1) && contacts.a[k] >= 0;
            (0..contacts.a.len()).find(|k| is_between(*k) && contacts.bias[*k] != [0.0; 3]).map(|k| (number, k))
        });
        let (number, k) = found.expect("a contact that was found at the end, and not closed at the start");
        breaks(&folder, number, Check::Terms, "a smaller gap", |frame| {
            frame.contacts.bias[k].iter_mut().for_each(|v| *v *= 1.0 - 1e-6);
        });
        breaks(&folder, number, Check::Geometry, "another motion", |frame| frame.contacts.ahead_spin_b[k][2] += 1e-3);
        breaks(&folder, number, Check::Geometry, "a shifted point", |frame| {
            frame.contacts.arm_a[k][1] += 1e-9;
            frame.contacts.arm_b[k][1] += 1e-9;
        });
        breaks(&folder, number, Check::Geometry, "one of the start", |frame| frame.contacts.ahead[k] = 0);
    }
}

#[test]
fn an_arch_that_stands_is_certified() {
    let folder = run("arch", "arch", &["stop.at=0.05", "output.frames=25 ms"]);
    let certificate = certified(&folder);
    assert!(certificate.holds(), "{:?}: {:#?}", broken(&certificate), certificate.sheets);
}

/// A few polyhedra that fall, tumble, hit each other and slide.
#[test]
fn runs_of_polyhedra_hold_and_altered_ones_do_not() {
    let small = [
        "grains.0.count=30",
        "grains.0.place.max=[0.04, 0.04, 0.08]",
        "wall.0.max=[0.04, 0.04, 0.2]",
        "stop.at=0.2",
        "output.frames=40 ms",
        "method.cd.time_step=0.2 ms",
        "method.cd.accuracy=standard",
    ];
    let folder = run("polyhedra", "stones3d", &small);
    let certificate = certified(&folder);
    assert!(certificate.holds(), "{:?}: {:#?}", broken(&certificate), certificate.sheets);
    let last = frame_files::numbers(&folder.frames()).unwrap().into_iter().last().unwrap();
    let frame = frame_files::read(&folder.frames(), last).unwrap();
    assert!(frame.contacts.a.len() > 20 && frame.grains.faces.len() == 30);
    let inner = frame.contacts.a.iter().position(|a| *a >= 0).unwrap();
    breaks(&folder, last, Check::Torque, "a longer arm", |frame| frame.contacts.arm_b[inner][0] += 1e-6);
    breaks(&folder, last, Check::Geometry, "a shifted point", |frame| {
        frame.contacts.arm_a[inner][2] += 1e-9;
        frame.contacts.arm_b[inner][2] += 1e-9;
    });
    breaks(&folder, last, Check::Geometry, "a turned stone", |frame| {
        let k = frame.grains.id.iter().position(|id| *id as i32 == frame.contacts.a[inner]).unwrap();
        let [x, y, z, w] = frame.grains.orientation[k];
        let (sin, cos) = 1e-7_f64.sin_cos();
        frame.grains.orientation[k] = [cos * x + sin * w, cos * y + sin * z, cos * z - sin * y, cos * w - sin * x];
    });
    breaks(&folder, last, Check::Force, "a larger force", |frame| frame.contacts.normal_force[inner] *= 1.0 + 1e-9);
    breaks(&folder, last, Check::Energy, "a faster spin", |frame| {
        frame.grains.angular_velocity.iter_mut().flatten().for_each(|w| *w = *w * 1.001 + 1e-3);
    });
    breaks(&folder, last, Check::Torque, "a corner pulled out", |frame| {
        let k = frame.grains.id.iter().position(|id| *id as i32 == frame.contacts.a[inner]).unwrap();
        let outline = frame.grains.outline[k] as usize;
        frame.grains.outlines[outline].iter_mut().flatten().for_each(|x| *x *= 1.01);
        frame.grains.previous_angular_velocity[k] = [1.0, 2.0, 3.0];
    });
}

/// Clumps and capsules of the plane and of space, rigid and soft.
#[test]
fn runs_of_clumps_hold_and_altered_ones_do_not() {
    let flat = ["grains.0.count=30", "grains.0.place.max=[0.08, 0.15]", "wall.0.max=[0.08, 0.3]", "stop.at=0.25"];
    let solid = ["grains.0.place.max=[0.04, 0.04, 0.08]", "wall.0.max=[0.04, 0.04, 0.2]", "stop.at=0.2"];
    let clumps = [
        "grains.0.count=15",
        "grains.1.count=15",
        "grains.1.place.min=[0, 0, 0.08]",
        "grains.1.place.max=[0.04, 0.04, 0.15]",
    ];
    let rods =
        ["grains.0.count=30", "grains.0.place.max=[0.06, 0.06, 0.12]", "wall.0.max=[0.06, 0.06, 0.2]", "stop.at=0.2"];
    let common = ["output.frames=40 ms", "method.cd.accuracy=standard"];
    let soft = ["method.use=md", "output.frames=40 ms"];
    let cases = [
        ("peanuts", "peanuts", [&flat[..], &common].concat()),
        ("soft peanuts", "peanuts", [&flat[..], &soft].concat()),
        ("clumps3d", "clumps3d", [&solid[..], &clumps, &common].concat()),
        ("soft clumps3d", "clumps3d", [&solid[..], &clumps, &soft].concat()),
        ("capsules", "capsules", [&rods[..], &common].concat()),
        ("soft capsules", "capsules", [&rods[..], &soft].concat()),
    ];
    for (name, template, settings) in cases {
        let folder = run(name, template, &settings);
        let certificate = certified(&folder);
        assert!(certificate.holds(), "{name} {:?}: {:#?}", broken(&certificate), certificate.sheets);
        let last = frame_files::numbers(&folder.frames()).unwrap().into_iter().last().unwrap();
        let frame = frame_files::read(&folder.frames(), last).unwrap();
        assert!(frame.contacts.a.len() > 20 && !frame.grains.radii.is_empty(), "{name}");
        let force = |k: &usize| frame.contacts.normal_force[*k];
        let between = (0..frame.contacts.a.len()).filter(|k| frame.contacts.a[*k] >= 0);
        let inner = between.max_by(|p, q| force(p).total_cmp(&force(q))).unwrap();
        if !name.starts_with("soft") {
            // the balance of torques holds up to the order of the step where forces are those of its end
            breaks(&folder, last, Check::Torque, "a longer arm", |frame| {
                [1e-6, -7e-7, 3e-7].iter().enumerate().for_each(|(k, d)| frame.contacts.arm_b[inner][k] += d);
            });
        }
        breaks(&folder, last, Check::Geometry, "a shifted point", |frame| {
            for axis in 0..2 {
                frame.contacts.arm_a[inner][axis] += 1e-8 * [1.0, -0.7][axis];
                frame.contacts.arm_b[inner][axis] += 1e-8 * [1.0, -0.7][axis];
            }
        });
        if !name.starts_with("soft") {
            breaks(&folder, last, Check::Force, "a larger force", |frame| {
                frame.contacts.normal_force[inner] *= 1.0 + 1e-8;
            });
        }
    }
}

/// Capsules, rigid and soft, and stones in a box of triangles with a ridge on its floor.
#[test]
fn capsules_and_stones_at_meshes_hold_and_altered_ones_do_not() {
    let wall = "kind     = \"box\"\nmin      = [0, 0, 0]\nmax      = [\"100 mm\", \"100 mm\", \"200 mm\"]";
    let points =
        "0 0 0,40 0 0,40 40 0,0 40 0,0 0 200,40 0 200,40 40 200,0 40 200,20 8 8,20 32 8,10 8 0,30 8 0,10 32 0,30 32 0";
    let (sides, top) = ("1 2 6,1 6 5,2 3 7,2 7 6,3 4 8,3 8 7,4 1 5,4 5 8", "5 6 7,5 7 8");
    let ridge = "1 11 2,11 12 2,2 12 14,2 14 3,3 14 13,3 13 4,4 13 11,4 11 1,11 9 12,13 14 10,11 13 10,11 10 9,12 9 10,12 10 14";
    let lines = |word: &str, list: &str| list.split(',').map(|line| format!("{word} {line}\\n")).collect::<String>();
    let file = [lines("v", points), lines("f", sides), lines("f", top), lines("f", ridge)].concat();
    let mesh = format!("kind     = \"mesh\"\nunit     = \"1 mm\"\nfile     = \"{file}\"");
    let text = Template::find("stones3d").unwrap().text;
    assert!(text.contains(wall));
    let text = text.replace(wall, &mesh);
    let small = [
        "grains.0.count=30",
        "grains.0.place.min=[0, 0, 0.01]",
        "grains.0.place.max=[0.04, 0.04, 0.1]",
        "stop.at=0.2",
        "output.frames=40 ms",
        "method.cd.time_step=0.2 ms",
        "method.cd.accuracy=standard",
    ];
    let rods = ["grains.0.shape={ kind = \"capsule\", radius = { uniform = [0.004, 0.007] }, elongation = 0.5 }"];
    let soft = [
        "contact.0.md={ normal = { law = \"hooke\", stiffness = 1e4, restitution = 0.5 } }",
        "method.use=md",
        "method.md={ time_step = \"auto\" }",
    ];
    for (name, settings) in [
        ("stones at a mesh", small.to_vec()),
        ("capsules at a mesh", [&small[..], &rods].concat()),
        ("soft capsules at a mesh", [&small[..], &rods, &soft].concat()),
    ] {
        let folder = run_text(name, &text, &settings);
        let certificate = certified(&folder);
        assert!(certificate.holds(), "{name} {:?}: {:#?}", broken(&certificate), certificate.sheets);
        let last = frame_files::numbers(&folder.frames()).unwrap().into_iter().last().unwrap();
        let frame = frame_files::read(&folder.frames(), last).unwrap();
        let is_judged =
            |k: &usize| frame.contacts.a[*k] < 0 && frame.contacts.ahead.get(*k).is_none_or(|ahead| *ahead == 0);
        let at_wall: Vec<usize> = (0..frame.contacts.a.len()).filter(is_judged).collect();
        assert!(at_wall.len() > 10, "{name}");
        breaks(&folder, last, Check::Geometry, "a shifted point", |frame| {
            let (normal, k) = (frame.contacts.normal[at_wall[0]], at_wall[0]);
            (0..3).for_each(|axis| frame.contacts.arm_b[k][axis] += 1e-5 * normal[axis]);
        });
        breaks(&folder, last, Check::Geometry, "a turned normal", |frame| {
            let [x, y, z] = frame.contacts.normal[at_wall[0]];
            let (sin, cos) = 1e-2_f64.sin_cos();
            frame.contacts.normal[at_wall[0]] = [cos * x - sin * z, y, sin * x + cos * z];
        });
    }
}
