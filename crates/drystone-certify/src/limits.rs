//! What a step must reach to count as converged: the table of accuracies, as the book has it.

use toml::{Table, Value};

use super::scene::{as_number, number};

/// What a step must reach; what is not asked for is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// Residual eps_nat of the contact laws, a ratio.
    pub residual: f64,
    /// Estimated error of the forces, a ratio.
    pub force_error: f64,
    /// Largest velocity error eps_v: over the motion of the body.
    pub velocity_error: f64,
    /// Growth of the deepest overlap in a step over the radius.
    pub overlap_growth: f64,
}

/// Residual, force error, velocity error and growth of overlaps of every named accuracy.
pub(crate) const ACCURACIES: [(&str, [f64; 4]); 5] = [
    ("preview", [1e-3, f64::INFINITY, 1.0, 1e-2]),
    ("flow", [1e-4, 5e-2, 0.3, 1e-3]),
    ("standard", [1e-5, 1e-2, 0.1, 1e-4]),
    ("forces", [1e-6, 1e-3, 1e-2, 1e-5]),
    ("reference", [1e-10, 1e-6, 1e-4, 1e-8]),
];

impl Limits {
    /// A residual alone.
    pub(crate) fn residual(residual: f64) -> Limits {
        let any = f64::INFINITY;
        Limits { residual, force_error: any, velocity_error: any, overlap_growth: any }
    }

    /// The accuracy of a method: a name, a residual, or limits one by one.
    pub(crate) fn read(method: &Table) -> Result<Limits, String> {
        match method.get("accuracy") {
            Some(Value::String(name)) => {
                let named = ACCURACIES.iter().find(|(known, _)| known == name);
                let (_, limits) = named.ok_or_else(|| format!("the accuracy \"{name}\" is not known"))?;
                let [residual, force_error, velocity_error, overlap_growth] = *limits;
                Ok(Limits { residual, force_error, velocity_error, overlap_growth })
            }
            Some(Value::Table(asked)) => {
                let or_any = |key: &str| asked.get(key).and_then(as_number).unwrap_or(f64::INFINITY);
                Ok(Limits {
                    residual: number(asked, "residual")?,
                    force_error: or_any("force_error"),
                    velocity_error: or_any("velocity_error"),
                    overlap_growth: or_any("overlap_growth"),
                })
            }
            _ => Ok(Limits::residual(number(method, "accuracy")?)),
        }
    }
}
