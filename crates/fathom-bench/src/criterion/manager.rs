//! `Criterion`: what benches add their functions to.

use super::bencher::Bencher;
use super::benchmark_id::BenchmarkId;
use super::code_filter::{BenchmarkFilter, CodeFilter};
use super::current_task;
use super::group::{BenchmarkGroup, run_bench};
use super::measurement::{Measurement, WallTime};
use super::plots::PlottingBackend;
use super::profiler::{ExternalProfiler, Profiler};
use super::settings::BenchSettings;
use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

/// Measures functions as it comes to them.
///
/// The table in the guide ["From criterion"](https://docs.rs/fathom-bench) says what each setting
/// does here.
///
/// ```
/// use fathom_bench::criterion::Criterion;
/// use std::time::Duration;
///
/// fn fibonacci(n: u64) -> u64 {
///     if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
/// }
///
/// fn benches(c: &mut Criterion) {
///     c.bench_function("fibonacci", |b| b.iter(|| fibonacci(std::hint::black_box(10))));
/// }
/// # let _ = benches;
/// let settings = Criterion::default().measurement_time(Duration::from_secs(2)).sample_size(50);
/// # let _ = settings;
/// ```
///
/// Every setting of criterion's is there:
///
/// ```
/// use fathom_bench::criterion::measurement::WallTime;
/// use fathom_bench::criterion::profiler::ExternalProfiler;
/// use fathom_bench::criterion::{BenchmarkFilter, BenchmarkId, Criterion, PlottingBackend};
/// use std::time::Duration;
///
/// # fn not_run() {
/// // These mean something here.
/// let criterion = Criterion::default()
///     .with_measurement(WallTime)
///     .with_profiler(ExternalProfiler)
///     .measurement_time(Duration::from_secs(2))
///     .noise_threshold(0.02)
///     .confidence_level(0.99)
///     .with_filter("^sum")
///     .with_benchmark_filter(BenchmarkFilter::RejectAll);
///
/// // These are accepted.
/// let mut criterion = criterion
///     .sample_size(50)
///     .warm_up_time(Duration::from_secs(1))
///     .nresamples(10_000)
///     .significance_level(0.01)
///     .with_plots()
///     .without_plots()
///     .plotting_backend(PlottingBackend::None)
///     .save_baseline("main".to_string())
///     .retain_baseline("main".to_string(), true)
///     .with_output_color(true)
///     .output_directory("results".as_ref())
///     .profile_time(None);
///
/// criterion.bench_with_input(BenchmarkId::new("sum", 5), &5, |b, n| b.iter(|| n + 1));
/// let group = criterion.benchmark_group("group");
/// # drop(group);
///
/// // As a main function without macros does it.
/// let mut criterion = Criterion::default().configure_from_args();
/// criterion.bench_function("one", |b| b.iter(|| 1));
/// criterion.final_summary();
/// # }
/// # let _ = not_run;
/// ```
pub struct Criterion<M: Measurement = WallTime> {
    pub(super) settings: BenchSettings,
    pub(super) filter: CodeFilter,
    pub(super) measurement: M,
    pub(super) profiler: Box<RefCell<dyn Profiler>>,
    leaving: Leaving,
}

/// Ends the program where a function broke and nothing else would say so.
struct Leaving;

impl Drop for Leaving {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            current_task::leave_if_broken();
        }
    }
}

impl Default for Criterion {
    fn default() -> Criterion {
        Criterion {
            settings: BenchSettings::default(),
            filter: CodeFilter::default(),
            measurement: WallTime,
            profiler: Box::new(RefCell::new(ExternalProfiler)),
            leaving: Leaving,
        }
    }
}

impl<M: Measurement> Criterion<M> {
    /// Measures with a measurement of the bench's own; see [`Measurement`].
    pub fn with_measurement<M2: Measurement>(self, m: M2) -> Criterion<M2> {
        let Criterion { settings, filter, profiler, leaving, .. } = self;
        Criterion { settings, filter, measurement: m, profiler, leaving }
    }

