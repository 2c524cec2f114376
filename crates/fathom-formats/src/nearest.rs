//! "Did you mean": the names nearest to one that is not there.

use crate::error::listed;
use fathom_record::nearest;

/// A sentence part such as ` (did you mean "time"?)`; empty when nothing is near.
pub(crate) fn did_you_mean<T: AsRef<str>>(wanted: &str, names: &[T]) -> String {
    let near = nearest(wanted, names);
    if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", listed(&near, 3)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_parts_are_found_and_other_words_are_not() {
        assert!(did_you_mean("tiem", &["size", "Time"]).contains("Time"));
        assert!(did_you_mean("ipc", &["system.cpu.ipc", "simTicks"]).contains("system.cpu.ipc"));
        assert_eq!(did_you_mean("weight", &["size", "Time"]), "");
    }
}
