//! One nonlinear Gauss-Seidel sweep: every contact once, each seeing the latest twists. [Brendel section 1.5]

use super::accelerate::Momentum;
use super::line::Line;
use super::link::Link;
use crate::dim::{Dim, Vector};

/// What a sweep changed: sizes that the accelerator looks at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Increment {
    /// Square of the change [N2 s2].
    pub squared: f64,
    /// Change times the whole way from the impulses before: negative when momentum points the wrong way [N2 s2].
    pub along: f64,
}

/// Sweeps over all links in their order, after moving each impulse on by the momentum.
pub fn sweep<D: Dim>(links: &mut [Link<D>], lines: &mut [Line<D>], momentum: &Momentum) -> Increment {
    let mut increment = Increment::default();
    for link in links {
        let before = link.impulse;
        let start = before + (before - link.previous) * momentum.beta;
        let u = link.velocity(lines);
        // the cone is convex: part of the way to a point of it stays in it
        let new = start + (link.contact.impulse(start, u) - start) * momentum.stride;
        let change = new - start;
        link.push(change, lines);
        link.previous = before;
        link.impulse = new;
        increment.squared += change.norm_squared();
        increment.along += change.dot(new - before);
    }
    increment
}
