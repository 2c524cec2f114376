//! Benches that were written for criterion, measured by Fathom.
//!
//! Change one line of a bench, from `use criterion::{...}` to
//!
//! ```no_run
//! use fathom_bench::criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
//!
//! fn sums(c: &mut Criterion) {
//!     let mut group = c.benchmark_group("sum");
//!     for n in [10_u64, 1000] {
//!         group.bench_with_input(BenchmarkId::from_parameter(n), &n, |b, &n| {
//!             b.iter(|| (0..n).sum::<u64>());
//!         });
//!     }
//!     group.finish();
//! }
//!
//! criterion_group!(benches, sums);
//! criterion_main!(benches);
//! ```
//!
//! and `criterion` to `fathom-bench` in `Cargo.toml`. Where a bench says `criterion::...` in many
//! places, add `use fathom_bench::criterion;` instead.
//!
//! The command line, the results and `fathom compare --rev` are those of every bench of Fathom.
//! Settings that mean nothing here are accepted; `-v` lists them.
//!
//! # Inside
//!
//! The bench decides when it comes to which function; `current_task` knows what the process is here
//! to do, and hands each function to a `task`. A [`Bencher`] holds no closure: it has the task
//! measure it at once, while what the closure borrows is there.

mod async_bencher;
pub mod async_executor;
mod batch_size;
mod bencher;
mod benchmark_id;
mod code_filter;
mod current_task;
mod group;
mod macros;
mod manager;
pub mod measurement;
mod plots;
pub mod profiler;
mod routines;
mod settings;
mod task;
mod throughput;
mod unique_names;
mod words;

pub use crate::{criterion_group, criterion_main};
pub use async_bencher::AsyncBencher;
pub use batch_size::BatchSize;
pub use bencher::Bencher;
pub use benchmark_id::{BenchmarkId, IntoBenchmarkId};
pub use code_filter::BenchmarkFilter;
#[doc(hidden)]
pub use current_task::run_groups;
pub use group::BenchmarkGroup;
pub use manager::Criterion;
pub use plots::{AxisScale, PlotConfiguration, PlottingBackend, SamplingMode};
pub use std::hint::black_box;
pub use throughput::Throughput;
