//! One nonlinear Gauss-Seidel sweep: every contact once, each seeing the latest twists. [Brendel section 1.5]

use super::link::Link;
use crate::body::Twist;
use crate::dim::{Dim, Vector};

/// What a sweep changed, weighted by mobility: sizes that the accelerator looks at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Increment {
    /// Square of the change.
    pub squared: f64,
    /// Change times the whole way from the impulses before: negative when momentum points the wrong way.
    pub along: f64,
}

/// Sweeps over all links in their order, after moving each impulse on by `beta` times its last change.
pub fn sweep<D: Dim>(links: &mut [Link<D>], twist: &mut [Twist<D>], beta: f64) -> Increment {
    let mut increment = Increment::default();
    for link in links {
        let before = link.impulse;
        let start = before + (before - link.previous) * beta;
        let u = link.velocity(twist);
        let new = link.contact.impulse(start, u);
        let change = new - start;
        link.push(change, twist);
        link.previous = before;
        link.impulse = new;
        increment.squared += link.weight * change.norm_squared();
        increment.along += link.weight * change.dot(new - before);
    }
    increment
}
