//! What is computed from the metrics of a trace row by row: derived metrics, and the conditions that say
//! which rows count.
//!
//! Both are written in the language of properties, without its operators over time. A row's value
//! follows from that row alone; only `rate`, `delta` and totals look at the row before it.

mod common_rows;
mod condition;
mod derived_metric;
mod term;

pub(crate) use common_rows::{Reading, RowLeaf};
pub use condition::{ResolvedRowCondition, RowCondition};
pub use derived_metric::{DeriveError, DerivedMetric, ResolvedMetric};
pub(crate) use term::{RowFormula, RowFunction, RowTerm};
