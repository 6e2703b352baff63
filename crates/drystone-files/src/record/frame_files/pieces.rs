//! Which column of a frame is in which array of which file.

use std::io::{self, ErrorKind};

use super::invalid;
use crate::record::frame::{CellPress, CellState, Contacts, Face, Frame, Grains, ShearPlane, WallStates};
use crate::record::vtp::{Array, ArrayNumber, Cells, PolyData};

/// The grains as points, each a vertex cell.
pub(super) fn grains(grains: Grains) -> io::Result<PolyData> {
    let outline = (!grains.outline.is_empty()).then(|| scalars("outline", grains.outline));
    let turns = (!grains.turns.is_empty()).then(|| scalars("turns", grains.turns));
    let own = OWN.into_iter().zip([grains.own_position, grains.own_velocity, grains.own_previous_velocity]);
    let own = own.filter(|(_, column)| !column.is_empty()).map(|(name, column)| vectors(name, column));
    let strains = STRAINS.into_iter().zip([grains.strain, grains.strain_rate]);
    let strains = strains.filter(|(_, column)| !column.is_empty()).map(|(name, column)| vectors(name, column));
    Ok(PolyData {
        verts: Cells::in_order(grains.position.iter().map(|_| 1))?,
        points: grains.position,
        point_arrays: [
            scalars("radius", grains.radius),
            vectors("velocity", grains.velocity),
            vectors("angular_velocity", grains.angular_velocity),
            vectors("previous_velocity", grains.previous_velocity),
            vectors("previous_angular_velocity", grains.previous_angular_velocity),
            vectors("orientation", grains.orientation),
            scalars("mass", grains.mass),
            scalars("id", grains.id),
            scalars("material", grains.material),
        ]
        .into_iter()
        .chain(outline)
        .chain(turns)
        .chain(own)
        .chain(strains)
        .collect(),
        ..PolyData::default()
    })
}

/// The array of a column, which is dropped.
fn scalars<T: ArrayNumber>(name: &str, column: Vec<T>) -> Array {
    Array::scalars(name, &column)
}

/// The array of a column of vectors, which is dropped.
fn vectors<const N: usize>(name: &str, column: Vec<[f64; N]>) -> Array {
    Array::vectors(name, &column)
}

/// Arrays of the grains themselves, where the images in a periodic cell are shown.
const OWN: [&str; 3] = ["own_position", "own_velocity", "own_previous_velocity"];

/// Arrays of grains that deform, as symmetric tensors in the order of VTK.
const STRAINS: [&str; 2] = ["strain", "strain_rate"];

/// A periodic cell, as arrays that belong to every file.
pub(super) fn cell(cell: &CellState) -> Vec<Array> {
    let vector = |name, v: [f64; 3]| Array::vectors(name, &[v]);
    let shear = cell.shear.map_or([-1; 2], |shear| [shear.along as i32, shear.across as i32]);
    [
        vector("cell_origin", cell.origin),
        vector("cell_lengths", cell.lengths),
        vector("cell_stretching", cell.stretching),
        Array::scalars("cell_periodic", &cell.is_periodic.map(u8::from)),
        Array::scalars("cell_shear_axes", &shear),
        Array::scalars("cell_tilt", &[cell.tilt, cell.rate]),
    ]
    .into_iter()
    .chain(cell.press.iter().flat_map(|press| {
        [
            Array::scalars("cell_mass", &[press.mass, press.depth]),
            Array::scalars("cell_follows", &press.follows.map(u8::from)),
            vector("cell_stress", press.stress),
            // whether there is one, and what it is
            Array::scalars(
                "cell_shear_stress",
                &[f64::from(u8::from(press.shear.is_some())), press.shear.unwrap_or(0.0)],
            ),
            vector("cell_urge", cell.stretching_urge),
            Array::scalars("cell_sliding_urge", &[cell.sliding_urge]),
        ]
    }))
    .collect()
}

