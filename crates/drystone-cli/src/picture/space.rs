//! Pictures of 3D frames: shaded spheres and polyhedra seen from the front and a little above, gravity pointing down along −z.

use super::camera::{SAMPLES, pixel, project};
use super::facet::{facets, fill};
use super::legend::{Entry, Sign, materials};
use super::palette::{self, Colour};
use super::raster::{Ball, nearest};
use super::room::{backdrop, wireframe};
use super::sheet::{HEADER, MARGIN, Sheet};
use super::view::{Bounds, View};
use super::{Grain, drawable_grains, encode, is_drawable, mean_radius, parse, scale, shade};
use drystone::record::frame::Frame;
use resvg::tiny_skia::{IntSize, Pixmap, PixmapPaint, Transform};
use std::collections::BTreeSet;

/// The picture of a 3D frame as a PNG file.
pub fn png(frame: &Frame, title: &str) -> Result<Vec<u8>, String> {
    let grains = drawable_grains(frame);
    let faces = projected_faces(frame);
    let view = view(&grains, &faces);
    let (colours, legend) = colours(&grains);
    let balls: Vec<Ball> = grains.iter().map(|g| ball(g, &view)).collect();
    let [width, height] = view.size.map(|s| s as usize * SAMPLES);
    let round: Vec<Ball> = balls
        .iter()
        .zip(&grains)
        .map(|(ball, grain)| Ball { radius: if grain.faces.is_empty() { ball.radius } else { 0.0 }, ..*ball })
        .collect();
    let mut samples = nearest(&round, width, height);
    let facets = facets(&grains, &view);
    fill(&facets, &mut samples, width);

    let sheet = Sheet::new(frame, title, view.clone(), legend);
    let mut pixels = blank(sheet.size())?;
    let paper = sheet.svg(&backdrop(&faces, &grains, &view));
    render(&paper, Transform::identity(), &mut pixels)?;
    let shaded = shade::shade(&samples, width, &balls, &facets, &colours).into_flattened();
    let area = IntSize::from_wh(view.size[0] as u32, view.size[1] as u32);
    if let Some(area) = area.and_then(|size| Pixmap::from_vec(shaded, size)) {
        let place = [MARGIN as i32, HEADER as i32];
        pixels.draw_pixmap(place[0], place[1], area.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    }
    let shift = Transform::from_translate(MARGIN as f32, HEADER as f32);
    render(&wireframe(&faces, &samples, &view), shift, &mut pixels)?;
    encode(&pixels)
}

fn blank([width, height]: [f64; 2]) -> Result<Pixmap, String> {
    Pixmap::new(width as u32, height as u32).ok_or_else(|| "the picture has no size".to_string())
}

fn render(svg: &str, place: Transform, pixels: &mut Pixmap) -> Result<(), String> {
    resvg::render(&parse(svg)?, place, &mut pixels.as_mut());
    Ok(())
}

/// The faces of the walls as the eye sees them; those with a corner at infinity are left out.
pub fn projected_faces(frame: &Frame) -> Vec<Vec<[f64; 3]>> {
    let drawable = frame.walls.iter().filter(|face| face.corners.iter().all(|&c| is_drawable(c)));
    drawable.map(|face| face.corners.iter().map(|&c| project(c)).collect()).collect()
}

/// All grains with a margin of one radius, and the walls close by.
pub fn view(grains: &[Grain], faces: &[Vec<[f64; 3]>]) -> View {
    let (mut seen, mut walls) = (Bounds::NOTHING, Bounds::NOTHING);
    for g in grains {
        let [x, y, _] = project(g.position);
        seen.include([x, y], g.radius);
    }
    for &[x, y, _] in faces.iter().flatten() {
        walls.include([x, y], 0.0);
    }
    View::fit(seen, walls, mean_radius(grains))
}

fn ball(grain: &Grain, view: &View) -> Ball {
    let centre = pixel(project(grain.position), view).map(|c| (c * SAMPLES as f64) as f32);
    Ball { centre, radius: (grain.radius * view.scale) as f32 * SAMPLES as f32 }
}

/// Colours by material if there are several, else by height, and the legend to them. Fixed grains are darker.
fn colours(grains: &[Grain]) -> (Vec<Colour>, Vec<Entry>) {
    let kinds: BTreeSet<u32> = grains.iter().map(|g| g.material).collect();
    let heights = grains.iter().filter(|g| !g.fixed).map(|g| g.position[2]);
    let (low, high) = heights.fold((f64::MAX, f64::MIN), |(low, high), z| (low.min(z), high.max(z)));
    if kinds.len() == 1 && high - low > mean_radius(grains) {
        let label = format!("height {}", scale::lengths(low, high));
        let mut legend = vec![Entry { sign: Sign::Ramp, label }];
        legend.extend(materials(grains, palette::sphere));
        let by_height = |g: &Grain| match g.fixed {
            true => palette::sphere(g.material, true),
            false => palette::ramp((g.position[2] - low) / (high - low)),
        };
        return (grains.iter().map(by_height).collect(), legend);
    }
    let by_material = |g: &Grain| palette::sphere(g.material, g.fixed);
    (grains.iter().map(by_material).collect(), materials(grains, palette::sphere))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_material_is_coloured_by_height_several_by_name() {
        let grain = |z: f64, material| Grain {
            position: [0.0, 0.0, z],
            radius: 1.0,
            orientation: [0.0, 0.0, 0.0, 1.0],
            material,
            fixed: false,
            corners: None,
            faces: Vec::new(),
        };
        let (by_height, legend) = colours(&[grain(0.0, 0), grain(5.0, 0)]);
        assert_eq!((by_height[0], by_height[1], legend.len()), (palette::ramp(0.0), palette::ramp(1.0), 1));
        let (by_name, legend) = colours(&[grain(0.0, 0), grain(5.0, 1)]);
        assert_eq!((by_name[1], legend.len()), (palette::sphere(1, false), 2));
        assert!(colours(&[grain(0.0, 0)]).1.is_empty());
        assert!(colours(&[]).0.is_empty());
    }
}
