//! How much is drawn of a check.

/// How much is drawn of each question, so that a report fits its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fineness {
    /// Executions in a figure and in its table.
    pub executions: usize,
    /// Points of a signal, or steps of a curve.
    pub points: usize,
    /// Executions whose signals are shown.
    pub worst: usize,
}

impl Fineness {
    /// What a page shows.
    pub const FULL: Fineness = Fineness { executions: 2000, points: 1200, worst: 3 };

    /// Coarser and coarser, for reports that would be too large.
    pub(crate) const STEPS: [Fineness; 4] = [
        Fineness::FULL,
        Fineness { executions: 600, points: 400, worst: 2 },
        Fineness { executions: 200, points: 150, worst: 1 },
        Fineness { executions: 60, points: 60, worst: 0 },
    ];
}

/// The places of those to show of many: all that are special, as far as half of the room goes, and of
/// the rest one in so many.
pub(super) fn chosen(all: usize, most: usize, is_special: impl Fn(usize) -> bool) -> Vec<usize> {
    if all <= most {
        return (0..all).collect();
    }
    let special: Vec<usize> = (0..all).filter(|&place| is_special(place)).collect();
    let every = |places: usize, room: usize| places.div_ceil(room.max(1)).max(1);
    let step = every(special.len(), most / 2);
    let mut shown: Vec<usize> = special.iter().copied().step_by(step).collect();
    shown.extend((0..all).step_by(every(all, most - shown.len())));
    shown.sort_unstable();
    shown.dedup();
    shown
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn what_is_special_is_shown_first() {
        assert_eq!(chosen(3, 10, |_| false), [0, 1, 2]);
        let shown = chosen(1_000_000, 100, |place| place == 77_777);
        assert!(shown.contains(&77_777) && shown.len() <= 101, "{}", shown.len());
        assert!(chosen(1_000_000, 100, |_| true).len() <= 102);
    }
}
