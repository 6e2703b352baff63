//! Warnings about scenarios that are allowed but may not be what the user wants.

use super::{containers, stage_ends};
use crate::dim::{Dim, Vector};
use crate::input::{Mistake, Span};
use crate::law::Cohesion;
use crate::method::Kind;
use crate::method::cd::{Criterion, Order, Scheme};
use crate::scenario::{AnyScenario, Scenario};

/// Densities of solids [kg/m3]: from the lightest foams to osmium.
const USUAL_DENSITIES: std::ops::RangeInclusive<f64> = 10.0..=23_000.0;

impl AnyScenario {
    /// Warnings to show before the run.
    pub fn warnings(&self) -> Vec<Mistake> {
        match self {
            AnyScenario::Plane(scenario) => scenario.warnings(),
            AnyScenario::Space(scenario) => scenario.warnings(),
        }
    }
}

impl<D: Dim> Scenario<D> {
    /// Warnings to show before the run.
    pub fn warnings(&self) -> Vec<Mistake> {
        let mut warnings = self.parameters.warnings();
        warnings.extend(stage_ends::warnings(&self.stage, &self.stop));
        let mut warn = |code, at: &Span, message: &str, help: &str| {
            // a law between "any" stands for several
            let is_told =
                |told: &Mistake| (told.code, told.message.as_str()) == (code, message) && told.at.range == at.range;
            if warnings.iter().any(is_told) {
                return;
            }
            warnings.push(Mistake { code, at: at.clone(), message: message.into(), help: help.into() });
        };
        for (code, at, message, help) in containers::warnings(self) {
            warn(code, &at, &message, &help);
        }
        for material in self.material.iter().filter(|material| !USUAL_DENSITIES.contains(&*material.density)) {
            let message = format!("\"{}\" has a density of {} kg/m3", material.name.value, *material.density);
            let help = "a bare number is in kg/m3: write \"2.65 g/cm3\" or \"2650 kg/m3\" for sand";
            warn("W118", &material.span, &message, help);
        }
        let up = self.gravity.0.get(D::DIMENSION - 1);
        if up > 0.0 {
            let message = format!("gravity points upwards: {up} m/s2 along {}", D::AXES[D::DIMENSION - 1]);
            let top = Span { text: self.span.text.clone(), range: 0..0 };
            warn("W119", &top, &message, "write -9.81 m/s2 as its last component, if down is meant");
        }
        for contact in &self.contact {
            if let Some(Cohesion::ZeroRange(_)) = &contact.law.cohesion {
                let message = "cohesion without range: the shorter the time step, the smaller the shock that breaks it";
                warn(
                    "W111",
                    &contact.span,
                    message,
                    "give it a range: cohesion = { force = \"1 mN\", range = \"1 um\" }",
                );
            }
        }
        if self.method.r#use.value == Kind::Md {
            for contact in &self.contact {
                let ignored = contact.law.md.as_ref().map_or_else(Vec::new, |soft| soft.ignored(&contact.law));
                for (message, help) in ignored {
                    warn("W115", &contact.span, message, help);
                }
            }
        }
        let Some(options) = self.method.cd.as_ref().filter(|_| self.method.r#use.value == Kind::Cd) else {
            return warnings;
        };
        let bounces = self.contact.iter().find(|contact| !contact.law.restitution.is_none());
        if let (Some(contact), Scheme::Euler) = (bounces, options.scheme) {
            let message = "with scheme = \"euler\" restitution counts as zero where round grains meet at an angle, and as less at walls";
            warn("W112", &contact.span, message, "write scheme = \"midpoint\" in [method.cd]");
        }
        if options.criterion == Criterion::ForceChange {
            let message = "criterion = \"force_change\" bounds the change of the forces in a sweep, not their error";
            warn(
                "W113",
                &options.span,
                message,
                "leave `criterion` out: the residual of the contact laws decides then",
            );
        }
        if options.order == Order::Parallel {
            let message = "order = \"parallel\": contacts that share a grain push twice, and packings become unstable";
            warn("W114", &options.span, message, "leave `order` out, unless the instability is what you want to see");
        }
        warnings
    }
}
