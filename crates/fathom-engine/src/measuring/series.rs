//! From runs to series.

use super::shell;
use fathom_analyze::{MeasuredRuns, Resource, RunCost};
use fathom_measure::{CommandSubject, PrintedMetric};
use fathom_record::{Ending, Metric, Phase, Run, Series, Unit};
use fathom_stats::{Probability, quantile};

/// The values of a metric in a subject's measured runs; `None` before the first.
pub(crate) fn series(
    runs: &[Run],
    subject: usize,
    name: &str,
    metric: &Metric,
    printed: &[PrintedMetric],
) -> Option<Series> {
    let values: Vec<f64> =
        measured(runs, subject).into_iter().filter_map(|run| metric.of(run)).collect();
    let series =
        Series::new(name, unit_of(metric, printed), values).ok()?.with_metric(metric.to_string());
    Some(match shell::startup(runs, subject, metric) {
        Some(startup) => series.with_startup(startup),
        None => series,
    })
}

/// The unit of a metric, which for one that a command prints stands with how to read it.
pub(crate) fn unit_of(metric: &Metric, printed: &[PrintedMetric]) -> Unit {
    let printed = printed.iter().find(|printed| printed.metric() == *metric);
    printed.map_or_else(|| metric.unit(), |printed| printed.unit().clone())
}

/// A subject's runs that count.
pub(crate) fn measured(runs: &[Run], subject: usize) -> Vec<&Run> {
    runs.iter().filter(|run| run.subject == subject && run.phase == Phase::Measured).collect()
}

/// What a subject's runs cost besides what is judged.
pub(crate) fn resources(all: &[Run], subject: usize) -> Vec<Resource> {
    let runs = measured(all, subject);
    let mut metrics: Vec<Metric> = Metric::OF_EVERY_RUN.to_vec();
    for reading in runs.first().map_or(&[][..], |run| &run.readings) {
        metrics.extend(Metric::parse(&reading.name));
    }
    let of = |metric: Metric| {
        let startup = shell::startup(all, subject, &metric);
        let found = Resource::of(metric, &runs)?;
        Some(match startup {
            Some(startup) => found.without(&startup),
            None => found,
        })
    };
    metrics.into_iter().filter_map(of).collect()
}

/// That runs failed, if some did.
pub(crate) fn failures(runs: &[&Run]) -> Option<String> {
    let failed = runs.iter().filter(|run| !run.ending.is_success()).count();
    (failed > 0).then(|| format!("{failed} of {} runs failed, which -i ignores", runs.len()))
}

/// A subject's single runs, without what the shell took of each where one ran them.
pub(crate) fn measured_runs(all: &[Run], subject: usize, command: &str) -> MeasuredRuns {
    let shell = |metric: Metric| {
        let mut values = shell::startup(all, subject, &metric)?.values().to_vec();
        quantile::of_unsorted(&mut values, Probability::HALF)
    };
    let shells = [Metric::WallTime, Metric::UserTime, Metric::SystemTime]
        .map(|metric| shell(metric).unwrap_or(0.0));
    let cost = |run: &Run| RunCost {
        wall: run.usage.wall.seconds() - shells[0],
        user: run.usage.user.seconds() - shells[1],
        system: run.usage.system.seconds() - shells[2],
        peak_memory: run.usage.peak_memory,
        exit_code: exit_code(run.ending),
    };
    let costs = measured(all, subject).into_iter().map(cost).collect();
    MeasuredRuns { command: command.to_string(), costs }
}

/// As a shell says it.
fn exit_code(ending: Ending) -> i32 {
    const KILLED: i32 = 9;
    match ending {
        Ending::Exited(code) => code,
        Ending::Signalled(signal) => 128 + signal,
        Ending::TimedOut => 128 + KILLED,
    }
}

/// What is odd about a subject's runs, with what to do, where this metric is judged.
pub(crate) fn oddities(
    runs: &[Run],
    subject: usize,
    of: &CommandSubject,
    warmup: usize,
    judged: &Metric,
) -> Vec<String> {
    let runs = measured(runs, subject);
    let mut warnings = Vec::new();
    let middle = |metric: Metric| Resource::of(metric, &runs).map(|found| found.median);
    warnings.extend(failures(&runs));
    if let (Some(wall), Some(cpu)) = (middle(Metric::WallTime), middle(Metric::CpuTime)) {
        const FAR: f64 = 2.0;
        // Only for wall time does a note say that most of it is spent waiting.
        if *judged == Metric::WallTime && wall > FAR * cpu && wall > 0.001 {
            // Without a number, so that subjects which wait alike share one line.
            warnings.push(
                "waits most of its time (for disks, the network, sleep, other programs); \
                 --on cpu-time judges what it computes"
                    .to_string(),
            );
        }
        // A slow first run is cold caches, unless it was meant to be warm.
        if let (Some(first), true) = (runs.first(), warmup == 0 && runs.len() > 3) {
            let first = Metric::WallTime.of(first).unwrap_or(0.0);
            let is_prepared = of.hooks.prepare.is_some();
            warnings.extend(slow_first(first, wall, "the median", is_prepared));
        }
    }
    warnings
}

/// That the first run took clearly longer than expected; `what` is what it is compared with.
pub(crate) fn slow_first(
    first: f64,
    expected: f64,
    what: &str,
    is_prepared: bool,
) -> Option<String> {
    const SLOW: f64 = 1.5;
    let is_slow = first > SLOW * expected && first - expected > 0.001;
    let remedy = if is_prepared {
        "the prepare command should leave the same state every time"
    } else {
        "-w 1 leaves it out, -p CMD makes every run a cold one"
    };
    is_slow.then(|| {
        format!(
            "the first run took {:.1} times as long as {what}: cold caches; {remedy}",
            first / expected
        )
    })
}
