//! What a run will take: counted, and timed by its first steps.

use std::time::{Duration, Instant};

use drystone::sim::Run;

use crate::clock::{clock, counted};

/// Steps that are timed at most, and how long.
const STEPS: u32 = 200;
const LONGEST: Duration = Duration::from_secs(1);

/// One line: grains, steps, rows, frames, memory and time. Makes the first steps of the run, which is not recorded.
pub(crate) fn outlook(mut run: Box<dyn Run>) -> String {
    let ahead = run.outlook();
    let bound = if run.ends_by_clock() { "" } else { "at most " };
    let number = |count: Option<f64>, one: &str, many: &str| match count {
        Some(count) => format!("{bound}{}", counted(count as u64, one, many)),
        None => format!("{many} until a rule ends it"),
    };
    let mut parts = vec![counted(ahead.grains, "grain", "grains"), number(ahead.steps, "step", "steps")];
    parts.push(match (ahead.rows, ahead.frames) {
        (Some(rows), Some(frames)) => format!(
            "{bound}{} of the series and {}",
            counted(rows as u64, "row", "rows"),
            counted(frames as u64, "frame", "frames")
        ),
        _ => "rows and frames as long as it lasts".into(),
    });
    parts.push(format!("about {} of memory", bytes(ahead.memory)));
    parts.push(time(run.as_mut(), ahead.steps));
    parts.join(", ")
}

/// An amount of memory in the unit that shows it.
fn bytes(amount: f64) -> String {
    match amount {
        some if some < 1e6 => format!("{:.0} kB", some / 1e3),
        some if some < 1e9 => format!("{:.1} MB", some / 1e6),
        some => format!("{:.1} GB", some / 1e9),
    }
}

/// How long the steps take, by the mean of the first ones.
fn time(run: &mut dyn Run, steps: Option<f64>) -> String {
    let (start, mut made) = (Instant::now(), 0);
    while made < STEPS && start.elapsed() < LONGEST {
        match run.advance() {
            Ok(Some(_)) => made += 1,
            Ok(None) => break,
            Err(error) => return format!("and step {} fails: {error}", made + 1),
        }
    }
    let each = start.elapsed().as_secs_f64() / f64::from(made.max(1));
    let first = counted(u64::from(made), "step", "steps");
    match steps {
        Some(steps) => {
            format!("about {} at the pace of the first {first}, longer once more grains touch", clock(steps * each))
        }
        None => format!("about {} a step, measured on the first {first}", clock(each)),
    }
}
