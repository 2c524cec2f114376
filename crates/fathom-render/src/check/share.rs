//! Shares of executions in words.

use crate::percent;
use fathom_stats::Interval;

/// A share, or the range in which it lies.
pub(super) fn range(Interval { lower, upper }: Interval) -> String {
    let (low, high) = (digits(lower, Round::Nearest), digits(upper, Round::Nearest));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Which way to round: what is printed as an end still covers.
#[derive(Clone, Copy)]
pub(super) enum Round {
    Nearest,
    Down,
    Up,
}

/// A share with three digits, more where it is near 0 or 1.
pub(super) fn digits(share: f64, round: Round) -> String {
    let distance = 100.0 * share.min(1.0 - share).max(1e-9);
    let decimals = if distance >= 1.0 { 1 } else { (-distance.log10()).ceil() as i32 };
    let step = 10_f64.powi(decimals);
    let scaled = share * 100.0 * step;
    let scaled = match round {
        Round::Nearest => scaled.round(),
        Round::Down => (scaled + 1e-7).floor(),
        Round::Up => (scaled - 1e-7).ceil(),
    };
    percent(scaled / step / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_digits_they_need() {
        assert_eq!(digits(0.945_945, Round::Nearest), "94.6%");
        assert_eq!(digits(0.836_1, Round::Down), "83.6%");
        assert_eq!(digits(0.9991, Round::Up), "99.91%");
        assert_eq!(digits(0.999_940_5, Round::Up), "99.995%");
        assert_eq!(digits(0.004_21, Round::Nearest), "0.4%");
        assert_eq!(digits(0.1, Round::Up), "10%");
        assert_eq!(digits(0.05, Round::Up), "5%");
        assert_eq!(digits(1.0, Round::Nearest), "100%");
        assert_eq!(digits(0.0, Round::Down), "0%");
    }
}
