//! HTML that is written piece by piece, so that what came from elsewhere can only enter escaped.

use crate::figure::{Drawing, Figure};
use fathom_record::foreign_text::is_steering;

/// A piece of HTML.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Html(String);

impl Html {
    /// Markup that stands in this program's source.
    pub(super) fn markup(&mut self, markup: &'static str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Text from anywhere; in attributes too, if those are in double quotes.
    pub(super) fn text(&mut self, text: &str) -> &mut Html {
        self.0.push_str(&escaped(text));
        self
    }

    /// A figure at the width of paper.
    pub(super) fn figure(&mut self, figure: &Figure) -> &mut Html {
        let Drawing { width, height, .. } = figure.wide;
        self.markup("<figure class=\"drawn\">\n<figcaption>").text(&figure.title);
        self.markup("</figcaption>\n<svg class=\"fathom-figure\" viewBox=\"0 0 ").place(width);
        self.markup(" ").place(height).markup("\" role=\"img\"><title>").text(&figure.says);
        self.markup("</title>\n");
        self.0.push_str(&figure.wide.elements());
        self.markup("</svg>\n");
        if let Some(note) = &figure.note {
            self.markup("<p class=\"trail\">").text(note).markup("</p>\n");
        }
        self.markup("</figure>\n")
    }

    /// A place in a picture, to a tenth.
    pub(super) fn place(&mut self, place: f64) -> &mut Html {
        let text = format!("{place:.1}");
        self.0.push_str(text.strip_suffix(".0").unwrap_or(&text));
        self
    }

    /// Another piece.
    pub(super) fn html(&mut self, other: &Html) -> &mut Html {
        self.0.push_str(&other.0);
        self
    }

    /// "<h2>Estimates</h2>".
    pub(super) fn heading(&mut self, text: &'static str) -> &mut Html {
        self.markup("<h2>").text(text).markup("</h2>\n")
    }

    /// A paragraph.
    pub(super) fn paragraph(&mut self, text: &str) -> &mut Html {
        self.markup("<p>").text(text).markup("</p>\n")
    }

    /// A list, unless it is empty; of the class "warnings", "notes".
    pub(super) fn list<'t>(
        &mut self,
        class: &'static str,
        items: impl IntoIterator<Item = &'t str>,
    ) -> &mut Html {
        let mut items = items.into_iter().peekable();
        if items.peek().is_none() {
            return self;
        }
        self.markup("<ul class=\"").markup(class).markup("\">\n");
        for item in items {
            self.markup("<li>").text(item).markup("</li>\n");
        }
        self.markup("</ul>\n")
    }

    /// A command to copy.
    pub(super) fn command(&mut self, command: &str) -> &mut Html {
        self.markup("<pre><code>").text(command).markup("</code></pre>\n")
    }

    /// As text.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Text that can stand in markup, and in attributes in double quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter if is_disguise(letter) => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

/// What would not be seen, or would turn around the letters that follow it.
fn is_disguise(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        letter => is_steering(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        Html::default().text(text).as_str().to_string()
    }

    #[test]
    fn text_is_never_markup() {
        assert_eq!(
            text("<img src=x onerror=\"a('b')\"> & </script>"),
            "&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; &lt;/script&gt;"
        );
        assert_eq!(text("<!-- ]]>"), "&lt;!-- ]]&gt;");
    }

    #[test]
    fn text_hides_nothing() {
        assert_eq!(text("a\0b\u{1b}[31m\u{7f}"), "a\u{fffd}b\u{fffd}[31m\u{fffd}");
        assert_eq!(text("evil\u{202e}gnp.exe\u{2066}"), "evil\u{fffd}gnp.exe\u{fffd}");
        assert_eq!(text("a\u{2028}b\u{200b}\u{feff}"), "a\u{fffd}b\u{fffd}\u{fffd}");
        assert_eq!(text("שלום, 漢字\n"), "שלום, 漢字\n");
    }

    #[test]
    fn places_are_short() {
        let mut html = Html::default();
        html.place(3.0).text(" ").place(2.25).text(" ").place(-0.04);
        assert_eq!(html.as_str(), "3 2.2 -0");
    }

    #[test]
    fn empty_lists_are_left_out() {
        let mut html = Html::default();
        html.list("notes", []);
        assert_eq!(html, Html::default());
        html.list("notes", ["a & b"]);
        assert_eq!(html.as_str(), "<ul class=\"notes\">\n<li>a &amp; b</li>\n</ul>\n");
    }
}
