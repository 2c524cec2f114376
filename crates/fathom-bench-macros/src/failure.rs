//! What is wrong with a use of the attribute, and where.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A message for the user, under the tokens that it is about.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    first: Span,
    last: Span,
}

impl Failure {
    /// A message about one token.
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), first: span, last: span }
    }

    /// A message about several tokens; about the attribute as a whole if there are none.
    pub(crate) fn about(tokens: &[TokenTree], message: impl Into<String>) -> Self {
        let first = tokens.first().map_or_else(Span::call_site, TokenTree::span);
        let last = tokens.last().map_or_else(Span::call_site, TokenTree::span);
        Self { message: message.into(), first, last }
    }

    /// A call of `compile_error!`. The compiler underlines from the span of its first token to that
    /// of its last, so these carry the two ends.
    pub(crate) fn into_compile_error(self) -> TokenStream {
        let mut message = Literal::string(&self.message);
        message.set_span(self.last);
        let mut body = Group::new(Delimiter::Brace, TokenTree::from(message).into());
        body.set_span(self.last);
        let colons = [Punct::new(':', Spacing::Joint), Punct::new(':', Spacing::Alone)];
        let name = |word: &str| TokenTree::from(Ident::new(word, self.first));
        let mut tokens = TokenStream::new();
        for word in ["core", "compile_error"] {
            tokens.extend(colons.iter().map(|colon| {
                let mut colon = colon.clone();
                colon.set_span(self.first);
                TokenTree::from(colon)
            }));
            tokens.extend([name(word)]);
        }
        let mut bang = Punct::new('!', Spacing::Alone);
        bang.set_span(self.first);
        tokens.extend([TokenTree::from(bang), body.into()]);
        tokens
    }
}
