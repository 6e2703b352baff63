//! Every measure against a value derived on paper: lattices under a known load, linear fields, known packings.

use std::f64::consts::PI;

use super::wall_form::WallForm;
use super::*;
use crate::dim::{D2, D3};
use crate::input::Placed;
use crate::input::quantity::{Components, Quantity, UnitVector};
use crate::measure::frame::affine_strain::AffineStrain;
use crate::measure::vector::{add, dot, norm, sub, times};
use crate::measure::*;
use crate::record::Frame;
use crate::record::frame::{Contacts, Grains};
use crate::wall::{Line, Revolution, Surface};

const DEPTH: f64 = 0.3;

fn setting(dimension: usize) -> Setting {
    let mut gravity = [0.0; 3];
    gravity[dimension - 1] = -10.0;
    Setting {
        depth: if dimension == 2 { DEPTH } else { 1.0 },
        gravity,
        walls: (0..2 * dimension).map(|k| format!("wall{k}")).collect(),
        forms: (0..2 * dimension).map(plane).collect(),
        materials: vec!["stone".into()],
    }
}

/// Low or high face of a lattice of four grains along an axis.
fn plane(number: usize) -> WallForm {
    let unit: [f64; 3] = std::array::from_fn(|axis| if axis == number / 2 { 1.0 } else { 0.0 });
    match number % 2 {
        0 => WallForm::Plane { point: [0.0; 3], normal: unit },
        _ => WallForm::Plane { point: times(unit, 8.0), normal: times(unit, -1.0) },
    }
}

fn grain(grains: &mut Grains, position: [f64; 3], radius: f64) {
    grains.id.push(grains.id.len() as u32);
    grains.position.push(position);
    grains.radius.push(radius);
    grains.velocity.push([0.0; 3]);
    grains.angular_velocity.push([0.0; 3]);
    grains.orientation.push([0.0, 0.0, 0.0, 1.0]);
    grains.mass.push(2.0);
    grains.material.push(0);
}

fn touch(contacts: &mut Contacts, a: i32, b: i32, [from, to]: [[f64; 3]; 2], force: f64) {
    let branch = sub(to, from);
    contacts.a.push(a);
    contacts.b.push(b);
    contacts.from.push(from);
    contacts.to.push(to);
    contacts.normal.push(times(branch, 1.0 / norm(branch)));
    contacts.normal_force.push(force);
    contacts.tangential_force.push([0.0; 3]);
    contacts.friction.push(0.5);
    contacts.gap.push(0.0);
    contacts.regime.push(1);
}

/// A square or cubic lattice of n grains a side with radius 1 between walls, its contacts carrying `forces` along the
/// axes.
fn lattice(dimension: usize, n: usize, forces: [f64; 3]) -> Frame {
    let mut frame = Frame { dimension, force_error: 0.01, ..Frame::default() };
    let layers = if dimension == 2 { 1 } else { n };
    for k in 0..n * n * layers {
        let at = [k % n, k / n % n, k / (n * n)].map(|i| 2.0 * i as f64 + 1.0);
        grain(&mut frame.grains, [at[0], at[1], if dimension == 2 { 0.0 } else { at[2] }], 1.0);
    }
    let strides = [1, n, n * n];
    frame.wall_states.force = vec![[0.0; 3]; 2 * dimension];
    for k in 0..frame.grains.id.len() {
        let here = frame.grains.position[k];
        for axis in 0..dimension {
            let step = |by: f64| {
                let mut there = here;
                there[axis] += by;
                there
            };
            let (contacts, side) = (&mut frame.contacts, k / strides[axis] % n);
            let mut wall = |number: usize, foot: [f64; 3], sign: f64| {
                touch(contacts, -1 - number as i32, k as i32, [foot, here], forces[axis]);
                frame.wall_states.force[number][axis] += sign * forces[axis];
            };
            if side == 0 {
                wall(2 * axis, step(-1.0), -1.0);
            }
            if side == n - 1 {
                wall(2 * axis + 1, step(1.0), 1.0);
            } else {
                let other = k + strides[axis];
                touch(contacts, k as i32, other as i32, [here, frame.grains.position[other]], forces[axis]);
            }
        }
    }
    frame
}

/// A triangular lattice of disks with radius 1, all touching with force 1.
fn hexagons(n: usize) -> Frame {
    let mut frame = Frame { dimension: 2, ..Frame::default() };
    let rise = 3.0_f64.sqrt();
    for k in 0..n * n {
        let (i, j) = (k % n, k / n);
        grain(&mut frame.grains, [2.0 * i as f64 + (j % 2) as f64, rise * j as f64, 0.0], 1.0);
    }
    let places = frame.grains.position.clone();
    for a in 0..places.len() {
        for b in a + 1..places.len() {
            if norm(sub(places[a], places[b])) < 2.01 {
                touch(&mut frame.contacts, a as i32, b as i32, [places[a], places[b]], 1.0);
            }
        }
    }
    frame
}

/// Rows of a measure of a frame.
fn rows(measure: &dyn FrameMeasure, frame: &Frame, options: &MeasureOptions) -> Vec<Vec<f64>> {
    let setting = setting(frame.dimension);
    let view = FrameView::whole(frame, &setting, options);
    let rows = measure.rows(&view).unwrap_or_else(|nothing| panic!("{nothing}"));
    assert!(rows.iter().all(|row| row.len() == measure.columns(&view).len()));
    rows
}

