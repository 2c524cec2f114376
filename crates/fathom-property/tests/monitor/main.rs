//! The monitor against worked examples, a naive evaluator, another tool, and laws.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod completions;
mod demands;
mod examples;
mod laws;
mod make;
mod naive;
mod naive_numbers;
mod naive_terms;
mod naive_time;
mod random;
mod rtamt;
mod sloped;
mod unknowns;
