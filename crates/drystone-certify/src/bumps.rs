//! Bumps on a rough plane: which of them a grain can touch, and how a guided plate yields at them.

use super::space::{Vec3, add, cross, dot, norm, scale, sub};

/// Bumps have numbers modulo this along each row.
const PERIOD: i64 = 1 << 15;

/// A plane with bumps, where it stood at the start.
#[derive(Clone, Debug)]
pub(crate) struct Bumps {
    /// A point of the plane where a bump is [m].
    pub point: Vec3,
    /// Unit normal of the plane.
    pub normal: Vec3,
    /// Unit vectors along the rows of bumps.
    ways: Vec<Vec3>,
    /// Radius of the bumps [m].
    pub radius: f64,
    /// Distance of neighbours [m].
    pub spacing: f64,
}

/// The part of a rough plane that a grain touches: a bump, or the plane itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Its number, which identifies it: zero for the plane itself.
    pub number: usize,
    /// Centre of the bump; `None` for the plane itself.
    centre: Option<Vec3>,
}

impl Bumps {
    /// A plane of space, or of a scene in two dimensions.
    pub(crate) fn new(point: Vec3, normal: Vec3, is_flat: bool, radius: f64, spacing: f64) -> Bumps {
        let ways = if is_flat { vec![cross([0.0, 0.0, 1.0], normal)] } else { across(normal).to_vec() };
        Bumps { point, normal, ways, radius, spacing }
    }

    /// Unit vectors along the rows of bumps.
    pub(crate) fn ways(&self) -> &[Vec3] {
        &self.ways
    }

    /// Centres of the bumps no further than `far` from `x` along every row, those of the first row one after the other
    /// [m].
    pub(crate) fn centres(&self, x: Vec3, far: f64) -> Vec<Vec3> {
        let from = sub(x, self.point);
        let along = |centres: Vec<Vec3>, way: &Vec3| {
            let (at, far) = (dot(from, *way) / self.spacing, far / self.spacing);
            let steps = (at - far).ceil() as i64..=(at + far).floor() as i64;
            let row = |centre: &Vec3| {
                steps.clone().map(|k| add(*centre, scale(*way, k as f64 * self.spacing))).collect::<Vec<_>>()
            };
            centres.iter().flat_map(row).collect()
        };
        self.ways.iter().fold(vec![self.point], along)
    }

    /// The plane, and all bumps that may be within `reach` of `x`.
    pub(crate) fn spots(&self, x: Vec3, reach: f64) -> Vec<Spot> {
        let from = sub(x, self.point);
        let mut spots = vec![Spot { number: 1, centre: Some(self.point) }];
        for way in &self.ways {
            let (at, far) = (dot(from, *way) / self.spacing, (reach + self.radius) / self.spacing);
            let moved = |spot: &Spot, k: i64| Spot {
                number: spot.number * PERIOD as usize + k.rem_euclid(PERIOD) as usize,
                centre: spot.centre.map(|centre| add(centre, scale(*way, k as f64 * self.spacing))),
            };
            let steps = (at - far).ceil() as i64..=(at + far).floor() as i64;
            spots = steps.flat_map(|k| spots.iter().map(move |spot| moved(spot, k))).collect();
        }
        spots.push(Spot { number: 0, centre: None });
        spots
    }

    /// The normal at a spot towards `x`, and the distance.
    pub(crate) fn below(&self, spot: Spot, x: Vec3) -> (Vec3, f64) {
        match spot.centre {
            Some(centre) => {
                let up = sub(x, centre);
                (scale(up, 1.0 / norm(up)), norm(up) - self.radius)
            }
            None => (self.normal, dot(sub(x, self.point), self.normal)),
        }
    }