/// The number in a column of the only row.
fn number(measure: &dyn FrameMeasure, frame: &Frame, options: &MeasureOptions, column: &str) -> f64 {
    let setting = setting(frame.dimension);
    let columns = measure.columns(&FrameView::whole(frame, &setting, options));
    let at = columns.iter().position(|known| known.name == column).unwrap_or_else(|| panic!("no column {column}"));
    rows(measure, frame, options)[0][at]
}

fn whole(measure: &dyn FrameMeasure, frame: &Frame, column: &str) -> f64 {
    number(measure, frame, &MeasureOptions::default(), column)
}

fn near(measured: f64, expected: f64, within: f64) {
    assert!((measured - expected).abs() <= within * expected.abs().max(1.0), "{measured} is not {expected}");
}

/// Between `low` and `high` along every axis.
fn region(low: f64, high: f64) -> MeasureOptions {
    MeasureOptions { region: [[Some(low), Some(high)]; 3], ..MeasureOptions::default() }
}

#[test]
fn stress_of_a_lattice_is_force_over_the_area_of_a_grain() {
    for dimension in [2, 3] {
        let frame = lattice(dimension, 4, [3.0, 5.0, 7.0]);
        let area = if dimension == 2 { 2.0 * DEPTH } else { 4.0 };
        near(whole(&Stress, &frame, "stress_xx"), 3.0 / area, 1e-14);
        near(whole(&Stress, &frame, "stress_yy"), 5.0 / area, 1e-14);
        near(whole(&Stress, &frame, "stress_xy"), 0.0, 1e-14);
        let mean = if dimension == 2 { 4.0 } else { 5.0 };
        near(whole(&Stress, &frame, "pressure"), mean / area, 1e-14);
        // every cell of a grid along the lattice has the stress of the whole, and so has a region inside
        let options = MeasureOptions { cells: Some([2; 3]), ..MeasureOptions::default() };
        for row in rows(&Stress, &frame, &options) {
            near(row[dimension], 3.0 / area, 1e-14);
        }
        near(number(&Stress, &frame, &region(2.0, 6.0), "stress_yy"), 5.0 / area, 1e-14);
    }
    near(whole(&Stress, &lattice(2, 4, [3.0, 5.0, 0.0]), "shear_stress"), 1.0 / (2.0 * DEPTH), 1e-14);
}

#[test]
fn kinetic_stress_is_that_of_the_fluctuations_alone() {
    for dimension in [2, 3] {
        let mut frame = lattice(dimension, 4, [0.0; 3]);
        for k in 0..frame.grains.id.len() {
            let y = frame.grains.position[k][1];
            // shear 0.5 y, a drift, and +-2 along x that is even in every row and column
            let sign = if (k + k / 4 + k / 16) % 2 == 0 { 2.0 } else { -2.0 };
            frame.grains.velocity[k] = [7.0 + 0.5 * y + sign, 1.0, 0.0];
        }
        let volume = if dimension == 2 { 4.0 * DEPTH } else { 8.0 };
        near(whole(&Stress, &frame, "kinetic_stress_xx"), 2.0 * 4.0 / volume, 1e-12);
        near(whole(&Stress, &frame, "kinetic_stress_yy"), 0.0, 1e-12);
    }
}

#[test]
fn strain_of_an_affine_map_is_found_exactly() {
    for dimension in [2, 3] {
        let first = lattice(dimension, 4, [1.0; 3]);
        let mut frame = first.clone();
        let map = [[0.9, 0.2, 0.0], [0.0, 1.1, 0.1], [0.05, 0.0, 1.0]];
        for x in &mut frame.grains.position {
            let mut old = *x;
            if dimension == 2 {
                old[2] = 0.0;
            }
            *x = std::array::from_fn(|i| if i < dimension { 3.0 + dot(map[i], old) } else { 0.0 });
        }
        let (setting, options) = (setting(dimension), MeasureOptions::default());
        let view = FrameView { first: Some(&first), ..FrameView::whole(&frame, &setting, &options) };
        let row = AffineStrain.rows(&view).unwrap().remove(0);
        near(row[0], -0.1, 1e-13);
        near(row[1], 0.2, 1e-13);
        let det = if dimension == 2 { 0.99 } else { 0.9 * 1.1 + 0.2 * 0.1 * 0.05 };
        near(row[dimension * dimension], det - 1.0, 1e-13);
        near(row[dimension * dimension + 2], 0.0, 1e-13);
        assert!(AffineStrain.rows(&FrameView::whole(&frame, &setting, &options)).is_err());
    }
}

