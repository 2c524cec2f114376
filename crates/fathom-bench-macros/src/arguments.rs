//! What stands in the parentheses of the attribute.

use crate::failure::Failure;
use crate::suggestion::nearest;
use crate::tokens::{Angles, Grammar, comma_separated, flattened, is_punct};
use proc_macro::{Delimiter, Ident, TokenStream, TokenTree};
use std::ops::Range;

/// Every argument, with an example of it.
const KNOWN: [(&str, &str); 11] = [
    ("name", "name = \"parse\""),
    ("args", "args = [1, 10, 100]"),
    ("types", "types = [Vec<u8>, String]"),
    ("consts", "consts = [1, 64]"),
    ("bytes", "bytes = 1024"),
    ("items", "items = 100"),
    ("threads", "threads = [1, 2]"),
    ("executor", "executor = Runtime::new()"),
    ("compare", "compare = \"search\""),
    ("ignore", "ignore"),
    ("crate", "crate = my_crate::fathom_bench"),
];

/// One argument as it was written.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) key: Ident,
    pub(crate) value: Vec<TokenTree>,
}

impl Argument {
    /// Its value.
    pub(crate) fn tokens(&self) -> TokenStream {
        self.value.iter().cloned().collect()
    }
}

/// A list whose items the attribute itself must see.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) key: Ident,
    pub(crate) items: Vec<Vec<TokenTree>>,
}

/// The arguments, each valid on its own. Whether they fit together and fit the function is checked
/// elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) name: Option<Argument>,
    pub(crate) args: Option<Argument>,
    pub(crate) types: Option<List>,
    pub(crate) consts: Option<List>,
    pub(crate) bytes: Option<Argument>,
    pub(crate) items: Option<Argument>,
    pub(crate) threads: Option<Argument>,
    pub(crate) executor: Option<Argument>,
    pub(crate) compare: Option<Argument>,
    pub(crate) ignore: Option<Argument>,
    pub(crate) krate: Option<Argument>,
}

impl Arguments {
    pub(crate) fn parse(stream: TokenStream) -> Result<Self, Failure> {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut arguments = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for part in parts(&tokens) {
            if part.is_empty() {
                // The comma that closes the empty part.
                return Err(nothing_between_commas(&tokens[part.end..=part.end]));
            }
            let argument = argument(&tokens[part])?;
            let key = argument.key.to_string();
            if seen.contains(&key) {
                let message = format!("`{key}` is given twice: leave one of the two");
                return Err(Failure::at(argument.key.span(), message));
            }
            arguments.put(&key, argument)?;
            seen.push(key);
        }
        Ok(arguments)
    }

    fn put(&mut self, key: &str, argument: Argument) -> Result<(), Failure> {
        match key {
            "name" => self.name = Some(text(argument)?),
            "args" => self.args = Some(not_empty(argument)?),
            "types" => self.types = Some(list(argument, Grammar::Type)?),
            "consts" => self.consts = Some(list(argument, Grammar::Expression)?),
            "bytes" => self.bytes = Some(argument),
            "items" => self.items = Some(argument),
            "threads" => self.threads = Some(not_empty(argument)?),
            "executor" => self.executor = Some(argument),
            "compare" => self.compare = Some(text(argument)?),
            "ignore" => self.ignore = Some(argument),
            "crate" => self.krate = Some(path(argument)?),
            _ => return Err(unknown(&argument.key)),
        }
        Ok(())
    }
}

/// The parts between the commas that separate arguments. `args = Table::<u8, u8>::keys()` and
/// `bytes = |table: &Table<u8, u8>| table.len()` have commas of their own: what follows those is
/// neither `key =` nor a key alone.
fn parts(tokens: &[TokenTree]) -> Vec<Range<usize>> {
    let mut angles = Angles::new(Grammar::Expression);
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 0..tokens.len() {
        let outside = angles.pass(tokens, at) == 0;
        let goes_on = matches!(tokens.get(at + 1), Some(TokenTree::Ident(_)))
            && tokens
                .get(at + 2)
                .is_some_and(|next| !is_punct(Some(next), '=') && !is_punct(Some(next), ','));
        if outside && is_punct(tokens.get(at), ',') && !goes_on {
            parts.push(start..at);
            start = at + 1;
        }
    }
    if start < tokens.len() {
        parts.push(start..tokens.len());
    }
    parts
}

fn nothing_between_commas(place: &[TokenTree]) -> Failure {
    Failure::about(place, "there is nothing between two commas: remove one")
}

fn argument(part: &[TokenTree]) -> Result<Argument, Failure> {
    let [TokenTree::Ident(key), rest @ ..] = part else {
        return Err(not_an_argument(part));
    };
    let word = key.to_string();
    let Some((_, example)) = KNOWN.iter().find(|(known, _)| *known == word) else {
        return Err(unknown(key));
    };
    let value = match rest {
        [] => &[],
        [equals, value @ ..] if is_punct(Some(equals), '=') => value,
        _ => {
            let message = format!("`{word}` is followed by `=` and a value: `{example}`");
            return Err(Failure::about(rest, message));
        }
    };
    if let Some(next) = unseparated(value) {
        let message = format!("a comma is missing before `{next}`");
        return Err(Failure::at(next.span(), message));
    }
    match (word == "ignore", rest.is_empty(), value.is_empty()) {
        (true, false, _) => {
            let message = "`ignore` takes no value: write `ignore` alone, or leave it out";
            Err(Failure::about(rest, message))
        }
        (false, _, true) => {
            Err(Failure::about(part, format!("`{word}` needs a value: `{example}`")))
        }
        _ => Ok(Argument { key: key.clone(), value: value.to_vec() }),
    }
}

