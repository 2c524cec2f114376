//! Walking over tokens.

use proc_macro::{Delimiter, Spacing, TokenStream, TokenTree};

/// The tokens of a stream. Invisible groups, in which `macro_rules!` passes what it matched, are opened.
pub(crate) fn flattened(stream: TokenStream) -> Vec<TokenTree> {
    let mut tokens = Vec::new();
    for token in stream {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                tokens.extend(flattened(group.stream()));
            }
            token => tokens.push(token),
        }
    }
    tokens
}

pub(crate) fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == word)
}

/// The text of a string literal without escapes: the path in an attribute.
pub(crate) fn plain_text(token: Option<&TokenTree>) -> Option<String> {
    let Some(TokenTree::Literal(literal)) = token else { return None };
    let text = literal.to_string();
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains('\\')).then(|| text.to_string())
}

/// The index behind the comma that ends the type at `start`, or the end. Commas between `<` and `>` are
/// part of the type; the `>` of `->` closes nothing.
pub(crate) fn behind_type(tokens: &[TokenTree], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut after_minus = false;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        let TokenTree::Punct(punct) = token else {
            after_minus = false;
            continue;
        };
        match punct.as_char() {
            '<' => depth += 1,
            '>' if !after_minus => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return at + 1,
            _ => {}
        }
        after_minus = punct.as_char() == '-' && punct.spacing() == Spacing::Joint;
    }
    tokens.len()
}
