//! The selection carried from the reference into one other run.

use super::aligned::{AlignedRun, AlignmentLink};
use super::common_metric;
use super::error::AlignError;
use super::others::StillWanted;
use super::pair::{Pair, Pairing};
use super::phrase::quoted;
use super::plan::{Link, shared_metrics};
use super::quality::{Costs, Fit, Quality};
use super::reference::Reference;
use super::route::{Route, RouteLink};
use super::rows::OwnRows;
use super::uncertainty::{longest, uncertainty};
use super::warnings;
use super::windows::{FEWEST, usual_baseline};
use crate::mask::{KeptRows, cut};
use crate::{Mask, Pattern, Question, RunEntry, Selection};
use fathom_dtw::{MatchedStretch, Warp};
use fathom_record::{Span, Timestamp};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// Other metrics are tried for a run that fits poorly as long as the matrices of their warps have no more
/// cells than this together: about a second.
const MOST_CELLS: usize = 20_000_000;

/// From a moment to the next one that is not the same.
const NEXT: Span = Span::from_nanoseconds(1);

/// What is aligned with what.
pub(super) struct Task<'a> {
    pub(super) pairing: Pairing<'a>,
    /// The metric by which most runs are aligned.
    pub(super) common: &'a str,
    pub(super) selection: &'a Selection,
    pub(super) reference: &'a Reference,
}

/// A run, and over what time its common metric was averaged.
pub(super) struct Followed {
    pub(super) run: AlignedRun,
    pub(super) averaged: Option<Span>,
    pub(super) samples: usize,
}

