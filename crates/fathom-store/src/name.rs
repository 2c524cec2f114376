//! Names that users give to sessions.

use crate::StoreError;
use fathom_record::foreign_text::is_steering;

/// The word that means the newest session.
pub(crate) const LAST: &str = "last";

/// Whether a session may be called this; the error says why not.
///
/// A number would be taken for an id, and "last" for the newest session.
///
/// ```
/// assert!(fathom_store::check_name("before the change").is_ok());
/// assert!(fathom_store::check_name("12").is_err());
/// ```
pub fn check_name(name: &str) -> Result<(), StoreError> {
    let why = if name.trim().is_empty() {
        "it is empty"
    } else if name == LAST {
        "that name means the newest session"
    } else if name.bytes().all(|byte| byte.is_ascii_digit()) {
        "a number is always the id of a session"
    } else if name.chars().any(is_steering) {
        "it contains control characters or invisible characters"
    } else {
        return Ok(());
    };
    Err(StoreError::BadName { name: name.to_string(), why })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_something_else_are_refused() {
        for bad in ["", "  ", "last", "7", "007", "a\nb", "\u{1b}[2J"] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
        for good in ["main", "v1.2", "12a", "Last", "größer"] {
            assert!(check_name(good).is_ok(), "{good:?}");
        }
    }
}
