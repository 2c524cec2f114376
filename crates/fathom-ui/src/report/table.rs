//! Tables that are read without scripts, aloud and on paper.

use super::html::Html;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// The name of the row.
    Name(&'static str),
    /// Words.
    Words(&'static str),
    /// Numbers, flush right.
    Numbers(&'static str),
    /// A small picture.
    Picture(&'static str),
}

/// A table; each row has a cell per column, already HTML.
pub(super) fn table(
    html: &mut Html,
    caption: &'static str,
    columns: &[Column],
    rows: impl IntoIterator<Item = Vec<Html>>,
) {
    html.markup("<div class=\"wide\"><table>\n<caption>").text(caption);
    html.markup("</caption>\n<thead><tr>");
    for column in columns {
        let (class, head) = match column {
            Column::Name(head) | Column::Words(head) => ("", head),
            Column::Numbers(head) => (" class=\"number\"", head),
            Column::Picture(head) => (" class=\"picture\"", head),
        };
        html.markup("<th scope=\"col\"").markup(class).markup(">").text(head).markup("</th>");
    }
    html.markup("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.markup("<tr>");
        for (column, cell) in columns.iter().zip(&row) {
            let (open, close) = match column {
                Column::Name(_) => ("<th scope=\"row\">", "</th>"),
                Column::Words(_) => ("<td>", "</td>"),
                Column::Numbers(_) => ("<td class=\"number\">", "</td>"),
                Column::Picture(_) => ("<td class=\"picture\">", "</td>"),
            };
            html.markup(open).html(cell).markup(close);
        }
        html.markup("</tr>\n");
    }
    html.markup("</tbody>\n</table></div>\n");
}

/// A cell of text. A name that is written from right to left leaves the others where they are.
pub(super) fn cell(text: &str) -> Html {
    let mut html = Html::default();
    html.markup("<bdi>").text(text).markup("</bdi>");
    html
}

/// A cell of numbers, or of nothing.
pub(super) fn number(text: &str) -> Html {
    let mut html = Html::default();
    html.text(text);
    html
}
