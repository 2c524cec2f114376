//! Intervals that allow for dependence, compared with a sort.

use super::figures::{ratio, time};
use super::{RUNS, stopwatch};
use crate::markdown::MarkdownTable;
use crate::population::generator;
use crate::process::Process;
use fathom_stats::{Confidence, Probability, Sides, dependence};

const N: usize = 1_000_000;

pub(super) fn section() -> Result<String, String> {
    let confidence = Confidence::new(0.95).map_err(|error| error.to_string())?;
    let mut table = MarkdownTable::new(["series", "", "time", "ratio"]);
    let mut most_sorts: f64 = 0.0;
    for (name, phi) in [("independent", 0.0), ("AR(1), φ = .9", 0.9)] {
        let mut values = vec![0.0; N];
        Process::Autoregressive(phi).fill(&mut values, &mut generator(1, 0));
        let nothing = || ();
        let mean = stopwatch::best_of(RUNS, nothing, |()| {
            dependence::mean_interval(&values, confidence, Sides::Both)
        });
        let median = stopwatch::best_of(RUNS, nothing, |()| {
            dependence::quantile_ranks(&values, Probability::HALF, confidence, Sides::Both)
        });
        let sort = |values: &mut Vec<f64>| values.sort_unstable_by(f64::total_cmp);
        let sort = stopwatch::best_of(RUNS, || values.clone(), sort);
        most_sorts = most_sorts.max(median / sort);
        for (what, own) in
            [("Fathom: the mean's interval", mean), ("Fathom: the median's ranks", median)]
        {
            table.row([name, what, &time(own), &ratio(sort / own)]);
        }
        table.row([name, "`sort_unstable_by(f64::total_cmp)`", &time(sort), ""]);
    }
    Ok(format!(
        "## Dependence, 1,000,000 values\n\n\
         Intervals at 95% confidence that allow for autocorrelation. There is no goal. The mean \
         takes a few passes over the values. The median's ranks need the order of the values in \
         time, so Fathom sorts indices, not values, and judges both ends again where dependence \
         is evident: at most {most_sorts:.1} sorts here.\n\n\
         {}",
        table.render(),
    ))
}
