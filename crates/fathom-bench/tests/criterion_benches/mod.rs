//! A bench as people write it for criterion: every form that its interface has. Only the line with
//! `fathom_bench` differs.

use super::busy;
use fathom_bench::criterion::{
    AxisScale, BatchSize, Bencher, BenchmarkGroup, BenchmarkId, Criterion, PlotConfiguration,
    PlottingBackend, SamplingMode, Throughput, async_executor::AsyncExecutor,
    async_executor::FuturesExecutor, black_box, criterion_group, criterion_main,
    measurement::Measurement, measurement::ValueFormatter, measurement::WallTime,
    profiler::Profiler,
};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn plain(c: &mut Criterion) {
    let numbers: Vec<u64> = (0..100).collect();
    c.bench_function("plain", |b| b.iter(|| black_box(&numbers).iter().sum::<u64>()))
        .bench_function("busy", |b| b.iter(|| busy(black_box(300))));
    c.bench_with_input(BenchmarkId::new("input", 200), &200, |b, &n| b.iter(|| busy(n)));
    c.bench_with_input(BenchmarkId::new("unsized", "text"), "text", |b, text: &str| {
        b.iter(|| text.len());
    });
}

fn in_a_group(c: &mut Criterion) {
    let mut group = c.benchmark_group("group");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(10))
        .measurement_time(Duration::from_millis(300))
        .sampling_mode(SamplingMode::Flat)
        .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    for n in [100_u64, 200] {
        group.throughput(Throughput::Elements(n));
        group.bench_with_input(BenchmarkId::from_parameter(n), &n, |b, n| b.iter(|| busy(*n)));
    }
    group.throughput(Throughput::Bytes(1_000_000));
    group.bench_function("bytes", |b| b.iter(|| busy(black_box(100))));
    group.bench_function(String::from("owned"), measured_elsewhere);
    group.bench_function(BenchmarkId::new("both", 'x'), |b| b.iter(|| busy(50)));
    with_any_measurement(&mut group);
    // The same name twice.
    group.bench_function("bytes", |b| b.iter(|| busy(black_box(100))));
    group.finish();
}

fn measured_elsewhere(b: &mut Bencher<'_>) {
    b.iter(|| busy(black_box(100)));
}

fn with_any_measurement<M: Measurement>(group: &mut BenchmarkGroup<'_, M>) {
    group.bench_function("generic", |b| b.iter(|| busy(black_box(20))));
}

fn with_inputs(c: &mut Criterion<WallTime>) {
    let mut group = c.benchmark_group("inputs");
    let numbers: Vec<u64> = (0..50).rev().collect();
    for (name, size) in [
        ("small", BatchSize::SmallInput),
        ("large", BatchSize::LargeInput),
        ("one by one", BatchSize::PerIteration),
        ("in batches", BatchSize::NumBatches(4)),
        ("in parts", BatchSize::NumIterations(10)),
    ] {
        group.bench_function(BenchmarkId::new("value", name), |b| {
            b.iter_batched(|| numbers.clone(), |mut numbers| numbers.sort_unstable(), size);
        });
        group.bench_function(BenchmarkId::new("reference", name), |b| {
            b.iter_batched_ref(|| numbers.clone(), |numbers| numbers.sort_unstable(), size);
        });
    }
    group.bench_function("setup", |b| {
        b.iter_with_setup(|| numbers.clone(), |numbers| numbers.into_boxed_slice());
    });
    group.bench_function("large drop", |b| b.iter_with_large_drop(|| numbers.clone()));
    group.bench_function("slow setup", |b| {
        let setup = || std::thread::sleep(Duration::from_millis(2));
        b.iter_batched(setup, |()| busy(10), BatchSize::SmallInput);
    });
    group.bench_function("custom", |b| {
        b.iter_custom(|calls| {
            let began = Instant::now();
            for _ in 0..calls {
                black_box(busy(black_box(100)));
            }
            began.elapsed()
        });
    });
    group.bench_function("never", |b| b.iter_custom(|_| Duration::ZERO));
}

struct Counted(FuturesExecutor);

impl AsyncExecutor for Counted {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.0.block_on(future)
    }
}

