//! Sessions as they are looked at.
//!
//! [`view`] makes a [`SessionView`] of a report: words from `fathom-render`, and the numbers behind
//! the pictures. Its JSON is what `web/src/contract.ts` says.

mod blocks;
mod comparison;
mod correlogram;
mod counted;
mod ecdf;
mod estimate;
mod growth;
mod histogram;
mod options;
mod samples;
mod shift;
mod subject;
mod view;
mod work_line;

pub use blocks::Blocks;
pub use comparison::ComparisonView;
pub use correlogram::Correlogram;
pub use ecdf::{Ecdf, EcdfBand};
pub use estimate::EstimateView;
pub use growth::{GrowthCurve, GrowthPointView, GrowthView};
pub use histogram::Histogram;
pub use options::SessionOptions;
pub use samples::{Label, PageOutlying, PageSamples};
pub use shift::{ShiftBand, ShiftView};
pub use subject::SubjectView;
pub use view::{SessionView, Tone, VerdictView, view};
pub use work_line::{WorkLineView, WorkPointView};

#[cfg(test)]
mod made_sessions;
#[cfg(test)]
mod tests;
