//! The page, as the build script made it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Empty if it could not be made.
const BUILT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));

/// The page could not be made when this program was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "this build of Fathom has no web page: Node was missing, or npm failed, when it was built. Install \
     Node 20.19 or later with npm, run `cargo clean -p fathom-ui` and build Fathom again; the build's \
     warnings say what is missing"
)]
pub struct PageMissing;

/// One file of HTML with its scripts and styles inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    html: String,
}

impl Page {
    /// The explorer's.
    pub fn built() -> Result<Page, PageMissing> {
        html().map(Page::of)
    }

    /// Of text.
    #[must_use]
    pub fn of(html: &str) -> Page {
        Page { html: html.to_string() }
    }

    /// Its text.
    #[must_use]
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Its scripts by their hashes, as a content policy names them: "'sha256-...' 'sha256-...'".
    pub(crate) fn script_hashes(&self) -> String {
        self.hashes(SCRIPT)
    }

    /// Its styles.
    pub(crate) fn style_hashes(&self) -> String {
        self.hashes(STYLE)
    }

    /// 'none' if there are none, which is how a policy says so.
    fn hashes(&self, element: Element) -> String {
        let of_kind = elements(&self.html).filter(|(kind, _)| *kind == element);
        let hash = |(_, text)| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
        let found: Vec<String> = of_kind.map(hash).collect();
        if found.is_empty() { "'none'".to_string() } else { found.join(" ") }
    }
}

/// The text of the explorer's page.
pub(crate) fn html() -> Result<&'static str, PageMissing> {
    if BUILT.is_empty() { Err(PageMissing) } else { Ok(BUILT) }
}

/// How an element begins and how it ends.
type Element = (&'static str, &'static str);

const SCRIPT: Element = ("<script", "</script>");
const STYLE: Element = ("<style", "</style>");

/// Scripts and styles with their text, in order. As browsers see it: the text goes to the first tag
/// that closes the element, and what looks like a tag before that is none.
fn elements(html: &str) -> impl Iterator<Item = (Element, &str)> {
    let mut rest = html;
    std::iter::from_fn(move || {
        let begins = |element: Element| Some((rest.find(element.0)?, element));
        let (at, element) = [SCRIPT, STYLE].into_iter().filter_map(begins).min()?;
        let (_, text) = rest.get(at..)?.split_once('>')?;
        let (text, after) = text.split_once(element.1)?;
        rest = after;
        Some((element, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_styles_are_known_by_their_hashes() {
        let page = Page::of(
            "<script type=\"module\">a</script><style x>b</style><script>c<style></script>",
        );
        // As `printf a | openssl dgst -sha256 -binary | base64` says.
        let a = "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='";
        let b = "'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='";
        let c = "'sha256-lQvAOEx6Gfma3ORNZl4eyRU/3k68gnKxQMCvQagH8O4='";
        assert_eq!(page.script_hashes(), format!("{a} {c}"));
        assert_eq!(page.style_hashes(), b);
        assert_eq!(Page::of("<p>no</p>").script_hashes(), "'none'");
    }

    #[test]
    fn the_built_page_is_one_file() {
        let Ok(page) = Page::built() else { return };
        assert_eq!(page.script_hashes().matches("sha256").count(), 1);
        assert_eq!(page.style_hashes().matches("sha256").count(), 1);
        for elsewhere in ["<link rel=\"stylesheet\"", "<script src", " src=\"/"] {
            assert!(!page.html().contains(elsewhere), "{elsewhere}");
        }
    }
}
