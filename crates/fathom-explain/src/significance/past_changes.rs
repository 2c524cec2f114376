//! Changes of level at other places.

use super::beside::Beside;
use super::past::{Least, Moves, Observed, Past, Seen};
use crate::change::{ChangeEvidence, hold_back, without_rounding};
use crate::{Question, Sequence};
use std::ops::Range;

/// A change of less than this share of the level, or of the deviation, is never a large one.
const NEGLIGIBLE: f64 = 0.001;
/// Fewer rows have no places.
const FEWEST: usize = 6;

/// Looks for changes of level before, between and after the windows, from stretch to stretch as long as
/// they are. What changes from one side of a window to the other is what was asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct PastChanges {
    baseline: Range<usize>,
    beside: Beside,
    /// Whether a single window is next to the baseline, as places are next to what they are compared with.
    is_adjacent: bool,
}

impl PastChanges {
    /// For a question.
    #[must_use]
    pub fn new(question: &Question) -> PastChanges {
        let baseline = question.baseline.clone().unwrap_or(0..0);
        let is_next =
            |window: &Range<usize>| baseline.start <= window.end && window.start <= baseline.end;
        let is_adjacent = question.windows.len() == 1 && question.windows.iter().all(is_next);
        PastChanges { baseline, beside: Beside::of(question), is_adjacent }
    }

    /// Of a metric; its evidence says how many independent changes its usual size rests on, which is
    /// that in the baseline.
    #[must_use]
    pub fn of(&self, metric: &Sequence, evidence: &ChangeEvidence) -> Past {
        let seen = |rows: &Range<usize>| -> Vec<f64> {
            rows.clone().filter_map(|row| metric.get(row)).map(without_rounding).collect()
        };
        let mut pieces: Vec<Vec<f64>> = self.beside.pieces().iter().map(seen).collect();
        let values = || pieces.iter().flatten();
        let count = values().count();
        let longest = pieces.iter().map(Vec::len).max().unwrap_or(0);
        let largest = values().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if longest < FEWEST {
            return Past::default();
        }
        let asked = self.beside.window_rows();
        let (before, window) = Beside::compared(longest, asked);
        let first = values().next().copied();
        if values().all(|value| Some(*value) == first) {
            let starts = |piece: &Vec<f64>| Beside::starts(piece.len(), before, window);
            let places = pieces.iter().map(starts).sum::<usize>();
            let still = Past::still(places as f64 / asked as f64);
            // What starts in the last window of a run may go on.
            let ends = [pieces.first(), pieces.last()];
            let returns = ends.iter().flatten().all(|piece| piece.len() >= asked);
            return if returns { still } else { still.moving(Moves::Often) };
        }
        let woke = self.woke_after(metric).filter(|rows| *rows >= before.max(FEWEST));
        let at_first = (0..asked).filter(|&row| metric.get(row).is_some()).count();
        let at_last = (metric.len().saturating_sub(asked)..metric.len())
            .filter(|&row| metric.get(row).is_some())
            .count();
        without_ends(&mut pieces, at_first, at_last);
        let moves = moves(&pieces, asked);
        let level =
            pieces.iter().flatten().map(|value| value / largest).sum::<f64>() / count as f64;
        pieces.iter_mut().flatten().for_each(|value| *value = *value / largest - level);
        // What is usual is made of rows that are not far out, in all pieces together.
        let mut held: Vec<f64> = pieces.iter().flatten().copied().collect();
        hold_back(&mut held);
        let held_level = held.iter().sum::<f64>() / count as f64;
        let square = held.iter().map(|value| (value - held_level).powi(2)).sum::<f64>();
        // What follows is compared with it.
        let reach = [window - 1, window + before - 1];
        let (mut all, mut usual) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut held = held.as_slice();
        for piece in &pieces {
            let (of_piece, rest) = held.split_at(piece.len().min(held.len()));
            held = rest;
            // What happens in one piece is not in the next.
            let apart = || std::iter::repeat_n(f64::NAN, reach[1]);
            all.extend(changes(piece, before, window).chain(apart()));
            usual.extend(changes(of_piece, before, window).chain(apart()));
        }
        let deviation = (square / count as f64).sqrt();
        let level = (level + held_level).abs();
        let least = Least { size: NEGLIGIBLE * deviation, margin: NEGLIGIBLE * level };
        let known = all.iter().filter(|change| !change.is_nan()).count();
        let places = known as f64 / asked as f64;
        // The usual size of all places rests on more than that of the baseline.
        let pieces = self.beside.pieces();
        let in_baseline = pieces.iter().map(|piece| overlap(piece, &self.baseline)).sum::<usize>();
        let in_all = pieces.iter().map(ExactSizeIterator::len).sum::<usize>();
        let degrees = evidence.degrees * in_all as f64 / in_baseline.max(1) as f64;
        let seen = Seen { values: &all, usual: &usual };
        let degrees = [degrees, degrees.max(places)];
        let observed = match self.is_adjacent {
            true => Observed::Change(evidence.shift / largest),
            false => Observed::FarChange { z: evidence.z, degrees: evidence.degrees },
        };
        Past::new(seen, places, reach, least, degrees, observed).waking(woke).moving(moves)
    }

