//! Pictures of a frame: SVG or PNG in 2D, PNG in 3D.
//!
//! Every picture is the same sheet: title and counts above, grains in the middle, scale bar and legend below.
//! All lettering is drawn by strokes, so that a picture looks alike on machines without any fonts.

mod bands;
mod border;
pub(crate) mod camera;
mod chains;
mod facet;
mod force;
pub(crate) mod gif;
mod joints;
mod legend;
mod lettering;
pub(crate) mod limits;
mod links;
pub(crate) mod look;
pub(crate) mod palette;
pub(crate) mod paper;
mod plane;
pub(crate) mod plot;
mod quantity;
mod raster;
mod room;
mod scale;
pub(crate) mod scene;
mod shade;
mod sheet;
mod space;
mod view;

use std::path::Path;

use crate::Failure;
use drystone::record::frame::Frame;
use look::Look;
use resvg::{tiny_skia, usvg};

/// File format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Vector graphics, of 2D frames only.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// The format that the name of a file asks for.
    pub(crate) fn of(path: &Path) -> Result<Format, Failure> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(Failure::Usage(format!("{}: pictures end in .svg or .png", path.display()))),
        }
    }
}

/// Draws a frame as it is looked at and returns the content of the picture file.
///
/// Equal frames give equal bytes. Entries that are not finite are left out instead of spoiling the picture.
/// A 3D frame has no SVG: its spheres are shaded pixel by pixel.
pub(crate) fn draw(frame: &Frame, title: &str, format: Format, look: &Look) -> Result<Vec<u8>, String> {
    match (frame.dimension, format) {
        (2, Format::Svg) => Ok(plane::svg(frame, title, look).0.into_bytes()),
        (3, Format::Svg) => Err("a 3D frame cannot be drawn as SVG: use a file name that ends in .png".to_string()),
        // drawings have large even areas, which filters only spoil; light on balls has none
        (dimension, Format::Png) => {
            let filter = if dimension == 2 { png::Filter::NoFilter } else { png::Filter::Adaptive };
            encode(&pixels(frame, title, look)?, look.dpi.unwrap_or(paper::DPI), filter)
        }
        (other, Format::Svg) => Err(format!("a frame has 2 or 3 dimensions, this one has {other}")),
    }
}

/// Draws a frame as pixels.
pub(crate) fn pixels(frame: &Frame, title: &str, look: &Look) -> Result<tiny_skia::Pixmap, String> {
    match frame.dimension {
        2 => {
            let (svg, paper) = plane::svg(frame, title, look);
            let mut pixels = paper.blank()?;
            paper.render(&svg, &mut pixels)?;
            Ok(pixels)
        }
        3 => space::pixels(frame, title, look),
        other => Err(format!("a frame has 2 or 3 dimensions, this one has {other}")),
    }
}

/// A grain as pictures see it.
#[derive(Clone, Debug)]
struct Grain {
    /// Number in the columns of the frame.
    index: usize,
    position: [f64; 3],
    radius: f64,
    orientation: [f64; 4],
    material: u32,
    fixed: bool,
    /// Corners of a stone, where they are.
    corners: Option<Vec<[f64; 3]>>,
    /// Faces of a polyhedron: which corners each has.
    faces: Vec<Vec<u32>>,
    /// Balls of a clump, or the ends of a capsule.
    balls: Option<Balls>,
}

/// Balls of a clump, or the ends of a capsule, which have one radius.
#[derive(Clone, Debug)]
struct Balls {
    centres: Vec<[f64; 3]>,
    radii: Vec<f64>,
}

/// The grains that can be drawn: those with finite coordinates and a positive radius.
fn drawable_grains(frame: &Frame) -> Vec<Grain> {
    let g = &frame.grains;
    (0..g.position.len())
        .map(|i| Grain {
            index: i,
            position: g.position[i],
            radius: g.radius[i],
            orientation: g.orientation.get(i).copied().unwrap_or([0.0, 0.0, 0.0, 1.0]),
            material: g.material.get(i).copied().unwrap_or(0),
            fixed: g.mass.get(i).is_some_and(|m| m.is_infinite()),
            corners: g.orientation.get(i).and_then(|_| g.corners_now(i)).filter(|c| c.iter().all(|x| is_drawable(*x))),
            faces: g.faces(i).map(<[_]>::to_vec).unwrap_or_default(),
            balls: g
                .orientation
                .get(i)
                .and_then(|_| g.balls_now(i))
                .filter(|(at, _)| at.iter().all(|x| is_drawable(*x)))
                .map(|(centres, radii)| Balls { centres, radii: radii.to_vec() }),
        })
        .filter(|g| is_drawable(g.position) && g.radius > 0.0 && g.radius < FAR)
        .collect()
}

/// Lengths beyond this are treated like infinite ones [m]: sums and squares of shorter ones stay finite.
const FAR: f64 = 1e100;

/// Whether a point is finite, with room to compute.
fn is_drawable(point: [f64; 3]) -> bool {
    point.iter().all(|x| x.abs() < FAR)
}

/// Mean radius of the grains that move, of all if none does, [m]; 0 without grains.
fn mean_radius(grains: &[Grain]) -> f64 {
    let mean = |only_free: bool| {
        let radii = grains.iter().filter(|g| !(only_free && g.fixed)).map(|g| g.radius);
        let (n, sum) = radii.fold((0, 0.0), |(n, sum), r| (n + 1, sum + r));
        (n > 0).then(|| sum / f64::from(n))
    };
    mean(true).or_else(|| mean(false)).unwrap_or(0.0)
}

