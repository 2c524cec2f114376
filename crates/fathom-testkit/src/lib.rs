//! What tests and calibrations share: populations whose truth is known, vectors from independent
//! oracles, and the tables that are committed as evidence.

pub mod background;
pub mod calibrate;
pub mod cases;
pub mod corpus;
pub mod follower;
#[cfg(feature = "json-contract")]
pub mod json_contract;
pub mod json_schema;
pub mod made_traces;
pub mod markdown;
pub mod noise;
pub mod parallel;
pub mod performance;
pub mod population;
pub mod process;
pub mod repository;
pub mod vectors;
