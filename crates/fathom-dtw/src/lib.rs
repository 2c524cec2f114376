//! Exact dynamic time warping: which samples of two series belong together, and how far apart the
//! series are.
//!
//! Runs of the same program never take the same time for the same work. To compare what was
//! measured in one with what was measured in another, a metric that both have is aligned: each
//! sample of x is matched with one or more of y, in order, such that the sum of |x - y| over all
//! matched pairs is the least possible.
//!
//! ```
//! use fathom_dtw::Warp;
//!
//! let x = [0.0, 0.0, 8.0, 8.0, 0.0, 0.0];
//! let y = [0.0, 8.0, 8.0, 8.0, 0.0];
//! let alignment = Warp::new().align(&x, &y)?;
//! assert_eq!(alignment.distance, 0.0);
//! // What is selected in x is found in y.
//! assert_eq!(alignment.path.window(2..=3), Some(1..=3));
//! # Ok::<(), fathom_dtw::WarpError>(())
//! ```
//!
//! - Every cell of the matrix is computed, none is guessed: a cell is |x - y| plus the least of the
//!   diagonal cell, and of the cells above and to the left with the penalty added. Additions are
//!   done in this order by every [`Kernel`], so all give the same distance, bit for bit. Among
//!   equals the diagonal wins, then the cell above (x advances), so all give the same path.
//! - Small problems keep two bits per cell to find the path. Larger ones keep some rows and columns
//!   and compute again only what lies around the path, so memory grows with the sum of the lengths,
//!   not with their product: see [`Warp::memory`].
//! - Values must be finite. NaN and infinity are errors that name the place, as is a distance that
//!   is too large for a number.

mod backwards;
mod band;
mod codes;
mod error;
mod kernel;
mod path;
mod path_plan;
mod problem;
mod sweep;
mod trace;
mod warp;
mod watch;

pub use error::{WarpError, WhichSeries};
pub use kernel::Kernel;
pub use path::{MatchedStretch, Path, Step, StepRun};
pub use warp::{Alignment, Warp};
pub use watch::{WarpProgress, Watcher};

/// The example in the README is one that works.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
