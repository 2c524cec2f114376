//! Reports as people and programs read them. Renderers only read; they compute no statistics.

pub(crate) mod checkup;
mod comparison_rows;
mod estimate_rows;
pub(crate) mod human;
mod layout;
mod markup;
mod notes;
mod picture;
mod quantity;
mod ratio;
mod sentence;
pub(crate) mod sessions;
mod subject_table;
mod table;
mod trail;
pub(crate) mod verdict;
mod verdict_sentence;
mod view;

pub(crate) use comparison_rows::comparisons;
pub(crate) use estimate_rows::estimates;
pub(crate) use layout::{visible, wrapped};
pub(crate) use table::Table;
pub(crate) use view::View;
