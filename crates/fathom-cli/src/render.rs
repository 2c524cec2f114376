//! The pages that only this binary shows; reports are rendered by `fathom-render`.

pub(crate) mod check;
pub(crate) mod checkup;
pub(crate) mod sessions;
pub(crate) mod traces;
mod view;

pub(crate) use view::view;
