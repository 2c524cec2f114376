//! A metric store with Prometheus' HTTP interface: Prometheus, Mimir, Thanos, VictoriaMetrics.
//!
//! Raw samples come from instant queries of a range selector, `up[3600s]`, which have no limit on the
//! number of points; a long range is asked for in slices that hold about a million samples each.

mod answers;
mod error;
mod interface;
mod jobs;
mod kinds;
mod load;
mod pool;
mod refusal;
mod slices;

pub use error::{PrometheusError, PrometheusErrorKind};
pub use interface::Prometheus;
pub use load::{Loading, NamedExpression, SeriesAnswer, SeriesQuestion, load};
