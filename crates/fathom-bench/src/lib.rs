//! Being written.

mod added;
mod against_baseline;
mod bencher;
mod benching;
mod command_line;
pub mod duel;
mod function;
mod gauge;
mod instrument;
mod listing;
mod measure;
mod once;
mod outcome;
mod page;
mod rate;
mod registered;
pub mod results;
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
pub use page::page;
pub use routine::Executor;
pub use selection::Selection;
pub use std::hint::black_box;
pub use suite::Suite;
pub use type_name::type_name;

/// For the attribute `bench` alone.
#[doc(hidden)]
pub mod __private {
    pub use crate::registered::Attributed;
    pub use inventory;
}
