//! How far in time something is known.

use crate::Window;
use fathom_record::Observation;

/// The times for which something has a value: 0 to `end`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    /// The last time.
    pub(super) end: f64,
    /// Whether there may have been later times if the execution had not been ended.
    pub(super) is_cut: bool,
    /// Whether it is the same at all times. Then it does not shorten what it is combined with.
    pub(super) is_timeless: bool,
}

impl Reach {
    /// Of a number that belongs to no execution.
    pub(super) const EVERYWHERE: Reach =
        Reach { end: f64::INFINITY, is_cut: false, is_timeless: true };

    /// Of what varies in an execution. An execution without times is an instant.
    pub(super) fn of(run: &Observation) -> Reach {
        let end = run.end().unwrap_or_else(|| {
            let signals = run.signals().values().filter_map(|signal| signal.times().last());
            let events = run.events().values().filter_map(|events| events.times().last());
            signals.chain(events).copied().fold(0.0, f64::max)
        });
        Reach { end, is_cut: run.is_cut(), is_timeless: false }
    }

    /// The same reach, of something that does not vary.
    pub(super) fn timeless(self) -> Reach {
        Reach { is_timeless: true, ..self }
    }

    /// The same reach, of something that varies.
    pub(super) fn varying(self) -> Reach {
        Reach { is_timeless: false, ..self }
    }

    /// The reach of two things together: the shorter, except that what does not vary is not a
    /// limit.
    pub(super) fn and(self, other: Reach) -> Reach {
        match (self.is_timeless, other.is_timeless) {
            (true, false) => other,
            (false, true) => self,
            _ => self.shorter(other),
        }
    }

    /// The shorter of two. The end of a cut execution is at least what was seen, so that of two
    /// equal ones a complete one ends first.
    pub(super) fn shorter(self, other: Reach) -> Reach {
        let other_is_first = other.end < self.end || (other.end == self.end && self.is_cut);
        if other_is_first { other } else { self }
    }

    /// Whether a window is empty at all times, as it begins after the end.
    pub(super) fn leaves_empty(self, window: &Window) -> bool {
        is_empty(window)
            || !self.is_cut
                && (window.from > self.end || (window.from == self.end && !window.includes_from))
    }
}

/// Whether a window has no times at all.
pub(super) fn is_empty(window: &Window) -> bool {
    let is_instant = window.from == window.to;
    let has_order = window.from <= window.to && window.from < f64::INFINITY;
    !has_order || (is_instant && !(window.includes_from && window.includes_to))
}

/// Whether a window has the present in it.
pub(super) fn has_present(window: &Window) -> bool {
    let begins = window.from < 0.0 || (window.from == 0.0 && window.includes_from);
    let ends = window.to > 0.0 || (window.to == 0.0 && window.includes_to);
    begins && ends
}
