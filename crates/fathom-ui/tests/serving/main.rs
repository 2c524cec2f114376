//! The real server, asked over real connections.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod answers;
mod cancelling;
mod check;
mod client;
mod fixtures;
mod hostile_names;
mod labels;
mod made_up;
mod request_guard;
mod running;
mod series;
mod session;
mod shop;
mod words;