/// The key of another argument inside a value. In an expression, no such word follows a group, a
/// literal or another word.
fn unseparated(value: &[TokenTree]) -> Option<&Ident> {
    (1..value.len()).find_map(|at| {
        let TokenTree::Ident(word) = &value[at] else { return None };
        let is_key = KNOWN.iter().any(|(known, _)| *known == word.to_string());
        let follows = match &value[at - 1] {
            TokenTree::Punct(_) => false,
            TokenTree::Ident(_) => is_punct(value.get(at + 1), '='),
            TokenTree::Group(_) | TokenTree::Literal(_) => true,
        };
        (is_key && follows).then_some(word)
    })
}

fn not_an_argument(part: &[TokenTree]) -> Failure {
    match part {
        [TokenTree::Literal(literal)] if is_text(&literal.to_string()) => {
            Failure::about(part, format!("to name the benchmark, write `name = {literal}`"))
        }
        part => {
            let found = part.first().map(shown).unwrap_or_default();
            let example = KNOWN[1].1;
            let message = format!("expected an argument such as `{example}`, found `{found}`");
            Failure::about(part, message)
        }
    }
}

fn unknown(key: &Ident) -> Failure {
    let known = KNOWN.map(|(word, _)| word);
    let message = match nearest(&key.to_string(), &known) {
        Some(meant) => format!("unknown argument `{key}`: did you mean `{meant}`?"),
        None => format!("unknown argument `{key}`: there are `{}`", known.join("`, `")),
    };
    Failure::at(key.span(), message)
}

/// A value that is a string in quotes and not empty.
fn text(argument: Argument) -> Result<Argument, Failure> {
    let value = flattened(argument.tokens());
    let written = match value.as_slice() {
        [TokenTree::Literal(literal)] => literal.to_string(),
        _ => String::new(),
    };
    let key = &argument.key;
    if !is_text(&written) {
        let message = format!("`{key}` is a string in quotes: `{}`", example(key));
        return Err(Failure::about(&argument.value, message));
    }
    if written.trim_matches(['r', '#']) == "\"\"" {
        let message = format!("`{key}` is empty: give it a name, or leave it out");
        return Err(Failure::about(&argument.value, message));
    }
    Ok(argument)
}

fn is_text(literal: &str) -> bool {
    literal.trim_start_matches(['r', '#']).starts_with('"')
}

/// Refuses `[]`, which would leave nothing to measure.
fn not_empty(argument: Argument) -> Result<Argument, Failure> {
    match argument.value.as_slice() {
        [TokenTree::Group(group)]
            if group.delimiter() == Delimiter::Bracket && group.stream().is_empty() =>
        {
            Err(empty(&argument))
        }
        _ => Ok(argument),
    }
}

fn empty(argument: &Argument) -> Failure {
    let key = &argument.key;
    let message = format!("`{key}` is empty, so nothing would be measured: `{}`", example(key));
    Failure::about(&argument.value, message)
}

/// A value in brackets, taken apart.
fn list(argument: Argument, grammar: Grammar) -> Result<List, Failure> {
    let value = flattened(argument.tokens());
    let items = match value.as_slice() {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => group.stream(),
        _ => {
            let key = &argument.key;
            let message = format!("`{key}` is a list in brackets: `{}`", example(key));
            return Err(Failure::about(&argument.value, message));
        }
    };
    let items: Vec<TokenTree> = items.into_iter().collect();
    let items = comma_separated(&items, grammar);
    if items.is_empty() {
        return Err(empty(&argument));
    }
    if items.iter().any(|item| item.is_empty()) {
        return Err(nothing_between_commas(&argument.value));
    }
    let items = items.into_iter().map(<[TokenTree]>::to_vec).collect();
    Ok(List { key: argument.key, items })
}

/// A value that is a path without `<`.
fn path(argument: Argument) -> Result<Argument, Failure> {
    let value = flattened(argument.tokens());
    let is_part =
        |token: &TokenTree| matches!(token, TokenTree::Ident(_)) || is_punct(Some(token), ':');
    if !value.iter().all(is_part) || is_punct(value.last(), ':') {
        let message = format!("`crate` is a path: `{}`", example(&argument.key));
        return Err(Failure::about(&argument.value, message));
    }
    Ok(Argument { key: argument.key, value })
}

fn example(key: &Ident) -> &'static str {
    let key = key.to_string();
    KNOWN.iter().find(|(known, _)| *known == key).map_or("", |(_, example)| example)
}

/// A token for a message: of a group only its ends.
fn shown(token: &TokenTree) -> String {
    match token {
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Parenthesis => "(...)".to_string(),
            Delimiter::Brace => "{...}".to_string(),
            Delimiter::Bracket => "[...]".to_string(),
            Delimiter::None => group.to_string(),
        },
        token => token.to_string(),
    }
}