#[test]
fn solid_fractions_of_lattices_also_when_the_region_cuts_grains() {
    for (dimension, expected) in [(2, PI / 4.0), (3, PI / 6.0)] {
        let frame = lattice(dimension, 4, [1.0; 3]);
        near(whole(&SolidFraction, &frame, "solid_fraction"), expected, 1e-14);
        // a region of two periods that begins anywhere
        near(number(&SolidFraction, &frame, &region(1.3, 5.3), "solid_fraction"), expected, 1e-10);
    }
    let rise = 3.0_f64.sqrt();
    let mut options = MeasureOptions::default();
    (options.region[0], options.region[1]) = ([Some(2.3), Some(6.3)], [Some(1.1), Some(1.1 + 2.0 * rise)]);
    near(number(&SolidFraction, &hexagons(8), &options, "solid_fraction"), PI / (2.0 * rise), 1e-13);
    // a face-centred cubic lattice of touching balls fills pi / (3 sqrt 2)
    let mut frame = Frame { dimension: 3, ..Frame::default() };
    let side = 2.0 * 2.0_f64.sqrt();
    for k in 0..6 * 6 * 6 {
        let at = [k % 6, k / 6 % 6, k / 36];
        if at.iter().sum::<usize>() % 2 == 0 {
            grain(&mut frame.grains, at.map(|i| 0.5 * side * i as f64), 1.0);
        }
    }
    let cell = region(0.9, 0.9 + side);
    near(number(&SolidFraction, &frame, &cell, "solid_fraction"), PI / (3.0 * 2.0_f64.sqrt()), 1e-10);
    near(number(&Porosity, &frame, &cell, "porosity"), 1.0 - PI / (3.0 * 2.0_f64.sqrt()), 1e-10);
}

#[test]
fn coordination_of_lattices_and_rattlers() {
    for dimension in [2, 3] {
        let frame = lattice(dimension, 3, [1.0; 3]);
        near(whole(&Coordination, &frame, "coordination"), 2.0 * dimension as f64, 0.0);
        near(whole(&FrictionlessCoordination, &frame, "coordination_frictionless"), 2.0 * dimension as f64, 0.0);
        near(whole(&Coordination, &frame, "rattlers"), 0.0, 0.0);
    }
    let frame = hexagons(9);
    near(number(&Coordination, &frame, &region(3.0, 10.0), "coordination"), 6.0, 0.0);
    // three grains in a triangle, a fourth that hangs on one of them: 2 x 4 contacts on 4 grains
    let mut frame = hexagons(2);
    let last = frame.contacts.b.iter().rposition(|b| *b == 3).unwrap();
    assert_eq!(frame.contacts.a.len(), 5);
    let keep = |k: usize| k == last || frame.contacts.b[k] != 3;
    let kept: Vec<usize> = (0..5).filter(|k| keep(*k)).collect();
    let mut contacts = Contacts::default();
    for k in kept {
        let c = &frame.contacts;
        touch(&mut contacts, c.a[k], c.b[k], [c.from[k], c.to[k]], 1.0);
    }
    frame.contacts = contacts;
    near(whole(&Coordination, &frame, "coordination"), 2.0, 0.0);
    near(whole(&Coordination, &frame, "coordination_without_rattlers"), 2.0, 0.0);
    near(whole(&Coordination, &frame, "rattlers"), 1.0, 0.0);
    near(whole(&FrictionlessCoordination, &frame, "rattlers_frictionless"), 4.0, 0.0);
    near(whole(&Clusters, &frame, "largest_cluster"), 4.0, 0.0);
}

/// A lattice of radius 1 from 0 to 6, and a grain beyond it that touches the wall alone.
#[test]
fn a_heap_ends_where_contacts_end() {
    for dimension in [2, 3] {
        let mut frame = lattice(dimension, 3, [1.0; 3]);
        let (count, away) = (frame.grains.id.len(), [10.0, 1.0, if dimension == 2 { 0.0 } else { 1.0 }]);
        grain(&mut frame.grains, away, 1.0);
        touch(&mut frame.contacts, -3, count as i32, [[10.0, 0.0, away[2]], away], 1.0);
        near(whole(&ClusterExtent, &frame, "grains"), count as f64, 0.0);
        for axis in &["x", "y", "z"][..dimension] {
            near(whole(&ClusterExtent, &frame, &format!("low_{axis}")), 0.0, 0.0);
            near(whole(&ClusterExtent, &frame, &format!("high_{axis}")), 6.0, 0.0);
        }
    }
}

#[test]
fn fabric_of_lattices() {
    // inside, so that as many contacts run along x as along y
    let frame = lattice(2, 6, [1.0, 3.0, 0.0]);
    near(whole(&Fabric, &frame, "contact_fabric_xx"), 0.5, 1e-14);
    near(whole(&Fabric, &frame, "contact_anisotropy"), 0.0, 1e-13);
    near(whole(&Fabric, &frame, "force_fabric_yy"), 0.75, 1e-14);
    near(whole(&Fabric, &frame, "force_anisotropy"), 2.0 * (0.75 - 0.25), 1e-13);
    near(whole(&Fabric, &frame, "branch_fabric_xx"), 0.5, 1e-14);
    let frame = lattice(3, 4, [1.0, 1.0, 2.0]);
    near(whole(&Fabric, &frame, "contact_fabric_zz"), 1.0 / 3.0, 1e-14);
    near(whole(&Fabric, &frame, "force_anisotropy"), 2.5 * (0.5 - 0.25), 1e-13);
    // around one grain of a triangular lattice: six directions, isotropic
    let frame = hexagons(3);
    let options = MeasureOptions {
        region: [[Some(1.9), Some(4.1)], [Some(0.5), Some(3.0)], [None; 2]],
        ..MeasureOptions::default()
    };
    near(number(&Fabric, &frame, &options, "contact_fabric_xx"), 0.5, 1e-14);
    near(number(&Fabric, &frame, &options, "contact_anisotropy"), 0.0, 1e-13);
}

