//! Force chains in 3D: a tube a contact, its thickness by the normal force, its colour by the network.
//!
//! radius = unit · |f| / ⟨f⟩, where the mean ⟨f⟩ runs over the contacts that push, and `unit` is 0.12 mean grain radii;
//! no tube is thicker than half a mean radius. A tube is a row of balls, close enough to look smooth.

use super::Grain;
use super::force::Network;
use super::legend::{Entry, Sign};
use super::look::Look;
use super::palette::{Colour, INK};
use super::view::between;
use super::{is_drawable, mean_radius, scale};
use drystone::record::frame::Frame;

/// Radius of a tube of the mean force, in mean grain radii.
const UNIT: f64 = 0.12;
/// Radius of the thickest tube, in mean grain radii.
const THICKEST: f64 = 0.5;
/// Distance between the balls of a tube in its radii.
const CLOSE: f64 = 0.4;

/// Balls of all tubes: centre and radius [m], their colours, and the legend.
type Tubes = (Vec<([f64; 3], f64)>, Vec<Colour>, Vec<Entry>);

/// The force chains of a frame.
pub(super) fn tubes(frame: &Frame, grains: &[Grain], look: &Look) -> Tubes {
    let contacts = &frame.contacts;
    let seen = |k: &usize| {
        let (from, to, force) = (contacts.from[*k], contacts.to[*k], contacts.normal_force[*k]);
        is_drawable(from) && is_drawable(to) && force.is_finite() && force != 0.0 && look.shows(between(from, to, 0.5))
    };
    let seen: Vec<usize> = (0..contacts.normal_force.len()).filter(seen).collect();
    let pushes: Vec<f64> = seen.iter().map(|k| contacts.normal_force[*k]).filter(|force| *force > 0.0).collect();
    let mean = pushes.iter().sum::<f64>() / pushes.len().max(1) as f64;
    let (mut balls, mut colours, mut pulls) = (Vec::new(), Vec::new(), false);
    if mean <= 0.0 {
        return (balls, colours, Vec::new());
    }
    let unit = mean_radius(grains);
    for k in seen {
        let (from, to, force) = (contacts.from[k], contacts.to[k], contacts.normal_force[k]);
        let radius = unit * (UNIT * force.abs() / mean).min(THICKEST);
        let network = match force {
            force if force < 0.0 => Network::Tension,
            force if force > mean => Network::Strong,
            _ => Network::Weak,
        };
        pulls |= network == Network::Tension;
        let length = drystone::measure::vector::norm(std::array::from_fn(|i| to[i] - from[i]));
        // tubes far thinner than a pixel need no more balls than there are pixels to meet
        let pieces = (length / (CLOSE * radius.max(0.02 * unit))).ceil().max(1.0);
        for piece in 0..=pieces as usize {
            balls.push((between(from, to, piece as f64 / pieces), radius));
            colours.push(network.colour());
        }
    }
    let entry =
        |colour, thickness, label: &str| Entry { sign: Sign::Line(colour, thickness), label: label.to_string() };
    let largest = pushes.iter().copied().fold(0.0, f64::max);
    let about = format!("mean normal force {}, largest {}", scale::quantity(mean, "N"), scale::quantity(largest, "N"));
    let mut legend = vec![
        entry(INK, 4.0, &about),
        entry(Network::Strong.colour(), 8.0, "above the mean"),
        entry(Network::Weak.colour(), 3.0, "up to the mean"),
    ];
    if pulls {
        legend.push(entry(Network::Tension.colour(), 5.0, "tension"));
    }
    (balls, colours, legend)
}

#[cfg(test)]
mod tests {
    use super::super::{drawable_grains, tests::row};
    use super::*;

    #[test]
    fn tubes_are_as_thick_as_their_force_and_join_the_centres() {
        let mut frame = row(3, 4);
        frame.contacts.normal_force = vec![1.0, 3.0, -1.0];
        let (balls, colours, legend) = tubes(&frame, &drawable_grains(&frame), &Look::default());
        assert_eq!((balls[0].0, balls.last().unwrap().0), (frame.contacts.from[0], frame.contacts.to[2]));
        let radius = |colour: Colour| balls[colours.iter().position(|c| *c == colour).unwrap()].1;
        assert!((radius(Network::Strong.colour()) / radius(Network::Weak.colour()) - 3.0).abs() < 1e-12);
        assert_eq!(legend.len(), 4);
        frame.contacts.normal_force.fill(0.0);
        assert!(tubes(&frame, &drawable_grains(&frame), &Look::default()).0.is_empty());
    }
}
