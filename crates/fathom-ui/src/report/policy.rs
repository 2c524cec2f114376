//! What a report may do in the reader's browser: run and show what is in it, and fetch nothing.

use crate::page::Page;

/// The policy of a file whose scripts and styles these are.
pub(super) fn policy(page: &Page) -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; \
         form-action 'none'",
        page.script_hashes(),
        page.style_hashes(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_comes_from_elsewhere() {
        let text = policy(&Page::of("<style>b</style>"));
        assert!(text.starts_with("default-src 'none'; script-src 'none'; style-src 'sha256-"));
        assert!(!text.contains("unsafe"), "{text}");
    }
}
