//! Points and a curve over two axes, in text.

use crate::layout::{Side, columns, padded};

/// Rows of the plot, without its axes.
const HEIGHT: usize = 7;
/// And columns, where there is room.
const WIDTH: usize = 44;
/// With fewer columns nothing can be seen.
const NARROWEST: usize = 10;

/// What stands at the ends of the axes.
pub(crate) struct Plot {
    /// At the top and at the bottom.
    pub(crate) heights: [String; 2],
    /// At the left and at the right.
    pub(crate) widths: [String; 2],
}

impl Plot {
    /// The lines: `●` the points, `·` the curve. All places are shares of an axis, from the left and
    /// from the bottom. Empty where there is no room.
    pub(crate) fn lines(
        &self,
        curve: &dyn Fn(f64) -> Option<f64>,
        points: &[(f64, f64)],
        width: usize,
    ) -> Vec<String> {
        // A line without a slope is in the middle.
        let is_flat = self.heights[0] == self.heights[1];
        let margin = self.heights.iter().map(|label| columns(label)).max().unwrap_or(0);
        let room = width.saturating_sub(margin + 6).min(WIDTH);
        if room < NARROWEST {
            return Vec::new();
        }
        let row_of = |share: f64| {
            let share = if is_flat { 0.5 } else { share.clamp(0.0, 1.0) };
            HEIGHT - 1 - (share * (HEIGHT - 1) as f64).round() as usize
        };
        let column_of = |share: f64| (share.clamp(0.0, 1.0) * (room - 1) as f64).round() as usize;
        let mut cells = vec![vec![' '; room]; HEIGHT];
        let heights = (0..room).map(|column| curve(column as f64 / (room - 1) as f64));
        for (column, height) in heights.enumerate() {
            if let Some(height) = height.filter(|height| (-0.1..=1.1).contains(height)) {
                cells[row_of(height)][column] = '·';
            }
        }
        for (across, up) in points {
            cells[row_of(*up)][column_of(*across)] = '●';
        }
        let mut lines: Vec<String> = cells
            .into_iter()
            .enumerate()
            .map(|(row, cells)| {
                let (label, tick) = match row {
                    0 if !is_flat => (self.heights[0].as_str(), '┤'),
                    row if row == HEIGHT - 1 && !is_flat => (self.heights[1].as_str(), '┤'),
                    row if row == HEIGHT / 2 && is_flat => (self.heights[0].as_str(), '┤'),
                    _ => ("", '│'),
                };
                let cells: String = cells.into_iter().collect();
                format!("  {} {tick}{}", padded(label, margin, Side::Right), cells.trim_end())
            })
            .collect();
        let indent = " ".repeat(margin + 3);
        lines.push(format!("{indent}└{}", "─".repeat(room)));
        let [left, right] = &self.widths;
        let gap = room.saturating_sub(columns(left) + columns(right)).max(1);
        lines.push(format!("{indent} {left}{}{right}", " ".repeat(gap)));
        lines
    }
}
