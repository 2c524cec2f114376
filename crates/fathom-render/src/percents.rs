//! Ratios as differences in percent.

use crate::quantity::{Rounding, Scale};
use crate::ratio::scale_of_ratio;
use fathom_stats::{Interval, RatioInterval};

/// Percentages with the digits of the ratio, so that words and picture say the same.
pub(crate) struct Percents {
    scale: Scale,
    interval: RatioInterval,
}

impl Percents {
    pub(crate) fn of(ratio: f64, interval: RatioInterval) -> Percents {
        Percents { scale: scale_of_ratio(ratio, interval), interval }
    }

    /// The ratio as it is written elsewhere, as a difference in percent.
    fn difference(&self, ratio: f64, rounding: Rounding) -> (f64, usize) {
        let text = self.scale.number(ratio, rounding);
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let shown: f64 = text.parse().unwrap_or(ratio);
        (100.0 * (shown - 1.0), decimals.saturating_sub(2))
    }

    /// "1.6%" for 1.016.
    pub(crate) fn more(&self, ratio: f64, rounding: Rounding) -> String {
        let (percents, decimals) = self.difference(ratio, rounding);
        // What is below zero by a rounding error is zero.
        format!("{:.decimals$}%", percents + 0.0)
    }

    /// "1.6%" for 0.984. The rounding is that of the ratio.
    pub(crate) fn less(&self, ratio: f64, rounding: Rounding) -> String {
        let (percents, decimals) = self.difference(ratio, rounding);
        format!("{:.decimals$}%", 0.0 - percents)
    }

    /// "+1.6%" for 1.016.
    pub(crate) fn signed(&self, ratio: f64, rounding: Rounding) -> String {
        let (percents, decimals) = self.difference(ratio, rounding);
        let text = format!("{percents:+.decimals$}%");
        // No difference has no sign.
        match text.chars().any(|c| ('1'..='9').contains(&c)) {
            true => text,
            false => text.trim_start_matches(['+', '-']).to_string(),
        }
    }

    /// "-0.4% to +0.5%".
    pub(crate) fn signed_ends(&self) -> String {
        let signed = |ratio: f64, rounding| self.signed(ratio, rounding);
        let Interval { lower, upper } = self.interval.ends();
        match (lower.is_finite(), upper.is_finite()) {
            (true, true) => {
                format!("{} to {}", signed(lower, Rounding::Down), signed(upper, Rounding::Up))
            }
            (true, false) => format!("at least {}", signed(lower, Rounding::Down)),
            (false, true) => format!("at most {}", signed(upper, Rounding::Up)),
            (false, false) => "no interval".to_string(),
        }
    }
}