    /// After how many equal rows it moves for the first time, unless that is within the windows.
    fn woke_after(&self, metric: &Sequence) -> Option<usize> {
        let seen =
            (0..metric.len()).filter_map(|row| Some((row, without_rounding(metric.get(row)?))));
        let mut first = None;
        for (equal, (row, value)) in seen.enumerate() {
            if *first.get_or_insert(value) != value {
                let is_beside = self.beside.pieces().iter().any(|piece| piece.contains(&row));
                return is_beside.then_some(equal);
            }
        }
        None
    }
}

/// Brings the rows with which a run starts and ends to where the others are. A run starts and ends once,
/// and that is not what it does elsewhere; a window that is there is no piece.
fn without_ends(pieces: &mut [Vec<f64>], first: usize, last: usize) {
    let end = pieces.len().saturating_sub(1);
    let inner = |place: usize, length: usize| {
        let from = if place == 0 { first.min(length) } else { 0 };
        let past = if place == end { length.saturating_sub(last) } else { length };
        from..past.max(from)
    };
    let rest = pieces
        .iter()
        .enumerate()
        .flat_map(|(place, piece)| piece.get(inner(place, piece.len())).unwrap_or_default());
    let (low, high) = rest.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(*value), high.max(*value))
    });
    if low > high {
        return;
    }
    for (place, piece) in pieces.iter_mut().enumerate() {
        let inner = inner(place, piece.len());
        let outer = piece.iter_mut().enumerate().filter(|(row, _)| !inner.contains(row));
        outer.for_each(|(_, value)| *value = value.clamp(low, high));
    }
}

/// How often there is another value than the one that is usual at the start.
fn moves(pieces: &[Vec<f64>], window: usize) -> Moves {
    let mut values = pieces.iter().flatten();
    let Some(usual) = values.next() else { return Moves::Never };
    let others = values.enumerate().filter(|(_, value)| *value != usual).map(|(place, _)| place);
    let mut others = others.peekable();
    let Some(first) = others.peek().copied() else { return Moves::Never };
    if others.last().is_some_and(|last| last - first < window) { Moves::Once } else { Moves::Often }
}

