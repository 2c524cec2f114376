//! How much data there is outside the windows, and what it is enough for.

use super::CALLED;
use crate::Question;
use crate::suggest::duration;
use std::ops::Range;

/// As the change score has it: the stretch that a window is compared with is this many times as
/// long.
const TIMES_AS_LONG: usize = 4;

/// What a trace has outside the windows: the one rule on how much is enough, for text, JSON and pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Beside {
    /// The rows where something else may have happened, in stretches: all but those that were asked
    /// about, and half a window next to them, since what was asked about may begin earlier and end
    /// later.
    pieces: Vec<Range<usize>>,
    /// All rows outside the windows.
    rows: usize,
    /// The rows of a window; of several, on average.
    window: usize,
    /// How many windows there are: together they are one question.
    windows: usize,
    /// How long a row is on average, in seconds.
    row_seconds: f64,
}

impl Beside {
    /// For a question.
    #[must_use]
    pub fn of(question: &Question) -> Beside {
        let (windows, all) = (&question.windows, question.grid.rows());
        let window = question.asked().div_ceil(windows.len().max(1)).max(1);
        let near = window / 2;
        let starts = windows.iter().map(|one| one.end.saturating_add(near));
        let ends = windows.iter().map(|one| one.start.saturating_sub(near));
        let pieces = std::iter::once(0).chain(starts).zip(ends.chain([all]));
        let pieces = pieces.map(|(start, end)| start.min(all)..end.max(start).min(all)).collect();
        let rows = all.saturating_sub(question.asked());
        let grid = question.grid.span(&(0..all));
        let seconds = grid.map_or(0.0, |(start, end)| (end - start).nanoseconds_f64() * 1e-9);
        let row_seconds = seconds / all.max(1) as f64;
        Beside { pieces, rows, window, windows: windows.len().max(1), row_seconds }
    }

    pub(super) fn pieces(&self) -> &[Range<usize>] {
        &self.pieces
    }

    /// The rows of a window; of several, on average.
    #[must_use]
    pub fn window_rows(&self) -> usize {
        self.window
    }

    /// The rows outside the windows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How often the windows fit outside the windows, each with the stretch before it that it is
    /// compared with. They may share that stretch, but not a row of their own.
    #[must_use]
    pub fn places(&self) -> f64 {
        self.places_of(&self.lengths(), self.window)
    }

    fn places_of(&self, lengths: &[usize], window: usize) -> f64 {
        places(lengths, window) / self.windows.max(1) as f64
    }

    /// The smallest q that a single metric can have here, however clear it is.
    ///
    /// If something happens by chance in a share s of all windows, it has not happened in N windows and
    /// happens in the next with probability (1 - s)^N s. That is largest for s = 1/(N + 1).
    #[must_use]
    pub fn least_q(&self) -> f64 {
        least_q(self.places())
    }

    /// Whether a single metric can be called something.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.least_q() < CALLED
    }

    /// The longest window with which a single metric could be significant, with as many rows
    /// outside.
    #[must_use]
    pub fn longest_window(&self) -> Option<usize> {
        let lengths = self.lengths();
        let is_enough = |rows: usize| least_q(self.places_of(&lengths, rows)) < CALLED;
        // With a shorter window, the same rows outside are more windows.
        let (mut enough, mut too_many) = (0, self.window + 1);
        while enough + 1 < too_many {
            let middle = usize::midpoint(enough, too_many);
            if is_enough(middle) {
                enough = middle;
            } else {
                too_many = middle;
            }
        }
        (enough > 0).then_some(enough)
    }

    /// How many rows more the trace would need for this window, after its longest stretch.
    #[must_use]
    pub fn rows_missing(&self) -> usize {
        let mut lengths = self.lengths();
        let longest = lengths.iter().enumerate().max_by_key(|(_, length)| **length);
        let Some(longest) = longest.map(|(place, _)| place) else { return 0 };
        let mut missing = 0;
        while least_q(self.places_of(&lengths, self.window)) >= CALLED {
            // A tenth of a window at a time: it is advice, not a measurement.
            let more = self.window.div_ceil(10);
            missing += more;
            let Some(length) = lengths.get_mut(longest) else { break };
            *length += more;
        }
        missing
    }

    /// How much longer the recording would have to be, in seconds.
    #[must_use]
    pub fn seconds_missing(&self) -> f64 {
        self.rows_missing() as f64 * self.row_seconds
    }

    /// That there is too little, and what to do; `None` if there is enough.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        if self.is_enough() {
            return None;
        }
        let (window, rows) = (self.window, self.rows);
        if rows == 0 {
            return Some(
                "not enough data to judge significance: no rows are outside the window. Choose a \
                 window that is part of the trace"
                    .to_string(),
            );
        }
        let shorter = self.longest_window().map_or(String::new(), |most| {
            let lasts = duration(most as f64 * self.row_seconds);
            format!("choose a window of at most {most} {} ({lasts}), or ", rows_word(most))
        });
        Some(format!(
            "not enough data to judge significance: the window has {window} {}, and {rows} {} outside \
             it; {shorter}record {} more",
            rows_word(window),
            if rows == 1 { "row is" } else { "rows are" },
            duration(self.seconds_missing()),
        ))
    }

    fn lengths(&self) -> Vec<usize> {
        self.pieces.iter().map(ExactSizeIterator::len).collect()
    }

    /// How many places a stretch of so many rows has: each is compared with the rows before it, or with
    /// those after it where too few precede it.
    pub(super) fn starts(length: usize, before: usize, window: usize) -> usize {
        let one_way = (length + 1).saturating_sub(before + window);
        (2 * one_way).min((length + 1).saturating_sub(window))
    }

    /// How many rows are compared at a place: those before, and those of the window.
    pub(super) fn compared(longest: usize, window: usize) -> (usize, usize) {
        (window.saturating_mul(TIMES_AS_LONG).min(longest / 2), window.min(longest / 6).max(1))
    }
}

