//! Keys of a [[contact]] that soft grains do not use: each of them is reported, none is ignored silently.

use super::normal::Losses;
use super::{Rolling, Soft, TangentialChoice};
use crate::contact::Regime;
use crate::law::restitution::NormalRestitution;
use crate::law::{Pair, Restitution};

impl Soft {
    /// Settings of the pair that have no effect with these laws, each with what to write instead.
    pub fn ignored(&self, pair: &Pair) -> Vec<(&'static str, &'static str)> {
        let mut found = Vec::new();
        let mut tell = |is_so: bool, what: &'static str, instead: &'static str| {
            if is_so {
                found.push((what, instead));
            }
        };
        tell(
            pair.restitution.tangential() != 0.0,
            "tangential restitution has no effect on soft grains: theirs follows from the tangential spring",
            "choose its stiffness_ratio; `drystone impact` shows what comes back",
        );
        let losses = self.normal.as_dyn().losses();
        let falls = matches!(&pair.restitution, Restitution::Both(both) if matches!(both.normal, NormalRestitution::Plastic(_)));
        tell(
            falls && losses == Losses::Neither,
            "soft grains use a restitution that falls with the speed at its value for slow impacts",
            "take a normal law that loses more at speed, such as \"hertz_viscoelastic\"",
        );
        let asked = pair.restitution.normal(0.0);
        let own = match losses {
            Losses::Damping | Losses::Both => true,
            Losses::Restitution(e) => e != asked,
            Losses::Neither => false,
        };
        tell(
            asked > 0.0 && own,
            "the restitution of the [[contact]] has no effect: `normal` has losses of its own",
            "keep one of them: leave restitution out of the [[contact]], or out of `normal`",
        );
        let rough = pair.friction.coefficient(Regime::Stick, 0.0) > 0.0;
        tell(
            rough && self.tangential.is_none(),
            "soft grains have friction only with a tangential law: these surfaces are smooth",
            "add tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8 }, or write friction = 0",
        );
        tell(
            rough && matches!(self.tangential, Some(TangentialChoice::Viscous(_))),
            "the tangential law \"viscous\" has no limit: friction has no effect",
            "take \"viscous_coulomb\", or write friction = 0",
        );
        tell(
            pair.rolling.is_some() && matches!(self.rolling, Some(Rolling::Kondic(_))),
            "the rolling law \"kondic\" has a coefficient of its own: `rolling` of the [[contact]] has no effect",
            "leave `rolling` out, or take the law \"zhou\"",
        );
        let limited = self.rolling.as_ref().is_some_and(|law| !matches!(law, Rolling::Kondic(_)));
        tell(
            limited && pair.rolling.is_none() || self.torsion.is_some() && pair.torsion.is_none(),
            "a rolling or torsion law without a limit: it resists nothing",
            "add rolling = { ratio = 0.1 } (or torsion) to the [[contact]]",
        );
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::input::{Node, Reader, Text, Value};
    use crate::law::Pair;

    fn ignored(text: &str) -> Vec<&'static str> {
        let text = std::sync::Arc::new(Text { name: "test".into(), text: format!("pair = {{ {text} }}") });
        let pair = Pair::read(Node::parse(&text).0.get("pair").unwrap(), &Reader::default()).unwrap();
        pair.md.as_ref().unwrap().ignored(&pair).into_iter().map(|(what, _)| what).collect()
    }

    #[test]
    fn what_has_no_effect_is_told_and_nothing_else() {
        let spring = "tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8 }";
        let own = "normal = { law = \"hooke\", stiffness = 1, restitution = 0.5 }";
        let lent = "normal = { law = \"hooke\", stiffness = 1 }";
        let elastic = "normal = { law = \"hertz\", young = 1e7, poisson = 0.3 }";
        for (text, count) in [
            (format!("friction = 0.5, md = {{ {own}, {spring} }}"), 0),
            (format!("friction = 0.5, restitution = 0.5, md = {{ {lent}, {spring} }}"), 0),
            (format!("friction = 0.5, restitution = 0.5, md = {{ {own}, {spring} }}"), 0),
            (format!("friction = 0.5, restitution = 0.6, md = {{ {own}, {spring} }}"), 1),
            (format!("friction = 0.5, restitution = 0.6, md = {{ {elastic}, {spring} }}"), 1),
            (format!("friction = 0.5, md = {{ {own} }}"), 1),
            (format!("friction = 0, md = {{ {own} }}"), 0),
            (format!("friction = 0.5, md = {{ {own}, tangential = {{ law = \"viscous\", damping = 1 }} }}"), 1),
            (format!("friction = 0, restitution = {{ normal = 0.5, tangential = 0.3 }}, md = {{ {lent} }}"), 1),
            (
                format!(
                    "friction = 0, restitution = {{ normal = {{ below_yield = 0.5, yield_velocity = 1 }} }}, md = {{ {lent} }}"
                ),
                1,
            ),
            (format!("friction = 0, md = {{ {own}, rolling = {{ law = \"zhou\" }} }}"), 1),
            (
                format!(
                    "friction = 0, rolling = {{ ratio = 0.1 }}, md = {{ {own}, rolling = {{ law = \"kondic\", coefficient = 0.1 }} }}"
                ),
                1,
            ),
        ] {
            assert_eq!(ignored(&text).len(), count, "{text}: {:?}", ignored(&text));
        }
    }
}
