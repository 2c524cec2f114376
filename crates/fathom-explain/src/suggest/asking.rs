//! From where something odd is to the window that is asked with.

use super::suggestion::{Kind, Suggestion};
use std::ops::Range;

/// Fewer rows have no shape to follow.
const FEWEST: usize = 8;

impl Suggestion {
    /// The windows to ask with, of a target with so many rows: in order and apart.
    ///
    /// What is short is asked about with half its length around it on both sides, since a dip is a
    /// shape only with its edges; what then meets is one window.
    #[must_use]
    pub fn windows_to_ask(&self, rows: usize) -> Vec<Range<usize>> {
        let is_short = matches!(self.kind, Kind::Dips | Kind::Spikes);
        let mut windows: Vec<Range<usize>> = Vec::new();
        for window in &self.windows {
            let around = if is_short { window.len().div_ceil(2) } else { 0 };
            let around = around.max(FEWEST.saturating_sub(window.len()).div_ceil(2));
            let start = window.start.saturating_sub(around);
            let end = window.end.saturating_add(around).min(rows);
            match windows.last_mut() {
                Some(before) if before.end >= start => before.end = before.end.max(end),
                _ => windows.push(start..end),
            }
        }
        windows
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one window among several")]
mod tests {
    use super::*;

    fn suggestion(kind: Kind, windows: Vec<Range<usize>>) -> Suggestion {
        Suggestion {
            kind,
            windows,
            strength: 1.0,
            level: 0.0,
            reached: 1.0,
            times: 1,
            seconds: 1.0,
            every_seconds: None,
            about: String::new(),
        }
    }

    #[test]
    fn short_ones_have_their_edges_and_meet() {
        let ask = |kind, windows| suggestion(kind, windows).windows_to_ask(100);
        assert_eq!(ask(Kind::Dips, vec![50..60]), [45..65]);
        assert_eq!(ask(Kind::Spikes, vec![1..2, 50..51, 99..100]), [0..6, 46..55, 95..100]);
        assert_eq!(ask(Kind::Spikes, vec![61..63, 67..69, 73..75]), [58..78]);
        assert_eq!(ask(Kind::StepUp, vec![40..90]), [40..90]);
        assert_eq!(ask(Kind::Rise, vec![40..44]), [38..46]);
    }
}