/// Reads SVG text.
fn parse(svg: &str) -> Result<usvg::Tree, String> {
    usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|e| format!("the picture is not valid SVG: {e}"))
}

/// Writes opaque pixels as a PNG file that knows how large they are on paper.
fn encode(pixels: &tiny_skia::Pixmap, dpi: f64, filter: png::Filter) -> Result<Vec<u8>, String> {
    let rgb: Vec<u8> = pixels.data().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(filter);
    let to_the_metre = (dpi / 0.0254).round() as u32;
    let size = png::PixelDimensions { xppu: to_the_metre, yppu: to_the_metre, unit: png::Unit::Meter };
    encoder.set_pixel_dims(Some(size));
    let written = encoder.write_header().and_then(|mut png| {
        png.write_image_data(&rgb)?;
        png.finish()
    });
    written.map_err(|e| format!("the picture cannot be encoded as PNG: {e}"))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::record::frame::{Face, Grains};

    /// A row of touching grains on a floor, with one contact of force 1 N between neighbours.
    pub(super) fn row(dimension: usize, count: usize) -> Frame {
        let mut frame = Frame { dimension, ..Frame::default() };
        let height = |h: f64| {
            if dimension == 2 { [0.0, h, 0.0] } else { [0.0, 0.0, h] }
        };
        for i in 0..count {
            let mut position = height(1.0);
            position[0] = 2.0 * i as f64;
            let g = &mut frame.grains;
            g.position.push(position);
            g.radius.push(1.0);
            g.velocity.push([0.0; 3]);
            g.angular_velocity.push([0.0; 3]);
            g.orientation.push([0.0, 0.0, 0.0, 1.0]);
            g.mass.push(if i == 0 { f64::INFINITY } else { 1.0 });
            g.id.push(i as u32);
            g.material.push((i % 2) as u32);
            if i > 0 {
                let c = &mut frame.contacts;
                c.from.push(frame.grains.position[i - 1]);
                c.to.push(position);
                c.a.push(i as i32 - 1);
                c.b.push(i as i32);
                c.normal.push([1.0, 0.0, 0.0]);
                c.normal_force.push(1.0);
                c.tangential_force.push([0.0; 3]);
                c.gap.push(0.0);
                c.regime.push(1);
            }
        }
        let corners = match dimension {
            2 => vec![[-9.0, 0.0, 0.0], [99.0, 0.0, 0.0]],
            _ => vec![[-9.0, -9.0, 0.0], [99.0, -9.0, 0.0], [99.0, 9.0, 0.0], [-9.0, 9.0, 0.0]],
        };
        frame.walls.push(Face { wall: 0, corners });
        frame
    }

    fn size_of_png(file: &[u8]) -> (u32, u32) {
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        reader.info().size()
    }

    #[test]
    fn svg_is_well_formed_for_any_number_of_grains_and_any_title() {
        for count in [0, 1, 2, 40] {
            let svg = draw(&row(2, count), "a < b & \"c\" ü 粒 ]]>", Format::Svg, &Look::default()).unwrap();
            let svg = String::from_utf8(svg).unwrap();
            assert!(parse(&svg).is_ok(), "{count} grains");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{count} grains");
        }
    }

    #[test]
    fn png_is_about_as_wide_as_promised() {
        for dimension in [2, 3] {
            let (width, height) = size_of_png(&draw(&row(dimension, 5), "row", Format::Png, &Look::default()).unwrap());
            assert_eq!(width, 1600);
            assert!((400..=1800).contains(&height));
        }
    }

    #[test]
    fn empty_frame_gives_a_picture() {
        for dimension in [2, 3] {
            let empty = Frame { dimension, ..Frame::default() };
            assert!(draw(&empty, "", Format::Png, &Look::default()).is_ok());
        }
    }

    #[test]
    fn broken_numbers_are_left_out() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 1e50] {
            for dimension in [2, 3] {
                let mut frame = row(dimension, 6);
                frame.time = bad;
                frame.grains.position[1][0] = bad;
                frame.grains.radius[2] = bad;
                frame.grains.orientation[3] = [bad; 4];
                frame.contacts.normal_force[3] = bad;
                frame.contacts.from[4][1] = bad;
                frame.walls[0].corners[1][0] = bad;
                assert!(draw(&frame, "broken", Format::Png, &Look::default()).is_ok());
                if dimension == 2 {
                    let svg =
                        String::from_utf8(draw(&frame, "broken", Format::Svg, &Look::default()).unwrap()).unwrap();
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{bad}");
                }
            }
        }
    }

    #[test]
    fn grains_without_radius_or_columns_that_are_missing_do_not_panic() {
        let grains = Grains { position: vec![[0.0; 3]; 2], radius: vec![0.0, 1.0], ..Grains::default() };
        for dimension in [2, 3] {
            let frame = Frame { dimension, grains: grains.clone(), ..Frame::default() };
            assert!(draw(&frame, "bare", Format::Png, &Look::default()).is_ok());
        }
    }

    #[test]
    fn svg_in_3d_is_refused_with_advice() {
        let refusal = draw(&row(3, 1), "", Format::Svg, &Look::default()).unwrap_err();
        assert!(refusal.contains(".png"), "{refusal}");
    }

    #[test]
    fn equal_frames_give_equal_bytes() {
        for dimension in [2, 3] {
            let frame = row(dimension, 30);
            let look = Look::default();
            assert_eq!(draw(&frame, "a", Format::Png, &look), draw(&frame, "a", Format::Png, &look));
        }
    }
}
