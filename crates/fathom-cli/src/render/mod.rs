//! Reports as people and programs read them. Renderers only read; they compute no statistics.

pub(crate) mod checkup;
mod comparison_rows;
pub(crate) mod human;
mod layout;
mod markup;
mod picture;
mod quantity;
mod rows;
mod sentence;
pub(crate) mod sessions;
mod trail;
pub(crate) mod verdict;
mod view;

pub(crate) use comparison_rows::ComparisonRows;
pub(crate) use layout::visible;
pub(crate) use rows::Rows;
pub(crate) use view::View;
