//! The words and signs a property is made of.

use super::text_span::TextSpan;
use crate::formula::Relation;

/// A word or sign, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) place: TextSpan,
}

/// A word or sign.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    /// A name that is not reserved.
    Name(String),
    /// A name in quotes.
    Quoted(String),
    /// A number, with the unit that is attached to it.
    Number { digits: String, unit: Option<String> },
    /// A reserved word, or the sign that means the same.
    Word(Word),
    /// A sign of comparison.
    Relation(Relation),
    /// Any other sign.
    Sign(Sign),
    /// After everything else.
    End,
}

/// Reserved words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Always,
    Eventually,
    Until,
    WeakUntil,
    And,
    Or,
    Not,
    Implies,
    Iff,
    True,
    False,
    Share,
    Where,
    At,
    Of,
}

/// Signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Open,
    Close,
    OpenSquare,
    CloseSquare,
    Comma,
    Colon,
    OfRun,
    Plus,
    Minus,
    Times,
    Divide,
    Power,
    Percent,
}

impl Word {
    /// The word that is written so.
    pub(crate) fn parse(text: &str) -> Option<Word> {
        Some(match text {
            "always" | "G" => Word::Always,
            "eventually" | "F" => Word::Eventually,
            "until" | "U" => Word::Until,
            "weak_until" => Word::WeakUntil,
            "and" => Word::And,
            "or" => Word::Or,
            "not" => Word::Not,
            "implies" => Word::Implies,
            "iff" => Word::Iff,
            "true" => Word::True,
            "false" => Word::False,
            "P" => Word::Share,
            "where" => Word::Where,
            "at" => Word::At,
            "of" => Word::Of,
            _ => return None,
        })
    }
}

/// The operator that a word from another tool, or from habit, means here.
pub(crate) fn foreign(word: &str) -> Option<&'static str> {
    Some(match word {
        "alw" | "alw_" | "globally" | "Always" | "ALWAYS" => "always",
        "ev" | "ev_" | "finally" | "Eventually" | "EVENTUALLY" => "eventually",
        "until_" | "Until" | "UNTIL" => "until",
        "W" => "weak_until",
        "AND" | "And" => "and",
        "OR" | "Or" => "or",
        "NOT" | "Not" => "not",
        "implication" | "IMPLIES" | "Implies" => "implies",
        _ => return None,
    })
}
