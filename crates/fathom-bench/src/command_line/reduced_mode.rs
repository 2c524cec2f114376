//! Options that need Linux.

use super::CommandLine;

/// Refuses them. Called in reduced mode.
pub(super) fn check(line: &CommandLine) -> Result<(), String> {
    let options = [
        ("--baseline", line.baseline.is_some()),
        ("--layouts", line.layouts.is_some()),
        ("--gate-unchanged", line.gate_unchanged),
    ];
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(format!(
            "{option} needs Linux, because Fathom compares two builds only there; compare functions \
             inside one bench instead (Suite::compare)"
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    #[test]
    fn what_needs_linux_is_named() {
        let checked = |words: &str| {
            let words = words.split_whitespace().map(OsString::from).collect();
            check(&CommandLine::parse(words).unwrap())
        };
        for words in ["--baseline x", "--baseline x --layouts 9"] {
            assert!(checked(words).unwrap_err().starts_with("--baseline needs Linux"), "{words}");
        }
        assert_eq!(checked("--bench --save x --fail-if-slower 2%"), Ok(()));
    }
}
