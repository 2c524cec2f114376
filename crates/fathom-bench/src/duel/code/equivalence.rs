//! Which nodes of a graph cannot be told apart.

use super::section_graph::{Content, Node};
use std::collections::HashMap;

/// A class for every node: two nodes have the same if they hold the same, and if what they refer to
/// is of the same classes, however far one follows. Functions that call each other in circles are
/// no problem: nodes start in one class for each content, and classes are split until nothing
/// tells their members apart.
pub(super) fn classes(nodes: &[Node]) -> Vec<usize> {
    let mut numbers: HashMap<&Content, usize> = HashMap::new();
    let mut classes: Vec<usize> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let next = numbers.len();
        classes.push(*numbers.entry(&node.content).or_insert(next));
    }
    let mut count = numbers.len();
    loop {
        let mut numbers: HashMap<(usize, Vec<usize>), usize> = HashMap::new();
        let mut split: Vec<usize> = Vec::with_capacity(nodes.len());
        for (node, class) in nodes.iter().zip(&classes) {
            let targets = node.targets.iter().map(|target| classes[*target]).collect();
            let next = numbers.len();
            split.push(*numbers.entry((*class, targets)).or_insert(next));
        }
        classes = split;
        if numbers.len() == count {
            return classes;
        }
        count = numbers.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, targets: &[usize]) -> Node {
        Node {
            content: Content::External(name.to_string()),
            targets: targets.to_vec(),
            is_code: true,
            by_pointer: Default::default(),
            address_of: Vec::new(),
        }
    }

    #[test]
    fn circles_are_the_same_if_nothing_tells_them_apart() {
        // a -> b -> a, twice; and a -> b -> c.
        let nodes = [
            node("a", &[1]),
            node("b", &[0]),
            node("a", &[3]),
            node("b", &[2]),
            node("a", &[5]),
            node("b", &[6]),
            node("c", &[]),
        ];
        let classes = classes(&nodes);
        assert_eq!(classes[0], classes[2]);
        assert_eq!(classes[1], classes[3]);
        assert_ne!(classes[0], classes[4], "the difference is two steps away");
        assert_ne!(classes[0], classes[1]);
    }
}
