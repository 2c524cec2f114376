//! What stands in the angle brackets behind a function's name.

use crate::tokens::{Grammar, comma_separated, is_punct, is_word, without_attributes};
use proc_macro::{Ident, TokenTree};

/// A generic parameter.
#[derive(Debug)]
pub(crate) struct Generic {
    pub(crate) kind: GenericKind,
    pub(crate) name: Ident,
    /// The whole of it, without attributes.
    pub(crate) tokens: Vec<TokenTree>,
    /// What stands behind its `:`; empty if there is none.
    pub(crate) bounds: Vec<TokenTree>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GenericKind {
    Lifetime,
    Type,
    Const,
}

/// The parameters between `<` and `>`, which are not among the tokens.
pub(crate) fn parse(tokens: &[TokenTree]) -> Vec<Generic> {
    comma_separated(tokens, Grammar::Type).into_iter().filter_map(generic).collect()
}

fn generic(part: &[TokenTree]) -> Option<Generic> {
    let tokens = without_attributes(part);
    let (kind, at) = if is_punct(tokens.first(), '\'') {
        (GenericKind::Lifetime, 1)
    } else if is_word(tokens.first(), "const") {
        (GenericKind::Const, 1)
    } else {
        (GenericKind::Type, 0)
    };
    let Some(TokenTree::Ident(name)) = tokens.get(at) else { return None };
    let bounds = match tokens.get(at + 1) {
        colon if is_punct(colon, ':') => tokens[at + 2..].to_vec(),
        _ => Vec::new(),
    };
    Some(Generic { kind, name: name.clone(), tokens: tokens.to_vec(), bounds })
}
