//! A stroke alphabet: letters as SVG paths.
//!
//! Pictures need no fonts, neither when they are made nor when they are looked at.
//! Units: capitals are 14 high, small letters 10, the baseline is y = 0 and y points down, as in SVG.

use super::palette::{Colour, hex};
use std::fmt::Write;

/// Units to the em: a letter of size s px is drawn at scale s / EM.
const EM: f64 = 20.0;
/// Space between two letters.
const GAP: f64 = 3.6;
/// Width of a blank.
const BLANK: f64 = 3.0;
/// Size and height of raised digits.
const SMALL: f64 = 0.66;
const LIFT: f64 = -6.4;

/// How a line of text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Size of the em [px].
    pub size: f64,
    /// Thickness of the strokes, in units of 1/20 em.
    pub weight: f64,
    /// Colour of the strokes.
    pub colour: Colour,
}

/// Width of a line of text [px].
pub(super) fn width(text: &str, style: Style) -> f64 {
    let units: f64 = text.chars().map(|c| advance(c) + GAP).sum();
    (units - GAP).max(0.0) * style.size / EM
}

/// Writes a line of text with its left end at x and its baseline at y [px].
pub(super) fn write(svg: &mut String, text: &str, [x, y]: [f64; 2], style: Style) {
    let _ = write!(
        svg,
        r#"<g transform="translate({x:.2} {y:.2}) scale({:.4})" stroke="{}" stroke-width="{}" fill="none" stroke-linecap="round" stroke-linejoin="round">"#,
        style.size / EM,
        hex(style.colour),
        style.weight
    );
    let mut at = 0.0;
    for c in text.chars() {
        let (_, path) = glyph(raised(c).unwrap_or(c));
        if !path.is_empty() {
            let place = match raised(c) {
                None => format!("translate({at:.1})"),
                Some(_) => format!("translate({at:.1} {LIFT}) scale({SMALL})"),
            };
            let _ = write!(svg, r#"<path transform="{place}" d="{path}"/>"#);
        }
        at += advance(c) + GAP;
    }
    svg.push_str("</g>\n");
}

/// Writes a line of text upwards, with its left end at y and its baseline at x [px].
pub(super) fn write_upwards(svg: &mut String, text: &str, [x, y]: [f64; 2], style: Style) {
    let _ = writeln!(svg, r#"<g transform="translate({x:.2} {y:.2}) rotate(-90)">"#);
    write(svg, text, [0.0, 0.0], style);
    svg.push_str("</g>\n");
}

/// The style, smaller if the text is longer than `limit` px otherwise, but not below a size.
pub(super) fn fitted(text: &str, limit: f64, least: f64, style: Style) -> Style {
    Style { size: (style.size * limit / width(text, style).max(1.0)).clamp(least, style.size), ..style }
}

/// An exponent in raised digits.
pub(super) fn superscript(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| c.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    exponent.to_string().chars().map(raise).collect()
}

/// The character that a raised one shows.
fn raised(c: char) -> Option<char> {
    let found = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars().position(|other| other == c)?;
    "0123456789−".chars().nth(found)
}

fn advance(c: char) -> f64 {
    raised(c).map_or_else(|| glyph(c).0, |below| SMALL * glyph(below).0)
}

/// The text, shortened to what fits into `limit` px.
pub(super) fn shortened(text: &str, limit: f64, style: Style) -> String {
    if width(text, style) <= limit {
        return text.to_string();
    }
    let mut letters: Vec<char> = text.chars().collect();
    loop {
        let short = letters.iter().collect::<String>().trim_end().to_string() + "...";
        if letters.is_empty() || width(&short, style) <= limit {
            return short;
        }
        letters.pop();
    }
}

/// Width and path of a character; a box for those without a glyph.
fn glyph(c: char) -> (f64, &'static str) {
    match c {
        ' ' | '\t' | '\u{a0}' => (BLANK, ""),
        '0' => (9.0, "M4.5-14A4.5 7 0 1 0 4.5 0A4.5 7 0 1 0 4.5-14"),
        '1' => (6.0, "M.8-11.2L4.8-14V0"),
        '2' => (9.0, "M.4-10.6C.7-12.8 2.3-14 4.5-14C7-14 8.6-12.4 8.6-10.1C8.6-6.6 3.5-3.6 .2 0H9"),
        '3' => (
            8.7,
            "M.6-12C1.3-13.3 2.6-14 4.2-14C6.5-14 8-12.6 8-10.6C8-8.6 6.5-7.3 4.2-7.3H3.2M4.2-7.3C7-7.3 8.7-5.8 8.7-3.7C8.7-1.4 7 0 4.3 0C2.3 0 .8-.8 0-2.4",
        ),
        '4' => (9.4, "M7 0V-14L0-4H9.4"),
        '5' => (
            8.9,
            "M8.2-14H1.6L.9-7.6C1.9-8.5 3-8.9 4.4-8.9C7.1-8.9 8.9-7.1 8.9-4.5C8.9-1.8 7 0 4.2 0C2.2 0 .7-.8 0-2.2",
        ),
        '6' => (8.9, "M.1-4.6A4.4 4.6 0 1 1 8.9-4.6A4.4 4.6 0 1 1 .1-4.6C.1-10.6 1.9-14 5.1-14C6.1-14 7-13.6 7.8-12.9"),
        '7' => (9.0, "M0-14H9L3.2 0"),
        '8' => (
            9.0,
            "M4.5-14A3.5 3.4 0 1 0 4.5-7.2A3.5 3.4 0 1 0 4.5-14M4.5-7.2A4.4 3.6 0 1 0 4.5 0A4.4 3.6 0 1 0 4.5-7.2",
        ),
        '9' => (8.9, "M8.9-9.4A4.4 4.6 0 1 1 .1-9.4A4.4 4.6 0 1 1 8.9-9.4C8.9-3.4 7.1 0 3.9 0C2.9 0 2-.4 1.2-1.1"),
        'A' => (11.0, "M0 0L5.5-14L11 0M2-5H9"),
        'B' => (9.0, "M0 0V-14H5a3.5 3.5 0 0 1 0 7H0M5-7H5.5a3.5 3.5 0 0 1 0 7H0"),
        'C' => (10.6, "M10.6-11.5A6 7 0 1 0 10.6-2.5"),
        'D' => (10.0, "M0 0V-14H4a6 7 0 0 1 0 14Z"),
        'E' => (8.0, "M8-14H0V0H8M0-7.2H7"),
        'F' => (8.0, "M8-14H0V0M0-7H7"),
        'G' => (12.0, "M10.6-11.5A6 7 0 1 0 12-6.6H7"),
        'H' => (10.0, "M0 0V-14M10 0V-14M0-7.2H10"),
        'I' => (0.0, "M0 0V-14"),
        'J' => (6.0, "M6-14V-3.5A3 3.5 0 0 1 0-3.5"),
        'K' => (9.0, "M0 0V-14M9-14L0-5M3.2-8.2L9 0"),
        'L' => (7.5, "M0-14V0H7.5"),
        'M' => (12.0, "M0 0V-14L6-4L12-14V0"),
        'N' => (10.0, "M0 0V-14L10 0V-14"),
        'O' => (12.0, "M6-14A6 7 0 1 0 6 0A6 7 0 1 0 6-14"),
        'P' => (9.0, "M0 0V-14H5a4 4 0 0 1 0 8H0"),
        'Q' => (12.0, "M6-14A6 7 0 1 0 6 0A6 7 0 1 0 6-14M7.5-4L12 1"),
        'R' => (9.0, "M0 0V-14H5a3.8 3.8 0 0 1 0 7.6H0M4.5-6.4L9 0"),
        'S' => (
            8.4,
            "M8-11.6C7.3-13.2 6-14 4.3-14C2-14 .4-12.6 .4-10.6C.4-6 8.4-8.4 8.4-3.8C8.4-1.4 6.7 0 4.3 0C2.2 0 .7-.9 0-2.8",
        ),
        'T' => (10.0, "M0-14H10M5-14V0"),
        'U' => (10.0, "M0-14V-5A5 5 0 0 0 10-5V-14"),
        'V' => (11.0, "M0-14L5.5 0L11-14"),
        'W' => (16.0, "M0-14L4 0L8-12L12 0L16-14"),
        'X' => (10.0, "M0-14L10 0M10-14L0 0"),
        'Y' => (10.0, "M0-14L5-7L10-14M5-7V0"),
        'Z' => (9.5, "M0-14H9.5L0 0H9.5"),
        'a' => (8.5, "M8.5-10V0M8.5-5A4.25 5 0 1 0 0-5A4.25 5 0 1 0 8.5-5"),
        'b' => (8.5, "M0-15V0M0-5A4.25 5 0 1 1 8.5-5A4.25 5 0 1 1 0-5"),
        'c' => (7.7, "M7.7-8.5A4.5 5 0 1 0 7.7-1.5"),
        'd' => (8.5, "M8.5-15V0M8.5-5A4.25 5 0 1 0 0-5A4.25 5 0 1 0 8.5-5"),
        'e' => (9.0, "M0-5.2H9A4.5 5 0 1 0 7.9-1.7"),
        'f' => (5.2, "M5.6-14.6C3-15.4 2-14 2-11.8V0M0-10H5"),
        'g' => (8.5, "M8.5-5A4.25 5 0 1 0 0-5A4.25 5 0 1 0 8.5-5M8.5-10V.2C8.5 2.8 7 4.4 4.4 4.4C2.8 4.4 1.5 3.9 .6 3"),
        'h' => (8.0, "M0-15V0M0-6A4 4 0 0 1 8-6V0"),
        'i' => (0.2, "M0-10V0M0-14H.2"),
        'j' => (2.2, "M2-10V1.5C2 3.4 1.2 4.4-.5 4.4M2-14H2.2"),
        'k' => (7.5, "M0-15V0M7-10L0-3.6M2.6-6L7.5 0"),
        'l' => (0.0, "M0-15V0"),
        'm' => (13.0, "M0-10V0M0-6.5A3.25 3.5 0 0 1 6.5-6.5V0M6.5-6.5A3.25 3.5 0 0 1 13-6.5V0"),
        'n' => (8.0, "M0-10V0M0-6A4 4 0 0 1 8-6V0"),
        'o' => (9.0, "M4.5-10A4.5 5 0 1 0 4.5 0A4.5 5 0 1 0 4.5-10"),
        'p' => (8.5, "M0-10V4.6M0-5A4.25 5 0 1 1 8.5-5A4.25 5 0 1 1 0-5"),
        'q' => (8.5, "M8.5-10V4.6M8.5-5A4.25 5 0 1 0 0-5A4.25 5 0 1 0 8.5-5"),
        'r' => (4.6, "M0-10V0M0-6C.3-8.6 2-10.2 4.8-9.9"),
        's' => {
            (7.0, "M6.7-8.3C6.1-9.4 5-10 3.5-10C1.7-10 .5-9 .5-7.6C.5-4.2 7-6 7-2.6C7-1 5.6 0 3.6 0C1.9 0 .6-.7 0-2")
        }
        't' => (5.0, "M2-13.5V-2.8C2-.8 3 .1 5.2-.2M0-10H5"),
        'u' => (8.0, "M8-10V0M0-10V-4A4 4 0 0 0 8-4"),
        'µ' | 'μ' => (8.0, "M8-10V0M0-10V4.6M0-10V-4A4 4 0 0 0 8-4"),
        'v' => (8.0, "M0-10L4 0L8-10"),
        'w' => (12.0, "M0-10L3 0L6-9L9 0L12-10"),
        'x' => (7.5, "M0-10L7.5 0M7.5-10L0 0"),
        'y' => (8.0, "M0-10L4 0M8-10L3.6 1C2.8 3.2 2 4.4 .3 4.4"),
        'z' => (7.0, "M0-10H7L0 0H7"),
        'ä' => (8.5, "M8.5-10V0M8.5-5A4.25 5 0 1 0 0-5A4.25 5 0 1 0 8.5-5M2-13.6H2.2M6.4-13.6H6.6"),
        'ö' => (9.0, "M4.5-10A4.5 5 0 1 0 4.5 0A4.5 5 0 1 0 4.5-10M2.2-13.6H2.4M6.6-13.6H6.8"),
        'ü' => (8.0, "M8-10V0M0-10V-4A4 4 0 0 0 8-4M1.9-13.6H2.1M6-13.6H6.2"),
        'Ä' => (11.0, "M0 0L5.5-14L11 0M2-5H9M2.2-16H2.4M8.6-16H8.8"),
        'Ö' => (12.0, "M6-14A6 7 0 1 0 6 0A6 7 0 1 0 6-14M3.4-17H3.6M8.4-17H8.6"),
        'Ü' => (10.0, "M0-14V-5A5 5 0 0 0 10-5V-14M2.9-16.5H3.1M6.9-16.5H7.1"),
        'ß' => (8.0, "M0 0V-11A4 4 0 0 1 7-11C7-8.4 4-8.4 4-8.2C8-7.6 8.4-5.6 8.4-4C8.4-1.4 6.4 0 3.6 0"),
        'é' | 'è' | 'ê' | 'ë' => (9.0, "M0-5.2H9A4.5 5 0 1 0 7.9-1.7M3.8-12.4L6-15"),
        'á' | 'à' | 'â' | 'å' => glyph('a'),
        'ó' | 'ò' | 'ô' | 'ø' => glyph('o'),
        'ñ' => glyph('n'),
        'ç' => glyph('c'),
        'Δ' => (11.0, "M0 0L5.5-14L11 0Z"),
        'π' => (9.0, "M0-10H9M2.4-10V0M6.8-10V0"),
        'ε' => (
            6.8,
            "M6.6-8.6C5.9-9.5 4.9-10 3.6-10C1.9-10 .6-9 .6-7.6C.6-6.2 1.8-5.3 3.6-5.3C1.6-5.3 .2-4.3 .2-2.7C.2-1 1.6 0 3.6 0C5 0 6-.5 6.8-1.5",
        ),
        '.' | '·' => (0.4, if c == '.' { "M0-.2H.4" } else { "M0-6H.4" }),
        '…' => (10.4, "M0-.2H.4M5-.2H5.4M10-.2H10.4"),
        ',' => (1.0, "M.9-.4L0 2.6"),
        ':' => (0.4, "M0-8.6H.4M0-.6H.4"),
        ';' => (1.0, "M.6-8.6H1M.9-.4L0 2.6"),
        '!' => (0.4, "M.2-14V-4.4M0-.2H.4"),
        '?' => (7.6, "M0-10.8C.2-12.8 1.8-14 3.8-14C6-14 7.6-12.6 7.6-10.6C7.6-7.6 3.8-7.6 3.8-4.4M3.6-.2H4"),
        '\'' | '’' | '‘' => (0.0, "M0-15V-11.4"),
        '"' | '“' | '”' => (3.6, "M0-15V-11.4M3.6-15V-11.4"),
        '(' => (3.6, "M3.6-16C-1.2-10-1.2-4 3.6 2.6"),
        ')' => (3.6, "M0-16C4.8-10 4.8-4 0 2.6"),
        '[' => (3.6, "M3.6-16H0V2.6H3.6"),
        ']' => (3.6, "M0-16H3.6V2.6H0"),
        '{' => (4.6, "M4.6-16C1-16 3.4-7.4 0-6.7C3.4-6 1 2.6 4.6 2.6"),
        '}' => (4.6, "M0-16C3.6-16 1.2-7.4 4.6-6.7C1.2-6 3.6 2.6 0 2.6"),
        '<' => (8.0, "M8-10.6L0-6L8-1.4"),
        '>' => (8.0, "M0-10.6L8-6L0-1.4"),
        '=' => (8.4, "M0-8.2H8.4M0-4H8.4"),
        '+' => (8.4, "M0-6H8.4M4.2-10.2V-1.8"),
        '±' => (8.4, "M0-7.4H8.4M4.2-11.6V-3.2M0 0H8.4"),
        '-' => (5.0, "M0-5.4H5"),
        '−' | '–' => (8.0, "M0-5.4H8"),
        '—' => (13.0, "M0-5.4H13"),
        '×' => (6.4, "M0-9.2L6.4-2.8M6.4-9.2L0-2.8"),
        '°' => (4.4, "M2.2-14.4a2.2 2.2 0 1 0 .01 0Z"),
        '/' => (7.0, "M0 1.6L7-15.6"),
        '\\' => (7.0, "M7 1.6L0-15.6"),
        '|' => (0.0, "M0-16V2.6"),
        '_' => (9.0, "M0 2.4H9"),
        '*' => (6.4, "M3.2-14V-7.4M.3-12.4L6.1-9M6.1-12.4L.3-9"),
        '#' => (10.0, "M3.6-14L1.6 0M8.4-14L6.4 0M.6-9.4H10M0-4.6H9.4"),
        '%' => (12.6, "M2.8-14a2.8 3.2 0 1 0 .01 0ZM9.8-6.4a2.8 3.2 0 1 0 .01 0ZM10.8-14L1.8 0"),
        '&' => (
            11.0,
            "M11 0L2.8-9.6C.8-12 2.2-14 4.4-14C6.6-14 7.8-12 6.4-10.2C5-8.4 0-7.4 0-3.6C0-1.4 1.8 0 4.2 0C7.4 0 9.6-2.4 10.2-6",
        ),
        '@' => (
            14.0,
            "M10-8.4V-5C10-2.6 14-2.4 14-6.6C14-11 11-14 7-14C3-14 0-11 0-6.4C0-2 3 1 7 1C8.6 1 10 .6 11 0M10-6.4a3 3 0 1 0-6 0a3 3 0 1 0 6 0",
        ),
        '^' => (6.4, "M0-10.6L3.2-14.6L6.4-10.6"),
        '~' => (8.6, "M0-5C1.4-8 3-7 4.3-6C5.6-5 7.2-4 8.6-7"),
        '`' => (2.0, "M0-15L2-12"),
        '$' => (
            8.4,
            "M8-11.6C7.3-13.2 6-14 4.3-14C2-14 .4-12.6 .4-10.6C.4-6 8.4-8.4 8.4-3.8C8.4-1.4 6.7 0 4.3 0C2.2 0 .7-.9 0-2.8M4.3-16V2",
        ),
        _ => (8.0, "M0 0V-13H8V0Z"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{palette::INK, parse};
    use super::*;

    const PLAIN: Style = Style { size: 20.0, weight: 1.6, colour: INK };

    #[test]
    fn every_printable_ascii_character_has_its_own_valid_glyph() {
        for c in '!'..='~' {
            let (_, path) = glyph(c);
            assert_ne!(path, glyph('粒').1, "{c} has no glyph");
            assert!(c == 'I' || c == 'l' || c == '|' || c == '\'' || glyph(c).0 > 0.0);
            let mut svg = String::from(r#"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30">"#);
            write(&mut svg, &c.to_string(), [5.0, 20.0], PLAIN);
            svg.push_str("</svg>");
            let tree = parse(&svg).unwrap();
            assert!(tree.root().has_children(), "{c} draws nothing");
        }
    }

    #[test]
    fn raised_digits_are_small_and_have_glyphs() {
        assert_eq!(superscript(-13), "⁻¹³");
        assert!(width("10⁻⁶", PLAIN) < width("10−6", PLAIN));
        let mut svg = String::new();
        write(&mut svg, "²", [0.0, 0.0], PLAIN);
        assert!(svg.contains(glyph('2').1));
    }

    #[test]
    fn long_text_is_shortened_to_fit() {
        assert_eq!(shortened("heap", 500.0, PLAIN), "heap");
        let short = shortened(&"sand ".repeat(100), 300.0, PLAIN);
        assert!(short.ends_with("..."));
        assert!(width(&short, PLAIN) <= 300.0);
    }

    #[test]
    fn width_grows_with_the_text_and_its_size() {
        assert_eq!(width("", PLAIN), 0.0);
        assert!(width("ab", PLAIN) > width("a", PLAIN));
        assert_eq!(width("ab", Style { size: 40.0, ..PLAIN }), 2.0 * width("ab", PLAIN));
    }
}
