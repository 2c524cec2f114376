//! Where the target is cut.

use crate::segment::{Points, Segmentation, best, greedy};
use crate::{NoAnswer, Question, Segments, Sequence};
use std::ops::Range;

/// A line needs two points. The paper names no least length.
const SHORTEST: usize = 2;

/// A window and what the target's rows in it were cut into.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) points: Points,
    pub(super) lines: Segmentation,
}

/// Cuts the target in each window: greedily into as many lines as were asked for; else by the best
/// cuts into as many as are worth it, and windows of fewer than 20 rows not at all.
pub(super) fn of_target(question: &Question) -> Result<Vec<Cut>, NoAnswer> {
    let points =
        |window: &Range<usize>| Points::of(&question.grid, &question.target, window.clone());
    let points: Vec<Points> = question.windows.iter().map(points).collect();
    let Segments::Exactly(lines) = question.segments else {
        let found: Vec<Option<Segmentation>> = points.iter().map(best).collect();
        if found.iter().all(Option::is_none) {
            let hint = "set it with --segments";
            return Err(NoAnswer(format!(
                "the window is too short to choose the number of segments automatically: {hint}"
            )));
        }
        let cuts = points.into_iter().zip(found);
        let whole = |points: &Points| greedy(points, 1, SHORTEST);
        return Ok(cuts
            .map(|(points, lines)| Cut { lines: lines.unwrap_or_else(|| whole(&points)), points })
            .collect());
    };
    Ok(points
        .into_iter()
        .map(|points| Cut { lines: greedy(&points, lines.max(1), SHORTEST), points })
        .collect())
}

/// Cuts greedily, as the paper does.
pub(super) fn greedily(points: Points, lines: usize) -> Cut {
    let lines = greedy(&points, lines, SHORTEST);
    Cut { points, lines }
}

/// A row's height on the lines, for each row that was cut, in order.
pub(super) fn heights(cuts: &[Cut]) -> Sequence {
    let last = cuts.last().and_then(|cut| cut.points.rows().last()).map_or(0, |last| last + 1);
    let mut heights = vec![None; last];
    for cut in cuts {
        for (&row, height) in cut.points.rows().iter().zip(cut.lines.fitted(&cut.points)) {
            if let Some(slot) = heights.get_mut(row) {
                *slot = Some(height);
            }
        }
    }
    Sequence::new(&heights)
}