impl Task<'_> {
    /// Aligns a run, over the links that lead to it.
    pub(super) fn follow(
        &self,
        run: &RunEntry,
        links: &[Link],
        how: Warp<'_>,
        still_wanted: StillWanted<'_>,
    ) -> Result<Followed, AlignError> {
        let runs = self.pairing.reader.source.runs();
        let route = Route::new(self.pairing, runs, links, how, still_wanted)?;
        let (quality, mut warnings) = self.assess(&route);
        let mask = self.mask(run, &route);
        if quality.is_some_and(|quality| quality.fit == Fit::Poor) {
            warnings.extend(self.better(run, links, how, still_wanted)?);
        }
        let own = match common_metric::has(run, &self.selection.target) {
            true => self.own_target(run, &mask)?,
            false => None,
        };
        let placed = match own {
            Some(own) => self.on_own_rows(&route, &own, &run.id, &mask, &mut warnings),
            None => None,
        };
        if placed.is_none() && common_metric::has(run, &self.selection.target) {
            warnings.push(format!(
                "run {} has fewer than {FEWEST} values of {} in the window, so its metrics are compared \
                 with the reference's",
                quoted(&run.id),
                quoted(&self.selection.target)
            ));
        }
        let placed =
            placed.unwrap_or_else(|| self.on_reference_rows(&route, &run.id, &mask, &mut warnings));
        let Placed { question, windows, baseline, edges, kept } = placed;
        let link = |link: &RouteLink| AlignmentLink {
            from: link.from.clone(),
            metric: link.metric.clone(),
        };
        let run = AlignedRun {
            run: run.id.clone(),
            has_own_target: edges.is_none(),
            question,
            windows,
            baseline,
            links: route.links().iter().map(link).collect(),
            quality,
            warnings,
            masked: None,
            kept,
            edges,
        };
        Ok(Followed { run, averaged: route.averaged(), samples: route.samples() })
    }

    /// How well the run fits, over all links: no better than the worst of them.
    fn assess(&self, route: &Route) -> (Option<Quality>, Vec<String>) {
        let mut spans = self.reference.spans();
        let mut whole: Option<Quality> = None;
        let mut warnings = Vec::new();
        let count = route.links().len();
        for (place, link) in route.links().iter().enumerate() {
            let (quality, found) = assess(&link.pair, &link.metric, &spans);
            let through = |warning: String| match place + 1 < count {
                true => format!("through {}: {warning}", quoted(&link.to)),
                false => warning,
            };
            warnings.extend(found.into_iter().map(through));
            spans = spans.into_iter().map(|span| link.pair.warped.carried(span)).collect();
            whole = Some(match whole {
                None => quality,
                Some(before) => before.and(quality),
            });
        }
        (whole, warnings)
    }

    /// What of a run's time does not count: what its own metrics say, or else what does not count in the
    /// reference; and what the user excepts there.
    fn mask(&self, run: &RunEntry, route: &Route) -> Mask {
        let edges = self.reference.rows.grid.edges();
        let recorded = (
            edges.first().copied().unwrap_or(Timestamp::MIN),
            edges.last().copied().unwrap_or(Timestamp::MAX),
        );
        let carried = |mask: &Mask| mask.carried(recorded, |time| route.there(time));
        match self.pairing.reader.source.mask(&run.id) {
            Some(own) => own.and(&carried(&self.reference.excepted)),
            None => carried(&self.reference.mask),
        }
    }

    /// That another metric which all runs have fits this run better, if one does.
    fn better(
        &self,
        run: &RunEntry,
        links: &[Link],
        how: Warp<'_>,
        still_wanted: StillWanted<'_>,
    ) -> Result<Option<String>, AlignError> {
        let reader = self.pairing.reader;
        let runs = reader.source.runs();
        let [link] = links else { return Ok(None) };
        let Some(reference) = runs.get(link.from) else { return Ok(None) };
        let spans = self.reference.spans();
        let in_all = |metric: &String| runs.iter().all(|run| common_metric::has(run, metric));
        let others = shared_metrics(reference, run, &[&self.selection.target]);
        let others = others.into_iter().filter(|metric| *metric != link.metric && in_all(metric));
        let mut best: Option<(Fit, f64, String)> = None;
        let mut room = MOST_CELLS;
        for metric in others {
            let counts = [reference, run].map(|run| reader.rows(run, &metric, None));
            let [Ok(x), Ok(y)] = counts else { continue };
            let cells = x.values.count().saturating_mul(y.values.count());
            if cells > room {
                continue;
            }
            room -= cells;
            let pair = match self.pairing.pair((reference, run), &metric, how, still_wanted) {
                Ok(pair) => pair,
                Err(AlignError::TooFewValues { .. }) => continue,
                Err(error) => return Err(error),
            };
            let quality = assess(&pair, &metric, &spans).0;
            let cost = quality.against_chance.unwrap_or(1.0) + quality.relative_cost.unwrap_or(1.0);
            let is_better = match &best {
                None => quality.fit < Fit::Poor,
                Some((fit, least, _)) => (quality.fit, cost) < (*fit, *least),
            };
            if is_better {
                best = Some((quality.fit, cost, metric));
            }
        }
        Ok(best.map(|(fit, _, metric)| {
            let quoted = quoted(&metric);
            format!("by {quoted} the fit of this run is {fit}: try --common {quoted}")
        }))
    }

    /// The run's own target, if it was seen often enough.
    fn own_target(&self, run: &RunEntry, mask: &Mask) -> Result<Option<Arc<OwnRows>>, AlignError> {
        let reader = self.pairing.reader;
        let target = &self.selection.target;
        let beside = (target != self.common).then_some(self.common);
        match reader.rows(run, target, beside) {
            Ok(rows) if mask.is_empty() => Ok(Some(rows)),
            Ok(rows) => Ok(Some(Arc::new((*rows).clone().without(mask)))),
            Err(AlignError::TooFewValues { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The question on the run's own rows; `None` if a window has too few of them.
    fn on_own_rows(
        &self,
        route: &Route,
        own: &OwnRows,
        run: &str,
        mask: &Mask,
        warnings: &mut Vec<String>,
    ) -> Option<Placed> {
        let mut windows: Vec<Range<usize>> = Vec::new();
        let mut spans = Vec::new();
        for span in self.reference.spans() {
            let (start, end) = route.carried(span);
            let mut rows = own.grid.rows_within(start + NEXT, end);
            // A sample that matches the end of one window and the start of the next is the first's.
            rows.start = rows.start.max(windows.last().map_or(0, |last| last.end));
            if rows.is_empty() || own.values.rows(rows.clone()).count() < FEWEST {
                return None;
            }
            windows.push(rows);
            spans.push((start, end));
        }
        let baseline = match (self.selection.baseline, &self.reference.chosen.baseline) {
            (Some(_), Some(rows)) => {
                let span = self.reference.rows.grid.span(rows)?;
                let (start, end) = route.carried(span);
                let rows = own.grid.rows_within(start + NEXT, end);
                let apart = apart_from(rows, &windows);
                if apart.is_none() {
                    warnings.push(format!(
                        "the baseline has no rows in run {}, so changes there are unknown",
                        quoted(run)
                    ));
                }
                apart
            }
            _ => usual_baseline(&own.values, &windows).0,
        };
        let pattern = self.selection.pattern.as_ref().and_then(|pattern| moved(pattern, route));
        let baseline_span = baseline.as_ref().and_then(|rows| own.grid.span(rows));
        let segments = self.selection.segments;
        let (grid, target) = (own.grid.clone(), own.values.clone());
        let question = Question { grid, target, windows, baseline, segments, pattern };
        let placed =
            Placed { question, windows: spans, baseline: baseline_span, edges: None, kept: None };
        if mask.is_empty() {
            return Some(placed);
        }
        let edges = own.grid.edges();
        let (question, kept) = cut(&placed.question, &mask.keeps(edges))?;
        Some(Placed { question, kept: Some(KeptRows { edges: edges.to_vec(), kept }), ..placed })
    }

    /// The reference's question, with its rows in the run's time.
    fn on_reference_rows(
        &self,
        route: &Route,
        run: &str,
        mask: &Mask,
        warnings: &mut Vec<String>,
    ) -> Placed {
        let question = self.reference.whole_question(self.selection);
        let mut edges: Vec<Timestamp> =
            question.grid.edges().iter().map(|&edge| route.there(edge)).collect();
        // Rounding to nanoseconds must not turn time around.
        let mut last = Timestamp::MIN;
        for edge in &mut edges {
            *edge = (*edge).max(last);
            last = *edge;
        }
        let windows = self.reference.spans().into_iter().map(|span| route.carried(span)).collect();
        let baseline = question.baseline.as_ref().and_then(|rows| question.grid.span(rows));
        let baseline = baseline.map(|span| route.carried(span));
        let placed = Placed { question, windows, baseline, edges: None, kept: None };
        let there = mask.keeps(&edges);
        let here = self.reference.keeps().unwrap_or_else(|| vec![true; there.len()]);
        if here.iter().chain(&there).all(|keeps| *keeps) {
            return Placed { edges: Some(edges), ..placed };
        }
        let both: Vec<bool> =
            here.iter().zip(&there).map(|(here, there)| *here && *there).collect();
        let count = placed.question.windows.len();
        let enough = |(question, _): &(Question, Vec<usize>)| {
            question.windows.len() == count
                && question.windows.iter().all(|one| one.len() >= FEWEST)
        };
        let found = cut(&placed.question, &both).filter(enough).or_else(|| {
            warnings.push(format!(
                "--while leaves fewer than {FEWEST} rows of the window in run {}, so only what counts \
                 in the reference counts there",
                quoted(run)
            ));
            cut(&placed.question, &here)
        });
        let Some((question, kept)) = found else {
            return Placed { edges: Some(edges), ..placed };
        };
        let kept = KeptRows { edges, kept };
        Placed { question, edges: Some(kept.kept_edges()), kept: Some(kept), ..placed }
    }
}

/// How well two runs fit where the windows are, given in the first one's time.
pub(super) fn assess(
    pair: &Pair,
    common: &str,
    spans: &[(Timestamp, Timestamp)],
) -> (Quality, Vec<String>) {
    let warped = &pair.warped;
    let samples: Vec<RangeInclusive<usize>> =
        spans.iter().filter_map(|span| warped.x.overlapped(span.0, span.1)).collect();
    let costs = Costs::of(pair.costs, warped, &samples);
    let uncertainty = uncertainty(warped, &pair.tighter, spans);
    let stretch_in_window = longest(&warped.path, &samples);
    let length = |spans: &mut dyn Iterator<Item = (Timestamp, Timestamp)>| -> f64 {
        spans.map(|(start, end)| (end - start).nanoseconds_f64()).sum()
    };
    let here = length(&mut spans.iter().copied());
    let there =
        |&(start, end): &(Timestamp, Timestamp)| (warped.map.there(start), warped.map.there(end));
    let there = length(&mut spans.iter().map(there));
    let count = |stretch: &Option<MatchedStretch>| stretch.as_ref().map_or(1, MatchedStretch::len);
    let mut fit = costs.fit();
    if uncertainty.is_window_elsewhere {
        fit = Fit::Poor;
    } else if uncertainty.are_ends_uncertain || uncertainty.elsewhere.is_some() {
        fit = fit.max(Fit::Fair);
    }
    let quality = Quality {
        fit,
        cost_per_step: costs.whole.per_step,
        cost_in_window: costs.in_window,
        relative_cost: costs.whole.relative(),
        against_chance: costs.whole.against_chance,
        longest_stretch: count(&pair.stretch),
        longest_stretch_in_window: count(&stretch_in_window),
        slope: if here > 0.0 { there / here } else { 1.0 },
        ends_uncertain: uncertainty.ends,
    };
    let (uncertainty, stretch) = (&uncertainty, pair.stretch.as_ref());
    let found = warnings::RunAlignment { warped, costs: &costs, uncertainty, stretch };
    let warnings = warnings::of_run(&found, &quality, common, spans);
    (quality, warnings)
}

struct Placed {
    question: Question,
    /// In the run's time, as the baseline is.
    windows: Vec<(Timestamp, Timestamp)>,
    baseline: Option<(Timestamp, Timestamp)>,
    edges: Option<Vec<Timestamp>>,
    kept: Option<KeptRows>,
}

/// The part of some rows that is not in a window: the longest, of equally long ones the first.
fn apart_from(rows: Range<usize>, windows: &[Range<usize>]) -> Option<Range<usize>> {
    let mut start = rows.start;
    let mut longest = 0..0;
    let ends = windows.iter().map(|window| (window.start, window.end));
    for (window_start, window_end) in ends.chain([(rows.end, rows.end)]) {
        let part = start..window_start.min(rows.end);
        if part.len() > longest.len() {
            longest = part;
        }
        start = start.max(window_end);
    }
    (!longest.is_empty()).then_some(longest)
}

/// A pattern in the run's time.
fn moved(pattern: &Pattern, route: &Route) -> Option<Pattern> {
    let mut last = None;
    let knots = pattern.knots().iter().map(|&(time, height)| {
        let mut time: Timestamp = route.there(time);
        if let Some(last) = last {
            // Knots may fall together where time is pressed.
            time = time.max(last + NEXT);
        }
        last = Some(time);
        (time, height)
    });
    Pattern::new(knots.collect())
}
