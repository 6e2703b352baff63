//! Colours, chosen to stay apart for colour-blind eyes too: they differ in lightness or on the blue–yellow axis.

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

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
/// Contacts that pull.
pub(super) const TENSION: Colour = [122, 62, 158];

/// Cividis: from dark blue over grey to yellow, even in lightness and alike to colour-blind eyes
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

/// Colour on the scale of quantities at 0 (low) to 1 (high), in 64 steps; beyond the ends that of the end.
pub(super) fn scale(at: f64) -> Colour {
    let at = (at.clamp(0.0, 1.0) * 63.0).round() / 63.0 * (CIVIDIS.len() - 1) as f64;
    let below = (at as usize).min(CIVIDIS.len() - 2);
    mix(CIVIDIS[below], CIVIDIS[below + 1], at - below as f64)
}

/// Colour on the ramp at 0 (low) to 1 (high).
pub(super) fn ramp(at: f64) -> Colour {
    let at = at.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (at as usize).min(RAMP.len() - 2);
    mix(RAMP[below], RAMP[below + 1], at - below as f64)
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
        let lightness = |c: Colour| c.iter().map(|&x| u32::from(x)).sum::<u32>();
        assert!((0..10).all(|i| {
            let at = f64::from(i) / 10.0;
            lightness(ramp(at)) < lightness(ramp(at + 0.1))
        }));
    }

    #[test]
    fn the_scale_meets_its_ends_and_gets_lighter() {
        assert_eq!((scale(-3.0), scale(7.0)), (CIVIDIS[0], CIVIDIS[8]));
        // luminance as eyes weigh it
        let lightness = |[r, g, b]: Colour| 0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b);
        let steps: Vec<f64> = (0..64).map(|k| lightness(scale(f64::from(k) / 63.0))).collect();
        assert!(steps.is_sorted() && steps[63] - steps[0] > 150.0);
    }

    #[test]
    fn fixed_grains_are_darker_and_materials_without_end() {
        assert!(disk(7, true)[0] < disk(7, false)[0]);
        assert_eq!(sphere(u32::MAX, false), sphere(u32::MAX % 6, false));
    }
}
