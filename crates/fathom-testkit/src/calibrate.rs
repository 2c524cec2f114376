//! Calibration: how often an interval covers, by simulation and by theory.

pub mod bands;
pub mod check;
pub mod compare;
pub mod correlators;
pub mod dependence;
pub mod discoveries;
mod every_look;
pub mod few_samples;
pub mod functions;
pub mod growth;
pub mod intervals;
pub mod outliers;
pub mod ranking;
pub mod spa;
pub mod steady_state;
pub mod stopping;
pub mod suggestions;
pub mod tails;
mod tally;
pub mod why;
pub mod work_rate;
