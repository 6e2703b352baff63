//! Contacts of plain laws, four at a time in lanes: most contacts, and all the time.
//!
//! The pairs of a unit are tested first, without a branch on the outcome; those that touch are then worked off in groups
//! of four. The last group is filled up with copies of its last contact, which count for nothing.

use super::unit::{Place, Scene, Taken};
use crate::contact::Coincident;
use crate::dim::{Dim, FourBodies, Vector};
use crate::lane::{Four, FourVector, InLanes, LANES, Lanes};
use crate::law::soft::PlainLaw;
use crate::method::cd::line::{self, Line};

/// Finds the pairs that touch.
pub struct Test<'t, D: Dim> {
    /// The scene.
    pub scene: &'t Scene<'t, D>,
    /// Pairs of the unit.
    pub pairs: &'t [[u32; 2]],
    /// Whether they touched, and do.
    pub touched: &'t mut [bool],
    /// What they remember: nothing if they part.
    pub springs: &'t mut [D::Vec],
    /// Those that touch; as long as the pairs.
    pub touching: &'t mut [u32],
}

impl<D: Dim> InLanes for Test<'_, D> {
    type Output = (usize, Option<Coincident>);

    /// Number of pairs that touch, and grains with one centre.
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Self::Output {
        let (zero, one) = (Four::splat(lanes, 0.0), Four::splat(lanes, 1.0));
        let (mut count, mut coincident) = (0, None);
        for (group, pairs) in self.pairs.chunks(LANES).enumerate() {
            let four: [[u32; 2]; LANES] = std::array::from_fn(|k| pairs[k.min(pairs.len() - 1)]);
            let (a, b) = (four.map(|[a, _]| a), four.map(|[_, b]| b));
            let ((xa, ra), (xb, rb)) = (places(lanes, self.scene.place, &a), places(lanes, self.scene.place, &b));
            let (apart, reach) = (xb - xa, ra + rb);
            let square = apart.dot(apart);
            let meet = (reach * reach).choose_greater(square, one, zero).row();
            if square.choose_greater(zero, zero, one).row() != [0.0; LANES] {
                let squares = square.row();
                let same = pairs.iter().zip(squares).find(|(_, square)| *square == 0.0);
                coincident = same.map(|([a, b], _)| Coincident { a: *a as usize, b: *b as usize }).or(coincident);
            }
            let first = LANES * group;
            for (k, slot) in (first..first + pairs.len()).enumerate() {
                let touches = meet[k] > 0.0;
                self.touching[count] = slot as u32;
                count += usize::from(touches);
                if self.touched[slot] && !touches {
                    self.springs[slot] = D::Vec::ZERO;
                }
                self.touched[slot] = touches;
            }
        }
        (count, coincident)
    }
}

/// Works off contacts of one law.
pub struct Fours<'t, D: Dim> {
    /// The scene.
    pub scene: &'t Scene<'t, D>,
    /// Their law.
    pub law: PlainLaw,
    /// First grain of the unit.
    pub first: u32,
    /// Pairs of the unit.
    pub pairs: &'t [[u32; 2]],
    /// Where the forces on their second grains add up.
    pub ends: &'t [u32],
    /// Pairs that touch.
    pub touching: &'t [u32],
    /// What they remember.
    pub springs: &'t mut [D::Vec],
    /// Forces on the grains of the unit and on those beyond.
    pub wrench: &'t mut [Line<D>],
}

