//! Which executions come in turn, so that every question gets what its tuples are made of.

use fathom_property::RunRole;

/// The systems of the executions that come in turn. If all questions judge tuples of one kind, a round is
/// such a tuple; else it has of each system as many as the question that needs the fewest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round(Vec<usize>);

impl Round {
    /// Of the tuples of all questions.
    pub(super) fn of(tuples: &[Vec<RunRole>]) -> Round {
        let tuples: Vec<Vec<usize>> =
            tuples.iter().map(|roles| roles.iter().map(|role| role.system).collect()).collect();
        match tuples.split_first() {
            Some((first, rest)) if rest.iter().all(|other| other == first) => Round(first.clone()),
            _ => Round::of_different(&tuples),
        }
    }

    fn of_different(tuples: &[Vec<usize>]) -> Round {
        let last = tuples.iter().flatten().copied().max().unwrap_or(0);
        let mut systems = Vec::new();
        for system in 0..=last {
            let of = |tuple: &Vec<usize>| count(tuple, system);
            let fewest = tuples.iter().map(of).filter(|&count| count > 0).min().unwrap_or(0);
            systems.extend(std::iter::repeat_n(system, fewest));
        }
        Round(systems)
    }

    /// The systems of its executions.
    pub(super) fn systems(&self) -> &[usize] {
        &self.0
    }

    /// How many tuples of a question this number of rounds makes.
    pub(super) fn tuples_in(&self, rounds: u64, tuple: &[RunRole]) -> u64 {
        let of = |(system, needed): (usize, u64)| {
            rounds.saturating_mul(count(&self.0, system) as u64) / needed
        };
        needs(tuple).map(of).min().unwrap_or(rounds)
    }

    /// How many rounds make this number of tuples of a question.
    pub(super) fn rounds_for(&self, tuples: u64, tuple: &[RunRole]) -> u64 {
        let of = |(system, needed): (usize, u64)| {
            tuples.saturating_mul(needed).div_ceil((count(&self.0, system) as u64).max(1))
        };
        needs(tuple).map(of).max().unwrap_or(tuples)
    }
}

fn count(systems: &[usize], system: usize) -> usize {
    systems.iter().filter(|&&other| other == system).count()
}

/// How many executions of each system a tuple has.
fn needs(tuple: &[RunRole]) -> impl Iterator<Item = (usize, u64)> {
    let systems: Vec<usize> = tuple.iter().map(|role| role.system).collect();
    let unique: std::collections::BTreeSet<usize> = systems.iter().copied().collect();
    unique.into_iter().map(move |system| (system, count(&systems, system) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuple(systems: &[usize]) -> Vec<RunRole> {
        let role = |&system: &usize| RunRole { name: format!("r{system}"), system };
        systems.iter().map(role).collect()
    }

    #[test]
    fn tuples_of_one_kind_are_the_round() {
        let pairs = [tuple(&[1, 0]), tuple(&[1, 0])];
        let round = Round::of(&pairs);
        assert_eq!(round.systems(), [1, 0]);
        assert_eq!((round.tuples_in(7, &pairs[0]), round.rounds_for(7, &pairs[0])), (7, 7));
    }

    #[test]
    fn different_tuples_share_executions() {
        // One execution, two of the same system, and one of each system.
        let all = [tuple(&[0]), tuple(&[0, 0]), tuple(&[0, 1])];
        let round = Round::of(&all);
        assert_eq!(round.systems(), [0, 1]);
        let tuples = all.each_ref().map(|tuple| round.tuples_in(9, tuple));
        assert_eq!(tuples, [9, 4, 9]);
        let rounds = all.each_ref().map(|tuple| round.rounds_for(4, tuple));
        assert_eq!(rounds, [4, 8, 4]);
    }
}
