//! The shape that the target has in a window.

use crate::Question;
use crate::segment::automatic_pattern;
use std::ops::Range;

/// The pattern that was drawn, or the lines that fit the target best, or the target itself if it is
/// short.
pub(super) fn heights(question: &Question, window: &Range<usize>) -> Vec<f64> {
    match &question.pattern {
        Some(pattern) => {
            window.clone().map(|row| pattern.at(1e9 * question.grid.middle(row))).collect()
        }
        None => automatic_pattern(&question.grid, &question.target, window.clone()),
    }
}