/// The periodic cell that a file holds.
pub(super) fn cell_of(arrays: &[Array]) -> io::Result<Option<CellState>> {
    let Ok(origin) = find(arrays, "cell_origin") else { return Ok(None) };
    let wrong = || invalid("its cell does not fit".into());
    let vector = |array: &Array| match array.to_vectors::<3>()?[..] {
        [v] => Ok(v),
        _ => Err(wrong()),
    };
    let periodic: [u8; 3] = find(arrays, "cell_periodic")?.to_scalars()?.try_into().map_err(|_| wrong())?;
    let axes: [i32; 2] = find(arrays, "cell_shear_axes")?.to_scalars()?.try_into().map_err(|_| wrong())?;
    let (mut stretching_urge, mut sliding_urge) = ([0.0; 3], 0.0);
    let press = match find(arrays, "cell_mass") {
        Err(_) => None,
        Ok(mass) => {
            let [mass, depth]: [f64; 2] = mass.to_scalars()?.try_into().map_err(|_| wrong())?;
            let follows: [u8; 3] = find(arrays, "cell_follows")?.to_scalars()?.try_into().map_err(|_| wrong())?;
            let stress = vector(find(arrays, "cell_stress")?)?;
            let [is_dragged, shear]: [f64; 2] =
                find(arrays, "cell_shear_stress")?.to_scalars()?.try_into().map_err(|_| wrong())?;
            let shear = (is_dragged != 0.0).then_some(shear);
            [sliding_urge] = find(arrays, "cell_sliding_urge")?.to_scalars()?.try_into().map_err(|_| wrong())?;
            stretching_urge = vector(find(arrays, "cell_urge")?)?;
            Some(CellPress { mass, stress, shear, follows: follows.map(|flag| flag != 0), depth })
        }
    };
    let [tilt, rate]: [f64; 2] = find(arrays, "cell_tilt")?.to_scalars()?.try_into().map_err(|_| wrong())?;
    let shear = match axes {
        [-1, -1] => None,
        [along @ 0..=2, across @ 0..=2] => Some(ShearPlane { along: along as usize, across: across as usize }),
        _ => return Err(wrong()),
    };
    Ok(Some(CellState {
        origin: vector(origin)?,
        is_periodic: periodic.map(|flag| flag != 0),
        lengths: vector(find(arrays, "cell_lengths")?)?,
        stretching: vector(find(arrays, "cell_stretching")?)?,
        shear,
        tilt,
        rate,
        press,
        stretching_urge,
        sliding_urge,
    }))
}

/// The outlines of stones, as arrays that belong to the whole file.
pub(super) fn outlines(grains: &Grains) -> Vec<Array> {
    if grains.outlines.is_empty() {
        return Vec::new();
    }
    let counts: Vec<u64> = grains.outlines.iter().map(|corners| corners.len() as u64).collect();
    let corners: Vec<[f64; 3]> = grains.outlines.iter().flatten().copied().collect();
    let mut arrays = vec![Array::scalars("outline_corners", &counts), Array::vectors("corner", &corners)];
    if !grains.faces.is_empty() {
        let of_outline: Vec<u64> = grains.faces.iter().map(|faces| faces.len() as u64).collect();
        let faces = || grains.faces.iter().flatten();
        arrays.push(Array::scalars("outline_faces", &of_outline));
        arrays.push(Array::scalars("face_corners", &faces().map(|face| face.len() as u64).collect::<Vec<_>>()));
        arrays.push(Array::scalars("face_corner", &faces().flatten().copied().collect::<Vec<u32>>()));
    }
    if !grains.radii.is_empty() {
        let of_outline: Vec<u64> = grains.radii.iter().map(|radii| radii.len() as u64).collect();
        arrays.push(Array::scalars("outline_radii", &of_outline));
        arrays.push(Array::scalars("ball_radius", &grains.radii.iter().flatten().copied().collect::<Vec<f64>>()));
    }
    arrays
}

