//! The runs for which a condition holds.

use super::source::TraceSet;
use crate::EngineError;
use fathom_explain::TraceSource;
use fathom_explain::contrast::RunSide;
use fathom_formats::observed;
use fathom_property::{
    Aggregate, Catalogue, Formula, Mentioned, NumberComparison, Property, QualifiedName, Term,
    Truth, judge,
};
use fathom_record::foreign_text::escaped;
use fathom_record::trace::{Kind, Samples, TraceMetric};
use fathom_record::{Observation, Scalar, Shape, Signal, Unit};
use std::collections::BTreeSet;

/// What became of executions of a check, and what each is compared with.
const OUTCOMES: [(&str, &[&str]); 4] = [
    ("broken", &["kept"]),
    ("kept", &["broken"]),
    ("failed", &["kept", "broken"]),
    ("undecided", &["kept", "broken"]),
];

/// Runs in two groups: those for which a condition holds are the second.
pub(super) struct DividedRuns {
    pub(super) names: [String; 2],
    pub(super) sides: Vec<Option<RunSide>>,
    /// The metrics that the condition reads.
    pub(super) selected_by: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Divides runs by a word that says what became of them, or else by a property.
///
/// # Errors
/// The condition has no meaning for these traces, or a metric cannot be read.
pub(super) fn divide(traces: &TraceSet, condition: &str) -> Result<DividedRuns, EngineError> {
    let condition = condition.trim();
    let outcome = OUTCOMES.iter().find(|(word, _)| *word == condition);
    match outcome {
        Some((word, others)) if traces.runs().iter().any(|run| label(&run.id).is_some()) => {
            Ok(by_outcome(traces, word, others))
        }
        Some((word, _)) if !has_metric(traces, word) => Err(EngineError::usage(format!(
            "no run says whether it is {word}: only executions of a check do. Open the journal of the \
             check, or the traces that `fathom check --record` wrote; or write a condition, such as \
             --runs-where 'max(latency) > 5ms'"
        ))),
        _ => by_property(traces, condition),
    }
}

/// What became of a run: `broken` of `run-1 (broken)`.
fn label(run: &str) -> Option<&str> {
    let (_, label) = run.strip_suffix(')')?.rsplit_once(" (")?;
    OUTCOMES.iter().any(|(word, _)| *word == label).then_some(label)
}

fn has_metric(traces: &TraceSet, name: &str) -> bool {
    traces.runs().iter().flat_map(|run| &run.metrics).any(|metric| metric.name == name)
}

fn by_outcome(traces: &TraceSet, word: &str, others: &[&str]) -> DividedRuns {
    let side = |run: &str| match label(run) {
        Some(label) if label == word => Some(RunSide::Second),
        Some(label) if others.contains(&label) => Some(RunSide::First),
        _ => None,
    };
    let sides: Vec<Option<RunSide>> = traces.runs().iter().map(|run| side(&run.id)).collect();
    let without = sides.iter().filter(|side| side.is_none()).count();
    let notes = (without > 0).then(|| {
        let runs =
            if without == 1 { "1 run is".to_string() } else { format!("{without} runs are") };
        format!("{runs} left out: neither {word} nor {}", others.join(" nor "))
    });
    DividedRuns {
        names: [others.join(" or "), word.to_string()],
        sides,
        selected_by: Vec::new(),
        notes: notes.into_iter().collect(),
    }
}

fn by_property(traces: &TraceSet, condition: &str) -> Result<DividedRuns, EngineError> {
    let about = |error: EngineError| error.about("--runs-where");
    let property = Property::parse(condition).map_err(|error| about(error.into()))?;
    let mut seen = Vec::with_capacity(traces.runs().len());
    let mut catalogue = Catalogue::new();
    for run in traces.runs() {
        let observation = observation(traces, &run.id, &run.metrics, condition)?;
        catalogue.merge(&Catalogue::of(&observation)).map_err(|error| about(error.into()))?;
        seen.push(observation);
    }
    let systems = [("run".to_string(), catalogue)];
    let resolved = property.resolve(&systems).map_err(|error| about(error.into()))?;
    if resolved.is_hyper() {
        return Err(about(EngineError::usage(
            "the condition is about several runs; write one that each run satisfies or not",
        )));
    }
    let is_signal = |name: &str| seen.iter().any(|run| run.signals().contains_key(name));
    let mut means = BTreeSet::new();
    let formula = averaged(resolved.formula, &is_signal, &mut means);
    let mut notes: Vec<String> = means
        .iter()
        .map(|name| {
            let name = escaped(name);
            format!(
                "--runs-where: {name} is its mean over the run; max({name}), p99({name}) or min({name}) \
                 say otherwise"
            )
        })
        .collect();
    let mut unknown = Vec::new();
    let sides =
        traces.runs().iter().zip(&seen).map(|(run, seen)| match judge(&formula, &[seen]).truth {
            Truth::True => Some(RunSide::Second),
            Truth::False => Some(RunSide::First),
            Truth::Vacuous | Truth::Unknown => {
                unknown.push(escaped(&run.id));
                None
            }
        });
    let sides: Vec<Option<RunSide>> = sides.collect();
    if !unknown.is_empty() {
        const SHOWN: usize = 4;
        let more = unknown.len().saturating_sub(SHOWN);
        unknown.truncate(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        notes.push(format!(
            "left out, because they lack what the condition reads: {}{more}",
            unknown.join(", ")
        ));
    }
    let mentioned = Mentioned::in_formula(&formula);
    let names = mentioned.names.into_iter().map(|(_, name)| name);
    let selected_by = names.chain(mentioned.has_time.then(|| "duration".to_string()));
    let mut selected_by: Vec<String> = selected_by
        .map(|name| if name == "runtime" { "duration".to_string() } else { name })
        .collect();
    selected_by.dedup();
    Ok(DividedRuns {
        names: [format!("not {condition}"), condition.to_string()],
        sides,
        selected_by,
        notes,
    })
}

/// A run as the condition sees it. What the condition does not name is there by name only.
fn observation(
    traces: &TraceSet,
    run: &str,
    metrics: &[TraceMetric],
    condition: &str,
) -> Result<Observation, EngineError> {
    let is_named = |metric: &&TraceMetric| condition.contains(metric.name.as_str());
    let mut samples: Vec<Samples> = Vec::new();
    let length = metrics.iter().find(|metric| metric.kind != Kind::Event).or(metrics.first());
    for metric in metrics.iter().filter(is_named).chain(length) {
        if samples.iter().any(|known| known.metric.name == metric.name) {
            continue;
        }
        let read = traces.samples(run, &metric.name).map_err(|error| {
            EngineError::usage(format!("cannot read metric {} of run {run}: {error}", metric.name))
        })?;
        samples.push(read);
    }
    let mut seen = observed(samples.iter())?;
    let end = seen.end();
    for metric in metrics {
        let is_known = seen.signals().contains_key(&metric.name)
            || seen.events().contains_key(&metric.name)
            || metric.kind == Kind::Event;
        if !is_known {
            let unknown = vec![f64::NAN];
            let signal = Signal::new(metric.unit.clone(), Shape::Step, vec![0.0], unknown)?;
            seen.set_signal(metric.name.clone(), signal)?;
        }
    }
    let is_free = !seen.signals().contains_key("runtime") && !seen.events().contains_key("runtime");
    if let Some(end) = end.filter(|_| is_free) {
        seen.set_scalar("runtime", Scalar::new(end, Unit::SECONDS))?;
    }
    Ok(seen)
}

/// A signal that is compared as it stands would be its value at the start of the run. What people mean
/// is a number of the whole run: its mean.
fn averaged(
    formula: Formula,
    is_signal: &dyn Fn(&str) -> bool,
    means: &mut BTreeSet<String>,
) -> Formula {
    let mut both = |a: Box<Formula>, b: Box<Formula>| {
        (Box::new(averaged(*a, is_signal, means)), Box::new(averaged(*b, is_signal, means)))
    };
    match formula {
        Formula::And(a, b) => {
            let (a, b) = both(a, b);
            Formula::And(a, b)
        }
        Formula::Or(a, b) => {
            let (a, b) = both(a, b);
            Formula::Or(a, b)
        }
        Formula::Implies(a, b) => {
            let (a, b) = both(a, b);
            Formula::Implies(a, b)
        }
        Formula::Iff(a, b) => {
            let (a, b) = both(a, b);
            Formula::Iff(a, b)
        }
        Formula::Not(of) => Formula::Not(Box::new(averaged(*of, is_signal, means))),
        Formula::Compare(NumberComparison { left, relation, right, unit, span }) => {
            let left = averaged_term(left, is_signal, means);
            let right = averaged_term(right, is_signal, means);
            Formula::Compare(NumberComparison { left, relation, right, unit, span })
        }
        other => other,
    }
}

fn averaged_term(
    term: Term,
    is_signal: &dyn Fn(&str) -> bool,
    means: &mut BTreeSet<String>,
) -> Term {
    match term {
        Term::Metric(QualifiedName { run, name }) if is_signal(&name) => {
            means.insert(name.clone());
            let metric = Term::Metric(QualifiedName { run, name });
            Term::OverTime(Aggregate::Mean, None, Box::new(metric))
        }
        Term::Negate(of) => Term::Negate(Box::new(averaged_term(*of, is_signal, means))),
        Term::Magnitude(of) => Term::Magnitude(Box::new(averaged_term(*of, is_signal, means))),
        Term::Function(function, of) => {
            Term::Function(function, Box::new(averaged_term(*of, is_signal, means)))
        }
        Term::Scale(of, times, by) => {
            Term::Scale(Box::new(averaged_term(*of, is_signal, means)), times, by)
        }
        Term::Binary(how, a, b) => {
            let a = Box::new(averaged_term(*a, is_signal, means));
            let b = Box::new(averaged_term(*b, is_signal, means));
            Term::Binary(how, a, b)
        }
        other => other,
    }
}
