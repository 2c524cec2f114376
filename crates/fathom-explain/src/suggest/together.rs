//! Where many metrics depart from their levels at once: an overview, for those who have no target yet.

use super::company::{Company, Counts, Departing};
use fathom_stats::{Probability, quantile};
use std::ops::Range;

/// Fewer metrics are not many.
const FEWEST_MEMBERS: usize = 3;
/// Shorter stretches are not looked at.
const SHORTEST: usize = 4;
/// The longest is this part of a run.
const LONGEST_PART: usize = 8;
/// By how many of its usual deviations a count has to be larger than the usual one.
const CLEAR: f64 = 5.0;
/// Two that share this part of the metrics are the same thing again.
const ALIKE: f64 = 0.5;
/// Their lengths differ by at most this factor.
const LENGTHS: f64 = 3.0;

/// Rows in which many metrics depart from their levels, and which.
#[derive(Debug, Clone, PartialEq)]
pub struct Together {
    /// Where: in order and apart; several if the same metrics do so again.
    pub windows: Vec<Range<usize>>,
    /// Who departs in the first of them that was found, which is the clearest.
    pub departing: Departing,
}

/// A place where more metrics depart than usual.
struct Candidate {
    rows: Range<usize>,
    excess: f64,
}

/// At most this many, those with most metrics first.
#[must_use]
pub fn together(company: &Company, limit: usize) -> Vec<Together> {
    let rows = company.rows();
    let mut candidates = Vec::new();
    let mut length = SHORTEST;
    while length <= rows / LONGEST_PART {
        candidates.extend(peaks(&company.counts(length)));
        length *= 2;
    }
    candidates.sort_by(|a, b| {
        b.excess
            .total_cmp(&a.excess)
            .then(a.rows.len().cmp(&b.rows.len()))
            .then(a.rows.start.cmp(&b.rows.start))
    });
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut found: Vec<Together> = Vec::new();
    for candidate in candidates {
        if taken.iter().any(|other| overlaps(other, &candidate.rows)) {
            continue;
        }
        let departing = company.departing(&candidate.rows);
        if departing.members.len() < FEWEST_MEMBERS {
            continue;
        }
        let window = company.edges(&departing, &candidate.rows);
        if taken.iter().any(|other| overlaps(other, &window)) {
            continue;
        }
        taken.push(window.clone());
        // What is left is near to it, or within it.
        taken.push(candidate.rows);
        let again = found.iter().position(|other| other.is_like(&departing, &window));
        if let Some(other) = again.and_then(|place| found.get_mut(place)) {
            other.windows.push(window);
            other.windows.sort_by_key(|window| window.start);
        } else if found.len() < limit {
            found.push(Together { windows: vec![window], departing });
        } else {
            break;
        }
    }
    found
}

impl Together {
    /// Whether the same metrics do so for about as long.
    fn is_like(&self, departing: &Departing, window: &Range<usize>) -> bool {
        let both = self.departing.shared(departing) as f64;
        let either = (self.departing.members.len() + departing.members.len()) as f64 - both;
        let longest = self.windows.iter().map(ExactSizeIterator::len).max().unwrap_or(1) as f64;
        let length = window.len() as f64;
        both >= ALIKE * either && length <= LENGTHS * longest && longest <= LENGTHS * length
    }
}

/// The places where clearly more metrics depart than at most others, one of each neighbourhood.
fn peaks(counts: &Counts) -> Vec<Candidate> {
    let Counts { length, stride, counts } = counts;
    let mut sorted: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
    let Some(usual) = quantile::of_unsorted(&mut sorted, Probability::HALF) else {
        return Vec::new();
    };
    let mut apart: Vec<f64> = sorted.iter().map(|count| (count - usual).abs()).collect();
    let deviation = quantile::of_unsorted(&mut apart, Probability::HALF).unwrap_or(0.0) / 0.674_49;
    // Counts of rare things vary as Poisson's do.
    let deviation = deviation.max((usual + 0.5).sqrt());
    let reach = length.div_ceil(*stride);
    let is_highest = |place: usize, count: usize| {
        let around = place.saturating_sub(reach)..(place + reach + 1).min(counts.len());
        counts.get(around).unwrap_or_default().iter().all(|other| *other <= count)
    };
    let candidate = |(place, &count): (usize, &usize)| {
        let excess = count as f64 - usual;
        let is_clear = count >= FEWEST_MEMBERS && excess >= CLEAR * deviation;
        (is_clear && is_highest(place, count))
            .then(|| Candidate { rows: place * stride..place * stride + length, excess })
    };
    counts.iter().enumerate().filter_map(candidate).collect()
}

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sequence;
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn noise(rows: usize, seed: u64) -> Vec<f64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut uniform = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
        (0..rows).map(|_| (0..4).map(|_| uniform()).sum::<f64>() * 1.7).collect()
    }

    /// Forty metrics, of which the first `many` are higher in these rows.
    fn company(seed: u64, many: usize, rows: &[Range<usize>]) -> Company {
        let metric = |number: usize| {
            let mut values = noise(600, seed + number as u64);
            for (row, value) in values.iter_mut().enumerate() {
                let is_in = number < many && rows.iter().any(|rows| rows.contains(&row));
                *value += if is_in { 8.0 } else { 0.0 };
            }
            Sequence::from(values)
        };
        Company::of((0..40).map(metric))
    }

    #[test]
    fn what_many_do_at_once_is_found_with_its_ends() {
        let found = together(&company(1, 8, &[300..330]), 5);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].windows, [300..330]);
        let members: Vec<usize> = found[0].departing.members.iter().map(|(one, _)| *one).collect();
        assert!((0..8).all(|one| members.contains(&one)) && members.len() <= 9, "{members:?}");
        assert!(found[0].departing.elsewhere < 1.0, "{found:?}");
    }

    #[test]
    fn the_same_again_is_one() {
        let found = together(&company(2, 8, &[100..120, 400..424]), 5);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].windows, [100..120, 400..424]);
    }

    #[test]
    fn noise_has_nothing() {
        let alarms =
            (0..40).filter(|seed| !together(&company(1000 + 50 * seed, 0, &[]), 5).is_empty());
        let alarms = alarms.count();
        assert!(alarms <= 2, "{alarms} of 40");
        assert!(together(&Company::default(), 5).is_empty());
        let odd = [vec![], vec![7.0; 50], vec![f64::MAX; 50], vec![f64::MIN, f64::MAX, 0.0]];
        assert!(together(&Company::of(odd.map(Sequence::from)), 5).is_empty());
    }

    /// Each by itself, at another time.
    #[test]
    fn what_each_does_alone_is_not_together() {
        let metric = |number: usize| {
            let mut values = noise(600, 77 + number as u64);
            values[10 + 14 * number..24 + 14 * number].iter_mut().for_each(|value| *value += 8.0);
            Sequence::from(values)
        };
        assert!(together(&Company::of((0..40).map(metric)), 5).is_empty());
    }
}
