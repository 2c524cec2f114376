//! `calibration/tails.md`: ratios of quantiles, means and minima.

mod count;
mod coverage;
mod looks;
mod means;
mod minima;
mod power;
mod shifts;
mod unpaired;
mod worlds;

use count::Count;
use fathom_stats::tails::RatioOf;
use fathom_stats::{Confidence, Probability};

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Comparisons per cell; a quarter of them where a comparison has more than 4000 blocks.
    pub trials: usize,
    /// Comparisons per cell where each has several looks or quantiles.
    pub whole: usize,
}

impl Effort {
    /// What the committed page was made with.
    pub const FULL: Effort = Effort { trials: 2000, whole: 1000 };

    fn of(self, blocks: usize) -> usize {
        if blocks > 4000 { self.trials.div_ceil(4) } else { self.trials }
    }
}

const ALPHA: f64 = 0.05;

/// A part of the page.
struct Section {
    text: String,
    /// What breaks a promise, and by how much.
    broken: Vec<String>,
}

/// Simulates and writes the page; an error names everything that breaks a promise.
pub fn page(effort: Effort) -> Result<String, String> {
    let sections = [
        coverage::section(effort),
        power::section(effort),
        looks::section(effort),
        means::section(effort),
        minima::section(effort),
        shifts::section(effort),
        unpaired::section(effort),
        coverage::limits(effort),
    ];
    let broken: Vec<&str> =
        sections.iter().flat_map(|section| section.broken.iter().map(String::as_str)).collect();
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    let texts: String = sections.iter().map(|section| section.text.as_str()).collect();
    Ok(head(effort) + &texts)
}

fn head(effort: Effort) -> String {
    format!(
        "# Tails: ratios of quantiles, means and minima\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate tails` ({} comparisons per \
         cell, {} of 5000 blocks or more, {} with several looks or quantiles; {:.0}% confidence).\n\n\
         A block has two runs of each subject, ABBA or BAAB by a fair coin. Cells are `coverage \
         of finite intervals / share of comparisons without a finite interval`, in %. The standard \
         error of a coverage of 95% is {:.1} points, and {:.1} points with 5000 blocks or more. The \
         machines are those of [Comparisons under noise](compare.md); the other rows draw \
         logarithms of times. The method: [Tails](../docs/methods/tails.md).\n",
        effort.trials,
        effort.of(5000),
        effort.whole,
        100.0 * Confidence::DEFAULT.get(),
        100.0 * (0.05 * 0.95 / effort.trials as f64).sqrt(),
        100.0 * (0.05 * 0.95 / effort.of(5000) as f64).sqrt(),
    )
}

fn quantile(p: f64) -> RatioOf {
    RatioOf::Quantile(probability(p))
}

fn probability(p: f64) -> Probability {
    Probability::new(p).unwrap_or(Probability::HALF)
}

fn name(of: RatioOf) -> String {
    match of {
        RatioOf::Quantile(p) => format!("p{}", (1e6 * p.get()).round() / 1e4),
        RatioOf::Mean => "mean".to_string(),
        RatioOf::Minimum => "minimum".to_string(),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let page = page(Effort { trials: 16, whole: 8 }).unwrap();
        assert!(!page.contains("inf"), "{page}");
    }
}
