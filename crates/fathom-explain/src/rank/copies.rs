//! Metrics that are the same thing twice.
//!
//! Metrics are read one at a time and not kept, so that each leaves a [`Fingerprint`], from which
//! Pearson's coefficient of any two follows closely enough to tell copies from all others.

use crate::Sequence;
use fathom_stats::Probability;
use fathom_stats::quantile::of_unsorted;

/// From which coefficient on two metrics are copies.
pub const COPY: f64 = 0.999;

/// From which coefficient on they are still copies once their most extreme rows are held back and
/// their trends are taken away.
const HELD_BACK: f64 = 0.9;

/// How many sums a sketch has. The distance of two sketches is off by about sqrt(2 / SUMS) of itself.
const SUMS: usize = 256;

/// Fewer rows than these are alike by chance.
const FEWEST: usize = 10;

/// What is kept of a metric to tell whether another one is its copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Fingerprint {
    /// Which rows of time it is of. Those of other rows say nothing of each other.
    grid: usize,
    whole: Sketch,
    /// Of the metric with its most extreme rows held back to the next one's distance, without its trend.
    held_back: Sketch,
}

impl Fingerprint {
    /// Of a metric on a grid that the caller numbers, a number per run; `None` if it has fewer than 10
    /// rows, or moves in so few (two, or 1%) that any other metric with a spike there would be its copy.
    #[must_use]
    pub fn of(grid: usize, metric: &Sequence) -> Option<Fingerprint> {
        let largest = metric.seen().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        // Of extreme values sums are not finite.
        let scale = if (1e-100..1e100).contains(&largest) { 1.0 } else { 1.0 / largest };
        let scale = if scale.is_finite() { scale } else { 1e300 };
        let rows = metric.iter().enumerate();
        let mut rows: Vec<(usize, f64)> =
            rows.filter_map(|(row, value)| Some((row, value? * scale))).collect();
        if rows.len() < FEWEST {
            return None;
        }
        let mut unordered: Vec<f64> = rows.iter().map(|(_, value)| *value).collect();
        let median = of_unsorted(&mut unordered, Probability::HALF)?;
        unordered.iter_mut().for_each(|value| *value = (*value - median).abs());
        let spikes = rows.len().div_ceil(100).max(2);
        let place = rows.len().saturating_sub(spikes + 1);
        let (_, &mut limit, _) = unordered.select_nth_unstable_by(place, f64::total_cmp);
        if limit <= largest * scale * 1e-12 {
            return None;
        }
        rows.iter_mut().for_each(|(_, value)| *value -= median);
        let whole = Sketch::of(&rows)?;
        rows.iter_mut().for_each(|(_, value)| *value = value.clamp(-limit, limit));
        take_trend_away(&mut rows);
        let held_back = Sketch::of(&rows)?;
        Some(Fingerprint { grid, whole, held_back })
    }

    /// About Pearson's coefficient of the two metrics over the whole grid; `None` for those of
    /// different grids.
    ///
    /// Its distance from 1 (or -1) is off by about 9% of itself. Rows that one of them lacks count as
    /// its mean.
    #[must_use]
    pub fn coefficient(&self, other: &Fingerprint) -> Option<f64> {
        (self.grid == other.grid).then(|| self.whole.cosine(&other.whole))
    }

    /// Whether one is the other's copy, or a rescaling of it: |r| of at least [`COPY`], and of .9 with
    /// the most extreme rows held back and without a straight trend, so that neither a spike that all
    /// metrics share nor climbing together makes copies.
    #[must_use]
    pub fn is_copy(&self, other: &Fingerprint) -> bool {
        self.coefficient(other).is_some_and(|r| r.abs() >= COPY)
            && self.held_back.cosine(&other.held_back).abs() >= HELD_BACK
    }
}

