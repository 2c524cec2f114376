//! A metric in a few numbers, for a small picture.

use crate::{Question, Sequence};
use std::ops::Range;

/// How many columns a picture has before, within and after the windows. The same for all runs, so
/// that pictures stand under each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// Before the first window.
    pub before: usize,
    /// From the first window to the last.
    pub within: usize,
    /// After the last window.
    pub after: usize,
}

const CONTEXT: usize = 6;
const WITHIN: usize = 16;

impl Outline {
    /// What fits a question: no context where there is none.
    #[must_use]
    pub fn of(question: &Question) -> Outline {
        let [before, within, after] = parts(question);
        let context = |rows: &Range<usize>| rows.len().min(CONTEXT);
        let (before, after) = (context(&before), context(&after));
        let spare = 2 * CONTEXT - before - after;
        Outline { before, within: within.len().min(WITHIN + spare).max(1), after }
    }

    /// How many columns there are.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.before + self.within + self.after
    }

    /// A metric on the question's grid: the mean of each column, `None` where nothing was seen.
    #[must_use]
    pub fn draw(&self, question: &Question, metric: &Sequence) -> Vec<Option<f64>> {
        let [before, within, after] = parts(question);
        let parts = [(before, self.before), (within, self.within), (after, self.after)];
        parts.into_iter().flat_map(|(rows, columns)| metric.columns(rows, columns)).collect()
    }
}

/// What precedes the windows by half their length, the windows, and as much of what follows.
fn parts(question: &Question) -> [Range<usize>; 3] {
    let first = question.windows.first().map_or(0, |window| window.start);
    let past = question.windows.last().map_or(0, |window| window.end).max(first);
    let context = ((past - first) / 2).max(3);
    let end = past.saturating_add(context).min(question.grid.rows()).max(past);
    [first.saturating_sub(context)..first, first..past, past..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Segments};
    use fathom_record::Span;

    fn question(rows: usize, window: Range<usize>) -> Question {
        let grid = Grid::even(rows, Span::from_nanoseconds(1)).unwrap();
        let target = Sequence::from((0..rows).map(|row| row as f64).collect::<Vec<_>>());
        let windows = vec![window];
        Question { grid, target, windows, baseline: None, segments: Segments::Auto, pattern: None }
    }

    #[test]
    fn windows_stand_under_each_other() {
        let question = question(100, 40..60);
        let outline = Outline::of(&question);
        assert_eq!(outline, Outline { before: 6, within: 16, after: 6 });
        let drawn = outline.draw(&question, &question.target);
        assert_eq!(drawn.len(), outline.columns());
        assert_eq!(drawn[6], Some(40.0));
        assert_eq!(drawn[0], Some(30.0));
        assert_eq!(drawn[27], Some(68.5));
    }

    #[test]
    fn there_is_no_context_where_there_are_no_rows() {
        let whole = question(50, 0..50);
        assert_eq!(Outline::of(&whole), Outline { before: 0, within: 28, after: 0 });
        let short = question(8, 5..8);
        let outline = Outline::of(&short);
        assert_eq!(outline, Outline { before: 3, within: 3, after: 0 });
        assert_eq!(outline.draw(&short, &Sequence::new(&[None; 8])), [None; 6]);
    }
}
