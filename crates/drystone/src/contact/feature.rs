//! Numbers that distinguish the contacts of one pair: [`ContactKey::feature`](super::ContactKey).
//!
//! They name corners, edges and faces, so that a contact is found again in the next step.

use crate::wall::mesh::{FEATURE_BITS, MESH};

/// Features below this number are faces of walls; the number of a corner starts here.
pub(super) const CORNERS: u32 = 1 << 8;

/// The feature of a corner: of a or b, at a face of a wall or at none.
pub(crate) fn corner_feature(of_b: bool, corner: usize, face: u32) -> u32 {
    debug_assert!(face < CORNERS);
    CORNERS * (2 * (corner as u32 + 1) + u32::from(of_b)) + face
}

/// The feature of a corner of b, or of a ball of a clump, at a face of a wall.
pub(crate) fn wall_feature(corner: usize, face: u32) -> u32 {
    if face & MESH == 0 {
        return corner_feature(true, corner, face);
    }
    debug_assert!(corner < 1 << (31 - FEATURE_BITS));
    face | (corner as u32) << FEATURE_BITS
}

/// The feature of two edges that cross, one of a and one of b; polyhedra have at most 2^15 edges.
pub(super) fn edge_feature(of_a: usize, of_b: usize) -> u32 {
    debug_assert!(of_a < 1 << 15 && of_b < 1 << 15);
    1 << 31 | (of_a as u32) << 16 | of_b as u32
}

/// The feature of a piece of a and a piece of b: balls of clumps, or ends of capsules. `part` distinguishes contacts of
/// the same two pieces.
pub(crate) fn piece_feature(of_a: usize, of_b: usize, part: usize) -> u32 {
    debug_assert!(of_a < 1 << 10 && of_b < 1 << 10 && part < 1 << 3);
    CORNERS * (1 + ((of_a as u32) << 13) + ((of_b as u32) << 3) + part as u32)
}

/// The pieces of a and b that a [`piece_feature`] names.
pub(crate) fn pieces_of(feature: u32) -> (u32, u32) {
    let number = feature / CORNERS - 1;
    (number >> 13, (number >> 3) & 0x3ff)
}

/// The corner of b (or ball of a clump) and the face of the wall that a feature at a wall names.
pub(crate) fn corner_of(feature: u32) -> (u32, u32) {
    if feature & MESH != 0 {
        let corner = (feature & !MESH) >> FEATURE_BITS;
        return (corner, feature & !(corner << FEATURE_BITS));
    }
    ((feature / CORNERS - 2) / 2, feature % CORNERS)
}

/// The feature of a corner or edge of a polygon or polyhedron along a capsule, or of a vertex of a wall along a grain.
pub(super) fn rim_feature(is_edge: bool, number: usize) -> u32 {
    debug_assert!(number < 1 << 20);
    CORNERS * (1 + (3 << 21) + (u32::from(is_edge) << 20) + number as u32)
}