/// Leaves what a straight line does not explain.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn take_trend_away(rows: &mut [(usize, f64)]) {
    let count = rows.len() as f64;
    let middle = rows.iter().map(|(row, _)| *row as f64).sum::<f64>() / count;
    let mean = rows.iter().map(|(_, value)| value).sum::<f64>() / count;
    let (mut squares, mut products) = (0.0, 0.0);
    for (row, value) in rows.iter() {
        let time = *row as f64 - middle;
        squares += time * time;
        products += time * (value - mean);
    }
    // At least ten rows, so that they are not all at one time.
    let slope = products / squares;
    for (row, value) in rows {
        *value -= mean + slope * (*row as f64 - middle);
    }
}

/// Which metrics are copies: of each, the place of the first one in the given order that it is a copy
/// of and that is itself no copy. `None` for those that are not a copy of an earlier one.
#[must_use]
pub fn groups(fingerprints: &[Option<&Fingerprint>]) -> Vec<Option<usize>> {
    let mut originals: Vec<(usize, &Fingerprint)> = Vec::new();
    let mut groups = Vec::with_capacity(fingerprints.len());
    for (place, fingerprint) in fingerprints.iter().enumerate() {
        let Some(fingerprint) = fingerprint else {
            groups.push(None);
            continue;
        };
        let original = originals.iter().find(|(_, original)| original.is_copy(fingerprint));
        groups.push(original.map(|(place, _)| *place));
        if original.is_none() {
            originals.push((place, fingerprint));
        }
    }
    groups
}

/// Sums of rows that were thrown together at random, each with a random sign: a count sketch. Of
/// length 1, so that the product of two is about the coefficient.
///
/// Two halves by different throws: rows that cancel each other in one do not in the other.
#[derive(Debug, Clone, PartialEq)]
struct Sketch {
    sums: Vec<f32>,
}

impl Sketch {
    /// Of rows that are near 0; `None` if they are all equal.
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    fn of(rows: &[(usize, f64)]) -> Option<Sketch> {
        let mean = rows.iter().map(|(_, value)| value).sum::<f64>() / rows.len() as f64;
        let mut sums = vec![0.0_f64; SUMS];
        for &(row, value) in rows {
            let thrown = throw(row as u64);
            let value = value - mean;
            for (half, bits) in [(0, thrown), (SUMS / 2, thrown >> 32)] {
                let place = half + (bits as usize) % (SUMS / 2);
                let is_negative = (bits >> 16) & 1 == 1;
                if let Some(sum) = sums.get_mut(place) {
                    *sum += if is_negative { -value } else { value };
                }
            }
        }
        let length = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
        (length > 0.0)
            .then(|| Sketch { sums: sums.iter().map(|sum| (sum / length) as f32).collect() })
    }

    /// About Pearson's coefficient.
    fn cosine(&self, other: &Sketch) -> f64 {
        let products =
            self.sums.iter().zip(&other.sums).map(|(a, b)| f64::from(*a) * f64::from(*b));
        products.sum::<f64>().clamp(-1.0, 1.0)
    }
}