/// The faces of the outlines that a file holds; each must name corners of its outline.
fn faces_of(data: &PolyData, outlines: &[Vec<[f64; 3]>]) -> io::Result<Vec<Vec<Vec<u32>>>> {
    let Ok(counts) = find(&data.field_arrays, "outline_faces") else { return Ok(Vec::new()) };
    let counts: Vec<u64> = counts.to_scalars()?;
    let lengths: Vec<u64> = find(&data.field_arrays, "face_corners")?.to_scalars()?;
    let corners: Vec<u32> = find(&data.field_arrays, "face_corner")?.to_scalars()?;
    let sum = |numbers: &[u64]| numbers.iter().fold(0u64, |sum, number| sum.saturating_add(*number));
    let fits = counts.len() == outlines.len()
        && sum(&counts) == lengths.len() as u64
        && sum(&lengths) == corners.len() as u64
        && lengths.iter().all(|length| *length >= 3);
    if !fits {
        return Err(invalid("its faces do not fit".into()));
    }
    let (mut lengths, mut corners) = (lengths.into_iter(), corners.into_iter());
    let mut of = |(count, outline): (&u64, &Vec<[f64; 3]>)| {
        let mut face = |length: u64| corners.by_ref().take(length as usize).collect::<Vec<u32>>();
        let faces: Vec<Vec<u32>> = lengths.by_ref().take(*count as usize).map(&mut face).collect();
        match faces.iter().flatten().any(|k| *k as usize >= outline.len()) {
            true => Err(invalid("a face has a corner that is not there".into())),
            false => Ok(faces),
        }
    };
    counts.iter().zip(outlines).map(&mut of).collect()
}

/// The radii of clumps and capsules that a file holds.
fn radii_of(data: &PolyData, outlines: &[Vec<[f64; 3]>]) -> io::Result<Vec<Vec<f64>>> {
    let Ok(counts) = find(&data.field_arrays, "outline_radii") else { return Ok(Vec::new()) };
    let counts: Vec<u64> = counts.to_scalars()?;
    let radii: Vec<f64> = find(&data.field_arrays, "ball_radius")?.to_scalars()?;
    let is_known = |(count, corners): (&u64, &Vec<[f64; 3]>)| {
        *count == 0 || *count == corners.len() as u64 || (*count == 1 && corners.len() == 2)
    };
    let sum = counts.iter().fold(0u64, |sum, count| sum.saturating_add(*count));
    if counts.len() != outlines.len() || sum != radii.len() as u64 || !counts.iter().zip(outlines).all(is_known) {
        return Err(invalid("its radii of balls do not fit".into()));
    }
    let mut left = radii.into_iter();
    Ok(counts.iter().map(|count| left.by_ref().take(*count as usize).collect()).collect())
}

fn outlines_of(data: &PolyData) -> io::Result<Vec<Vec<[f64; 3]>>> {
    let Ok(counts) = find(&data.field_arrays, "outline_corners") else { return Ok(Vec::new()) };
    let counts: Vec<u64> = counts.to_scalars()?;
    let corners: Vec<[f64; 3]> = find(&data.field_arrays, "corner")?.to_vectors()?;
    if counts.iter().sum::<u64>() != corners.len() as u64 {
        return Err(invalid("its outlines do not fit".into()));
    }
    let mut left = corners.into_iter();
    Ok(counts.iter().map(|count| left.by_ref().take(*count as usize).collect()).collect())
}

