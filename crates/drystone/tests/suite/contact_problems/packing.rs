//! Random packings and their W = H^T M^-1 H, written without the library.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// A contact problem as dense numbers.
pub(super) struct Dense {
    /// Components of a contact, 2 or 3.
    pub n: usize,
    pub w: Vec<Vec<f64>>,
    pub q: Vec<f64>,
    pub mu: Vec<f64>,
}

pub(super) struct Random(Pcg64);

impl Random {
    pub(super) fn new(seed: u128) -> Random {
        Random(Pcg64::new(seed, 1))
    }
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

type V = [f64; 3];

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn scaled(a: V, s: f64) -> V {
    a.map(|x| x * s)
}
fn minus(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn unit(a: V) -> V {
    scaled(a, 1.0 / dot(a, a).sqrt())
}

/// The normal and the tangents of a contact.
fn frame(n: usize, normal: V) -> Vec<V> {
    if n == 2 {
        return vec![normal, [-normal[1], normal[0], 0.0]];
    }
    let aside = if normal[0].abs() < 0.5 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let t1 = unit(cross(normal, aside));
    vec![normal, t1, cross(normal, t1)]
}

/// A disordered packing of `rows` layers, `wide` grains along each other axis, on a floor, pressed down by a step of
/// gravity. The mass centres are not in the middle of the grains, so that normal and tangent are coupled. All contacts
/// can open at once (the packing can be blown up), so there is a solution.
pub(super) fn packing(n: usize, wide: usize, rows: usize, seed: u128) -> Dense {
    let mut random = Random::new(seed);
    let up = n - 1;
    let cells = wide.pow(up as u32) * rows;
    let grains: Vec<V> = (0..cells)
        .map(|k| {
            let cell = [k % wide, k / wide % if n == 3 { wide } else { rows }, k / (wide * wide)];
            let mut x = [0.0; 3];
            for axis in 0..n {
                let height = if axis == up { 0.5 } else { 0.0 };
                x[axis] = cell[axis] as f64 + height + random.between(-0.15, 0.15);
            }
            x
        })
        .collect();
    let offset: Vec<V> = grains
        .iter()
        .map(|_| std::array::from_fn(|axis| if axis < n { random.between(-0.1, 0.1) } else { 0.0 }))
        .collect();
    let mass: Vec<f64> = grains.iter().map(|_| random.between(0.5, 2.0)).collect();
    let speed: Vec<V> = grains
        .iter()
        .map(|_| std::array::from_fn(|axis| if axis < n { random.between(-0.1, 0.1) } else { 0.0 }))
        .collect();
    // contacts: (a, b, normal, point); a = None is the floor
    let mut contacts: Vec<(Option<usize>, usize, V, V)> = Vec::new();
    for b in 0..cells {
        if grains[b][up] < 1.0 {
            let normal: V = std::array::from_fn(|axis| f64::from(axis == up));
            contacts.push((None, b, normal, minus(grains[b], scaled(normal, 0.5))));
        }
        for a in 0..b {
            let apart = minus(grains[b], grains[a]);
            if dot(apart, apart) < 1.25 * 1.25 {
                let middle = std::array::from_fn(|axis| 0.5 * (grains[a][axis] + grains[b][axis]));
                contacts.push((Some(a), b, unit(apart), middle));
            }
        }
    }
    // rows of H^T: sign, body, force, torque of each component
    let moved = |contact: &(Option<usize>, usize, V, V)| -> Vec<Vec<(usize, V, V)>> {
        let (a, b, normal, point) = *contact;
        let ends = [a.map(|a| (a, -1.0)), Some((b, 1.0))];
        frame(n, normal)
            .into_iter()
            .map(|axis| {
                let end = |(body, sign): (usize, f64)| {
                    let arm = minus(point, std::array::from_fn(|k| grains[body][k] + offset[body][k]));
                    (body, scaled(axis, sign), scaled(cross(arm, axis), sign))
                };
                ends.iter().flatten().map(|&(body, sign)| end((body, sign))).collect()
            })
            .collect()
    };
    let h: Vec<Vec<(usize, V, V)>> = contacts.iter().flat_map(moved).collect();
    let entry = |row: &[(usize, V, V)], column: &[(usize, V, V)]| {
        let mut sum = 0.0;
        for (body, force, torque) in row {
            for (_, other_force, other_torque) in column.iter().filter(|end| end.0 == *body) {
                let inertia = 0.1 * mass[*body];
                sum += dot(*force, *other_force) / mass[*body] + dot(*torque, *other_torque) / inertia;
            }
        }
        sum
    };
    let w = h.iter().map(|row| h.iter().map(|column| entry(row, column)).collect()).collect();
    let gravity: V = std::array::from_fn(|axis| if axis == up { -1.0 } else { 0.0 });
    let free = |row: &Vec<(usize, V, V)>| {
        row.iter().map(|(body, force, _)| dot(*force, gravity) + dot(*force, speed[*body])).sum::<f64>()
    };
    let mut q: Vec<f64> = h.iter().map(free).collect();
    // some contacts have a gap
    q.iter_mut().step_by(n).for_each(|q| *q += random.between(-1.0, 0.3).max(0.0));
    let mu = contacts.iter().map(|_| random.between(0.1, 0.6)).collect();
    Dense { n, w, q, mu }
}

impl Dense {
    /// Row, column and number of all entries that are not zero.
    pub(super) fn entries(&self) -> Vec<(usize, usize, f64)> {
        let row = |(row, numbers): (usize, &Vec<f64>)| {
            let numbers: Vec<_> = numbers.iter().copied().enumerate().filter(|(_, number)| *number != 0.0).collect();
            numbers.into_iter().map(move |(column, number)| (row, column, number)).collect::<Vec<_>>()
        };
        self.w.iter().enumerate().flat_map(row).collect()
    }
}