/// Bits that tell nothing of the number they are of: the finaliser of SplitMix64.
fn throw(row: u64) -> u64 {
    let bits = row.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
        // Twelve uniform numbers are near enough.
        (0..12).map(|_| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>() - 6.0
    }

    /// A series, and a second one of exactly this coefficient with it.
    fn pair(
        n: usize,
        memory: f64,
        r: f64,
        random: &mut Xoshiro256PlusPlus,
    ) -> (Vec<f64>, Vec<f64>) {
        let mut series = || {
            let mut level = 0.0;
            let values = (0..n).map(|_| {
                level = memory * level + normal(random);
                level
            });
            standardised(&values.collect::<Vec<_>>())
        };
        let (first, other) = (series(), series());
        let common = first.iter().zip(&other).map(|(a, b)| a * b).sum::<f64>();
        let apart: Vec<f64> = other.iter().zip(&first).map(|(b, a)| b - common * a).collect();
        let apart = standardised(&apart);
        let second =
            first.iter().zip(&apart).map(|(a, e)| r * a + (1.0 - r * r).sqrt() * e).collect();
        (first, second)
    }

    /// Of mean 0 and length 1.
    fn standardised(values: &[f64]) -> Vec<f64> {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let length = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>().sqrt();
        values.iter().map(|x| (x - mean) / length).collect()
    }

    fn print(values: &[f64]) -> Option<Fingerprint> {
        Fingerprint::of(0, &Sequence::from(values.to_vec()))
    }

    #[test]
    fn copies_are_told_from_what_is_merely_alike() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        for n in [60, 300, 3000] {
            for memory in [0.0, 0.9, 1.0] {
                for trial in 0..60 {
                    for (r, is_copy) in
                        [(0.99, false), (-0.99, false), (0.9995, true), (-0.9996, true)]
                    {
                        let (first, second) = pair(n, memory, r, &mut random);
                        let (first, second) = (print(&first).unwrap(), print(&second).unwrap());
                        assert_eq!(
                            first.is_copy(&second),
                            is_copy,
                            "{n} rows, memory {memory}, r {r}, trial {trial}: {:?}",
                            first.coefficient(&second)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_rescaling_is_a_copy_whatever_its_size() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let plain: Vec<f64> = (0..200).map(|_| normal(&mut random)).collect();
        let original = print(&plain).unwrap();
        for (factor, offset) in [(1e-9, 0.0), (-3.0, 1e3), (1e300, 0.0), (1e-300, 0.0), (1.0, -7.0)]
        {
            let other: Vec<f64> = plain.iter().map(|x| x * factor + offset).collect();
            assert!(original.is_copy(&print(&other).unwrap()), "{factor} {offset}");
        }
        assert_eq!(print(&[3.0; 50]), None);
        assert_eq!(print(&[0.0; 50]), None);
        assert_eq!(print(&plain[..9]), None);
        let widest: Vec<f64> = plain.iter().map(|x| x.signum() * f64::MAX).collect();
        assert!(print(&widest).is_some());
    }

    #[test]
    fn a_spike_that_all_share_makes_no_copies() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut spiked = || {
            let mut values: Vec<f64> = (0..400).map(|_| normal(&mut random)).collect();
            values[77] = 1e6;
            print(&values).unwrap()
        };
        let (first, second) = (spiked(), spiked());
        assert!(first.coefficient(&second).unwrap() > COPY);
        assert!(!first.is_copy(&second));
        let mut silent = vec![0.0; 400];
        silent[77] = 1.0;
        assert_eq!(print(&silent), None, "a single spike is a copy of nothing");
    }

    #[test]
    fn climbing_together_makes_no_copies() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut climb = || {
            let mut total = 0.0;
            let steps = (0..3000).map(|_| {
                total += 10.0 + normal(&mut random);
                total
            });
            steps.collect::<Vec<f64>>()
        };
        let (first, second) = (climb(), climb());
        let rescaled: Vec<f64> = first.iter().map(|value| 9.0 - value / 1024.0).collect();
        let [first, second, rescaled] =
            [first, second, rescaled].map(|values| print(&values).unwrap());
        assert!(first.coefficient(&second).unwrap() > COPY);
        assert!(!first.is_copy(&second));
        assert!(first.is_copy(&rescaled));
    }

    #[test]
    fn other_grids_are_not_compared() {
        let metric = Sequence::from((0..50).map(|n| f64::from(n * n)).collect::<Vec<_>>());
        let here = Fingerprint::of(0, &metric).unwrap();
        let there = Fingerprint::of(1, &metric).unwrap();
        assert_eq!(here.coefficient(&there), None);
        assert!(!here.is_copy(&there));
        assert!(here.is_copy(&here.clone()));
    }

    #[test]
    fn a_copy_joins_the_first_original() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        // 2 is close to 0 and to 4; 4 is not close to 0.
        let (middle, near) = pair(500, 0.0, 0.99935, &mut random);
        let far: Vec<f64> = middle.iter().zip(&near).map(|(m, n)| 2.0 * m - n).collect();
        let other: Vec<f64> = (0..500).map(|_| normal(&mut random)).collect();
        let prints =
            [&near, &other, &middle, &middle, &far, &other].map(|values| print(values).unwrap());
        let mut given: Vec<Option<&Fingerprint>> = prints.iter().map(Some).collect();
        given.push(None);
        let found = groups(&given);
        assert_eq!(found, [None, None, Some(0), Some(0), None, Some(1), None]);
    }
}
