//! Why there is no alignment.

use crate::Kernel;
use core::fmt;

/// Which of the two series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhichSeries {
    /// The first argument.
    X,
    /// The second argument.
    Y,
}

impl fmt::Display for WhichSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "x",
            Self::Y => "y",
        })
    }
}

/// Why there is no alignment.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WarpError {
    /// A series has no values.
    #[error("series {series} is empty: there is nothing to align")]
    Empty {
        /// Which one.
        series: WhichSeries,
    },
    /// A value is not a finite number.
    #[error("series {series} has {value} at index {index}: only finite values can be aligned")]
    NotFinite {
        /// In which series.
        series: WhichSeries,
        /// At which index, from 0.
        index: usize,
        /// What is there.
        value: f64,
    },
    /// The penalty is negative or not a number.
    #[error("the penalty is {penalty}, but must be a finite number that is not negative")]
    Penalty {
        /// What was given.
        penalty: f64,
    },
    /// No path stays within the band.
    #[error(
        "no path from the first to the last samples fits a band of radius {radius}, as x has \
         {x_len} samples and y has {y_len}: a radius of 1 is enough"
    )]
    NoPath {
        /// Radius of the band.
        radius: usize,
        /// Samples of x.
        x_len: usize,
        /// Samples of y.
        y_len: usize,
    },
    /// A band around the diagonal of a search has no meaning, as the start is free.
    #[error("a search has no diagonal that a band could follow: leave out the band")]
    BandInSearch,
    /// The values are so far apart that the sum of their differences is not a finite number.
    #[error("the distance is too large for a number: scale the series down")]
    Overflow,
    /// Too little memory is allowed.
    #[error("aligning {x_len} with {y_len} samples needs {needed} bytes, but the limit is {limit}")]
    Memory {
        /// Samples of x.
        x_len: usize,
        /// Samples of y.
        y_len: usize,
        /// A limit, in bytes, that suffices.
        needed: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// This processor, or the compiler that built the program, lacks the instructions.
    #[error("the kernel {kernel} does not run here: leave the choice open")]
    Unavailable {
        /// Which kernel was asked for.
        kernel: Kernel,
    },
    /// The watcher asked to stop.
    #[error("stopped on request")]
    Stopped,
}
