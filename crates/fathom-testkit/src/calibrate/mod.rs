//! Calibration: how often an interval covers, by simulation and by theory.

mod every_look;
pub mod intervals;
pub mod spa;
mod tally;
