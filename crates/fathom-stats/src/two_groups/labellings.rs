//! The ways to divide runs into two groups.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Up to this many ways, every one is tried.
const MOST: usize = 10_000;

/// Ways to divide runs into groups of given sizes. Each is told by the runs of the smaller group.
pub(super) struct Labellings {
    runs: usize,
    /// The observed one.
    observed: Vec<usize>,
    /// Groups of one size may change places: one run then always stays in its group.
    may_swap: bool,
    /// How many there are, if they can be tried.
    all: Option<usize>,
    seed: u64,
}

impl Labellings {
    pub(super) fn new(is_second: &[bool], seed: u64) -> Labellings {
        let runs = is_second.len();
        let second = is_second.iter().filter(|label| **label).count();
        // Of two groups of one size, the one that run 0 is in.
        let may_swap = 2 * second == runs && runs > 0;
        let is_second_chosen = match may_swap {
            true => is_second.first() == Some(&true),
            false => 2 * second < runs,
        };
        let chosen = |(run, label): (usize, &bool)| (*label == is_second_chosen).then_some(run);
        let observed: Vec<usize> = is_second.iter().enumerate().filter_map(chosen).collect();
        let every = ways(runs, observed.len()) / if may_swap { 2.0 } else { 1.0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is small")]
        let all = (every <= MOST as f64).then_some(every.round() as usize);
        Labellings { runs, observed, may_swap, all, seed }
    }

    /// The runs of the smaller group, as they were.
    pub(super) fn observed(&self) -> &[usize] {
        &self.observed
    }

    pub(super) fn count(&self) -> usize {
        self.all.unwrap_or(MOST)
    }

    pub(super) fn are_all(&self) -> bool {
        self.all.is_some()
    }

    /// Calls for each, the observed one among them.
    pub(super) fn for_each(&self, mut work: impl FnMut(&[usize])) {
        match self.all {
            Some(_) => self.every(work),
            None => {
                work(&self.observed);
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
                let mut order: Vec<usize> = (0..self.runs).collect();
                for _ in 1..MOST {
                    for place in 0..self.observed.len() {
                        let other = place + below(&mut rng, self.runs - place);
                        order.swap(place, other);
                    }
                    work(order.get(..self.observed.len()).unwrap_or_default());
                }
            }
        }
    }

    /// In the order of words of a dictionary.
    fn every(&self, mut work: impl FnMut(&[usize])) {
        let size = self.observed.len();
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            work(&chosen);
            // The last one that can move on.
            let fixed = usize::from(self.may_swap);
            let movable = |place: &usize| chosen[*place] < self.runs - size + place;
            let Some(place) = (fixed..size).rev().find(movable) else { return };
            chosen[place] += 1;
            for next in place + 1..size {
                chosen[next] = chosen[next - 1] + 1;
            }
        }
    }
}

/// A number below `limit`, all equally likely.
fn below(rng: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    let limit = limit.max(1) as u64;
    // What lies above the largest multiple would favour small numbers.
    let usable = u64::MAX - u64::MAX % limit;
    loop {
        let drawn = rng.next_u64();
        if drawn < usable {
            return usize::try_from(drawn % limit).unwrap_or(0);
        }
    }
}

/// In how many ways some of all can be chosen; infinite where that is more than a double holds.
pub(super) fn ways(all: usize, some: usize) -> f64 {
    let mut ways = 1.0_f64;
    for n in 0..some.min(all) {
        // Each product is a whole number, and exact while it is small.
        ways = ways * (all - n) as f64 / (n + 1) as f64;
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(first: usize, second: usize) -> Vec<Vec<usize>> {
        let labels: Vec<bool> = (0..first + second).map(|run| run >= first).collect();
        let mut seen = Vec::new();
        let labellings = Labellings::new(&labels, 0);
        labellings.for_each(|chosen| seen.push(chosen.to_vec()));
        assert_eq!(seen.len(), labellings.count());
        assert!(seen.iter().any(|one| one == labellings.observed()));
        seen
    }

    #[test]
    fn every_way_comes_once() {
        assert_eq!(all(2, 2), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(all(3, 1), [[0], [1], [2], [3]]);
        assert_eq!(all(1, 3), [[0], [1], [2], [3]]);
        assert_eq!(all(0, 3), [Vec::<usize>::new()]);
        for (first, second, count) in [(3, 3, 10), (4, 3, 35), (5, 5, 126), (6, 8, 3003)] {
            let mut seen = all(first, second);
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), count);
        }
    }

    #[test]
    fn draws_are_even() {
        let labels: Vec<bool> = (0..40).map(|run| run >= 20).collect();
        let mut counts = vec![0; 40];
        let labellings = Labellings::new(&labels, 1);
        labellings.for_each(|chosen| chosen.iter().for_each(|&run| counts[run] += 1));
        assert!(!labellings.are_all());
        // Each is in half of them: 5000, with a deviation of 50.
        assert!(counts.iter().all(|&count: &i32| (count - 5000).abs() < 250), "{counts:?}");
    }

    #[test]
    fn ways_are_counted() {
        assert_eq!((ways(5, 0), ways(5, 2), ways(52, 5)), (1.0, 10.0, 2_598_960.0));
        assert!(ways(5000, 2500).is_infinite());
    }
}
