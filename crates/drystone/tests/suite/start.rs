//! What a scenario says of its start: laws for all pairs, files of grains, names.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::dim::D2;
use drystone::input::Reader;
use drystone::scenario::{AnyScenario, Scenario};
use drystone::sim;
use drystone::world::World;

const HEAD: &str = "gravity = [0, -10]\ndimension = 2\nstop = { at = 1 }\nmethod.cd.time_step = 1e-3\n";

/// A folder for files of a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("start").join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(&path).unwrap();
    path
}

fn resolved(text: &str) -> String {
    let scenario = AnyScenario::parse("scenario", text, &[], Reader::default());
    scenario.unwrap_or_else(|mistakes| panic!("{mistakes}")).to_toml()
}

/// The law between "any" stands for all pairs that have none, at the start and in stages.
#[test]
fn a_law_between_any_is_one_for_every_pair_without() {
    let text = |laws: &str, change: &str| {
        format!(
            "{HEAD}material = [{{ name = \"a\", density = 1 }}, {{ name = \"b\", density = 2 }}, {{ name = \"c\", density = 3 }}]
            contact = [{laws}]
            stage = [{{ name = \"one\", until = {{ at = 0.5 }} }}, {{ name = \"two\", limit = 1, set = {{ contact = [{change}] }} }}]
            [[grains]]\nmaterial = \"a\"\nshape = {{ kind = \"disk\", radius = 1 }}\nplace = {{ how = \"at\", points = [[0, 0]] }}"
        )
    };
    let law = |pair: &str, rest: &str| format!("{{ between = {pair}, {rest} }}");
    let soft = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e5, restitution = 0.5 } }";
    let own = law("[\"b\", \"a\"]", "friction = 0.1");
    let each = |rest: &str| {
        let pairs = [["a", "a"], ["a", "c"], ["b", "b"], ["b", "c"], ["c", "c"]];
        pairs.map(|[one, other]| law(&format!("[\"{one}\", \"{other}\"]"), rest)).join(", ")
    };
    let short = resolved(&text(&format!("{}, {own}", law("\"any\"", soft)), &law("\"any\"", "friction = 0.2")));
    let long = resolved(&text(&format!("{}, {own}", each(soft)), &each("friction = 0.2")));
    assert_eq!(short, long);
    assert_eq!(resolved(&short), short, "what is resolved stays what it is");
    assert!(short.matches("between").count() == 6 + 5 && !short.contains("any"), "{short}");
    // materials may have that name
    let named = HEAD.to_string()
        + "material = [{ name = \"any\", density = 1 }]\ncontact = [{ between = [\"any\", \"any\"], friction = 0.3 }]
           [[grains]]\nmaterial = \"any\"\nshape = { kind = \"disk\", radius = 1 }\nplace = { how = \"at\", points = [[0, 0]] }";
    assert!(resolved(&named).contains("between = [\"any\", \"any\"]"));
}

fn world_of_file(name: &str, csv: &str, group: &str) -> World<D2> {
    let folder = folder(name);
    fs::write(folder.join("grains.csv"), csv).unwrap();
    let text = format!(
        "{HEAD}material = [{{ name = \"sand\", density = 1000 }}]\ncontact = [{{ between = \"any\", friction = 0.5 }}]
        [[grains]]\nmaterial = \"sand\"\nshape = {{ kind = \"disk\" }}\nplace = {{ how = \"file\", file = \"grains.csv\" }}\n{group}"
    );
    let scenario = Scenario::<D2>::parse(&text).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    scenario.build(&folder).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Rows as x, y, radius, vx, vy, w in the order of their ids.
fn rows(world: &World<D2>) -> Vec<[f64; 6]> {
    let mut grains: Vec<usize> = world.grains().collect();
    grains.sort_by_key(|k| world.bodies.id[*k]);
    let row = |k: usize| {
        let (x, twist) = (world.bodies.pose[k].x, world.bodies.twist[k]);
        [x.x, x.y, world.bodies.shape[k].radius(), twist.v.x, twist.v.y, twist.w]
    };
    grains.into_iter().map(row).collect()
}

#[test]
fn columns_of_a_file_of_grains_stand_in_any_order_and_unit() {
    let still = [[0.1, 0.2, 0.01, 0.0, 0.0, 0.0], [-0.1, 0.0, 0.02, 0.0, 0.0, 0.0], [0.3, 0.4, 0.03, 0.0, 0.0, 0.0]];
    let plain = world_of_file("plain", "0.1,0.2,0.01\n-0.1,0,0.02\n0.3,0.4,0.03\n", "");
    assert_eq!(rows(&plain), still);
    assert_eq!(rows(&world_of_file("named", "x,y,r\n0.1,0.2,0.01\n-0.1,0,0.02\n0.3,0.4,0.03\n", "")), still);
    let told = "# of an experiment\nspin [deg/s], vy [mm/s], radius [cm], y [mm], vx, x [m]\n180,5,1,200,-2,0.1\n0,0,2,0,0,-0.1\n-90,7,3,400,1,0.3\n";
    let pi = std::f64::consts::PI;
    let mut moving = still;
    moving[0][3..].copy_from_slice(&[-2.0, 0.005, pi]);
    moving[2][3..].copy_from_slice(&[1.0, 0.007, -0.5 * pi]);
    let world = world_of_file("told", told, "name = \"grain\"");
    assert_eq!(rows(&world), moving);
    // a file that says nothing of velocities leaves them to the group
    let spinning = "x,y,radius,spin\n0,0,1,3\n";
    assert_eq!(rows(&world_of_file("group", spinning, "velocity = [4, 5]")), [[0.0, 0.0, 1.0, 4.0, 5.0, 3.0]]);
    // only the first of them are taken
    assert_eq!(rows(&world_of_file("count", told, "count = 1")), moving[..1]);
}

/// Blocks have names, which `output.track` and loads know; a number belongs to every one of several.
#[test]
fn blocks_have_names() {
    let text = format!(
        "{HEAD}material = [{{ name = \"stone\", density = 2000 }}]\ncontact = [{{ between = \"any\", friction = 0.5 }}]
        output = {{ track = [\"tower.2\", \"slab\"] }}
        [[build]]\nwhat = \"stack\"\nname = \"tower\"\nmaterial = \"stone\"\nwidth = 1\nheight = 1\ncount = 3\nat = [0, 0]
        [[build]]\nwhat = \"stack\"\nname = \"slab\"\nmaterial = \"stone\"\nwidth = 1\nheight = 1\ncount = 1\nat = [5, 0]
        [[load]]\ngrain = \"tower.2\"\nforce = [1, 0]"
    );
    let scenario = Scenario::<D2>::parse(&text).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let world = scenario.build(Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let names: Vec<&str> = world.setup.names.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["tower.0", "tower.1", "tower.2", "slab"]);
    let top = world.body_of(world.setup.loads[0].grain).unwrap();
    assert_eq!((world.grain_name(top), world.bodies.pose[top].x.y), (Some("tower.2"), 2.5));
}

/// Grains of an earlier run keep their names and take loads by them; others may not take such a name.
#[test]
fn grains_of_an_earlier_run_keep_their_names() {
    let folder = folder("names");
    let text = |head: &str| {
        format!(
            "dimension = 3\ngravity = [0, 0, 0]\nstop = {{ at = 0.01 }}\nmethod.cd.time_step = 1e-3
            material = [{{ name = \"sand\", density = 1000 }}]\ncontact = [{{ between = \"any\", friction = 0.5 }}]\n{head}"
        )
    };
    let group = |name: &str, x: f64| {
        format!(
            "[[grains]]\n{name}\nmaterial = \"sand\"\nshape = {{ kind = \"sphere\", radius = 0.1 }}
            place = {{ how = \"at\", points = [[{x}, 0, 0], [{x}, 1, 0]] }}\n"
        )
    };
    let run = |text: &str, out: &str| {
        let scenario = AnyScenario::parse("run", text, &[], Reader::new(folder.clone()))?;
        let mut run = sim::start(&scenario, &folder, &folder.join(out), false).map_err(|error| match error {
            sim::RunError::Scenario(mistakes) => mistakes,
            other => panic!("{other}"),
        })?;
        while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
        Ok(())
    };
    let first: Result<(), drystone::input::Mistakes> =
        run(&text(&(group("", 3.0) + &group("name = \"pair\"", 0.0))), "one.out");
    first.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let next = "start = { from = \"one.out\", add = true }\noutput = { track = [\"pair.1\", \"late.0\"] }\n";
    let load = "[[load]]\ngrain = \"pair.1\"\nimpulse = [0, 0, 1]\nat = 0\n";
    run(&text(&(next.to_string() + &group("name = \"late\"", 6.0) + load)), "two.out").unwrap();
    let series = fs::read_to_string(folder.join("two.out/series.csv")).unwrap();
    let (header, last) = (series.lines().next().unwrap(), series.lines().last().unwrap());
    let place = header.split(',').position(|column| column.starts_with("pair.1_vz"));
    let v: f64 = last.split(',').nth(place.unwrap_or_else(|| panic!("{header}"))).unwrap().parse().unwrap();
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.001;
    assert!((v * mass - 1.0).abs() < 1e-12, "{v}");
    // the run after the next still knows them, also from the inputs that its folder keeps
    fs::remove_dir_all(folder.join("one.out")).unwrap();
    run(&text("start = { from = \"two.out\" }\noutput = { track = [\"pair.0\", \"late.1\"] }\n"), "three.out").unwrap();
    let again = run(&text(&(next.to_string().replace("one", "two") + &group("name = \"pair\"", 9.0))), "four.out");
    let mistakes = again.unwrap_err().to_string();
    assert!(mistakes.contains("the earlier run has a grain \"pair.0\" already"), "{mistakes}");
}
