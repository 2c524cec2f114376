//! Names that differ, whatever the bench calls its functions.

use std::collections::BTreeSet;

/// The names that the bench came to so far.
#[derive(Debug, Default)]
pub(super) struct UniqueNames {
    known: BTreeSet<String>,
    in_order: Vec<String>,
}

impl UniqueNames {
    /// The name, with a number where another function has it already. Results are saved by name.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name} #{number}"));
        let mut candidates = std::iter::once(name.to_string()).chain(numbered);
        let free = candidates.find(|candidate| !self.known.contains(candidate));
        let free = free.unwrap_or_else(|| name.to_string());
        self.known.insert(free.clone());
        self.in_order.push(free.clone());
        free
    }

    pub(super) fn all(&self) -> &[String] {
        &self.in_order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_a_name_has_a_number() {
        let mut names = UniqueNames::default();
        let given: Vec<String> = ["a", "b", "a", "a"].map(|name| names.unique(name)).into();
        assert_eq!(given, ["a", "b", "a #2", "a #3"]);
        assert_eq!(names.all(), given);
    }
}
