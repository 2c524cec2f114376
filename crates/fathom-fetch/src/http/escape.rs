//! Parameters of a request.

use std::fmt::Write;

/// Parameters as a query string or the body of a form: `query=up%7Ba%3D%22b%22%7D&time=1`.
#[must_use]
pub fn form(parameters: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in parameters {
        if !text.is_empty() {
            text.push('&');
        }
        for (part, behind) in [(name, "="), (value, "")] {
            for byte in part.bytes() {
                match byte {
                    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                        text.push(char::from(byte));
                    }
                    // Writing to a string cannot fail.
                    byte => {
                        let _ = write!(text, "%{byte:02X}");
                    }
                }
            }
            text.push_str(behind);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_is_escaped() {
        assert_eq!(form(&[]), "");
        let parameters = [("match[]", "{a=\"b c\"}"), ("time", "1.5"), ("x", "\u{e4}&=+%")];
        assert_eq!(
            form(&parameters),
            "match%5B%5D=%7Ba%3D%22b%20c%22%7D&time=1.5&x=%C3%A4%26%3D%2B%25"
        );
    }
}
