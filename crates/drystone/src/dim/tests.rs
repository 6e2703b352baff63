use std::f64::consts::PI;

use glam::{DQuat, DVec2, DVec3};

use super::*;

#[test]
fn torque_and_swing_are_transposes() {
    // power of a force at an arm = torque . spin = force . swing: H and H^T of the contact are transposes
    let (arm, force, spin) = (DVec3::new(0.3, -1.0, 2.0), DVec3::new(1.5, 0.2, -0.7), DVec3::new(-0.4, 0.9, 0.1));
    let (via_torque, via_swing) = (D3::torque(arm, force).dot(spin), force.dot(D3::swing(spin, arm)));
    assert!((via_torque - via_swing).abs() < 1e-15);
    let (arm, force, spin) = (DVec2::new(0.3, -1.0), DVec2::new(1.5, 0.2), -0.4);
    assert!((D2::torque(arm, force) * spin - force.dot(D2::swing(spin, arm))).abs() < 1e-15);
}

struct Turn([DVec3; LANES]);
impl crate::lane::InLanes for Turn {
    type Output = [DQuat; LANES];
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Self::Output {
        D3::turn_four(lanes, [DQuat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize(); LANES], self.0, 0.01)
    }
}

#[test]
fn four_turn_as_one_does() {
    let rot = DQuat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize();
    let little = [DVec3::new(1.0, -0.3, 0.7), DVec3::ZERO, DVec3::new(0.0, 1e-9, 0.0), DVec3::new(-0.2, 0.9, 1.1)];
    let large = [little[0], DVec3::new(50.0, 0.0, 1.0), little[2], little[3]];
    for spins in [little, large] {
        let turned = crate::lane::in_lanes(Turn(spins));
        assert_eq!(turned, spins.map(|spin| D3::turn_little(rot, spin, 0.01)));
    }
    assert_ne!(D3::turn_little(rot, little[0], 0.01), rot);
}

#[test]
fn orientations_come_back_from_their_quaternions() {
    for angle in [-3.0, -0.5, 0.0, 1.0, 3.1] {
        for turns in [-1.0, 0.0, 2.0] {
            let again = D2::rot_of(D2::quaternion(angle + turns * 2.0 * PI));
            assert!((again - angle).abs() < 1e-14, "{angle} and {turns} turns: {again}");
        }
    }
    let turned = D3::turn(DQuat::IDENTITY, DVec3::new(1.0, 2.0, 3.0), 0.1);
    assert_eq!(D3::rot_of(D3::quaternion(turned)), turned);
}

/// Exact against the analytic solution: a symmetric top precesses about its angular momentum with |L| / I_1.
#[test]
fn a_free_symmetric_top_precesses_regularly() {
    let (inv_i, spin) = (DVec3::new(1.0, 1.0, 0.5), DVec3::new(0.3, 0.0, 1.0));
    let momentum = D3::angular_momentum(D3::UPRIGHT, inv_i, spin);
    let (mut rot, mut w, n) = (D3::UPRIGHT, spin, 2000);
    let time = 2.0 * PI / momentum.length(); // one turn of the precession
    for _ in 0..n {
        (rot, w) = D3::tumble(rot, inv_i, w, time / f64::from(n));
    }
    assert!((rot * DVec3::Z - DVec3::Z).length() < 1e-13, "{}", rot * DVec3::Z);
    assert!((w - spin).length() < 1e-13, "{w}");
    let inverse = D3::inverse_inertia(rot, inv_i);
    assert!((D3::spin(&inverse, momentum) - w).length() < 1e-13);
}

#[test]
fn a_tumble_leads_back() {
    let (inv_i, spin) = (DVec3::new(1.0, 2.0, 5.0), DVec3::new(0.3, -2.0, 1.0));
    let start = D3::turn(D3::UPRIGHT, DVec3::new(1.0, 0.5, -0.3), 1.0);
    let (rot, w) = D3::tumble(start, inv_i, spin, 0.3);
    let (again, back) = D3::tumble(rot, inv_i, w, -0.3);
    assert!((back - spin).length() < 1e-14 && (again.dot(start).abs() - 1.0).abs() < 1e-15);
}

#[test]
fn a_vector_turns_with_its_body() {
    // d/dt (R c) = w x (R c): a small turn moves the end of the arm by the swing
    let (spin, arm, h) = (DVec3::new(0.3, -0.2, 0.9), DVec3::new(0.5, 1.0, -0.4), 1e-7);
    let moved = (D3::rotation(D3::turn(DQuat::IDENTITY, spin, h))(arm) - arm) * (1.0 / h);
    assert!((moved - D3::swing(spin, arm)).length() < 1e-6);
    let (spin, arm) = (0.7, DVec2::new(0.5, -1.0));
    let moved = (D2::rotation(D2::turn(0.0, spin, h))(arm) - arm) * (1.0 / h);
    assert!((moved - D2::swing(spin, arm)).length() < 1e-6);
}

#[test]
fn space_held_in_a_plane_turns_like_the_plane() {
    let (mut angle, mut quat) = (0.0, DQuat::IDENTITY);
    for _ in 0..100 {
        angle = D2::turn(angle, 0.7, 0.01);
        quat = D3::turn(quat, DVec3::new(0.0, 0.0, 0.7), 0.01);
    }
    let expected = D2::quaternion(angle);
    for (got, want) in D3::quaternion(quat).iter().zip(expected) {
        assert!((got - want).abs() < 1e-14);
    }
    assert!((quat.length() - 1.0).abs() < 1e-15);
}
