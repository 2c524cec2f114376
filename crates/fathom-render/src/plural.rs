//! Numbers of things.

use std::fmt::Display;

/// "1 run", "2 runs".
pub(crate) fn plural<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let end = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(plural(1_usize, "run"), "1 run");
        assert_eq!(plural(0_u64, "run"), "0 runs");
        assert_eq!(plural(2_u64, "run"), "2 runs");
    }
}
