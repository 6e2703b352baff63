//! The command line as a user meets it: every verb, its exit code, what it says and what it leaves behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

/// A folder for one test, empty at its start.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    /// A place with the scenario of a small drop.
    fn with_drop(name: &str) -> Place {
        let place = Place::new(name);
        fs::write(place.path("drop.toml"), place.good("new drop")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drystone"));
        command.args(words).current_dir(&self.0);
        command
    }

    /// Runs `drystone` with these words, which are separated by spaces.
    fn run(&self, words: &str) -> Output {
        self.command(&words.split(' ').collect::<Vec<_>>()).output().unwrap()
    }

    /// What a command prints that must succeed.
    fn good(&self, words: &str) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "drystone {words}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command says that must end with this code.
    fn bad(&self, words: &str, code: i32) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(code), "drystone {words}: {}", said(&output));
        assert!(output.stdout.is_empty(), "errors go to stderr");
        said(&output)
    }

    fn json(&self, name: &str) -> Json {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    fn hash(&self, folder: &str) -> String {
        self.json(&format!("{folder}/report.json"))["hash"].as_str().unwrap().to_string()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// 60 disks in a narrow box.
const SMALL: &str = "--set grains.0.count=60 --set grains.0.place.max=[0.03,0.03] --set wall.0.max=[0.03,0.1]";

#[test]
fn new_prints_templates() {
    let place = Place::new("new");
    let list = place.good("new --list");
    for name in ["heap", "heap3d", "drop", "collision", "shaker"] {
        assert!(list.lines().any(|line| line.split(' ').next() == Some(name)), "{name} in {list}");
        let file = fs::read_to_string(format!("../../scenarios/{name}.toml")).unwrap();
        assert_eq!(place.good(&format!("new {name}")), file);
    }
    assert_eq!(place.good("list templates"), list);
    assert!(place.bad("new heep", 2).contains("heap, heap3d"));
    assert!(place.bad("new", 2).contains("new --list"));
}

#[test]
fn check_says_what_would_run() {
    let place = Place::with_drop("check");
    let text = place.good(&format!("check drop.toml {SMALL}"));
    for line in [
        "grains               60",
        "mass",
        "suggested time step",
        "60 grains, at most 2000 steps, at most 501 rows of the series and 51 frames",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert_eq!(fs::read_dir(&place.0).unwrap().count(), 1, "check writes nothing");
    let text = place.bad("check drop.toml --set contact.0.friction=-1", 2);
    assert!(
        text.contains("E007") && text.contains("--set contact.0.friction") && text.contains("drystone explain E007")
    );
    assert!(place.bad("check nowhere.toml", 2).contains("there is no file `nowhere.toml`"));
}

#[test]
fn warnings_are_told_and_stop_nothing() {
    let place = Place::with_drop("warnings");
    let bouncing = format!("drop.toml {SMALL} --set contact.0.restitution=0.5 --set stop.at=0.01");
    assert!(!said(&place.run(&format!("check drop.toml {SMALL}"))).contains("W1"));
    for verb in ["check", "run -o told", "run -o json --json"] {
        let output = place.run(&format!("{verb} {bouncing}"));
        assert!(output.status.success());
        assert!(said(&output).contains("W112") && said(&output).contains("scheme = \"midpoint\""), "{verb}");
    }
    assert_eq!(place.json("told/report.json")["warnings"][0]["code"].as_str(), Some("W112"));
    assert!(place.good("info told").contains("W112"));
    assert_eq!(said(&place.run(&format!("run {bouncing} -o quiet --quiet"))), "", "but not when quiet");
}

#[test]
fn run_leaves_what_it_promises() {
    let place = Place::with_drop("run");
    let output = place.run(&format!("run drop.toml {SMALL} --quiet"));
    assert_eq!((output.status.code(), said(&output).as_str(), output.stdout.len()), (Some(0), "", 0));
    for file in ["scenario.toml", "series.csv", "frames.pvd", "checkpoint.npz", "report.json"] {
        assert!(place.path("drop.out").join(file).is_file(), "{file}");
    }
    let series = fs::read_to_string(place.path("drop.out/series.csv")).unwrap();
    assert!(series.starts_with("time [s],step,sweeps,residual,kinetic_energy [J],potential_energy [J],"));
    let columns = series.lines().next().unwrap().split(',').count();
    assert!(series.lines().count() > 50 && series.lines().all(|row| row.split(',').count() == columns));
    let frames = fs::read_dir(place.path("drop.out/frames")).unwrap().count();
    assert!(frames > 9 && frames.is_multiple_of(3), "grains, contacts and walls of every frame: {frames}");
    let report = place.json("drop.out/report.json");
    assert_eq!((report["state"].as_str(), report["grains"].as_u64()), (Some("done"), Some(60)));
    assert_eq!((report["unconverged_steps"].as_u64(), report["stages"][0]["why"].as_str()), (Some(0), Some("at rest")));
    // the resolved scenario is a scenario, and gives the same run
    place.good("run drop.out/scenario.toml -o again --quiet");
    assert_eq!(place.hash("again"), place.hash("drop.out"));
}

#[test]
fn run_speaks_plainly_or_as_json() {
    let place = Place::with_drop("speak");
    let output = place.run(&format!("run drop.toml {SMALL} -o plain"));
    let text = said(&output);
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(text.starts_with("run t=0.5 ms | ") && text.contains(" left | step "), "{text}");
    assert!(text.contains("ended at") && text.contains("results in plain") && !text.contains('\u{1b}'), "{text}");

    let output = place.run(&format!("run drop.toml {SMALL} -o json --json --threads 4"));
    let lines: Vec<Json> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (first, last) = (&lines[0], &lines[lines.len() - 1]);
    for key in ["stage", "step", "time", "contacts", "sweeps", "residual", "max_overlap", "kinetic_energy"] {
        assert!(!first[key].is_null(), "{key} in {first}");
    }
    assert_eq!((first["event"].as_str(), last["event"].as_str()), (Some("step"), Some("done")));
    assert_eq!(last["report"]["hash"].as_str(), Some(place.hash("plain").as_str()), "threads change nothing");
    assert_eq!(
        place.bad("run drop.toml --quiet --json", 2).lines().next().map(|line| line.starts_with("error:")),
        Some(true)
    );
}

#[test]
fn a_run_is_not_overwritten_unasked() {
    let place = Place::with_drop("force");
    let run = format!("run drop.toml {SMALL} --set stop.at=0.05 -o out --quiet");
    place.good(&run);
    let before = place.hash("out");
    fs::write(place.path("out/notes.txt"), "mine").unwrap();
    let text = place.bad(&run, 2);
    for hint in ["holds a run already", "E101", "--force", "drystone resume out"] {
        assert!(text.contains(hint), "{text}");
    }
    place.good(&run.replace("stop.at=0.05", "stop.at=0.02").replace("--quiet", "--quiet --force"));
    assert_ne!(place.hash("out"), before);
    let frames = fs::read_dir(place.path("out/frames")).unwrap().count();
    assert_eq!(frames, 3 * 2, "no frame of the old run is left");
    assert_eq!(fs::read_to_string(place.path("out/notes.txt")).unwrap(), "mine", "other files stay");
}

#[test]
fn a_hasty_time_step_of_soft_grains_is_told_by_check_and_run() {
    let place = Place::new("hasty");
    fs::write(place.path("soft.toml"), place.good("new soft_bounce")).unwrap();
    for (verb, step, is_told) in [("check", 1e-4, true), ("run -o hasty", 1e-4, true), ("run -o slow", 1e-6, false)] {
        let output = place.run(&format!("{verb} soft.toml --set method.md.time_step={step:e} --set stop.at=2e-4"));
        let told = format!("{}{}", said(&output), String::from_utf8_lossy(&output.stdout));
        assert_eq!(told.contains("W211") && told.contains("longer than"), is_told, "{verb}: {told}");
    }
}

#[test]
fn settings_override_keys() {
    let place = Place::with_drop("set");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.01 --set title=Other -o out --quiet"));
    let resolved = fs::read_to_string(place.path("out/scenario.toml")).unwrap();
    assert!(
        resolved.contains("title = \"Other\"") && resolved.contains("count = 60") && resolved.contains("at = 0.01")
    );
    assert!(place.bad("run drop.toml --set frction=1", 2).contains("E002"));
    assert!(place.bad("drop.toml", 2).contains("`drystone run drop.toml`"));
    assert!(place.bad("new daop", 2).contains("did you mean `drop`?"));
    assert!(place.bad("run drop.toml --set grains.7.count=1", 2).contains("which of the list? `grains.0.count`"));
    assert!(place.bad("run drop.toml --set nothing", 2).contains("key=value"));
    assert!(place.bad("run drop.toml --method md", 2).contains("E018"));
    assert!(place.bad("run drop.toml --method dae", 2).contains("E018"), "rigid grains have no soft law");
    assert!(place.bad("run drop.toml --method dem", 2).contains("known: cd, md, dae"));
    assert!(!place.path("drop.out").exists(), "what is refused leaves no folder");
}

/// A drop whose numbers are computed: its box is twice as wide as the grains' place, its count an expression.
fn with_parameters(name: &str) -> Place {
    let place = Place::with_drop(name);
    let computed = fs::read_to_string(place.path("drop.toml"))
        .unwrap()
        .replace("[[material]]", "[parameters]\nwidth = \"60 mm\"\nlayers = 4\nhigh = \"3 * width / 2\"\nslope = \"30 deg\"\n\n[[material]]")
        .replace("count    = 400", "count    = \"15 * layers\"")
        .replace("\"60 mm\", \"200 mm\"", "\"width\", \"200 mm\"")
        .replace("\"60 mm\", \"90 mm\"", "\"width\", \"high\"")
        .replace("friction = 0.3", "friction = \"tan(slope) / 2\"")
        .replace("time_step = \"0.5 ms\"", "time_step = \"0.5 ms\"\n[[stage]]\nname = \"calm\"\nlimit = \"10 ms\"\nset = { contact = [{ friction = \"cos(slope)\" }] }");
    fs::write(place.path("drop.toml"), computed).unwrap();
    place
}

#[test]
fn parameters_are_set_by_their_names() {
    let place = with_parameters("parameters");
    let told = place.good("check drop.toml --set width=0.05");
    assert!(told.contains("layers  4\n") && told.contains("high    3 * width / 2 = 0.075"), "{told}");
    assert!(told.contains("slope   30 deg = 0.5235987755982988 rad") && told.contains("60"), "{told}");
    // by its name, by its place, and written out
    place.good("run drop.toml --set layers=2 --set parameters.width=0.05 -o short --quiet");
    place.good("run drop.toml --set grains.0.count=30 --set width=0.05 -o same --quiet");
    assert_eq!(place.json("short/report.json")["grains"].as_u64(), Some(30));
    assert_eq!(place.hash("short"), place.hash("same"));
    assert!(place.bad("run drop.toml --set widht=0.05", 2).contains("did you mean `width`?"));
    assert!(place.bad("run drop.toml --set parameters.widht=0.05", 2).contains("did you mean `width`?"));
    assert!(place.bad("run drop.toml --set parameters.new=0.05", 2).contains("changes nothing"));
    let unit = ["run", "drop.toml", "--set", "width=50 ms"];
    let output = place.command(&unit).output().unwrap();
    assert!(output.status.code() == Some(2) && said(&output).contains("is a time (s)"), "{}", said(&output));
}

#[test]
fn a_resolved_scenario_keeps_its_parameters_and_refuses_others() {
    let place = with_parameters("resolved");
    place.good("run drop.toml --set layers=3 -o out --quiet");
    let text = fs::read_to_string(place.path("out/scenario.toml")).unwrap();
    assert!(text.contains("[parameters.high]\nwritten = \"3 * width / 2\"\nvalue = 0.09\n"), "{text}");
    assert!(text.contains("count = 45\n") && !text.contains("= \"tan"), "{text}");
    let told = place.good("run out/scenario.toml -o again --quiet");
    assert!(told.is_empty() && place.hash("again") == place.hash("out"));
    assert_eq!(fs::read_to_string(place.path("again/scenario.toml")).unwrap(), text);
    place.good("certify out");
    place.good("run out/scenario.toml --set grains.0.count=40 -o fewer --quiet");
    for setting in ["width=0.05", "parameters.layers=4", "layers.value=4"] {
        let told = place.bad(&format!("run out/scenario.toml --set {setting} -o other"), 2);
        assert!(told.contains("E036"), "{setting}: {told}");
    }
    fs::write(place.path("edited.toml"), text.replace("written = \"60 mm\"", "written = \"70 mm\"")).unwrap();
    assert!(place.bad("check edited.toml", 2).contains("E036"));
}

#[test]
fn a_bad_scenario_is_refused_with_all_its_mistakes() {
    let place = Place::new("bad");
    fs::copy("../drystone/tests/bad/many_mistakes.toml", place.path("many.toml")).unwrap();
    for verb in ["check", "run"] {
        let text = place.bad(&format!("{verb} many.toml"), 2);
        assert!(
            text.matches("many.toml:").count() > 15 && text.contains("mistakes; `drystone explain CODE`"),
            "{text}"
        );
    }
    assert!(place.bad("run", 2).contains("Usage"));
    assert!(place.bad("walk", 2).contains("unrecognized subcommand"));
}

#[test]
fn grains_of_a_file_come_along() {
    let place = Place::new("inputs");
    fs::create_dir(place.path("here")).unwrap();
    let text = Place::new("inputs-drop").good("new drop");
    let start = text.find("[[grains]]").unwrap();
    let end = text.find("[[wall]]").unwrap();
    let grains = "[[grains]]\nmaterial = \"steel\"\nshape = { kind = \"disk\" }\nplace = { how = \"file\", file = \"two.csv\" }\n\n";
    fs::write(place.path("here/two.toml"), format!("{}{grains}{}", &text[..start], &text[end..])).unwrap();
    fs::write(place.path("here/two.csv"), "x,y,r\n0.01,0.01,0.001\n0.02,0.01,0.002\n").unwrap();
    place.good("run here/two.toml --set stop.at=0.01 -o out --quiet");
    fs::remove_file(place.path("here/two.csv")).unwrap();
    assert_eq!(place.json("out/report.json")["grains"].as_u64(), Some(2));
    let before = place.hash("out");
    // the folder stands by itself, even where it replaces itself
    place.good("run out/scenario.toml -o out --force --quiet");
    assert_eq!(place.hash("out"), before);
    assert!(place.bad("run here/two.toml -o other", 2).contains("there is no file `here/two.csv`"));
}

#[test]
fn a_run_starts_from_another() {
    let place = Place::with_drop("from");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.05 --set output.frames=0.01 -o one --quiet"));
    let next = "--set grains=[] --set wall.0.max=[0.03,0.1] --set stop.at=0.02 --quiet";
    for (moment, name) in [
        ("one", "end"),
        ("one@2", "frame"),
        ("one@first", "first"),
        ("one@5", "five"),
        ("one@last", "last"),
        ("one@run", "stage"),
    ] {
        let command = format!("run drop.toml {next} --from {moment} -o {name}");
        match name {
            // without stages the run is one that has no name in the scenario
            "stage" => assert!(place.bad(&command, 2).contains("the run has no stages")),
            _ => drop(place.good(&command)),
        }
    }
    assert_eq!(place.json("end/report.json")["grains"].as_u64(), Some(60));
    assert_eq!(place.hash("last"), place.hash("five"));
    assert_ne!(place.hash("first"), place.hash("last"));
    assert!(place.bad(&format!("check drop.toml {next} --from two").replace(" --quiet", ""), 2).contains("E032"));
    // the folder stands by itself, even where it replaces itself
    let before = place.hash("end");
    fs::remove_dir_all(place.path("one")).unwrap();
    place.good("run end/scenario.toml -o end --force --quiet");
    assert_eq!(place.hash("end"), before);
}

#[test]
fn an_earlier_run_replaces_what_the_file_places() {
    let place = Place::with_drop("replaced");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.05 -o one --quiet"));
    let next = format!("run drop.toml {SMALL} --set stop.at=0.01 --from one");
    let told = said(&place.run(&format!("{next} -o two")));
    assert!(told.contains("replace 1 group of grains of this scenario; write add = true"), "{told}");
    assert_eq!(place.json("two/report.json")["grains"].as_u64(), Some(60));
    let resolved = fs::read_to_string(place.path("two/scenario.toml")).unwrap();
    assert!(!resolved.contains("[[grains]]") && resolved.contains("one at 0.05 s"), "{resolved}");
    place.good(&format!("{next} -o three --quiet --set start.add=true --set grains.0.count=5"));
    assert_eq!(place.json("three/report.json")["grains"].as_u64(), Some(65));
}

#[test]
fn a_run_goes_on_with_changed_keys() {
    let place = Place::with_drop("continued");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.05 -o one --quiet"));
    place.good("continue one --set stop.at=0.02 --set contact.steel-steel.friction=0.1 -o two --quiet");
    let report = place.json("two/report.json");
    assert_eq!((report["grains"].as_u64(), report["time"].as_f64()), (Some(60), Some(0.02)));
    let resolved = fs::read_to_string(place.path("two/scenario.toml")).unwrap();
    assert!(resolved.contains("origin = \"one at 0.05 s\"") && resolved.contains("friction = 0.1"), "{resolved}");
    // the same keys, the same bits as a run that starts from it
    place.good("continue one --set stop.at=0.02 -o three --quiet");
    place.good("run one/scenario.toml --from one --set stop.at=0.02 -o four --quiet");
    assert_eq!(place.hash("three"), place.hash("four"));
    assert_ne!(place.hash("two"), place.hash("three"));
    place.good("run two/scenario.toml -o five --quiet");
    assert_eq!(place.hash("five"), place.hash("two"), "the folder stands by itself");
    assert!(place.bad("continue one -o one", 2).contains("a folder of its own"));
    assert!(place.bad("continue none -o two", 2).contains("E102"));
    assert!(place.bad("continue one -o two", 2).contains("E101"));
    assert!(place.bad("continue one --set contact.friction=1 -o six", 2).contains("which of the list?"));
    assert!(!place.path("six").exists());
}

/// What follows a stage is the same whether the run went through it or another one goes on from its end.
#[test]
fn a_run_goes_on_from_the_end_of_a_stage() {
    let place = Place::with_drop("continued_stage");
    let stage = |name: &str| format!("{{name=\"{name}\",limit=0.02}}");
    let stages = format!("--set stage=[{},{}]", stage("fall"), stage("land"));
    place.good(&format!("run drop.toml {SMALL} {stages} -o one --quiet"));
    place.good("continue one@fall -o two --quiet");
    let report = place.json("two/report.json");
    assert_eq!(
        (report["time"].as_f64(), report["stages"][0]["stage"].as_str()),
        (Some(0.02), Some("land")),
        "{report}"
    );
    let energies = |run: &str| {
        let series = fs::read_to_string(place.path(run).join("series.csv")).unwrap();
        let last = series.lines().last().unwrap().split(',').skip(4).take(2);
        last.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(energies("two"), energies("one"));
    assert!(place.bad("continue one@fly -o three", 2).contains("its stages: fall, land"));
}

#[test]
fn a_run_finds_its_time_step() {
    let place = Place::with_drop("auto");
    let told =
        said(&place.run(&format!("run drop.toml {SMALL} --set method.cd.time_step=auto --set stop.at=0.01 -o out")));
    // a twentieth of the smallest radius, 1 mm, at sqrt(4 g r)
    let expected = 0.05e-3 / (4.0_f64 * 9.81 * 1e-3).sqrt();
    assert!(told.contains(&format!("note: time step {expected:.3e} s: a grain fallen through its diameter")), "{told}");
    let resolved = fs::read_to_string(place.path("out/scenario.toml")).unwrap();
    let line = resolved.lines().find(|line| line.starts_with("time_step = ")).unwrap();
    let found: f64 = line["time_step = ".len()..].parse().unwrap();
    assert!((found / expected - 1.0).abs() < 1e-12, "{line}");
    let still = "check drop.toml --set method.cd.time_step=auto --set gravity=[0,0]";
    assert!(place.bad(still, 2).contains("E262"), "nothing moves");
    let far = place.good("check drop.toml --set method.cd.time_step=0.01");
    assert!(far.contains("warning[W213]") && far.contains("times"), "{far}");
}

#[test]
fn a_run_folder_can_be_looked_at() {
    let place = Place::with_drop("look");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.1 -o out --quiet"));
    let info = place.good("info out");
    for line in
        ["title           Drop into a box", "state           done", "grains          60 in 2D", &place.hash("out")]
    {
        assert!(info.contains(line), "{line} in {info}");
    }
    let before = place.hash("out");
    place.good("resume out --quiet");
    assert_eq!(place.hash("out"), before, "nothing is left to do");

    place.good("export out --to csv --frame 2");
    let table = fs::read_to_string(place.path("out/export/grains_000002.csv")).unwrap();
    let header = "id,x [m],y [m],z [m],radius [m],velocity_x [m/s],velocity_y [m/s],velocity_z [m/s],";
    assert!(table.starts_with(header), "{table}");
    assert_eq!(table.lines().count(), 61);
    let contacts = fs::read_to_string(place.path("out/export/contacts_000002.csv")).unwrap();
    assert!(contacts.starts_with("a,b,normal_x,normal_y,normal_z,gap [m],normal_force [N],"), "{contacts}");
    place.good("export out --to vtk -o vtk");
    assert_eq!(
        fs::read_dir(place.path("vtk")).unwrap().count(),
        fs::read_dir(place.path("out/frames")).unwrap().count()
    );
    place.good("export out --to npz -o npz");
    assert!(fs::read(place.path("npz/frame_000000.npz")).unwrap().starts_with(b"PK"));
    assert!(place.bad("export out --to csv --frame 99", 2).contains("frames go from 0 to"));

    place.good("picture out -o last.png");
    assert!(fs::read(place.path("last.png")).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
    place.good("picture out --frame 0 -o first.svg");
    let last =
        place.good("measure out energy --frames last").lines().nth(1).unwrap().split(',').next().unwrap().to_string();
    for (word, number) in [("first", "0"), ("last", last.as_str())] {
        let rows = |frames: &str| place.good(&format!("measure out energy --frames {frames}"));
        assert_eq!(rows(word), rows(number), "{word} is {number}");
        place.good(&format!("picture out --frame {word} -o word.svg"));
        place.good(&format!("picture out --frame {number} -o number.svg"));
        let drawn = |file: &str| fs::read(place.path(file)).unwrap();
        assert!(drawn("word.svg") == drawn("number.svg"), "{word} is {number}");
        place.good(&format!("export out --to csv --frame {word} -o {word}"));
        assert!(place.path(&format!("{word}/grains_{number:0>6}.csv")).exists());
    }
    assert!(place.bad("picture out --frame middle -o x.svg", 2).contains("a frame is a number, `first` or `last`"));
    assert!(fs::read_to_string(place.path("first.svg")).unwrap().starts_with("<svg"));
    assert!(place.bad("picture out -o last.gif", 2).contains(".svg or .png"));
    assert!(place.bad("picture out -o nowhere/last.png", 1).contains("E103"));

    for verb in ["info", "resume", "certify", "export --to csv", "picture -o x.png"] {
        assert!(place.bad(&format!("{verb} nowhere"), 2).contains("E102"), "{verb}");
    }
}

/// A force in a frame altered by a millionth, as someone would who knows the format.
#[test]
fn certify_finds_an_altered_force() {
    use drystone::record::frame_files;
    let place = Place::with_drop("certify");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.1 -o out --quiet"));
    let table = place.good("certify out");
    for check in ["force balance", "residual", "overlap", "momentum", "energy ledger", "geometry"] {
        assert!(table.lines().any(|line| line.starts_with(check) && line.contains("  holds  ")), "{check} in {table}");
    }
    assert!(table.trim_end().ends_with("comparisons: all hold") && !table.contains("not converged"), "{table}");
    let json: Json = serde_json::from_str(&place.good("certify out --json")).unwrap();
    assert_eq!((json["holds"].as_bool(), json["frames"].as_u64()), (Some(true), Some(6)));

    let frames = place.path("out/frames");
    let mut frame = frame_files::read(&frames, 5).unwrap();
    frame.contacts.normal_force[0] *= 1.0 + 1e-6;
    frame_files::write(&frames, 5, frame.clone(), true).unwrap();
    let output = place.run("certify out");
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("BROKEN"));
    let grain = format!("force balance: frame 5, grain {}: ", frame.contacts.b[0]);
    assert!(text.starts_with("error: ") && text.contains("E106") && text.contains(&grain), "{text}");
    let output = place.run("certify out --json");
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), json["holds"].as_bool()), (Some(1), Some(false)));

    fs::write(frames.join("contacts_000001.vtp"), "damaged").unwrap();
    assert!(place.bad("certify out", 1).contains("contacts_000001.vtp"));
    fs::remove_dir_all(&frames).unwrap();
    assert!(place.bad("certify out", 2).contains("E102"));
}

#[test]
fn certify_does_not_hide_steps_that_did_not_converge() {
    let place = Place::with_drop("certify-rough");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.1 --set method.cd.max_sweeps=2 -o out --quiet"));
    let text = place.good("certify out");
    assert!(text.contains("not converged, as the run itself reports") && text.contains("1e-5 was asked for"), "{text}");
}

#[test]
fn pictures_of_space_are_png() {
    let place = Place::new("space");
    fs::write(place.path("collision.toml"), place.good("new collision")).unwrap();
    place.good("run collision.toml --set stop.at=0.01 -o out --quiet");
    place.good("picture out -o out.png");
    assert!(fs::read(place.path("out.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(place.bad("picture out -o out.svg", 2).contains("png"));
    assert!(!place.path("out.svg").exists());
}

#[test]
fn lists_explanations_schema_and_completions_are_there() {
    let place = Place::new("words");
    for (what, word) in [
        ("laws", "rolling.hysteresis"),
        ("walls", "plane"),
        ("shapes", "sphere"),
        ("places", "hexagonal"),
        ("measures", "coordination"),
        ("templates", "heap"),
    ] {
        assert!(place.good(&format!("list {what}")).contains(word), "{what}");
    }
    assert!(place.bad("list colours", 2).contains("possible values"));
    assert!(place.bad("explain E999", 2).contains("`drystone explain E` lists all errors"));
    let known = place.good("explain E") + &place.good("explain W");
    let codes: Vec<&str> = known.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(codes.len() > 20);
    for code in codes {
        let text = place.good(&format!("explain {code}"));
        assert!(text.starts_with(&format!("{code}: ")) && text.lines().count() == 3, "{text}");
    }
    assert_eq!(place.good("explain e004"), place.good("explain E004"));

    let schema: Json = serde_json::from_str(&place.good("schema")).unwrap();
    for part in ["then", "else"] {
        let keys = schema[part]["properties"].as_object().unwrap();
        for key in ["title", "dimension", "gravity", "material", "contact", "grains", "wall", "method", "output"] {
            assert!(keys.contains_key(key), "{key}");
        }
        let friction = &schema[part]["properties"]["contact"]["items"]["properties"]["friction"];
        assert!(friction["description"].as_str().is_some_and(|text| text.contains("friction")), "{friction}");
    }
    assert_eq!(place.good("list particles"), place.good("list shapes"));
    assert_eq!(place.good("list contacts"), place.good("list laws"));
    let reference = place.good("schema --markdown");
    assert!(reference.contains("| `friction` |"));
    place.good("schema --markdown -o reference");
    let index = fs::read_to_string(place.path("reference/index.md")).unwrap();
    let contact = fs::read_to_string(place.path("reference/contact.md")).unwrap();
    assert!(reference.starts_with(&index) && reference.contains(&contact) && index.contains("(contact.md)"));
    place.good("schema -o drystone.schema.json");
    assert_eq!(fs::read_to_string(place.path("drystone.schema.json")).unwrap(), place.good("schema"));
    for shell in ["bash", "zsh", "fish"] {
        let text = place.good(&format!("completions {shell}"));
        assert!(text.contains("resume") && text.contains("drystone"), "{shell}");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let place = Place::with_drop("blocked");
    fs::write(place.path("taken"), "a file").unwrap();
    for out in ["taken", "taken/below"] {
        let text = place.bad(&format!("run drop.toml {SMALL} -o {out}"), 1);
        assert!(text.contains(&format!("cannot make the folder {out}")) && text.contains("E103"), "{text}");
    }
    assert_eq!(fs::read_to_string(place.path("taken")).unwrap(), "a file");
}

#[test]
fn a_folder_without_a_checkpoint_is_no_run() {
    let place = Place::with_drop("early");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.01 -o out --quiet"));
    for file in ["checkpoint.npz", "report.json"] {
        fs::remove_file(place.path("out").join(file)).unwrap();
    }
    assert!(place.bad("resume out", 2).contains("no checkpoint"));
    assert!(place.good("info out").contains("without a checkpoint"));
    let text = place.bad(&format!("run drop.toml {SMALL} -o out"), 2);
    assert!(text.contains("--force") && !text.contains("resume"), "{text}");

    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.01 -o out --quiet --force"));
    let whole = fs::read(place.path("out/checkpoint.npz")).unwrap();
    fs::write(place.path("out/checkpoint.npz"), &whole[..whole.len() / 2]).unwrap();
    let text = place.bad("resume out", 1);
    assert!(text.contains("cannot read out/checkpoint.npz") && text.contains("E103"), "{text}");
}

#[test]
fn a_study_leaves_tables_and_figures_and_says_what_it_found() {
    let place = Place::new("study");
    assert!(place.good("study").lines().count() >= 6, "the list of studies");
    assert!(place.bad("study silence", 2).contains("chain"), "the names are told");
    let found: Json = serde_json::from_str(&place.good("study chain --quick --json -o chain")).unwrap();
    let findings = found["findings"].as_array().unwrap();
    assert!(!findings.is_empty() && findings.iter().all(|finding| finding["met"] == true), "{found}");
    for file in found["files"].as_array().unwrap() {
        assert!(place.path("chain").join(file.as_str().unwrap()).metadata().unwrap().len() > 20);
    }
    assert!(place.good("study sound -o sound").contains("6 files in sound"));
    let found: Json = serde_json::from_str(&place.good("study cost --quick --json -o cost")).unwrap();
    let counted =
        ["disks, exponent of the number of grains: plain sweeps", "disks, exponent of (K/m)^1/2 in the soft steps"];
    for quantity in counted {
        let finding = found["findings"].as_array().unwrap().iter().find(|finding| finding["quantity"] == quantity);
        assert!(finding.is_some_and(|finding| finding["met"] == true), "{quantity}: {found}");
    }
}

/// Signals need a run that is long enough to be met in its middle: thousands of steps.
#[cfg(unix)]
mod signals {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    const LONG: &str = "--set stop={at=0.12} --set method.cd.time_step=5e-6 --set output.checkpoint=0.1";

    fn start(place: &Place, out: &str) -> Child {
        let words = format!("run drop.toml {SMALL} {LONG} -o {out}");
        let words: Vec<&str> = words.split(' ').collect();
        place.command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn send(signal: &str, child: &Child) {
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    }

    fn assert_same_results(place: &Place, one: &str, other: &str) {
        assert_eq!(place.hash(one), place.hash(other));
        let mut files = vec!["series.csv".to_string(), "frames.pvd".to_string()];
        let frames = fs::read_dir(place.path(one).join("frames")).unwrap();
        files.extend(frames.map(|entry| format!("frames/{}", entry.unwrap().file_name().to_str().unwrap())));
        for file in files {
            let bytes = |run: &str| fs::read(place.path(run).join(&file)).unwrap();
            assert!(bytes(one) == bytes(other), "{file} differs");
        }
    }

    #[test]
    fn ctrl_c_and_sigkill_lose_nothing() {
        let place = Place::with_drop("signals");
        assert!(start(&place, "whole").wait().unwrap().success());

        let mut child = start(&place, "stopped");
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut text = String::new();
        stderr.read_line(&mut text).unwrap(); // the first step was made
        send("-INT", &child);
        stderr.read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
        assert!(text.contains("go on with: drystone resume stopped"), "{text}");
        assert_eq!(place.json("stopped/report.json")["state"].as_str(), Some("interrupted"));
        assert!(place.good("info stopped").contains("interrupted"));
        place.good("resume stopped --quiet");
        assert_same_results(&place, "whole", "stopped");

        let mut child = start(&place, "killed");
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut text).unwrap();
        let (checkpoint, start) = (place.path("killed/checkpoint.npz"), Instant::now());
        let first = fs::read(&checkpoint).unwrap();
        while fs::read(&checkpoint).unwrap() == first && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(30));
        send("-KILL", &child);
        assert_eq!(child.wait().unwrap().code(), None);
        assert!(!place.path("killed/report.json").exists(), "the run was over before it was killed");
        assert!(place.good("info killed").contains("drystone resume killed"));
        place.good("resume killed --quiet");
        assert_same_results(&place, "whole", "killed");
    }
}

#[test]
fn impact_draws_a_map_in_three_formats() {
    let place = Place::new("impact");
    let told = place.good("impact --law coulomb,mindlin --material soda_lime_glass --dimension 3 -o map.svg");
    assert_eq!(told.lines().collect::<Vec<_>>(), ["map.svg", "map.png", "map.csv"]);
    assert!(told.lines().all(|file| fs::metadata(place.path(file)).unwrap().len() > 1000));
    let table = fs::read_to_string(place.path("map.csv")).unwrap();
    assert_eq!(table.lines().next(), Some("psi1,coulomb_3d,mindlin_3d,measured_3d"));
    // gross sliding: 7/2 mu (1 + e) = 3.5 0.092 1.97 = 0.634 is lost, whatever the law
    let last: Vec<f64> = table.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!(last[1..].iter().all(|after| (last[0] - after - 0.634).abs() < 5e-3), "{last:?}");
    assert!(place.bad("impact -o map.png", 2).contains("E105"));
    assert!(place.bad("impact --law glue -o other.svg", 2).contains("cundall_strack"));
    assert!(place.bad("impact --material nylon -o other.svg", 2).contains("soda_lime_glass"));
    for wrong in [
        "--poisson 0.7",
        "--friction -0.1",
        "--restitution 0",
        "--restitution 1.1",
        "--stiffness-ratio 0",
        "--damping nan",
    ] {
        let told = place.bad(&format!("impact --law mindlin {wrong} -o other.svg"), 2);
        let option = wrong.split(' ').next().unwrap();
        assert!(told.contains(option) && told.contains("E007"), "{told}");
    }
    assert!(place.bad("impact --friction 0 -o other.svg", 2).contains("--until"));
}

#[test]
fn impact_takes_coefficients_of_its_own() {
    let place = Place::new("coefficients");
    place.good("impact --law coulomb,cundall_strack --friction 0.3 --restitution 0.5 --stiffness-ratio 0.4 --until 8 -o own.svg");
    let table = fs::read_to_string(place.path("own.csv")).unwrap();
    let header = "psi1,coulomb_3d,coulomb_2d,cundall_strack_3d,cundall_strack_2d";
    assert_eq!(table.lines().next(), Some(header), "nothing measured stands beside it");
    // gross sliding: mu (1 + e) = 0.45, times 7/2 for spheres and 3 for disks; springs lack part of it as they begin to stretch
    let last: Vec<f64> = table.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    for (after, times) in last[1..].iter().zip([3.5, 3.0, 3.5, 3.0]) {
        assert!((8.0 - after - 0.45 * times).abs() < 2e-2, "{last:?}");
    }
    let plain = place.good("impact --law coulomb --material nylon --restitution 0.8 -o nylon.svg");
    assert!(plain.contains("nylon.csv"), "a given restitution stands in for one that was not measured");
}

#[test]
fn advise_states_costs_and_takes_a_method() {
    let place = Place::with_drop("advise");
    let said = place.good("advise drop.toml --seconds 0.1 --picture costs.svg");
    assert!(said.contains("computing time") && (said.contains("Take ") || said.contains("toss-up")), "{said}");
    assert!(fs::read_to_string(place.path("costs.svg")).unwrap().contains("<svg"));
    let json: Json =
        serde_json::from_str(&place.good("advise drop.toml --seconds 0.1 --accuracy flow --json")).unwrap();
    let methods = json["methods"].as_array().unwrap();
    assert!(methods.iter().any(|method| method["method"] == "cd" && method["seconds"].as_f64().unwrap() > 0.0));
    assert!(json["end"].as_f64().unwrap() > 0.0 && !json["recommendation"].as_str().unwrap().is_empty());
    assert!(place.bad("advise drop.toml --picture costs.svg", 2).contains("E105"));
    assert!(place.bad("advise drop.toml --picture costs.txt", 2).contains(".png"));
    assert!(place.bad("advise drop.toml --accuracy exact", 2).contains("preview"));
    assert!(place.bad("advise drop.toml --accuracy=-1e-3", 2).contains("--accuracy"));
    assert!(place.bad("advise drop.toml --seconds 0", 2).contains("above zero"));
    assert!(place.bad("advise absent.toml", 2).contains("there is no file"));
    let text = place.good("new drop");
    let (head, rest) = text.split_once("[stop]").unwrap();
    fs::write(place.path("endless.toml"), format!("{head}[method{}", rest.split_once("[method").unwrap().1)).unwrap();
    assert!(place.bad("advise endless.toml", 2).contains("nothing says when the run ends"));
}

/// Exported tables are files of grains: places, radii and velocities come back, as they are written.
#[test]
fn exported_grains_can_be_placed_again() {
    let place = Place::with_drop("again");
    place.good(&format!("run drop.toml {SMALL} --set stop.at=0.02 --set output.frames=0.02 -o one --quiet"));
    place.good("export one --to csv --frame last -o tables");
    let grains = "--set grains.0={material=\"steel\",shape={kind=\"disk\"},overlap=0.1,place={how=\"file\",file=\"tables/grains_000001.csv\"}}";
    place.good(&format!("run drop.toml {grains} --set wall.0.max=[0.03,0.1] --set stop.at=0.001 -o two --quiet"));
    place.good("export two --to csv --frame first -o tables2");
    let columns = |file: &str, wanted: &[&str]| {
        let text = fs::read_to_string(place.path(file)).unwrap();
        let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        let at: Vec<usize> =
            wanted.iter().map(|name| header.iter().position(|h| h.split(' ').next() == Some(name)).unwrap()).collect();
        let rows = text.lines().skip(1).map(|row| row.split(',').map(str::to_string).collect::<Vec<_>>());
        rows.map(|row| at.iter().map(|k| row[*k].clone()).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let wanted = ["x", "y", "radius", "velocity_x", "velocity_y", "angular_velocity_z"];
    let (first, second) = (columns("tables/grains_000001.csv", &wanted), columns("tables2/grains_000000.csv", &wanted));
    assert_eq!(first.len(), 60);
    assert!(first.iter().any(|row| row[4] != "0"), "they move");
    assert_eq!(first, second);
}

#[test]
fn plot_draws_columns_of_the_series() {
    let place = Place::new("plot");
    fs::write(place.path("belt.toml"), place.good("new belt")).unwrap();
    place.good("run belt.toml --set stop.at=2 -o belt.out --quiet");
    assert_eq!(place.good("plot belt.out block_x,block_vx --phase -o phase.svg"), "phase.svg\nphase.png\n");
    assert!(fs::read_to_string(place.path("phase.svg")).unwrap().starts_with("<svg"));
    assert!(fs::read(place.path("phase.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(place.bad("plot belt.out block_x -o phase.svg", 2).contains("E105"));
    place.good("plot belt.out kinetic_energy block_x --log y -o phase.svg --force");
    assert!(place.bad("plot belt.out block_z", 2).contains("block_x, block_y"));
    let computed =
        |column: &str| place.command(&["plot", "belt.out", column, "-o", "computed.svg", "--force"]).output().unwrap();
    let output = computed("time / 1 ms,sqrt(2 * kinetic_energy / 3 kg)");
    assert!(output.status.success(), "{}", said(&output));
    let output = computed("kinetic_energy + time");
    assert!(
        output.status.code() == Some(2) && said(&output).contains("an energy (J) and a time (s)"),
        "{}",
        said(&output)
    );
    place.good("run belt.toml --set stop.at=1 -o short.out --quiet");
    place.good("plot belt.out block_x -o one.svg");
    place.good("plot belt.out block_x --with short.out -o both.svg");
    let colours = |name: &str| {
        let picture = fs::read_to_string(place.path(name)).unwrap();
        picture.split("stroke=\"#").skip(1).map(|rest| rest[..6].to_string()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(colours("both.svg").len(), colours("one.svg").len() + 1, "a curve of another colour");
    assert!(place.bad("plot belt.out block_x --with nowhere -o other.svg", 2).contains("E102"));
}

/// Axes in an SVG: one pair a panel.
fn axes(picture: &str) -> usize {
    picture.matches("class=\"axes\"").count()
}

#[test]
fn plots_never_mix_units_and_draw_a_line_a_frame() {
    let place = Place::with_drop("panels");
    place.good("run drop.toml -o out --quiet");
    let svg = |command: &str| {
        place.good(&format!("plot {command} -o p.svg --force"));
        fs::read_to_string(place.path("p.svg")).unwrap()
    };
    assert_eq!(axes(&svg("out kinetic_energy potential_energy")), 1, "both are joules");
    assert_eq!(axes(&svg("out kinetic_energy contacts momentum_x")), 3);
    assert_eq!(axes(&svg("out kinetic_energy potential_energy --panels")), 2);
    assert!(place.bad("plot out kinetic_energy,contacts time,contacts", 2).contains("one axis cannot show"));
    assert!(place.bad("plot out kinetic_enrgy", 2).contains("did you mean `kinetic_energy`?"));
    assert!(place.bad("plot out elastic_energy --log y", 2).contains("above zero"));

    let lines = |picture: &str| picture.matches("stroke-width=\"2.6\"").count();
    place.good("measure out profile --frames 1..4 --bins 5 -o p.csv");
    let few = svg("p.csv solid_fraction");
    // each has a line in the field and one in the legend
    assert_eq!(lines(&few), 2 * 4);
    place.good("measure out profile --frames 1..12 --bins 5 -o many.csv");
    let many = svg("many.csv solid_fraction");
    assert_eq!(lines(&many), 12, "a bar of colours takes the place of the legend");
    let map = svg("many.csv solid_fraction --over-time");
    assert!(lines(&map) == 0 && axes(&map) == 1);
    assert!(place.bad("plot out kinetic_energy --over-time", 2).contains("measure run profile"));
    assert!(place.bad("plot p.csv solid_fraction --with many.csv", 2).contains("one at a time"));
}

#[test]
fn figures_have_the_size_that_is_asked_for() {
    let place = Place::with_drop("size");
    place.good("run drop.toml -o out --quiet");
    let pixels = |file: &str| {
        let file = fs::read(place.path(file)).unwrap();
        [16, 20].map(|at| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()))
    };
    place.good("plot out kinetic_energy --size 50.8x76.2mm --dpi 300 -o small.svg");
    assert_eq!(pixels("small.png"), [600, 900]);
    place.good("picture out --width 50.8mm --dpi 300 -o small.png");
    assert_eq!(pixels("small.png")[0], 600);
    for wrong in ["--size 800x600", "--size 8cm", "--size 1x1mm", "--dpi 0", "--map virdis"] {
        place.bad(&format!("plot out kinetic_energy {wrong} -o x.svg"), 2);
    }
    assert!(place.bad("picture out --map virdis -o x.png", 2).contains("viridis"));
}

#[test]
fn frames_are_measured_and_what_cannot_be_is_named() {
    let place = Place::with_drop("measure");
    place.good("run drop.toml -o out --quiet");
    assert!(place.good("measure --list").contains("solid_fraction"));
    let table = place.good("measure out stress");
    assert!(table.starts_with("frame,time [s],stress_xx [Pa],stress_xy [Pa]"), "{table}");
    let frames = place.good("info out").lines().find(|line| line.starts_with("frames")).unwrap().to_string();
    let count: usize = frames.split_whitespace().last().unwrap().parse().unwrap();
    assert_eq!(table.lines().count(), count + 1);
    assert_eq!(place.good("measure out forces --bins 7 -o forces.csv"), "forces.csv\n");
    assert_eq!(fs::read_to_string(place.path("forces.csv")).unwrap().lines().count(), 8);
    assert_eq!(place.good("plot forces.csv p_normal --log y -o forces.svg"), "forces.svg\nforces.png\n");
    assert_eq!(place.good("measure out field --cells 6x5 -o field.vti"), "field.vti\n");
    assert!(String::from_utf8_lossy(&fs::read(place.path("field.vti")).unwrap()).contains("0 6 0 5 0 0"));
    assert_eq!(place.good("measure out stress --cells 3x3 --frames 0..1 -o s.vti"), "s_000000.vti\ns_000001.vti\n");
    assert!(place.bad("measure out field --cells 6x5 -o field.vti", 2).contains("E105"));
    assert!(place.bad("measure out stres", 2).contains("did you mean `stress`?"));
    assert!(place.bad("measure out stress --region x=50..60", 2).contains("no grain that can move"));
    assert!(place.bad("measure out stress --region x=6..5", 2).contains("E107"));
    assert!(place.bad("measure out stress --frames 999", 2).contains("there is no frame 999"));
    assert!(place.bad("measure out forces --frames 0", 2).contains("frame is that of the start"));
    assert!(place.bad("measure out wall_pressure", 2).contains("--wall"));
    assert!(place.bad("measure out discharge", 2).contains("--below"));
    assert!(place.bad("measure nowhere stress", 2).contains("E102"));
    fs::remove_file(place.path("out/frames/contacts_000001.vtp")).unwrap();
    assert!(place.bad("measure out stress --frames 1", 1).contains("contacts_000001.vtp"));
    for file in fs::read_dir(place.path("out/frames")).unwrap() {
        fs::remove_file(file.unwrap().path()).unwrap();
    }
    assert!(place.bad("measure out stress", 2).contains("has no frames"));
}

#[test]
fn pictures_say_what_they_are_asked_and_films_are_made() {
    let place = Place::with_drop("movie");
    place.good("run drop.toml -o out --quiet");
    for colour in ["material", "speed", "rotation", "stress", "size", "displacement"] {
        place.good(&format!("picture out --colour {colour} -o {colour}.svg"));
    }
    let plain = fs::read_to_string(place.path("material.svg")).unwrap();
    let speed = fs::read_to_string(place.path("speed.svg")).unwrap();
    assert!(plain != speed && !speed.contains("stroke-linecap=\"round\"><path"));
    place.good("picture out --colour speed --chains --clip y<1 --range 0..2 -o speed.png");
    assert!(place.bad("picture out --colour displacement --since 999 -o x.svg", 2).contains("there is no frame 999"));
    assert!(place.bad("picture out --clip w<1 -o x.svg", 2).contains("no axis"));
    assert!(place.bad("picture out --region x=50..60 -o x.svg", 2).contains("no grain"));
    assert!(place.bad("picture out --region x=6..5 -o x.svg", 2).contains("empty"));
    assert!(place.bad("movie out --region x=50..60 -o film.gif", 2).contains("no grain"));
    assert!(place.bad("picture out --colour speed --range 90%..2 -o x.svg", 2).contains("1%..99%"));
    assert!(place.bad("picture out --colour velocity_z -o x.svg", 2).contains("`velocity_z`"));
    assert!(place.bad("picture out --colour displacement --relative-to bux -o x.svg", 2).contains("there is no wall"));
    place.good("picture out --colour velocity_y --relative-to box --range 5%..95% --region y=..2 -o velocity.svg");
    assert!(fs::read_to_string(place.path("velocity.svg")).unwrap().contains("<svg"));
    assert!(place.bad("picture out --camera here -o x.svg", 2).contains("-60,20"));
    let said = place.good("movie out -o film.gif --width 200 --frames 0..2");
    assert_eq!(said, "3 pictures in film.gif\n");
    let film = fs::read(place.path("film.gif")).unwrap();
    assert!(film.starts_with(b"GIF89a") && film.ends_with(b"\x3b"));
    assert!(place.bad("movie out -o film.gif", 2).contains("E105"));
    assert!(place.bad("movie out -o film", 2).contains(".gif"));
}

/// A block of 40 cm x 20 cm on a floor with friction 0.5 slides at half of gravity.
#[test]
fn limit_says_when_a_block_slides_and_answers_wrong_loads() {
    let place = Place::new("limit");
    let text = "dimension = 2\ngravity = [0, -9.81]\n[[material]]\nname = \"s\"\ndensity = 2000\n[[contact]]\n\
        between = [\"s\", \"s\"]\nfriction = 0.5\n[[grains]]\nmaterial = \"s\"\n\
        shape = { kind = \"rectangle\", width = 0.4, height = 0.2 }\nplace = { how = \"at\", points = [[0, 0.1]] }\n\
        [[wall]]\nname = \"floor\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\nmaterial = \"s\"\n\
        [stop]\nat = 1\n[method]\nuse = \"cd\"\n[method.cd]\ntime_step = 0.001\n";
    fs::write(place.path("block.toml"), text).unwrap();
    let said = place.good("limit block.toml --load gravity.x -o block.limit --film");
    assert!(said.contains("upper bound  0.500000 of gravity") && said.contains("corrected    0.500000"), "{said}");
    for file in ["contacts.csv", "bodies.csv", "forces.svg", "forces.png", "mechanism.svg", "mechanism.gif"] {
        assert!(place.path("block.limit").join(file).exists(), "{file}");
    }
    let json = place.json("block.limit/limit.json");
    assert!((json["corrected"].as_f64().unwrap() - 0.5).abs() < 1e-5);
    assert!(place.bad("limit block.toml --load gravity.x -o block.limit", 2).contains("--force"));
    assert!(place.good("limit block.toml --load gravity.-y").contains("none: forces in balance exist"));
    assert!(place.bad("limit block.toml --load wall.top.force", 2).contains("walls: floor"));
    assert!(place.bad("limit block.toml --load weight", 2).contains("write gravity.x"));
    let steep = place.bad("limit block.toml --load gravity.x --set gravity=[6,-9.81]", 1);
    assert!(steep.contains("does not stand without the live load"), "{steep}");
}