    /// The spot within `reach` of `x` whose normal is nearest to this one.
    pub(crate) fn touched(&self, x: Vec3, stated: Vec3, reach: f64) -> Spot {
        let off = |spot: &Spot| norm(sub(self.below(*spot, x).0, stated));
        let spots = self.spots(x, reach).into_iter();
        spots.min_by(|p, q| off(p).total_cmp(&off(q))).unwrap_or(Spot { number: 0, centre: None })
    }
}

/// Largest eigenvalue of W between a round grain with the mobilities `inverse` against normal and tangential impulses,
/// and a plate of inverse mass `plate` that moves along its guide alone, at the angle whose cosine is `cos` to the
/// normal. Both lie in one plane with the normal; a direction across it adds nothing larger.
pub(crate) fn guided_mobility(inverse: [f64; 2], plate: f64, cos: f64) -> f64 {
    let [nn, nt] = [plate * cos * cos, plate * cos * (1.0 - cos * cos).max(0.0).sqrt()];
    let (normal, mut tangential) = (inverse[0] + nn, inverse[1] + plate - nn);
    if inverse[1] == 0.0 {
        tangential += normal; // a grain that is held in place: there any W_tt gives no friction
    }
    0.5 * (normal + tangential) + (0.5 * (normal - tangential)).hypot(nt)
}

/// Two directions across a unit vector and each other. [Duff et al., J. Comput. Graph. Tech. 6, 2017]
pub(crate) fn across([x, y, z]: Vec3) -> [Vec3; 2] {
    let sign = 1.0_f64.copysign(z);
    let a = -1.0 / (sign + z);
    let b = x * y * a;
    [[1.0 + sign * x * x * a, sign * b, -sign * x], [b, sign + y * y * a, -y]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1.5 above the plane and above a bump of radius 1, or beside it: 3-4-5.
    #[test]
    fn spots_are_told_apart_by_their_normals_and_known_again() {
        let plane = Bumps::new([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], true, 1.0, 10.0);
        let above = plane.touched([22.5, 2.0, 0.0], [0.0, 1.0, 0.0], 3.0);
        assert_eq!((above.number, plane.below(above, [22.5, 2.0, 0.0]).1), (0, 2.0), "the plane itself");
        let bump = plane.touched([22.5, 2.0, 0.0], [0.6, 0.8, 0.0], 3.0);
        let (normal, distance) = plane.below(bump, [22.5, 2.0, 0.0]);
        assert!(norm(sub(normal, [0.6, 0.8, 0.0])) < 1e-15 && (distance - 1.5).abs() < 1e-15);
        assert!((plane.below(bump, [22.4, 2.0, 0.0]).1 - (1.4_f64.hypot(2.0) - 1.0)).abs() < 1e-14);
        let near = |x: f64| plane.spots([x, 2.0, 0.0], 3.0).into_iter().map(|spot| spot.number).collect::<Vec<_>>();
        assert!(near(22.5).contains(&bump.number) && near(19.0).contains(&bump.number));
        assert!(!near(12.0).contains(&bump.number), "the neighbour has another number");
        // in space four bumps of a square lattice are within reach of the middle of them, and the plane
        let plane = Bumps::new([0.0; 3], [0.0, 0.0, 1.0], false, 1.0, 2.0);
        let mut numbers: Vec<usize> = plane.spots([1.0, 1.0, 1.5], 0.5).iter().map(|spot| spot.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 5);
    }

    #[test]
    fn a_plate_gives_way_along_its_guide_alone() {
        // along the normal: the plate adds to it; across it: to the tangent
        assert_eq!(guided_mobility([1.0, 3.0], 5.0, 1.0), 6.0);
        assert_eq!(guided_mobility([1.0, 3.0], 5.0, 0.0), 8.0);
        // at 45 degrees: 1 + 2, 3 + 2 and 2 beside the diagonal: 4 + sqrt(1 + 4)
        assert!((guided_mobility([1.0, 3.0], 4.0, 0.5_f64.sqrt()) - 4.0 - 5.0_f64.sqrt()).abs() < 1e-14);
    }
}
