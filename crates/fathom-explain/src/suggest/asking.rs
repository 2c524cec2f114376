//! From where something odd is to the window that is asked with.

use super::suggestion::Suggestion;
use std::ops::Range;

/// Fewer rows have no shape to follow.
const FEWEST: usize = 4;

impl Suggestion {
    /// The windows to ask with, of a target with this many rows: in order and apart.
    ///
    /// They are where something odd is, and nothing around it: twice the rows would halve the change and
    /// leave half as many windows to compare with. Only what is too short for a shape gets a row or two
    /// more; what then meets is one window.
    #[must_use]
    pub fn windows_to_ask(&self, rows: usize) -> Vec<Range<usize>> {
        let mut windows: Vec<Range<usize>> = Vec::new();
        for window in &self.windows {
            let around = FEWEST.saturating_sub(window.len()).div_ceil(2);
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
    use crate::suggest::SuggestionKind;

    fn suggestion(kind: SuggestionKind, windows: Vec<Range<usize>>) -> Suggestion {
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
    fn they_are_where_it_is_and_short_ones_meet() {
        let ask = |kind, windows| suggestion(kind, windows).windows_to_ask(100);
        assert_eq!(ask(SuggestionKind::Dips, vec![50..60]), [50..60]);
        assert_eq!(
            ask(SuggestionKind::Spikes, vec![1..2, 50..51, 99..100]),
            [0..4, 48..53, 97..100]
        );
        assert_eq!(ask(SuggestionKind::Spikes, vec![61..63, 64..66, 73..75]), [60..67, 72..76]);
        assert_eq!(ask(SuggestionKind::StepUp, vec![40..90]), [40..90]);
        assert_eq!(ask(SuggestionKind::Rise, vec![40..44]), [40..44]);
    }
}
