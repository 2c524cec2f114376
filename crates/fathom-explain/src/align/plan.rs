//! Which run is aligned with which, and by which metric.

use super::common_metric::{self, changes, has};
use super::error::AlignError;
use super::phrase::{counted, listed, quoted};
use super::reader::Reader;
use crate::RunEntry;
use fathom_record::trace::Kind;
use std::collections::VecDeque;

/// A run that is aligned with another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// The place of the one that is nearer to the reference.
    pub(super) from: usize,
    /// The place of the other.
    pub(super) to: usize,
    pub(super) metric: String,
}

/// How every run is reached.
#[derive(Debug)]
pub(super) struct Plan {
    /// The metric by which most runs are aligned with the reference; `None` if there is but one run.
    pub(super) common: Option<String>,
    /// For each run the links that lead to it from the reference, which has none.
    pub(super) routes: Vec<Vec<Link>>,
    /// What a reader should know of them.
    pub(super) notes: Vec<String>,
}

impl Plan {
    /// A metric that all runs have is best: one that was asked for, or recorded for it, or the target.
    /// Without one, any two runs need only share some metric, and runs between may join them.
    pub(super) fn new(
        reader: Reader<'_>,
        place: usize,
        target: &str,
        wanted: Option<&str>,
    ) -> Result<Plan, AlignError> {
        let runs = reader.source.runs();
        let Some(reference) = runs.get(place) else { return Err(AlignError::NoRuns) };
        let refused = match common_metric::choose(reader, reference, target, wanted) {
            Ok(common) => return Ok(Plan::star(runs, place, common)),
            Err(refused) => refused,
        };
        let may_chain = match &refused {
            AlignError::CommonMissing { common, .. } => {
                // One that joins nothing was a mistake.
                let having = runs.iter().filter(|run| has(run, common)).count();
                has(reference, common) && having > 1
            }
            AlignError::NoCommon { .. } | AlignError::CommonConstant { .. } => runs.len() > 2,
            _ => false,
        };
        // Two runs that share a metric which never changes are told so.
        if !may_chain {
            return Err(refused);
        }
        let preferred = [wanted, reader.source.common(), Some(target)];
        let preferred: Vec<&str> = preferred.into_iter().flatten().collect();
        let routes = chains(reader, place, &preferred)?;
        let is_lost = |n: &usize| *n != place && routes.get(*n).is_none_or(Vec::is_empty);
        let lost: Vec<String> = (0..runs.len())
            .filter(is_lost)
            .filter_map(|n| runs.get(n))
            .map(|run| run.id.clone())
            .collect();
        if !lost.is_empty() {
            return Err(match refused {
                AlignError::NoCommon { .. } => {
                    AlignError::Unreached { reference: reference.id.clone(), lost }
                }
                refused => refused,
            });
        }
        let notes = notes(runs, &routes);
        Ok(Plan { common: most_used(&routes), routes, notes })
    }

    /// All by one metric.
    fn star(runs: &[RunEntry], place: usize, common: Option<String>) -> Plan {
        let route = |to: usize| match &common {
            Some(metric) if to != place => {
                vec![Link { from: place, to, metric: metric.clone() }]
            }
            _ => Vec::new(),
        };
        Plan { routes: (0..runs.len()).map(route).collect(), common, notes: Vec::new() }
    }
}

/// The fewest links to each run; none where it cannot be reached.
fn chains(
    reader: Reader<'_>,
    place: usize,
    preferred: &[&str],
) -> Result<Vec<Vec<Link>>, AlignError> {
    let runs = reader.source.runs();
    let mut routes: Vec<Vec<Link>> = vec![Vec::new(); runs.len()];
    let mut queue = VecDeque::from([place]);
    while let Some(from) = queue.pop_front() {
        for to in 0..runs.len() {
            let is_reached = to == place || routes.get(to).is_some_and(|route| !route.is_empty());
            let (Some(one), Some(other)) = (runs.get(from), runs.get(to)) else { continue };
            if is_reached {
                continue;
            }
            let Some(metric) = shared_metric(reader, one, other, preferred)? else { continue };
            let mut route = routes.get(from).cloned().unwrap_or_default();
            route.push(Link { from, to, metric });
            if let Some(free) = routes.get_mut(to) {
                *free = route;
            }
            queue.push_back(to);
        }
    }
    Ok(routes)
}

