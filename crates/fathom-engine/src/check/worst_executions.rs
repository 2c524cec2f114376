//! The executions that are worst for a promise, with what they did over their time.

use fathom_property::{
    Bounds, Formula, JudgedAs, Mentioned, ShownExecution, ShownRun, ShownSignal, Truth,
    compared_with, violated,
};
use fathom_record::Observation;
use fathom_stats::quantile::spa::Direction;

/// The worst executions so far, the worst first.
#[derive(Debug)]
pub(super) struct WorstExecutions {
    most: usize,
    /// How good each is: the smallest is the worst.
    kept: Vec<(f64, ShownExecution)>,
}

/// An execution, or a tuple of them, as it was judged.
pub(super) struct SeenExecution<'a> {
    /// Its place among the judged executions.
    pub(super) place: usize,
    /// The names of the executions in the tuple.
    pub(super) names: Vec<&'a str>,
    /// What was seen of each.
    pub(super) runs: &'a [&'a Observation],
}

impl WorstExecutions {
    /// Starts empty and keeps at most `most` executions.
    pub(super) fn new(most: usize) -> WorstExecutions {
        WorstExecutions { most, kept: Vec::new() }
    }

    /// What they did, the worst first.
    pub(super) fn shown(&self) -> Vec<ShownExecution> {
        self.kept.iter().map(|(_, shown)| shown.clone()).collect()
    }

    /// Takes an execution that was judged by a property.
    pub(super) fn take_property(
        &mut self,
        seen: SeenExecution<'_>,
        formula: &Formula,
        mentioned: &Mentioned,
        result: &JudgedAs,
    ) {
        let JudgedAs::Property { truth, robustness, .. } = result else { return };
        let margin = match truth {
            Truth::True => robustness.known(),
            Truth::False => Some(robustness.sure().unwrap_or(f64::NEG_INFINITY)),
            Truth::Vacuous | Truth::Unknown => None,
        };
        // One that holds for sure, whatever the numbers are, is not near to anything.
        let Some(margin) = margin.filter(|margin| *margin < f64::INFINITY) else { return };
        self.take(margin, || {
            let thresholds = |run: usize, name: &str| compared_with(formula, run, name);
            let runs = shown_runs(&seen, mentioned, &thresholds)?;
            let violated = violated(formula, seen.runs);
            Some(ShownExecution { place: seen.place, runs, violated })
        });
    }

    /// Takes an execution that gave a value.
    pub(super) fn take_value(
        &mut self,
        seen: SeenExecution<'_>,
        mentioned: &Mentioned,
        bounds: Bounds,
        direction: Direction,
    ) {
        let Some(value) = bounds.known() else { return };
        let margin = match direction {
            Direction::Below | Direction::AtMost => -value,
            Direction::Above | Direction::AtLeast => value,
        };
        self.take(margin, || {
            let runs = shown_runs(&seen, mentioned, &|_, _| Vec::new())?;
            Some(ShownExecution { place: seen.place, runs, violated: Vec::new() })
        });
    }

    /// `shown` is only made of one that is kept.
    fn take(&mut self, margin: f64, shown: impl FnOnce() -> Option<ShownExecution>) {
        // The first of several that are alike.
        let place = self.kept.partition_point(|(kept, _)| *kept <= margin);
        if place >= self.most {
            return;
        }
        if let Some(shown) = shown() {
            self.kept.insert(place, (margin, shown));
            self.kept.truncate(self.most);
        }
    }
}

/// What the executions of a tuple did over their time; `None` if the question reads nothing of that.
fn shown_runs(
    seen: &SeenExecution<'_>,
    mentioned: &Mentioned,
    thresholds: &dyn Fn(usize, &str) -> Vec<f64>,
) -> Option<Vec<ShownRun>> {
    let is_alone = seen.runs.len() == 1;
    let shown: Vec<ShownRun> = seen
        .runs
        .iter()
        .enumerate()
        .map(|(run, observation)| {
            let is_read = |name: &String| mentioned.names.contains(&(run, name.clone()));
            let signals = observation.signals().iter().filter(|(name, _)| is_read(name));
            let signals: Vec<ShownSignal> = signals
                .map(|(name, signal)| ShownSignal {
                    name: name.clone(),
                    signal: signal.clone(),
                    thresholds: thresholds(run, name),
                })
                .collect();
            let events = observation.events().iter().filter(|(name, _)| is_read(name));
            let events: Vec<(String, Vec<f64>)> =
                events.map(|(name, events)| (name.clone(), events.times().to_vec())).collect();
            let last = signals.iter().filter_map(|one| one.signal.times().last());
            let last = last.chain(events.iter().filter_map(|(_, times)| times.last()));
            let last = last.copied().fold(0.0, f64::max);
            let name = seen.names.get(run).filter(|_| !is_alone);
            ShownRun {
                name: name.map(ToString::to_string).unwrap_or_default(),
                end: observation.end().unwrap_or(last),
                time_unit: observation.time_unit().clone(),
                signals,
                events,
            }
        })
        .collect();
    shown.iter().any(|run| !run.signals.is_empty() || !run.events.is_empty()).then_some(shown)
}
