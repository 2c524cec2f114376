//! Fathom's reports as text, the same from every front end: sentences, units that fit, digits that
//! an interval supports, small pictures, tables. Nothing here reads or writes anything, and nothing
//! computes statistics: renderers only read.
//!
//! Whole pages, for people in columns and for programs and documents as a [`Table`]:
//!
//! - [`human::render`] and [`estimates`] for a [`Report`](fathom_analyze::Report),
//!   [`verdict::render`] and [`comparisons`] for one with comparisons
//! - [`check`]: a [`CheckReport`](fathom_property::CheckReport), and what a check would do
//! - [`traces`]: what would be recorded, what was, and what a trace folder holds
//! - [`explanation`]: which metrics are behind an anomaly; [`contrast`]: which differ between two groups
//!   of runs
//! - [`sessions`]: what is saved
//! - [`checkup`]: what on a machine adds noise
//! - `demo`: a tour, with what to notice in each answer
//!
//! For a page of your own there are the parts:
//!
//! - [`quantity`]: numbers with a unit, one by one or in a column
//! - [`known`]: an estimate's interval and its condition, or what was seen
//! - [`verdict::sentence`]: what a comparison found, in words
//! - [`ratio`]: ratios with the digits they deserve, and over an axis on which 1 is marked
//! - [`growth`]: which law a time follows over sizes, in words and as a line
//! - `work_line`: a rate of work with the set-up time separated, in words and as a line
//! - [`picture`]: histograms, intervals, series in time
//! - [`layout`]: columns, wrapping, padding, styles
//!
//! ```
//! use fathom_analyze::{EstimateRequest, analyze};
//! use fathom_record::{Series, Unit};
//! use fathom_render::{Rounding, Scale, layout};
//!
//! let values: Vec<f64> = (0..40).map(|i| 0.0124 + 1e-5 * f64::from(i % 7)).collect();
//! let subject = analyze(Series::new("sort", Unit::SECONDS, values)?, &EstimateRequest::default());
//! let estimate = &subject.estimates[0];
//! let scale = Scale::new(subject.series.unit(), estimate.value, None)
//!     .for_interval(estimate.value, estimate.interval());
//! let row = format!(
//!     "{}  {}  {}",
//!     layout::padded(subject.series.name(), 8, layout::Side::Left),
//!     scale.with_unit(estimate.value, Rounding::Nearest),
//!     scale.ends(estimate.interval(), true),
//! );
//! assert_eq!(row, "sort      12.430 ms  12.400 to 12.460 ms");
//! # Ok::<(), fathom_record::SeriesError>(())
//! ```

pub mod assumption_notes;
#[cfg(feature = "pages")]
pub mod check;
#[cfg(feature = "pages")]
pub mod checkup;
pub mod comparison_notes;
#[cfg(feature = "pages")]
mod comparison_rows;
mod condition;
#[cfg(feature = "explanations")]
pub mod contrast;
mod core_share;
mod csv;
#[cfg(feature = "explanations")]
pub mod demo;
mod detail;
mod difference_so_far;
#[cfg(feature = "pages")]
mod estimate_rows;
#[cfg(feature = "explanations")]
pub mod explanation;
mod gate_words;
pub mod growth;
#[cfg(feature = "pages")]
pub mod human;
pub mod known;
pub mod layout;
mod markup;
pub mod medians_note;
#[cfg(feature = "pages")]
mod methods_table;
#[cfg(feature = "pages")]
mod notes;
mod percent;
mod percents;
#[cfg(feature = "pages")]
pub mod picture;
mod plot;
#[cfg(feature = "pages")]
mod plural;
pub mod quantile_table;
mod quantiles_sentence;
pub mod quantity;
pub mod ratio;
mod rough;
#[cfg(feature = "pages")]
mod sentence;
#[cfg(feature = "pages")]
pub mod sessions;
#[cfg(feature = "pages")]
pub use fathom_record::shell;
#[cfg(feature = "pages")]
mod shell_startup;
mod shell_verdict;
pub mod short_names;
mod statistic_sentence;
#[cfg(feature = "pages")]
mod subject_columns;
#[cfg(feature = "pages")]
mod subject_table;
mod table;
#[cfg(feature = "pages")]
pub mod traces;
#[cfg(feature = "pages")]
mod trail;
pub mod verdict;
#[cfg(feature = "pages")]
mod verdict_page;
mod verdict_sentence;
mod view;
#[cfg(feature = "pages")]
pub mod work_line;

#[cfg(feature = "pages")]
pub use comparison_rows::comparisons;
pub use core_share::core_share;
pub use detail::Detail;
pub use difference_so_far::difference_so_far;
#[cfg(feature = "pages")]
pub use estimate_rows::estimates;
pub use percent::percent;
#[cfg(feature = "pages")]
use plural::plural;
pub use quantity::{Rounding, Scale};
pub use rough::rough;
#[cfg(feature = "pages")]
pub use shell_startup::untold_cells;
pub use table::Table;
pub use view::View;
