//! Every command that the README and the guides show is run, and prints what they show.
//!
//! - A `console` block holds commands after `$ ` and their output. Each page has its own folder and its
//!   own sessions, and its commands run from top to bottom.
//! - An `sh` block is a script without output.
//! - Comments on the lines before a block say more: `<!-- exact -->` if the output is the same on every
//!   machine and all that the command prints to standard output, `<!-- exit 3 -->` for the status of the
//!   last command, `<!-- not run: REASON -->` for what a test cannot run. Without `exact`, numbers may
//!   differ: see `documentation/shape.rs`.
//!
//! `FATHOM_PAGE=ci.md cargo test -p fathom-cli --test documentation` runs one page.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod documentation {
    pub(crate) mod marks;
    pub(crate) mod options;
    pub(crate) mod shape;
    pub(crate) mod transcript;
}
mod harness;

use documentation::marks::Marks;
use documentation::options::KnownOptions;
use documentation::shape;
use documentation::transcript::{self, Step};
use fathom_testkit::markdown::pages::{CodeBlock, MarkdownPage, pages};
use harness::{scratch, stdout, top};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Pages whose blocks have no comments yet: only marked blocks are run. The README is being rewritten;
/// until then `usage.rs` compares its transcripts. Remove it here once its blocks follow the rules above.
const PENDING: &[&str] = &["README.md"];

/// What commands in the guides read, linked into the folder of each page.
const LINKED: &[&str] = &["testdata", "examples", "Cargo.lock"];

/// A command that takes longer than this many seconds hangs.
const LIMIT: &str = "60";

/// The README and everything in `docs`.
fn guides() -> Vec<MarkdownPage> {
    let mut pages = pages().unwrap();
    pages.retain(|page| page.path == Path::new("README.md") || page.path.starts_with("docs"));
    assert!(pages.len() > 30, "the walk is broken: {} pages", pages.len());
    pages
}

fn is_pending(page: &MarkdownPage) -> bool {
    PENDING.iter().any(|pending| page.path == Path::new(pending))
}

/// How to run a block; nothing if it holds no commands, or says why it is not run.
fn plan(page: &MarkdownPage, block: &CodeBlock) -> Result<Option<(Marks, Vec<Step>)>, String> {
    let at_place = |what| format!("{}: {what}", page.place(block.line));
    let steps = transcript::steps(block).map_err(at_place)?;
    if steps.is_empty() || (is_pending(page) && block.comments.is_empty()) {
        return Ok(None);
    }
    let marks = Marks::of(&block.comments).map_err(at_place)?;
    Ok(marks.not_run.is_none().then_some((marks, steps)))
}

/// A folder for the commands of a page.
fn folder_of(page: &MarkdownPage) -> PathBuf {
    let name = page.path.display().to_string().replace(['/', '.'], "-");
    let folder = scratch(&format!("documentation-{name}"));
    for link in LINKED {
        std::os::unix::fs::symlink(top().join(link), folder.join(link)).unwrap();
    }
    folder
}

/// Runs a command in a shell that finds the built program first.
fn run(folder: &Path, command: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_fathom")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("timeout");
    shell
        .args([LIMIT, "sh", "-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("XDG_DATA_HOME", folder.join("data"))
        .stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "CI"] {
        shell.env_remove(name);
    }
    fathom_sys::signals::at_default(&mut shell);
    shell.output().unwrap()
}

/// Runs the steps of a block and says what is wrong with them.
fn failures(folder: &Path, marks: &Marks, steps: &[Step]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (n, Step { command, shown }) in steps.iter().enumerate() {
        let output = run(folder, command);
        let answer = String::from_utf8_lossy(&output.stdout);
        let real = format!("{answer}{}", String::from_utf8_lossy(&output.stderr));
        let exit = if n + 1 == steps.len() { marks.exit } else { 0 };
        if output.status.code() != Some(exit) {
            wrong.push(format!("{command}\nends with {}, not {exit}:\n{real}", output.status));
        } else if marks.is_exact && answer.trim_end() != shown.join("\n").trim_end() {
            wrong.push(format!("{command}\nprints something else now:\n{answer}"));
        } else if let Some(missing) = shape::first_missing(shown, &real) {
            wrong.push(format!("{command}\ndoes not print in this place: {missing}\nbut:\n{real}"));
        }
    }
    wrong
}

#[test]
fn every_command_runs_and_prints_what_is_shown() {
    let only = std::env::var("FATHOM_PAGE").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in guides().iter().filter(|page| page.path.to_string_lossy().contains(&only)) {
        let folder = folder_of(page);
        for block in page.blocks() {
            // What is wrong with the block itself is another test's.
            let Ok(Some((marks, steps))) = plan(page, &block) else { continue };
            count += steps.len();
            let place = page.place(block.line);
            let failed = failures(&folder, &marks, &steps);
            wrong.extend(failed.iter().map(|what| format!("{place}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 30 || !only.is_empty(), "only {count} commands: blocks are not found");
}

#[test]
fn every_block_of_commands_is_run_or_says_why_not() {
    let mut wrong = Vec::new();
    for page in guides() {
        for block in page.blocks() {
            wrong.extend(plan(&page, &block).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_option_in_the_guides_exists() {
    let commands = [
        "run", "compare", "check", "record", "explain", "ui", "report", "analyze", "import",
        "export", "list", "show", "resume", "doctor",
    ];
    let known = KnownOptions::of(&commands, |command| stdout(&[command, "--help"]));
    let mut wrong = Vec::new();
    for page in guides() {
        for piece in page.code() {
            let place = page.place(piece.line);
            wrong.extend(known.unknown(&piece.text).iter().map(|what| format!("{place}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
