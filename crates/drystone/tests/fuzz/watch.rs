//! The parent: watches a child that tries inputs, notes which of them it did not survive, and starts another one
//! behind.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::{LIMIT, MEMORY};

/// What came out of the inputs of a target.
#[derive(Default)]
pub(crate) struct Tally {
    inputs: u64,
    /// Inputs that panicked, hung, or took too much memory.
    pub finds: u64,
    slowest: Duration,
    /// Largest memory of a child [kB].
    peak: u64,
    /// Inputs that were accepted, whatever that means for the target.
    accepted: u64,
    took: Duration,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { inputs, finds, slowest, peak, accepted, took } = self;
        write!(f, "{inputs} inputs in {took:.1?}, {accepted} accepted, {finds} finds; ")?;
        write!(f, "slowest {slowest:.1?}, {} MB at most", peak / 1024)
    }
}

/// Starts a child for the inputs from `next` on. Where there is a shell it has the memory limit.
fn start(target: &str, seed: u64, next: u64, end: u64) -> Child {
    let program = std::env::current_exe().expect("the name of this program");
    let mut command = match cfg!(unix) {
        true => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(program);
            shell
        }
        false => Command::new(program),
    };
    command.args(["child", target, &seed.to_string(), &next.to_string(), &end.to_string()]);
    command.env("RAYON_NUM_THREADS", "1").env("MALLOC_ARENA_MAX", "1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a child process")
}

/// The lines of a child, as they come.
fn lines(child: &mut Child) -> Receiver<String> {
    let (send, receive) = channel();
    let out = BufReader::new(child.stdout.take().expect("its output"));
    std::thread::spawn(move || out.lines().map_while(Result::ok).all(|line| send.send(line).is_ok()));
    receive
}

/// How long a process has worked, where the system tells it.
fn work(child: &Child) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // behind the name in brackets: the times are the 14th and 15th words, in hundredths of a second
    let words: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = words.get(11)?.parse::<u64>().ok()? + words.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

/// Tries inputs of a target; every find is told on the way.
pub(crate) fn watch(target: &str, seed: u64, count: u64) -> Tally {
    let (mut tally, begun) = (Tally { inputs: count, ..Tally::default() }, Instant::now());
    let mut next = 0;
    while next < count {
        let mut child = start(target, seed, next, count);
        let errors = child.stderr.take().expect("its errors");
        let errors = std::thread::spawn(move || BufReader::new(errors).lines().map_while(Result::ok).last());
        let (lines, mut trying, mut since, mut worked) = (lines(&mut child), None, Instant::now(), work(&child));
        let find = |n: u64, what: &str| {
            println!("  find: {what}; again: cargo test -p drystone-tests --test fuzz -- again {target} {seed} {n}");
        };
        let why = loop {
            match lines.recv_timeout(Duration::from_secs(1)) {
                Ok(line) => {
                    let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
                    match word {
                        "try" => {
                            if trying.is_some() {
                                let took = work(&child).zip(worked).map(|(now, then)| now.saturating_sub(then));
                                tally.slowest = tally.slowest.max(took.unwrap_or(since.elapsed()));
                            }
                            (trying, since, worked) = (rest.parse().ok(), Instant::now(), work(&child));
                        }
                        "accepted" => tally.accepted += 1,
                        "peak" => tally.peak = tally.peak.max(rest.parse().unwrap_or(0)),
                        "panic" => {
                            tally.finds += 1;
                            find(trying.unwrap_or(next), rest);
                        }
                        _ => {}
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    // where the system tells how long the child has worked, other work of the machine does not count
                    let long = match (work(&child), worked) {
                        (Some(now), Some(then)) => now.saturating_sub(then),
                        _ => since.elapsed(),
                    };
                    if long > LIMIT || since.elapsed() > 20 * LIMIT {
                        break Some(format!("no answer for {long:.0?}"));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break None,
            }
        };
        if why.is_some() {
            let _ = child.kill();
        }
        let status = child.wait().expect("the end of the child");
        let last = errors.join().ok().flatten().unwrap_or_default();
        if status.success() {
            break;
        }
        let n = trying.unwrap_or(next);
        tally.finds += 1;
        find(n, &why.unwrap_or_else(|| format!("the child ended with {status}: {last}")));
        next = n + 1;
    }
    tally.took = begun.elapsed();
    tally
}
