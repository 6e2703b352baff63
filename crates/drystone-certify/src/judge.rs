//! The judge: which comparisons were made, the largest deviation of each and where, and what could not be judged.

use serde_json::{Value as Json, json};

/// What is checked, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Every file against the digest of what the run wrote.
    Files,
    /// Numbers, times and steps of the frames.
    Frames,
    /// Radius, mass and material of the grains, which stay the same unless grains grow.
    Grains,
    /// Positions, velocities, masses and forces of the walls against their drives.
    Walls,
    /// Normals, gaps and ends of the contacts against the positions.
    Geometry,
    /// Friction and bias of the contacts against the scenario and the positions.
    Terms,
    /// Forces within the Coulomb cone.
    Cone,
    /// Stick or slide, as stated.
    Regime,
    /// The residual eps_nat, recomputed against the one that is stated.
    Residual,
    /// Newton's law, grain by grain.
    Force,
    /// Euler's law, grain by grain.
    Torque,
    /// Forces on the walls, and all of them against weights and inertia.
    Global,
    /// Overlaps against the worst one that is reported.
    Overlap,
    /// Sum of mass times velocity against the series.
    Momentum,
    /// Kinetic and potential energy against the series.
    Energy,
    /// Energy that went in and out since the start against the energy that is there.
    Ledger,
    /// Contacts take energy, and do not give it.
    Dissipation,
    /// Residual, ledger and counts against the series.
    Series,
}

/// Every check with its name and what its numbers are.
const CHECKS: [(Check, &str, &str); 18] = [
    (Check::Files, "files", "every file is what the run wrote, to the last bit"),
    (Check::Frames, "frames", "numbers, times, steps and time steps follow each other"),
    (Check::Grains, "grains", "radius, mass, shape and material never change; what is held does not move"),
    (Check::Walls, "walls", "places [m], velocities [m/s] and forces [N] of walls against their drives"),
    (Check::Geometry, "geometry", "normals and gaps over the radius, from the positions"),
    (Check::Terms, "law terms", "friction of the scenario; closing velocity from the gap, as a path over the radius"),
    (Check::Cone, "friction cone", "part of a force outside |f_t| <= mu f_n"),
    (Check::Regime, "stick or slide", "contacts that do not do what they say"),
    (Check::Residual, "residual", "|eps_nat - the one stated|, and of the velocity error"),
    (Check::Force, "force balance", "|m a - m g - sum f| of a grain over the sum of these"),
    (Check::Torque, "torque balance", "|I alpha - sum t| of a grain over the sum of these"),
    (Check::Global, "global balance", "reactions of all walls against weight and inertia, a ratio"),
    (Check::Overlap, "overlap", "deepest overlap over the radius, against the worst reported"),
    (Check::Momentum, "momentum", "against series.csv, over the sum of m |v|, and of |l| about the origin"),
    (Check::Energy, "energy", "kinetic and potential against series.csv, a ratio"),
    (Check::Ledger, "energy ledger", "energy that came from nowhere since the start, a ratio"),
    (Check::Dissipation, "dissipation", "energy that contacts gave over what went through them, a ratio"),
    (Check::Series, "series", "residual, books and counts against series.csv"),
];

/// A comparison: `value` must not exceed `limit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Number of the frame; none if it is about the folder.
    pub frame: Option<usize>,
    /// Grain, contact, quantity or file.
    pub place: String,
    /// How far off it is.
    pub value: f64,
    /// Deviation that rounding explains.
    pub limit: f64,
}

impl Reading {
    fn severity(&self) -> f64 {
        match (self.value, self.limit) {
            (0.0, _) => 0.0,
            (value, limit) if limit > 0.0 => value / limit,
            _ => f64::INFINITY,
        }
    }
}

/// All that one check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The check.
    pub check: Check,
    /// How many comparisons were made.
    pub judged: u64,
    /// The worst of them, if any.
    pub worst: Option<Reading>,
    /// How many do not hold.
    pub broken: u64,
    /// The first of those, at most [`KEPT`].
    pub first: Vec<Reading>,
    /// Why something was not judged.
    pub left_out: Vec<String>,
}

/// Largest number of comparisons that do not hold to be kept of every check.
pub(crate) const KEPT: usize = 5;

