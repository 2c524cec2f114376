//! Stretches of a trace and shapes over it, as they are typed.

pub(crate) use fathom_request::{TypedPattern, TypedSpan};

use fathom_request::value::Value;

pub(super) fn span(text: &str) -> Result<TypedSpan, String> {
    TypedSpan::read(text)
}

pub(super) fn pattern(text: &str) -> Result<TypedPattern, String> {
    TypedPattern::read(text)
}
