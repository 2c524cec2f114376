//! Which node calls which.

use super::draw::{below, chance};
use crate::population::Generator;

/// Nodes that call each other; the first is where requests come in, and calls go to later ones.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    callers: Vec<Vec<usize>>,
}

impl Graph {
    /// This many nodes; some have two callers.
    pub(super) fn draw(nodes: usize, rng: &mut Generator) -> Graph {
        let callers = (0..nodes).map(|node| {
            let mut callers = Vec::new();
            if node > 0 {
                callers.push(below(node, rng));
                let other = below(node, rng);
                if chance(0.2, rng) && !callers.contains(&other) {
                    callers.push(other);
                }
            }
            callers
        });
        Graph { callers: callers.collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.callers.len()
    }

    /// The callers of a node.
    pub(super) fn callers(&self, node: usize) -> &[usize] {
        &self.callers[node]
    }

    /// By how many calls each node reaches this one; `None` if it does not.
    pub(super) fn distances_up(&self, node: usize) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.len()];
        distances[node] = Some(0);
        // Callers come before whom they call.
        for callee in (0..=node).rev() {
            let Some(distance) = distances[callee] else { continue };
            for &caller in self.callers(callee) {
                let further: Option<usize> = distances[caller];
                distances[caller] = Some(further.map_or(distance + 1, |d| d.min(distance + 1)));
            }
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::generator;

    #[test]
    fn everything_is_reached_from_the_front() {
        let mut rng = generator(1, 2);
        for _ in 0..50 {
            let graph = Graph::draw(20, &mut rng);
            assert!((0..20).all(|node| graph.distances_up(node)[0].is_some()));
        }
        let chain = Graph { callers: vec![vec![], vec![0], vec![1], vec![0]] };
        assert_eq!(chain.distances_up(2), [Some(2), Some(1), Some(0), None]);
    }
}
