//! The secret part of the address.

use std::fmt::{self, Write};
use std::hint::black_box;

/// 128 random bits, as text.
#[derive(Clone)]
pub(super) struct Token {
    hex: String,
}

impl Token {
    /// From the operating system's generator.
    pub(super) fn random() -> Result<Token, getrandom::Error> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes)?;
        let mut hex = String::new();
        for byte in bytes {
            // Writing into text cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        Ok(Token { hex })
    }

    /// Whether it has the form of one.
    pub(super) fn may_be(text: &str) -> bool {
        text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// Whether it is this one; how long that takes does not depend on where they differ.
    pub(super) fn is(&self, text: &str) -> bool {
        if text.len() != self.hex.len() {
            return false;
        }
        let pairs = self.hex.bytes().zip(text.bytes());
        let difference = pairs.fold(0_u8, |sum, (ours, theirs)| black_box(sum | (ours ^ theirs)));
        difference == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.to_string().len(), 32);
        assert!(one.is(&one.to_string()));
        assert!(!one.is(&other.to_string()));
        for near in ["", &one.to_string()[1..], &format!("{one}0")] {
            assert!(!one.is(near), "{near}");
        }
    }

    #[test]
    fn only_32_hexadecimal_digits_may_be_one() {
        assert!(Token::may_be(&Token::random().unwrap().to_string()));
        assert!(Token::may_be(&"0f".repeat(16)));
        for text in ["", "0f", &"0f".repeat(17), &"0g".repeat(16), &"é".repeat(16)] {
            assert!(!Token::may_be(text), "{text}");
        }
    }
}
