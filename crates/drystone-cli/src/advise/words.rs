//! The advice in words, and as JSON.

use std::fmt::Write;

use drystone_advise::{Advice, Choice, Ending, Flaw, Hardness, Prospect};
use serde_json::{Value as Json, json};

use crate::clock::{clock, moment};

/// The whole advice.
pub(super) fn report(advice: &Advice, title: &str) -> String {
    let mut text = format!("{title}: {} grains, {}\n", advice.grains, until(advice));
    let _ = writeln!(text, "{}\n", seen(advice));
    text += &costs(advice);
    for prospect in &advice.prospects {
        let _ = writeln!(text, "\n{}", prospect.hardness.of(prospect.method));
        prospect.notes.iter().for_each(|note| writeln!(text, "  derived   {note}").expect("a text takes words"));
        for flaw in &prospect.flaws {
            let mark = if flaw.is_grave() { "WRONG" } else { "note" };
            let _ = writeln!(text, "  {mark:8}  {}", sentence(flaw));
        }
    }
    text += "\n";
    text += &recommendation(advice);
    text
}

/// Until when costs are stated.
fn until(advice: &Advice) -> String {
    let end = brief(advice.end);
    match advice.ending {
        Ending::Clock => format!("until {end}"),
        Ending::Rule => format!("until about {end}, where a rule ended the walk"),
        Ending::AtMost => format!("until {end} at most: a rule may end the run earlier"),
        Ending::Unknown => format!("until {end}: only a rule ends the run, and the walk came no further"),
    }
}

/// What was done to find out.
fn seen(advice: &Advice) -> String {
    let trials = advice.prospects.iter().map(|prospect| prospect.trials.len()).max().unwrap_or(0);
    let mut text = format!(
        "a walk with {} came to {}; steps of every method were tried at {trials} moments of it",
        advice.walker.name(),
        brief(advice.reached)
    );
    if advice.larger > 1.0 {
        let _ = write!(text, ", with a copy of {:.0} grains", advice.grains as f64 / advice.larger);
    }
    let scene = &advice.scene;
    let _ = write!(
        text,
        "\nseen: speeds up to {} m/s, {:.1} contacts a grain at most, forces up to {} N then",
        digits(scene.fastest),
        scene.coordination(),
        digits(scene.force)
    );
    if let Some(failure) = &advice.failure {
        let _ = write!(text, "\nthe walk ended before its time: {failure}");
    }
    text
}

