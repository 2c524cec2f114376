//! Times functions and compares them, batch by batch, and says how sure that is.
//!
//! A bench with `harness = false` makes a [`Suite`] and runs it:
//!
//! ```no_run
//! use fathom_bench::{Suite, black_box};
//!
//! fn main() -> std::process::ExitCode {
//!     let text = "one two three ".repeat(1000);
//!     let mut suite = Suite::new();
//!     suite.bench("words", || black_box(&text).split(' ').count());
//!     suite
//!         .compare("find")
//!         .with("str", || black_box(&text).find("four"))
//!         .with("windows", || black_box(&text).as_bytes().windows(4).position(|w| w == b"four"));
//!     suite.run()
//! }
//! ```
//!
//! or lets an attribute collect the functions:
//!
//! ```no_run
//! #[fathom_bench::bench(args = [10, 1000])]
//! fn collect(n: u64) -> Vec<u64> {
//!     (0..n).collect()
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     fathom_bench::Suite::of_attributes().run()
//! }
//! ```
//!
//! `cargo bench` measures, `cargo test --benches` calls everything once, `cargo bench -- --help`
//! lists the options. Functions that are compared alternate in blocks of ABBA or BAAB, chosen by a
//! coin, so that what slows the machine affects all of them; `fathom compare --rev main` and `cargo
//! bench -- --baseline NAME` do the same with two builds.

// Inside: a `Function` is called through a `Routine` in batches that are long enough for the clock
// (`Instrument`). `measure` times one function `alone` or several `side_by_side`; `duel` orders batches
// from two executables, each a `worker`. What is found becomes a `fathom_analyze::Report`, which `page`
// and `rows` show and `results` keeps.

mod added;
mod against_baseline;
mod bencher;
mod bencher_metrics;
mod benching;
mod command_line;
pub mod criterion;
mod duel;
#[cfg(test)]
#[allow(clippy::expect_used, reason = "what is made up is known to be right")]
mod example_reports;
mod executions;
mod function;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod gauge;
mod growth_of_builds;
mod instructions;
mod instrument;
mod libtest_lines;
mod listing;
mod measure;
mod measurement;
mod meter;
mod once;
mod outcome;
mod page;
mod profiling;
mod rate;
mod registered;
mod report_page;
mod results;
mod routine;
mod rows;
mod run;
mod selection;
mod suite;
mod terminal;
mod type_name;
mod worker;

pub use added::{Added, AddedForArgs, Comparing};
pub use bencher::Bencher;
pub use fathom_bench_macros::bench;
pub use fathom_record::Throughput;
pub use fathom_sys::allocation::CountingAllocator;
pub use measurement::{Measurement, ProcessCpuTime, ThreadCpuTime};
pub use routine::Executor;
pub use std::hint::black_box;
pub use suite::Suite;
pub use type_name::type_name;

/// For the program `fathom` only: what compares builds of a bench, saves its results and shows them.
/// It may change in any release.
#[doc(hidden)]
pub mod for_the_program {
    pub use crate::page::page;
    pub use crate::selection::BenchFilters;

    /// Compares two builds of a bench.
    pub mod duel {
        pub use crate::duel::relink::CargoBench;
        pub use crate::duel::{
            DuelError, DuelOptions, DuelResult, Program, Relinking, TIME, duel, render,
        };
    }

    /// Where the results of a project's benches are.
    pub mod results {
        pub use crate::results::{Results, is_plain_name, suite_name};
    }
}

/// For the attribute `bench` alone.
#[doc(hidden)]
pub mod __private {
    pub use crate::registered::Attributed;
    pub use inventory;
}

/// The example in the README is one that works.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
