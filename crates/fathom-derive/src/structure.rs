//! What the derive sees of a struct.

use crate::failure::Failure;
use crate::field::{Field, behind_visibility};
use crate::tokens::{flattened, is_punct, is_word};
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// A struct with named fields. Its only parameters are lifetimes.
#[derive(Debug)]
pub(crate) struct Structure {
    pub(crate) name: Ident,
    /// `'a, 'b`; empty without lifetimes.
    pub(crate) lifetimes: String,
    pub(crate) fields: Vec<Field>,
}

impl Structure {
    pub(crate) fn parse(item: TokenStream) -> Result<Structure, Failure> {
        let tokens = flattened(item);
        let mut at = 0;
        while is_punct(tokens.get(at), '#') {
            refuse_of_serde(tokens.get(at + 1))?;
            at += 2;
        }
        at = behind_visibility(&tokens, at);
        let keyword = tokens.get(at);
        let place = keyword.map_or_else(Span::call_site, TokenTree::span);
        let (true, Some(TokenTree::Ident(name))) = (is_word(keyword, "struct"), tokens.get(at + 1))
        else {
            return Err(Failure::unknown(place, "anything but structs"));
        };
        at += 2;
        let mut lifetimes = String::new();
        if is_punct(tokens.get(at), '<') {
            (lifetimes, at) = lifetimes_from(&tokens, at + 1)?;
        }
        match tokens.get(at) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                Ok(Structure { name: name.clone(), lifetimes, fields: Field::all(group)? })
            }
            other => {
                let place = other.map_or_else(|| name.span(), TokenTree::span);
                Err(Failure::unknown(place, "structs without named fields, or with conditions"))
            }
        }
    }
}

/// serde's attributes of a whole struct would change what is written.
fn refuse_of_serde(attribute: Option<&TokenTree>) -> Result<(), Failure> {
    let of_serde = |group: &Group| is_word(flattened(group.stream()).first(), "serde");
    match attribute {
        Some(TokenTree::Group(group)) if of_serde(group) => {
            Err(Failure::unknown(group.span(), "this attribute"))
        }
        _ => Ok(()),
    }
}

/// The lifetimes from `at` to the `>`, and the index behind it.
fn lifetimes_from(tokens: &[TokenTree], at: usize) -> Result<(String, usize), Failure> {
    let mut lifetimes = String::new();
    for (offset, token) in tokens[at..].iter().enumerate() {
        let before = offset.checked_sub(1).and_then(|before| tokens.get(at + before));
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '>' => {
                return Ok((lifetimes, at + offset + 1));
            }
            TokenTree::Punct(punct) if matches!(punct.as_char(), '\'' | ',') => {
                lifetimes.push(punct.as_char());
            }
            TokenTree::Ident(ident) if is_punct(before, '\'') => {
                lifetimes.push_str(&ident.to_string());
            }
            other => return Err(Failure::unknown(other.span(), "parameters but lifetimes")),
        }
    }
    Err(Failure::unknown(Span::call_site(), "parameters but lifetimes"))
}
