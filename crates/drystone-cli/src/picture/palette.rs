//! Colours, chosen to stay apart for colour-blind eyes too: they differ in lightness or on the blue–yellow axis.

/// Red, green, blue.
pub(crate) type Colour = [u8; 3];

/// Paper.
pub(super) const PAPER: Colour = [255, 255, 255];
/// Titles, walls.
pub(super) const INK: Colour = [38, 40, 46];
/// Notes, outlines.
pub(super) const GREY: Colour = [110, 112, 118];
/// Contacts that carry more than the mean force.
pub(super) const STRONG: Colour = [190, 42, 20];
/// Contacts that carry no more than the mean force.
pub(super) const WEAK: Colour = [43, 120, 181];

/// Grains that a scale says nothing of: fixed ones.
pub(super) const UNSAID: Colour = [224, 225, 229];
/// The same beside a scale that is white at zero.
pub(super) const UNSAID_DARK: Colour = [150, 152, 158];
/// Contacts that pull.
pub(super) const TENSION: Colour = [122, 62, 158];

/// A map of colours for numbers. All differ in lightness, so that they are told apart by colour-blind eyes and in print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Map {
    /// From dark blue over grey to yellow; looks the same with and without colour blindness.
    Cividis,
    /// From violet over green to yellow.
    Viridis,
    /// From black over red to pale yellow.
    Inferno,
    /// From dark to light grey, for print without colours.
    Grey,
    /// For numbers with a sign: blue below zero, white at zero, red above.
    #[value(alias = "rdbu", alias = "coolwarm", alias = "diverging")]
    BlueRed,
    /// For numbers with a sign: violet below zero, white at zero, orange above.
    #[value(alias = "puor")]
    VioletOrange,
}

/// [Cividis], at equal distances.
const CIVIDIS: [Colour; 9] = [
    [0, 34, 78],
    [18, 53, 112],
    [59, 73, 108],
    [87, 93, 109],
    [112, 113, 115],
    [138, 134, 120],
    [165, 156, 116],
    [195, 179, 105],
    [254, 232, 56],
];

/// Viridis and inferno of matplotlib, which are in the public domain, at equal distances.
const VIRIDIS: [Colour; 10] = [
    [68, 1, 84],
    [72, 40, 120],
    [62, 74, 137],
    [49, 104, 142],
    [38, 130, 142],
    [31, 158, 137],
    [53, 183, 121],
    [109, 205, 89],
    [180, 222, 44],
    [253, 231, 37],
];
const INFERNO: [Colour; 10] = [
    [0, 0, 4],
    [27, 12, 66],
    [75, 12, 107],
    [120, 28, 109],
    [165, 44, 96],
    [207, 68, 70],
    [237, 105, 37],
    [251, 154, 6],
    [247, 208, 60],
    [252, 255, 164],
];

const GREYS: [Colour; 2] = [[30, 30, 30], [236, 236, 236]];

/// RdBu and PuOr of ColorBrewer (Apache 2.0), turned so that warm colours are above zero.
const BLUE_RED: [Colour; 11] = [
    [5, 48, 97],
    [33, 102, 172],
    [67, 147, 195],
    [146, 197, 222],
    [209, 229, 240],
    [247, 247, 247],
    [253, 219, 199],
    [244, 165, 130],
    [214, 96, 77],
    [178, 24, 43],
    [103, 0, 31],
];
const VIOLET_ORANGE: [Colour; 11] = [
    [45, 0, 75],
    [84, 39, 136],
    [128, 115, 172],
    [178, 171, 210],
    [216, 218, 235],
    [247, 247, 247],
    [254, 224, 182],
    [253, 184, 99],
    [224, 130, 20],
    [179, 88, 6],
    [127, 59, 8],
];

/// Colours of a map that are told apart; an odd number, so that the middle is one of them.
const SHADES: f64 = 129.0;

impl Map {
    /// Whether it has a middle, which stands for zero.
    pub(crate) fn is_diverging(self) -> bool {
        matches!(self, Map::BlueRed | Map::VioletOrange)
    }