#[test]
fn two_forces_make_two_peaks_and_a_weak_and_a_strong_network() {
    let mut frame = lattice(2, 5, [1.0, 3.0, 0.0]);
    for k in 0..frame.contacts.a.len() {
        let weak = frame.contacts.normal_force[k] == 1.0;
        // along x: half of what friction 0.5 allows; along y nothing
        frame.contacts.tangential_force[k] = if weak { [0.0, 0.25, 0.0] } else { [0.0; 3] };
        frame.contacts.regime[k] = if weak { 2 } else { 1 };
    }
    // f over the mean of 2 is 0.5 and 1.5; |f_t| over its mean 0 and 2
    let options = MeasureOptions { bins: 8, ..MeasureOptions::default() };
    let table = rows(&Forces, &frame, &options);
    let total: f64 = table.iter().map(|row| row[1] * 0.25).sum();
    near(total, 1.0, 1e-14);
    near(table[2][3], 20.0, 0.0);
    near(table[6][3], 20.0, 0.0);
    near(table[7][4], 20.0, 0.0);
    assert_eq!((table[0][5], table[1][5]), (0.0, 1.0), "the first bin begins below eta");
    near(whole(&ForceNetwork, &frame, "mean_normal_force"), 2.0, 1e-14);
    near(whole(&ForceNetwork, &frame, "weak_share"), 0.5, 0.0);
    near(whole(&ForceNetwork, &frame, "weak_pressure_share"), 0.25, 1e-14);
    // per pair of contacts and branch length: s = (-1, 1), weak s = (1/2, -1/2), both with s_xy = 1/8 from friction
    near(whole(&ForceNetwork, &frame, "weak_shear_share"), (-1.0 + 2.0 / 64.0) / (2.0 + 2.0 / 64.0), 1e-12);
    near(whole(&ForceNetwork, &frame, "weak_sliding_share"), 1.0, 0.0);
    near(whole(&MobilisedFriction, &frame, "mobilisation"), 0.25, 1e-14);
    near(whole(&MobilisedFriction, &frame, "mobilisation_by_force"), 0.25 / (0.5 * 4.0), 1e-14);
    near(whole(&MobilisedFriction, &frame, "sliding_share"), 0.5, 0.0);
}

#[test]
fn inertial_number_of_uniform_shear() {
    for dimension in [2, 3] {
        let mut frame = lattice(dimension, 4, [6.0, 4.0, 5.0]);
        for k in 0..frame.grains.id.len() {
            frame.grains.velocity[k] = [0.25 * frame.grains.position[k][1], 0.0, 0.0];
        }
        let (area, density, shear) = match dimension {
            2 => (2.0 * DEPTH, 2.0 / (PI * DEPTH), 1.0),
            _ => (4.0, 2.0 / (4.0 / 3.0 * PI), 1.0), // deviator (1, -1, 0): size 1
        };
        let pressure = 5.0 / area;
        near(whole(&Inertial, &frame, "shear_rate"), 0.25, 1e-13);
        near(whole(&Inertial, &frame, "inertial_number"), 0.25 * 2.0 * (density / pressure).sqrt(), 1e-12);
        near(whole(&Inertial, &frame, "effective_friction"), shear / 5.0, 1e-12);
    }
}

#[test]
fn profile_of_uniform_shear_with_noise() {
    let mut frame = lattice(3, 4, [1.0; 3]);
    for k in 0..frame.grains.id.len() {
        let noise = if k % 2 == 0 { 3.0 } else { -3.0 };
        frame.grains.velocity[k] = [frame.grains.position[k][2], noise, 0.0];
        frame.grains.angular_velocity[k] = [0.0, 0.5, 0.0];
    }
    let options = MeasureOptions { bins: 4, ..MeasureOptions::default() };
    for (slice, row) in rows(&Profile, &frame, &options).iter().enumerate() {
        let z = 2.0 * slice as f64 + 1.0;
        let expected = [z, PI / 6.0, 16.0, z, 0.0, 0.0, 9.0 / 3.0, 0.0, 0.5, 0.0];
        row.iter().zip(expected).for_each(|(measured, expected)| near(*measured, expected, 1e-10));
    }
}

#[test]
fn walls_and_their_pressure() {
    for dimension in [2, 3] {
        let frame = lattice(dimension, 4, [3.0, 5.0, 7.0]);
        let side = 4_f64.powi(dimension as i32 - 1);
        near(whole(&Walls, &frame, "wall0_force_x"), -3.0 * side, 1e-14);
        near(whole(&Walls, &frame, "wall3_force_y"), 5.0 * side, 1e-14);
        let area = if dimension == 2 { 2.0 * DEPTH } else { 4.0 };
        let options =
            MeasureOptions { bins: 4, wall: Some("wall1".into()), axis: Some(1), ..MeasureOptions::default() };
        let strips = rows(&WallPressure, &frame, &options);
        assert_eq!(strips.len(), 4);
        for row in &strips {
            near(row[2 + dimension], 3.0 / area, 1e-14);
            near(row[2], 8.0, 1e-14);
        }
        near(strips[3][1], 7.0, 1e-14);
    }
    let frame = lattice(2, 2, [1.0; 3]);
    let (setting, options) = (setting(2), MeasureOptions { wall: Some("wall9".into()), ..MeasureOptions::default() });
    let Err(Nothing::Lacks(what)) = WallPressure.rows(&FrameView::whole(&frame, &setting, &options)) else {
        panic!("there is no wall9")
    };
    assert!(what.contains("did you mean"), "{what}");
}

