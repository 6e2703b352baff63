//! Pictures of 3D frames: shaded spheres and polyhedra seen from the front and a little above, gravity pointing down
//! along −z.

use super::border;
use super::camera::{Camera, SAMPLES, pixel};
use super::chains;
use super::facet::{facets, fill};
use super::legend::{Entry, Sign, materials};
use super::links::{self, Placed};
use super::look::Look;
use super::palette::{self, Colour};
use super::raster::{Ball, nearest};
use super::room::{backdrop, wireframe};
use super::sheet::{MARGIN, Sheet};
use super::view::{Area, Bounds, View};
use super::{Balls, Grain, drawable_grains, is_drawable, mean_radius, parse, scale, shade};
use drystone::record::frame::Frame;
use resvg::tiny_skia::{IntSize, Pixmap, PixmapPaint, Transform};
use std::collections::BTreeSet;

/// The picture of a 3D frame.
pub(super) fn pixels(frame: &Frame, title: &str, look: &Look) -> Result<Pixmap, String> {
    let mut grains = drawable_grains(frame);
    border::add_images(frame, &mut grains);
    grains.retain(|g| look.shows_ball(g.position, g.radius));
    let links = links::placed(frame, &look.scene);
    let faces = projected_faces(frame, &look.camera);
    let view = view(&grains, &faces, &links, look);
    let (balls, colours, mut legend) = match look.has_forces(3) {
        true => chains::tubes(frame, &grains, look),
        false => {
            let (colours, legend) = painted(frame, &grains, look);
            let (balls, colours) = taken_apart(grains, &colours);
            grains = balls;
            (grains.iter().map(|g| (g.position, g.radius)).collect::<Vec<_>>(), colours, legend)
        }
    };
    legend.extend(links::legend(&links));
    let sheet = Sheet::new(frame, title, view.clone(), legend, look.dpi);
    let paper = sheet.paper();
    let mut pixels = paper.blank()?;
    let fine = view.magnified(paper.scale());
    let balls: Vec<Ball> = balls.into_iter().map(|(x, radius)| ball(x, radius, &look.camera, &fine)).collect();
    let [width, height] = fine.size.map(|s| s as usize * SAMPLES);
    let (round, facets) = match look.has_forces(3) {
        true => (balls.clone(), Vec::new()),
        false => {
            let of = |(ball, grain): (&Ball, &Grain)| match grain.faces.is_empty() {
                true => *ball,
                false => Ball { radius: 0.0, ..*ball },
            };
            (balls.iter().zip(&grains).map(of).collect(), facets(&grains, &look.camera, &fine))
        }
    };
    let mut samples = nearest(&round, width, height);
    fill(&facets, &mut samples, width);

    paper.render(&sheet.svg(&backdrop(&faces, &grains, &view, &look.camera)), &mut pixels)?;
    let shaded = shade::shade(&samples, width, &balls, &facets, &colours).into_flattened();
    let area = IntSize::from_wh(fine.size[0] as u32, fine.size[1] as u32);
    let place = [MARGIN, sheet.header_height()].map(|at| (at * paper.scale()).round());
    if let Some(area) = area.and_then(|size| Pixmap::from_vec(shaded, size)) {
        let paint = PixmapPaint::default();
        pixels.draw_pixmap(place[0] as i32, place[1] as i32, area.as_ref(), &paint, Transform::identity(), None);
    }
    let shift = Transform::from_translate(place[0] as f32, place[1] as f32);
    render(&wireframe(&faces, &samples, &fine, paper.scale()), shift, &mut pixels)?;
    let seen = |x: [f64; 3]| {
        let [right, up, _] = look.camera.project(x);
        view.pixel([right, up])
    };
    let scale = paper.scale() as f32;
    let lines = over(&links::svg(&links, &view, seen), &view);
    render(&lines, shift.pre_scale(scale, scale), &mut pixels)?;
    Ok(pixels)
}

/// Lines over the picture area as an SVG of their own.
fn over(lines: &str, view: &View) -> String {
    let [width, height] = view.size;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">\
         <clipPath id=\"p\"><rect width=\"{width}\" height=\"{height}\"/></clipPath><g clip-path=\"url(#p)\">{lines}</g></svg>"
    )
}

fn render(svg: &str, place: Transform, pixels: &mut Pixmap) -> Result<(), String> {
    resvg::render(&parse(svg)?, place, &mut pixels.as_mut());
    Ok(())
}

/// The faces of the walls as the eye sees them; those with a corner at infinity are left out.
pub(super) fn projected_faces(frame: &Frame, camera: &Camera) -> Vec<Vec<[f64; 3]>> {
    let drawable = frame.walls.iter().filter(|face| face.corners.iter().all(|&c| is_drawable(c)));
    drawable.map(|face| face.corners.iter().map(|&c| camera.project(c)).collect()).collect()
}

