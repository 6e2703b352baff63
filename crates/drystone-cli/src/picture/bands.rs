//! Intervals of forces in a 2D picture: a dark line as thick as the lowest normal force of a contact, within a pale one as
//! thick as the highest.

use drystone::record::frame::Frame;

use super::Grain;
use super::force::ForceLines;
use super::legend::{Entry, Sign};
use super::look::Look;
use super::palette::{Colour, INK, STRONG, WEAK};
use super::scale;
use super::view::View;

/// Colour of what lies between lowest and highest.
const BETWEEN: Colour = WEAK;
/// Colour of contacts whose force nothing limits.
const UNLIMITED: Colour = STRONG;

/// Lines of the lowest and of the highest forces of a frame, and of those without a highest one.
pub(super) struct ForceBands {
    lowest: ForceLines,
    highest: ForceLines,
    unlimited: ForceLines,
}

impl ForceBands {
    /// Lines for the intervals [lowest, highest] of the contacts of a frame [N]; NaN draws nothing.
    pub(super) fn new(frame: &Frame, grains: &[Grain], view: &View, look: &Look, bands: &[[f64; 2]]) -> ForceBands {
        let mean = ForceLines::new(frame, grains, view, look);
        let lines = |force: &dyn Fn(&[f64; 2]) -> f64| {
            let mut drawn = frame.clone();
            drawn.contacts.normal_force = bands.iter().map(force).collect();
            ForceLines::new(&drawn, grains, view, look).on_scale_of(&mean)
        };
        ForceBands {
            lowest: lines(&|[low, _]| *low),
            highest: lines(&|[_, high]| *high),
            // as thick as the grain
            unlimited: lines(&|[_, high]| if *high == f64::INFINITY { mean.thickest() } else { 0.0 }),
        }
    }

    pub(super) fn svg(&self) -> String {
        self.unlimited.svg_in(|_| UNLIMITED) + &self.highest.svg_in(|_| BETWEEN) + &self.lowest.svg_in(|_| INK)
    }

    pub(super) fn legend(&self) -> Vec<Entry> {
        let entry = |colour, thickness, label: String| Entry { sign: Sign::Line(colour, thickness), label };
        let unit = self.lowest.unit();
        let mean = scale::quantity(self.lowest.mean(), "N");
        let mut legend = vec![
            entry(INK, unit.max(0.4), format!("lowest normal force (as thick: {mean})")),
            entry(BETWEEN, (2.0 * unit).clamp(4.5, 12.0), "highest normal force".into()),
        ];
        if !self.unlimited.is_empty() {
            legend.push(entry(UNLIMITED, (2.0 * unit).clamp(4.5, 12.0), "no highest force".into()));
        }
        legend
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::super::view::{Area, Bounds};
    use super::super::{drawable_grains, palette::hex};
    use super::*;

    #[test]
    fn lowest_lies_above_highest_and_what_nothing_limits_has_a_colour_of_its_own() {
        let frame = row(2, 5);
        let mut bounds = Bounds::NOTHING;
        bounds.include([4.0, 0.0], 6.0);
        let view = View::fit(bounds, Bounds::NOTHING, 0.0, Area::default());
        let intervals = [[1.0, 3.0], [0.5, f64::INFINITY], [f64::NAN, f64::NAN], [1.0, 1.0]];
        let bands = ForceBands::new(&frame, &drawable_grains(&frame), &view, &Look::default(), &intervals);
        let svg = bands.svg();
        let place = |colour| svg.find(&hex(colour)).expect("it is drawn");
        assert!(place(UNLIMITED) < place(BETWEEN) && place(BETWEEN) < place(INK));
        assert_eq!(svg.matches('M').count(), 1 + 2 + 3, "one without limit, two highest, three lowest");
        assert_eq!(bands.legend().len(), 3);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
