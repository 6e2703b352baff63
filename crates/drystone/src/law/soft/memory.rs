//! What a soft contact remembers, and how it follows the contact as it turns.

use crate::dim::{Dim, Vector};
use crate::list::list;

list! {
    /// How the memory of a contact turns with its normal.
    pub enum Turning by name {
        /// The part along the new normal is removed, and the rest keeps its length. [Luding08 eq. 17]
        "projection" => Projection,
        /// Turned by the smallest rotation that takes the old normal to the new one. [Fazekas07]
        "rotation" => Rotation,
    }
}

/// What a soft contact stores from one force evaluation to the next. Everything is zero when the grains meet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoftMemory<D: Dim> {
    /// Tangential spring [m], or the force of laws that add up forces [N].
    pub spring: D::Vec,
    /// Normal at the previous evaluation, for [`Turning::Rotation`].
    pub normal: D::Vec,
    /// Tangential force at the last reversal of slip [N].
    pub reversal: D::Vec,
    /// Direction of slip since then.
    pub heading: D::Vec,
    /// Normal force at the previous evaluation [N].
    pub press: f64,
    /// Whether it slid at the previous evaluation.
    pub slides: bool,
    /// Deepest overlap so far, for laws that harden [m].
    pub deepest: f64,
    /// Whether the surfaces have touched and not parted since.
    pub is_bound: bool,
    /// Rolling spring: the angle turned, as the tangent vector angle x normal.
    pub rolling: D::Vec,
    /// Torsion spring: the angle turned about the normal.
    pub torsion: D::Spin,
}

impl Turning {
    /// A tangent vector of the old contact in the new one.
    #[inline(always)]
    pub fn turn<V: Vector>(self, vector: V, before: V, now: V) -> V {
        match self {
            Turning::Projection => {
                let turned = vector.tangent_to(now);
                let (long, short) = (vector.norm_squared(), turned.norm_squared());
                if short > 0.0 { turned * (long / short).sqrt() } else { turned }
            }
            // R v = v - (n' . v) (n + n') / (1 + n . n') for v across n
            Turning::Rotation if before != V::ZERO => {
                vector - (before + now) * (vector.dot(now) / (1.0 + before.dot(now)))
            }
            Turning::Rotation => vector.tangent_to(now),
        }
    }
}

impl<D: Dim> SoftMemory<D> {
    /// Follows the contact to its new normal.
    #[inline]
    pub fn turn(&mut self, turning: Turning, now: D::Vec) {
        let before = self.normal;
        for vector in [&mut self.spring, &mut self.reversal, &mut self.heading, &mut self.rolling] {
            *vector = turning.turn(*vector, before, now);
        }
        self.torsion = about::<D>(self.torsion, now);
        self.normal = now;
    }

    /// Numbers of a memory as they are stored.
    pub const WIDTH: usize = 5 * D::Vec::LEN + D::Spin::LEN + 4;

    /// Appends the memory as numbers.
    pub fn numbers(&self, out: &mut Vec<f64>) {
        for vector in [self.spring, self.normal, self.reversal, self.heading, self.rolling] {
            out.extend((0..D::Vec::LEN).map(|axis| vector.get(axis)));
        }
        out.extend((0..D::Spin::LEN).map(|axis| self.torsion.get(axis)));
        out.extend([self.press, f64::from(u8::from(self.slides)), self.deepest, f64::from(u8::from(self.is_bound))]);
    }

    /// The memory from its numbers.
    pub fn from_numbers(numbers: &[f64]) -> SoftMemory<D> {
        let vector = |k: usize| D::Vec::from_fn(|axis| numbers[k * D::Vec::LEN + axis]);
        let rest = &numbers[5 * D::Vec::LEN..];
        let last = &rest[D::Spin::LEN..];
        SoftMemory {
            spring: vector(0),
            normal: vector(1),
            reversal: vector(2),
            heading: vector(3),
            rolling: vector(4),
            torsion: D::Spin::from_fn(|axis| rest[axis]),
            press: last[0],
            slides: last[1] != 0.0,
            deepest: last[2],
            is_bound: last[3] != 0.0,
        }
    }
}

/// The part of a spin about the normal; zero in the plane.
#[inline]
pub(crate) fn about<D: Dim>(spin: D::Spin, normal: D::Vec) -> D::Spin {
    spin - D::torque(normal, D::swing(spin, normal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;
    use glam::{DQuat, DVec3};

    #[test]
    fn both_ways_keep_the_length_and_the_tangent_plane() {
        let (before, now) = (DVec3::Z, DVec3::new(0.1, -0.2, 1.0).normalize());
        let spring = DVec3::new(0.3, 0.4, 0.0);
        for turning in Turning::ALL {
            let turned = turning.turn(spring, before, now);
            assert!((Vector::norm(turned) - 0.5).abs() < 1e-15 && turned.dot(now).abs() < 1e-15, "{turning:?}");
        }
        let exact = DQuat::from_rotation_arc(before, now) * spring;
        assert!((Turning::Rotation.turn(spring, before, now) - exact).length() < 1e-15);
    }

    #[test]
    fn a_memory_comes_back_from_its_numbers() {
        let memory = SoftMemory::<D3> {
            spring: DVec3::X,
            normal: DVec3::Y,
            reversal: DVec3::Z,
            heading: -DVec3::X,
            press: 2.0,
            slides: true,
            deepest: 0.5,
            is_bound: true,
            rolling: DVec3::new(1.0, 2.0, 3.0),
            torsion: DVec3::new(4.0, 5.0, 6.0),
        };
        let mut numbers = Vec::new();
        memory.numbers(&mut numbers);
        assert_eq!(numbers.len(), SoftMemory::<D3>::WIDTH);
        assert_eq!(SoftMemory::from_numbers(&numbers), memory);
    }
}
