//! Estimates with their intervals.

use fathom_analyze::{Estimate, IntervalOutcome, Subject, WorkEstimate};
use fathom_record::Unit;
use fathom_record::own_json::End;
use fathom_render::human::scale_of;
use fathom_render::known;
use fathom_render::{Rounding, Scale, View, untold_cells};
use fathom_stats::Interval;
use serde::Serialize;

/// A statistic's value and how well it is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EstimateView {
    /// Its name.
    pub statistic: String,
    /// Its value.
    pub value: f64,
    /// The interval's lower end, if there is an interval.
    pub lower: Option<End>,
    /// The interval's upper end, if there is an interval.
    pub upper: Option<End>,
    /// How sure.
    pub confidence: f64,
    /// How the interval was made.
    pub method: &'static str,
    /// How many samples it rests on.
    pub n_used: usize,
    /// Whether the interval holds only if the samples are independent, which so few cannot show.
    pub if_independent: bool,
    /// Value and interval in words, with the condition.
    pub text: String,
    /// Why there is no interval.
    pub declined: Option<String>,
}

impl EstimateView {
    /// Every estimate of a subject; of work over time, the rate and the set-up.
    pub(super) fn all(subject: &Subject) -> Vec<EstimateView> {
        let of_work = subject.work.as_ref().map(EstimateView::of_work).into_iter().flatten();
        subject.estimates.iter().map(|one| EstimateView::of(subject, one)).chain(of_work).collect()
    }

    fn of(subject: &Subject, estimate: &Estimate) -> EstimateView {
        let interval = estimate.interval();
        let declined = match &estimate.outcome {
            IntervalOutcome::Declined { reason, .. } => Some(reason.to_string()),
            IntervalOutcome::Interval { .. } => None,
        };
        let scale = scale_of(subject, estimate, &View::default());
        EstimateView {
            statistic: estimate.statistic.to_string(),
            value: estimate.value,
            lower: interval.map(|interval| End(interval.lower)),
            upper: interval.map(|interval| End(interval.upper)),
            confidence: estimate.confidence.get(),
            method: estimate.method.name(),
            n_used: estimate.n_used,
            if_independent: estimate.if_independent,
            text: untold_cells(subject, estimate, None).map_or_else(
                || {
                    format!(
                        "{} ({}{})",
                        scale.with_unit(estimate.value, Rounding::Nearest),
                        known::ends(estimate, &scale, true),
                        known::condition(estimate.if_independent)
                    )
                },
                |[value, why]| format!("{value} ({why})"),
            ),
            declined,
        }
    }

    fn of_work(work: &WorkEstimate) -> Vec<EstimateView> {
        let Ok(found) = &work.found else { return Vec::new() };
        let view = |statistic: &str, unit: &Unit, value: f64, interval: Option<Interval>| {
            let scale = Scale::new(unit, value, None).for_interval(value, interval);
            let condition = known::condition(found.if_independent);
            EstimateView {
                statistic: statistic.to_string(),
                value,
                lower: interval.map(|interval| End(interval.lower)),
                upper: interval.map(|interval| End(interval.upper)),
                confidence: work.confidence.get(),
                method: "regression",
                n_used: work.n_used,
                if_independent: found.if_independent,
                text: format!(
                    "{} ({}{condition})",
                    scale.with_unit(value, Rounding::Nearest),
                    scale.ends(interval, true)
                ),
                declined: work
                    .declined()
                    .or_else(|| work.setup_declined())
                    .filter(|_| interval.is_none()),
            }
        };
        let rate_unit = Unit::Other(work.rate_unit());
        vec![
            view("work-rate", &rate_unit, found.rate, work.rate_interval()),
            view("set-up", &work.time, found.setup, work.setup_interval()),
        ]
    }
}
