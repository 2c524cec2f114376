//! Tables in Markdown, AsciiDoc and Org-mode; the first row is the head.

use crate::layout::Side;

pub(crate) fn markdown(rows: &[Vec<String>], sides: &[Side]) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('`', "\\`");
    let rule: String = sides
        .iter()
        .map(|side| match side {
            Side::Left => "|:---",
            Side::Right => "|---:",
        })
        .collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
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
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text.push_str(&format!("| {}\n", cells.join(" | ")));
    }
    text.push_str("|===\n");
    text
}

pub(crate) fn orgmode(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        // Org has no escape for the bar; this entity shows as one.
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\vert{}")).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
        if number == 0 {
            text.push_str(&format!("|{}|\n", vec!["---"; row.len()].join("+")));
        }
    }
    text
}
