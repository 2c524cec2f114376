//! Second thoughts: every change point is tested and placed again between its neighbours.
//!
//! The first split of a series with two changes lies where neither is; once both are known, each
//! can be placed with the other out of the way, and those that no longer hold are dropped.

use super::critical_value;
use super::interval_test::Tester;
use super::ranks::ordered;
use std::collections::BTreeSet;

const PASSES: usize = 5;
/// How many values may be looked at, per value of the series. Ordinary series need about ten; the
/// limit stops one built so that dropping points goes over its whole length again and again.
const WORK: usize = 100;

/// Moves each point to the best split between its neighbours, and drops the weakest as long as one
/// falls short.
pub(super) fn refine(tester: &mut Tester<'_>, points: Vec<usize>) -> Vec<usize> {
    let mut chain = Chain::new(points, tester.len());
    for _ in 0..PASSES {
        let moved = chain.move_points(tester);
        let dropped = chain.drop_points(tester);
        if !moved && !dropped {
            break;
        }
    }
    chain.positions()
}

/// Points as a linked list between two ends that never move, links 0 and `last`.
struct Chain {
    links: Vec<Link>,
    last: usize,
    /// Points by strength, the weakest first.
    strength: BTreeSet<(u64, usize)>,
    work_left: usize,
}

struct Link {
    position: usize,
    before: usize,
    after: usize,
    /// The statistic less its critical value.
    excess: f64,
    /// A neighbour has moved or gone since the point was placed.
    stale: bool,
}

impl Chain {
    fn new(points: Vec<usize>, length: usize) -> Chain {
        let last = points.len() + 1;
        let positions = std::iter::once(0).chain(points).chain(std::iter::once(length));
        let link = |(index, position): (usize, usize)| Link {
            position,
            before: index.saturating_sub(1),
            after: (index + 1).min(last),
            excess: 0.0,
            stale: true,
        };
        let links: Vec<Link> = positions.enumerate().map(link).collect();
        let strength = (1..last).map(|index| (ordered(0.0), index)).collect();
        Chain { links, last, strength, work_left: WORK.saturating_mul(length) }
    }

    /// Whether it is a point and not one of the ends.
    fn is_point(&self, index: usize) -> bool {
        index != 0 && index != self.last
    }

    /// Tests a point between its neighbours, notes its strength and returns its best place.
    fn test(&mut self, index: usize, tester: &mut Tester<'_>) -> Option<usize> {
        let link = &self.links[index];
        let stretch = self.links[link.before].position..self.links[link.after].position;
        self.work_left = self.work_left.saturating_sub(stretch.len());
        let critical = critical_value::of(stretch.len());
        let split = tester.whole(stretch);
        let excess = split.map_or(f64::NEG_INFINITY, |split| split.statistic - critical);
        self.strength.remove(&(ordered(self.links[index].excess), index));
        self.strength.insert((ordered(excess), index));
        self.links[index].excess = excess;
        split.map(|split| split.position)
    }

    fn move_points(&mut self, tester: &mut Tester<'_>) -> bool {
        let mut moved = false;
        let mut index = self.links[0].after;
        while index != self.last && self.work_left > 0 {
            if self.links[index].stale {
                self.links[index].stale = false;
                let best = self.test(index, tester);
                if let Some(best) = best.filter(|&best| best != self.links[index].position) {
                    self.links[index].position = best;
                    let (before, after) = (self.links[index].before, self.links[index].after);
                    self.links[before].stale = true;
                    self.links[after].stale = true;
                    moved = true;
                }
            }
            index = self.links[index].after;
        }
        moved
    }

    fn drop_points(&mut self, tester: &mut Tester<'_>) -> bool {
        let mut dropped = false;
        while let Some(&(key, index)) = self.strength.first() {
            if self.links[index].excess >= 0.0 || self.work_left == 0 {
                break;
            }
            dropped = true;
            self.strength.remove(&(key, index));
            let (before, after) = (self.links[index].before, self.links[index].after);
            self.links[before].after = after;
            self.links[after].before = before;
            for neighbour in [before, after] {
                if self.is_point(neighbour) {
                    self.test(neighbour, tester);
                    self.links[neighbour].stale = true;
                }
            }
        }
        dropped
    }

    fn positions(&self) -> Vec<usize> {
        let mut positions = Vec::with_capacity(self.strength.len());
        let mut index = self.links[0].after;
        while index != self.last {
            positions.push(self.links[index].position);
            index = self.links[index].after;
        }
        positions
    }
}
