//! Tables in Markdown, AsciiDoc, Org-mode and LaTeX; the first row is the head.

use crate::layout::{Side, visible};

/// A cell of Markdown: special characters are escaped, and HTML is text.
fn for_markdown(cell: &str) -> String {
    let cell = visible(cell);
    let mut text = String::with_capacity(cell.len());
    let mut before = ' ';
    let mut letters = cell.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '\\' | '|' | '`' | '*' | '[' | ']' | '~' => text.extend(['\\', letter]),
            // Within a word it means nothing.
            '_' if !(before.is_alphanumeric()
                && letters.peek().is_some_and(|next| next.is_alphanumeric())) =>
            {
                text.push_str("\\_");
            }
            letter => text.push(letter),
        }
        before = letter;
    }
    text
}

/// A cell of AsciiDoc, which has raw HTML only by its own means. Special characters are written by
/// their codes.
fn for_asciidoc(cell: &str) -> String {
    let cell = visible(cell).replace("++", "&#43;&#43;");
    let mut text = String::with_capacity(cell.len());
    let mut rest = cell.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '|' => text.push_str("\\|"),
            '&' if rest.as_str().starts_with("#43;") => text.push('&'),
            '&' | '<' | '[' | '{' | '`' | '*' => {
                text.push_str(&format!("&#{};", u32::from(letter)));
            }
            letter => text.push(letter),
        }
    }
    text
}

/// A cell of Org-mode. It has no way to escape, so a space of no width stands within what would mean
/// something: raw HTML, links, macros, code that is run when the text is exported.
fn for_orgmode(cell: &str) -> String {
    let mut text = visible(cell).replace('\\', "\\backslash{}").replace('|', "\\vert{}");
    for (meant, broken) in [
        ("@@", "@\u{200b}@"),
        ("[[", "[\u{200b}["),
        ("{{{", "{\u{200b}{\u{200b}{"),
        ("src_", "src\u{200b}_"),
        ("call_", "call\u{200b}_"),
    ] {
        text = text.replace(meant, broken);
    }
    text
}

/// A text of LaTeX in which nothing is a command. Signs that its fonts lack are written by its own means,
/// so that the table also sets without packages.
pub(crate) fn for_latex(text: &str) -> String {
    let mut latex = String::with_capacity(text.len());
    let mut before = ' ';
    for letter in visible(text).chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => latex.extend(['\\', letter]),
            '\\' => latex.push_str("\\textbackslash{}"),
            '~' => latex.push_str("\\textasciitilde{}"),
            '^' => latex.push_str("\\textasciicircum{}"),
            '<' => latex.push_str("\\textless{}"),
            '>' => latex.push_str("\\textgreater{}"),
            '|' => latex.push_str("\\textbar{}"),
            '"' => latex.push_str("\\char34{}"),
            '`' => latex.push_str("\\char96{}"),
            // Two of them would be a dash, and ?` and !` another letter.
            '-' if before == '-' => latex.push_str("{}-"),
            '[' | ']' => latex.extend(['{', letter, '}']),
            '−' => latex.push_str("$-$"),
            '±' => latex.push_str("$\\pm$"),
            '×' => latex.push_str("$\\times$"),
            '∞' => latex.push_str("$\\infty$"),
            '≥' => latex.push_str("$\\geq$"),
            '≤' => latex.push_str("$\\leq$"),
            'µ' | 'μ' => latex.push_str("$\\mu$"),
            '→' => latex.push_str("$\\to$"),
            letter => latex.push(letter),
        }
        before = letter;
    }
    latex
}

/// A `tabular` with lines above, below and under the head; it needs no package.
pub(crate) fn latex(rows: &[Vec<String>], sides: &[Side]) -> String {
    let columns: String = sides
        .iter()
        .map(|side| match side {
            Side::Left => 'l',
            Side::Right => 'r',
        })
        .collect();
    let mut text = format!("\\begin{{tabular}}{{{columns}}}\n\\hline\n");
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| for_latex(cell)).collect();
        text.push_str(&format!("{} \\\\\n", cells.join(" & ")));
        if number == 0 {
            text.push_str("\\hline\n");
        }
    }
    text.push_str("\\hline\n\\end{tabular}\n");
    text
}

