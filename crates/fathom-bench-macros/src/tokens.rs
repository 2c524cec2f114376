//! Walking over tokens: what is at a place, where a list's commas are, where a `<` closes.

use proc_macro::{Delimiter, Spacing, TokenStream, TokenTree};

/// The tokens of a stream, with the invisible groups opened in which `macro_rules!` passes what it
/// matched.
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

fn is_joint(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct))
        if punct.as_char() == character && punct.spacing() == Spacing::Joint)
}

/// What stands between commas: it decides what `<` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// Every `<` opens a list.
    Type,
    /// A `<` opens a list after `::` and where an expression begins; elsewhere it compares.
    Expression,
}

/// How deep a place is in `<` and `>`, seen from the first token on.
#[derive(Debug)]
pub(crate) struct Angles {
    grammar: Grammar,
    depth: usize,
}

impl Angles {
    pub(crate) fn new(grammar: Grammar) -> Self {
        Self { grammar, depth: 0 }
    }

    /// Goes past `tokens[at]` and returns the depth behind it.
    pub(crate) fn pass(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        if is_punct(tokens.get(at), '<') {
            let opens = match self.grammar {
                Grammar::Type => true,
                Grammar::Expression => {
                    self.depth > 0
                        || before.is_none_or(|_| {
                            [':', ',', '='].iter().any(|mark| is_punct(before, *mark))
                        })
                }
            };
            self.depth += usize::from(opens);
        } else if is_punct(tokens.get(at), '>') && !is_joint(before, '-') {
            self.depth = self.depth.saturating_sub(1);
        }
        self.depth
    }
}

/// The index behind the `>` that closes the `<` at `open`; the end, if none does.
pub(crate) fn behind_angles(tokens: &[TokenTree], open: usize) -> usize {
    let mut angles = Angles::new(Grammar::Type);
    let closes = (open..tokens.len()).find(|at| angles.pass(tokens, *at) == 0);
    closes.map_or(tokens.len(), |at| at + 1)
}

/// The parts between commas. A comma at the end opens no part.
pub(crate) fn comma_separated(tokens: &[TokenTree], grammar: Grammar) -> Vec<&[TokenTree]> {
    let mut angles = Angles::new(grammar);
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 0..tokens.len() {
        if angles.pass(tokens, at) == 0 && is_punct(tokens.get(at), ',') {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
    }
    if start < tokens.len() {
        parts.push(&tokens[start..]);
    }
    parts
}

/// The tokens behind the attributes at the front.
pub(crate) fn without_attributes(tokens: &[TokenTree]) -> &[TokenTree] {
    match tokens {
        [mark, TokenTree::Group(_), behind @ ..] if is_punct(Some(mark), '#') => {
            without_attributes(behind)
        }
        tokens => tokens,
    }
}
