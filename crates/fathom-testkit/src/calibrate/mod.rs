//! Calibration: how often an interval covers, by simulation and by theory.

pub mod intervals;
pub mod spa;
mod tally;
