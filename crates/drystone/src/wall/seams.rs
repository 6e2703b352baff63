//! Connectivity of triangles: plates, edges and corners, and which triangles meet there.

use glam::DVec3;

/// Points that are closer to a plane than this, over the size of the coordinates, lie in it: meshes are as a rule
/// stored as single-precision numbers, whose rounding is 2^-24, and a height takes a few of them.
pub(crate) const FLAT: f64 = 1.0 / (1 << 21) as f64;

/// Connected triangles in one plane.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plate {
    /// Unit normal, to the front of its first triangle.
    pub normal: DVec3,
    /// Height of the plane over the origin, along the normal [m].
    pub height: f64,
}

/// A vector over its length, so that an axis stays one to the last bit; zero stays zero.
fn unit(v: DVec3) -> DVec3 {
    let length = v.length();
    if length > 0.0 { v / length } else { DVec3::ZERO }
}

fn angle(one: DVec3, other: DVec3) -> f64 {
    libm::atan2(one.cross(other).length(), one.dot(other))
}

/// Numbered lists of triangles.
#[derive(Clone, Debug, Default)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// One list for every number below `count`, from pairs that are sorted by it.
    fn new(count: usize, pairs: &[(u32, u32)]) -> Lists {
        let mut starts = vec![0; count + 1];
        pairs.iter().for_each(|(number, _)| starts[*number as usize + 1] += 1);
        (0..count).for_each(|k| starts[k + 1] += starts[k]);
        Lists { starts, items: pairs.iter().map(|(_, item)| *item).collect() }
    }

    fn of(&self, number: u32) -> &[u32] {
        &self.items[self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize]
    }
}

/// Plates, edges and corners of a surface. Features are numbered: plates, then edges, then corners. An edge or corner
/// inside a plate is a part of it.
#[derive(Clone, Debug, Default)]
pub struct Seams {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// For each triangle its edges: from corner k to the next.
    sides: Vec<[u32; 3]>,
    plate_of: Vec<u32>,
    plates: Vec<Plate>,
    ends: Vec<[u32; 2]>,
    at_edge: Lists,
    at_corner: Lists,
    edge_feature: Vec<u32>,
    corner_feature: Vec<u32>,
    /// Sums of the normals that meet at edges and, by their angles, at corners: a point in front is on the side of the
    /// sum. [BaerentzenAanaes]
    edge_normal: Vec<DVec3>,
    corner_normal: Vec<DVec3>,
}

/// What is wrong with a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshFlaw {
    /// A triangle without area: its number and first corner.
    NoArea(usize, DVec3),
    /// Edges with one triangle: how many, and the ends of the first.
    Open(usize, [DVec3; 2]),
    /// Edges with more than two triangles: how many, and the ends of the first.
    Branches(usize, [DVec3; 2]),
    /// Edges whose two triangles have their fronts on different sides: how many, and the ends of the first.
    Twisted(usize, [DVec3; 2]),
}

