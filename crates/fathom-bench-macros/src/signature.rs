//! What the attribute looks at in a function: everything before its body.

use crate::failure::Failure;
use crate::generics::{self, Generic};
use crate::parameter::{self, Parameter};
use crate::tokens::{behind_angles, flattened, is_punct, is_word, without_attributes};
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// A function without its body.
#[derive(Debug)]
pub(crate) struct Signature {
    /// Where it says `async`, if it does.
    pub(crate) asynchronous: Option<Span>,
    pub(crate) name: Ident,
    pub(crate) generics: Vec<Generic>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) returns: bool,
    /// From `where` to the body; empty if there is none.
    pub(crate) conditions: Vec<TokenTree>,
}

impl Signature {
    pub(crate) fn parse(item: TokenStream) -> Result<Self, Failure> {
        let tokens = flattened(item);
        let tokens = without_attributes(&tokens);
        let not_a_function = || {
            let first = tokens.get(..1).unwrap_or_default();
            Failure::about(first, "`#[bench]` goes on a function: move it to one")
        };

        let mut at = behind_visibility(tokens);
        let mut asynchronous = None;
        loop {
            let Some(TokenTree::Ident(word)) = tokens.get(at) else {
                return Err(not_a_function());
            };
            at += 1;
            match word.to_string().as_str() {
                "fn" => break,
                "async" => asynchronous = Some(word.span()),
                "const" | "safe" => {}
                "extern" => {
                    at += usize::from(matches!(tokens.get(at), Some(TokenTree::Literal(_))));
                }
                "unsafe" if is_function(&tokens[at..]) => {
                    let message = "an `unsafe` function cannot be measured by itself: call it \
                                   from a safe function, and put `#[bench]` on that";
                    return Err(Failure::at(word.span(), message));
                }
                _ => return Err(not_a_function()),
            }
        }

        let Some(TokenTree::Ident(name)) = tokens.get(at) else { return Err(not_a_function()) };
        at += 1;
        let mut generics = Vec::new();
        if is_punct(tokens.get(at), '<') {
            let behind = behind_angles(tokens, at);
            generics = generics::parse(tokens.get(at + 1..behind - 1).unwrap_or_default());
            at = behind;
        }
        let Some(TokenTree::Group(parameters)) = tokens.get(at) else {
            return Err(not_a_function());
        };
        let parameters = parameter::parse(&flattened(parameters.stream()));
        at += 1;

        let (body, between) = match tokens[at..].split_last() {
            Some((TokenTree::Group(body), between)) => (Some(body), between),
            _ => (None, [].as_slice()),
        };
        if body.is_none_or(|body| body.delimiter() != Delimiter::Brace) {
            let message = "this function has no body to measure: put `#[bench]` on one that has";
            return Err(Failure::at(name.span(), message));
        }
        let conditions = between.iter().position(|token| is_word(Some(token), "where"));
        Ok(Self {
            asynchronous,
            name: name.clone(),
            generics,
            parameters,
            returns: is_punct(between.first(), '-'),
            conditions: between[conditions.unwrap_or(between.len())..].to_vec(),
        })
    }

    /// The function's name as text, without the `r#` of a keyword.
    pub(crate) fn plain_name(&self) -> String {
        let name = self.name.to_string();
        name.strip_prefix("r#").map_or_else(|| name.clone(), str::to_string)
    }
}

/// The index behind `pub` or `pub(...)`.
fn behind_visibility(tokens: &[TokenTree]) -> usize {
    let restricted = matches!(tokens.get(1), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis);
    match is_word(tokens.first(), "pub") {
        true => 1 + usize::from(restricted),
        false => 0,
    }
}

/// Whether it is `fn` that comes after qualifiers: `unsafe impl` and `unsafe trait` are not
/// functions.
fn is_function(tokens: &[TokenTree]) -> bool {
    is_word(tokens.first(), "fn")
        || (is_word(tokens.first(), "extern")
            && (is_word(tokens.get(1), "fn") || is_word(tokens.get(2), "fn")))
}
