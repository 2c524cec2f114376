//! Why a struct has no `Serialize` from this derive.

use proc_macro::{Span, TokenStream, TokenTree};

/// A message for the programmer, and the token that it is about.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    place: Span,
}

impl Failure {
    /// A message about one token.
    pub(crate) fn at(place: Span, message: impl Into<String>) -> Failure {
        Failure { message: message.into(), place }
    }

    /// What this derive does not do, and which one does.
    pub(crate) fn unknown(place: Span, found: &str) -> Failure {
        Failure::at(place, format!("fathom_derive does not know {found}; use serde's derive"))
    }

    /// A call of `compile_error!` at that token.
    pub(crate) fn into_compile_error(self) -> TokenStream {
        let call = format!("::core::compile_error! {{ {:?} }}", self.message);
        let tokens: TokenStream = call.parse().unwrap_or_default();
        let at_place = |mut token: TokenTree| {
            token.set_span(self.place);
            token
        };
        tokens.into_iter().map(at_place).collect()
    }
}
