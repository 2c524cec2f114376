//! The Markdown files of the repository, and what is in them: links, code, and blocks of commands.

use crate::repository;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders without Markdown files of this repository.
const NOT_OURS: &[&str] = &["target", "node_modules", "dist", ".git", ".venv"];

/// A Markdown file.
#[derive(Debug, Clone)]
pub struct MarkdownPage {
    /// Where it is, from the top of the repository.
    pub path: PathBuf,
    text: String,
}

/// A piece of a page, with the line on which it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkdownPiece {
    /// Its first line, counted from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
}

/// A block of code between fences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    /// The line of its first fence, counted from 1.
    pub line: usize,
    /// The word after the first fence: `console`, `sh`, `json`, or nothing.
    pub language: String,
    /// The comments on the lines right before it, without `<!--` and `-->`.
    pub comments: Vec<String>,
    /// The lines between its fences.
    pub lines: Vec<String>,
}

/// All Markdown files, in the order of their paths.
///
/// # Errors
/// A folder or a file cannot be read.
pub fn pages() -> io::Result<Vec<MarkdownPage>> {
    let top = repository::top();
    let mut pages = Vec::new();
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if path.is_dir() {
                let name = entry.file_name();
                if !NOT_OURS.iter().any(|not_ours| name == *not_ours) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&path)?;
                let path = path.strip_prefix(&top).unwrap_or(&path).to_path_buf();
                pages.push(MarkdownPage { path, text });
            }
        }
    }
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(pages)
}

impl MarkdownPage {
    /// A page with this text, which is in no file.
    #[must_use]
    pub fn of(text: &str) -> MarkdownPage {
        MarkdownPage { path: PathBuf::from("page.md"), text: text.to_string() }
    }

    /// The folder that it is in, from the top of the repository.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// "docs/json.md:17".
    #[must_use]
    pub fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }

    /// Everything that is shown as code: lines in fences, lines indented by four, and `spans`, which
    /// may go on over the end of a line.
    #[must_use]
    pub fn code(&self) -> Vec<MarkdownPiece> {
        self.parted().0
    }

    /// The blocks between fences, each with the comments right before it.
    #[must_use]
    pub fn blocks(&self) -> Vec<CodeBlock> {
        let mut blocks = Vec::new();
        let mut comments: Vec<String> = Vec::new();
        let mut open: Option<(String, CodeBlock)> = None;
        for (line, text) in self.text.lines().enumerate().map(|(n, text)| (n + 1, text)) {
            let marks = fence_marks(text);
            if let Some((fence, mut block)) = open.take() {
                if marks.starts_with(fence.as_str()) {
                    blocks.push(block);
                } else {
                    block.lines.push(text.to_string());
                    open = Some((fence, block));
                }
            } else if marks.len() >= 3 {
                let language = text.trim_start().trim_start_matches(['`', '~']).trim().to_string();
                let comments = std::mem::take(&mut comments);
                let block = CodeBlock { line, language, comments, lines: Vec::new() };
                open = Some((marks, block));
            } else if let Some(comment) = comment(text) {
                comments.push(comment);
            } else {
                comments.clear();
            }
        }
        blocks
    }

    /// Where links lead: `[text](here)`, and `[name]: here` at the beginning of a line.
    #[must_use]
    pub fn links(&self) -> Vec<MarkdownPiece> {
        let mut links = Vec::new();
        for MarkdownPiece { line, text } in self.parted().1 {
            if let Some((_, target)) = text.split_once("]: ").filter(|_| text.starts_with('[')) {
                links.push(MarkdownPiece { line, text: first_word(target) });
            }
            for part in text.split("](").skip(1) {
                if let Some((target, _)) = part.split_once(')') {
                    links.push(MarkdownPiece { line, text: first_word(target) });
                }
            }
        }
        links
    }

    /// What is code, and the prose between, by line.
    fn parted(&self) -> (Vec<MarkdownPiece>, Vec<MarkdownPiece>) {
        let (mut code, mut prose) = (Vec::new(), Vec::new());
        let mut fence: Option<String> = None;
        // A span that has begun: the line it began on, and what it holds so far.
        let mut span: Option<MarkdownPiece> = None;
        for (line, text) in self.text.lines().enumerate().map(|(n, text)| (n + 1, text)) {
            let marks = fence_marks(text);
            if let Some(open) = &fence {
                if marks.starts_with(open.as_str()) {
                    fence = None;
                } else {
                    code.push(MarkdownPiece { line, text: text.to_string() });
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
                code.push(MarkdownPiece { line, text: text.to_string() });
                continue;
            }
            let mut between = String::new();
            for (n, part) in text.split('`').enumerate() {
                if n > 0 {
                    match span.take() {
                        Some(whole) => code.push(whole),
                        None => span = Some(MarkdownPiece { line, text: String::new() }),
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
            prose.push(MarkdownPiece { line, text: between });
        }
        (code, prose)
    }
}

/// The backticks or tildes that a line begins with.
fn fence_marks(text: &str) -> String {
    text.trim_start().chars().take_while(|&c| c == '`' || c == '~').collect()
}

/// What a line says that is a comment and nothing else.
fn comment(text: &str) -> Option<String> {
    let inside = text.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    Some(inside.trim().to_string())
}

/// Without a title, as in `[text](page.md "title")`.
fn first_word(target: &str) -> String {
    target.split_whitespace().next().unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pieces: Vec<MarkdownPiece>) -> Vec<String> {
        pieces.into_iter().map(|piece| piece.text.trim().to_string()).collect()
    }

    #[test]
    fn code_is_what_is_fenced_indented_or_between_backticks() {
        let page = MarkdownPage::of(
            "Say `one` and `two\nthree`.\n\n```sh\nfour `five`\n```\n\n    six\n\nA ` alone.\n\n\
             `seven`\n",
        );
        assert_eq!(texts(page.code()), ["one", "two three", "four `five`", "six", "seven"]);
    }

    #[test]
    fn links_are_found_outside_of_code() {
        let page = MarkdownPage::of(
            "See [a](a.md), ![b](b.png \"b\") and `[c](c.md)`.\n\n    [d](d.md)\n\n[e]: e.md#part\n",
        );
        assert_eq!(texts(page.links()), ["a.md", "b.png", "e.md#part"]);
    }

    #[test]
    fn blocks_have_their_language_and_the_comments_right_before_them() {
        let page = MarkdownPage::of(
            "<!-- not of the block -->\n\n<!-- exact -->\n<!-- exit 3 -->\n```console\n$ a\nb\n```\n\n\
             ~~~~\n```\n~~~~\n",
        );
        let [first, second] = page.blocks().try_into().unwrap_or_else(|_| panic!("two blocks"));
        assert_eq!(first.comments, ["exact", "exit 3"]);
        assert_eq!((first.line, first.language.as_str()), (5, "console"));
        assert_eq!(first.lines, ["$ a", "b"]);
        assert_eq!((second.language.as_str(), second.lines.len()), ("", 1));
    }

    #[test]
    fn the_pages_of_the_repository_are_found() {
        let pages = pages().unwrap_or_default();
        assert!(pages.len() > 50, "the walk is broken: {} pages", pages.len());
    }
}