impl Sheet {
    /// Name of the check.
    pub fn name(&self) -> &'static str {
        CHECKS[self.check as usize].1
    }
    /// What its numbers are.
    pub fn about(&self) -> &'static str {
        CHECKS[self.check as usize].2
    }
    /// One word: holds, broken, not judged.
    pub fn verdict(&self) -> &'static str {
        match (self.broken, self.judged) {
            (0, 0) => "not judged",
            (0, _) => "holds",
            _ => "BROKEN",
        }
    }

    /// The sheet for programs.
    pub fn to_json(&self) -> Json {
        let reading = |r: &Reading| json!({"frame": r.frame, "where": r.place, "value": r.value, "limit": r.limit});
        json!({
            "check": self.name(),
            "about": self.about(),
            "verdict": self.verdict(),
            "judged": self.judged,
            "worst": self.worst.as_ref().map(reading),
            "broken": self.broken,
            "first_broken": self.first.iter().map(reading).collect::<Vec<_>>(),
            "left_out": self.left_out,
        })
    }
}

/// Collects comparisons.
#[derive(Debug)]
pub(crate) struct Judge {
    /// Number of the present frame; none before the first.
    pub frame: Option<usize>,
    /// One sheet for each check.
    pub sheets: Vec<Sheet>,
}

impl Default for Judge {
    fn default() -> Self {
        let blank = |(check, ..): (Check, &str, &str)| Sheet {
            check,
            judged: 0,
            worst: None,
            broken: 0,
            first: Vec::new(),
            left_out: Vec::new(),
        };
        Judge { frame: None, sheets: CHECKS.map(blank).into() }
    }
}

impl Judge {
    /// Notes a comparison: it holds if `value` is not above `limit`. A value that is not a number does not hold.
    pub(crate) fn see(&mut self, check: Check, value: f64, limit: f64, place: impl FnOnce() -> String) {
        let sheet = &mut self.sheets[check as usize];
        sheet.judged += 1;
        let mut reading = Reading { frame: self.frame, place: String::new(), value, limit };
        let is_broken = value.is_nan() || limit.is_nan() || value > limit;
        let is_worst = sheet.worst.as_ref().is_none_or(|worst| reading.severity() > worst.severity() || value.is_nan());
        if is_broken || is_worst {
            reading.place = place();
        }
        if is_broken {
            sheet.broken += 1;
            if sheet.first.len() < KEPT {
                sheet.first.push(reading.clone());
            }
        }
        if is_worst {
            sheet.worst = Some(reading);
        }
    }

    /// Notes that something holds or not, without a measure.
    pub(crate) fn require(&mut self, check: Check, holds: bool, place: impl FnOnce() -> String) {
        self.see(check, f64::from(u8::from(!holds)), 0.0, place);
    }

    /// Records that something cannot be judged, and why; once for each reason.
    pub(crate) fn leave_out(&mut self, check: Check, why: impl Into<String>) {
        let (why, reasons) = (why.into(), &mut self.sheets[check as usize].left_out);
        if !reasons.contains(&why) {
            reasons.push(why);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_its_own_line() {
        for (k, (check, ..)) in CHECKS.iter().enumerate() {
            assert_eq!(*check as usize, k);
        }
    }

    #[test]
    fn the_worst_is_kept_and_what_is_not_a_number_does_not_hold() {
        let mut judge = Judge::default();
        for (value, limit) in [(0.5, 1.0), (3.0, 4.0), (0.0, 0.0)] {
            judge.see(Check::Force, value, limit, || format!("{value}"));
        }
        let sheet = &judge.sheets[Check::Force as usize];
        assert_eq!((sheet.judged, sheet.broken, sheet.verdict()), (3, 0, "holds"));
        assert_eq!(sheet.worst.as_ref().map(|worst| worst.place.as_str()), Some("3"));
        judge.see(Check::Force, f64::NAN, 1.0, || "nan".into());
        judge.require(Check::Force, false, || "false".into());
        let sheet = &judge.sheets[Check::Force as usize];
        assert_eq!((sheet.broken, sheet.verdict(), sheet.first.len()), (2, "BROKEN", 2));
        assert_eq!(judge.sheets[Check::Torque as usize].verdict(), "not judged");
    }
}
