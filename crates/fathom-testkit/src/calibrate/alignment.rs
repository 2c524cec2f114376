//! `calibration/alignment.md`: where windows end up in other runs, and whether the words about it are
//! right.

mod programs;

use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::generator;
use fathom_explain::align::{AlignOptions, Fit, align};
use fathom_explain::{RunEntry, Segments, Selection, SourceError, TargetRange, TraceSource};
use fathom_record::trace::{Kind, Layer, Samples, TraceMetric, Values};
use fathom_record::{Timestamp, Unit};
use programs::{PROFILES, Profile, measured, share_of_one};
use std::fmt::Write;

const SEED: u64 = 20_051_017;
/// Samples of the work that both runs do.
const WORK: usize = 1000;
/// Standard deviations of the noise, of the metric's own.
const NOISES: [f64; 4] = [0.0, 0.1, 0.3, 1.0];
/// An end is off if it is wrong by more than this share of the window.
const OFF: f64 = 0.1;
/// The largest share of ends that may be off without a word, in any row in which runs did the same.
const GOAL: f64 = 0.2;

/// How much is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Pairs of runs in each row.
    pub pairs: usize,
}

impl Effort {
    /// What the committed page has.
    pub const FULL: Effort = Effort { pairs: 100 };
}

/// Simulates and writes the page. The error names rows in which more windows are off without a word
/// than the goal allows, by over 3 standard errors.
pub fn page(effort: Effort) -> Result<String, String> {
    let rows = PROFILES.len() * NOISES.len();
    let found = parallel::map(rows, |row| {
        let (profile, noise) = (PROFILES[row / NOISES.len()], NOISES[row % NOISES.len()]);
        let related = Row::simulate(profile, noise, true, effort, 2 * row as u64);
        (related, Row::simulate(profile, noise, false, effort, 2 * row as u64 + 1))
    });
    let limit = GOAL + 3.0 * (GOAL * (1.0 - GOAL) / effort.pairs.max(1) as f64).sqrt();
    let named = |row: usize| {
        format!("{}, noise {}", PROFILES[row / NOISES.len()].name(), NOISES[row % NOISES.len()])
    };
    let missed: Vec<String> = found
        .iter()
        .enumerate()
        .filter(|(_, (same, _))| same.unsaid > limit)
        .map(|(row, (same, _))| format!("{}: {} are off without a word", named(row), same.unsaid))
        .collect();
    if !missed.is_empty() {
        return Err(missed.join("\n"));
    }
    let most = |of: &dyn Fn(&(Row, Row)) -> f64| found.iter().map(of).fold(0.0, f64::max);
    let mut text = format!(
        "# Alignment: where windows end up\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate alignment` (seed {SEED}). The \
         method is in `docs/methods/alignment.md`. All numbers are in percent.\n\n\
         The goal holds: of runs that did the same work, at most {:.0}% have a window whose end is off by \
         more than a tenth of the window, are rated good, and have no warning; at worst {:.0}%. \
         Off at all are at worst {:.0}%. Of windows that are where they should be, at worst {:.0}% are \
         rated poor where the noise is at most .3.\n\n\
         Both runs do {WORK} steps of work at a pace that changes by up to a third along the way, and \
         differently in each. A window has a tenth of the first run's rows, anywhere in it. `off` is the \
         share of pairs in which an end of the carried window is off by more than a tenth of the window, \
         `unsaid` the share in which it is off, the rating is good, and nothing is said. `poor though \
         right` is the share rated poor of those that are not off. Noise is in standard deviations of the \
         metric. {} pairs per row; the standard error of 20% is {:.1}.\n\n",
        100.0 * GOAL,
        100.0 * most(&|row| row.0.unsaid),
        100.0 * most(&|row| row.0.off),
        100.0
            * found
                .iter()
                .enumerate()
                .filter(|(row, _)| NOISES[row % NOISES.len()] < 0.5)
                .map(|(_, row)| row.0.poor_though_right)
                .fold(0.0, f64::max),
        effort.pairs,
        100.0 * (GOAL * (1.0 - GOAL) / effort.pairs.max(1) as f64).sqrt(),
    );
    let mut table = MarkdownTable::new([
        "metric",
        "noise",
        "same work: good, fair, poor",
        "off",
        "unsaid",
        "poor though right",
        "unrelated: good, fair, poor",
    ]);
    for (row, (same, other)) in found.iter().enumerate() {
        let percent = |share: f64| format!("{:.0}", 100.0 * share);
        let fits = |row: &Row| row.fits.map(percent).join(", ");
        table.row([
            PROFILES[row / NOISES.len()].name(),
            NOISES[row % NOISES.len()].to_string(),
            fits(same),
            percent(same.off),
            percent(same.unsaid),
            percent(same.poor_though_right),
            fits(other),
        ]);
    }
    let _ = write!(text, "{}", table.render());
    Ok(text)
}

