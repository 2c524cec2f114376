//! Calibration: how often an interval covers, by simulation and by theory.

pub mod check;
pub mod compare;
pub mod dependence;
mod every_look;
pub mod functions;
pub mod intervals;
pub mod outliers;
pub mod spa;
pub mod steady_state;
pub mod stopping;
mod tally;
