//! Headers with credentials.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The value of `Authorization` for a user with a password.
#[must_use]
pub fn basic_authentication(user: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7617.
    #[test]
    fn a_user_and_a_password_are_one_text() {
        let value = basic_authentication("Aladdin", "open sesame");
        assert_eq!(value, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    }
}
