//! Drop-outs: a series that moves all the time stands still, at 0 or at any other value.
//!
//! How far it fell says little: in a series that varies much, zero is not far. What never happens
//! otherwise is that value after value is the same.

use super::excursions::Excursion;
use fathom_stats::{Probability, quantile};
use std::ops::Range;

/// Fewer values are equal by chance.
const FEWEST: usize = 4;
/// How often chance may make one in a series.
const CHANCE: f64 = 1e-3;
/// By how much it has to be longer than the next shorter one.
const GAP: f64 = 2.0;
/// Drop-outs are rare, or they are how the series is.
const LARGEST_SHARE: f64 = 0.25;
/// Values below this share of the usual one are as good as none.
const NOTHING: f64 = 0.02;
/// What interrupts a drop-out for no more than this share of it is part of it.
const STRAGGLERS: f64 = 0.2;
/// Stronger than this nothing has to be.
const STRONGEST: f64 = 20.0;

/// The drop-outs of a series, in its order; `original` gives a value as it was measured.
pub(super) fn find(values: &[f64], original: impl Fn(f64) -> f64) -> Vec<Excursion> {
    let measured: Vec<f64> = values.iter().map(|value| original(*value)).collect();
    let Some(usual) = quantile::of_unsorted(&mut measured.clone(), Probability::HALF) else {
        return Vec::new();
    };
    let still = still_pairs(&measured, usual);
    let mut runs = runs(&still);
    runs.sort_by(|a, b| b.len().cmp(&a.len()).then(a.start.cmp(&b.start)));
    let Some(clear) = clear(&runs, &still) else { return Vec::new() };
    let (found, rest) = runs.split_at(clear.count);
    if found.iter().map(ExactSizeIterator::len).sum::<usize>() as f64
        > LARGEST_SHARE * values.len() as f64
    {
        return Vec::new();
    }
    let next = rest.first().map_or(1, ExactSizeIterator::len);
    let mut found: Vec<Excursion> =
        found.iter().map(|range| excursion(values, range, next, clear.share)).collect();
    found.sort_by_key(|one| one.range.start);
    found
}

/// Whether each value is as the one before: equal, or both next to nothing.
fn still_pairs(measured: &[f64], usual: f64) -> Vec<bool> {
    let nothing = NOTHING * usual.abs();
    let is_nothing = |value: f64| value.abs() <= nothing && usual != 0.0;
    let pair = |(one, two): (&f64, &f64)| one == two || (is_nothing(*one) && is_nothing(*two));
    measured.iter().zip(measured.iter().skip(1)).map(pair).collect()
}

/// Stretches of values that are alike; what interrupts one for a moment is part of it.
fn runs(still: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < still.len() {
        let end = still.iter().skip(at).position(|still| !still).map_or(still.len(), |n| at + n);
        if end > at {
            // Pairs from `at` to `end` are values from `at` to `end`, the last included.
            runs.push(at..end + 1);
        }
        at = end + 1;
    }
    let mut joined: Vec<Range<usize>> = Vec::new();
    for run in runs {
        match joined.last_mut() {
            Some(last) if belongs(last, &run) => last.end = run.end,
            _ => joined.push(run),
        }
    }
    joined
}

fn belongs(last: &Range<usize>, next: &Range<usize>) -> bool {
    let between = next.start.saturating_sub(last.end);
    last.len() >= FEWEST
        && next.len() >= FEWEST
        && between as f64 <= STRAGGLERS * last.len().min(next.len()) as f64
}

/// The longest runs that chance does not make.
struct Clear {
    count: usize,
    /// How often a value is as the one before, elsewhere.
    share: f64,
}