/// Pressure of the strips of a wall of this form, in place of the floor of a lattice, whose grains push with 5.
fn strips(dimension: usize, form: WallForm, bins: usize) -> Vec<Vec<f64>> {
    let mut frame = lattice(dimension, 4, [3.0, 5.0, 5.0]);
    frame.step = 1;
    let mut setting = setting(dimension);
    let floor = 2 * (dimension - 1);
    setting.forms[floor] = form;
    let options = MeasureOptions { bins, wall: Some(format!("wall{floor}")), ..MeasureOptions::default() };
    WallPressure.rows(&FrameView::whole(&frame, &setting, &options)).unwrap_or_else(|nothing| panic!("{nothing}"))
}

fn line(points: &[[f64; 2]]) -> WallForm {
    let points = points.iter().map(|[x, y]| Components(glam::DVec2::new(*x, *y))).collect();
    let points = Placed { value: points, at: Default::default() };
    WallForm::of(&Surface::<D2>::Line(Line { points }))
}

/// Four disks of radius 1 push a floor with 5 each: 5 / (2 depth) where they stand, nothing where they do not;
/// whatever the wall beyond them, and however the strips lie.
#[test]
fn pressure_is_that_of_the_wall_itself() {
    let under = 5.0 / (2.0 * DEPTH);
    // longer than the bed: [-4, 12] in strips of 1
    for row in strips(2, line(&[[-4.0, 0.0], [12.0, 0.0]]), 16) {
        near(row[4], if (0.0..8.0).contains(&row[2]) { under } else { 0.0 }, 1e-13);
        assert_eq!((row[1], row[7]), (row[2] + 4.0, DEPTH));
    }
    // a wall that turns up at its end: its sides have strips of their own, and what rises carries nothing
    let rows = strips(2, line(&[[0.0, 0.0], [8.0, 0.0], [8.0, 4.0]]), 9);
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    rows.iter().for_each(|row| near(row[4], if row[0] == 0.0 { under } else { 0.0 }, 1e-13));
    let force: f64 = rows.iter().map(|row| row[4] * row[7]).sum();
    near(force, 20.0, 1e-13);
    // a gate as wide as two of the four grains, of which two stand on it: over the bed it would be half of that
    let mut frame = lattice(2, 4, [3.0, 5.0, 0.0]);
    frame.step = 1;
    let off: Vec<usize> = (0..frame.contacts.a.len())
        .filter(|k| frame.contacts.a[*k] == -3 && !(2.0..6.0).contains(&frame.contacts.from[*k][0]))
        .collect();
    off.iter().for_each(|k| frame.contacts.a[*k] = -1);
    let mut setting = setting(2);
    setting.forms[2] = line(&[[2.0, 0.0], [6.0, 0.0]]);
    for bins in [1, 3, 40] {
        let options = MeasureOptions { bins, wall: Some("wall2".into()), ..MeasureOptions::default() };
        for row in WallPressure.rows(&FrameView::whole(&frame, &setting, &options)).unwrap() {
            near(row[4], under, 1e-13);
        }
    }
}

/// The floor of a lattice of spheres, each of which pushes with 5 on an area of 4, as a face of a box and as a mesh;
/// and rings of spheres around a tube and in a cone.
#[test]
fn pressure_in_space_is_over_areas_of_the_wall() {
    let room = WallForm::Room { min: [0.0; 3], max: [8.0, 8.0, 12.0] };
    let rows = strips(3, room, 60);
    for row in &rows {
        near(row[5], if row[0] == 4.0 { 5.0 / 4.0 } else { 0.0 }, 1e-13);
    }
    near(rows.iter().map(|row| row[8]).sum(), 2.0 * 64.0 + 4.0 * 96.0, 1e-13);
    let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 8.0, 0.0], [0.0, 8.0, 0.0]];
    let triangles = vec![vec![corners[0], corners[1], corners[2]], vec![corners[0], corners[2], corners[3]]];
    for row in strips(3, WallForm::Mesh { triangles, axis: None }, 7) {
        near(row[5], 5.0 / 4.0, 1e-13);
        near(row[8], 64.0 / 7.0, 1e-13);
    }
    // 12 spheres of radius 1 stand around in a tube of radius 6 and push outwards with 2; two such rings
    let tube = WallForm::Tube { centre: [0.0; 3], axis: [0.0, 0.0, 1.0], radius: 6.0 };
    let cone = |from: [f64; 2], to: [f64; 2]| {
        let profile = [from, to].map(|point| point.map(Quantity)).to_vec();
        let wall = Revolution {
            centre: Components(glam::DVec3::ZERO),
            axis: UnitVector(glam::DVec3::Z),
            profile: Placed { value: profile, at: Default::default() },
        };
        WallForm::of(&Surface::<D3>::Revolution(wall))
    };
    let ring = |form: WallForm, slope: f64| {
        let mut frame = Frame { dimension: 3, step: 1, ..Frame::default() };
        for k in 0..24 {
            let (angle, s) = (PI * f64::from(k % 12) / 6.0, 1.0 + 2.0 * f64::from(k / 12));
            let out = [angle.cos(), angle.sin(), 0.0];
            // feet at s along the profile, which leans outwards with this slope from radius 6 on
            let (lean, rise) = (slope.sin(), slope.cos());
            let foot = add(times(out, 6.0 + s * lean), [0.0, 0.0, s * rise]);
            let inwards = add(times(out, -rise), [0.0, 0.0, lean]);
            grain(&mut frame.grains, add(foot, inwards), 1.0);
            touch(&mut frame.contacts, -1, k, [foot, add(foot, inwards)], 2.0);
        }
        let mut setting = setting(3);
        setting.forms[0] = form;
        let options = MeasureOptions { bins: 4, wall: Some("wall0".into()), ..MeasureOptions::default() };
        WallPressure.rows(&FrameView::whole(&frame, &setting, &options)).unwrap()
    };
    for row in ring(tube, 0.0) {
        near(row[5], 24.0 * 2.0 / (2.0 * PI * 6.0 * 4.0), 1e-13);
    }
    let lean = 0.5_f64;
    let rows = ring(cone([6.0, 0.0], [6.0 + 4.0 * lean.sin(), 4.0 * lean.cos()]), lean);
    near(rows.iter().map(|row| row[8]).sum(), PI * (12.0 + 4.0 * lean.sin()) * 4.0, 1e-13);
    near(rows.iter().map(|row| row[5] * row[8]).sum(), 48.0, 1e-13);
    for (row, radius) in rows.iter().zip([0.5, 1.5, 2.5, 3.5].map(|s| 6.0 + s * lean.sin())) {
        near(row[5], 12.0 * 2.0 / (2.0 * PI * radius * 2.0), 1e-13);
    }
}

