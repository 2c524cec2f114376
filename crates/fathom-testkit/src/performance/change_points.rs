//! Change points: time against length, and against PELT.

use super::figures::{count, ratio, time, verdict};
use super::peers::Peers;
use super::{RUNS, stopwatch};
use crate::markdown::MarkdownTable;
use crate::population::generator;
use crate::process::Process;
use fathom_stats::steady_state;

const LENGTHS: [usize; 4] = [1000, 10_000, 100_000, 1_000_000];
const N_OF_KINDS: usize = 100_000;
const N_OF_PEER: usize = 10_000;
const RUNS_OF_PEER: usize = 2;
const LEVELS: [f64; 5] = [0.0, 3.0, -3.0, 2.0, -1.0];
const GOAL: f64 = 20.0;
/// From 1000 to 1,000,000 values n log n doubles the time per value, and the caches get too small.
const MOST_GROWTH: f64 = 4.0;

pub(super) fn section(peers: &Peers) -> Result<String, String> {
    Ok(format!("## Change points\n\n{}\n{}", against_length(), against_pelt(peers)?))
}

fn against_length() -> String {
    let mut table = MarkdownTable::new(["series", "n", "time", "per value", "change points"]);
    let mut measure = |kind: &str, values: &[f64]| {
        let work = |_: &mut ()| steady_state::analyse(values, 0.0);
        let seconds = stopwatch::best_of(RUNS, || (), work);
        let per_value = seconds / values.len() as f64;
        let points = work(&mut ()).change_points.len().to_string();
        table.row([kind, &count(values.len()), &time(seconds), &time(per_value), &points]);
        per_value
    };
    let per_value: Vec<f64> =
        LENGTHS.iter().map(|&n| measure("independent", &independent(n))).collect();
    measure("AR(1), φ = .5", &autoregressive(N_OF_KINDS));
    measure("exponential warm-up, 20 sd, τ = n/20", &warm_up(N_OF_KINDS));
    measure("random walk", &random_walk(N_OF_KINDS));
    let growth =
        per_value.last().zip(per_value.first()).map_or(f64::NAN, |(last, first)| last / first);
    format!(
        "`steady_state::analyse`: scan, split, refinement and class, on normal noise. Goal: \
         near-linear, that is, at most {MOST_GROWTH} times the time per value for 1,000,000 \
         values as for 1000; the logarithm alone accounts for 2. It is {growth:.2} times: {}. \
         Each change point is tested again, so series with many of them take longer.\n\n\
         {}",
        verdict(growth <= MOST_GROWTH),
        table.render(),
    )
}

fn against_pelt(peers: &Peers) -> Result<String, String> {
    let script = "change_points.py";
    let mut table = MarkdownTable::new(["series", "", "time", "ratio", "change points"]);
    let mut least = f64::INFINITY;
    let mut least_in_c = f64::INFINITY;
    for (name, values) in
        [("independent", independent(N_OF_PEER)), ("five levels", five_levels(N_OF_PEER))]
    {
        let work = |_: &mut ()| steady_state::analyse(&values, 0.0);
        let ours = || stopwatch::best_of(RUNS, || (), work);
        // Before and after the peer, in case the machine was busy during one of them.
        let before = ours();
        let measured = peers.measure_on(
            &values,
            script,
            &["--runs", &RUNS_OF_PEER.to_string(), "--runs-in-c", &RUNS.to_string()],
        )?;
        let own = before.min(ours());
        let points = work(&mut ()).change_points.len().to_string();
        table.row([name, "Fathom", &time(own), "", &points]);
        for peer in &measured {
            let (what, least) = match peer.timed_values {
                Some(timed) => {
                    let timed = count(timed);
                    let scaled = format!(" (scaled from the first {timed}, best of {})", peer.runs);
                    (scaled, &mut least)
                }
                None => (String::new(), &mut least_in_c),
            };
            let what = format!("ruptures `{}`{what}", peer.peer);
            let reached = peer.seconds / own;
            *least = least.min(reached);
            let found = peer.found.map_or(String::new(), |found| found.to_string());
            table.row([name, &what, &time(peer.seconds), &ratio(reached), &found]);
        }
    }
    if least.is_infinite() {
        return Err(format!("{script} printed nothing"));
    }
    Ok(format!(
        "The peer on the same {} values: `Pelt(model=\"l2\", min_size=3, jump=1)` of ruptures \
         with the penalty 3 ln(n) σ², in Python. It evaluates every pair of values between two \
         changes, and would take minutes, so it is timed on the first values and scaled by the \
         number of segments it evaluates. That underestimates its time, since longer segments \
         take longer. Goal: at least {GOAL} times as fast. The smaller ratio is {}: {}. \
         `KernelCPD(kernel=\"linear\")` is the same cost and penalty in C, but the goal does not \
         refer to it; the smaller ratio to it is {}. Neither allows for dependence or controls \
         the false alarm rate.\n\n\
         {}",
        count(N_OF_PEER),
        ratio(least),
        verdict(least >= GOAL),
        ratio(least_in_c),
        table.render(),
    ))
}

/// Independent normal values around 100 with standard deviation 1.
fn independent(n: usize) -> Vec<f64> {
    noise(n, Process::Autoregressive(0.0), |_| 0.0)
}

fn autoregressive(n: usize) -> Vec<f64> {
    noise(n, Process::Autoregressive(0.5), |_| 0.0)
}

fn warm_up(n: usize) -> Vec<f64> {
    noise(n, Process::Autoregressive(0.0), |x| 20.0 * (-20.0 * x).exp())
}

fn five_levels(n: usize) -> Vec<f64> {
    let level = |x: f64| LEVELS[((x * LEVELS.len() as f64) as usize).min(LEVELS.len() - 1)];
    noise(n, Process::Autoregressive(0.0), level)
}

fn random_walk(n: usize) -> Vec<f64> {
    let mut at = 0.0;
    let steps = noise(n, Process::Autoregressive(0.0), |_| -100.0);
    let walk = steps.into_iter().map(|step| {
        at += step;
        at
    });
    walk.collect()
}

/// 100, a process, and a signal of the place in the series, from 0 to 1.
fn noise(n: usize, process: Process, signal: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut values = vec![0.0; n];
    process.fill(&mut values, &mut generator(1, 0));
    for (i, value) in values.iter_mut().enumerate() {
        *value += 100.0 + signal(i as f64 / n as f64);
    }
    values
}
