//! What can be asked for, said where a question misses.

use super::error::PrometheusError;
use super::interface::Prometheus;

/// That a question names no series, with the jobs that there are.
pub(super) fn nothing_asked(
    store: &Prometheus,
    keep_on: &dyn Fn(usize) -> bool,
) -> PrometheusError {
    PrometheusError::mistake(format!(
        "which series of {} are wanted? Name them with --match '{{job=\"NAME\"}}'{}",
        store.address(),
        known(store, keep_on)
    ))
}

/// That nothing matches.
pub(super) fn nothing_matches(
    store: &Prometheus,
    selectors: &[String],
    range: &str,
    keep_on: &dyn Fn(usize) -> bool,
) -> PrometheusError {
    PrometheusError::mistake(format!(
        "no series of {} match {} {range}. Check labels and times{}",
        store.address(),
        selectors.join(" or "),
        known(store, keep_on)
    ))
}

/// The jobs, if the store tells them.
fn known(store: &Prometheus, keep_on: &dyn Fn(usize) -> bool) -> String {
    const SHOWN: usize = 12;
    match store.jobs(keep_on) {
        Ok(jobs) if !jobs.is_empty() => {
            let shown: Vec<String> =
                jobs.iter().take(SHOWN).map(|job| crate::http::shown(job)).collect();
            let more = if jobs.len() > SHOWN {
                format!(" and {} more", jobs.len() - SHOWN)
            } else {
                String::new()
            };
            format!("; its jobs are {}{more}", shown.join(", "))
        }
        _ => String::new(),
    }
}
