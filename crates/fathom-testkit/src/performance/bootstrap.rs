//! BCa against scipy.

use super::figures::{ratio, time, verdict};
use super::peers::{Measured, Peers};
use super::{RUNS, lognormal, stopwatch};
use crate::markdown::MarkdownTable;
use fathom_stats::bca::{self, BootstrapStatistic, Resampling};
use fathom_stats::{Confidence, Probability, Sides};

const N: usize = 1000;
const GOAL: f64 = 20.0;

pub(super) fn section(peers: &Peers) -> Result<String, String> {
    let confidence = Confidence::new(0.95).map_err(|error| error.to_string())?;
    let values = lognormal(N, 0.1);
    let resampling = Resampling::seeded(1);
    let ours = |statistic, resamples| {
        let resampling = Resampling { resamples, ..resampling };
        let work =
            |_: &mut ()| bca::interval(&values, statistic, confidence, Sides::Both, resampling);
        stopwatch::best_of(RUNS, || (), work)
    };
    let mut times = MarkdownTable::new(["statistic", "", "time", "ratio"]);
    let mut slowest = f64::INFINITY;
    let mut on_one_core = f64::NAN;
    for (name, statistic) in [
        ("mean", BootstrapStatistic::Mean),
        ("median", BootstrapStatistic::Quantile(Probability::HALF)),
    ] {
        // Before and after the peer, in case the machine was busy during one of them.
        let before = ours(statistic, resampling.resamples);
        let measured = peers
            .measure("bootstrap_bca.py", &["--statistic", name, "--runs", &RUNS.to_string()])?;
        let scipy = measured.first().ok_or("bootstrap_bca.py printed nothing")?;
        let own = before.min(ours(statistic, resampling.resamples));
        slowest = slowest.min(scipy.seconds / own);
        let mut row = |what: &str, seconds: f64, compared: bool| {
            let compared = if compared { ratio(seconds / own) } else { String::new() };
            times.row([name, what, &time(seconds), &compared]);
        };
        row("Fathom", own, false);
        if statistic == BootstrapStatistic::Mean {
            // A tenth of the resamples is too little work for a second thread.
            let one_core = 10.0 * ours(statistic, resampling.resamples / 10);
            row("Fathom on one core (10 times 999 resamples)", one_core, false);
            on_one_core = scipy.seconds / one_core;
        }
        row("scipy, default batch", default_batch(scipy)?, true);
        let best = format!("scipy, best batch ({})", scipy.batch.unwrap_or(0));
        row(&best, scipy.seconds, true);
    }
    Ok(format!(
        "## BCa, {} resamples of {N} values\n\n\
         `scipy.stats.bootstrap(method=\"BCa\", vectorized=True)` on lognormal values. By default \
         scipy makes all resamples in one batch; the best batch is the fastest of the default, \
         10, 50, 100, 500 and 2000. Fathom divides the mean's resamples among all cores, scipy \
         uses one; on one core the mean's ratio to the best batch is {}. Fathom draws the \
         median's resamples as order statistics, which scipy does not do. Goal: at least {GOAL} \
         times as fast as scipy with its best batch. The smaller ratio is {}: {}.\n\n\
         {}",
        resampling.resamples,
        ratio(on_one_core),
        ratio(slowest),
        verdict(slowest >= GOAL),
        times.render(),
    ))
}

fn default_batch(scipy: &Measured) -> Result<f64, String> {
    scipy.by_batch.get("0").copied().ok_or_else(|| format!("{}: no default batch", scipy.peer))
}