/// A lattice that leans by 30 degrees on a plane without end, and on a plane with bumps: the profile goes along the
/// surface.
#[test]
fn pressure_on_a_slope_is_along_the_slope() {
    let turn = glam::DQuat::from_rotation_z(PI / 6.0);
    let turned = |v: &mut [f64; 3]| *v = (turn * glam::DVec3::from_array(*v)).to_array();
    let mut frame = lattice(2, 4, [3.0, 5.0, 0.0]);
    frame.grains.position.iter_mut().for_each(turned);
    let contacts = &mut frame.contacts;
    contacts.normal.iter_mut().chain(&mut contacts.from).chain(&mut contacts.to).for_each(turned);
    // each grain pulls the floor down the slope with 1
    contacts.tangential_force.iter_mut().for_each(|force| *force = [1.0, 0.0, 0.0]);
    contacts.tangential_force.iter_mut().for_each(turned);
    let mut setting = setting(2);
    let mut normal = [0.0, 1.0, 0.0];
    turned(&mut normal);
    setting.forms[2] = WallForm::Plane { point: [0.0; 3], normal };
    let options = MeasureOptions { bins: 5, wall: Some("wall2".into()), ..MeasureOptions::default() };
    let rows = WallPressure.rows(&FrameView::whole(&frame, &setting, &options)).unwrap();
    for (k, row) in rows.iter().enumerate() {
        let s = 1.6 * (k as f64 + 0.5);
        near(row[1], s, 1e-13);
        near(row[2], s * (PI / 6.0).cos(), 1e-13);
        near(row[3], s * 0.5, 1e-13);
        near(row[4], 5.0 / (2.0 * DEPTH), 1e-13);
        near(row[5], -1.0 / (2.0 * DEPTH), 1e-13);
    }
}

#[test]
fn walls_have_moved() {
    for dimension in [2, 3] {
        let mut frame = lattice(dimension, 2, [1.0; 3]);
        frame.wall_states.displacement = (0..2 * dimension).map(|k| [k as f64, -0.5 * k as f64, 7.0]).collect();
        frame.wall_states.velocity = (0..2 * dimension).map(|k| [0.0, 3.0 + k as f64, 0.0]).collect();
        assert_eq!(whole(&WallMotion, &frame, "wall2_displacement_x"), 2.0);
        assert_eq!(whole(&WallMotion, &frame, "wall3_displacement_y"), -1.5);
        assert_eq!(whole(&WallMotion, &frame, "wall1_velocity_y"), 4.0);
        assert_eq!(rows(&WallMotion, &frame, &MeasureOptions::default())[0].len(), 4 * dimension * dimension);
    }
}

#[test]
fn discharge_counts_what_went_below() {
    let before = lattice(2, 4, [1.0; 3]);
    let mut frame = before.clone();
    frame.time = 0.5;
    frame.grains.position.iter_mut().for_each(|x| x[1] -= 2.0);
    let (setting, options) = (setting(2), MeasureOptions { below: Some((1, 2.0)), ..MeasureOptions::default() });
    let view = FrameView { before: Some(&before), ..FrameView::whole(&frame, &setting, &options) };
    assert_eq!(Discharge.rows(&view).unwrap(), [[16.0, 8.0, 16.0, 8.0]]);
    assert!(Discharge.rows(&FrameView { options: &MeasureOptions::default(), ..view }).is_err());
}

#[test]
fn a_pile_on_a_triangular_lattice_has_sixty_degrees_and_a_cone_its_own() {
    let mut frame = Frame { dimension: 2, ..Frame::default() };
    for j in 0..20 {
        for i in 0..20 - j {
            grain(&mut frame.grains, [2.0 * i as f64 + j as f64, 3.0_f64.sqrt() * j as f64, 0.0], 1.0);
        }
    }
    for column in ["angle_left", "angle_right", "angle"] {
        near(whole(&Repose, &frame, column), 60.0, 1e-12);
    }
    // small grains on a cone of 30 degrees: the columns of the grid see the highest of those that they hold
    let mut cone = Frame { dimension: 3, ..Frame::default() };
    for k in 0..40_000 {
        let (r, turn) = ((k as f64 + 0.5).sqrt() / 200.0, k as f64 * 2.399_963);
        grain(&mut cone.grains, [r * turn.cos(), r * turn.sin(), (1.0 - r) * 30_f64.to_radians().tan()], 1e-3);
    }
    near(whole(&Repose, &cone, "angle"), 30.0, 0.02);
}

