//! How many runs show what happens to few of them.

/// The fewest runs that miss having two of what happens to this share of all with probability `alpha` at
/// most. One could be chance; two show how large it is.
pub(crate) fn runs_with_two(share: f64, alpha: f64) -> usize {
    let rest = 1.0 - share;
    let missed = |n: i32| rest.powi(n) + f64::from(n) * share * rest.powi(n - 1);
    const MOST: i32 = 10_000;
    // The probability falls from two runs on.
    let (mut few, mut enough) = (1, MOST);
    while enough - few > 1 {
        let middle = few + (enough - few) / 2;
        if missed(middle) <= alpha { enough = middle } else { few = middle }
    }
    enough as usize
}

/// The most runs among which one is likely shown by this number of runs: two of what happens to one in
/// this number are among them but with probability `alpha` at most. `None` if even one in two may be
/// missing.
///
/// ```
/// use fathom_stats::rarest_shown;
/// assert_eq!((rarest_shown(46, 0.05), rarest_shown(92, 0.05)), (Some(10), Some(19)));
/// assert_eq!(rarest_shown(5, 0.05), None);
/// ```
#[must_use]
pub fn rarest_shown(runs: usize, alpha: f64) -> Option<usize> {
    let is_shown = |one_in: usize| runs_with_two(1.0 / one_in as f64, alpha) <= runs;
    let (mut shown, mut rarer) = (1, runs.max(2));
    while rarer - shown > 1 {
        let middle = shown + (rarer - shown) / 2;
        if is_shown(middle) { shown = middle } else { rarer = middle }
    }
    (shown > 1).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_are_among_them_as_surely_as_the_binomial_says() {
        // 92 runs have fewer than two of one in twenty with 5.2%, 93 with 4.98%.
        assert_eq!([runs_with_two(0.05, 0.05), runs_with_two(0.05, 0.01)], [93, 130]);
        // 45 runs have fewer than two of one in ten with 5.24%, 46 with 4.80%.
        assert_eq!(runs_with_two(0.1, 0.05), 46);
        assert_eq!(runs_with_two(0.1, 1.0), 2);
        assert!(runs_with_two(0.1, 0.0) > 5000);
    }
}
