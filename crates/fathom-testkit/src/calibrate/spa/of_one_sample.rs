//! Figures 4 and 5: one sample, the confidence for every threshold, and each method's interval.

use super::{CONFIDENCE, DRAWN, SEED, draw, read};
use crate::markdown::MarkdownTable;
use crate::population::generator;
use fathom_property::decide::{ConfidenceCurve, CurveQuestion};
use fathom_property::{Bounds, ThresholdSide};
use fathom_stats::bca::{self, Resampling};
use fathom_stats::distribution::normal;
use fathom_stats::mean::Moments;
use fathom_stats::quantile::spa::{self, Direction};
use fathom_stats::quantile::{self, sequence};
use fathom_stats::{Confidence, Interval, Probability, Sides};
use std::fmt::Write;

const FILE: &str = "ferret_3mb_runtime.csv";

/// The part of the page.
pub(super) fn section() -> Result<String, String> {
    let level = |error: fathom_stats::LevelError| error.to_string();
    let confidence = Confidence::new(CONFIDENCE).map_err(level)?;
    let mut population = read(FILE)?;
    let mut values = population.clone();
    draw(&mut values, DRAWN, &mut generator(SEED, 4));
    let mut sample = values[..DRAWN].to_vec();
    sample.sort_unstable_by(f64::total_cmp);
    population.sort_unstable_by(f64::total_cmp);
    let mut text = String::new();
    let tail = Probability::new(0.9).map_err(level)?;
    let curve = curve(&sample, tail, confidence);
    let (lower, upper) = curve.undecided();
    let _ = write!(
        text,
        "\n## Figure 4: confidence against threshold\n\n\
         The paper's figure is of the speed-up of a larger L2 cache, whose executions are not in its \
         artifact. This is the same construction on {DRAWN} run times of ferret (`{FILE}`, in s): how \
         sure it is that at least 90% of executions take longer than a threshold, and that fewer do. \
         Neither reaches {CONFIDENCE} between {lower} and {upper}, which is the interval of \
         `--method spa`.\n\n"
    );
    let mut table =
        MarkdownTable::new(["threshold from", "at least 90%", "fewer than 90%", "answer"]);
    // Beyond these the answers only become surer.
    for step in curve.steps.iter().take(8) {
        let share = |share: f64| format!("{share:.3}");
        let answer = if step.reached.at_least >= CONFIDENCE {
            "true"
        } else if step.reached.less >= CONFIDENCE {
            "false"
        } else {
            "none"
        };
        let from = if step.from.is_finite() { step.from.to_string() } else { "-∞".to_string() };
        table.row([
            from,
            share(step.reached.at_least),
            share(step.reached.less),
            answer.to_string(),
        ]);
    }
    text.push_str(&table.render());
    text.push_str(
        "\n## Figure 5: methods side by side\n\nThe intervals of the same run times (in s), and whether \
         they cover the quantile of all 500. One sample shows how the methods differ, not how often they \
         are right.\n\n",
    );
    let mut table =
        MarkdownTable::new(["F", "truth", "method", "lower", "upper", "width", "covers"]);
    for share in [0.5, 0.9] {
        let share = Probability::new(share).map_err(level)?;
        let p = Direction::Above.quantile(share);
        let truth = quantile::of_sorted(&population, p).ok_or("an empty file")?;
        for (method, interval) in intervals(&sample, share, confidence) {
            let number = |value: f64| format!("{value:.4}");
            let cells = match interval {
                Some(Interval { lower, upper }) => [
                    number(lower),
                    number(upper),
                    number(upper - lower),
                    if lower <= truth && truth <= upper { "yes" } else { "no" }.to_string(),
                ],
                None => ["none", "none", "", ""].map(String::from),
            };
            let start = [share.get().to_string(), number(truth), method.to_string()];
            table.row(start.into_iter().chain(cells));
        }
    }
    text.push_str(&table.render());
    Ok(text)
}

fn curve(sample: &[f64], share: Probability, confidence: Confidence) -> ConfidenceCurve {
    let values: Vec<Bounds> = sample.iter().map(|&value| Bounds::exactly(value)).collect();
    ConfidenceCurve::of(
        &values,
        &CurveQuestion {
            probability: share,
            confidence,
            side: ThresholdSide::Above,
            is_anytime: false,
            always_true: 0,
            always_false: 0,
            dependence: None,
        },
    )
}

/// The interval of each method that serves the share.
fn intervals(
    sample: &[f64],
    share: Probability,
    confidence: Confidence,
) -> Vec<(&'static str, Option<Interval>)> {
    let p = Direction::Above.quantile(share);
    let ranks = |ranks: quantile::RankPair| Some(ranks.of_sorted(sample));
    let resampling = Resampling { resamples: 9_999, seed: SEED };
    let statistic = bca::BootstrapStatistic::Quantile(p);
    let boot = bca::interval(sample, statistic, confidence, Sides::Both, resampling).ok();
    let mut all = vec![
        ("spa", ranks(spa::interval(DRAWN, share, confidence, Direction::Above))),
        ("exact", ranks(quantile::exact(DRAWN, p, confidence, Sides::Both))),
        ("anytime", ranks(sequence::ranks(DRAWN, p, confidence, Sides::Both))),
        ("bca", boot),
    ];
    if share == Probability::HALF {
        all.push(("8/16", Some(Interval { lower: sample[8], upper: sample[16] })));
        all.push((
            "z",
            Moments::of(sample).map(|moments| {
                let half = normal::quantile(0.95) * moments.sd;
                Interval { lower: moments.mean - half, upper: moments.mean + half }
            }),
        ));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_crosses_where_the_papers_interval_ends() {
        let (share, confidence) = (Probability::new(0.9).unwrap(), Confidence::new(0.9).unwrap());
        let sample: Vec<f64> = (1..=22).map(f64::from).collect();
        let (lower, upper) = curve(&sample, share, confidence).undecided();
        let all = intervals(&sample, share, confidence);
        assert_eq!(all[0], ("spa", Some(Interval { lower, upper })));
    }
}
