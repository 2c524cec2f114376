//! The parts of a report put together.

use super::html::Html;
use super::policy::policy;
use crate::page::{Page, PageMissing};

/// How the part looks that needs no script.
const STYLE: &str = include_str!("../../web/src/report/document.css");
/// What the page brings along.
const THEME: &str = include_str!("../../web/src/theme.css");
const FIGURES: &str = include_str!("../../web/src/figure/figure.css");
const PRINT: &str = include_str!("../../web/src/report/print.css");

/// Where a page says its name, before any script: the policy must come first.
const TITLE: &str = "<title>Fathom</title>";
const END: &str = "</body>";

/// What is in a report.
pub(super) struct Contents<'a> {
    /// Of the window or tab.
    pub(super) title: &'a str,
    /// What made it.
    pub(super) made_by: &'a str,
    /// JSON that can stand in a script.
    pub(super) data: &'a str,
    /// What is read without scripts.
    pub(super) body: &'a Html,
}

/// One file: the page with the data inside, or the plain part alone where there is no page.
pub(super) fn file(page: Result<&str, PageMissing>, contents: &Contents<'_>) -> String {
    match page.ok().and_then(places) {
        Some((head, middle, end)) => in_page(head, middle, end, contents),
        None => alone(contents),
    }
}

/// What precedes the title, what comes up to the end of the body, and the rest.
fn places(page: &str) -> Option<(&str, &str, &str)> {
    let (head, rest) = page.split_once(TITLE)?;
    // The last one: a script may have the words in it.
    let end = rest.rfind(END)?;
    Some((head, &rest[..end], &rest[end..]))
}

fn in_page(head: &str, middle: &str, end: &str, contents: &Contents<'_>) -> String {
    let styled = format!("<style>{STYLE}</style>{middle}");
    let own_head = own_head(contents, &Page::of(&styled));
    let mut text = String::with_capacity(styled.len() + contents.data.len() + 100_000);
    for part in [
        head,
        own_head.as_str(),
        &styled,
        contents.body.as_str(),
        "<script type=\"application/json\" id=\"fathom-report\">",
        contents.data,
        "</script>\n",
        end,
    ] {
        text.push_str(part);
    }
    text
}

fn alone(contents: &Contents<'_>) -> String {
    let style = format!("<style>{THEME}{PRINT}{FIGURES}{STYLE}</style>");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         {}{style}\n</head>\n<body>\n{}</body>\n</html>\n",
        own_head(contents, &Page::of(&style)).as_str(),
        contents.body.as_str(),
    )
}

/// `page` has the scripts and styles that may run.
fn own_head(contents: &Contents<'_>, page: &Page) -> Html {
    let mut html = Html::default();
    html.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"");
    html.text(&policy(page)).markup("\">\n");
    html.markup("<meta name=\"generator\" content=\"").text(contents.made_by).markup("\">\n");
    html.markup("<title>").text(contents.title).markup("</title>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\" />\
        <title>Fathom</title><script type=\"module\">\"</body>\"</script><style>p{}</style></head>\
        <body><div id=\"app\"></div></body></html>";

    fn written(page: Result<&str, PageMissing>, title: &str) -> String {
        let mut body = Html::default();
        body.markup("<main id=\"fathom-document\">").text("B is slower").markup("</main>");
        file(page, &Contents { title, made_by: "fathom 0.1.0", data: "{\"a\":1}", body: &body })
    }

    #[test]
    fn the_page_gets_policy_title_document_and_data() {
        let text = written(Ok(PAGE), "<b>");
        let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        assert!(place("http-equiv") < place("<script"), "{text}");
        assert!(place("<title>&lt;b&gt;</title>") < place("<script"), "{text}");
        assert!(place("id=\"app\"") < place("id=\"fathom-document"), "{text}");
        assert!(
            place("id=\"fathom-document") < place("id=\"fathom-report\">{\"a\":1}</script>"),
            "{text}"
        );
        assert!(text.ends_with("</body></html>"), "{text}");
    }

    #[test]
    fn without_a_page_the_document_stands_alone() {
        let text = written(Err(PageMissing), "t");
        assert!(text.contains("B is slower"));
        assert!(text.contains("default-src &#39;none&#39;"), "{text}");
        assert!(!text.contains("<script"), "{text}");
        assert_eq!(written(Ok("another page"), "t"), text);
    }

    #[test]
    fn the_page_of_this_build_has_its_places() {
        if let Ok(page) = crate::page::html() {
            assert!(places(page).is_some());
        }
    }
}
