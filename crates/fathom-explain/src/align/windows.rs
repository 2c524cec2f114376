//! Which rows were selected, and what they are compared with.

use super::error::{AlignError, RequestedRange};
use super::phrase::{counted, seconds};
use super::rows::OwnRows;
use crate::{Mask, Selection, Sequence, TargetRange};
use fathom_record::Timestamp;
use std::ops::Range;

/// Fewer rows have no shape.
pub(super) const FEWEST: usize = 3;
/// Fewer rows before a window say nothing of what was usual.
const FEWEST_BEFORE: usize = 5;

/// Rows of the reference.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    /// In order, apart, none empty.
    pub(super) windows: Vec<Range<usize>>,
    pub(super) baseline: Option<Range<usize>>,
    pub(super) notes: Vec<String>,
}

/// Finds the rows of a selection.
///
/// Rows that `mask` leaves out have no values in `rows` already.
pub(super) fn choose(
    rows: &OwnRows,
    selection: &Selection,
    run: &str,
    mask: &Mask,
) -> Result<Chosen, AlignError> {
    let search = Search { rows, target: &selection.target, run, mask };
    let mut notes = Vec::new();
    let mut found = Vec::with_capacity(selection.windows.len());
    for &span in &selection.windows {
        found.push((search.rows_of(span, "window", &mut notes)?, span));
    }
    if found.is_empty() {
        return Err(AlignError::NoWindow);
    }
    let baseline = match selection.baseline {
        Some(span) => {
            let baseline = search.rows_of(span, "baseline", &mut notes)?;
            let overlaps =
                |window: &Range<usize>| window.start < baseline.end && baseline.start < window.end;
            if let Some((_, window)) = found.iter().find(|(window, _)| overlaps(window)) {
                let (baseline, window) = (RequestedRange(span), RequestedRange(*window));
                return Err(AlignError::BaselineInWindow { baseline, window });
            }
            Some(baseline)
        }
        None => None,
    };
    let windows = merged(found, &mut notes);
    let baseline = match baseline {
        Some(baseline) => Some(baseline),
        None => {
            let (baseline, note) = usual_baseline(&rows.values, &windows);
            notes.extend(note.map(str::to_string));
            baseline
        }
    };
    Ok(Chosen { windows, baseline, notes })
}

/// What the user excepts from the target.
pub(super) fn excepted(
    rows: &OwnRows,
    parts: &[TargetRange],
    target: &str,
    run: &str,
) -> Result<Mask, AlignError> {
    let search = Search { rows, target, run, mask: &Mask::default() };
    let mut stretches = Vec::with_capacity(parts.len());
    for &part in parts {
        let found = search.find(part, "exception")?;
        stretches.extend(rows.grid.span(&found));
    }
    Ok(Mask::new(stretches))
}

struct Search<'a> {
    rows: &'a OwnRows,
    target: &'a str,
    run: &'a str,
    mask: &'a Mask,
}