/// The stones where they are, for programs that draw: polygons in 2D, the faces of polyhedra in 3D; [`grains_of`] reads
/// the grains alone.
pub(super) fn stones(frame: &Frame) -> io::Result<PolyData> {
    let grains = &frame.grains;
    let mut cells: Vec<(usize, Vec<[f64; 3]>)> = Vec::new();
    for k in 0..grains.id.len() {
        let Some(corners) = grains.corners_now(k) else { continue };
        match grains.faces(k) {
            None => cells.push((k, corners)),
            Some(faces) => {
                let polygon = |face: &Vec<u32>| face.iter().map(|c| corners[*c as usize]).collect();
                cells.extend(faces.iter().map(|face| (k, polygon(face))));
            }
        }
    }
    let scalars = |of: fn(&Grains, usize) -> f64| cells.iter().map(|(k, _)| of(grains, *k)).collect::<Vec<f64>>();
    let spin = match frame.dimension {
        2 => Array::scalars("angular_velocity", &scalars(|grains, k| grains.angular_velocity[k][2])),
        _ => {
            let of = |(k, _): &(usize, Vec<[f64; 3]>)| grains.angular_velocity[*k];
            Array::vectors("angular_velocity", &cells.iter().map(of).collect::<Vec<_>>())
        }
    };
    Ok(PolyData {
        points: cells.iter().flat_map(|(_, corners)| corners.iter().copied()).collect(),
        polys: Cells::in_order(cells.iter().map(|(_, corners)| corners.len()))?,
        cell_arrays: vec![
            Array::scalars("id", &cells.iter().map(|(k, _)| grains.id[*k]).collect::<Vec<u32>>()),
            Array::scalars("material", &cells.iter().map(|(k, _)| grains.material[*k]).collect::<Vec<u32>>()),
            Array::scalars("mass", &scalars(|grains, k| grains.mass[k])),
            Array::vectors("velocity", &cells.iter().map(|(k, _)| grains.velocity[*k]).collect::<Vec<_>>()),
            spin,
        ],
        ..PolyData::default()
    })
}

/// The balls of clumps and capsules where they are, for programs that draw: points with a radius; lines join the ends
/// of capsules. [`grains_of`] reads the grains alone.
pub(super) fn balls(frame: &Frame) -> io::Result<PolyData> {
    let grains = &frame.grains;
    let (mut points, mut radius, mut owner) = (Vec::new(), Vec::new(), Vec::new());
    let (mut of_clumps, mut capsules) = (0, 0);
    // balls of clumps first, then the ends of capsules
    for wants_capsule in [false, true] {
        for k in 0..grains.id.len() {
            let Some((at, radii)) = grains.balls_now(k) else { continue };
            let is_capsule = at.len() != radii.len();
            if is_capsule != wants_capsule {
                continue;
            }
            if is_capsule {
                capsules += 1
            } else {
                of_clumps += at.len()
            }
            radius.extend((0..at.len()).map(|ball| radii[ball.min(radii.len() - 1)]));
            owner.extend(std::iter::repeat_n(k, at.len()));
            points.extend(at);
        }
    }
    Ok(PolyData {
        points,
        verts: Cells::in_order(std::iter::repeat_n(1, of_clumps))?,
        lines: Cells::in_order_from(of_clumps, std::iter::repeat_n(2, capsules))?,
        point_arrays: vec![
            Array::scalars("radius", &radius),
            Array::scalars("id", &owner.iter().map(|k| grains.id[*k]).collect::<Vec<u32>>()),
            Array::scalars("material", &owner.iter().map(|k| grains.material[*k]).collect::<Vec<u32>>()),
            Array::scalars("mass", &owner.iter().map(|k| grains.mass[*k]).collect::<Vec<f64>>()),
            Array::vectors("velocity", &owner.iter().map(|k| grains.velocity[*k]).collect::<Vec<_>>()),
            Array::vectors("angular_velocity", &owner.iter().map(|k| grains.angular_velocity[*k]).collect::<Vec<_>>()),
        ],
        ..PolyData::default()
    })
}

