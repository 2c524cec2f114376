//! What a recording cost, from its manifest alone.

use super::{MOST_SHARE, Manifest, ProbeCost, TraceRun};
use crate::in_words::{duration as words, percent};
use std::time::Duration;

/// What a recording cost.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordingSummary {
    /// Rows of all runs and samplers.
    pub rows: u64,
    /// Rows that the schedules had room for and that are not there.
    pub missed: u64,
    /// What each probe cost, over all runs that had it; the dearest first.
    pub probes: Vec<ProbeCost>,
    /// The run that cost most, and its share of one processor, writing included.
    pub dearest_run: Option<(String, f64)>,
    /// If that is too much: which probe to drop, and what the share would be then.
    pub advice: Option<String>,
}

impl RecordingSummary {
    /// Of what a manifest says.
    #[must_use]
    pub fn of(manifest: &Manifest) -> RecordingSummary {
        let samplers = || manifest.runs.iter().flat_map(|run| &run.samplers);
        let mut probes: Vec<ProbeCost> = Vec::new();
        for cost in samplers().flat_map(|sampler| &sampler.probes) {
            match probes.iter_mut().find(|known| known.probe == cost.probe) {
                Some(known) => add(known, cost),
                None => probes.push(cost.clone()),
            }
        }
        probes.sort_by(|one, other| other.cpu_share.total_cmp(&one.cpu_share));
        let dearest = manifest.runs.iter().max_by(|one, other| share(one).total_cmp(&share(other)));
        RecordingSummary {
            rows: samplers().map(|sampler| sampler.rows).sum(),
            missed: samplers().map(|sampler| sampler.missed).sum(),
            probes,
            dearest_run: dearest.map(|run| (run.id.clone(), share(run))),
            advice: dearest.and_then(advice),
        }
    }
}

/// "1.6 us per sample, 0.3% of a core".
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast saturates, and costs are not negative"
)]
pub fn cost_in_words(cost: &ProbeCost) -> String {
    let per_sample = words(Duration::from_nanos(cost.ns_per_sample as u64));
    format!("{per_sample} per sample, {} of a core", percent(cost.cpu_share))
}

/// The mean over both; the share of the run in which it was larger.
fn add(known: &mut ProbeCost, more: &ProbeCost) {
    let samples = known.samples + more.samples;
    let total =
        known.ns_per_sample * known.samples as f64 + more.ns_per_sample * more.samples as f64;
    known.ns_per_sample = total / samples.max(1) as f64;
    known.samples = samples;
    known.cpu_share = known.cpu_share.max(more.cpu_share);
}

/// What recording a run took, as a share of one processor.
fn share(run: &TraceRun) -> f64 {
    run.samplers.iter().filter_map(|sampler| sampler.cpu_share).sum()
}

fn advice(run: &TraceRun) -> Option<String> {
    let share = share(run);
    // A run that was over at once is all beginning and end, which says nothing of sampling.
    let ticks = run.samplers.iter().filter(|one| one.interval.is_some()).map(|one| one.rows);
    if share <= MOST_SHARE || ticks.max().is_some_and(|rows| rows < 10) {
        return None;
    }
    let probes = run.samplers.iter().flat_map(|sampler| &sampler.probes);
    let dearest = probes.max_by(|one, other| one.cpu_share.total_cmp(&other.cpu_share))?;
    let without = (share - dearest.cpu_share).max(0.0);
    let enough = if without <= MOST_SHARE { "" } else { " A longer --every helps, too." };
    Some(format!(
        "recording {} used {} of a core, which may have disturbed the program. Without {} ({}) it \
         would use {}.{enough}",
        run.id,
        percent(share),
        dearest.probe,
        cost_in_words(dearest),
        percent(without),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{SamplerEntry, TRACE_SCHEMA};
    use crate::{Environment, Span, Timestamp};

    fn run(id: &str, cpu_share: f64, probes: &[(&str, u64, f64, f64)]) -> TraceRun {
        let probes = probes
            .iter()
            .map(|&(probe, samples, ns_per_sample, cpu_share)| ProbeCost {
                probe: probe.to_string(),
                samples,
                ns_per_sample,
                cpu_share,
            })
            .collect();
        let sampler = SamplerEntry {
            name: "fast".to_string(),
            file: format!("{id}.parquet"),
            interval: Some(Span::from_milliseconds(1)),
            rows: 100,
            missed: 2,
            lateness: None,
            cpu_share: Some(cpu_share),
            probes,
        };
        TraceRun {
            id: id.to_string(),
            group: String::new(),
            clock: None,
            ended: Some(Timestamp::from_nanoseconds(1)),
            ending: None,
            samplers: vec![sampler],
            notes: Vec::new(),
        }
    }

    fn summary(runs: Vec<TraceRun>) -> RecordingSummary {
        RecordingSummary::of(&Manifest {
            derived: Vec::new(),
            schema: TRACE_SCHEMA.to_string(),
            command: Vec::new(),
            started: 0,
            environment: Environment::of_this_build(),
            common: None,
            metrics: Vec::new(),
            runs,
        })
    }

    #[test]
    fn costs_are_put_together_over_runs() {
        let one = run("run-1", 0.02, &[("a", 100, 1000.0, 0.001), ("b", 100, 9000.0, 0.009)]);
        let other = run("run-2", 0.03, &[("a", 300, 2000.0, 0.002)]);
        let summary = summary(vec![one, other]);
        assert_eq!((summary.rows, summary.missed), (200, 4));
        assert_eq!(summary.dearest_run, Some(("run-2".to_string(), 0.03)));
        assert_eq!(summary.advice, None);
        let words: Vec<String> = summary
            .probes
            .iter()
            .map(|cost| format!("{}: {}", cost.probe, cost_in_words(cost)))
            .collect();
        assert_eq!(
            words,
            ["b: 9 us per sample, 0.9% of a core", "a: 1.8 us per sample, 0.2% of a core"]
        );
    }

    #[test]
    fn what_is_too_dear_is_named() {
        let dear = run("run-1", 0.08, &[("a", 100, 1000.0, 0.01), ("b", 100, 60_000.0, 0.06)]);
        let advice = summary(vec![dear]).advice.unwrap();
        assert_eq!(
            advice,
            "recording run-1 used 8% of a core, which may have disturbed the program. Without b \
             (60 us per sample, 6% of a core) it would use 2%."
        );
        let dearer = run("run-1", 0.2, &[("a", 100, 1000.0, 0.01), ("b", 100, 60_000.0, 0.06)]);
        assert!(
            summary(vec![dearer]).advice.unwrap().ends_with("14%. A longer --every helps, too.")
        );
    }
}
