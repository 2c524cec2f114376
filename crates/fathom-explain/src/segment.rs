//! A sequence as straight lines.

mod best;
pub(crate) mod centred;
mod despike;
mod drawn;
pub(crate) mod forced;
mod greedy;
mod moments;
mod optimal;
mod points;
mod segmentation;

pub use best::{automatic_pattern, best, shortest};
pub use despike::{despike, despiked};
pub use drawn::{DrawnLine, drawn};
pub use greedy::greedy;
pub use optimal::optimal;
pub use points::Points;
pub use segmentation::{Line, Segmentation};
