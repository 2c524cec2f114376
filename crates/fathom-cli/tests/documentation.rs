//! Every command that the README and the guides show is run, and prints what they show.
//!
//! - A `console` block holds commands after `$ ` and their output. Each page has its own folder and its
//!   own sessions, and its commands run from top to bottom. A line `...` stands for lines left out.
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
    pub(crate) mod picture;
    pub(crate) mod shape;
    pub(crate) mod transcript;
}
mod harness;

use documentation::marks::Marks;
use documentation::options::KnownOptions;
use documentation::picture;
use documentation::shape;
use documentation::transcript::{self, Step};
use fathom_testkit::markdown::pages::{CodeBlock, MarkdownPage, pages};
use harness::{scratch, stdout, top};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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

/// How to run a block; nothing if it holds no commands, or says why it is not run.
fn plan(page: &MarkdownPage, block: &CodeBlock) -> Result<Option<(Marks, Vec<Step>)>, String> {
    let at_place = |what| format!("{}: {what}", page.place(block.line));
    let steps = transcript::steps(block).map_err(at_place)?;
    if steps.is_empty() {
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
        } else if marks.is_exact && !shape::is_exact(shown, &answer) {
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

/// Made by `scripts/pictures`; both have the same words.
#[test]
fn the_picture_of_a_comparison_is_what_compare_prints() {
    let shown = ["light", "dark"].map(|theme| {
        let path = top().join(format!("docs/pictures/compare-{theme}.svg"));
        picture::lines(&std::fs::read_to_string(path).unwrap())
    });
    assert_eq!(shown[0], shown[1]);
    let [command, page @ ..] = shown[0].as_slice() else { panic!("the picture is empty") };
    let command = command.strip_prefix("$ ").unwrap();
    // What follows how it was measured depends on the samples.
    let end = page.iter().position(|line| line.contains("pairs in")).unwrap();
    let folder = scratch("documentation-picture");
    std::os::unix::fs::symlink(top().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let output = run(&folder, &format!("{command} --max-time 2s"));
    let real = String::from_utf8(output.stdout).unwrap();
    let missing = shape::first_missing(&page[..=end], &real);
    let again = "run scripts/pictures on a quiet machine";
    assert_eq!(
        missing, None,
        "the picture has lines that compare does not print ({again}):\n{real}"
    );
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
