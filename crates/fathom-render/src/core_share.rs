//! What sampling costs, as a share of a processor.

/// "0.3% of a core".
#[must_use]
pub fn core_share(share: f64) -> String {
    // A sum of nothing is -0.
    let percent = share * 100.0 + 0.0;
    let digits = if percent >= 10.0 {
        0
    } else if percent >= 0.1 {
        1
    } else {
        2
    };
    format!("{percent:.digits$}% of a core")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_keep_a_digit_that_says_something() {
        let shown = [0.003, 0.0004, 0.12, 0.051].map(core_share);
        let known = ["0.3% of a core", "0.04% of a core", "12% of a core", "5.1% of a core"];
        assert_eq!(shown, known);
        assert_eq!(core_share([0.0; 0].iter().sum()), "0.00% of a core");
    }
}
