//! Which probes a name means.

use super::PlanError;
use super::application;
use super::offer::Offer;
use fathom_record::nearest;

/// Whether a pattern selects a name: its own, or one that it is the beginning of. `system`,
/// `system.` and `system.*` are the same.
fn selects(pattern: &str, name: &str) -> bool {
    let pattern = pattern.strip_suffix('*').unwrap_or(pattern);
    let pattern = pattern.strip_suffix('.').unwrap_or(pattern);
    pattern.is_empty()
        || name.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The offers that a list of patterns selects, by their places and in their order, without those
/// that cannot be read. One that is asked for by its own name must be readable, and so must one of
/// those that any pattern selects.
pub(super) fn select(
    offers: &[Offer],
    patterns: &[String],
    has_application: bool,
) -> Result<Vec<usize>, PlanError> {
    let mut selected = vec![false; offers.len()];
    for pattern in patterns {
        let places: Vec<usize> =
            (0..offers.len()).filter(|&n| selects(pattern, &offers[n].name)).collect();
        if places.is_empty() && !(has_application && pattern == application::PROBE) {
            return Err(unknown(offers, pattern));
        }
        let readable: Vec<usize> =
            places.iter().copied().filter(|&n| offers[n].found.is_ok()).collect();
        let asked_for = places.iter().find(|&&n| offers[n].name == *pattern);
        let first_refused = asked_for.or_else(|| places.first().filter(|_| readable.is_empty()));
        if let Some(offer) = first_refused.map(|&n| &offers[n])
            && let Err(why) = &offer.found
        {
            return Err(PlanError::Unavailable { name: offer.name.clone(), why: why.to_string() });
        }
        readable.into_iter().for_each(|n| selected[n] = true);
    }
    Ok((0..offers.len()).filter(|&n| selected[n]).collect())
}

/// The patterns of a list: "process, system.vmstat".
pub(super) fn patterns(list: &str) -> Result<Vec<String>, PlanError> {
    let patterns: Vec<String> =
        list.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_string).collect();
    if patterns.is_empty() { Err(PlanError::EmptyList(list.to_string())) } else { Ok(patterns) }
}

fn unknown(offers: &[Offer], wanted: &str) -> PlanError {
    let of_metric = offers.iter().find(|offer| {
        let metrics = offer.found.as_ref().map_or(&[][..], |found| &found.metrics);
        metrics.iter().any(|metric| metric.name == wanted)
    });
    let mut names: Vec<&str> = Vec::new();
    for offer in offers {
        let beginnings = offer.name.match_indices('.').filter_map(|(at, _)| offer.name.get(..at));
        for name in beginnings.chain([offer.name.as_str()]) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let hint = match of_metric {
        Some(offer) => format!(" (it is a metric of the probe {})", offer.name),
        None => did_you_mean(wanted, &names),
    };
    let known: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    PlanError::UnknownProbe { wanted: wanted.to_string(), hint, known: known.join(", ") }
}

/// " (did you mean a, b?)", or nothing.
pub(super) fn did_you_mean(wanted: &str, names: &[&str]) -> String {
    let near = nearest(wanted, names);
    if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", near.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_selects_itself_and_what_is_below_it() {
        for pattern in ["system", "system.", "system.*", "*", "system.vmstat"] {
            assert!(selects(pattern, "system.vmstat"), "{pattern}");
        }
        for pattern in ["sys", "system.vm", "system.vmstat.pgfault", "process"] {
            assert!(!selects(pattern, "system.vmstat"), "{pattern}");
        }
    }

    #[test]
    fn lists_have_names() {
        assert_eq!(patterns("process, system.stat,").unwrap(), ["process", "system.stat"]);
        assert!(patterns(" , ").is_err());
    }
}
