//! The metric that every run has.

use super::PlanError;
use super::application;
use super::groups::RecordingOptions;
use super::offer::Offer;
use super::selection::did_you_mean;
use fathom_sys::probes::SourceFamily;

/// The metric that every run has.
pub(super) struct Common {
    pub(super) name: String,
    /// The place of the probe that has it; `None` if the program says it itself.
    pub(super) place: Option<usize>,
    pub(super) warning: Option<String>,
}

/// The one that was wished for, or the best that there is.
pub(super) fn find_common(
    offers: &[Offer],
    selected: &[usize],
    options: &RecordingOptions,
) -> Result<Option<Common>, PlanError> {
    match &options.common {
        Some(wanted) => requested(offers, selected, wanted, options.application).map(Some),
        None => Ok(usual(offers, selected)),
    }
}

fn usual(offers: &[Offer], selected: &[usize]) -> Option<Common> {
    const TASK_CLOCK: &str = "perf.software.task-clock";
    const CPU_TIME: &str = "process.stat.utime";
    // Work is best told by instructions. But several sets of the processor's counters do not fit on
    // it at once, so the first cannot be in the runs of the others.
    let is_set = |&&n: &&usize| matches!(offers[n].family, SourceFamily::Hardware(_));
    let names: &[&str] = match selected.iter().filter(is_set).count() {
        1 => &["perf.hardware-1.instructions", TASK_CLOCK, CPU_TIME],
        _ => &[TASK_CLOCK, CPU_TIME],
    };
    names.iter().find_map(|name| {
        let place = selected.iter().copied().find(|&n| has(&offers[n], name))?;
        Some(Common { name: (*name).to_string(), place: Some(place), warning: None })
    })
}

fn requested(
    offers: &[Offer],
    selected: &[usize],
    wanted: &str,
    has_application: bool,
) -> Result<Common, PlanError> {
    let common = |place, warning| Common { name: wanted.to_string(), place, warning };
    if let Some(place) = selected.iter().copied().find(|&n| has(&offers[n], wanted)) {
        return Ok(common(Some(place), None));
    }
    let is_below = |name: &str| wanted.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let unseen = || {
        Some(format!(
            "Fathom finds out whether the metric {wanted}, which every run should have, exists \
             only while the program runs"
        ))
    };
    if has_application && is_below(application::PROBE) {
        return Ok(common(None, unseen()));
    }
    // A probe that has no metrics yet may come to have it.
    let may_have = |&n: &usize| {
        let found = offers[n].found.as_ref();
        is_below(&offers[n].name) && found.is_ok_and(|found| found.metrics.is_empty())
    };
    if let Some(place) = selected.iter().copied().find(may_have) {
        return Ok(common(Some(place), unseen()));
    }
    if let Some(offer) = offers.iter().find(|offer| is_below(&offer.name))
        && let Err(why) = &offer.found
    {
        return Err(PlanError::Unavailable { name: offer.name.clone(), why: why.to_string() });
    }
    let names: Vec<&str> = offers
        .iter()
        .flat_map(|offer| offer.found.as_ref().map_or(&[][..], |found| &found.metrics))
        .map(|metric| metric.name.as_str())
        .collect();
    Err(PlanError::UnknownCommon { wanted: wanted.to_string(), hint: did_you_mean(wanted, &names) })
}

fn has(offer: &Offer, name: &str) -> bool {
    offer.found.as_ref().is_ok_and(|found| found.metrics.iter().any(|metric| metric.name == name))
}
