//! What was recorded, and what that cost.

use crate::{core_share, plural};
use fathom_record::trace::Recording;

pub(super) fn notices(recording: &Recording) -> Vec<String> {
    let manifest = &recording.manifest;
    let metrics = plural(manifest.metrics.len(), "metric");
    let samplers = || manifest.runs.iter().flat_map(|run| &run.samplers);
    let shares: Vec<f64> = samplers().filter_map(|sampler| sampler.cpu_share).collect();
    let mut notices = vec![format!(
        "{metrics} from one run of an unchanged program: what the kernel counts for it, and the latency \
         that it prints itself."
    )];
    if !shares.is_empty() {
        let share = core_share(shares.iter().sum());
        notices.push(format!("Fathom measures its own cost, too: {share} here."));
    }
    notices
}
