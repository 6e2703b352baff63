//! Profiles of many frames as a map: time along, position up, the measured number as colour.

use crate::Failure;
use crate::picture::look::SIGN;
use crate::picture::palette::Map;
use crate::picture::plot::{Axis, Bar, Plot as Sheet, Tile};

use super::table::Table;
use super::words::label;

/// The map of one column of a table of frames.
pub(super) fn sheet(title: &str, table: &Table, pairs: &[[usize; 2]], map: Option<Map>) -> Result<Sheet, Failure> {
    let (&[pair], Some(frames)) = (pairs, table.frames().filter(|frames| frames.len() > 1)) else {
        let message = "--over-time draws one column of a table with several frames, as \
                       `drystone measure run profile --frames all -o profile.csv` writes it";
        return Err(Failure::Usage(message.into()));
    };
    let values = table.curve(pair, 0..table.rows.len()).into_iter().map(|(_, value)| value);
    let ends = values
        .filter(|value| value.is_finite())
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
    if ends[0] > ends[1] {
        return Err(Failure::Usage(format!("`{}` has no number to draw", table.columns[pair[1]].name)));
    }
    let has_signs = ends[0] < -SIGN * ends[1].abs() && ends[1] > 0.0;
    let map = map.unwrap_or(if has_signs { Map::BlueRed } else { Map::Viridis });
    let largest = ends[1].max(-ends[0]);
    let ends = if map.is_diverging() { [-largest, largest] } else { ends };
    let part = |value: f64| if ends[1] > ends[0] { (value - ends[0]) / (ends[1] - ends[0]) } else { 0.5 };

    let times = edges(&frames.iter().map(|frame| frame.time).collect::<Vec<_>>());
    let mut tiles = Vec::new();
    for (k, frame) in frames.iter().enumerate() {
        let points = table.curve(pair, frame.rows.clone());
        let places = edges(&points.iter().map(|point| point.0).collect::<Vec<_>>());
        for (j, (_, value)) in points.iter().enumerate().filter(|(_, (_, value))| value.is_finite()) {
            let [a, b] = [places[j], places[j + 1]];
            tiles.push(Tile { x: [times[k], times[k + 1]], y: [a.min(b), a.max(b)], colour: map.at(part(*value)) });
        }
    }
    let [position, quantity] = [label(table, std::iter::once(pair[0]))?, label(table, std::iter::once(pair[1]))?];
    let mut sheet = Sheet::new(title, Axis::linear("Time (s)"), Axis::linear(&position));
    sheet.tiles(tiles);
    sheet.bar(Bar { label: quantity, ends, map, part: 1.0 });
    Ok(sheet)
}

/// Ends of cells about their middles: half way to the next.
fn edges(middles: &[f64]) -> Vec<f64> {
    let half = |k: usize| middles.get(k + 1).map_or(0.5, |next| 0.5 * (next - middles[k]));
    let count = middles.len();
    let (first, last) = (half(0), if count > 1 { half(count - 2) } else { 0.5 });
    let inner = (0..count.saturating_sub(1)).map(|k| middles[k] + half(k));
    std::iter::once(middles[0] - first).chain(inner).chain([middles[count - 1] + last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Format;

    #[test]
    fn cells_reach_half_way_to_their_neighbours() {
        assert_eq!(edges(&[0.0, 1.0, 3.0]), [-0.5, 0.5, 2.0, 4.0]);
        assert_eq!(edges(&[2.0]), [1.5, 2.5]);
    }

    /// -1 and 2: white is zero, and the colours at the ends stand for -2 and 2.
    #[test]
    fn numbers_of_both_signs_have_zero_in_the_middle() {
        let table = Table::parse("p.csv", "frame,time [s],y [m],v [m/s]\n0,0,0,-1\n0,0,1,2\n1,1,0,0\n1,1,1,2\n");
        let Ok(sheet) = sheet("", &table, &[[2, 3]], None) else { panic!("it is a table of frames") };
        let svg = String::from_utf8(sheet.draw(Format::Svg).unwrap()).unwrap();
        let tile = |colour: [u8; 3]| {
            let [r, g, b] = colour;
            svg.contains(&format!("z\" fill=\"#{r:02x}{g:02x}{b:02x}\""))
        };
        assert!([0.25, 0.5, 1.0].into_iter().all(|part| tile(Map::BlueRed.at(part))));
    }
}
