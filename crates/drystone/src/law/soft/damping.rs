//! Damping from restitution, exactly for the convention chosen.

use super::Couple;
use super::collision::head_on;
use super::normal::power;

/// zeta = gamma / (2 sqrt(k m)) of the linear law that gives the restitution `e`.
///
/// Without the cut e = exp(-pi zeta / sqrt(1 - zeta^2)). With it the contact ends where the force does:
/// e = exp(-zeta omega_0 t_c), omega_0 t_c = atan2(2 zeta w, 2 zeta^2 - 1) / w with w = sqrt(1 - zeta^2), and beyond
/// critical damping ln((zeta + q) / (zeta - q)) / q with q = sqrt(zeta^2 - 1). [Schwager07], [validation A4.3]
pub(crate) fn linear(e: f64, cut: bool) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    if !cut {
        let log = libm::log(e);
        return -log / (std::f64::consts::PI * std::f64::consts::PI + log * log).sqrt();
    }
    falling(linear_restitution, e)
}

/// Restitution of the linear law with the cut.
pub(crate) fn linear_restitution(zeta: f64) -> f64 {
    let square = zeta * zeta;
    let angle = if (square - 1.0).abs() < 1e-9 {
        2.0 // its limit; both branches lose their digits here
    } else if square < 1.0 {
        let w = (1.0 - square).sqrt();
        libm::atan2(2.0 * zeta * w, 2.0 * square - 1.0) / w
    } else {
        let q = (square - 1.0).sqrt();
        libm::log((zeta + q) / (zeta - q)) / q
    };
    libm::exp(-zeta * angle)
}

/// gamma L^(beta - alpha) V / k of f = k xi^alpha + gamma xi^beta dxi/dt that gives the restitution `e` at the velocity
/// V, where L = (m V^2 / k)^(1 / (1 + alpha)).
pub(crate) fn of(alpha: f64, beta: f64, cut: bool, e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    let unit = Couple { mass: 1.0, radius: 1.0 };
    let law = |damping| power::PowerSpringLaw {
        stiffness: 1.0,
        exponent: alpha,
        damping,
        damping_exponent: beta,
        ratio: 0.0,
        at: 1.0,
        cut,
    };
    falling(|damping| head_on(&law(damping), unit, 1.0).restitution, e)
}

/// Where a falling function that starts at 1 has come down to `value`.
fn falling(f: impl Fn(f64) -> f64, value: f64) -> f64 {
    let (mut low, mut high) = (0.0, 0.1);
    while f(high) > value && high < 1e6 {
        (low, high) = (high, 2.0 * high);
    }
    // secants that keep both sides, the older one at half its weight (Illinois); then it is known to the last digits
    let (mut above, mut below) = (f(low) - value, f(high) - value);
    for _ in 0..100 {
        let at = (low * below - high * above) / (below - above);
        let here = f(at) - value;
        if here.abs() < 1e-13 || (high - low) < 1e-14 * high {
            return at;
        }
        if here > 0.0 {
            (low, above, below) = (at, here, 0.5 * below);
        } else {
            (high, below, above) = (at, here, 0.5 * above);
        }
    }
    0.5 * (low + high)
}
