//! Rigid links: equations g(q) = 0 between two points.

use super::anchor::Separation;
use super::{Anchor, ConstraintRow, RowPart};
use crate::body::Bodies;
use crate::dim::{Dim, Vector};

/// One equation of a constraint, for the separation r of its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstraintEquation<D: Dim> {
    /// (r . r - l^2) / (2 l) = 0: the points keep their distance l [m]. [Chen eq. 4, corrected: l^2]
    Length(f64),
    /// d . r = 0: the points do not separate along a unit vector d.
    Along(D::Vec),
}

/// A constraint: the equations that hold between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint<D: Dim> {
    /// Name in messages.
    pub name: String,
    /// The points.
    pub between: [Anchor<D>; 2],
    /// The equations.
    pub forms: Vec<ConstraintEquation<D>>,
}

impl<D: Dim> Constraint<D> {
    /// Two points at a distance.
    pub fn distance(name: &str, between: [Anchor<D>; 2], length: f64) -> Constraint<D> {
        Constraint { name: name.into(), between, forms: vec![ConstraintEquation::Length(length)] }
    }

    /// Two points that coincide.
    pub fn joint(name: &str, between: [Anchor<D>; 2]) -> Constraint<D> {
        let axis = |k: usize| D::Vec::from_fn(|other| if other == k { 1.0 } else { 0.0 });
        Constraint {
            name: name.into(),
            between,
            forms: (0..D::DIMENSION).map(|k| ConstraintEquation::Along(axis(k))).collect(),
        }
    }

    /// A point that stays on the line through `point` along a unit vector.
    pub fn line(name: &str, anchor: Anchor<D>, point: D::Vec, direction: D::Vec) -> Constraint<D> {
        let forms = D::tangents(direction).into_iter().map(ConstraintEquation::Along).collect();
        Constraint { name: name.into(), between: [Anchor::Fixed(point), anchor], forms }
    }

    /// A point that stays on a circle; in space the circle lies across the unit vector `axis`.
    pub fn circle(name: &str, anchor: Anchor<D>, centre: D::Vec, radius: f64, axis: Option<D::Vec>) -> Constraint<D> {
        let forms =
            std::iter::once(ConstraintEquation::Length(radius)).chain(axis.map(ConstraintEquation::Along)).collect();
        Constraint { name: name.into(), between: [Anchor::Fixed(centre), anchor], forms }
    }

    /// Its rows of G at the present poses and twists.
    pub fn rows(&self, bodies: &Bodies<D>) -> impl Iterator<Item = ConstraintRow<D>> {
        let Separation { apart, rate, bend } = Separation::of(&self.between, bodies);
        let part = |k: usize, direction: D::Vec| {
            let anchor = &self.between[k];
            anchor.body().map(|body| RowPart::new(body, anchor.arm(&bodies.pose), direction))
        };
        self.forms.iter().map(move |form| {
            let (miss, direction, curl) = match form {
                ConstraintEquation::Length(length) => {
                    let over = 1.0 / length;
                    // (|r| - l) (|r| + l) / (2 l) keeps the digits that r . r - l^2 loses
                    let norm = apart.norm();
                    (0.5 * (norm - length) * (norm + length) * over, apart * over, rate.norm_squared() * over)
                }
                ConstraintEquation::Along(axis) => (apart.dot(*axis), *axis, 0.0),
            };
            ConstraintRow { parts: [part(0, -direction), part(1, direction)], miss, bend: curl + bend.dot(direction) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Inertia;
    use crate::dim::{D2, D3};
    use crate::shape::{Round, Shape};

    /// Two bodies somewhere, moving and spinning.
    fn bodies<D: Dim>() -> Bodies<D> {
        let mut bodies = Bodies::default();
        for k in 0..2 {
            let number = |axis: usize| [0.3, -0.7, 1.1, 0.4, 0.9, -0.2][(3 * k + axis) % 6];
            let inertia = Inertia::isotropic(1.0, 1.0);
            bodies.push(D::Vec::from_fn(number), inertia, Shape::Round(Round { radius: 1.0 }), 0, k as u32);
            bodies.twist[k].v = D::Vec::from_fn(|axis| number(axis + 1));
            bodies.twist[k].w = D::Spin::from_fn(|axis| number(axis + 2));
        }
        bodies
    }

    fn constraints<D: Dim>() -> Vec<Constraint<D>> {
        let arm = |size: f64| D::Vec::from_fn(|axis| size * [0.2, 0.5, -0.3][axis]);
        let [a, b] = [Anchor::Body { body: 0, arm: arm(1.0) }, Anchor::Body { body: 1, arm: arm(-2.0) }];
        let across = D::Vec::from_fn(|axis| if axis == 0 { 1.0 } else { 0.0 });
        vec![
            Constraint::distance("rod", [a, b], 1.3),
            Constraint::joint("hinge", [a, b]),
            Constraint::line("wire", a, arm(3.0), across),
            Constraint::circle("ring", b, arm(0.5), 0.8, (D::DIMENSION == 3).then_some(across)),
        ]
    }

    /// Moves all bodies evenly for a short time.
    fn later<D: Dim>(bodies: &Bodies<D>, h: f64) -> Bodies<D> {
        let mut later = bodies.clone();
        for (pose, twist) in later.pose.iter_mut().zip(&bodies.twist) {
            pose.x += twist.v * h;
            pose.q = D::turn(pose.q, twist.w, h);
        }
        later
    }

    /// G v and g_qq(v, v) are the first and second derivative of g along the path of bodies that move and spin evenly.
    fn derivatives<D: Dim>() {
        let (bodies, h) = (bodies::<D>(), 1e-4);
        for constraint in constraints::<D>() {
            let miss = |h: f64| constraint.rows(&later(&bodies, h)).map(|row| row.miss).collect::<Vec<f64>>();
            let (before, after) = (miss(-h), miss(h));
            for (k, row) in constraint.rows(&bodies).enumerate() {
                let rate = (after[k] - before[k]) / (2.0 * h);
                let bend = (after[k] - 2.0 * row.miss + before[k]) / (h * h);
                assert!((row.rate(&bodies.twist) - rate).abs() < 1e-7, "{}: {rate}", constraint.name);
                // rounding of g over h^2, and the fourth derivative
                assert!((row.bend - bend).abs() < 1e-5, "{}: {} {bend}", constraint.name, row.bend);
            }
        }
    }

    #[test]
    fn rows_are_the_derivatives_of_g() {
        derivatives::<D2>();
        derivatives::<D3>();
    }

    #[test]
    fn a_point_in_space_on_a_line_has_two_equations_and_in_the_plane_one() {
        let count = |constraint: &Constraint<D2>| constraint.forms.len();
        assert_eq!(constraints::<D2>().iter().map(count).collect::<Vec<_>>(), [1, 2, 1, 1]);
        assert_eq!(constraints::<D3>().iter().map(|c| c.forms.len()).collect::<Vec<_>>(), [1, 3, 2, 2]);
    }
}
