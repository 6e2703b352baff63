//! Nearest points of segments.

use crate::dim::Vector;

/// The point of a segment that is nearest to `x`: its parameter from 0 to 1, and its position.
pub(crate) fn foot<V: Vector>([from, to]: [V; 2], x: V) -> (f64, V) {
    let along = to - from;
    let part = (x - from).dot(along) / along.norm_squared();
    if part <= 0.0 {
        (0.0, from)
    } else if part >= 1.0 {
        (1.0, to)
    } else {
        (part, from + along * part)
    }
}

/// The points where two segments in space cross when projected along their common normal, if both lie inside the
/// segments; `None` for parallel segments.
pub(crate) fn crossing<V: Vector>([p, p_end]: [V; 2], [q, q_end]: [V; 2]) -> Option<[V; 2]> {
    let (d, e, apart) = (p_end - p, q_end - q, p - q);
    let (dd, ee, de) = (d.norm_squared(), e.norm_squared(), d.dot(e));
    let sine = dd * ee - de * de;
    if sine <= f64::EPSILON * dd * ee {
        return None;
    }
    let (s, t) = ((de * e.dot(apart) - ee * d.dot(apart)) / sine, (dd * e.dot(apart) - de * d.dot(apart)) / sine);
    let is_within = |part: f64| part > 0.0 && part < 1.0;
    (is_within(s) && is_within(t)).then(|| [p + d * s, q + e * t])
}
