//! Rigid laws from soft ones: the restitution of their collisions, the friction of a preset, a constant attraction.

use std::path::Path;

use super::loads::{Load, loads};
use super::soft_laws::Touching;
use super::{DerivedKey, DerivedLaw};
use crate::dim::Dim;
use crate::input::{Mistakes, Reader, Span, Value};
use crate::law::Pair;
use crate::law::soft::collision::head_on;
use crate::law::soft::normal::Losses;
use crate::law::soft::{Attraction, Soft};
use crate::scenario::Scenario;

impl<D: Dim> Scenario<D> {
    /// What rigid grains need in these [[contact]] tables, in their order.
    pub(super) fn rigid_laws(&self, numbers: &[usize], folder: &Path) -> Result<Vec<DerivedLaw>, Mistakes> {
        let mut world = self.build(folder)?;
        self.foresee(&mut world);
        let speed = loads(self, &world).iter().find_map(|named| match named.load {
            Load::Impact(speed) => Some(speed),
            _ => None,
        });
        let reader = Reader::new(folder.to_path_buf());
        let law = |number: &usize| {
            let (pair, touching) = (&self.contact[*number].law.0, Touching::of(self, &world, *number));
            let soft = pair.md.as_ref().expect("only tables with a soft law are asked for");
            Source { pair, soft, touching }.rigid_law(speed, &reader)
        };
        let found: Vec<Option<DerivedLaw>> = numbers.iter().map(law).collect();
        reader.finish().into_result(found.into_iter().collect())
    }
}

/// The soft law that a rigid one is derived from.
struct Source<'s> {
    pair: &'s Pair,
    soft: &'s Soft,
    touching: Touching,
}

impl Source<'_> {
    fn rigid_law(self, speed: Option<f64>, reader: &Reader) -> Option<DerivedLaw> {
        let between = self.touching.between.clone();
        let [a, b] = &between;
        let refuse = |what: &str, help: &str| {
            let message = format!("the soft law between \"{a}\" and \"{b}\" has no rigid twin: {what}");
            reader.mistake("E015", &Span::default(), message, help)
        };
        let (mut keys, mut reasons) = (Vec::new(), Vec::new());
        let mut restitution = self.pair.restitution.normal(0.0);
        if self.pair.restitution.is_none() {
            let Some(found) = self.restitution(speed) else {
                let help = "add `restitution` to its [[contact]]";
                return refuse("its restitution depends on a speed that the scenario does not tell", help);
            };
            restitution = found;
            keys.push(DerivedKey { key: "restitution", value: format!("{restitution:?}") });
            reasons.push(format!("restitution {restitution:.4}, that of the soft law"));
        }
        if let Some(preset) = self.soft.preset {
            let friction = preset.measured().friction.0;
            keys.push(DerivedKey { key: "friction", value: format!("{friction:?}") });
            reasons.push(format!("friction {friction}, that of the preset"));
        }
        match (&self.soft.attraction, &self.pair.cohesion) {
            (Some(Attraction::Constant(law)), None) => {
                let mut value = law.write();
                if let Some(table) = value.as_table_mut() {
                    table.remove("law");
                }
                keys.push(DerivedKey { key: "cohesion", value: value.to_string() });
                reasons.push("cohesion, that of the constant attraction".into());
            }
            (Some(Attraction::Dmt(_) | Attraction::Jkr(_)), None) => {
                let help = "add `cohesion` to its [[contact]]";
                return refuse("its attraction grows with the radius of the grains", help);
            }
            _ => {}
        }
        Some(DerivedLaw { between, stiffness: None, restitution, reason: reasons.join("; "), keys })
    }

    /// Restitution of the soft law: as stated, or that of two mean grains that meet with this speed.
    fn restitution(&self, speed: Option<f64>) -> Option<f64> {
        match self.soft.normal.as_dyn().losses() {
            Losses::Restitution(e) => return Some(e),
            Losses::Neither => {
                let measured = self.soft.preset.and_then(|preset| preset.measured().restitution);
                return Some(measured.map_or(0.0, |(e, _)| e));
            }
            Losses::Damping | Losses::Both => {}
        }
        let couple = self.touching.mean_couple()?;
        Some(head_on(&*self.soft.law(self.pair).normal, couple, speed?).restitution)
    }
}
