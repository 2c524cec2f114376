//! How soon a ranking names the cause.

use super::draw::below;
use crate::population::generator;

/// How many places are looked at.
pub(super) const PLACES: usize = 5;

/// The probability that a cause is among the first 1, 2, ... 5, if equals are put in an order that
/// chance chose. What has no score comes last.
pub(super) type Hits = [f64; PLACES];

/// Of scores, the larger the earlier, and which of them are causes.
pub(super) fn hits(scores: &[Option<f64>], is_cause: impl Fn(usize) -> bool) -> Hits {
    let key = |index: usize| scores.get(index).copied().flatten().unwrap_or(f64::NEG_INFINITY);
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    let mut hits = [0.0; PLACES];
    // The probability that no cause was named before the group of equals.
    let mut before = 0;
    let mut found = false;
    for group in order.chunk_by(|&a, &b| key(a).total_cmp(&key(b)).is_eq()) {
        let causes = group.iter().filter(|&&index| is_cause(index)).count();
        for (place, hit) in hits.iter_mut().enumerate() {
            let drawn = (place + 1).saturating_sub(before).min(group.len());
            if !found && drawn > 0 {
                *hit = 1.0 - none_among(drawn, group.len(), causes);
            }
        }
        if causes > 0 && !found {
            found = true;
            for hit in hits.iter_mut().skip(before + group.len() - 1) {
                *hit = 1.0;
            }
        }
        before += group.len();
        if before >= PLACES {
            break;
        }
    }
    hits
}

/// The probability that this many drawn of a group, without putting back, have no cause among them.
fn none_among(drawn: usize, group: usize, causes: usize) -> f64 {
    let left = |n: usize| (group - n) as f64;
    (0..drawn).map(|n| ((left(n) - causes as f64) / left(n)).max(0.0)).product()
}

/// The mean over the places.
pub(super) fn average(hits: &Hits) -> f64 {
    hits.iter().sum::<f64>() / PLACES as f64
}

/// The mean of each place over worlds.
pub(super) fn mean(all: &[Hits]) -> Hits {
    let mut mean = [0.0; PLACES];
    for hits in all {
        mean.iter_mut().zip(hits).for_each(|(mean, hit)| *mean += hit / all.len() as f64);
    }
    mean
}

/// Where the mean of the averages lies in 95% of bootstrap samples of the worlds.
pub(super) fn interval(all: &[Hits], seed: u64) -> (f64, f64) {
    const SAMPLES: usize = 1000;
    let mut rng = generator(seed, all.len() as u64);
    let averages: Vec<f64> = all.iter().map(average).collect();
    let mut means: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let drawn = (0..averages.len()).map(|_| averages[below(averages.len(), &mut rng)]);
            drawn.sum::<f64>() / averages.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (means[SAMPLES / 40], means[SAMPLES - 1 - SAMPLES / 40])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cause_counts() {
        let scores = [Some(1.0), Some(3.0), None, Some(2.0), Some(f64::INFINITY)];
        assert_eq!(hits(&scores, |index| index == 3), [0.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!(hits(&scores, |index| index == 4), [1.0; 5]);
        assert_eq!(hits(&scores, |index| index == 2), [0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(hits(&scores, |_| false), [0.0; 5]);
    }

    #[test]
    fn equals_are_shared_by_chance() {
        let scores = [Some(1.0); 4];
        assert_eq!(hits(&scores, |index| index == 0), [0.25, 0.5, 0.75, 1.0, 1.0]);
        let two = hits(&scores, |index| index < 2);
        assert!((two[0] - 0.5).abs() < 1e-12 && (two[1] - 5.0 / 6.0).abs() < 1e-12);
        let after = [Some(9.0), None, None];
        assert_eq!(hits(&after, |index| index > 1), [0.0, 0.5, 1.0, 1.0, 1.0]);
        assert_eq!(hits(&after, |index| index == 0), [1.0; 5]);
    }
}