fn clear(runs: &[Range<usize>], still: &[bool]) -> Option<Clear> {
    let pairs = still.len() as f64;
    let mut inside = 0;
    let mut found = None;
    let all = still.iter().filter(|still| **still).count();
    for (number, run) in runs.iter().enumerate() {
        inside += run.len() - 1;
        let share =
            (1 + all.saturating_sub(inside)) as f64 / (1.0 + pairs - inside as f64).max(1.0);
        let next = runs.get(number + 1).map_or(1, ExactSizeIterator::len);
        let chance = pairs * share.min(1.0).powf((run.len() - 1) as f64);
        if run.len() >= FEWEST && chance <= CHANCE && run.len() as f64 >= GAP * next as f64 {
            found = Some(Clear { count: number + 1, share });
        }
        // Longer than these no later one is.
        if run.len() < FEWEST {
            break;
        }
    }
    found
}

fn excursion(values: &[f64], range: &Range<usize>, next: usize, share: f64) -> Excursion {
    let part = values.get(range.clone()).unwrap_or_default();
    let reached = part.iter().sum::<f64>() / part.len().max(1) as f64;
    let near = 3 * range.len().max(2);
    let around = values.get(range.start.saturating_sub(near)..range.start).into_iter().flatten();
    let after = values.get(range.end..(range.end + near).min(values.len())).into_iter().flatten();
    let mut around: Vec<f64> = around.chain(after).copied().collect();
    let level = quantile::of_unsorted(&mut around, Probability::HALF).unwrap_or(reached);
    let by_length = range.len() as f64 / (GAP * next as f64);
    let by_chance =
        -((values.len() as f64).ln() + (range.len() - 1) as f64 * share.ln()) / -CHANCE.ln();
    let strength = by_length.min(by_chance).clamp(1.0, STRONGEST);
    Excursion { range: range.clone(), level, reached, strength, is_still: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between 50 and 150, never twice the same.
    fn moving(rows: usize) -> Vec<f64> {
        (0..rows)
            .map(|n| 100.0 + ((n * n * 37 + n * 11) % 101) as f64 - 50.0 + 1e-3 * n as f64)
            .collect()
    }

    fn found(values: &[f64]) -> Vec<Range<usize>> {
        find(values, |value| value).into_iter().map(|one| one.range).collect()
    }

    #[test]
    fn a_stretch_at_zero_or_any_other_value_is_found() {
        let mut values = moving(400);
        assert!(found(&values).is_empty());
        values[200..220].fill(0.0);
        assert_eq!(found(&values), [200..220]);
        let one = &find(&values, |value| value)[0];
        assert!(
            one.strength > 5.0 && one.reached == 0.0 && (one.level - 100.0).abs() < 20.0,
            "{one:?}"
        );
        values[200..220].fill(100.0);
        assert_eq!(found(&values), [200..220], "it stands still at its usual value");
        // Three are too few, and a quarter of all is how it is.
        let mut values = moving(400);
        values[10..13].fill(0.0);
        assert!(found(&values).is_empty());
        values[10..111].fill(0.0);
        assert!(found(&values).is_empty());
    }

    #[test]
    fn next_to_nothing_is_nothing_and_a_straggler_is_part_of_it() {
        let mut values = moving(400);
        for (row, value) in values.iter_mut().enumerate().take(240).skip(200) {
            *value = 0.01 * (row % 7) as f64;
        }
        assert_eq!(found(&values), [200..240]);
        values[215] = 80.0;
        assert_eq!(found(&values), [200..240]);
        values[212..222].iter_mut().for_each(|value| *value += 80.0);
        assert_ne!(found(&values), [200..240], "ten of forty are no straggler");
    }

    #[test]
    fn what_stands_still_often_has_no_drop_out() {
        // Of small counts neighbours are often equal.
        let counts: Vec<f64> = (0..600_u64).map(|n| ((n * n * 37 + n) % 101 % 3) as f64).collect();
        assert!(found(&counts).is_empty());
        let mut often = moving(600);
        for start in (20..600).step_by(60) {
            often[start..start + 8].fill(0.0);
        }
        assert_eq!(found(&often).len(), 10, "eighty of six hundred");
        // One of many is not much longer than the others.
        often[500..512].fill(0.0);
        assert!(found(&often).len() != 1);
        assert!(found(&[]).is_empty() && found(&[1.0; 50]).is_empty());
    }
}