    /// The colour at 0 (low) to 1 (high); beyond the ends that of the end.
    pub(crate) fn at(self, part: f64) -> Colour {
        let colours: &[Colour] = match self {
            Map::Cividis => &CIVIDIS,
            Map::Viridis => &VIRIDIS,
            Map::Inferno => &INFERNO,
            Map::Grey => &GREYS,
            Map::BlueRed => &BLUE_RED,
            Map::VioletOrange => &VIOLET_ORANGE,
        };
        let shade = (part.clamp(0.0, 1.0) * (SHADES - 1.0)).round() / (SHADES - 1.0);
        between(colours, shade)
    }
}

/// Between colours at equal distances: 0 is the first, 1 the last.
fn between(colours: &[Colour], part: f64) -> Colour {
    let at = part * (colours.len() - 1) as f64;
    let below = (at as usize).min(colours.len() - 2);
    mix(colours[below], colours[below + 1], at - below as f64)
}

/// Fills of disks: pale, so that force lines stand out.
const PALE: [Colour; 6] =
    [[240, 229, 204], [188, 210, 228], [212, 224, 178], [243, 205, 194], [205, 207, 211], [216, 202, 228]];

/// Colours of spheres: fuller, shading will darken them.
const FULL: [Colour; 6] =
    [[230, 200, 146], [116, 158, 194], [172, 178, 186], [214, 120, 84], [134, 172, 120], [176, 142, 190]];

/// From low to high: slate blue over warm grey to sand, even in lightness.
const RAMP: [Colour; 4] = [[104, 128, 176], [156, 170, 190], [214, 205, 180], [250, 220, 152]];

/// Fill of a disk by material; fixed ones are darker.
pub(super) fn disk(material: u32, fixed: bool) -> Colour {
    pick(&PALE, material, fixed)
}

/// Colour of a sphere by material; fixed ones are darker.
pub(super) fn sphere(material: u32, fixed: bool) -> Colour {
    pick(&FULL, material, fixed)
}

fn pick(colours: &[Colour], material: u32, fixed: bool) -> Colour {
    let colour = colours[material as usize % colours.len()];
    if fixed { colour.map(|c| (f64::from(c) * 0.62) as u8) } else { colour }
}

/// Colour on the ramp at 0 (low) to 1 (high).
pub(super) fn ramp(at: f64) -> Colour {
    between(&RAMP, at.clamp(0.0, 1.0))
}

/// Between two colours: 0 gives the first, 1 the second.
pub(super) fn mix(a: Colour, b: Colour, at: f64) -> Colour {
    std::array::from_fn(|i| (f64::from(a[i]) * (1.0 - at) + f64::from(b[i]) * at).round() as u8)
}

/// As SVG writes it.
pub(super) fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramp_meets_its_ends_and_gets_lighter() {
        assert_eq!(ramp(-1.0), RAMP[0]);
        assert_eq!(ramp(2.0), RAMP[3]);
        assert!((0..10).all(|i| {
            let at = f64::from(i) / 10.0;
            lightness(ramp(at)) < lightness(ramp(at + 0.1))
        }));
    }

    /// Luminance as eyes weigh it.
    fn lightness([r, g, b]: Colour) -> f64 {
        0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
    }

    #[test]
    fn maps_get_lighter_all_the_way_or_up_to_their_middle() {
        use clap::ValueEnum;
        for map in Map::value_variants() {
            let along: Vec<f64> = (0..=128).map(|k| lightness(map.at(f64::from(k) / 128.0))).collect();
            if map.is_diverging() {
                assert!(along[..=64].is_sorted() && along[64..].iter().rev().is_sorted(), "{map:?}");
                assert_eq!(map.at(0.5), [247, 247, 247]);
                let [low, high] = [map.at(0.0), map.at(1.0)];
                assert!(low[2] > low[0] && high[0] > high[2], "{map:?}: cold below zero, warm above");
            } else {
                assert!(along.is_sorted() && along[128] - along[0] > 150.0, "{map:?}");
            }
            assert_eq!((map.at(-3.0), map.at(7.0)), (map.at(0.0), map.at(1.0)));
        }
    }

    #[test]
    fn fixed_grains_are_darker_and_materials_without_end() {
        assert!(disk(7, true)[0] < disk(7, false)[0]);
        assert_eq!(sphere(u32::MAX, false), sphere(u32::MAX % 6, false));
    }
}