/// What became of many pairs of runs.
struct Row {
    /// Good, fair, poor.
    fits: [f64; 3],
    off: f64,
    unsaid: f64,
    poor_though_right: f64,
}

impl Row {
    fn simulate(profile: Profile, noise: f64, related: bool, effort: Effort, cell: u64) -> Row {
        let mut rng = generator(SEED, cell);
        let mut outcomes = Vec::with_capacity(effort.pairs);
        for _ in 0..effort.pairs {
            let work = profile.heights(WORK, &mut rng);
            let other = if related { work.clone() } else { profile.heights(WORK, &mut rng) };
            let here = measured(&work, noise, &mut rng);
            let there = measured(&other, noise, &mut rng);
            let at = share_of_one(&mut rng);
            outcomes.extend(carried(&here, &there, at));
        }
        let share = |is: &dyn Fn(&Outcome) -> bool| {
            let count = outcomes.iter().filter(|one| is(one)).count();
            count as f64 / outcomes.len().max(1) as f64
        };
        let right = share(&|one| one.off <= OFF);
        let poor_and_right = share(&|one| one.off <= OFF && one.fit == Fit::Poor);
        Row {
            fits: Fit::ALL.map(|fit| share(&|one| one.fit == fit)),
            off: share(&|one| one.off > OFF),
            unsaid: share(&|one| one.off > OFF && one.fit == Fit::Good && !one.is_warned),
            poor_though_right: if right > 0.0 { poor_and_right / right } else { 0.0 },
        }
    }
}

/// What became of one pair.
struct Outcome {
    fit: Fit,
    is_warned: bool,
    /// How far the worse end is off, in lengths of the window.
    off: f64,
}

/// Carries a window from one run to the other; each has values, and how much work was done by each row.
fn carried(here: &(Vec<f64>, Vec<f64>), there: &(Vec<f64>, Vec<f64>), at: f64) -> Option<Outcome> {
    let length = here.0.len() / 10;
    let first = (at * (here.0.len() - length) as f64) as usize;
    let last = first + length - 1;
    let traces = Pair::new(&here.0, &there.0);
    let selection = Selection {
        target: "m".to_string(),
        run: Some("here".to_string()),
        windows: vec![TargetRange::Rows { first, last }],
        baseline: None,
        segments: Segments::Auto,
        pattern: None,
    };
    let aligned = align(&traces, &selection, &AlignOptions::default(), &|_| Ok(())).ok()?;
    let run = aligned.runs.iter().find(|run| run.run == "there")?;
    let quality = run.quality?;
    let true_row = |row: usize| there.1.partition_point(|&done| done < here.1[row]) as f64;
    let &(start, end) = run.windows.first()?;
    let ends = [start.seconds() - true_row(first), end.seconds() - 1.0 - true_row(last)];
    Some(Outcome {
        fit: quality.fit,
        is_warned: !run.warnings.is_empty(),
        off: ends.map(f64::abs).into_iter().fold(0.0, f64::max) / length as f64,
    })
}

/// Two runs with one metric, in memory.
struct Pair {
    runs: [RunEntry; 2],
    samples: [Samples; 2],
}

impl Pair {
    fn new(here: &[f64], there: &[f64]) -> Pair {
        let metric = TraceMetric {
            name: "m".to_string(),
            ..TraceMetric::real("made", "m", Layer::Os, Kind::Gauge, Unit::Unknown)
        };
        let entry = |id: &str| RunEntry { id: id.to_string(), metrics: vec![metric.clone()] };
        let edge = |row: usize| Timestamp::from_seconds(row as f64);
        let samples = |values: &[f64]| Samples {
            metric: metric.clone(),
            starts: (0..values.len()).map(edge).collect(),
            ends: (1..=values.len()).map(edge).collect(),
            values: Values::Reals(values.iter().copied().map(Some).collect()),
        };
        Pair {
            runs: [entry("here"), entry("there")],
            samples: [samples(here), samples(there)],
        }
    }
}

impl TraceSource for Pair {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        None
    }

    fn samples(&self, run: &str, _: &str) -> Result<Samples, SourceError> {
        let place = self.runs.iter().position(|entry| entry.id == run);
        let found = place.and_then(|place| self.samples.get(place));
        found.cloned().ok_or_else(|| format!("there is no run {run}").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_page_has_all_its_rows() {
        let page = page(Effort { pairs: 2 }).unwrap();
        for profile in PROFILES {
            assert!(page.contains(&format!("| {}", profile.name())), "{page}");
        }
        assert!(!page.contains("NaN"), "{page}");
    }
}