/// The grains that a file holds.
pub(super) fn grains_of(data: PolyData) -> io::Result<Grains> {
    let array = |name| find(&data.point_arrays, name);
    let outlines = outlines_of(&data)?;
    let outline: Vec<i32> = match array("outline") {
        Ok(outline) => outline.to_scalars()?,
        Err(_) => Vec::new(),
    };
    if outline.iter().any(|number| *number >= outlines.len() as i32) {
        return Err(invalid("a grain has an outline that is not there".into()));
    }
    let turns = match array("turns") {
        Ok(turns) => turns.to_scalars()?,
        Err(_) => Vec::new(),
    };
    let own = |name| match array(name) {
        Ok(column) => column.to_vectors(),
        Err(_) => Ok(Vec::new()),
    };
    let [own_position, own_velocity, own_previous_velocity] = OWN.map(own);
    let tensors = |name| array(name).map_or(Ok(Vec::new()), Array::to_vectors);
    let [strain, strain_rate] = STRAINS.map(tensors);
    Ok(Grains {
        own_position: own_position?,
        own_velocity: own_velocity?,
        own_previous_velocity: own_previous_velocity?,
        strain: strain?,
        strain_rate: strain_rate?,
        faces: faces_of(&data, &outlines)?,
        radii: radii_of(&data, &outlines)?,
        turns,
        outline,
        outlines,
        radius: array("radius")?.to_scalars()?,
        velocity: array("velocity")?.to_vectors()?,
        angular_velocity: array("angular_velocity")?.to_vectors()?,
        previous_velocity: array("previous_velocity")?.to_vectors()?,
        previous_angular_velocity: array("previous_angular_velocity")?.to_vectors()?,
        orientation: array("orientation")?.to_vectors()?,
        mass: array("mass")?.to_scalars()?,
        id: array("id")?.to_scalars()?,
        material: array("material")?.to_scalars()?,
        position: data.points,
    })
}

/// The contacts as lines.
pub(super) fn contacts(contacts: Contacts) -> io::Result<PolyData> {
    let (from, to) = (contacts.from, contacts.to);
    if from.len() != to.len() {
        let fault = format!("{} contacts start, {} end", from.len(), to.len());
        return Err(io::Error::new(ErrorKind::InvalidInput, fault));
    }
    let lines = Cells::in_order(from.iter().map(|_| 2))?;
    let points = from.into_iter().zip(to).flat_map(|(from, to)| [from, to]).collect();
    let arms = [
        ("arm_a", contacts.arm_a),
        ("arm_b", contacts.arm_b),
        ("ahead_velocity_a", contacts.ahead_velocity_a),
        ("ahead_spin_a", contacts.ahead_spin_a),
        ("ahead_velocity_b", contacts.ahead_velocity_b),
        ("ahead_spin_b", contacts.ahead_spin_b),
    ];
    let arms = arms.into_iter().filter(|(_, arm)| !arm.is_empty()).map(|(name, arm)| vectors(name, arm));
    Ok(PolyData {
        points,
        lines,
        cell_arrays: [
            scalars("a", contacts.a),
            scalars("b", contacts.b),
            vectors("normal", contacts.normal),
            scalars("normal_force", contacts.normal_force),
            vectors("tangential_force", contacts.tangential_force),
            vectors("torque", contacts.torque),
            scalars("friction", contacts.friction),
            vectors("bias", contacts.bias),
            scalars("gap", contacts.gap),
            scalars("regime", contacts.regime),
        ]
        .into_iter()
        .chain(arms)
        .chain((!contacts.ahead.is_empty()).then(|| scalars("ahead", contacts.ahead)))
        .collect(),
        ..PolyData::default()
    })
}

/// The contacts that a file holds.
pub(super) fn contacts_of(data: &PolyData) -> io::Result<Contacts> {
    let array = |name| find(&data.cell_arrays, name);
    let arm = |name| match array(name) {
        Ok(arm) => arm.to_vectors(),
        Err(_) => Ok(Vec::new()),
    };
    let mut contacts = Contacts {
        arm_a: arm("arm_a")?,
        arm_b: arm("arm_b")?,
        ahead_velocity_a: arm("ahead_velocity_a")?,
        ahead_spin_a: arm("ahead_spin_a")?,
        ahead_velocity_b: arm("ahead_velocity_b")?,
        ahead_spin_b: arm("ahead_spin_b")?,
        ahead: array("ahead").map_or(Ok(Vec::new()), |ahead| ahead.to_scalars())?,
        a: array("a")?.to_scalars()?,
        b: array("b")?.to_scalars()?,
        normal: array("normal")?.to_vectors()?,
        normal_force: array("normal_force")?.to_scalars()?,
        tangential_force: array("tangential_force")?.to_vectors()?,
        torque: array("torque")?.to_vectors()?,
        friction: array("friction")?.to_scalars()?,
        bias: array("bias")?.to_vectors()?,
        gap: array("gap")?.to_scalars()?,
        regime: array("regime")?.to_scalars()?,
        ..Contacts::default()
    };
    for line in data.lines.iter() {
        let &[from, to] = line else {
            return Err(invalid(format!("a contact joins {} points, not 2", line.len())));
        };
        contacts.from.push(data.points[from as usize]);
        contacts.to.push(data.points[to as usize]);
    }
    Ok(contacts)
}