#[test]
fn mixing_is_nought_apart_and_one_over_chance_in_order() {
    let mut frame = lattice(2, 10, [1.0; 3]);
    let paint = |frame: &mut Frame, by: fn(usize) -> usize| {
        (0..100).for_each(|k| frame.grains.material[k] = by(k) as u32 % 2);
    };
    // halves along cell borders: apart; columns in turn: every 2 x 2 cell has half and half
    let options = MeasureOptions { cells: Some([2, 5, 1]), ..MeasureOptions::default() };
    paint(&mut frame, |k| k % 10 / 5);
    near(number(&Mixing, &frame, &options, "mixing_index"), 0.0, 1e-14);
    paint(&mut frame, |k| k % 2);
    near(whole(&Mixing, &frame, "mixing_index"), 1.0 / (1.0 - 25.0 / 100.0), 1e-14);
    paint(&mut frame, |_| 0);
    let setting = setting(2);
    assert!(Mixing.rows(&FrameView::whole(&frame, &setting, &options)).is_err());
}

#[test]
fn shells_of_square_and_cubic_lattices() {
    // neighbours within 1.2, 1.5 and 2.1 distances: 4, 8, 12 in the plane, 6, 18, 33 in space (with 8 at sqrt 3)
    for (dimension, n, counts) in [(2, 12, [4.0, 8.0, 12.0]), (3, 8, [6.0, 18.0, 32.0])] {
        let frame = lattice(dimension, n, [1.0; 3]);
        let options = MeasureOptions { bins: 21, reach: 2.1, ..MeasureOptions::default() };
        let table = rows(&PairCorrelation, &frame, &options);
        near(table[11][3], counts[0], 0.0);
        near(table[14][3], counts[1], 0.0);
        near(table[20][3], counts[2], 0.0);
        // the first shell: z = rho g V
        let shell = if dimension == 2 { PI * (4.84 - 4.0) } else { 4.0 / 3.0 * PI * (2.2_f64.powi(3) - 8.0) };
        let density = 0.5_f64.powi(dimension as i32);
        near(table[10][2], counts[0] / (density * shell), 1e-10);
    }
}

#[test]
fn energies_of_a_fall_and_a_spin() {
    let first = lattice(3, 2, [0.0; 3]);
    let mut frame = first.clone();
    for k in 0..8 {
        frame.grains.position[k][2] -= 0.2; // 8 x 2 kg x 10 x 0.2 m = 32 J
        frame.grains.velocity[k] = [0.0, 0.0, -2.0]; // 32 J
        frame.grains.angular_velocity[k] = [1.0, 0.0, 0.0]; // 8 x 1/2 x 2/5 x 2 = 3.2 J, from the walls
    }
    (frame.wall_work, frame.dissipated) = (4.0, 0.5);
    let (setting, options) = (setting(3), MeasureOptions::default());
    let view = FrameView { first: Some(&first), ..FrameView::whole(&frame, &setting, &options) };
    let row = EnergyBalance.rows(&view).unwrap().remove(0);
    near(row[0], 3.2 + 0.5 - 4.0, 1e-12);
    let row = FrameMeasure::rows(&EnergyTerms, &view).unwrap().remove(0);
    near(row[0], 35.2, 1e-14);
    // a square stone: radius of gyration squared a^2 / 6
    let mut stone = lattice(2, 1, [0.0; 3]);
    stone.grains.outline = vec![0];
    stone.grains.outlines = vec![vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]];
    stone.grains.angular_velocity[0] = [0.0, 0.0, 3.0];
    near(whole(&EnergyTerms, &stone, "kinetic_energy"), 0.5 * 2.0 * (4.0 / 6.0) * 9.0, 1e-14);
}

#[test]
fn holes_of_lattices() {
    for (dimension, expected) in [(2, 2.0_f64.sqrt() - 1.0), (3, 3.0_f64.sqrt() - 1.0)] {
        let frame = lattice(dimension, 5, [1.0; 3]);
        near(whole(&Hole, &frame, "hole_radius"), expected, 1e-6);
        let mut frame = frame;
        let middle = frame.grains.id.len() / 2;
        frame.grains.mass[middle] = f64::INFINITY; // fixed grains are obstacles too
        near(whole(&Hole, &frame, "hole_radius"), expected, 1e-6);
        if dimension == 2 {
            // at t on the diagonal from a grain of radius 0.1: t - 0.1 = (4 - 2 sqrt 2 t + t^2)^1/2 - 1
            frame.grains.radius[middle] = 0.1;
            let t = (4.0 - 0.81) / (1.8 + 8.0_f64.sqrt());
            near(whole(&Hole, &frame, "hole_radius"), t - 0.1, 1e-6);
        }
    }
}

