//! The values that go into a report of traces: what its pictures are drawn from.

use super::value_budget::ValueBudget;
use crate::traces::{PageSeries, Traces, Trouble};
use fathom_explain::{Explanation, parallel};

/// Which metric of which run.
type Wanted = (usize, String);

/// How long a line is that is drawn around the window, in lengths of the window.
const AROUND: f64 = 2.0;

/// The lines of a plan: the target and the metric that runs are aligned by, in every run; the others
/// in the run that speaks for them and in the target's. Where points are fewer than rows there is a
/// second line, around the window.
pub(super) fn lines(
    traces: &Traces,
    explanation: &Explanation,
    plan: ValueBudget,
) -> Result<Vec<PageSeries>, Trouble> {
    let wanted = wanted(traces, explanation, plan.metrics);
    let drawn = parallel::map(wanted.len(), |n| {
        let Some((run, metric)) = wanted.get(n) else { return Ok(Vec::new()) };
        let is_asked = *run == explanation.reference && *metric == explanation.target.metric.name;
        let columns = if is_asked { plan.target_columns() } else { plan.columns };
        lines_of(traces, explanation, *run, metric, columns)
    });
    let mut all = Vec::new();
    for lines in drawn {
        all.extend(lines?);
    }
    Ok(all)
}

/// How many rows each line represents, in the order of lines; around the window there are no more.
pub(super) fn rows(
    traces: &Traces,
    explanation: &Explanation,
    metrics: usize,
) -> Result<Vec<usize>, Trouble> {
    let wanted = wanted(traces, explanation, metrics);
    let counted = parallel::map(wanted.len(), |n| {
        let Some((run, metric)) = wanted.get(n) else { return Ok(0) };
        let Some(run) = explanation.runs.get(*run) else { return Ok(0) };
        Ok(traces.series(&run.aligned.run, metric, 1, None)?.rows)
    });
    counted.into_iter().collect()
}

/// Which lines a plan has. With fewer metrics they are the first of those with more.
pub(super) fn wanted(traces: &Traces, explanation: &Explanation, metrics: usize) -> Vec<Wanted> {
    let entries = traces.opened().source.runs();
    let has = |run: usize, name: &str| {
        let entry = entries.get(run);
        entry.is_some_and(|entry| entry.metrics.iter().any(|metric| metric.name == name))
    };
    let runs = 0..entries.len();
    let first = |name: &str| runs.clone().find(|&run| has(run, name)).unwrap_or_default();
    let target = &explanation.target.metric.name;
    let common = explanation.common.as_ref().filter(|common| *common != target);
    let in_every_run: Vec<&String> = std::iter::once(target).chain(common).collect();
    let mut wanted = Vec::new();
    for &name in &in_every_run {
        wanted.extend(runs.clone().filter(|&run| has(run, name)).map(|run| (run, name.clone())));
    }
    let ranked = explanation.ranking.iter().map(|one| (one.run, &one.metric.name));
    let excluded = explanation.excluded.iter().map(|one| &one.metric.name);
    let excluded = excluded.map(|name| (first(name), name));
    let others = ranked.chain(excluded).take(metrics);
    for (run, name) in others.filter(|(_, name)| !in_every_run.contains(name)) {
        wanted.push((run, name.clone()));
        if run != explanation.reference && has(explanation.reference, name) {
            wanted.push((explanation.reference, name.clone()));
        }
    }
    wanted
}

fn lines_of(
    traces: &Traces,
    explanation: &Explanation,
    run: usize,
    metric: &str,
    columns: usize,
) -> Result<Vec<PageSeries>, Trouble> {
    let Some(explained) = explanation.runs.get(run) else { return Ok(Vec::new()) };
    let aligned = &explained.aligned;
    let whole = traces.series(&aligned.run, metric, columns, None)?;
    if !whole.thinned {
        return Ok(vec![whole]);
    }
    let windows = &aligned.windows;
    let Some((first, last)) = windows.first().zip(windows.last()) else {
        return Ok(vec![with_few_digits(whole)]);
    };
    let (from, to) = (first.0.seconds(), last.1.seconds());
    let beyond = (to - from) * (AROUND - 1.0) / 2.0;
    let (from, to) = (from - beyond, to + beyond);
    if from <= whole.start && whole.end <= to {
        return Ok(vec![with_few_digits(whole)]);
    }
    let near = traces.series(&aligned.run, metric, columns, Some((from, to)))?;
    Ok([whole, near].map(with_few_digits).into())
}

/// Means with as many digits as are seen: all of them would take twice the room.
fn with_few_digits(series: PageSeries) -> PageSeries {
    if !series.thinned {
        return series;
    }
    let values = series.values.into_iter().map(|value| value.map(few_digits)).collect();
    PageSeries { values, ..series }
}

/// Six of them.
fn few_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_kept() {
        let values = [1.0 / 3.0, -1_234_567.8, 0.0, 5e-324, 42.0, -0.012_345_678];
        let few = [0.333_333, -1_234_570.0, 0.0, 5e-324, 42.0, -0.012_345_7];
        assert_eq!(values.map(few_digits), few);
        assert!(few_digits(f64::MAX).is_finite(), "JSON has no infinity");
    }
}
