//! Colours, dashes and markers that distinguish the lines of a chart.
//!
//! The colours are those of Okabe and Ito, which colour-blind readers can distinguish. Each line also has a marker.
//! After eight lines the colours repeat, with dashes.

use plotters::prelude::*;

const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 0, 0),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(128, 128, 128),
];

/// The colour of line `number`.
pub fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

/// The colour of the bars of series `number`. Black is too heavy for areas.
pub fn bar_colour(number: usize) -> RGBColor {
    colour(number + 1)
}

/// The mark of a series of bars in the legend.
pub fn square() -> Vec<(i32, i32)> {
    vec![(-8, -8), (8, -8), (8, 8), (-8, 8)]
}

/// The lengths of the dashes and gaps of line `number`; `None` for a solid line.
pub fn dashes(number: usize) -> Option<(u32, u32)> {
    match number / COLOURS.len() {
        0 => None,
        1 => Some((7, 4)),
        _ => Some((2, 3)),
    }
}

/// The corners of the marker of line `number`.
pub fn marker(number: usize) -> Vec<(i32, i32)> {
    match number % 7 {
        0 => vec![
            (-4, -2),
            (-2, -4),
            (2, -4),
            (4, -2),
            (4, 2),
            (2, 4),
            (-2, 4),
            (-4, 2),
        ],
        1 => vec![(-4, -4), (4, -4), (4, 4), (-4, 4)],
        2 => vec![(0, -5), (5, 4), (-5, 4)],
        3 => vec![(0, -6), (5, 0), (0, 6), (-5, 0)],
        4 => vec![(0, 5), (5, -4), (-5, -4)],
        5 => vec![
            (-1, -5),
            (1, -5),
            (1, -1),
            (5, -1),
            (5, 1),
            (1, 1),
            (1, 5),
            (-1, 5),
            (-1, 1),
            (-5, 1),
            (-5, -1),
            (-1, -1),
        ],
        _ => vec![(-5, 0), (5, -5), (5, 5)],
    }
}

/// The two strokes of the cross that marks a published value.
pub fn cross() -> [Vec<(i32, i32)>; 2] {
    [vec![(-6, -6), (6, 6)], vec![(-6, 6), (6, -6)]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_24_lines_have_distinct_styles() {
        let style = |number| (colour(number).to_rgba().rgb(), dashes(number));
        for one in 0..24 {
            for other in 0..one {
                assert!(style(one) != style(other), "{one} and {other}");
            }
        }
    }
}
