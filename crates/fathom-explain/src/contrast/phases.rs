//! The phases of the reference.

use super::PhaseChoice;
use crate::segment::{Points, optimal};
use crate::suggest::level_changes;
use crate::{Grid, Sequence};
use fathom_record::Timestamp;

/// No more phases than this are found: what has more has a rhythm, and is described by no list.
const MOST: usize = 8;
/// A phase lasts for at least this share of the run.
const SHORTEST: usize = 50;

/// Where phases begin, and where the last one ends: two moments or more.
pub(super) fn find(values: &[f64], edges: &[Timestamp], choice: PhaseChoice) -> Vec<Timestamp> {
    let rows = values.len();
    let shortest = (rows / SHORTEST).max(3);
    let cuts = match choice {
        PhaseChoice::Whole => Vec::new(),
        PhaseChoice::Exactly(count) => lines(values, edges, count, shortest),
        PhaseChoice::Auto => {
            let cuts = lasting(level_changes(values), rows, shortest);
            if cuts.len() < MOST { cuts } else { lines(values, edges, MOST, shortest) }
        }
    };
    let inner = cuts.into_iter().filter_map(|cut| edges.get(cut).copied());
    let mut moments: Vec<Timestamp> =
        edges.first().copied().into_iter().chain(inner).chain(edges.last().copied()).collect();
    moments.dedup();
    moments
}

/// The cuts into so many lines that fit best.
fn lines(values: &[f64], edges: &[Timestamp], count: usize, shortest: usize) -> Vec<usize> {
    let Some(grid) = Grid::new(edges.to_vec()) else { return Vec::new() };
    let points = Points::of(&grid, &Sequence::from(values.to_vec()), 0..values.len());
    let shortest = shortest.min((values.len() / count.max(1)).max(1));
    optimal(&points, count, shortest).cuts().collect()
}

/// Without cuts that leave a phase too short: it belongs to the one before it, or the first to the one
/// after.
fn lasting(cuts: Vec<usize>, rows: usize, shortest: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for cut in cuts {
        let before = kept.last().copied().unwrap_or(0);
        if cut >= before + shortest && cut + shortest <= rows {
            kept.push(cut);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(rows: usize) -> Vec<Timestamp> {
        (0..=rows as i64).map(Timestamp::from_nanoseconds).collect()
    }

    fn cuts(values: &[f64], choice: PhaseChoice) -> Vec<i64> {
        find(values, &edges(values.len()), choice).iter().map(|at| at.nanoseconds()).collect()
    }

    fn noisy(levels: &[(f64, usize)]) -> Vec<f64> {
        let levels = levels.iter().flat_map(|&(level, rows)| std::iter::repeat_n(level, rows));
        let noise = |n: usize| ((n * n * 31 + n * 17) % 101) as f64 / 500.0;
        levels.enumerate().map(|(n, level)| level + noise(n)).collect()
    }

    #[test]
    fn levels_are_phases() {
        let values = noisy(&[(1.0, 60), (4.0, 100), (2.0, 80)]);
        assert_eq!(cuts(&values, PhaseChoice::Auto), [0, 60, 160, 240]);
        assert_eq!(cuts(&values, PhaseChoice::Whole), [0, 240]);
        assert_eq!(cuts(&values, PhaseChoice::Exactly(2)).len(), 3);
        assert_eq!(cuts(&noisy(&[(1.0, 100)]), PhaseChoice::Auto), [0, 100]);
        // Short peaks are no phases.
        let peak = noisy(&[(1.0, 200), (9.0, 3), (1.0, 200)]);
        assert!(cuts(&peak, PhaseChoice::Auto).len() <= 3);
    }

    #[test]
    fn there_are_always_two_ends() {
        for choice in [PhaseChoice::Auto, PhaseChoice::Exactly(5), PhaseChoice::Whole] {
            assert_eq!(cuts(&[1.0, 2.0, 3.0], choice).len().min(2), 2, "{choice:?}");
            let many: Vec<f64> = (0..2000).map(|n| f64::from(n / 20 % 2)).collect();
            assert!((2..=9).contains(&cuts(&many, choice).len()), "{choice:?}");
        }
    }
}
