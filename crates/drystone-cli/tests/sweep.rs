//! The verb sweep: many cases of one scenario, with answers that are known by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

/// A folder for one test with its scenario.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, scenario: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep").join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("case.toml"), scenario).unwrap();
        Place(path)
    }

    fn command(&self, words: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_drystone");
        Command::new(program).arg("sweep").args(words).current_dir(&self.0).output().unwrap()
    }

    /// What a sweep prints that must succeed.
    fn good(&self, words: &[&str]) -> String {
        let output = self.command(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, words: &[&str]) -> Json {
        serde_json::from_str(&self.good(&[words, &["--json"]].concat())).unwrap()
    }

    /// What is said of a sweep that must end with this code.
    fn bad(&self, words: &[&str], code: i32) -> String {
        let output = self.command(words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", said(&output));
        said(&output)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Rows of a CSV file by their columns.
    fn table(&self, name: &str) -> Vec<Vec<(String, String)>> {
        let text = self.read(name);
        let mut lines = text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
        let heads = lines.next().unwrap();
        lines.map(|line| heads.iter().cloned().zip(line).collect()).collect()
    }
}

/// What was said, without the breaks of lines.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "│").collect();
    words.join(" ").replace("m- m.", "m-m.")
}

fn cell<'r>(row: &'r [(String, String)], name: &str) -> &'r str {
    let found = row.iter().find(|(head, _)| head == name);
    &found.unwrap_or_else(|| panic!("no column {name} in {row:?}")).1
}

fn number(row: &[(String, String)], name: &str) -> f64 {
    cell(row, name).parse().unwrap_or_else(|_| panic!("{name} is `{}`", cell(row, name)))
}

/// A disk that does not turn slides with 1 m/s; friction stops it after v^2 / (2 mu g) = 1 / (20 mu) m.
const SLED: &str = r#"
dimension = 2
gravity   = [0, "-10 m/s2"]
[parameters]
speed = "1 m/s"
[[material]]
name    = "m"
density = "1000 kg/m3"
[[contact]]
between  = ["m", "m"]
friction = 0.5
[[grains]]
name     = "sled"
material = "m"
shape    = { kind = "disk", radius = "0.1 m" }
place    = { how = "at", points = [[0, "0.1 m"]] }
velocity = ["speed", 0]
rotates  = false
[[wall]]
name     = "floor"
kind     = "plane"
point    = [0, 0]
normal   = [0, 1]
material = "m"
[stop]
at = "0.5 s"
[method.cd]
time_step = "1 ms"
[output]
series_every = "5 ms"
frames       = "50 ms"
track        = ["sled"]
"#;

/// A disk somewhere in a box, without gravity: its place is drawn by the seed.
const LOST: &str = r#"
dimension = 2
gravity   = [0, 0]
[[material]]
name    = "m"
density = "1000 kg/m3"
[[contact]]
between  = ["m", "m"]
friction = 0.5
[[grains]]
name     = "one"
material = "m"
shape    = { kind = "disk", radius = "1 mm" }
count    = 1
place    = { how = "random", min = [0, 0], max = ["1 m", "1 m"] }
[stop]
at = "2 ms"
[method.cd]
time_step = "1 ms"
[output]
track = ["one"]
"#;

