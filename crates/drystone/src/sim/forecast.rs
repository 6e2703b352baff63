//! When a run is likely to end: by the clock, or by the progress of what its present stage waits for.

use super::Simulation;
use super::rules::StageOrigin;
use super::run::Run;
use crate::dim::Dim;
use crate::scenario::schema::until::{Rule, Stop};

/// When a run ends, as far as that can be told [s].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Forecast {
    /// Then: the clock alone decides.
    At(f64),
    /// About then, if a strain or a displacement goes on as it has since its stage began.
    About(f64),
    /// Then at the latest: a rule may end it earlier.
    AtMost(f64),
    /// Not known.
    Unknown,
}

impl Forecast {
    /// The time [s], if there is one.
    pub fn time(self) -> Option<f64> {
        match self {
            Forecast::At(time) | Forecast::About(time) | Forecast::AtMost(time) => Some(time),
            Forecast::Unknown => None,
        }
    }
}

impl<D: Dim> Simulation<D> {
    pub(super) fn foresee(&self) -> Forecast {
        if self.ends_by_clock() {
            return self.end().map_or(Forecast::Unknown, Forecast::At);
        }
        let now = self.progress.stage_starts.len() - 1;
        let since = self.progress.stage_starts[now];
        let by_run = self.met_at(&self.stop, StageOrigin { time: 0.0, walls: &[] });
        let by_stage =
            self.met_at(&self.stages[now].until, StageOrigin { time: since, walls: &self.progress.walls_at_start });
        let earliest = |times: [Option<f64>; 2]| times.into_iter().flatten().reduce(f64::min);
        let first = earliest([by_stage, self.stages[now].latest(since)]);
        let later = &self.stages[now + 1..];
        let all = first.and_then(|start| later.iter().try_fold(start, |start, stage| stage.latest(start)));
        let rest_by_clock = later.iter().all(|stage| stage.latest(since) == Some(stage.earliest(since)));
        let is_told = by_run.is_some() || by_stage.is_some() && rest_by_clock;
        match earliest([all, earliest([by_run, self.stop.latest(0.0)])]) {
            None => Forecast::Unknown,
            Some(end) if is_told => Forecast::About(end),
            Some(end) => Forecast::AtMost(end),
        }
    }

    /// When the first rule about a strain or a displacement is met, at its mean pace since the origin.
    fn met_at(&self, stop: &Stop, origin: StageOrigin) -> Option<f64> {
        let elapsed = self.world.clock.time - origin.time;
        let reached = |rule: &Rule| match rule {
            Rule::Displacement(rule) => self.displacement(&rule.wall, origin) / *rule.beyond,
            Rule::Strain(rule) => self.strain(&rule.between[0], &rule.between[1], origin).abs() / *rule.beyond,
            _ => 0.0,
        };
        let parts = stop.any.each().iter().map(reached).fold(0.0, f64::max);
        (parts > 0.0 && elapsed > 0.0).then(|| origin.time + elapsed / parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Reader;
    use crate::scenario::AnyScenario;
    use crate::sim::open;

    /// Two plates, 10 mm apart, and a lid that comes down by 1 mm/s.
    fn plates(stages: &str) -> Box<dyn Run> {
        let text = format!(
            "dimension = 2\ngravity = [0, 0]\n\
             [[material]]\nname = \"m\"\ndensity = 1000\n\
             [[contact]]\nbetween = \"any\"\nfriction = 0\n\
             [[grains]]\nmaterial = \"m\"\nshape = {{ kind = \"disk\", radius = \"1 mm\" }}\nplace = {{ how = \"at\", points = [[0, \"2 mm\"]] }}\n\
             [[wall]]\nname = \"floor\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\nmaterial = \"m\"\n\
             [[wall]]\nname = \"lid\"\nkind = \"plane\"\npoint = [0, \"10 mm\"]\nnormal = [0, -1]\nmaterial = \"m\"\n\
             {stages}\n[method.cd]\ntime_step = \"1 ms\"\n"
        );
        let scenario = AnyScenario::parse("plates", &text, &[], Reader::default()).unwrap();
        let mut run = open(&scenario, std::path::Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        for _ in 0..10 {
            run.advance().unwrap();
        }
        run
    }

    const PRESS: &str = "[[stage]]\nname = \"press\"\ndrive = { lid = { velocity = [0, \"-1 mm/s\"] } }\n";

    /// 0.2 of 10 mm at 1 mm/s take 2 s, half of 3 mm 1.5 s, whatever the limit; and nothing is said to be known earlier.
    #[test]
    fn strains_and_displacements_tell_when_they_are_reached() {
        let about = |rule: &str| match plates(&format!("{PRESS}{rule}")).forecast() {
            Forecast::About(time) => time,
            other => panic!("{other:?}"),
        };
        let strain = "until = { strain = { between = [\"floor\", \"lid\"], beyond = 0.2 } }";
        assert!((about(strain) - 2.0).abs() < 1e-9, "no clock ends it");
        assert!((about(&format!("{strain}\nlimit = \"60 s\"")) - 2.0).abs() < 1e-9);
        let displacement = "until = { displacement = { wall = \"lid\", beyond = \"1.5 mm\" } }";
        assert!((about(displacement) - 1.5).abs() < 1e-9);
        let rest = format!("{PRESS}{strain}\n[[stage]]\nname = \"rest\"\nlimit = \"3 s\"");
        assert!(plates(&rest).outlook().steps.is_none(), "the first stage may take for ever");
        let settle = format!("{rest}\nuntil = {{ at_rest = {{ speed = \"1 mm/s\", for = \"1 s\" }} }}");
        assert_eq!(
            plates(&rest).forecast().time().map(|time| (1e6 * time).round()),
            Some(5e6),
            "3 s more by the clock"
        );
        assert!(matches!(plates(&rest).forecast(), Forecast::About(_)));
        assert!(matches!(plates(&settle).forecast(), Forecast::AtMost(_)), "which may come to rest earlier");
        assert_eq!(plates(&format!("{PRESS}limit = \"4 s\"")).forecast(), Forecast::At(4.0));
    }
}
