//! Folders of traces that are there: shown, exported, made from files of other tools.

mod export;
mod import;
mod show;

pub(crate) use export::export;
pub(crate) use import::import;
pub(crate) use show::{is_traces, show};