/// The table of costs.
fn costs(advice: &Advice) -> String {
    let most = if advice.ending == Ending::AtMost { "at most " } else { "about " };
    let mut rows = vec![["method", "time step", "steps", "computing time", "memory"].map(String::from)];
    for prospect in &advice.prospects {
        let label = prospect.hardness.of(prospect.method);
        let memory = format!("{:.1} MB", prospect.memory / 1e6);
        rows.push(match &prospect.cost {
            Ok(cost) => {
                let seconds = format!("{most}{}", clock(cost.seconds));
                [label, brief(prospect.dt), count(cost.steps), seconds, memory]
            }
            Err(_) => [label, String::new(), String::new(), "cannot make this run".into(), String::new()],
        });
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let line = |row: &[String; 5]| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    let mut text: String = rows.iter().map(line).collect();
    text += "(computing time of one core, without writing files)\n";
    for prospect in &advice.prospects {
        if let Err(reason) = &prospect.cost {
            let _ = writeln!(text, "{}: {reason}", prospect.hardness.of(prospect.method));
        }
    }
    for refusal in &advice.refusals {
        let _ = writeln!(text, "{} cannot run it: {}", refusal.hardness.of(refusal.method), refusal.reason);
    }
    if let Some(unseen) =
        advice.prospects.iter().find_map(|it| Some(it.cost.as_ref().ok()?.unseen)).filter(|it| *it > 0.0)
    {
        let _ = writeln!(
            text,
            "the walk did not see the last {:.0} % of the run: they may cost more, or less",
            100.0 * unseen
        );
    }
    text
}

/// A time with three digits.
fn brief(seconds: f64) -> String {
    moment(format!("{seconds:.2e}").parse().unwrap_or(seconds))
}

/// A number with three digits.
fn digits(number: f64) -> String {
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    if (1e-3..1e6).contains(&rounded.abs()) || rounded == 0.0 { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// A large number with three digits.
fn count(steps: f64) -> String {
    if steps < 1e6 { format!("{steps:.0}") } else { format!("{steps:.2e}") }
}

/// What a method gets wrong, with its numbers.
fn sentence(flaw: &Flaw) -> String {
    let text = match flaw {
        Flaw::BrakeFailure { fastest, critical } => format!(
            "grains pass each other unbraked above V_c = 4 R / tau = {} m/s; the fastest has {} m/s",
            digits(*critical),
            digits(*fastest)
        ),
        Flaw::Detachment { lasts, flight, is_dense } => {
            let dense = if *is_dense { "; contacts last anyway once grains are at rest" } else { "" };
            format!(
                "collisions last {}, flights between them {} where they are shortest: above a half clusters lose less energy \
                 than pairs{dense}",
                brief(*lasts),
                brief(*flight)
            )
        }
        Flaw::Overlap { resting, impact } => format!(
            "overlaps of {} % of the radius under the largest force, {} % in the fastest impact",
            digits(100.0 * resting),
            digits(100.0 * impact)
        ),
        Flaw::FiniteSound { sound, crossing, mach } => format!(
            "sound travels with {} m/s and crosses all grains in {}; the fastest grain has {} of that speed",
            digits(*sound),
            brief(*crossing),
            digits(*mach)
        ),
        Flaw::FrictionSprings => "static friction is a spring with a dashpot: grains rock and creep a little".into(),
        Flaw::Indeterminate { unknowns, equations } => format!(
            "forces are not unique: {unknowns} components of contact forces, {equations} equations of balance; \
             `drystone forces` shows how far each is known"
        ),
        Flaw::NoWaves { crossing: None } => "no elastic waves: a push is everywhere at once".into(),
        Flaw::NoWaves { crossing: Some(time) } => format!(
            "no elastic waves: a push is everywhere at once, and not after {} as with the stated stiffness",
            brief(*time)
        ),
        Flaw::Restitution { restitution, is_lost: true } => format!(
            "restitution {restitution} is lost: scheme = \"euler\" has no rebounds in a gas; write scheme = \"midpoint\""
        ),
        Flaw::Restitution { restitution, .. } => {
            format!(
                "restitution, up to {restitution}, acts at impacts, contact by contact; in dense flow nobody knows it"
            )
        }
        Flaw::Unconverged { share } => {
            let share = if *share < 0.01 { "less than 1".into() } else { format!("{:.0}", 100.0 * share) };
            format!("{share} % of the trial steps did not reach the accuracy asked for")
        }
        Flaw::Collapse { coordination } => format!(
            "lasting contacts, {coordination:.2} a grain, are infinitely many collisions: events alone do not get past them"
        ),
    };
    match flaw.code() {
        Some(code) => format!("{text} ({code})"),
        None => text,
    }
}

/// One sentence, with its reason; a second one where more grains would change it.
fn recommendation(advice: &Advice) -> String {
    let Some(choice) = advice.choice else {
        return "no method could make its trial steps: there is nothing to recommend\n".into();
    };
    let mut text = sentence_of_choice(advice, &choice);
    if let Some(grains) = advice.equal_cost.filter(|grains| grains.is_finite() && *grains >= 1.0) {
        let _ = writeln!(
            text,
            "By N^(1/{}) more sweeps for N grains, rigid and soft grains would cost the same at about {grains:.0e} grains.",
            advice.dimension
        );
    }
    text
}

fn sentence_of_choice(advice: &Advice, choice: &Choice) -> String {
    let label = |k: usize| advice.prospects[k].hardness.of(advice.prospects[k].method);
    let seconds = |k: usize| clock(advice.prospects[k].cost.as_ref().map_or(0.0, |cost| cost.seconds));
    let best = choice.best;
    if choice.is_flawed {
        let wrong: Vec<&str> = advice.prospects[best].flaws.iter().filter(|flaw| flaw.is_grave()).map(short).collect();
        return format!(
            "Take none as it is: every method gets something wrong here; {} is the cheapest ({}), wrong in {}.\n",
            label(best),
            seconds(best),
            wrong.join(" and ")
        );
    }
    let Some(next) = choice.next else {
        return format!(
            "Take {}: it costs {} and is the only method without a grave flaw here.\n",
            label(best),
            seconds(best)
        );
    };
    if choice.is_toss_up() {
        return format!(
            "A toss-up between {} ({}) and {} ({}): the costs are within a factor of two, so let what each gets wrong decide.\n",
            label(best),
            seconds(best),
            label(next),
            seconds(next)
        );
    }
    format!(
        "Take {}: it costs {}, {:.0} times less than {} ({}), and gets nothing grave wrong here.\n",
        label(best),
        seconds(best),
        choice.ratio,
        label(next),
        seconds(next)
    )
}

/// A flaw in a word or two.
fn short(flaw: &Flaw) -> &'static str {
    match flaw {
        Flaw::BrakeFailure { .. } => "braking",
        Flaw::Detachment { .. } => "dissipation",
        Flaw::Overlap { .. } => "overlaps",
        Flaw::FiniteSound { .. } => "the speed of sound",
        Flaw::FrictionSprings => "static friction",
        Flaw::Indeterminate { .. } => "single forces",
        Flaw::NoWaves { .. } => "waves",
        Flaw::Restitution { .. } => "restitution",
        Flaw::Unconverged { .. } => "convergence",
        Flaw::Collapse { .. } => "lasting contacts",
    }
}

/// The advice for programs.
pub(super) fn json(advice: &Advice) -> String {
    let prospects: Vec<Json> = advice.prospects.iter().map(prospect).collect();
    let refusals: Vec<Json> = advice
        .refusals
        .iter()
        .map(|it| json!({"method": it.method.name(), "grains": hardness(it.hardness), "reason": it.reason}))
        .collect();
    let choice = advice.choice.map(|choice| {
        json!({
            "best": choice.best, "next": choice.next, "cost_ratio": choice.ratio,
            "toss_up": choice.is_toss_up(), "is_flawed": choice.is_flawed,
        })
    });
    let ending = match advice.ending {
        Ending::Clock => "clock",
        Ending::Rule => "rule",
        Ending::AtMost => "at_most",
        Ending::Unknown => "unknown",
    };
    let object = json!({
        "grains": advice.grains, "end": advice.end, "ending": ending, "walked_by": advice.walker.name(),
        "walked_until": advice.reached, "walk_failure": advice.failure, "grains_over_copy": advice.larger,
        "seen": {
            "fastest": advice.scene.fastest, "coordination": advice.scene.coordination(), "force": advice.scene.force,
            "collision_rate": advice.scene.collision_rate,
        },
        "methods": prospects, "refused": refusals, "choice": choice, "recommendation": recommendation(advice).trim(),
        "grains_of_equal_cost": advice.equal_cost.filter(|grains| grains.is_finite()),
    });
    format!("{object}\n")
}

fn hardness(hardness: Hardness) -> &'static str {
    match hardness {
        Hardness::Rigid => "rigid",
        Hardness::Stated => "stated",
        Hardness::Softened => "softened",
    }
}

fn prospect(prospect: &Prospect) -> Json {
    let flaws: Vec<Json> = prospect
        .flaws
        .iter()
        .map(|flaw| json!({"grave": flaw.is_grave(), "code": flaw.code(), "message": sentence(flaw)}))
        .collect();
    let cost = prospect.cost.as_ref();
    json!({
        "method": prospect.method.name(), "grains": hardness(prospect.hardness), "time_step": prospect.dt,
        "seconds": cost.ok().map(|cost| cost.seconds), "steps": cost.ok().map(|cost| cost.steps),
        "contacts_solved": cost.ok().map(|cost| cost.solved), "unseen": cost.ok().map(|cost| cost.unseen),
        "failure": cost.err(), "memory": prospect.memory, "derived": prospect.notes, "flaws": flaws,
        "moments": prospect.trials.iter().map(|trial| json!({
            "time": trial.time, "seconds_a_step": trial.seconds, "steps": trial.steps, "contacts": trial.contacts,
            "contacts_solved": trial.solved, "unconverged": trial.unconverged,
        })).collect::<Vec<Json>>(),
    })
}