#[test]
fn a_grid_gives_the_ways_that_friction_allows_and_grows_without_computing_anew() {
    let place = Place::new("grid", SLED);
    let grid = "contact.m-m.friction=0.25:0.75:0.25";
    let words = ["case.toml", "--grid", grid, "--seeds", "1..2", "-o", "out", "--table", "way = sled_x, max(sled_vx)"];
    let text = place.good(&words);
    assert!(text.contains("6 cases: 6 done") && text.contains("| friction | runs | way [m]"), "{text}");
    for row in place.table("out/table.csv") {
        let (mu, way) = (number(&row, "friction"), number(&row, "way [m]"));
        // a step of 1 ms is a millimetre at 1 m/s
        assert!((way - 1.0 / (20.0 * mu)).abs() < 1e-3, "mu {mu}: {way} m");
        assert_eq!((number(&row, "way_error [m]"), number(&row, "way_runs")), (0.0, 2.0), "nothing is random here");
    }
    let report = "out/friction=0.5_seed=2/report.json";
    let before = place.read(report);
    // the same case by itself has the same bits
    let alone = ["run", "case.toml", "-o", "alone", "--set", "contact.m-m.friction=0.5", "--set", "seed=2", "--quiet"];
    let program = env!("CARGO_BIN_EXE_drystone");
    assert!(Command::new(program).args(alone).current_dir(&place.0).status().unwrap().success());
    let hash = |text: &str| serde_json::from_str::<Json>(text).unwrap()["hash"].clone();
    assert_eq!(hash(&before), hash(&place.read("alone/report.json")));
    // another value and the same ones: four and two more cases, numbered behind
    let more = place.json(&["case.toml", "--grid", "contact.m-m.friction=0.5,1", "--seeds", "1..3", "-o", "out"]);
    let names: Vec<&str> =
        more["cases"].as_array().unwrap().iter().map(|case| case["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 10, "{names:?}");
    assert_eq!((names[3], names[6]), ("friction=0.5_seed=2", "friction=0.5_seed=3"));
    assert_eq!(place.read(report), before, "a report has the time on the clock, which no second run repeats");
    let index = place.table("out/cases.csv");
    assert!(index.iter().all(|row| cell(row, "state") == "done" && cell(row, "hash").len() == 16));
    assert!((number(&index[9], "way [m]") - 0.05).abs() < 1e-3, "the index keeps the results that were asked for");
    assert!(place.good(&["out", "--list"]).contains("10 cases: 10 done"));
}

#[test]
fn a_table_has_means_and_standard_errors_over_the_seeds() {
    let place = Place::new("means", LOST);
    place.good(&["case.toml", "--seeds", "11..15", "-o", "out", "--table", "x = one_x", "--quiet"]);
    let found: Vec<f64> = place.table("out/cases.csv").iter().map(|row| number(row, "x [m]")).collect();
    let mean = (found[0] + found[1] + found[2] + found[3] + found[4]) / 5.0;
    let variance = found.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 4.0;
    let row = &place.table("out/table.csv")[0];
    assert!(variance > 1e-3, "the seeds give other places: {found:?}");
    assert!((number(row, "x [m]") - mean).abs() < 1e-15);
    assert!((number(row, "x_error [m]") - (variance / 5.0).sqrt()).abs() < 1e-15);
}

#[test]
fn designs_fill_every_part_of_every_range() {
    let place = Place::new("designs", SLED);
    for (design, out) in [("--latin", "latin"), ("--sobol", "sobol")] {
        let ranges = ["--range", "contact.m-m.friction=0.1:0.9", "--range", "speed=1 m/s:3 m/s"];
        let words = [&["case.toml", design, "16", "-o", out, "--list"][..], &ranges].concat();
        let found = place.json(&words);
        for (axis, [low, high]) in [[0.1, 0.9], [1.0, 3.0]].into_iter().enumerate() {
            let value = |case: &Json| {
                let text = case["values"][axis].as_str().unwrap().trim_end_matches(" m/s");
                text.parse::<f64>().unwrap()
            };
            let mut parts = [0; 16];
            for case in found["cases"].as_array().unwrap() {
                let part = (value(case) - low) / (high - low) * 16.0;
                // values are written with a millionth of the range
                parts[((part + 1e-4) as usize).min(15)] += 1;
            }
            assert_eq!(parts, [1; 16], "{design}, axis {axis}");
        }
    }
    assert!(!place.0.join("sobol/case").exists(), "listing runs nothing");
    // more points of a Sobol sequence keep the first ones
    let ranges = ["--range", "contact.m-m.friction=0.1:0.9", "--range", "speed=1 m/s:3 m/s"];
    let more = place.json(&[&["case.toml", "--sobol", "20", "-o", "sobol", "--list"][..], &ranges].concat());
    assert_eq!(more["cases"].as_array().unwrap().len(), 20);
}

#[test]
fn a_table_of_cases_has_names_units_and_seeds() {
    let place = Place::new("cases", SLED);
    fs::write(
        place.0.join("a.csv"),
        "name,contact.m-m.friction,speed [m/s],seed\nslow,0.5,0.5,3\nfast,0.5,100 cm/s,4\n",
    )
    .unwrap();
    place.good(&["case.toml", "--cases", "a.csv", "-o", "out", "--table", "way = sled_x", "--quiet"]);
    let index = place.table("out/cases.csv");
    // v^2 / (2 mu g)
    assert!((number(&index[0], "way [m]") - 0.025).abs() < 1e-3 && (number(&index[1], "way [m]") - 0.1).abs() < 1e-3);
    assert_eq!((cell(&index[0], "name"), cell(&index[1], "seed")), ("slow", "4"));
    assert!(place.0.join("out/slow/report.json").exists());
    for (text, why) in [
        ("contact.m-m.friction,speed\n0.5\n", "line 2: it has 1 values, and the header 2 columns"),
        ("contact.m-m.friction,speed\n0.5,\n", "line 2: `speed` has no value"),
        ("name,contact.m-m.friction\na,0.1\na,0.2\n", "two cases have the name a"),
        ("name,contact.m-m.friction\n../a,0.1\n", "cannot be the name of a case"),
        ("name,contact.m-m.friction\na,0.1\nb,0.1\n", "the cases a and b are the same scenario"),
        ("contact.m-m.friction\n", "a header and no cases"),
        ("", "is empty"),
    ] {
        fs::write(place.0.join("b.csv"), text).unwrap();
        let said = place.bad(&["case.toml", "--cases", "b.csv", "-o", "none"], 2);
        assert!(said.contains(why), "{text}: {said}");
    }
    assert!(!place.0.join("none").exists(), "a refused sweep leaves nothing behind");
}

#[test]
fn wrong_calls_are_answered_before_anything_runs() {
    let place = Place::new("wrong", SLED);
    let grid = |value: &str| place.bad(&["case.toml", "-o", "none", "--grid", value], 2);
    for (value, why) in [
        ("contact.m-m.frcition=0.1,0.2", "did you mean `friction`?"),
        ("contact.m-n.friction=0.1,0.2", "did you mean `contact.m-m`?"),
        ("contact.friction=0.1,0.2", "`contact.m-m.friction`"),
        ("spead=1 m/s,2 m/s", "did you mean `speed`?"),
        ("speed=1 kg,2 kg", "a mass (kg)"),
        ("speed=1 m/s:3 m/s", "low:high:step"),
        ("speed=3 m/s:1 m/s:1 m/s", "the range is empty"),
        ("contact.m-m.friction=0.5,0.50", "are the same scenario"),
        ("contact.m-m.friction=0.5,0.5", "two cases have the name friction=0.5_seed=0"),
        ("contact.m-m.friction=0.5,-0.5", "friction"),
        ("seed=1,2", "--seeds 1..10"),
    ] {
        let said = grid(value);
        assert!(said.contains(why), "{value}: {said}");
    }
    for (words, why) in [
        (&["--seeds", "10"][..], "1..10"),
        (&["--seeds", "4..2"], "empty"),
        (&["--latin", "8"], "--range key=low:high"),
        (&["--range", "speed=1:2"], "--latin 64 or --sobol 64"),
        (&["--sobol", "8", "--range", "speed=2 m/s:1 m/s"], "empty"),
        (&["--table", "sled_x, sled_x"], "two results are called"),
        (&["--table", "extnt.high_x"], "did you mean `extent`?"),
        (&["--plot", "friction", "way"], "x=friction y=rate"),
        (&["--grid", "speed=1 m/s", "--grid", "speed=2 m/s"], "given twice"),
        (&["--from", "nowhere"], "holds no run"),
    ] {
        let said = place.bad(&[&["case.toml", "-o", "none"], words].concat(), 2);
        assert!(said.contains(why), "{words:?}: {said}");
    }
    assert!(place.bad(&["nothing.toml"], 2).contains("there is no file and no folder"));
    assert!(place.bad(&["."], 2).contains("holds no sweep"));
    assert!(!place.0.join("none").exists(), "a refused sweep leaves nothing behind");
}

#[test]
fn a_folder_keeps_its_scenario_and_its_keys() {
    let place = Place::new("folder", SLED);
    let grid = ["--grid", "contact.m-m.friction=0.5,1"];
    place.good(&[&["case.toml", "-o", "out", "--quiet"], &grid[..]].concat());
    let other_keys = place.bad(&["case.toml", "-o", "out", "--grid", "speed=1 m/s,2 m/s"], 2);
    assert!(other_keys.contains("over other keys (contact.m-m.friction)"), "{other_keys}");
    let set = ["--set", "stop.at=0.2"];
    let other = place.bad(&[&["case.toml", "-o", "out"], &grid[..], &set].concat(), 2);
    assert!(other.contains("another scenario or with other settings") && other.contains("E101"), "{other}");
    place.good(&[&["case.toml", "-o", "out", "--force", "--quiet"], &grid[..], &set].concat());
    let index = place.table("out/cases.csv");
    assert!(index.iter().all(|row| (number(row, "time [s]") - 0.2).abs() < 1e-9), "replaced by --force");
    assert!(place.bad(&["out", "--seeds", "1..2"], 2).contains("name the scenario file again"));
    // one program at a time
    let lock = fs::File::open(place.0.join("out/.lock")).unwrap();
    lock.lock().unwrap();
    assert!(place.bad(&["out"], 2).contains("a sweep is going on in out [E251]"));
    assert!(place.good(&["out", "--list"]).contains("2 cases: 2 done"), "looking at it is possible");
    lock.unlock().unwrap();
    // as another version of the program would have left it
    let text = place.0.join("out/friction=1_seed=0.toml");
    fs::write(&text, fs::read_to_string(&text).unwrap().replace("drystone = ", "drystone = \"0.0.1\" # ")).unwrap();
    assert!(place.bad(&["out"], 2).contains("E101"), "versions are not mixed");
    assert!(place.good(&["out", "--table", "sled_x"]).contains("| 1        | 1    |"), "its results can be read");
}

#[test]
fn a_failed_case_is_marked_and_run_again_on_request() {
    let place = Place::new("failed", SLED);
    let words = ["case.toml", "--grid", "speed=1 m/s,1e8 m/s", "-o", "out", "--table", "way = sled_x"];
    let first = place.bad(&words, 1);
    assert!(first.contains("case 2 speed=1e8m-s_seed=0 failed") && first.contains("E263"), "{first}");
    let index = place.table("out/cases.csv");
    assert_eq!((cell(&index[0], "state"), cell(&index[1], "state")), ("done", "failed"));
    let second = place.bad(&["out"], 1);
    assert!(second.contains("1 case failed in an earlier call: --retry"), "{second}");
    let note = place.0.join("out/speed=1e8m-s_seed=0.json");
    fs::write(&note, fs::read_to_string(&note).unwrap().replace("E263", "E999")).unwrap();
    assert!(place.bad(&["out"], 1).contains("E999"), "it was not run again");
    assert!(place.bad(&["out", "--retry"], 1).contains("E263"), "it was run again");
    let table = place.good(&["out", "--table", "way = sled_x"]);
    assert!(table.contains("| 1e8         | 0 of 1 | -"), "{table}");
}

#[test]
fn cases_run_one_by_one_and_a_killed_one_goes_on() {
    let place = Place::new("only", SLED);
    let grid = ["--grid", "contact.m-m.friction=0.25,0.5", "-o", "out"];
    assert!(place.good(&[&["case.toml", "--list"][..], &grid].concat()).contains("2 cases: 2 waiting"));
    assert!(place.bad(&["out", "--only", "3"], 2).contains("numbered from 1 to 2"));
    place.good(&["out", "--only", "2"]);
    assert!(place.good(&["out", "--list"]).contains("2 cases: 1 done, 1 waiting"));
    // as a kill after a checkpoint leaves it
    let slow = Place::new(
        "killed",
        &SLED
            .replace("at = \"0.5 s\"", "at = \"10 s\"")
            .replace("5 ms", "1 s")
            .replace("[output]", "[output]\ncheckpoint = \"40 ms\""),
    );
    let seeds = ["case.toml", "--seeds", "1..1", "-o", "out", "--quiet"];
    let program = env!("CARGO_BIN_EXE_drystone");
    let mut child = Command::new(program).arg("sweep").args(seeds).current_dir(&slow.0).spawn().unwrap();
    let checkpoint = slow.0.join("out/seed=1/checkpoint.npz");
    // the first one is of the start
    let time = || fs::metadata(&checkpoint).and_then(|file| file.modified()).ok();
    let mut first = None;
    while child.try_wait().unwrap().is_none() && (first.is_none() || time() == first) {
        first = first.or_else(time);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(slow.good(&["out", "--list"]).contains("1 case: 1 begun"), "killed in the middle");
    slow.good(&["out"]);
    slow.good(&["case.toml", "--seeds", "1..1", "--set", "output.checkpoint=60 s", "-o", "whole", "--quiet"]);
    let hash = |out: &str| cell(&slow.table(&format!("{out}/cases.csv"))[0], "hash").to_string();
    assert_eq!(hash("out"), hash("whole"));
}

#[test]
fn a_plot_and_files_for_other_programs_are_written() {
    let place = Place::new("files", SLED);
    let grids = ["--grid", "contact.m-m.friction=0.25,0.5,1", "--grid", "speed=0.5 m/s,1 m/s", "--seeds", "1..2"];
    let script = place.good(&[&["case.toml", "-o", "out", "--emit", "slurm", "--threads", "2"][..], &grids].concat());
    assert!(script.contains("sbatch out/sweep.slurm"), "{script}");
    let slurm = place.read("out/sweep.slurm");
    assert!(slurm.contains("#SBATCH --array=1-12\n") && slurm.contains("#SBATCH --requeue"), "{slurm}");
    place.good(&["out", "--emit", "snakemake"]);
    assert!(place.read("out/Snakefile").contains("CASES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]"));
    place.good(&["out", "--only", "2..12", "--quiet"]);
    let lacking = place.bad(&["out", "--emit", "grainlearning", "--table", "way = sled_x"], 1);
    assert!(lacking.contains("not done"), "{lacking}");
    place.good(&["out", "--emit", "slurm"]);
    assert!(place.read("out/sweep.slurm").contains("--array=1\n"), "what is done is left out");
    place.good(&["out", "--quiet"]);
    assert!(place.bad(&["out", "--emit", "slurm"], 2).contains("all cases are done"));
    let table = ["--table", "way = sled_x, speed = max(sled_vx)"];
    place.good(&[&["out", "--plot", "x=friction", "y=way", "--by", "speed"][..], &table].concat());
    let svg = place.read("out/way-over-friction.svg");
    assert_eq!(svg.matches("<polygon").count(), 2, "a band for each speed");
    assert!(place.bad(&["out", "--plot", "x=fiction", "y=way"], 2).contains("did you mean `friction`?"));
    assert!(place.bad(&["out", "--plot", "x=friction", "y=wy"], 2).contains("did you mean `way`?"));
    place.good(&[&["out", "--emit", "grainlearning", "--iteration", "3"][..], &["--table", "way = sled_x"]].concat());
    let folder = "out/grainlearning/iter3";
    assert_eq!(
        place.read(&format!("{folder}/case_Iter3_Sample1_param.txt")),
        "# friction speed\n2.5000000000e-1 1.0000000000e0\n"
    );
    let sim = place.read(&format!("{folder}/case_Iter3_Sample1_sim.txt"));
    let way: f64 = sim.strip_prefix("# way\n").unwrap().trim().parse().unwrap();
    assert!((way - 0.2).abs() < 1e-3, "{sim}");
    assert_eq!(place.read(&format!("{folder}/case_Iter3_Samples.txt")).lines().count(), 7);
    assert!(place.bad(&["out", "--emit", "grainlearning", "--table", "max(sled_x)"], 2).contains("name = max(sled_x)"));
}

#[test]
fn a_sweep_starts_from_the_cases_of_another_one() {
    let place = Place::new("from", LOST);
    place.good(&["case.toml", "--seeds", "1..2", "-o", "fill", "--table", "x = one_x", "--quiet"]);
    let words = ["case.toml", "--seeds", "1..2", "--from", "fill", "--set", "grains=[]", "--set", "output.track=[]"];
    place.good(&[&words[..], &["-o", "flow", "--table", "x = extent.low_x", "--quiet"]].concat());
    for (fill, flow) in place.table("fill/cases.csv").iter().zip(place.table("flow/cases.csv")) {
        assert!((number(fill, "x [m]") - number(&flow, "x [m]")).abs() < 0.01, "{fill:?} {flow:?}");
    }
    let missing = place.bad(&[&words[..2], &["7..8"], &words[3..], &["-o", "none"]].concat(), 2);
    assert!(missing.contains("has no case with seed 7"), "{missing}");
}
