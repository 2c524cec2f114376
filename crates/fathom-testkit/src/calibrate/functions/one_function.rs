//! One function over executions, which scatter, against the batches of one of them.

use super::executions::Layout;
use super::{Effort, chance};
use crate::calibrate::compare::percent;
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use fathom_analyze::clean::SteadyStatePolicy;
use fathom_analyze::{EstimateRequest, analyze};
use fathom_record::{Series, Unit};
use fathom_stats::Interval;
use rand_distr::{Distribution, StandardNormal};

const SEED: u64 = 20_261_118;
const CHUNKS: usize = 8;
/// The standard deviation of a batch within its execution, in the logarithm.
const WITHIN: f64 = 0.01;
/// Batches of each of several executions.
const BATCHES: usize = 100;
/// Batches of the only execution.
const BATCHES_ALONE: usize = 1200;
/// How many executions there are; one is the interval of a single execution.
const EXECUTIONS: [usize; 5] = [1, 6, 8, 12, 24];

const SCATTERS: [Layout; 6] = [
    Layout::Normal(0.0),
    Layout::Normal(0.003),
    Layout::Normal(0.02),
    Layout::TwoStates(0.05),
    Layout::Skewed(0.02),
    Layout::Skewed(0.1),
];

/// What was measured.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    trials: u64,
    intervals: u64,
    covers: u64,
    half_widths: f64,
}

impl Tally {
    fn add(&mut self, interval: Option<Interval>, truth: f64) {
        self.trials += 1;
        if let Some(interval) = interval {
            self.intervals += 1;
            self.covers += u64::from(interval.lower <= truth && truth <= interval.upper);
            self.half_widths += 0.5 * (interval.upper - interval.lower) / truth;
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.trials += other.trials;
        self.intervals += other.intervals;
        self.covers += other.covers;
        self.half_widths += other.half_widths;
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.intervals.max(1) as f64
    }
}

/// The median over all executions that there could be, of what their batches give, in the logarithm.
fn median_of(scatter: Layout) -> f64 {
    /// The standard normal's upper quartile.
    const QUARTILE: f64 = 0.674_489_750_2;
    match scatter {
        Layout::Normal(_) => 0.0,
        // One execution of three is slow, so half of all are below the upper quartile of the fast
        // ones, which differ by what their batches leave to chance.
        Layout::TwoStates(_) => {
            let of_medians = (std::f64::consts::FRAC_PI_2 / BATCHES as f64).sqrt() * WITHIN;
            QUARTILE * of_medians
        }
        Layout::Skewed(mean) => mean * std::f64::consts::LN_2 + scatter.shift(),
    }
}

/// What a bench says of one function.
fn measured(scatter: Layout, executions: usize, rng: &mut Generator) -> Option<Interval> {
    let batches = if executions == 1 { BATCHES_ALONE } else { BATCHES };
    let mut values = Vec::with_capacity(executions * batches);
    for _ in 0..executions {
        let level = scatter.drawn(rng);
        values.extend((0..batches).map(|_| {
            let noise: f64 = StandardNormal.sample(rng);
            (level + WITHIN * noise).exp()
        }));
    }
    let series = Series::new("f", Unit::SECONDS, values).ok()?;
    let series = match executions {
        1 => series,
        _ => series.with_executions(vec![batches; executions]).ok()?,
    };
    // As benches do: functions are warmed up before.
    let request =
        EstimateRequest { steady_state: SteadyStatePolicy::Off, ..EstimateRequest::default() };
    let subject = analyze(series, &request);
    let interval = subject.estimates.first()?.interval()?;
    (interval.lower.is_finite() && interval.upper.is_finite()).then_some(interval)
}

/// The table, or what breaks a promise.
pub(super) fn section(effort: Effort) -> Result<String, String> {
    let cells: Vec<(Layout, usize)> = SCATTERS
        .into_iter()
        .flat_map(|scatter| EXECUTIONS.map(|executions| (scatter, executions)))
        .collect();
    let parts = parallel::map(cells.len() * CHUNKS, |task| {
        let (scatter, executions) = cells[task / CHUNKS];
        let trials = if executions == 1 { effort.batches } else { effort.executions };
        let mut rng = generator(SEED, task as u64);
        let mut tally = Tally::default();
        for _ in 0..trials.div_ceil(CHUNKS) {
            tally.add(measured(scatter, executions, &mut rng), median_of(scatter).exp());
        }
        tally
    });
    let mut table = MarkdownTable::new([
        "executions scatter",
        "executions",
        "covers",
        "no interval",
        "half width",
    ]);
    let mut broken = Vec::new();
    for ((scatter, executions), chunks) in cells.iter().zip(parts.chunks(CHUNKS)) {
        let mut tally = Tally::default();
        chunks.iter().for_each(|chunk| tally.merge(chunk));
        let covers = tally.share(tally.covers);
        let name = scatter.name();
        if *executions > 1 && covers < 0.95 - chance(tally.intervals) {
            broken.push(format!("{name}, {executions} executions: covers {covers:.4}"));
        }
        table.row([
            name,
            if *executions == 1 { "this one only".to_string() } else { executions.to_string() },
            percent(covers),
            percent(1.0 - tally.intervals as f64 / tally.trials.max(1) as f64),
            format!("{:.2}", 100.0 * tally.half_widths / tally.intervals.max(1) as f64),
        ]);
    }
    if !broken.is_empty() {
        return Err(broken.join("\n"));
    }
    Ok(format!(
        "\n## One function over executions\n\n\
         Each execution is faster or slower by the given distribution, and each of its batches by \
         another {:.0}% (standard deviation). There are {BATCHES} batches in each execution, and \
         {BATCHES_ALONE} where there is only one. The truth is the median over all executions of \
         the medians of their batches. \
         *This one only* is `--executions 1`, with its interval taken for one about the program: it \
         is one about this execution. *Half width* is the mean, in % of the truth; *covers* is the \
         share of the intervals. Fewer than 6 executions have no interval at 95%. From 20 on the \
         interval allows for dependence, which makes it wider.\n\n{}",
        100.0 * WITHIN,
        table.render()
    ))
}
