//! The median interval against a sort.

use super::figures::{ratio, time, verdict};
use super::{RUNS, lognormal, stopwatch};
use crate::markdown::MarkdownTable;
use fathom_stats::{Confidence, Probability, Sides, quantile};

const N: usize = 1_000_000;
const GOAL: f64 = 1.5;

pub(super) fn section() -> Result<String, String> {
    let confidence = Confidence::new(0.95).map_err(|error| error.to_string())?;
    let values = lognormal(N, 1.0);
    let ours = stopwatch::best_of(
        RUNS,
        || values.clone(),
        |values| {
            let ranks = quantile::exact(N, Probability::HALF, confidence, Sides::Both);
            let interval = ranks.of_unsorted(values);
            (interval, quantile::of_unsorted(values, Probability::HALF))
        },
    );
    let sort = |values: &mut Vec<f64>| values.sort_unstable_by(f64::total_cmp);
    let peer = stopwatch::best_of(RUNS, || values.clone(), sort);
    let mut table = MarkdownTable::new(["", "time", "ratio"]);
    table.row(["Fathom: ranks, interval and estimate", &time(ours), ""]);
    table.row(["`sort_unstable_by(f64::total_cmp)`", &time(peer), &ratio(peer / ours)]);
    Ok(format!(
        "## The median and its interval, 1,000,000 values\n\n\
         Lognormal values in random order, 95% confidence; neither time includes copying them. \
         Goal: at most {GOAL} times the sort. It is {:.2} times: {}.\n\n\
         {}",
        ours / peer,
        verdict(ours <= GOAL * peer),
        table.render(),
    ))
}