/// All grains with a margin of one radius, and the walls close by.
pub(super) fn view(grains: &[Grain], faces: &[Vec<[f64; 3]>], links: &[Placed], look: &Look) -> View {
    let (mut seen, mut walls) = (Bounds::NOTHING, Bounds::NOTHING);
    let area = Area::of(look.width);
    for [x, y, _] in links.iter().flat_map(|link| link.ends).map(|x| look.camera.project(x)) {
        seen.include([x, y], 0.0);
    }
    if let Some(room) = look.room {
        for corner in 0..8 {
            let [x, y, _] = look.camera.project(std::array::from_fn(|i| room[corner >> i & 1][i]));
            seen.include([x, y], 0.0);
        }
        return View::fit(seen, walls, mean_radius(grains), area);
    }
    for g in grains {
        let [x, y, _] = look.camera.project(g.position);
        seen.include([x, y], g.radius);
    }
    for &[x, y, _] in faces.iter().flatten().filter(|_| look.region.is_none()) {
        walls.include([x, y], 0.0);
    }
    View::fit(seen, walls, mean_radius(grains), area)
}

/// Balls of a capsule in pictures: their waists are not seen.
const IN_A_ROW: usize = 48;

/// Every ball of a clump as a grain of its own, with the colour of the clump; a capsule is a row of balls.
fn taken_apart(grains: Vec<Grain>, colours: &[Colour]) -> (Vec<Grain>, Vec<Colour>) {
    let (mut apart, mut painted) = (Vec::with_capacity(grains.len()), Vec::with_capacity(grains.len()));
    for (grain, colour) in grains.into_iter().zip(colours) {
        let balls: Vec<([f64; 3], f64)> = match &grain.balls {
            None => vec![(grain.position, grain.radius)],
            Some(Balls { centres, radii }) if centres.len() == radii.len() => {
                centres.iter().copied().zip(radii.iter().copied()).collect()
            }
            Some(Balls { centres: at, radii }) => {
                let along = |k: usize| {
                    let part = k as f64 / IN_A_ROW as f64;
                    std::array::from_fn(|axis| at[0][axis] + part * (at[1][axis] - at[0][axis]))
                };
                (0..=IN_A_ROW).map(|k| (along(k), radii[0])).collect()
            }
        };
        for (position, radius) in balls {
            apart.push(Grain { position, radius, ..grain.clone() });
            painted.push(*colour);
        }
    }
    (apart, painted)
}

fn ball(position: [f64; 3], radius: f64, camera: &Camera, view: &View) -> Ball {
    let centre = pixel(camera.project(position), view).map(|c| (c * SAMPLES as f64) as f32);
    Ball { centre, radius: (radius * view.scale) as f32 * SAMPLES as f32 }
}

/// Colours of the grains as they were asked for, and their legend.
fn painted(frame: &Frame, grains: &[Grain], look: &Look) -> (Vec<Colour>, Vec<Entry>) {
    let by_material = |g: &Grain| palette::sphere(g.material, g.fixed);
    match (look.paint(frame), look.by) {
        (Some((paint, legend)), _) => (grains.iter().map(|g| paint[g.index]).collect(), legend),
        (None, Some(_)) => {
            (grains.iter().map(by_material).collect(), materials(grains, &look.scene.materials, palette::sphere))
        }
        (None, None) => colours(grains, &look.scene.materials),
    }
}

/// Colours by material if there are several, else by height, and the legend to them. Fixed grains are darker.
fn colours(grains: &[Grain], names: &[String]) -> (Vec<Colour>, Vec<Entry>) {
    let kinds: BTreeSet<u32> = grains.iter().map(|g| g.material).collect();
    let heights = grains.iter().filter(|g| !g.fixed).map(|g| g.position[2]);
    let (low, high) = heights.fold((f64::MAX, f64::MIN), |(low, high), z| (low.min(z), high.max(z)));
    if kinds.len() == 1 && high - low > mean_radius(grains) {
        let label = format!("height {}", scale::lengths(low, high));
        let mut legend = vec![Entry { sign: Sign::Ramp, label }];
        legend.extend(materials(grains, names, palette::sphere));
        let by_height = |g: &Grain| match g.fixed {
            true => palette::sphere(g.material, true),
            false => palette::ramp((g.position[2] - low) / (high - low)),
        };
        return (grains.iter().map(by_height).collect(), legend);
    }
    let by_material = |g: &Grain| palette::sphere(g.material, g.fixed);
    (grains.iter().map(by_material).collect(), materials(grains, names, palette::sphere))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_material_is_coloured_by_height_several_by_name() {
        let grain = |z: f64, material| Grain {
            index: 0,
            position: [0.0, 0.0, z],
            radius: 1.0,
            orientation: [0.0, 0.0, 0.0, 1.0],
            material,
            fixed: false,
            corners: None,
            faces: Vec::new(),
            balls: None,
        };
        let (by_height, legend) = colours(&[grain(0.0, 0), grain(5.0, 0)], &[]);
        assert_eq!((by_height[0], by_height[1], legend.len()), (palette::ramp(0.0), palette::ramp(1.0), 1));
        let (by_name, legend) = colours(&[grain(0.0, 0), grain(5.0, 1)], &[]);
        assert_eq!((by_name[1], legend.len()), (palette::sphere(1, false), 2));
        assert!(colours(&[grain(0.0, 0)], &[]).1.is_empty());
        assert!(colours(&[], &[]).0.is_empty());
    }
}
