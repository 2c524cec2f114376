//! Tests that hold the house: what is written about the code is true of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod house {
    mod book;
    mod commands;
    mod examples;
    mod module_files;
    mod paths;
    mod publishing;
    mod registries;
    mod test_script;
    mod times;
    mod weight;
}
