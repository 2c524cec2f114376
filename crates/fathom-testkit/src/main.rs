//! Writes the tables that are committed as evidence.
//!
//!     cargo run --release -p fathom-testkit -- --list
//!     cargo run --release -p fathom-testkit -- calibrate intervals
//!     cargo run --release -p fathom-testkit -- json
//!     cargo run --release -p fathom-testkit -- performance
//!     cargo run --release -p fathom-testkit -- performance commands
//!
//! `scripts/peers-inprocess` builds what `performance functions` needs, and runs it.
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a command for developers")]

mod calibrations;
mod studies;

use calibrations::CALIBRATIONS;
#[cfg(feature = "json-contract")]
use fathom_testkit::json_contract;
use fathom_testkit::made_traces;
use fathom_testkit::performance::{self, memory, warping};
use fathom_testkit::repository;
use std::fmt::Display;
use std::process::ExitCode;
use studies::{STUDIES, Studied};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--list"] => {
            println!("{}", commands().join("\n"));
            ExitCode::SUCCESS
        }
        // The performance page asks processes of their own, which do nothing else.
        [memory::COMMAND, n] => {
            answer(n.parse().map_err(|_| usage()).and_then(memory::grown_by_outliers))
        }
        [warping::COMMAND, rest @ ..] => answer(warping::answer(rest)),
        ["traces", rest @ ..] => traces(rest),
        ["calibrate", name] => match CALIBRATIONS.iter().find(|one| one.name == *name) {
            Some(calibration) => written(calibration.target, (calibration.page)()),
            None => wrong_usage(),
        },
        #[cfg(feature = "json-contract")]
        ["json"] => {
            let page = written(json_contract::PAGE, json_contract::page());
            let schema = written(json_contract::SCHEMA, json_contract::schema());
            if page == ExitCode::SUCCESS { schema } else { page }
        }
        ["performance"] => written(performance::PAGE, performance::page()),
        ["performance", name, rest @ ..] => {
            match STUDIES.iter().find(|study| study.name == *name) {
                Some(study) => match (study.conduct)(rest) {
                    Studied::Page(page) => written(performance::PAGE, page),
                    Studied::Rehearsed => ExitCode::SUCCESS,
                    Studied::WrongUsage(Some(error)) => {
                        eprintln!("{error}");
                        ExitCode::from(2)
                    }
                    Studied::WrongUsage(None) => wrong_usage(),
                },
                None => wrong_usage(),
            }
        }
        _ => wrong_usage(),
    }
}

/// Every command for developers, without its options.
fn commands() -> Vec<String> {
    let calibrations = CALIBRATIONS.iter().map(|one| format!("calibrate {}", one.name));
    let studies = STUDIES.iter().map(|study| format!("performance {}", study.name));
    let rest = ["json", "performance", "traces"].map(String::from);
    calibrations.chain(studies).chain(rest).collect()
}

fn usage() -> String {
    let names: Vec<&str> = CALIBRATIONS.iter().map(|one| one.name).collect();
    let studies: Vec<String> =
        STUDIES.iter().map(|study| format!("{} {}", study.name, study.options)).collect();
    let studies: Vec<&str> = studies.iter().map(|study| study.trim_end()).collect();
    format!(
        "usage: fathom-testkit --list\n       \
         fathom-testkit calibrate {}\n       \
         fathom-testkit json\n       \
         fathom-testkit performance [{}]\n       \
         fathom-testkit traces --runs R --metrics M --samples N [--spread] [--seed S] --out DIR\n       \
         scripts/peers-inprocess --help",
        names.join("|"),
        studies.join(" | "),
    )
}

/// Writes a page, unless making it failed.
fn written(target: &str, page: Result<String, String>) -> ExitCode {
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

/// Makes a folder of traces and says what is true of it.
fn traces(words: &[&str]) -> ExitCode {
    let (size, out) = match made_traces::read(words) {
        Ok(read) => read,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    match made_traces::write(&out, size) {
        Ok(truth) => {
            println!("{}", truth.said());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn wrong_usage() -> ExitCode {
    eprintln!("{}", usage());
    ExitCode::from(2)
}

fn answer(found: Result<impl Display, String>) -> ExitCode {
    match found {
        Ok(found) => {
            println!("{found}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
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
