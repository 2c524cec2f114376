//! From scores to an order worth reading.

pub mod combined;
pub mod copies;
pub mod derived;
pub mod exclusion;
pub mod random_walk;
