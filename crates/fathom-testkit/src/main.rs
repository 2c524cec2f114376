//! Writes the tables that are committed as evidence.
//!
//!     cargo run --release -p fathom-testkit -- calibrate intervals
//!     cargo run --release -p fathom-testkit -- calibrate spa
//!     cargo run --release -p fathom-testkit -- performance
//!     cargo run --release -p fathom-testkit -- performance commands
//!
//! `scripts/peers-inprocess` builds what `performance functions` needs, and runs it.
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a command for developers")]

use fathom_testkit::calibrate::functions as calibrated_functions;
use fathom_testkit::calibrate::{
    bands, check, compare, correlators, dependence, discoveries, few_samples, intervals, outliers,
    ranking, spa, steady_state, stopping, suggestions,
};
use fathom_testkit::made_traces;
use fathom_testkit::performance::{
    self, builds, commands, explain, explorer, functions, memory, monitor, recording, warping,
};
use fathom_testkit::repository;
use std::fmt::Display;
use std::process::ExitCode;

const USAGE: &str = "usage: fathom-testkit calibrate intervals|few-samples|spa|dependence|steady-state|outliers|compare|functions|stopping|check|ranking|correlators|discoveries|suggestions|bands\n       fathom-testkit performance [commands [--trials N] | builds | monitor | recording [--seconds N]\n       | warping [--rehearse] | explain [--rehearse] | explorer [--rehearse]]\n       fathom-testkit traces --runs R --metrics M --samples N [--spread] [--seed S] --out DIR\n       scripts/peers-inprocess --help";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // The performance page asks a process of its own, which does nothing else.
    if let [memory::COMMAND, n] = words.as_slice() {
        return answer(
            n.parse().map_err(|_| USAGE.to_string()).and_then(memory::grown_by_outliers),
        );
    }
    if let ["traces", rest @ ..] = words.as_slice() {
        return traces(rest);
    }
    if let [warping::COMMAND, rest @ ..] = words.as_slice() {
        return answer(warping::answer(rest));
    }
    let (target, page) = match words.as_slice() {
        ["calibrate", "intervals"] => {
            ("calibration/intervals.md", intervals::page(intervals::Effort::FULL))
        }
        ["calibrate", "few-samples"] => {
            ("calibration/few_samples.md", few_samples::page(few_samples::Effort::FULL))
        }
        ["calibrate", "dependence"] => {
            ("calibration/dependence.md", dependence::page(dependence::Effort::FULL))
        }
        ["calibrate", "steady-state"] => ("calibration/steady_state.md", steady_state::page()),
        ["calibrate", "outliers"] => ("calibration/outliers.md", outliers::page()),
        ["calibrate", "spa"] => ("calibration/spa.md", spa::page()),
        ["calibrate", "compare"] => {
            ("calibration/compare.md", compare::page(compare::Effort::FULL))
        }
        ["calibrate", "functions"] => (
            "calibration/functions.md",
            calibrated_functions::page(calibrated_functions::Effort::FULL),
        ),
        ["calibrate", "stopping"] => {
            ("calibration/stopping.md", stopping::page(stopping::Effort::FULL))
        }
        ["calibrate", "correlators"] => {
            ("calibration/correlators.md", correlators::page(correlators::Effort::FULL))
        }
        ["calibrate", "discoveries"] => {
            ("calibration/discoveries.md", discoveries::page(discoveries::Effort::FULL))
        }
        ["calibrate", "bands"] => ("calibration/bands.md", bands::page(bands::Effort::FULL)),
        ["calibrate", "check"] => ("calibration/check.md", check::page(check::Effort::FULL)),
        ["calibrate", "ranking"] => {
            ("calibration/ranking.md", ranking::page(ranking::Effort::FULL))
        }
        ["calibrate", "suggestions"] => {
            ("calibration/suggestions.md", suggestions::page(suggestions::Effort::FULL))
        }
        ["performance"] => (performance::PAGE, performance::page()),
        ["performance", "commands", rest @ ..] => match trials(rest) {
            Some(trials) => {
                (performance::PAGE, commands::page(trials, &|line| eprintln!("{line}")))
            }
            None => return wrong_usage(),
        },
        ["performance", "builds"] => (performance::PAGE, builds::page(&|line| eprintln!("{line}"))),
        ["performance", "recording", rest @ ..] => match seconds(rest) {
            Some(seconds) => {
                (performance::PAGE, recording::page(seconds, &|line| eprintln!("{line}")))
            }
            None => return wrong_usage(),
        },
        ["performance", "monitor"] => {
            (performance::PAGE, monitor::page(&|line| eprintln!("{line}")))
        }
        ["performance", name @ ("warping" | "explain" | "explorer"), rest @ ..] => {
            let is_rehearsal = match rest {
                [] => false,
                ["--rehearse"] => true,
                _ => return wrong_usage(),
            };
            match studied(name, is_rehearsal) {
                Some(page) => (performance::PAGE, page),
                None => return ExitCode::SUCCESS,
            }
        }
        ["performance", "functions", rest @ ..] => match functions::Options::read(rest) {
            Ok(options) => match functions::part(&options, &|line| eprintln!("{line}")) {
                Ok(part) => {
                    println!("{part}");
                    if options.rehearse {
                        return ExitCode::SUCCESS;
                    }
                    (performance::PAGE, functions::page_with(&part))
                }
                Err(error) => (performance::PAGE, Err(error)),
            },
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        },
        _ => return wrong_usage(),
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

/// Measures and shows a part of the page. The page with it; nothing if a rehearsal went well.
fn studied(name: &str, is_rehearsal: bool) -> Option<Result<String, String>> {
    let say = |line: &str| eprintln!("{line}");
    let part = match (name, is_rehearsal) {
        ("warping", false) => warping::part(warping::Effort::FULL, &say),
        ("warping", true) => warping::part(warping::Effort::REHEARSAL, &say),
        ("explorer", false) => explorer::part(explorer::Effort::FULL, &say),
        ("explorer", true) => explorer::part(explorer::Effort::REHEARSAL, &say),
        (_, false) => explain::part(explain::Effort::FULL, &say),
        (_, true) => explain::part(explain::Effort::REHEARSAL, &say),
    };
    let part = match part {
        Ok(part) => part,
        Err(error) => return Some(Err(error)),
    };
    println!("{part}");
    let page = match name {
        "warping" => warping::page_with,
        "explorer" => explorer::page_with,
        _ => explain::page_with,
    };
    (!is_rehearsal).then(|| page(&part))
}

/// The number after `--trials`, or as many as usual.
fn trials(words: &[&str]) -> Option<usize> {
    match words {
        [] => Some(commands::TRIALS),
        ["--trials", trials] => trials.parse().ok().filter(|&trials| trials > 0),
        _ => None,
    }
}

/// The number after `--seconds`, or as many as usual.
fn seconds(words: &[&str]) -> Option<u64> {
    match words {
        [] => Some(recording::SECONDS),
        ["--seconds", seconds] => seconds.parse().ok().filter(|&seconds| seconds > 0),
        _ => None,
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
    eprintln!("{USAGE}");
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
