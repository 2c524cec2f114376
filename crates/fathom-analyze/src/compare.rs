//! Comparisons: subjects against a reference, while they are measured or from saved results.
//!
//! [`Course`] is the sequential rule: it sees blocks come in, looks when it may, and says which
//! subjects are settled. [`Comparison`] is what it found, for renderers. Saved results are compared
//! by [`compare_unpaired`].

mod assumptions;
mod compared_subject;
mod comparison;
mod course;
mod forecast;
mod gate;
mod margin;
mod medians;
mod noise_floor;
mod quantiles;
mod ratio_rule;
mod shell_share;
mod skewed_mean;
mod statistic;
mod two_builds;
mod unpaired;
mod unpaired_statistic;
mod verdict;

pub use assumptions::{Assumption, AssumptionOutcome};
pub use compared_subject::ComparedSubject as CourseSubject;
use compared_subject::ComparedSubject;
pub use comparison::{Comparison, Design, Further, Paired, Pairing, RatioAside, Tests};
pub use course::Course;
pub use gate::{Gate, GateOutcome};
pub use margin::{Margin, MarginError};
pub use medians::{analyze_counted, counted_in, counted_places, median_at};
pub use noise_floor::NoiseFloor;
pub use quantiles::{QuantileRatio, fewest_blocks_among_quantiles};
pub use shell_share::ShellShare;
pub use statistic::{ComparedStatistic, ComparedStatisticError, percentile};
pub use two_builds::{LayoutArrangement, Layouts, TwoBuilds};
pub use unpaired::{are_copies, compare_unpaired, compare_unpaired_by};
pub use verdict::Verdict;
