//! What stands in the parentheses behind a function's name.

use crate::tokens::{Grammar, comma_separated, is_punct, is_word, without_attributes};
use proc_macro::TokenTree;

/// A parameter of a function.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) kind: ParameterKind,
    /// The whole of it, without attributes.
    pub(crate) tokens: Vec<TokenTree>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// `self` in any form.
    Receiver,
    /// `&mut Bencher`.
    Bencher,
    /// A `Bencher` in another form, which cannot be passed.
    OtherBencher,
    /// Any other type that does not begin with `&`.
    Value,
    /// `&T`
    Shared,
    /// `&mut T`
    Exclusive,
}

/// The parameters of a list whose parentheses are not among the tokens.
pub(crate) fn parse(tokens: &[TokenTree]) -> Vec<Parameter> {
    let parts = comma_separated(tokens, Grammar::Type).into_iter();
    let parameters = parts.map(|part| {
        let tokens = without_attributes(part);
        Parameter { kind: kind(tokens), tokens: tokens.to_vec() }
    });
    parameters.collect()
}

fn kind(tokens: &[TokenTree]) -> ParameterKind {
    let colon = colon(tokens);
    let (pattern, of_type) = tokens.split_at(colon.unwrap_or(tokens.len()));
    if is_word(pattern.last(), "self") {
        return ParameterKind::Receiver;
    }
    let of_type = of_type.get(1..).unwrap_or_default();
    let (reference, inner) = dereferenced(of_type);
    match (reference, is_bencher(inner)) {
        (ParameterKind::Exclusive, true) => ParameterKind::Bencher,
        (_, true) => ParameterKind::OtherBencher,
        (reference, false) => reference,
    }
}

/// Where the `:` is that ends a pattern. Those of a `::` come in pairs.
fn colon(tokens: &[TokenTree]) -> Option<usize> {
    let mut at = 0;
    while at < tokens.len() {
        match (is_punct(tokens.get(at), ':'), is_punct(tokens.get(at + 1), ':')) {
            (true, true) if is_joint(&tokens[at]) => at += 2,
            (true, _) => return Some(at),
            (false, _) => at += 1,
        }
    }
    None
}

fn is_joint(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.spacing() == proc_macro::Spacing::Joint)
}

/// How a type refers to what, without `&`, a lifetime and `mut`.
fn dereferenced(of_type: &[TokenTree]) -> (ParameterKind, &[TokenTree]) {
    let Some(mut inner) = of_type.strip_prefix_punct('&') else {
        return (ParameterKind::Value, of_type);
    };
    if let Some(behind) = inner.strip_prefix_punct('\'') {
        inner = behind.get(1..).unwrap_or_default();
    }
    if is_word(inner.first(), "mut") {
        (ParameterKind::Exclusive, &inner[1..])
    } else {
        (ParameterKind::Shared, inner)
    }
}

trait StripPrefixPunct {
    fn strip_prefix_punct(&self, character: char) -> Option<&[TokenTree]>;
}

impl StripPrefixPunct for [TokenTree] {
    fn strip_prefix_punct(&self, character: char) -> Option<&[TokenTree]> {
        is_punct(self.first(), character).then(|| &self[1..])
    }
}

/// A path whose last segment is `Bencher`.
fn is_bencher(of_type: &[TokenTree]) -> bool {
    let is_open = |token: &TokenTree| is_punct(Some(token), '<');
    let path = of_type.split(is_open).next().unwrap_or_default();
    let is_part =
        |token: &TokenTree| matches!(token, TokenTree::Ident(_)) || is_punct(Some(token), ':');
    path.iter().all(is_part) && is_word(path.last(), "Bencher")
}
