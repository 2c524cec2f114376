//! From text to words and signs.

use super::error::PropertyError;
use super::text_span::TextSpan;
use super::token::{Placed, Sign, Token, Word};
use crate::formula::Relation;
use fathom_record::foreign_text::is_steering;

/// The words and signs of `text`; the last is [`Token::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Placed>, PropertyError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut found = Vec::new();
    loop {
        lexer.skip_space();
        let start = lexer.at;
        let token = lexer.token()?;
        let is_end = token == Token::End;
        found.push(Placed { token, place: TextSpan::new(start, lexer.at) });
        if is_end {
            return Ok(found);
        }
    }
}

/// Whether `text` can stand as a name without quotes (unless it is reserved).
pub(crate) fn is_plain_name(text: &str) -> bool {
    let mut lexer = Lexer { text, at: 0 };
    text.starts_with(begins_name) && lexer.name().len() == text.len()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or("")
    }

    fn skip_space(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if self.peek() != Some('#') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn error(&self, start: usize, message: String, remedy: &str) -> PropertyError {
        PropertyError::new(self.text, TextSpan::new(start, self.at), message, remedy)
    }

    fn token(&mut self) -> Result<Token, PropertyError> {
        let Some(first) = self.peek() else { return Ok(Token::End) };
        let second = self.rest().chars().nth(1);
        if begins_name(first) {
            let name = self.name();
            return Ok(Word::parse(name).map_or_else(|| Token::Name(name.to_string()), Token::Word));
        }
        if first.is_ascii_digit() || first == '.' && second.is_some_and(|c| c.is_ascii_digit()) {
            return Ok(self.number());
        }
        if first == '"' {
            return self.quoted();
        }
        self.sign()
    }

    /// A name with its parts, as in `system.cpu.ipc` and `dist::total`.
    fn name(&mut self) -> &'a str {
        let start = self.at;
        self.take_while(is_name_character);
        loop {
            let rest = self.rest();
            let separator =
                if rest.starts_with("::") { 2 } else { usize::from(rest.starts_with('.')) };
            let goes_on =
                rest.get(separator..).is_some_and(|rest| rest.starts_with(is_name_character));
            if separator == 0 || !goes_on {
                return self.text.get(start..self.at).unwrap_or("");
            }
            self.at += separator;
            self.take_while(is_name_character);
        }
    }

    fn number(&mut self) -> Token {
        let is_digit = |c: char| c.is_ascii_digit();
        let mut digits = self.take_while(is_digit).to_string();
        if digits.is_empty() {
            digits.push('0');
        }
        let fraction = self.rest().strip_prefix('.');
        if fraction.is_some_and(|rest| rest.starts_with(is_digit)) {
            self.at += 1;
            digits.push('.');
            digits.push_str(self.take_while(is_digit));
        }
        let exponent =
            self.rest().strip_prefix(['e', 'E']).map(|rest| (rest, rest.strip_prefix(['+', '-'])));
        if let Some((rest, signed)) = exponent
            && signed.unwrap_or(rest).starts_with(is_digit)
        {
            digits.push('e');
            if rest.starts_with('-') {
                digits.push('-');
            }
            self.at += 1 + usize::from(signed.is_some());
            digits.push_str(self.take_while(is_digit));
        }
        let rest = self.rest();
        let unit = if rest.starts_with(begins_name) {
            Some(self.take_while(is_name_character).to_string())
        } else if rest.starts_with('%') {
            self.at += 1;
            Some("%".to_string())
        } else if rest.starts_with("°C") {
            self.at += "°C".len();
            Some("°C".to_string())
        } else {
            None
        };
        Token::Number { digits, unit }
    }

    fn quoted(&mut self) -> Result<Token, PropertyError> {
        let start = self.at;
        let mut name = String::new();
        let mut is_escaped = false;
        for (at, c) in self.rest().char_indices().skip(1) {
            match c {
                c if is_escaped => {
                    name.push(c);
                    is_escaped = false;
                }
                '\\' => is_escaped = true,
                '"' => {
                    self.at += at + 1;
                    if name.is_empty() {
                        let remedy = "put the name of a metric or event between the quotes";
                        return Err(self.error(start, "the quoted name is empty".into(), remedy));
                    }
                    return Ok(Token::Quoted(name));
                }
                c => name.push(c),
            }
        }
        self.at += 1;
        let message = "the quoted name is not closed".to_string();
        Err(self.error(start, message, "close it with `\"`, or remove this quote"))
    }

    fn sign(&mut self) -> Result<Token, PropertyError> {
        let signs: [(&str, Token); 27] = [
            ("<->", Token::Word(Word::Iff)),
            ("->", Token::Word(Word::Implies)),
            ("&&", Token::Word(Word::And)),
            ("||", Token::Word(Word::Or)),
            ("<=", Token::Relation(Relation::AtMost)),
            (">=", Token::Relation(Relation::AtLeast)),
            ("==", Token::Relation(Relation::Equal)),
            ("!=", Token::Relation(Relation::Unequal)),
            ("<", Token::Relation(Relation::Less)),
            (">", Token::Relation(Relation::Greater)),
            ("=", Token::Relation(Relation::Equal)),
            ("!", Token::Word(Word::Not)),
            ("(", Token::Sign(Sign::Open)),
            (")", Token::Sign(Sign::Close)),
            ("[", Token::Sign(Sign::OpenSquare)),
            ("]", Token::Sign(Sign::CloseSquare)),
            (",", Token::Sign(Sign::Comma)),
            (":", Token::Sign(Sign::Colon)),
            ("@", Token::Sign(Sign::OfRun)),
            ("+", Token::Sign(Sign::Plus)),
            ("-", Token::Sign(Sign::Minus)),
            ("*", Token::Sign(Sign::Times)),
            ("/", Token::Sign(Sign::Divide)),
            ("^", Token::Sign(Sign::Power)),
            ("%", Token::Sign(Sign::Percent)),
            // Both signs for minus that are not on keyboards, from documents.
            ("\u{2212}", Token::Sign(Sign::Minus)),
            ("\u{2013}", Token::Sign(Sign::Minus)),
        ];
        let start = self.at;
        // Longest first, since these begin like signs of ours.
        let foreign = [
            ("<=>", "write `<->` for \"if and only if\""),
            ("=>", "write `->` for \"implies\", or `>=` for \"at least\""),
            ("=<", "write `<=` for \"at most\""),
            ("<>", "write `!=` for \"differs from\""),
            ("/\\", "write `and`"),
            ("\\/", "write `or`"),
            ("**", "write a product, such as `x * x`"),
        ];
        for (sign, remedy) in foreign {
            if self.rest().starts_with(sign) {
                self.at += sign.len();
                return Err(self.error(start, format!("unknown operator `{sign}`"), remedy));
            }
        }
        for (sign, token) in signs {
            if self.rest().starts_with(sign) {
                self.at += sign.len();
                return Ok(token);
            }
        }
        let Some(c) = self.peek() else { return Ok(Token::End) };
        self.at += c.len_utf8();
        let remedy = match c {
            '&' => "write `and` or `&&`",
            '|' => "write `or` or `||`",
            '~' | '¬' => "write `not` or `!`",
            '≤' => "write `<=`",
            '≥' => "write `>=`",
            '≠' => "write `!=`",
            '→' | '⇒' => "write `->`",
            '∧' => "write `and`",
            '∨' => "write `or`",
            '□' => "write `always` or `G`",
            '◇' => "write `eventually` or `F`",
            '\'' | '`' | '“' | '”' => {
                "put names with unusual characters in double quotes: `\"L1-misses\"`"
            }
            '?' => "to compare a share, write `P(...) < 0.1`",
            '{' | '}' => "use `(` and `)`, or `[` and `]` for times",
            ';' => "separate two times with a comma, and two conditions with `and`",
            '.' => "write a number as `5` or `5.0`, and a name as `system.cpu.ipc`",
            _ => "put names with unusual characters in double quotes: `\"L1-misses\"`",
        };
        let shown = if is_steering(c) { format!("the character {c:?}") } else { format!("`{c}`") };
        Err(self.error(start, format!("{shown} has no meaning here"), remedy))
    }
}
