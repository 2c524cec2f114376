//! What recording the executions of a check gave and cost.

use fathom_formats::trace::{MANIFEST, Trace};
use fathom_property::RecordedExecutions;
use std::path::{Path, PathBuf};

/// What recording cost is known well enough from this many.
const LOOKED_AT: usize = 100;

/// The traces in a folder; `None` if there are none.
pub(super) fn of(folder: &Path) -> Option<RecordedExecutions> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut traces: Vec<PathBuf> = entries.filter(|one| one.join(MANIFEST).is_file()).collect();
    traces.sort();
    let (mut share, mut runs, mut stopped_early) = (0.0, 0_usize, 0_usize);
    for trace in traces.iter().take(LOOKED_AT).filter_map(|trace| Trace::open(trace).ok()) {
        for run in &trace.manifest().runs {
            runs += 1;
            share += run.samplers.iter().filter_map(|sampler| sampler.cpu_share).sum::<f64>();
            let is_early = |note: &String| note.starts_with("recording stopped early");
            stopped_early += usize::from(run.notes.iter().any(is_early));
        }
    }
    (!traces.is_empty()).then(|| RecordedExecutions {
        folder: folder.display().to_string(),
        count: traces.len(),
        cpu_share: (runs > 0).then(|| share / runs as f64),
        stopped_early,
    })
}
