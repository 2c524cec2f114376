//! Code with places to fill: `$name` becomes the tokens of that name.

use proc_macro::{Delimiter, Group, Ident, LexError, Span, TokenStream, TokenTree};

/// What goes into the places of a template.
#[derive(Debug, Default)]
pub(crate) struct Filling {
    places: Vec<(&'static str, TokenStream)>,
}

impl Filling {
    /// Every later `$name` becomes `tokens`; a name filled twice takes the later ones.
    pub(crate) fn set(&mut self, name: &'static str, tokens: impl Into<TokenStream>) {
        self.places.insert(0, (name, tokens.into()));
    }

    /// The template's code with its places filled. A place without a name of ours stays as it is,
    /// which the compiler then reports.
    ///
    /// Its own tokens resolve as those of a macro do: local variables are invisible to what the
    /// user wrote, and lints see code of another crate. What fills a place keeps its spans, so that
    /// errors in it show where the user wrote it.
    pub(crate) fn fill(&self, template: &str) -> Result<TokenStream, LexError> {
        Ok(self.filled(template.parse()?, Span::mixed_site()))
    }

    /// As `fill`, for code whose errors concern what the user wrote at `place`.
    pub(crate) fn fill_at(&self, place: Span, template: &str) -> Result<TokenStream, LexError> {
        Ok(self.filled(template.parse()?, Span::mixed_site().located_at(place)))
    }

    fn filled(&self, stream: TokenStream, span: Span) -> TokenStream {
        let mut out = TokenStream::new();
        let mut tokens = stream.into_iter().peekable();
        while let Some(mut token) = tokens.next() {
            if let TokenTree::Punct(punct) = &token
                && punct.as_char() == '$'
                && let Some(TokenTree::Ident(name)) = tokens.peek()
                && let Some(place) = self.place(name)
            {
                out.extend(place.clone());
                tokens.next();
                continue;
            }
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), self.filled(group.stream(), span)).into();
            }
            token.set_span(span);
            out.extend([token]);
        }
        out
    }

    fn place(&self, name: &Ident) -> Option<&TokenStream> {
        let name = name.to_string();
        self.places.iter().find(|(known, _)| *known == name).map(|(_, tokens)| tokens)
    }
}

/// `{ tokens }`
pub(crate) fn braced(tokens: &[TokenTree]) -> TokenTree {
    let mut group = Group::new(Delimiter::Brace, tokens.iter().cloned().collect());
    group.set_span(Span::mixed_site());
    group.into()
}

/// What the user wrote, copied: it shows where it stood, and lints take it for our code, because
/// they have seen the original already.
pub(crate) fn as_ours(stream: TokenStream) -> TokenStream {
    let tokens = stream.into_iter().map(|mut token| {
        let span = token.span().resolved_at(Span::mixed_site());
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), as_ours(group.stream())).into();
        }
        token.set_span(span);
        token
    });
    tokens.collect()
}