/// A metric that both runs have and that changes in both: a preferred one, or the first; events last.
fn shared_metric(
    reader: Reader<'_>,
    one: &RunEntry,
    other: &RunEntry,
    preferred: &[&str],
) -> Result<Option<String>, AlignError> {
    for metric in shared_metrics(one, other, preferred) {
        let mut is_usable = true;
        for run in [one, other] {
            is_usable &= match reader.rows(run, &metric, None) {
                Ok(rows) => changes(rows.values.seen()),
                Err(AlignError::TooFewValues { .. }) => false,
                Err(error) => return Err(error),
            };
        }
        if is_usable {
            return Ok(Some(metric));
        }
    }
    Ok(None)
}

/// The metrics that both runs have, in the order in which they are tried.
pub(super) fn shared_metrics(one: &RunEntry, other: &RunEntry, preferred: &[&str]) -> Vec<String> {
    let in_both = one.metrics.iter().filter(|metric| has(other, &metric.name));
    let mut names: Vec<(usize, String)> = in_both
        .map(|metric| {
            let place = preferred.iter().position(|name| *name == metric.name);
            // Events say when something was, but nothing of what lies between.
            let last = preferred.len() + usize::from(metric.kind == Kind::Event);
            (place.unwrap_or(last), metric.name.clone())
        })
        .collect();
    names.sort_by_key(|(place, _)| *place);
    names.into_iter().map(|(_, name)| name).collect()
}

fn most_used(routes: &[Vec<Link>]) -> Option<String> {
    let first = |route: &Vec<Link>| route.first().map(|link| link.metric.clone());
    let used: Vec<String> = routes.iter().filter_map(first).collect();
    let count = |name: &String| used.iter().filter(|other| *other == name).count();
    // Of several the first.
    used.iter().rev().max_by_key(|name| count(name)).cloned()
}

/// Which runs are aligned otherwise than by the metric of most.
fn notes(runs: &[RunEntry], routes: &[Vec<Link>]) -> Vec<String> {
    let common = most_used(routes).unwrap_or_default();
    let id = |place: usize| runs.get(place).map_or("", |run| run.id.as_str());
    let mut direct: Vec<(String, Vec<&str>)> = Vec::new();
    let mut chained = Vec::new();
    for route in routes {
        match route.as_slice() {
            [] => {}
            [link] if link.metric == common => {}
            [link] => match direct.iter_mut().find(|(metric, _)| *metric == link.metric) {
                Some((_, having)) => having.push(id(link.to)),
                None => direct.push((link.metric.clone(), vec![id(link.to)])),
            },
            [between @ .., last] => {
                let through: Vec<&str> = between.iter().map(|link| id(link.to)).collect();
                chained.push(format!("{} (through {})", quoted(id(last.to)), listed(&through)));
            }
        }
    }
    let mut notes: Vec<String> = direct
        .iter()
        .map(|(metric, having)| {
            let are = if having.len() == 1 { "is" } else { "are" };
            format!("{} {are} aligned by {}", listed(having), quoted(metric))
        })
        .collect();
    if !chained.is_empty() {
        const SHOWN: usize = 3;
        let more = chained.len().saturating_sub(SHOWN);
        let shown = chained.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        let more =
            if more > 0 { format!(" and {} more", counted(more, "run")) } else { String::new() };
        notes.push(format!(
            "no metric of the reference is in {shown}{more}: runs between align them, and errors add up"
        ));
    }
    notes
}
