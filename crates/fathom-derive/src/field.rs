//! A field of a struct, and when it is written.

use crate::failure::Failure;
use crate::tokens::{behind_type, flattened, is_punct, is_word, plain_text};
use proc_macro::{Delimiter, Group, Ident, TokenTree};

/// What is written of a field.
#[derive(Debug)]
pub(crate) struct Field {
    /// Its name in the struct, which may be raw (`r#type`).
    pub(crate) ident: Ident,
    /// The path of a function: where it returns true, the field is left out.
    pub(crate) skipped_if: Option<String>,
}

impl Field {
    /// All fields between the braces of a struct.
    pub(crate) fn all(braces: &Group) -> Result<Vec<Field>, Failure> {
        let tokens = flattened(braces.stream());
        let mut fields = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let skipped_if = attributes(&tokens, &mut at)?;
            at = behind_visibility(&tokens, at);
            match (tokens.get(at), tokens.get(at + 1)) {
                (Some(TokenTree::Ident(ident)), colon) if is_punct(colon, ':') => {
                    fields.push(Field { ident: ident.clone(), skipped_if });
                    at = behind_type(&tokens, at + 2);
                }
                (Some(other), _) => {
                    return Err(Failure::at(other.span(), "expected the name of a field"));
                }
                (None, _) => {
                    return Err(Failure::at(braces.span_close(), "expected the name of a field"));
                }
            }
        }
        Ok(fields)
    }

    /// Its name in JSON.
    pub(crate) fn key(&self) -> String {
        let name = self.ident.to_string();
        name.strip_prefix("r#").map_or(name.clone(), str::to_string)
    }
}

/// Goes past the attributes at `at` and returns what those of serde say.
fn attributes(tokens: &[TokenTree], at: &mut usize) -> Result<Option<String>, Failure> {
    let mut skipped_if = None;
    while is_punct(tokens.get(*at), '#') {
        if let Some(TokenTree::Group(attribute)) = tokens.get(*at + 1) {
            skipped_if = condition(attribute)?.or(skipped_if);
        }
        *at += 2;
    }
    Ok(skipped_if)
}

/// The path in `[serde(skip_serializing_if = "path")]`; `None` for attributes of others.
fn condition(attribute: &Group) -> Result<Option<String>, Failure> {
    let tokens = flattened(attribute.stream());
    if !is_word(tokens.first(), "serde") {
        return Ok(None);
    }
    let unknown = || Failure::unknown(attribute.span(), "this attribute");
    let Some(TokenTree::Group(arguments)) = tokens.get(1) else { return Err(unknown()) };
    let arguments = flattened(arguments.stream());
    let known = arguments.len() == 3
        && is_word(arguments.first(), "skip_serializing_if")
        && is_punct(arguments.get(1), '=');
    let path = plain_text(arguments.get(2)).filter(|_| known);
    path.map(Some).ok_or_else(unknown)
}

/// The index behind `pub` or `pub(...)`, if either is at `at`.
pub(crate) fn behind_visibility(tokens: &[TokenTree], at: usize) -> usize {
    if !is_word(tokens.get(at), "pub") {
        return at;
    }
    match tokens.get(at + 1) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => at + 2,
        _ => at + 1,
    }
}
