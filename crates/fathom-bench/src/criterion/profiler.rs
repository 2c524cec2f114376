//! Hooks for profilers that run inside the bench.

use std::path::Path;

/// A profiler that `--profile-time` starts and stops.
///
/// ```
/// use fathom_bench::criterion::{Criterion, profiler::Profiler};
/// use std::path::Path;
///
/// struct Mine;
///
/// impl Profiler for Mine {
///     fn start_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}
///     fn stop_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}
/// }
///
/// let _ = Criterion::default().with_profiler(Mine);
/// ```
pub trait Profiler {
    /// Right before the calls of a function.
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);

    /// Right after them.
    fn stop_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
}

/// A profiler outside of the bench, such as perf, which needs no hooks.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExternalProfiler;

impl Profiler for ExternalProfiler {
    fn start_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}
    fn stop_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}
}
