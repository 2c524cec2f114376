//! Reports as people and programs read them. Renderers only read; they compute no statistics.

pub(crate) mod human;
mod picture;
mod quantity;
mod rows;
mod sentence;
mod trail;
mod view;

pub(crate) use rows::Rows;
pub(crate) use view::View;
