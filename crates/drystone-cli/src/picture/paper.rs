//! The paper that a figure is printed on: its size and its resolution.
//!
//! Everything is laid out in units of 1/180 inch. Letters of 20 units are 8 points high, as journals want them, whatever
//! the size of the paper: a smaller figure has fewer ticks, not smaller letters.

use resvg::tiny_skia::{Pixmap, Transform};

use super::{encode, parse};

/// Units of the layout to the inch.
const UNITS: f64 = 180.0;
/// Pixels to the inch if nothing else is said.
pub(crate) const DPI: f64 = UNITS;
/// Pixels of the largest picture: an A3 poster at 600 to the inch. Beyond it memory runs out.
const MOST_PIXELS: f64 = 7.5e7;
/// Millimetres to the inch.
const INCH: f64 = 25.4;

/// Paper of some size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Paper {
    /// Width and height [units].
    pub size: [f64; 2],
    /// Pixels to the inch.
    pub dpi: f64,
}

impl Paper {
    /// Paper of so many units, at one pixel to the unit.
    pub(crate) const fn new(size: [f64; 2]) -> Paper {
        Paper { size, dpi: DPI }
    }

    /// The opening tag of an SVG of this size, whose coordinates are units.
    pub(super) fn open(&self) -> String {
        let [width, height] = self.size;
        let [wide, high] = self.size.map(|units| format!("{:.2}", units / UNITS * INCH));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {width} {height}\">\n"
        )
    }

    /// Pixels to the unit.
    pub(super) fn scale(&self) -> f64 {
        self.dpi / UNITS
    }

    /// Paper without anything on it.
    pub(super) fn blank(&self) -> Result<Pixmap, String> {
        let [width, height] = self.size.map(|units| (units * self.scale()).round().max(1.0) as u32);
        let too_large = || format!("a picture of {width} x {height} pixels is too large: choose a smaller --dpi");
        if f64::from(width) * f64::from(height) > MOST_PIXELS {
            return Err(too_large());
        }
        Pixmap::new(width, height).ok_or_else(too_large)
    }

    /// Draws SVG text of this paper on pixels of its size.
    pub(super) fn render(&self, svg: &str, pixels: &mut Pixmap) -> Result<(), String> {
        let tree = parse(svg)?;
        let [x, y] = [pixels.width() as f32 / tree.size().width(), pixels.height() as f32 / tree.size().height()];
        resvg::render(&tree, Transform::from_scale(x, y), &mut pixels.as_mut());
        Ok(())
    }

    /// A PNG file of SVG text of this paper.
    pub(super) fn png(&self, svg: &str) -> Result<Vec<u8>, String> {
        let mut pixels = self.blank()?;
        self.render(svg, &mut pixels)?;
        encode(&pixels, self.dpi, png::Filter::NoFilter)
    }
}

/// Units of a length on paper: `86 mm`, `8.6cm`, `3.4 in`.
pub(crate) fn units(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}`: a length on paper is written like 86mm, 8.6cm or 3.4in");
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(split);
    let size = match unit.trim() {
        "mm" => 1.0,
        "cm" => 10.0,
        "in" => INCH,
        _ => return Err(wrong()),
    };
    let length: f64 = number.trim().parse().map_err(|_| wrong())?;
    match length * size {
        mm if (30.0..=2000.0).contains(&mm) => Ok((mm / INCH * UNITS).round()),
        _ => Err(format!("`{text}`: figures are 30 mm to 2 m wide and high")),
    }
}

/// Width of a picture, which needs room for its legend.
pub(crate) fn width(text: &str) -> Result<f64, String> {
    const LEAST: f64 = 50.0;
    match units(text)? {
        wide if wide >= LEAST / INCH * UNITS => Ok(wide),
        _ => Err(format!("`{text}`: the legend of a picture needs {LEAST} mm")),
    }
}

/// Width and height in units: `86x60mm`, `8.6x6 cm`, `86mm x 60mm`.
pub(crate) fn size(text: &str) -> Result<[f64; 2], String> {
    let (width, height) =
        text.split_once('x').ok_or_else(|| format!("`{text}`: a size is written like 86x60mm or 8.6x6cm"))?;
    let unit = &height[height.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(height.len())..];
    let bare = !width.contains(|c: char| c.is_ascii_alphabetic());
    let width = if bare { format!("{width}{unit}") } else { width.to_string() };
    Ok([units(&width)?, units(height)?])
}

/// Pixels to the inch.
pub(crate) fn dpi(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(dpi) if (20.0..=2400.0).contains(&dpi) => Ok(dpi),
        _ => Err("pixels to the inch are a number from 20 to 2400, such as 300".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_lengths_of_paper() {
        assert_eq!(size("86x60mm"), size("8.6 cm x 60 mm"));
        assert_eq!(size("2.54x5.08cm").map(|_| ()), Err("`2.54cm`: figures are 30 mm to 2 m wide and high".into()));
        assert_eq!(size("3x4in"), Ok([540.0, 720.0]));
        assert!(width("49mm").is_err() && width("51mm").is_ok());
        assert!(size("800x600").is_err() && size("8cm").is_err() && units("8 kg").is_err() && dpi("0").is_err());
    }

    #[test]
    fn pictures_beyond_the_memory_are_refused() {
        assert!(Paper { size: [14000.0, 14000.0], dpi: 2400.0 }.blank().unwrap_err().contains("--dpi"));
    }

    #[test]
    fn a_png_has_as_many_pixels_as_its_resolution_says() {
        let paper = Paper { size: [360.0, 180.0], dpi: 300.0 };
        let svg = paper.open() + "</svg>";
        let file = paper.png(&svg).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        assert_eq!(reader.info().size(), (600, 300));
        // 300 to the inch are 11811 to the metre
        assert_eq!(reader.info().pixel_dims.unwrap().xppu, 11811);
    }
}
