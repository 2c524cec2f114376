//! From samples to labelled samples: where the steady state begins, which values do not belong.
//!
//! Cleaning labels and never deletes. The order matters: the steady state comes first, because a
//! warm-up would look like outliers; outliers are labelled within it; dependence is judged on what
//! is kept, when the estimate is made.

mod labelled;
mod options;

pub use labelled::{Flagged, Labelled, OtherLoad, SlowBeginning, Steadiness};
pub use options::{OutlierPolicy, SteadyStatePolicy};

pub(crate) use labelled::label;
