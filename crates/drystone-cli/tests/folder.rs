//! The folder of a run: locked while it goes on, never another's, whole after every interruption, and sealed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

/// A folder for one test, empty at its start.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder").join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        let place = Place(path);
        fs::write(place.path("drop.toml"), place.run("new drop").stdout).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drystone"));
        command.args(words.split(' ')).current_dir(&self.0);
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// What a command says that must end with this code.
    fn ends(&self, words: &str, code: i32) -> String {
        let output = self.run(words);
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "drystone {words}: {said}");
        said
    }

    fn report(&self, folder: &str) -> Json {
        serde_json::from_slice(&fs::read(self.path(folder).join("report.json")).unwrap()).unwrap()
    }

    /// Starts a run that lasts until it is stopped, and waits until it has made some steps.
    fn go(&self, words: &str, folder: &str) -> Going {
        let mut command = self.command(words);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let going = Going(Some(child));
        let rows = || fs::read_to_string(self.path(folder).join("series.csv")).map_or(0, |text| text.lines().count());
        // a run that is taken up again removes its report
        let there = |file: &str| self.path(folder).join(file).exists();
        wait(|| rows() > 3 && there("checkpoint.npz") && !there("report.json"));
        going
    }
}

/// Two minutes at most: a test that hangs says nothing.
fn wait(mut until: impl FnMut() -> bool) {
    let start = Instant::now();
    while !until() {
        assert!(start.elapsed() < Duration::from_secs(120), "it takes too long");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A process that does not outlive its test.
struct Going(Option<Child>);

impl Going {
    fn kill(mut self) {
        let mut child = self.0.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Ends by itself; its code and what it said.
    fn end(mut self) -> (Option<i32>, String) {
        wait(|| self.0.as_mut().unwrap().try_wait().unwrap().is_some());
        let output = self.0.take().unwrap().wait_with_output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    #[cfg(unix)]
    fn interrupt(self) -> (Option<i32>, String) {
        let id = self.0.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        self.end()
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// 30 disks that fall for longer than any test waits, with a checkpoint at the start.
const LONG: &str = "run drop.toml --set grains.0.count=30 --set grains.0.place.max=[0.02,0.03] --set wall.0.max=[0.02,0.1] \
                    --set stop={at=1e9} --set output.frames=1e6 --set output.series_every=0.0005 --quiet -o out";

fn long() -> String {
    LONG.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short() -> String {
    long().replace("stop={at=1e9}", "stop={at=0.05}").replace("frames=1e6", "frames=0.01")
}

#[test]
fn a_run_in_which_another_goes_on_is_left_alone() {
    let place = Place::new("lock");
    let going = place.go(&long(), "out");
    for (words, hint) in [(long(), "E251"), (format!("{} --force", long()), "E251"), ("resume out".into(), "E251")] {
        let said = place.ends(&words, 2);
        assert!(said.contains(hint), "{words}: {said}");
    }
    assert!(place.ends("info out", 0).contains("a run is going on in it"));
    let rows = || fs::read_to_string(place.path("out/series.csv")).unwrap().lines().count();
    let before = rows();
    wait(|| rows() > before + 5);
    // killed: the system lets the lock go, and what was written can be judged
    going.kill();
    assert!(place.ends("info out", 0).contains("not finished: go on with"));
    assert!(place.ends("certify out", 0).contains("not judged: files: the run is not over"));
    place.go("resume out --quiet", "out").kill();
    place.ends(&format!("{} --force", short()), 0);
    assert!(place.ends("certify out", 0).contains("all hold"));
}

#[test]
fn a_folder_that_is_taken_away_or_replaced_ends_the_run() {
    let place = Place::new("taken");
    let going = place.go(&long().replace("frames=1e6", "frames=0.01"), "out");
    fs::rename(place.path("out"), place.path("moved")).unwrap();
    place.ends(&short(), 0);
    let (code, said) = going.end();
    assert!(code == Some(1) && said.contains("E253"), "{code:?} {said}");
    assert!(place.ends("certify out", 0).contains("all hold"), "the new run is untouched");
}

#[test]
fn a_series_that_is_removed_or_changed_is_told() {
    let place = Place::new("series");
    let going = place.go(&long(), "out");
    fs::remove_file(place.path("out/series.csv")).unwrap();
    let (code, said) = going.end();
    assert!(code == Some(1) && said.contains("series.csv was removed") && said.contains("E252"), "{code:?} {said}");
    assert_eq!(place.report("out")["state"].as_str(), Some("failed"));
    // taken up again, it is begun anew, and the report says so in the end
    let resumed = place.go("resume out", "out");
    fs::OpenOptions::new().append(true).open(place.path("out/series.csv")).unwrap().write_all(b"1,2\n").unwrap();
    let (code, said) = resumed.end();
    assert!(code == Some(1) && said.contains("warning[W251]") && said.contains("series.csv was changed"), "{said}");
    let said = place.ends("info out", 1);
    assert!(said.contains("W251") && said.contains("series.csv was altered"), "{said}");
    let text = fs::read_to_string(place.path("out/series.csv")).unwrap();
    fs::write(place.path("out/series.csv"), text.replacen("time", "TIME", 1)).unwrap();
    let said = place.ends("resume out", 1);
    assert!(said.contains("E252") && said.contains("remove it"), "{said}");
}

/// Frames are written beside the run: one that cannot be written ends it at once, and what was there before is whole.
#[test]
#[cfg(unix)]
fn a_frame_that_cannot_be_written_ends_the_run() {
    let place = Place::new("frames");
    let going = place.go(&long().replace("frames=1e6", "frames=0.002"), "out");
    let (frames, away) = (place.path("out/frames"), place.path("out/away"));
    fs::rename(&frames, &away).unwrap();
    let (code, said) = going.end();
    assert!(code == Some(1) && said.contains("out/frames/") && said.contains("E103"), "{code:?} {said}");
    assert_eq!(place.report("out")["state"], "failed");
    fs::rename(&away, &frames).unwrap();
    let (code, said) = place.go("resume out --quiet", "out").interrupt();
    assert_eq!(code, Some(130), "{said}");
    assert!(place.ends("certify out", 0).contains("all hold"));
}

/// Whenever the first Ctrl-C comes, the code is 130 and the folder can be resumed, or there is none, or it can be
/// replaced.
#[test]
#[cfg(unix)]
fn ctrl_c_is_heard_from_the_first_moment_on() {
    let place = Place::new("early");
    for milliseconds in [3, 6, 12, 25, 50, 100] {
        let child = place.command(&long()).stderr(Stdio::piped()).spawn().unwrap();
        let going = Going(Some(child));
        std::thread::sleep(Duration::from_millis(milliseconds));
        let (code, said) = going.interrupt();
        // before it runs a process has not heard of signals yet: then there is no folder
        assert!(
            code == Some(130) || (code.is_none() && !place.path("out").exists()),
            "{milliseconds} ms: {code:?} {said}"
        );
        if place.path("out/checkpoint.npz").exists() {
            let (code, said) = place.go("resume out", "out").interrupt();
            assert!(code == Some(130) && said.contains("go on with"), "{milliseconds} ms: {code:?} {said}");
            assert!(place.ends("certify out", 0).contains("all hold"));
            fs::remove_dir_all(place.path("out")).unwrap();
        } else {
            assert!(!place.path("out/scenario.toml").exists(), "{milliseconds} ms: half a folder");
        }
    }
}

#[test]
fn files_of_the_user_are_never_overwritten() {
    let place = Place::new("own");
    let text = fs::read_to_string(place.path("drop.toml")).unwrap();
    fs::create_dir(place.path("here")).unwrap();
    for file in ["scenario.toml", "series.csv", "report.json"] {
        fs::write(place.path("here").join(file), &text).unwrap();
        for force in ["", " --force"] {
            let said = place.ends(&format!("run drop.toml -o here{force}"), 2);
            assert!(said.contains("E255") && said.contains(file), "{said}");
            assert_eq!(fs::read_to_string(place.path("here").join(file)).unwrap(), text);
            assert_eq!(fs::read_dir(place.path("here")).unwrap().count(), 1, "nothing was left behind");
        }
        fs::remove_file(place.path("here").join(file)).unwrap();
    }
    // the scenario itself, in the folder where it lies
    fs::write(place.path("here/scenario.toml"), &text).unwrap();
    let mut command = place.command("run scenario.toml -o . --force");
    assert_eq!(command.current_dir(place.path("here")).status().unwrap().code(), Some(2));
    assert_eq!(fs::read_to_string(place.path("here/scenario.toml")).unwrap(), text);
    // a resolved scenario of an earlier run that was edited and is run again
    place.ends("run drop.toml -o again", 0);
    let edited = fs::read_to_string(place.path("again/scenario.toml")).unwrap() + "# mine\n";
    fs::write(place.path("again/scenario.toml"), &edited).unwrap();
    let said = place.ends("run again/scenario.toml -o again --force", 2);
    assert!(said.contains("E255"), "{said}");
    assert_eq!(fs::read_to_string(place.path("again/scenario.toml")).unwrap(), edited);
}

#[test]
fn dots_in_the_name_of_a_scenario_stay() {
    let place = Place::new("dots");
    for name in ["x_0.01", "x_0.02"] {
        fs::copy(place.path("drop.toml"), place.path(&format!("{name}.toml"))).unwrap();
        place.ends(&short().replace("drop.toml", &format!("{name}.toml")).replace(" -o out", ""), 0);
        assert!(place.path(&format!("{name}.out/report.json")).is_file());
    }
    assert!(!place.path("x_0.out").exists());
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let place = Place::new("stranger");
    place.ends(&short(), 0);
    place.ends(&short().replace("-o out", "-o other --set contact.0.friction=0.1"), 0);
    let own = fs::read(place.path("out/checkpoint.npz")).unwrap();
    fs::copy(place.path("other/checkpoint.npz"), place.path("out/checkpoint.npz")).unwrap();
    let said = place.ends("resume out", 1);
    assert!(said.contains("E254") && said.contains("another scenario"), "{said}");
    assert!(place.ends("check drop.toml --set grains=[] --from out", 2).contains("E032"));
    fs::write(place.path("out/checkpoint.npz"), own).unwrap();
    place.ends("resume out --quiet", 0);
    // a scenario that was edited is another one
    let text = fs::read_to_string(place.path("out/scenario.toml")).unwrap();
    fs::write(place.path("out/scenario.toml"), text.replace("-9.81", "-9.80")).unwrap();
    assert!(place.ends("resume out", 1).contains("E254"));
}

/// Starting from a run whose scenario.toml is damaged, anywhere, is refused with a message.
#[test]
fn a_damaged_run_to_start_from_is_told() {
    let place = Place::new("damaged");
    place.ends(&short(), 0);
    let whole = fs::read_to_string(place.path("out/scenario.toml")).unwrap();
    let cuts = (1..20).map(|part| whole[..whole.len() * part / 20].to_string());
    let cut: Vec<String> = cuts
        .chain([whole.replace("[[material]]", "[[stuff]]"), whole.replace("[[wall]]", "[[hall]]")])
        .chain([whole.replace("density", "destiny"), "dimension = 2\n".into(), String::new()])
        .collect();
    for text in cut.iter().filter(|text| **text != whole) {
        fs::write(place.path("out/scenario.toml"), text).unwrap();
        for moment in ["out", "out@last"] {
            let said = place.ends(&format!("check drop.toml --set grains=[] --from {moment}"), 2);
            assert!(said.contains("E032") && !said.contains("panicked"), "{said}");
        }
    }
}

/// Warnings from before the first step, and what monitors counted, are in the report of an interrupted run.
#[test]
fn warnings_survive_a_resume() {
    let place = Place::new("warnings");
    fs::write(place.path("soft.toml"), place.run("new soft_bounce").stdout).unwrap();
    let run = "run soft.toml --set method.md.time_step=1e-4 --set stop={at=5e-4} --set output.series_every=1e-4";
    place.ends(&format!("{run} -o whole --quiet"), 0);
    let codes = |folder: &str| {
        let report = place.report(folder);
        report["warnings"].as_array().unwrap().iter().map(|w| w.to_string()).collect::<Vec<_>>()
    };
    assert!(codes("whole").iter().any(|warning| warning.contains("W211")), "{:?}", codes("whole"));
    // the report alone is lost: resume writes it again from the checkpoint
    fs::remove_file(place.path("whole/report.json")).unwrap();
    let before = place.ends("certify whole", 1);
    assert!(before.contains("report.json is missing"), "{before}");
    place.ends("resume whole --quiet", 0);
    assert!(codes("whole").iter().any(|warning| warning.contains("W211")), "{:?}", codes("whole"));
}

#[test]
fn info_and_certify_name_the_file_that_was_altered() {
    let place = Place::new("sealed");
    place.ends(&short(), 0);
    let said = place.ends("info out", 0);
    let seal = place.report("out")["seal"].as_str().unwrap().to_string();
    assert!(said.contains("all as the run wrote them") && said.contains(&seal), "{said}");
    fs::write(place.path("out/picture.svg"), "of the user").unwrap();
    place.ends("info out", 0);
    let report = fs::read_to_string(place.path("out/report.json")).unwrap();
    for (file, alter) in [
        (
            "report.json",
            Box::new(|text: &str| text.replacen("\"grains\": 30", "\"grains\": 31", 1)) as Box<dyn Fn(&str) -> String>,
        ),
        ("report.json", Box::new(|text: &str| format!("{text}\n"))),
        ("scenario.toml", Box::new(|text: &str| format!("# a remark\n{text}"))),
        ("frames.pvd", Box::new(|text: &str| text.replacen("0.01", "0.011", 1))),
        ("series.csv", Box::new(|text: &str| text.replacen("\n0.0005,", "\n0.0006,", 1))),
    ] {
        let path = place.path("out").join(file);
        let whole = fs::read_to_string(&path).unwrap();
        assert_ne!(alter(&whole), whole, "{file}");
        fs::write(&path, alter(&whole)).unwrap();
        let said = place.ends("info out", 1);
        assert!(said.contains("E256") && said.contains(&format!("{file} was altered")), "{said}");
        let said = place.ends("certify out", 1);
        assert!(said.contains("E106") && said.contains(&format!("{file} was altered")), "{said}");
        fs::write(&path, whole).unwrap();
    }
    fs::copy(place.path("out/frames/grains_000001.vtp"), place.path("out/frames/grains_000099.vtp")).unwrap();
    assert!(place.ends("info out", 1).contains("frames/grains_000099.vtp was not written by the run"));
    fs::remove_file(place.path("out/frames/grains_000099.vtp")).unwrap();
    // a report without digests is one of an old version only if the checkpoint is
    let Json::Object(mut old) = serde_json::from_str(&report).unwrap() else { panic!("an object") };
    old.retain(|key, _| key != "files" && key != "seal");
    fs::write(place.path("out/report.json"), serde_json::to_string_pretty(&old).unwrap()).unwrap();
    assert!(place.ends("info out", 1).contains("report.json was altered"));
    fs::remove_file(place.path("out/checkpoint.npz")).unwrap();
    assert!(place.ends("info out", 1).contains("checkpoint.npz is missing"));
}
