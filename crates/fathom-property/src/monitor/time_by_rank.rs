//! How much time there is at each rank, and up to it: a tree of sums.

/// Times by rank. Each change and each question takes time in proportion to the logarithm of the
/// number of ranks.
///
/// A node is the sum of its two children, made anew when one of them changes. Adding and taking
/// away would let rounding errors grow with the number of changes.
pub(super) struct TimeByRank {
    /// The nodes of the tree: that at 1 has all ranks, those of `i` are at `2 i` and `2 i + 1`.
    nodes: Vec<Node>,
    /// Where the ranks begin.
    leaves: usize,
}

/// What a part of the ranks has.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    time: f64,
    /// How many of its ranks are there, if only for an instant.
    present: usize,
}

impl TimeByRank {
    /// With this many ranks, none of them present.
    pub(super) fn new(ranks: usize) -> TimeByRank {
        let leaves = ranks.max(1).next_power_of_two();
        TimeByRank { nodes: vec![Node::default(); 2 * leaves], leaves }
    }

    /// Gives a rank this much time, or makes it absent.
    pub(super) fn set(&mut self, rank: usize, time: Option<f64>) {
        let mut node = self.leaves + rank;
        self.nodes[node] = match time {
            Some(time) => Node { time, present: 1 },
            None => Node::default(),
        };
        while node > 1 {
            node /= 2;
            let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
            self.nodes[node] =
                Node { time: left.time + right.time, present: left.present + right.present };
        }
    }

    /// The time of all ranks.
    pub(super) fn whole(&self) -> f64 {
        self.nodes[1].time
    }

    /// The time of all ranks up to this one.
    pub(super) fn up_to(&self, rank: usize) -> f64 {
        self.below(rank + 1).time
    }

    /// The lowest rank that is present and has this much time up to it; the highest one if there
    /// is less in all, and `None` without any.
    pub(super) fn reaching(&self, time: f64) -> Option<usize> {
        let is_there = self.nodes[1].present > 0;
        let mut before = 0.0;
        is_there.then(|| {
            self.descend(|left, right| {
                let is_left = right.present == 0 || before + left.time >= time;
                if !is_left {
                    before += left.time;
                }
                is_left
            })
        })
    }

    /// The next rank that is present.
    pub(super) fn after(&self, rank: usize) -> Option<usize> {
        self.numbered(self.below(rank + 1).present)
    }

    /// The last rank before this one that is present.
    pub(super) fn before(&self, rank: usize) -> Option<usize> {
        self.below(rank).present.checked_sub(1).and_then(|number| self.numbered(number))
    }

    /// The rank that is present and has this many such ranks before it.
    fn numbered(&self, number: usize) -> Option<usize> {
        let mut left_out = 0;
        (number < self.nodes[1].present).then(|| {
            self.descend(|left, _| {
                let is_left = left_out + left.present > number;
                if !is_left {
                    left_out += left.present;
                }
                is_left
            })
        })
    }

    /// The rank at the end of a way down. It never goes to where nothing is present.
    fn descend(&self, mut is_left: impl FnMut(Node, Node) -> bool) -> usize {
        let mut node = 1;
        while node < self.leaves {
            let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
            let goes_left = left.present > 0 && is_left(left, right);
            node = 2 * node + usize::from(!goes_left);
        }
        node - self.leaves
    }

    /// What the ranks below this one have.
    fn below(&self, rank: usize) -> Node {
        let mut node = self.leaves + rank;
        if rank >= self.leaves {
            return self.nodes[1];
        }
        let mut sum = Node::default();
        while node > 1 {
            if node % 2 == 1 {
                let left = self.nodes[node - 1];
                sum = Node { time: left.time + sum.time, present: left.present + sum.present };
            }
            node /= 2;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What the tree says is what adding up in order says.
        #[test]
        fn a_tree_adds_up(
            ranks in 1..20_usize,
            changes in prop::collection::vec((0..20_usize, prop::option::of(0..5_u8)), 0..60),
            time in 0..40_u8,
        ) {
            let mut tree = TimeByRank::new(ranks);
            let mut times = vec![None; ranks];
            for (rank, time) in changes {
                let (rank, time) = (rank % ranks, time.map(f64::from));
                tree.set(rank, time);
                times[rank] = time;
            }
            let time = f64::from(time);
            let up_to = |rank: usize| times[..=rank].iter().flatten().sum::<f64>();
            let present: Vec<usize> = (0..ranks).filter(|&rank| times[rank].is_some()).collect();
            prop_assert_eq!(tree.whole(), up_to(ranks - 1));
            for rank in 0..ranks {
                prop_assert_eq!(tree.up_to(rank), up_to(rank));
                let after = present.iter().copied().find(|&other| other > rank);
                prop_assert_eq!(tree.after(rank), after);
                let before = present.iter().copied().rfind(|&other| other < rank);
                prop_assert_eq!(tree.before(rank), before);
            }
            let reaching = present.iter().copied().find(|&rank| up_to(rank) >= time);
            prop_assert_eq!(tree.reaching(time), reaching.or(present.last().copied()));
        }
    }
}