/// The states of the walls, as arrays that belong to the whole file.
pub(super) fn wall_states(walls: &WallStates) -> Vec<Array> {
    vec![
        Array::vectors("wall_displacement", &walls.displacement),
        Array::vectors("wall_velocity", &walls.velocity),
        Array::vectors("wall_previous_velocity", &walls.previous_velocity),
        Array::vectors("wall_angular_velocity", &walls.angular_velocity),
        Array::scalars("wall_open", &walls.open),
        Array::scalars("wall_mass", &walls.mass),
        Array::vectors("wall_drive", &walls.drive),
        Array::vectors("wall_force", &walls.force),
    ]
}

/// The states of the walls that a file holds.
pub(super) fn wall_states_of(data: &PolyData) -> io::Result<WallStates> {
    let array = |name| find(&data.field_arrays, name);
    let states = WallStates {
        displacement: array("wall_displacement")?.to_vectors()?,
        velocity: array("wall_velocity")?.to_vectors()?,
        previous_velocity: array("wall_previous_velocity")?.to_vectors()?,
        angular_velocity: array("wall_angular_velocity")?.to_vectors()?,
        open: array("wall_open")?.to_scalars()?,
        mass: array("wall_mass")?.to_scalars()?,
        drive: array("wall_drive")?.to_vectors()?,
        force: array("wall_force")?.to_vectors()?,
    };
    let WallStates { displacement, velocity, previous_velocity, angular_velocity, open, mass, drive, force } = &states;
    let vectors = [velocity, previous_velocity, angular_velocity, drive, force].map(Vec::len);
    let lengths = vectors.into_iter().chain([open.len(), mass.len()]);
    if lengths.into_iter().any(|length| length != displacement.len()) {
        return Err(invalid("its columns of walls do not fit".into()));
    }
    Ok(states)
}

/// The faces as cells: lines in 2D, polygons in 3D, and never a mixture: that would change the order of the faces.
pub(super) fn walls(frame: &Frame) -> io::Result<PolyData> {
    let faces = &frame.walls;
    if let Some(face) = faces.iter().find(|face| face.corners.is_empty()) {
        let fault = format!("a face of wall {} has no corners", face.wall);
        return Err(io::Error::new(ErrorKind::InvalidInput, fault));
    }
    let cells = Cells::in_order(faces.iter().map(|face| face.corners.len()))?;
    let (lines, polys) = if frame.dimension == 3 { (Cells::default(), cells) } else { (cells, Cells::default()) };
    Ok(PolyData {
        points: faces.iter().flat_map(|face| face.corners.iter().copied()).collect(),
        lines,
        polys,
        cell_arrays: vec![Array::scalars("wall", &faces.iter().map(|face| face.wall).collect::<Vec<_>>())],
        ..PolyData::default()
    })
}

/// The faces that a file holds.
pub(super) fn walls_of(data: &PolyData) -> io::Result<Vec<Face>> {
    let walls: Vec<u32> = find(&data.cell_arrays, "wall")?.to_scalars()?;
    let cells = data.lines.iter().chain(data.polys.iter());
    let corners = cells.map(|cell| cell.iter().map(|&point| data.points[point as usize]).collect());
    Ok(walls.into_iter().zip(corners).map(|(wall, corners)| Face { wall, corners }).collect())
}

/// The array of that name.
pub(super) fn find<'a>(arrays: &'a [Array], name: &str) -> io::Result<&'a Array> {
    let array = arrays.iter().find(|array| array.name() == name);
    array.ok_or_else(|| invalid(format!("array {name} is missing")))
}
