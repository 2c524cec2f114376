//! Puts executions back into the order of their numbers.

use super::Performed;
use std::collections::BTreeMap;

/// Takes executions as they end and gives them as they count: by number, without a gap. Judging
/// them as they end would favour the fast ones, and so a property that has to do with speed.
#[derive(Debug, Clone, Default)]
pub struct InOrder {
    next: u64,
    waiting: BTreeMap<u64, Performed>,
    /// How many were passed over.
    dropped: usize,
}

impl InOrder {
    /// Nothing yet; number 0 comes first.
    #[must_use]
    pub fn new() -> InOrder {
        InOrder::default()
    }

    /// Takes one. Of two with the same number the first counts; `false` if this is a second.
    pub fn insert(&mut self, performed: Performed) -> bool {
        let number = performed.ticket.number;
        if number < self.next || self.waiting.contains_key(&number) {
            return false;
        }
        self.waiting.insert(number, performed);
        true
    }

    /// The one whose turn it is, if it is there.
    pub fn next_in_order(&mut self) -> Option<Performed> {
        let performed = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(performed)
    }

    /// Passes over the number whose turn it is: its execution is not wanted any more.
    pub fn skip(&mut self) {
        let dropped = self.waiting.remove(&self.next);
        self.dropped += usize::from(dropped.is_some_and(|one| one.session.is_none()));
        self.next += 1;
    }

    /// How many were performed for nothing: their turn has not come, or they were passed over. Those that
    /// another session performed took nothing.
    #[must_use]
    pub fn unused(&self) -> usize {
        let waiting = self.waiting.values().filter(|one| one.session.is_none()).count();
        waiting + self.dropped
    }

    /// The number whose turn it is.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.next
    }

    /// How many are there whose turn has not come.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{ExecutionFailure, Ticket};
    use fathom_record::Usage;
    use proptest::prelude::*;

    fn performed(number: u64, host: &str) -> Performed {
        Performed {
            ticket: Ticket { number, system: 0, seed: 0 },
            host: host.to_string(),
            ending: None,
            usage: Usage::default(),
            outcome: Err(ExecutionFailure { how: String::new(), said: Vec::new(), hint: None }),
            output: None,
            session: None,
        }
    }

    proptest! {
        #[test]
        fn any_order_becomes_that_of_the_numbers(
            order in Just((0..40_u64).collect::<Vec<_>>()).prop_shuffle(),
            take_at in proptest::collection::vec(any::<bool>(), 40),
        ) {
            let mut buffer = InOrder::new();
            let mut taken = Vec::new();
            for (arrived, (&number, &takes)) in order.iter().zip(&take_at).enumerate() {
                prop_assert!(buffer.insert(performed(number, "first")));
                prop_assert!(!buffer.insert(performed(number, "second")));
                if takes {
                    taken.extend(std::iter::from_fn(|| buffer.next_in_order()));
                    // What came out is all that has no gap before it.
                    let known = order.get(..=arrived).unwrap();
                    let gap = (0..).find(|n| !known.contains(n)).unwrap();
                    prop_assert_eq!(taken.len() as u64, gap);
                    prop_assert_eq!(buffer.next_number(), gap);
                }
                prop_assert_eq!(taken.len() + buffer.waiting(), arrived + 1);
            }
            taken.extend(std::iter::from_fn(|| buffer.next_in_order()));
            prop_assert_eq!(buffer.waiting(), 0);
            prop_assert!(taken.iter().all(|one| one.host == "first"));
            let numbers: Vec<u64> = taken.iter().map(|one| one.ticket.number).collect();
            prop_assert_eq!(numbers, (0..40).collect::<Vec<_>>());
            prop_assert!(!buffer.insert(performed(3, "late")));
        }
    }
}