impl<D: Dim> InLanes for Fours<'_, D> {
    type Output = (Taken, f64);

    /// Energy taken in per time [W], and deepest overlap over the smaller radius.
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Self::Output {
        let all = |number: f64| Four::splat(lanes, number);
        let (zero, one, dt) = (all(0.0), all(1.0), all(self.scene.dt));
        let (mut pressed, mut rubbed, mut deepest) = (zero, zero, zero);
        for group in self.touching.chunks(LANES) {
            let slots: [usize; LANES] = std::array::from_fn(|k| group[k.min(group.len() - 1)] as usize);
            let pairs = slots.map(|slot| self.pairs[slot]);
            let (a, b) = (pairs.map(|[a, _]| a), pairs.map(|[_, b]| b));
            let ((xa, ra), (xb, rb)) = (places(lanes, self.scene.place, &a), places(lanes, self.scene.place, &b));
            let (ba, bb) = (line::gather(lanes, self.scene.motion, &a), line::gather(lanes, self.scene.motion, &b));

            let apart = xb - xa;
            let distance = apart.dot(apart).sqrt();
            let (normal, reach) = (apart * (one / distance), ra + rb);
            let overlap = reach - distance;
            let couple = (one / (ba.inv_m + bb.inv_m), ra * rb / reach);
            let u = bb.v - ba.v - D::four_swings(bb.w * rb + ba.w * ra, normal); // u = H^T V [Brendel eq. 1.14]
            let approach = zero - u.dot(normal);
            let push = self.law.push(lanes, couple, overlap, approach);

            let kept = D::FourVecs::<S>::load(lanes, &rows::<D>(self.springs, &slots));
            let turned = kept - normal * kept.dot(normal);
            let (long, short) = (kept.dot(kept), turned.dot(turned));
            let turned = turned * short.choose_greater(zero, (long / short).sqrt(), one);
            let slip = u + normal * approach;
            let (wound, limit) = (turned + slip * dt, push.limit);
            let spring = match self.law.yields_alone {
                true => {
                    let square = wound.dot(wound) * (push.shear * push.shear);
                    wound * (square - limit * limit).choose_greater(zero, limit / square.sqrt(), one)
                }
                false => wound,
            };
            let dashpot = slip * (zero - push.drag);
            let trial = spring * (zero - push.shear) + dashpot;
            let square = trial.dot(trial);
            let slides = square - limit * limit;
            let across = trial * slides.choose_greater(zero, limit / square.sqrt(), one);
            // a spring that slides with its dashpot yields until both bear what friction bears
            let kept = match self.law.yields_alone {
                true => spring,
                false => D::FourVecs::<S>::choose(slides, zero, (dashpot - across) * (one / push.shear), spring),
            };
            keep::<D>(self.springs, &slots, &kept.rows());

            let force = normal * push.force + across;
            let turn = D::four_torques(normal, across);
            let on_b = FourBodies { v: force, w: turn * (zero - rb), inv_m: zero, inv_i: zero };
            let on_a = FourBodies { v: force * (zero - one), w: turn * (zero - ra), inv_m: zero, inv_i: zero };
            let count = group.len();
            line::add::<D, S>(on_a, self.wrench, &a.map(|a| a - self.first), count);
            line::add::<D, S>(on_b, self.wrench, &slots.map(|slot| self.ends[slot]), count);

            let counts = Four::load(lanes, &std::array::from_fn(|k| if k < count { 1.0 } else { 0.0 }));
            pressed = pressed + push.force * approach * counts;
            rubbed = rubbed - across.dot(u) * counts;
            deepest = deepest.max(overlap / ra.choose_greater(rb, rb, ra));
        }
        let sum = |four: Four<S>| four.row().iter().sum::<f64>();
        ([sum(pressed), sum(rubbed), 0.0], deepest.row().into_iter().fold(0.0, f64::max))
    }
}

/// Centres and radii of four bodies.
#[inline(always)]
fn places<D: Dim, S: Lanes>(lanes: S, place: &[Place<D>], at: &[u32; LANES]) -> (D::FourVecs<S>, Four<S>) {
    let [x, y, z, radius] = Four::transpose(at.map(|k| Four::load(lanes, place[k as usize].row())));
    (D::from_columns([x, y, z, x, x, x, x, x]).v, radius)
}

/// Four vectors as rows.
#[inline(always)]
fn rows<D: Dim>(vectors: &[D::Vec], at: &[usize; LANES]) -> D::Rows {
    let four = at.map(|k| vectors[k]);
    let mut rows = D::Rows::default();
    for (axis, row) in rows.as_mut().iter_mut().enumerate() {
        *row = four.map(|vector| vector.get(axis));
    }
    rows
}

/// Puts four vectors back.
#[inline(always)]
fn keep<D: Dim>(vectors: &mut [D::Vec], at: &[usize; LANES], rows: &D::Rows) {
    for (lane, k) in at.iter().enumerate() {
        vectors[*k] = D::Vec::from_fn(|axis| rows.as_ref()[axis][lane]);
    }
}
