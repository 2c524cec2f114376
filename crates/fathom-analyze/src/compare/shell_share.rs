//! Ratios without the start-up of the shell that ran the commands.
//!
//! With ρ the ratio of whole runs and a the shell's start-up as a share of the reference's runs, the
//! ratio without the shell is (ρ − a) / (1 − a). It is above 1 exactly if ρ is, whatever a is, so
//! which is faster does not depend on the shell, only by how much. Both ρ and a have an interval, and
//! the ratio's interval is that of every pair of them. See `docs/methods/shell-startup.md`.

use super::RatioAside;
use fathom_stats::LogRatioInterval;

/// What the shell's start-up means for a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShellShare {
    /// The start-up as a share of the reference's whole runs, where both were measured alternately.
    pub share: Option<RatioAside>,
    /// The ratio of whole runs, the start-up included.
    pub whole: RatioAside,
    /// Whether the reference, and the subject, cannot be told from the start-up. If either cannot,
    /// there is no ratio without the shell, and the comparison's is that of whole runs.
    pub hidden: [bool; 2],
}

impl ShellShare {
    /// Whether there is no ratio without the shell.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.hidden != [false, false]
    }
}

/// Which of the two, reference and subject, cannot be told from the start-up: `whole` and `share`
/// are intervals of logarithms.
pub(super) fn hidden(whole: LogRatioInterval, share: LogRatioInterval) -> [bool; 2] {
    [share.upper >= 0.0, whole.lower <= share.upper]
}

/// The logarithm of the ratio without the shell.
pub(super) fn point(whole: f64, share: f64) -> f64 {
    let share = share.exp();
    ((whole.exp() - share) / (1.0 - share)).ln()
}

/// The interval of the logarithm of the ratio without the shell, for every ratio of whole runs and
/// every share within theirs; an end that they do not bound is infinite.
pub(super) fn without(whole: LogRatioInterval, share: LogRatioInterval) -> LogRatioInterval {
    // The ratio grows with ρ; it moves away from 1 as a grows.
    let (least, most) = (share.lower, share.upper);
    let lower = if whole.lower >= 0.0 {
        // However large the shell's part is: at least as far from 1 as with it.
        if least < 0.0 { point(whole.lower, least) } else { whole.lower }
    } else if most < 0.0 && whole.lower > most {
        point(whole.lower, most)
    } else {
        f64::NEG_INFINITY
    };
    let upper = if whole.upper <= 0.0 {
        if least < 0.0 && whole.upper > least { point(whole.upper, least) } else { whole.upper }
    } else if most < 0.0 {
        point(whole.upper, most)
    } else {
        f64::INFINITY
    };
    LogRatioInterval { lower, upper }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn logs(lower: f64, upper: f64) -> LogRatioInterval {
        LogRatioInterval { lower: lower.ln(), upper: upper.ln() }
    }

    #[test]
    fn a_shell_that_is_half_the_run_doubles_the_difference() {
        // 2 ms and 3 ms in whole, 1 ms of it the shell's: 1 ms and 2 ms.
        let ratio = without(logs(1.5, 1.5), logs(0.5, 0.5));
        assert!((ratio.lower.exp() - 2.0).abs() < 1e-12 && (ratio.upper.exp() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_told_from_the_shell_has_no_ratio_but_a_sign() {
        let shell = logs(0.9, 1.01);
        assert_eq!(hidden(logs(1.2, 1.3), shell), [true, false]);
        let slower = without(logs(1.2, 1.3), shell);
        assert!(slower.lower >= 1.2_f64.ln() && slower.upper == f64::INFINITY);
        let faster = without(logs(0.91, 0.95), logs(0.5, 0.92));
        assert!(faster.lower == f64::NEG_INFINITY && faster.upper < 0.95_f64.ln());
        assert_eq!(hidden(logs(0.91, 0.95), logs(0.5, 0.92)), [false, true]);
        assert_eq!(without(logs(0.9, 1.1), shell), LogRatioInterval::EVERYTHING);
        assert_eq!(without(LogRatioInterval::EVERYTHING, shell), LogRatioInterval::EVERYTHING);
        assert_eq!(without(logs(1.2, 1.3), LogRatioInterval::EVERYTHING).upper, f64::INFINITY);
    }

    #[test]
    fn a_shell_that_may_be_everything_or_more_bounds_nothing() {
        // A start-up that is at least the whole run leaves the ratio as it is.
        let everything = without(logs(1.2, 1.3), logs(1.0, 1.1));
        assert_eq!((everything.lower, everything.upper), (1.2_f64.ln(), f64::INFINITY));
        // Runs that are shorter than the start-up have no ratio without it.
        let shorter = without(logs(0.5, 0.6), logs(0.7, 0.8));
        assert_eq!((shorter.lower, shorter.upper), (f64::NEG_INFINITY, 0.6_f64.ln()));
    }

    proptest! {
        /// Wherever the two lie within their intervals, the ratio lies within its own, on the same
        /// side of 1.
        #[test]
        fn the_interval_holds_for_every_share(
            ends in prop::array::uniform2(0.2_f64..5.0),
            shares in prop::array::uniform2(0.01_f64..1.5),
            at in prop::array::uniform2(0.0_f64..1.0),
        ) {
            let sorted = |[x, y]: [f64; 2]| (x.min(y), x.max(y));
            let ((rho_low, rho_high), (low, high)) = (sorted(ends), sorted(shares));
            let rho = rho_low + at[0] * (rho_high - rho_low);
            let share = low + at[1] * (high - low);
            // The commands take some time.
            prop_assume!(share < 0.999 && rho > share + 0.001);
            let interval = without(logs(rho_low, rho_high), logs(low, high));
            let ratio = ((rho - share) / (1.0 - share)).ln();
            let slack = 1e-9;
            prop_assert!(interval.lower - slack <= ratio && ratio <= interval.upper + slack);
            prop_assert!(rho_low <= 1.0 || interval.lower > 0.0);
            prop_assert!(rho_high >= 1.0 || interval.upper < 0.0);
        }
    }
}