impl Search<'_> {
    /// The rows of the grid, one at least.
    fn find(&self, span: TargetRange, what: &'static str) -> Result<Range<usize>, AlignError> {
        let grid = &self.rows.grid;
        let found = match span {
            TargetRange::Whole => 0..grid.rows(),
            TargetRange::Time { start, end } if start > end => {
                return Err(AlignError::Backwards { what, span: RequestedRange(span) });
            }
            TargetRange::Time { start, end } => grid.rows_within(start, end),
            TargetRange::Rows { first, last } if first > last => {
                return Err(AlignError::Backwards { what, span: RequestedRange(span) });
            }
            TargetRange::Rows { first, last } => {
                let last = last.min(self.rows.len().saturating_sub(1));
                match (self.rows.place(first), self.rows.place(last)) {
                    (Some(first), Some(last)) => first..last + 1,
                    _ => 0..0,
                }
            }
        };
        let (target, run) = (self.target.to_string(), self.run.to_string());
        let (rows, (first, last)) = (self.rows.len(), self.ends());
        if found.is_empty() {
            let span = RequestedRange(span);
            return Err(AlignError::Outside { what, span, target, run, rows, first, last });
        }
        Ok(found)
    }

    /// The same, with enough values to be asked about.
    fn rows_of(
        &self,
        span: TargetRange,
        what: &'static str,
        notes: &mut Vec<String>,
    ) -> Result<Range<usize>, AlignError> {
        let found = self.find(span, what)?;
        let grid = &self.rows.grid;
        let (target, run) = (self.target.to_string(), self.run.to_string());
        let (rows, (first, last)) = (self.rows.len(), self.ends());
        let seen = self.rows.values.rows(found.clone()).count();
        if seen < FEWEST {
            let span = RequestedRange(span);
            let row = |row: usize| grid.row(row).is_some_and(|it| self.mask.touches(it.0, it.1));
            let masked = found.filter(|&one| row(one)).count();
            return Err(AlignError::TooShort {
                what,
                span,
                seen,
                masked,
                target,
                run,
                rows,
                first,
                last,
            });
        }
        let is_cut = match span {
            TargetRange::Whole => false,
            TargetRange::Time { start, end } => {
                start < grid.edges().first().copied().unwrap_or(start) || end > last
            }
            TargetRange::Rows { last: row, .. } => row >= rows,
        };
        if is_cut {
            notes.push(format!(
                "the {what} {} extends beyond the metric, which has {} from {} to {}; it was clipped",
                RequestedRange(span),
                counted(rows, "row"),
                seconds(first),
                seconds(last)
            ));
        }
        Ok(found)
    }

    /// When the first row ends and when the last one does.
    fn ends(&self) -> (Timestamp, Timestamp) {
        let edges = self.rows.grid.edges();
        let first = edges.get(1).copied().unwrap_or_default();
        (first, edges.last().copied().unwrap_or(first))
    }
}

/// In order; those that overlap become one.
fn merged(
    mut found: Vec<(Range<usize>, TargetRange)>,
    notes: &mut Vec<String>,
) -> Vec<Range<usize>> {
    found.sort_by_key(|(rows, _)| (rows.start, rows.end));
    let mut windows: Vec<(Range<usize>, TargetRange)> = Vec::with_capacity(found.len());
    for (rows, span) in found {
        match windows.last_mut() {
            Some((last, before)) if rows.start < last.end => {
                notes.push(format!(
                    "the windows {} and {} overlap and were merged",
                    RequestedRange(*before),
                    RequestedRange(span)
                ));
                last.end = last.end.max(rows.end);
            }
            _ => windows.push((rows, span)),
        }
    }
    windows.into_iter().map(|(rows, _)| rows).collect()
}

/// What windows are compared with unless it is given: what precedes the first of them, if it has at
/// least 5 rows that were seen and a quarter of what the windows have; else what follows the last of
/// them; else the longer of both, if it has 5. With a note if it is not what precedes.
pub(super) fn usual_baseline(
    values: &Sequence,
    windows: &[Range<usize>],
) -> (Option<Range<usize>>, Option<&'static str>) {
    let before = 0..windows.first().map_or(0, |window| window.start);
    let after = windows.last().map_or(values.len(), |window| window.end)..values.len();
    let count = |rows: &Range<usize>| values.rows(rows.clone()).count();
    let asked: usize = windows.iter().map(count).sum();
    let enough = FEWEST_BEFORE.max(asked / 4);
    let (seen_before, seen_after) = (count(&before), count(&after));
    const AFTER: &str =
        "not enough data before the window, so it is compared with the data after it";
    if seen_before >= enough || (seen_before >= FEWEST_BEFORE && seen_before >= seen_after) {
        (Some(before), None)
    } else if seen_after >= FEWEST_BEFORE {
        (Some(after), Some(AFTER))
    } else {
        let note = "not enough data outside the window to compare with, so changes are unknown";
        (None, Some(note))
    }
}
