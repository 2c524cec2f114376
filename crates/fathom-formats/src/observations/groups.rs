//! Which group each execution is in, by the text in a column.

use std::collections::HashMap;

use crate::error::{Flaw, quoted};

/// The groups of executions that follow each other, in the order in which they first appear.
///
/// ```
/// use fathom_formats::Groups;
/// let mut groups = Groups::default();
/// ["mcf", "gcc", "mcf"].into_iter().for_each(|name| groups.push(name));
/// assert_eq!(groups.names(), ["mcf", "gcc"]);
/// assert_eq!([groups.of(1), groups.of(2), groups.of(3)], [Some(1), Some(0), None]);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Groups {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    of: Vec<u32>,
}

impl Groups {
    /// Adds the group of the next execution.
    pub fn push(&mut self, name: &str) {
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                self.names.push(name.to_string());
                self.numbers.insert(name.to_string(), next);
                next
            }
        };
        self.of.push(number);
    }

    /// The groups, in the order in which they first appear.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The place of an execution's group among the names.
    #[must_use]
    pub fn of(&self, execution: usize) -> Option<usize> {
        self.of.get(execution).map(|&number| number as usize)
    }
}

/// Where there is no text in the column that tells groups apart.
pub(super) fn without_name(column: &str) -> Flaw {
    Flaw::new(
        format!("the group is missing in {}", quoted(column)),
        "name the group of every execution, or remove those without one",
    )
}

/// Where there is no such column.
pub(super) fn no_column(column: &str, known: &[&str]) -> Flaw {
    Flaw::new(
        format!("there is no column {} to group executions by", quoted(column)),
        format!("group by one of these: {}", known.join(", ")),
    )
}

/// Where executions have no columns at all.
pub(super) fn no_groups(column: &str) -> Flaw {
    Flaw::new(
        format!("the file has no column {} to group executions by", quoted(column)),
        "leave out --group-by, or give a table with a row per execution, or JSON objects, one per \
         execution",
    )
}
