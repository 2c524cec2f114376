//! Any text is a request, which is printed and stored again, or an error that says what is wrong.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/requests.rs`.

use fathom_record::foreign_text::is_steering;
use fathom_request::Request;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Request::read(text) {
        Ok(request) => {
            let stored = request.to_json();
            let again = Request::read(&stored).expect("what was stored reads back");
            assert_eq!(again.to_json(), stored);
            assert_eq!(again, request);
            assert!(request.command_line().starts_with("fathom "));
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains(is_steering), "{text:?}");
        }
    }
}
