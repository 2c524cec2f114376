//! Functions with a common name and common settings.

use super::bencher::Bencher;
use super::benchmark_id::IntoBenchmarkId;
use super::current_task::{self, ReachedFunction};
use super::manager::Criterion;
use super::measurement::{Measurement, ValueScale, WallTime};
use super::plots::{PlotConfiguration, SamplingMode};
use super::settings::BenchSettings;
use super::throughput::Throughput;
use std::time::Duration;

/// Functions with a common name and common settings.
///
/// ```
/// use fathom_bench::criterion::{BenchmarkId, Criterion, Throughput};
///
/// fn benches(c: &mut Criterion) {
///     let mut group = c.benchmark_group("sum");
///     for n in [10_u64, 1000] {
///         group.throughput(Throughput::Elements(n));
///         group.bench_with_input(BenchmarkId::from_parameter(n), &n, |b, &n| {
///             b.iter(|| (0..n).sum::<u64>());
///         });
///     }
///     group.finish();
/// }
/// # let _ = benches;
/// ```
///
/// Every setting of criterion's is there:
///
/// ```
/// use fathom_bench::criterion::{Criterion, PlotConfiguration, SamplingMode};
/// use std::time::Duration;
///
/// # fn benches(c: &mut Criterion) {
/// let mut group = c.benchmark_group("sum");
/// // These mean something here.
/// group.measurement_time(Duration::from_secs(2)).confidence_level(0.99);
/// // These are accepted.
/// group
///     .sample_size(50)
///     .warm_up_time(Duration::from_secs(1))
///     .nresamples(10_000)
///     .noise_threshold(0.02)
///     .significance_level(0.01)
///     .plot_config(PlotConfiguration::default())
///     .sampling_mode(SamplingMode::Flat);
/// group.bench_function("one", |b| b.iter(|| 1));
/// # }
/// # let _ = benches;
/// ```
pub struct BenchmarkGroup<'a, M: Measurement = WallTime> {
    criterion: &'a mut Criterion<M>,
    name: String,
    settings: BenchSettings,
    throughput: Option<Throughput>,
}

impl<'a, M: Measurement> BenchmarkGroup<'a, M> {
    pub(super) fn new(criterion: &'a mut Criterion<M>, name: String) -> BenchmarkGroup<'a, M> {
        let settings = criterion.settings.clone();
        BenchmarkGroup { criterion, name, settings, throughput: None }
    }

    /// The time limit of each function, where the command line says nothing.
    pub fn measurement_time(&mut self, dur: Duration) -> &mut Self {
        self.settings.measurement_time(dur);
        self
    }

    /// Accepted for a group without effect: `--baseline` compares all functions by one margin, that
    /// of the first [`Criterion`](Criterion::noise_threshold).
    pub fn noise_threshold(&mut self, _threshold: f64) -> &mut Self {
        self.without_effect("noise_threshold of a group")
    }

    /// The confidence of intervals, where the command line says nothing.
    pub fn confidence_level(&mut self, cl: f64) -> &mut Self {
        self.settings.confidence_level(cl);
        self
    }

    /// How much one call of the functions that follow does.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
        self
    }

    /// Accepted without effect: Fathom takes as many samples as the interval needs.
    pub fn sample_size(&mut self, _n: usize) -> &mut Self {
        self.without_effect("sample_size")
    }

    /// Accepted without effect: the first twentieth of the time limit is for warming up.
    pub fn warm_up_time(&mut self, _dur: Duration) -> &mut Self {
        self.without_effect("warm_up_time")
    }

    /// Accepted without effect: Fathom's intervals need no resampling.
    pub fn nresamples(&mut self, _n: usize) -> &mut Self {
        self.without_effect("nresamples")
    }

    /// Accepted without effect: verdicts have the confidence of
    /// [`Criterion::confidence_level`].
    pub fn significance_level(&mut self, _sl: f64) -> &mut Self {
        self.without_effect("significance_level")
    }

    /// Accepted without effect: `fathom report` draws results.
    pub fn plot_config(&mut self, _new_config: PlotConfiguration) -> &mut Self {
        self.without_effect("plot_config")
    }

    /// Accepted without effect: Fathom chooses how many calls a sample has.
    pub fn sampling_mode(&mut self, _new_mode: SamplingMode) -> &mut Self {
        self.without_effect("sampling_mode")
    }

    /// Measures a function.
    pub fn bench_function<ID: IntoBenchmarkId, F>(&mut self, id: ID, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.run(id, &mut |bencher| f(bencher))
    }

    /// Measures a function with an input.
    pub fn bench_with_input<ID: IntoBenchmarkId, F, I>(
        &mut self,
        id: ID,
        input: &I,
        mut f: F,
    ) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        self.run(id, &mut |bencher| f(bencher, input))
    }

    /// Ends the group. It also ends where it is dropped.
    pub fn finish(self) {}

    fn run(
        &mut self,
        id: impl IntoBenchmarkId,
        f: &mut dyn FnMut(&mut Bencher<'_, M>),
    ) -> &mut Self {
        let name = id.into_benchmark_id().name(Some(&self.name));
        run_bench(self.criterion, name, &self.settings, self.throughput.as_ref(), f);
        self
    }

    fn without_effect(&mut self, setting: &'static str) -> &mut Self {
        self.settings.without_effect(setting);
        self
    }
}

/// Comes to a function.
pub(super) fn run_bench<M: Measurement>(
    criterion: &Criterion<M>,
    name: String,
    settings: &BenchSettings,
    throughput: Option<&Throughput>,
    f: &mut dyn FnMut(&mut Bencher<'_, M>),
) {
    let measurement = &criterion.measurement;
    let scale = ValueScale::of(measurement);
    let reached = ReachedFunction {
        name,
        settings,
        throughput: throughput.map(Throughput::in_our_words),
        foreign_unit: scale.foreign_unit(),
        filter: &criterion.filter,
        profiler: &*criterion.profiler,
    };
    current_task::reach(reached, &mut |measure| f(&mut Bencher { measurement, scale, measure }));
}
