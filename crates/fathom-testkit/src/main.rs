//! Writes the tables that are committed as evidence.
//!
//!     cargo run --release -p fathom-testkit -- calibrate intervals
//!     cargo run --release -p fathom-testkit -- calibrate spa
//!     cargo run --release -p fathom-testkit -- performance
#![allow(clippy::print_stderr, reason = "a command for developers")]

use fathom_testkit::calibrate::{dependence, intervals, outliers, spa, steady_state};
use fathom_testkit::{performance, repository};
use std::process::ExitCode;

const USAGE: &str = "usage: fathom-testkit calibrate intervals|spa|dependence|steady-state|outliers\n       fathom-testkit performance";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (target, page) = match words.as_slice() {
        ["calibrate", "intervals"] => {
            ("calibration/intervals.md", intervals::page(intervals::Effort::FULL))
        }
        ["calibrate", "dependence"] => {
            ("calibration/dependence.md", dependence::page(dependence::Effort::FULL))
        }
        ["calibrate", "steady-state"] => ("calibration/steady_state.md", steady_state::page()),
        ["calibrate", "outliers"] => ("calibration/outliers.md", outliers::page()),
        ["calibrate", "spa"] => ("calibration/spa.md", spa::page()),
        ["performance"] => ("docs/performance.md", performance::page()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match page.and_then(|page| write(target, &page)) {
        Ok(()) => {
            eprintln!("wrote {target}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{target} was not written:\n{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(target: &str, page: &str) -> Result<(), String> {
    let path = repository::top().join(target);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))
}
