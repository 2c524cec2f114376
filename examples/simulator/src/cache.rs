//! A set-associative store with replacement of the least recently used: caches and TLBs are one.

/// What is kept of one line (or page).
#[derive(Debug, Clone, Copy)]
struct Way {
    tag: u64,
    /// When the line's data arrives; a hit before that waits for it.
    ready: u64,
}

/// Which lines (or pages) are present. It knows no data: only presence costs time.
#[derive(Debug, Clone)]
pub struct Cache {
    /// Each set from the most to the least recently used.
    sets: Vec<Vec<Way>>,
    ways: usize,
}

impl Cache {
    /// An empty one of this many lines. The number of sets must come out as a power of two.
    pub fn new(lines: usize, ways: usize) -> Cache {
        let sets = lines / ways;
        assert!(sets.is_power_of_two() && sets * ways == lines, "{lines} lines, {ways} ways");
        Cache { sets: vec![Vec::with_capacity(ways); sets], ways }
    }

    /// Uses a line: when its data is there, or `None` on a miss.
    pub fn find(&mut self, line: u64) -> Option<u64> {
        let set = self.set(line);
        let place = set.iter().position(|way| way.tag == line)?;
        set[..=place].rotate_right(1);
        Some(set[0].ready)
    }

    /// Puts in a line that was missed, in place of the one least recently used.
    pub fn fill(&mut self, line: u64, ready: u64) {
        let ways = self.ways;
        let set = self.set(line);
        if set.len() == ways {
            set.pop();
        }
        set.insert(0, Way { tag: line, ready });
    }

    fn set(&mut self, line: u64) -> &mut Vec<Way> {
        let index = line as usize & (self.sets.len() - 1);
        &mut self.sets[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The plainest model: when each line was last used; on a full set the oldest leaves.
    #[derive(Default)]
    struct Naive {
        last_use: Vec<(u64, u64)>,
        now: u64,
    }

    impl Naive {
        fn hits(&mut self, line: u64, sets: u64, ways: usize) -> bool {
            self.now += 1;
            if let Some(found) = self.last_use.iter_mut().find(|(known, _)| *known == line) {
                found.1 = self.now;
                return true;
            }
            let same_set = |&&(known, _): &&(u64, u64)| known % sets == line % sets;
            if self.last_use.iter().filter(same_set).count() == ways {
                let oldest = *self.last_use.iter().filter(same_set).min_by_key(|l| l.1).unwrap();
                self.last_use.retain(|l| *l != oldest);
            }
            self.last_use.push((line, self.now));
            false
        }
    }

    #[test]
    fn hits_and_misses_are_those_of_a_naive_model() {
        for (seed, sets, ways) in [(1, 1, 4), (2, 8, 1), (3, 4, 2), (4, 16, 8), (5, 2, 3)] {
            let mut cache = Cache::new((sets * ways) as usize, ways as usize);
            let (mut naive, mut random) = (Naive::default(), Random::new(seed, 0));
            let mut hits = 0;
            for step in 0..5_000 {
                let line = random.below(2 * sets * ways);
                let hit = cache.find(line).is_some();
                if !hit {
                    cache.fill(line, 0);
                }
                hits += u32::from(hit);
                let expected = naive.hits(line, sets, ways as usize);
                assert_eq!(hit, expected, "seed {seed}, step {step}, line {line}");
            }
            assert!((1_000..4_000).contains(&hits), "seed {seed}: {hits} hits");
        }
    }

    #[test]
    fn a_line_on_its_way_says_when_it_arrives() {
        let mut cache = Cache::new(4, 2);
        assert_eq!(cache.find(9), None);
        cache.fill(9, 150);
        assert_eq!(cache.find(9), Some(150));
    }
}
