//! The full outlier heuristic against a sort, and against Algorithm 1 as it is written.

use super::figures::{ratio, time, verdict};
use super::peers::Peers;
use super::{RUNS, lognormal, memory, stopwatch};
use crate::markdown::MarkdownTable;
use fathom_stats::outliers::{
    self, ClusterShare, Dendrogram, Method, MinPts, OutlierGrid, Positions, full_cut,
    local_outlier_factors,
};

const N: usize = 1_000_000;
const N_OF_PEER: usize = 5000;
const RUNS_OF_PEER: usize = 3;
/// Beyond the factors, at most this many sorts.
const MOST_SORTS: f64 = 4.0;
const GOAL: f64 = 500.0;
/// Memory is linear if ten times the values take no more per value than this.
const MOST_GROWTH: f64 = 1.1;

pub(super) fn section(peers: &Peers) -> Result<String, String> {
    let beside_sort = beside_sort()?;
    let memory = memory_in_words()?;
    let as_written = as_written(peers)?;
    Ok(format!(
        "## Outliers: the full heuristic\n\n\
         Lognormal values without ties, the grid off.\n\n{beside_sort}\n{memory}{as_written}"
    ))
}

fn beside_sort() -> Result<String, String> {
    let values = lognormal(N, 1.0);
    let positions = Positions::as_given(&values);
    if positions.at().len() < N {
        return Err("outliers: some values are equal".to_string());
    }
    let factors = local_outlier_factors(&positions, MinPts::PAPER);
    let dendrogram = Dendrogram::of(&positions, ClusterShare::PAPER);
    let nothing = || ();
    let total = || {
        stopwatch::best_of(RUNS, nothing, |()| {
            outliers::find(&values, Method::Full, OutlierGrid::Off)
        })
    };
    let sort = || {
        let sort = |values: &mut Vec<f64>| values.sort_unstable_by(f64::total_cmp);
        stopwatch::best_of(RUNS, || values.clone(), sort)
    };
    // Before and after the parts, in case the machine was busy during one of them.
    let (before, sort_before) = (total(), sort());
    let to_position = stopwatch::best_of(RUNS, nothing, |()| Positions::as_given(&values));
    let to_link =
        stopwatch::best_of(RUNS, nothing, |()| Dendrogram::of(&positions, ClusterShare::PAPER));
    let to_factor =
        stopwatch::best_of(RUNS, nothing, |()| local_outlier_factors(&positions, MinPts::PAPER));
    let to_cut = stopwatch::best_of(RUNS, nothing, |()| full_cut(&dendrogram, &factors));
    let (total, sort) = (before.min(total()), sort_before.min(sort()));

    let mut table = MarkdownTable::new(["1,000,000 values", "time", "over the sort", "share"]);
    let mut row = |what: &str, seconds: f64, share: Option<f64>| {
        let share = share.map_or(String::new(), |share| format!("{:.0}%", 100.0 * share));
        table.row([what, &time(seconds), &ratio(seconds / sort), &share]);
    };
    row("Fathom: all of it", total, Some(1.0));
    for (what, seconds) in [
        ("of that, sorted positions", to_position),
        ("of that, local outlier factors", to_factor),
        ("of that, complete linkage", to_link),
        ("of that, the cut", to_cut),
    ] {
        row(what, seconds, Some(seconds / total));
    }
    row("`sort_unstable_by(f64::total_cmp)`", sort, None);
    let beyond_factors = (total - to_factor) / sort;
    Ok(format!(
        "Goal: at most {MOST_SORTS} times the sort, plus the local outlier factors, which visit \
         ten neighbours of each value twice. Without the factors it is {beyond_factors:.2} times \
         the sort, with them {:.2} times: {}. The parts are timed separately, so they need not \
         add up; the rest is finding the labelled values in the order of measurement.\n\n\
         {}",
        total / sort,
        verdict(beyond_factors <= MOST_SORTS),
        table.render(),
    ))
}

fn memory_in_words() -> Result<String, String> {
    let small = memory::of_full_outliers(N / 10)?;
    let large = memory::of_full_outliers(N)?;
    let Some((small, large)) = small.zip(large) else {
        return Ok("Memory was not measured: that takes Linux.\n\n".to_string());
    };
    Ok(format!(
        "Goal: linear memory. A process that does nothing else grows by {small:.0} bytes per \
         value at its peak for 100,000 values and by {large:.0} for 1,000,000, not counting the \
         values themselves: {}. A distance matrix takes 4 n.\n\n",
        verdict(large <= MOST_GROWTH * small),
    ))
}

fn as_written(peers: &Peers) -> Result<String, String> {
    let values = lognormal(N_OF_PEER, 1.0);
    let find = |_: &mut ()| outliers::find(&values, Method::Full, OutlierGrid::Off);
    let ours = || stopwatch::best_of(RUNS, || (), find);
    let before = ours();
    let script = "outliers_full.py";
    let measured = peers.measure_on(&values, script, &["--runs", &RUNS_OF_PEER.to_string()])?;
    let peer = measured.first().ok_or_else(|| format!("{script} printed nothing"))?;
    let own = before.min(ours());
    let found = find(&mut ()).indices.len();

    let mut table =
        MarkdownTable::new([&format!("{N_OF_PEER} values"), "time", "ratio", "labelled"]);
    table.row(["Fathom", &time(own), "", &found.to_string()]);
    let labelled = peer.found.map_or(String::new(), |found| found.to_string());
    let all = format!("all of the peer (best of {})", peer.runs);
    table.row([&all, &time(peer.seconds), &ratio(peer.seconds / own), &labelled]);
    for (part, what) in [
        ("factors", "of that, scikit-learn's local outlier factors"),
        ("linkage", "of that, fastcluster's complete linkage"),
        ("algorithm 1", "of that, Algorithm 1: a cut and a mean for each height"),
    ] {
        let seconds = peer.parts.get(part).ok_or_else(|| format!("{script}: no {part}"))?;
        table.row([what, &time(*seconds), &ratio(seconds / own), ""]);
    }
    let reached = peer.seconds / own;
    Ok(format!(
        "The peer on the same values: `LocalOutlierFactor` of scikit-learn, complete linkage by \
         fastcluster, and Algorithm 1 as in the paper: for every height it cuts the tree (scipy), \
         labels the clusters and takes the mean of the remaining values (numpy). Goal: at least \
         {GOAL} times as fast. It is {}: {}. With a single pass over the tree, only the first two \
         parts of the peer's time would remain.\n\n\
         {}",
        ratio(reached),
        verdict(reached >= GOAL),
        table.render(),
    ))
}