fn rows_word(rows: usize) -> &'static str {
    if rows == 1 { "row" } else { "rows" }
}

fn places(lengths: &[usize], window: usize) -> f64 {
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let (before, rows) = Beside::compared(longest, window);
    let starts = |length: &usize| Beside::starts(*length, before, rows);
    lengths.iter().map(starts).sum::<usize>() as f64 / window as f64
}

/// The largest (1 - s)^n s.
pub(super) fn least_q(n: f64) -> f64 {
    let n = if n.is_finite() { n.max(0.0) } else { 0.0 };
    (n * -(1.0 / n.max(1e-9)).ln_1p()).exp() / (n + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(pieces: &[Range<usize>], window: usize) -> Beside {
        let rows = pieces.iter().map(ExactSizeIterator::len).sum();
        Beside { pieces: pieces.to_vec(), rows, window, windows: 1, row_seconds: 0.5 }
    }

    #[test]
    fn the_least_q_is_the_worst_share() {
        for n in [0_u32, 1, 2, 7, 30, 400] {
            let by_hand = (0..=100_000)
                .map(|s| f64::from(s) / 1e5)
                .map(|s| (1.0 - s).powi(n as i32) * s)
                .fold(0.0, f64::max);
            let found = least_q(f64::from(n));
            assert!((found - by_hand).abs() < 1e-6, "{n}: {found} {by_hand}");
        }
        assert_eq!(least_q(f64::NAN), 1.0);
        assert!(least_q(6.8) > CALLED && least_q(7.0) < CALLED);
    }

    /// Three windows are asked about together, so there are a third as many other places for them.
    #[test]
    fn several_windows_are_one_question() {
        let one = beside(&[0..1000, 1000..1000], 10);
        let three = Beside { windows: 3, ..one.clone() };
        assert!((one.places() / three.places() - 3.0).abs() < 1e-12);
        assert!(three.least_q() > one.least_q());
    }

    #[test]
    fn advice_holds() {
        let short = beside(&[0..200, 200..200], 40);
        assert!(!short.is_enough());
        let longest = short.longest_window().unwrap();
        assert!(beside(&[0..200, 200..200], longest).is_enough());
        assert!(!beside(&[0..200, 200..200], longest + 1).is_enough());
        let longer = 200 + short.rows_missing();
        assert!(beside(&[0..longer, longer..longer], 40).is_enough());
        assert_eq!(
            short.advice().unwrap(),
            format!(
                "not enough data to judge significance: the window has 40 rows, and 200 rows \
                 are outside it; choose a window of at most {longest} rows ({} s), or record {:.0} s \
                 more",
                (longest as f64 / 2.0).round(),
                short.seconds_missing()
            )
        );
        assert_eq!(beside(&[0..2000, 2000..2000], 40).advice(), None);
        assert!(beside(&[0..0, 9..9], 9).advice().unwrap().contains("no rows"));
        assert_eq!(beside(&[0..0, 9..9], 9).longest_window(), None);
        assert!(beside(&[0..1, 9..9], 9).advice().unwrap().contains("1 row is outside it; record"));
        // A place at either end is compared with what is on its other side.
        let starts = [(99, 40, 10), (50, 40, 10), (49, 40, 10), (60, 40, 10), (10, 0, 10)];
        let starts = starts.map(|(length, before, window)| Beside::starts(length, before, window));
        assert_eq!(starts, [90, 2, 0, 22, 1]);
    }
}
