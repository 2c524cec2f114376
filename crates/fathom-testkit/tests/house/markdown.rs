//! The Markdown files of the repository, and what is in them: links and code.

use fathom_testkit::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with nothing of ours in them.
const NOT_OURS: &[&str] = &["target", "node_modules", "dist", ".git", ".venv"];

/// A Markdown file.
pub(super) struct Page {
    /// Where it is, from the top of the repository.
    pub(super) path: PathBuf,
    text: String,
}

/// A piece of a page, with the line on which it begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) line: usize,
    pub(super) text: String,
}

/// All Markdown files.
pub(super) fn pages() -> Vec<Page> {
    let top = repository::top();
    let mut pages = Vec::new();
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap_or_default();
            if path.is_dir() && !NOT_OURS.contains(&name) {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(&top).unwrap().to_path_buf();
                pages.push(Page { path, text });
            }
        }
    }
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(pages.len() > 50, "the walk is broken: {} pages", pages.len());
    pages
}

impl Page {
    #[cfg(test)]
    fn of(text: &str) -> Page {
        Page { path: PathBuf::from("page.md"), text: text.to_string() }
    }

    /// The folder that it is in, from the top of the repository.
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap()
    }

    /// "docs/json.md:17".
    pub(super) fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }

    /// Everything that is shown as code: lines in fences, lines indented by four, and `spans`, which
    /// may go on over the end of a line.
    pub(super) fn code(&self) -> Vec<Piece> {
        self.parted().0
    }

    /// Where links lead: `[text](here)`, and `[name]: here` at the beginning of a line.
    pub(super) fn links(&self) -> Vec<Piece> {
        let mut links = Vec::new();
        for Piece { line, text } in self.parted().1 {
            if let Some((_, target)) = text.split_once("]: ").filter(|_| text.starts_with('[')) {
                links.push(Piece { line, text: first_word(target) });
            }
            for part in text.split("](").skip(1) {
                if let Some((target, _)) = part.split_once(')') {
                    links.push(Piece { line, text: first_word(target) });
                }
            }
        }
        links
    }

    /// What is code, and the prose between, by line.
    fn parted(&self) -> (Vec<Piece>, Vec<Piece>) {
        let (mut code, mut prose) = (Vec::new(), Vec::new());
        let mut fence: Option<String> = None;
        // A span that has begun: the line it began on, and what it holds so far.
        let mut span: Option<Piece> = None;
        for (line, text) in self.text.lines().enumerate().map(|(n, text)| (n + 1, text)) {
            let marks: String =
                text.trim_start().chars().take_while(|&c| c == '`' || c == '~').collect();
            if let Some(open) = &fence {
                if marks.starts_with(open.as_str()) {
                    fence = None;
                } else {
                    code.push(Piece { line, text: text.to_string() });
                }
                continue;
            }
            if marks.len() >= 3 && span.is_none() {
                fence = Some(marks);
                continue;
            }
            if text.trim().is_empty() {
                // A span ends with its paragraph at the latest: then it was only a backtick.
                span = None;
                continue;
            }
            if text.starts_with("    ") && span.is_none() {
                code.push(Piece { line, text: text.to_string() });
                continue;
            }
            let mut between = String::new();
            for (n, part) in text.split('`').enumerate() {
                if n > 0 {
                    match span.take() {
                        Some(whole) => code.push(whole),
                        None => span = Some(Piece { line, text: String::new() }),
                    }
                }
                match &mut span {
                    Some(open) => open.text.push_str(part),
                    None => between.push_str(part),
                }
            }
            if let Some(open) = &mut span {
                open.text.push(' ');
            }
            prose.push(Piece { line, text: between });
        }
        (code, prose)
    }
}

/// Without a title, as in `[text](page.md "title")`.
fn first_word(target: &str) -> String {
    target.split_whitespace().next().unwrap_or_default().to_string()
}

fn texts(pieces: Vec<Piece>) -> Vec<String> {
    pieces.into_iter().map(|piece| piece.text.trim().to_string()).collect()
}

#[test]
fn code_is_what_is_fenced_indented_or_between_backticks() {
    let page = Page::of(
        "Say `one` and `two\nthree`.\n\n```sh\nfour `five`\n```\n\n    six\n\nA ` alone.\n\n`seven`\n",
    );
    assert_eq!(texts(page.code()), ["one", "two three", "four `five`", "six", "seven"]);
}

#[test]
fn links_are_found_outside_of_code() {
    let page = Page::of(
        "See [a](a.md), ![b](b.png \"b\") and `[c](c.md)`.\n\n    [d](d.md)\n\n[e]: e.md#part\n",
    );
    assert_eq!(texts(page.links()), ["a.md", "b.png", "e.md#part"]);
}