    /// Hooks that `--profile-time` calls.
    #[must_use]
    pub fn with_profiler<P: Profiler + 'static>(self, p: P) -> Criterion<M> {
        Criterion { profiler: Box::new(RefCell::new(p)), ..self }
    }

    /// The time limit of each function, where the command line says nothing. A function whose
    /// interval is narrow enough ends earlier.
    #[must_use]
    pub fn measurement_time(mut self, dur: Duration) -> Criterion<M> {
        self.settings.measurement_time(dur);
        self
    }

    /// What counts as no difference with `--baseline`, where the command line says nothing.
    #[must_use]
    pub fn noise_threshold(mut self, threshold: f64) -> Criterion<M> {
        self.settings.noise_threshold(threshold);
        self
    }

    /// The confidence of intervals and verdicts, where the command line says nothing.
    #[must_use]
    pub fn confidence_level(mut self, cl: f64) -> Criterion<M> {
        self.settings.confidence_level(cl);
        self
    }

    /// Measures only names that match, unless
    /// [`configure_from_args`](Criterion::configure_from_args) comes later.
    #[must_use]
    pub fn with_filter<S: Into<String>>(mut self, filter: S) -> Criterion<M> {
        self.filter = CodeFilter::matching(&filter.into());
        self
    }

    /// Measures only some names, unless
    /// [`configure_from_args`](Criterion::configure_from_args) comes later.
    #[must_use]
    pub fn with_benchmark_filter(mut self, filter: BenchmarkFilter) -> Criterion<M> {
        self.filter = filter.into();
        self
    }

    /// Does what the command line says. Filters of the code no longer count.
    #[must_use]
    pub fn configure_from_args(mut self) -> Criterion<M> {
        self.filter = CodeFilter::default();
        current_task::begin_by_args(&self.settings);
        self
    }

    /// Shows and saves the results, if `criterion_main!` does not do that. Exits with another code
    /// than 0 where that is called for.
    pub fn final_summary(&self) {
        current_task::end_of_custom_main();
    }

    /// Starts a group of functions.
    pub fn benchmark_group<S: Into<String>>(&mut self, group_name: S) -> BenchmarkGroup<'_, M> {
        BenchmarkGroup::new(self, group_name.into())
    }

    /// Measures a function.
    pub fn bench_function<F>(&mut self, id: &str, mut f: F) -> &mut Criterion<M>
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        let settings = self.settings.clone();
        run_bench(self, id.to_string(), &settings, None, &mut |bencher| f(bencher));
        self
    }

    /// Measures a function with an input.
    pub fn bench_with_input<F, I>(
        &mut self,
        id: BenchmarkId,
        input: &I,
        mut f: F,
    ) -> &mut Criterion<M>
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        let settings = self.settings.clone();
        run_bench(self, id.name(None), &settings, None, &mut |bencher| f(bencher, input));
        self
    }
}

/// Settings without effect.
impl<M: Measurement> Criterion<M> {
    /// Accepted without effect: Fathom takes as many samples as the interval needs.
    #[must_use]
    pub fn sample_size(self, _n: usize) -> Criterion<M> {
        self.without_effect("sample_size")
    }

    /// Accepted without effect: the first twentieth of the time limit is for warming up.
    #[must_use]
    pub fn warm_up_time(self, _dur: Duration) -> Criterion<M> {
        self.without_effect("warm_up_time")
    }

    /// Accepted without effect: Fathom's intervals need no resampling.
    #[must_use]
    pub fn nresamples(self, _n: usize) -> Criterion<M> {
        self.without_effect("nresamples")
    }

    /// Accepted without effect: verdicts have the confidence of
    /// [`confidence_level`](Criterion::confidence_level).
    #[must_use]
    pub fn significance_level(self, _sl: f64) -> Criterion<M> {
        self.without_effect("significance_level")
    }

    /// Accepted without effect: `fathom report` draws results.
    #[must_use]
    pub fn with_plots(self) -> Criterion<M> {
        self.without_effect("with_plots")
    }

    /// Accepted without effect: there are no plots while benching.
    #[must_use]
    pub fn without_plots(self) -> Criterion<M> {
        self
    }

    /// Accepted without effect.
    #[must_use]
    pub fn plotting_backend(self, _backend: PlottingBackend) -> Criterion<M> {
        self.without_effect("plotting_backend")
    }

    /// Accepted without effect: `--save NAME` saves.
    #[must_use]
    pub fn save_baseline(self, _baseline: String) -> Criterion<M> {
        self.without_effect("save_baseline")
    }

    /// Accepted without effect: `--baseline NAME` compares.
    #[must_use]
    pub fn retain_baseline(self, _baseline: String, _strict: bool) -> Criterion<M> {
        self.without_effect("retain_baseline")
    }

    /// Accepted without effect: `--color` and `NO_COLOR` decide.
    #[must_use]
    pub fn with_output_color(self, _enabled: bool) -> Criterion<M> {
        self.without_effect("with_output_color")
    }

    /// Accepted without effect: results are in `target/fathom`.
    #[must_use]
    pub fn output_directory(self, _path: &Path) -> Criterion<M> {
        self.without_effect("output_directory")
    }

    /// Accepted without effect: `--profile-time` is an option.
    #[must_use]
    pub fn profile_time(self, _profile_time: Option<Duration>) -> Criterion<M> {
        self.without_effect("profile_time")
    }

    fn without_effect(mut self, setting: &'static str) -> Criterion<M> {
        self.settings.without_effect(setting);
        self
    }
}