#[test]
fn fields_conserve_mass_momentum_and_stress() {
    for dimension in [2, 3] {
        let mut frame = lattice(dimension, 3, [3.0, 5.0, 7.0]);
        (0..frame.grains.id.len()).for_each(|k| frame.grains.velocity[k] = [0.1 * k as f64, 0.0, 0.0]);
        let mut options = region(-9.0, 15.0);
        options.width = 0.75;
        options.cells = Some([16; 3]);
        let table = rows(&CoarseField, &frame, &options);
        let (cell, depth) = (1.5_f64.powi(dimension as i32), if dimension == 2 { DEPTH } else { 1.0 });
        let sum = |of: &dyn Fn(&Vec<f64>) -> f64| table.iter().map(of).sum::<f64>() * cell * depth;
        let d = dimension;
        let count = frame.grains.id.len() as f64;
        // a midpoint rule with cells of one width is exact to e^(-2 pi^2) per axis
        near(sum(&|row| row[d]), 2.0 * count, 1e-6);
        near(
            sum(&|row| if row[d] > 0.0 { row[d] * row[d + 1] } else { 0.0 }),
            2.0 * 0.05 * count * (count - 1.0),
            1e-6,
        );
        near(sum(&|row| row[2 * d + 2]), count * 2.0 * 3.0, 1e-6);
        near(sum(&|row| row[2 * d + 2 + d + 1]), count * 2.0 * 5.0, 1e-6);
    }
}

#[test]
fn an_empty_region_and_a_frame_without_forces_are_named() {
    let frame = lattice(2, 3, [1.0; 3]);
    let (setting, away) = (setting(2), region(50.0, 60.0));
    for measure in Measures::ALL.iter().filter_map(|measure| measure.of_frame()) {
        let bare = Frame { dimension: 2, ..Frame::default() };
        let _ = measure.rows(&FrameView::whole(&bare, &setting, &MeasureOptions::default()));
    }
    let nothing = Stress.rows(&FrameView::whole(&frame, &setting, &away)).unwrap_err();
    assert_eq!(
        nothing.to_string(),
        "no grain that can move has its centre in x=50.000000..60.000000,y=50.000000..60.000000"
    );
    let still = Frame { contacts: Contacts::default(), ..frame };
    assert_eq!(Forces.rows(&FrameView::whole(&still, &setting, &MeasureOptions::default())), Err(Nothing::Contacts));
}

#[test]
fn polyhedra_are_refused_where_their_volume_counts() {
    let mut frame = lattice(3, 2, [1.0; 3]);
    frame.grains.outline = vec![0; 8];
    frame.grains.outlines = vec![vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, -1.0, -1.0]]];
    let (setting, options) = (setting(3), MeasureOptions::default());
    let view = FrameView::whole(&frame, &setting, &options);
    for measure in [&SolidFraction as &dyn FrameMeasure, &Porosity, &Profile, &Inertial, &Hole, &EnergyBalance] {
        assert!(matches!(measure.rows(&view), Err(Nothing::Lacks(what)) if what.contains("polyhedra")));
    }
}

/// A square of planes that is pressed in by a tenth along y and lets go by a fiftieth along x; and the same of a cell.
#[test]
fn strains_of_plates_and_of_a_cell() {
    let first = lattice(2, 4, [1.0; 3]);
    let mut now = first.clone();
    now.time = 1.0;
    let (setting, along_x) = (setting(2), MeasureOptions { axis: Some(0), ..MeasureOptions::default() });
    let strains = |first: &Frame, now: &Frame, options: &MeasureOptions| {
        Strain.rows(&FrameView { first: Some(first), ..FrameView::whole(now, &setting, options) })
    };
    let options = MeasureOptions::default();
    now.wall_states.displacement = vec![[0.1, 0.0, 0.0], [0.26, 0.0, 0.0], [0.0; 3], [0.0, -0.8, 0.0]];
    let expected = 1.0 - 1.02 * 0.9;
    let row = strains(&first, &now, &options).unwrap().remove(0);
    near(row[0], 0.1, 1e-14); // gravity is along y
    near(row[1], expected, 1e-14);
    near(strains(&first, &now, &along_x).unwrap()[0][0], -0.02, 1e-13);
    assert!(strains(&now, &first, &options).is_err(), "the frame is older than the one it would count from");
    // a wall that lets grains through is none: grains tell what becomes of the volume
    now.wall_states.open = vec![0, 1, 0, 0];
    now.grains.position.iter_mut().for_each(|[x, y, _]| (*x, *y) = (1.05 * *x + 0.2 * *y, 0.9 * *y - 0.1 * *x));
    let row = strains(&first, &now, &options).unwrap().remove(0);
    near(row[0], 0.1, 1e-14);
    near(row[1], 1.0 - (1.05 * 0.9 + 0.2 * 0.1), 1e-12);
    near(strains(&first, &now, &along_x).unwrap()[0][0], -0.05, 1e-12);
    // the cell counts before walls
    let cell = |lengths: [f64; 3]| {
        Some(crate::record::frame::CellState { is_periodic: [true, true, false], lengths, ..Default::default() })
    };
    let (mut first, mut now) = (first, now);
    (first.cell, now.cell) = (cell([8.0, 8.0, 0.0]), cell([8.8, 6.0, 0.0]));
    let row = strains(&first, &now, &options).unwrap().remove(0);
    near(row[0], 0.25, 1e-14);
    near(row[1], 1.0 - 1.1 * 0.75, 1e-13);
}
