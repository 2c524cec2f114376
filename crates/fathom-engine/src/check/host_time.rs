//! Executions of a simulator whose `runtime` is how long the simulator took.

use fathom_property::{Catalogue, Mentioned};
use fathom_record::Observation;
use std::collections::BTreeSet;

/// The simulated time of executions whose `runtime` is read and is how long the simulator took.
pub(super) fn host_time(
    seen: &[&Observation],
    costs: &[BTreeSet<&'static str>],
    mentioned: &Mentioned,
) -> Option<String> {
    let (seen, _) = seen.iter().zip(costs).enumerate().find_map(|(run, (seen, costs))| {
        let reads = mentioned.names.contains(&(run, "runtime".to_string()));
        (reads && costs.contains("runtime")).then_some((seen, run))
    })?;
    if let Some(name) = Catalogue::of(seen).simulated_time() {
        return Some(name.to_string());
    }
    let is_traced = !seen.signals().is_empty() || !seen.events().is_empty();
    let is_simulated = ["cycles", "ticks"].contains(&seen.time_unit().symbol());
    (is_traced && is_simulated).then(|| "duration".to_string())
}