pub(crate) fn markdown(rows: &[Vec<String>], sides: &[Side]) -> String {
    let rule: String = sides
        .iter()
        .map(|side| match side {
            Side::Left => "|:---",
            Side::Right => "|---:",
        })
        .collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| for_markdown(cell)).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
        if number == 0 {
            text.push_str(&format!("{rule}|\n"));
        }
    }
    text
}

pub(crate) fn asciidoc(rows: &[Vec<String>], sides: &[Side]) -> String {
    let columns: Vec<&str> = sides
        .iter()
        .map(|side| match side {
            Side::Left => "<",
            Side::Right => ">",
        })
        .collect();
    let mut text = format!("[cols=\"{}\", options=\"header\"]\n|===\n", columns.join(","));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| for_asciidoc(cell)).collect();
        text.push_str(&format!("| {}\n", cells.join(" | ")));
    }
    text.push_str("|===\n");
    text
}

pub(crate) fn orgmode(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| for_orgmode(cell)).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
        if number == 0 {
            text.push_str(&format!("|{}|\n", vec!["---"; row.len()].join("+")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str =
        "<img src=x onerror=a()> & [x](javascript:a) `b` *c* __d__ my_name a|b \u{202e}\nz\\";

    fn rows(cell: &str) -> Vec<Vec<String>> {
        vec![vec!["name".to_string()], vec![cell.to_string()]]
    }

    fn last(text: &str) -> &str {
        text.lines().rfind(|line| line.starts_with("| ")).unwrap()
    }

    #[test]
    fn markdown_is_text() {
        let text = markdown(&rows(HOSTILE), &[Side::Left]);
        assert_eq!(text.lines().count(), 3, "a name is one cell: {text}");
        assert_eq!(
            last(&text),
            "| &lt;img src=x onerror=a()&gt; &amp; \\[x\\](javascript:a) \\`b\\` \\*c\\* \\_\\_d\\_\\_ \
             my_name a\\|b \u{fffd}\u{fffd}z\\\\ |"
        );
    }

    #[test]
    fn asciidoc_is_text() {
        let text = asciidoc(&rows("+++<b>+++ pass:[<b>] C++ a|b {x} &amp; 1+1"), &[Side::Left]);
        assert_eq!(
            last(&text),
            "| &#43;&#43;+&#60;b>&#43;&#43;+ pass:&#91;&#60;b>] C&#43;&#43; a\\|b &#123;x} &#38;amp; 1+1"
        );
    }

    #[test]
    fn latex_is_text() {
        let rows = vec![
            vec!["a_b".to_string()],
            vec!["\\input{x} 50% $x$ #1 ~ ^ [2] a--b |é µs".to_string()],
        ];
        assert_eq!(
            latex(&rows, &[Side::Left]),
            "\\begin{tabular}{l}\n\\hline\na\\_b \\\\\n\\hline\n\\textbackslash{}input\\{x\\} 50\\% \\$x\\$ \\#1 \
             \\textasciitilde{} \\textasciicircum{} {[}2{]} a-{}-b \\textbar{}é $\\mu$s \\\\\n\\hline\n\\end{tabular}\n"
        );
    }

    #[test]
    fn org_is_text() {
        let text = orgmode(&rows("@@html:<b>@@ [[x]] src_sh{rm} {{{m}}} \\input{x} a|b"));
        for meant in ["@@", "[[", "src_sh", "{{{", "\\input", "a|b"] {
            assert!(!text.contains(meant), "{meant}: {text}");
        }
        assert!(text.contains("a\\vert{}b"), "{text}");
    }
}