impl Seams {
    pub(super) fn new(points: Vec<DVec3>, triangles: &[[u32; 3]]) -> Seams {
        let mut half_edges: Vec<([u32; 2], u32, usize)> = Vec::with_capacity(3 * triangles.len());
        for (number, corners) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (p, q) = (corners[k], corners[(k + 1) % 3]);
                half_edges.push(([p.min(q), p.max(q)], number as u32, k));
            }
        }
        half_edges.sort_unstable();
        let mut seams = Seams { points, triangles: triangles.to_vec(), ..Seams::default() };
        seams.sides = vec![[0; 3]; triangles.len()];
        let mut at_edge = Vec::with_capacity(half_edges.len());
        for (ends, triangle, k) in half_edges {
            if seams.ends.last() != Some(&ends) {
                seams.ends.push(ends);
            }
            let edge = seams.ends.len() as u32 - 1;
            seams.sides[triangle as usize][k] = edge;
            at_edge.push((edge, triangle));
        }
        seams.at_edge = Lists::new(seams.ends.len(), &at_edge);
        let mut at_corner: Vec<(u32, u32)> = Vec::with_capacity(3 * triangles.len());
        for (number, corners) in triangles.iter().enumerate() {
            at_corner.extend(corners.map(|corner| (corner, number as u32)));
        }
        at_corner.sort_unstable();
        seams.at_corner = Lists::new(seams.points.len(), &at_corner);
        seams.join_plates();
        seams.number_features();
        seams.sum_normals();
        seams
    }

    /// The corners of a triangle [m].
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|corner| self.points[corner as usize])
    }

    /// Number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.plates.len() + self.ends.len() + self.points.len()
    }

    /// Twice the area of a triangle along its normal [m2].
    fn area(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a)
    }

    /// Volume that a closed surface encloses; negative if the fronts of its triangles are inside [m3].
    pub fn volume(&self) -> f64 {
        (0..self.len() as u32).map(|k| self.corners(k)).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    /// Grows plates from the largest triangles: a neighbour joins a plate if its corners lie in the plane of the
    /// plate's first triangle.
    fn join_plates(&mut self) {
        const NONE: u32 = u32::MAX;
        let size = self.points.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        let areas: Vec<f64> = (0..self.len() as u32).map(|k| self.area(k).length()).collect();
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by(|p, q| areas[*q as usize].total_cmp(&areas[*p as usize]).then(p.cmp(q)));
        self.plate_of = vec![NONE; self.len()];
        for seed in order {
            if self.plate_of[seed as usize] != NONE {
                continue;
            }
            let number = self.plates.len() as u32;
            let first = unit(self.area(seed));
            let origin = self.corners(seed)[0];
            let (mut area, mut moment) = (DVec3::ZERO, (0.0, 0.0));
            let mut waiting = vec![seed];
            self.plate_of[seed as usize] = number;
            while let Some(triangle) = waiting.pop() {
                let own = self.area(triangle);
                area += if own.dot(first) >= 0.0 { own } else { -own };
                let middle = self.corners(triangle).iter().map(|x| first.dot(*x - origin)).sum::<f64>() / 3.0;
                let weight = areas[triangle as usize];
                moment = (moment.0 + weight * middle, moment.1 + weight);
                for side in self.sides[triangle as usize] {
                    let [one, other] = self.at_edge.of(side) else { continue };
                    let next = if *one == triangle { *other } else { *one };
                    let is_flat = self.corners(next).iter().all(|x| first.dot(*x - origin).abs() <= FLAT * size);
                    if self.plate_of[next as usize] == NONE && is_flat && self.goes_on(side, [triangle, next], first) {
                        self.plate_of[next as usize] = number;
                        waiting.push(next);
                    }
                }
            }
            let normal = unit(area);
            let above = if moment.1 > 0.0 { moment.0 / moment.1 } else { 0.0 };
            self.plates.push(Plate { normal, height: normal.dot(origin) + above });
        }
    }

    /// Whether two triangles lie on different sides of their edge in the projection along a normal, and are not folded
    /// onto each other.
    fn goes_on(&self, edge: u32, pair: [u32; 2], normal: DVec3) -> bool {
        let [p, q] = self.ends[edge as usize].map(|end| self.points[end as usize]);
        let across = normal.cross(q - p);
        let [one, other] = pair.map(|triangle| self.corners(triangle).iter().map(|x| across.dot(*x - p)).sum::<f64>());
        one * other <= 0.0
    }

    fn number_features(&mut self) {
        let (plates, edges) = (self.plates.len() as u32, self.ends.len() as u32);
        let feature = |triangles: &[u32], is_inside: bool, own: u32| {
            let plate = |triangle: &u32| self.plate_of[*triangle as usize];
            match triangles.first().map(plate) {
                Some(first) if is_inside && triangles.iter().all(|triangle| plate(triangle) == first) => first,
                _ => own,
            }
        };
        let is_inner = |edge: u32| self.at_edge.of(edge).len() == 2;
        let rim: Vec<bool> = {
            let mut rim = vec![false; self.points.len()];
            for edge in (0..edges).filter(|edge| !is_inner(*edge)) {
                self.ends[edge as usize].into_iter().for_each(|end| rim[end as usize] = true);
            }
            rim
        };
        self.edge_feature = (0..edges).map(|k| feature(self.at_edge.of(k), is_inner(k), plates + k)).collect();
        self.corner_feature = (0..self.points.len() as u32)
            .map(|k| feature(self.at_corner.of(k), !rim[k as usize], plates + edges + k))
            .collect();
    }

    fn sum_normals(&mut self) {
        let normal = |triangle: u32| unit(self.area(triangle));
        let edge = |k: u32| self.at_edge.of(k).iter().map(|triangle| normal(*triangle)).sum::<DVec3>();
        let edge_normal = (0..self.ends.len() as u32).map(|k| unit(edge(k))).collect();
        let corner = |k: u32| {
            let here = self.points[k as usize];
            let weighted = |triangle: &u32| {
                let others: Vec<DVec3> = self.corners(*triangle).into_iter().filter(|x| *x != here).collect();
                let angle = match others.as_slice() {
                    [p, q] => angle(*p - here, *q - here),
                    _ => 0.0,
                };
                normal(*triangle) * angle
            };
            unit(self.at_corner.of(k).iter().map(weighted).sum::<DVec3>())
        };
        let corner_normal = (0..self.points.len() as u32).map(corner).collect();
        (self.edge_normal, self.corner_normal) = (edge_normal, corner_normal);
    }

    /// The feature at a part of a triangle (inside, or the k-th edge or corner), the triangles that meet there, and the
    /// sum of their normals.
    pub(super) fn at(&self, triangle: u32, part: Option<(bool, usize)>) -> (u32, &[u32], DVec3) {
        let t = triangle as usize;
        match part {
            None => (self.plate_of[t], &[], self.plates[self.plate_of[t] as usize].normal),
            Some((false, k)) => {
                let edge = self.sides[t][k];
                (self.edge_feature[edge as usize], self.at_edge.of(edge), self.edge_normal[edge as usize])
            }
            Some((true, k)) => {
                let corner = self.triangles[t][k];
                (self.corner_feature[corner as usize], self.at_corner.of(corner), self.corner_normal[corner as usize])
            }
        }
    }

    /// The plate that a feature is, if it is one.
    pub fn plate(&self, feature: u32) -> Option<&Plate> {
        self.plates.get(feature as usize)
    }

    /// The plate of a triangle, by its number.
    pub fn plate_of(&self, triangle: u32) -> u32 {
        self.plate_of[triangle as usize]
    }

    /// The plate of a triangle.
    pub fn plate_at(&self, triangle: u32) -> &Plate {
        &self.plates[self.plate_of[triangle as usize] as usize]
    }

    /// Number of an edge among the edges, or of a corner among the corners, and whether it is an edge; `None` for a
    /// plate.
    fn number(&self, feature: u32) -> Option<(usize, bool)> {
        let number = (feature as usize).checked_sub(self.plates.len())?;
        Some(if number < self.ends.len() { (number, true) } else { (number - self.ends.len(), false) })
    }

    /// Ends of an edge; a corner twice [m].
    pub(super) fn ends_of(&self, feature: u32) -> Option<[DVec3; 2]> {
        let (number, is_edge) = self.number(feature)?;
        Some(if is_edge { self.ends[number].map(|end| self.points[end as usize]) } else { [self.points[number]; 2] })
    }

    /// Sum of the normals that meet at an edge or corner, or the normal of a plate.
    pub(super) fn outwards(&self, feature: u32) -> DVec3 {
        match self.number(feature) {
            Some((number, true)) => self.edge_normal[number],
            Some((number, false)) => self.corner_normal[number],
            None => self.plates[feature as usize].normal,
        }
    }

    /// All features of a triangle: its plate, its edges and its corners.
    pub fn features_of(&self, triangle: u32) -> [u32; 7] {
        let t = triangle as usize;
        let [e, f, g] = self.sides[t].map(|edge| self.edge_feature[edge as usize]);
        let [p, q, r] = self.triangles[t].map(|corner| self.corner_feature[corner as usize]);
        [self.plate_of[t], e, f, g, p, q, r]
    }

    /// Triangles that meet at an edge or corner; none for a plate.
    pub(crate) fn around(&self, feature: u32) -> &[u32] {
        match self.number(feature) {
            None => &[],
            Some((edge, true)) => self.at_edge.of(edge as u32),
            Some((corner, false)) => self.at_corner.of(corner as u32),
        }
    }

    /// Whether two features share a plate: a ball can roll from one to the other without leaving the surface.
    pub fn adjoin(&self, one: u32, other: u32) -> bool {
        let is_at = |plate: u32, feature: u32| {
            plate == feature || self.around(feature).iter().any(|triangle| self.plate_of[*triangle as usize] == plate)
        };
        let plates_of = |feature: u32| self.around(feature).iter().map(|triangle| self.plate_of[*triangle as usize]);
        match self.plate(one) {
            Some(_) => is_at(one, other),
            None => plates_of(one).any(|plate| is_at(plate, other)),
        }
    }

    /// The first flaw of each kind: triangles without area first.
    pub fn flaws(&self) -> Vec<MeshFlaw> {
        let mut flaws = Vec::new();
        let no_area = |k: &u32| {
            let [a, b, c] = self.corners(*k);
            let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
            // its height over its longest side is nothing but rounding
            self.area(*k).length() <= 8.0 * f64::EPSILON * longest
        };
        if let Some(k) = (0..self.len() as u32).find(no_area) {
            flaws.push(MeshFlaw::NoArea(k as usize, self.corners(k)[0]));
        }
        let edges = || 0..self.ends.len() as u32;
        let ends = |edge: u32| self.ends[edge as usize].map(|end| self.points[end as usize]);
        let mut note = |what: fn(usize, [DVec3; 2]) -> MeshFlaw, is_wrong: &dyn Fn(u32) -> bool| {
            let count = edges().filter(|edge| is_wrong(*edge)).count();
            if let Some(first) = edges().find(|edge| is_wrong(*edge)) {
                flaws.push(what(count, ends(first)));
            }
        };
        note(MeshFlaw::Open, &|edge| self.at_edge.of(edge).len() == 1);
        note(MeshFlaw::Branches, &|edge| self.at_edge.of(edge).len() > 2);
        note(MeshFlaw::Twisted, &|edge| match self.at_edge.of(edge) {
            [one, other] => self.runs(edge, *one) == self.runs(edge, *other),
            _ => false,
        });
        flaws
    }

    /// Whether a triangle runs along its edge from the end with the smaller number.
    fn runs(&self, edge: u32, triangle: u32) -> bool {
        let corners = self.triangles[triangle as usize];
        let side = self.sides[triangle as usize].iter().position(|side| *side == edge).unwrap_or(0);
        corners[side] < corners[(side + 1) % 3]
    }
}