fn with_futures(c: &mut Criterion) {
    let mut group = c.benchmark_group("futures");
    group.bench_function("iter", |b| {
        b.to_async(FuturesExecutor).iter(|| async { busy(black_box(50)) });
    });
    group.bench_function("large drop", |b| {
        b.to_async(Counted(FuturesExecutor)).iter_with_large_drop(|| async { vec![1; 10] });
    });
    group.bench_function("value", |b| {
        let run = |n| async move { busy(n) };
        b.to_async(FuturesExecutor).iter_batched(|| 50, run, BatchSize::SmallInput);
    });
    group.bench_function("reference", |b| {
        let run = |n: &mut u64| {
            let n = *n;
            async move { busy(n) }
        };
        b.to_async(FuturesExecutor).iter_batched_ref(|| 50, run, BatchSize::PerIteration);
    });
    group.bench_function("setup", |b| {
        b.to_async(FuturesExecutor).iter_with_setup(|| 50, |n| async move { busy(n) });
    });
    group.bench_function("custom", |b| {
        b.to_async(FuturesExecutor).iter_custom(|calls| async move {
            let began = Instant::now();
            for _ in 0..calls {
                black_box(busy(black_box(50)));
            }
            began.elapsed()
        });
    });
}

/// A clock whose seconds are half as long, and one that counts something else.
struct Halved(&'static str);

impl Measurement for Halved {
    type Intermediate = Instant;
    type Value = u64;
    fn start(&self) -> Instant {
        Instant::now()
    }
    fn end(&self, start: Instant) -> u64 {
        2 * u64::try_from(start.elapsed().as_nanos()).unwrap()
    }
    fn add(&self, one: &u64, other: &u64) -> u64 {
        one + other
    }
    fn zero(&self) -> u64 {
        0
    }
    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Halved {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
        self.0
    }
    fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
        self.0
    }
    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        self.0
    }
}

fn with_a_clock(c: &mut Criterion<Halved>) {
    c.bench_function("clock/iter", |b| b.iter(|| busy(black_box(300))));
    c.bench_function("clock/value", |b| {
        b.iter_batched(|| 300, busy, BatchSize::SmallInput);
    });
    c.bench_function("clock/custom", |b| b.iter_custom(|calls| 5_000 * calls));
    c.bench_function("clock/async", |b| {
        b.to_async(FuturesExecutor).iter(|| async { busy(black_box(300)) });
    });
}

fn with_a_counter(c: &mut Criterion<Halved>) {
    if std::env::var_os("FOREIGN_UNIT").is_some() {
        c.bench_function("cycles", |b| b.iter(|| 1));
        c.bench_function("cycles/custom", |b| {
            b.iter_custom(|calls| (0..calls).map(|_| busy(black_box(1)).min(1) * 5_000).sum());
        });
    }
}

fn that_break(c: &mut Criterion) {
    match std::env::var("PANIC").as_deref() {
        Ok("call") => {
            c.bench_function("panics", |b| b.iter(|| panic!("out of cheese")));
        }
        Ok("setup") => {
            c.bench_function("panics", |_| panic!("no file"));
        }
        Ok("nothing") => {
            c.bench_function("panics", |_| ());
        }
        Ok("between") => panic!("between the benches"),
        _ => {}
    }
    c.bench_function("last", |b| b.iter(|| busy(black_box(50))));
}

struct Announcing;

impl Profiler for Announcing {
    fn start_profiling(&mut self, id: &str, folder: &Path) {
        println!("profiling {id} into {}", folder.file_name().unwrap().to_str().unwrap());
    }
    fn stop_profiling(&mut self, id: &str, _: &Path) {
        println!("profiled {id}");
    }
}

criterion_group!(simple, plain, in_a_group);
criterion_group! {
    name = configured;
    config = Criterion::default()
        .measurement_time(Duration::from_millis(200))
        .noise_threshold(0.05)
        .confidence_level(0.9)
        .significance_level(0.1)
        .nresamples(2000)
        .with_output_color(false)
        .plotting_backend(PlottingBackend::None)
        .with_profiler(Announcing)
        .without_plots();
    targets = with_inputs, with_futures,
}
criterion_group! {
    name = clocks;
    config = Criterion::default().with_measurement(Halved("ns"));
    targets = with_a_clock
}
criterion_group!(
    name = counters;
    config = Criterion::default().with_measurement(Halved("cycles"));
    targets = with_a_counter
);
criterion_group!(breaking, that_break,);

criterion_main!(simple, configured, clocks, counters, breaking);

/// The main function that the macro makes, or one that people write themselves.
pub(crate) fn bench() -> ExitCode {
    match std::env::var("MAIN").as_deref() {
        Ok("custom") => {
            let mut criterion = Criterion::default().configure_from_args();
            plain(&mut criterion);
            that_break(&mut criterion);
            criterion.final_summary();
            ExitCode::SUCCESS
        }
        Ok("groups") => {
            simple();
            breaking();
            ExitCode::SUCCESS
        }
        Ok("without arguments") => {
            plain(&mut Criterion::default().with_filter("^busy"));
            ExitCode::SUCCESS
        }
        _ => main(),
    }
}