/// By how much the level of `window` rows differs from that of the rows before, at every place; where
/// too few rows precede it, from that of the rows after it.
fn changes(values: &[f64], before: usize, window: usize) -> impl Iterator<Item = f64> {
    let mut sum = 0.0;
    let mut sums = vec![0.0];
    for value in values {
        sum += value;
        sums.push(sum);
    }
    let mean = move |from: usize, rows: usize| {
        let at = |row: usize| sums.get(row).copied().unwrap_or(sum);
        (at(from + rows) - at(from)) / rows as f64
    };
    let end = (values.len() + 1).saturating_sub(window);
    let last_mirrored = end.saturating_sub(before);
    let change = move |place: usize| {
        let within = mean(place, window);
        if place >= before {
            Some(within - mean(place - before, before))
        } else {
            (place < last_mirrored).then(|| within - mean(place + window, before))
        }
    };
    (0..end).filter_map(change)
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.end.min(other.end).saturating_sub(one.start.max(other.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::ChangeJudge;
    use crate::significance::Pool;
    use crate::{Grid, Segments};
    use fathom_record::Span;

    fn past(metric: &[Option<f64>], baseline: Option<Range<usize>>, window: Range<usize>) -> Past {
        let rows = metric.len();
        let question = Question {
            grid: Grid::even(rows, Span::from_nanoseconds(1)).unwrap(),
            target: Sequence::from(vec![0.0; rows]),
            windows: std::iter::once(window).collect(),
            baseline,
            segments: Segments::Auto,
            pattern: None,
        };
        let metric = Sequence::new(metric);
        let evidence = ChangeJudge::new(&question).ok().and_then(|judge| judge.evidence(&metric));
        evidence.map_or_else(Past::default, |evidence| {
            PastChanges::new(&question).of(&metric, &evidence)
        })
    }

    fn noise(rows: usize) -> Vec<Option<f64>> {
        (0..rows).map(|n| Some(((n * n * 37 + n * 11) % 101) as f64 - 50.0)).collect()
    }

    fn pool(metric: &[Option<f64>], before: usize, window: Range<usize>) -> Pool {
        Pool::new(&[past(metric, Some(0..before), window)], 1, 0.0)
    }

    /// How many places there are, and at how many of them something was as unlikely as this.
    fn counted(pool: &Pool) -> (f64, f64) {
        let places = 1.0 / pool.share(-1.0) - 1.0;
        (places.round(), (pool.share(1e-6) * (1.0 + places) - 1.0).round())
    }

    /// A burst within the window is less of a surprise if there was one before.
    #[test]
    fn bursts_of_the_past_are_found() {
        let mut metric = noise(1020);
        assert_eq!(counted(&pool(&metric, 1000, 1000..1020)), (49.0, 0.0));
        metric[400..420].iter_mut().flatten().for_each(|value| *value += 900.0);
        assert_eq!(counted(&pool(&metric, 1000, 1000..1020)), (49.0, 1.0));
        // With gaps it is the same burst.
        metric.iter_mut().step_by(7).for_each(|value| *value = None);
        assert_eq!(counted(&pool(&metric, 1000, 1000..1020)), (41.0, 1.0));
        // Within the window it is not the past.
        assert_eq!(counted(&pool(&metric, 1000, 395..425)).1, 0.0);
    }

    /// What follows the window says as much of a metric as what precedes it.
    #[test]
    fn rows_after_the_window_are_looked_at_too() {
        let mut metric = noise(1020);
        assert_eq!(counted(&pool(&metric[..220], 200, 200..220)), (9.0, 0.0));
        assert_eq!(counted(&pool(&metric, 200, 200..220)), (47.0, 0.0));
        // A change from one side of the window to the other is the one asked about.
        metric[210..].iter_mut().flatten().for_each(|value| *value += 900.0);
        assert_eq!(counted(&pool(&metric, 200, 200..220)), (47.0, 0.0));
        metric[600..620].iter_mut().flatten().for_each(|value| *value += 900.0);
        assert_eq!(counted(&pool(&metric, 200, 200..220)).1, 1.0);
    }

    /// A row far out hides nothing, and a run's start is not what it does elsewhere.
    #[test]
    fn rows_far_out_hide_nothing() {
        let mut metric = noise(1020);
        metric[400..420].iter_mut().flatten().for_each(|value| *value += 200.0);
        metric[800] = Some(2e8);
        assert_eq!(counted(&pool(&metric, 1000, 1000..1020)).1, 1.0);
        metric[800] = Some(0.0);
        metric[0] = Some(2e8);
        assert_eq!(counted(&pool(&metric, 1000, 1000..1020)).1, 1.0);
    }

    #[test]
    fn it_is_known_when_a_metric_woke_up() {
        let mut metric = vec![Some(5.0); 1020];
        let woke = |metric: &[Option<f64>]| {
            let asleep = past(metric, Some(0..1000), 1000..1020);
            // Half as long counts as well.
            let pool = Pool::new(&[asleep], 1, 0.0);
            [500, 1600, 1700].map(|rows| (pool.of_waking(rows).p_value() * 23.5).round())
        };
        assert_eq!(woke(&metric), [1.0; 3]);
        metric[1005] = Some(6.0);
        assert_eq!(woke(&metric), [1.0; 3], "that is what was asked about");
        metric[820] = Some(6.0);
        assert_eq!(woke(&metric), [2.0, 2.0, 1.0]);
        // When a run starts much moves for the first time.
        metric[10] = Some(6.0);
        assert_eq!(woke(&metric), [1.0; 3]);
    }

    /// A metric that was constant and moves in the last window may have started for good.
    #[test]
    fn moving_here_alone_needs_rows_on_both_sides() {
        let mut metric = vec![Some(5.0); 1060];
        metric[1010] = Some(6.0);
        assert!(past(&metric, Some(0..1000), 1000..1020).is_still());
        assert!(!past(&metric[..1020], Some(0..1000), 1000..1020).is_still());
        assert!(!past(&metric[1000..], Some(20..60), 0..20).is_still());
        // Others that moved once are what it is compared with.
        let moves = |rows: &[usize]| {
            let mut metric = vec![Some(5.0); 1060];
            rows.iter().for_each(|&row| metric[row] = Some(6.0));
            let pool = Pool::new(&[past(&metric, Some(0..1000), 1000..1020)], 1, 0.0);
            (1.0 / pool.of_moving_here_alone().p_value()).round()
        };
        assert!(
            moves(&[500, 510]) < 0.6 * moves(&[500, 900]),
            "{} {}",
            moves(&[500]),
            moves(&[500, 900])
        );
    }

    #[test]
    fn little_or_nothing_is_no_past() {
        assert_eq!(past(&noise(30), None, 10..30), Past::default());
        for rows in [7, 8, 13, 50] {
            let short = pool(&noise(rows), 6, 6..rows);
            assert!(short.share(0.0) > 0.1, "{rows}: {short:?}");
        }
        let wild: Vec<Option<f64>> =
            (0..90).map(|n| Some(if n % 3 == 0 { f64::MAX } else { f64::MIN })).collect();
        assert!(pool(&wild, 80, 80..90).share(0.0).is_finite());
    }
}
