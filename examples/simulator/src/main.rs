//! toycore: a small processor simulator whose timing varies with a seed. See README.md.

mod cache;
mod counts;
mod data_side;
mod machine;
mod memory;
mod options;
mod pipeline;
mod predictor;
mod program;
mod queue;
mod random;
mod stats;
mod thermal;
mod trace;

use crate::machine::{Configuration, Run};
use crate::options::Options;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match options::parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => return reported(print(options::HELP)),
        Err(error) => {
            eprintln!("toycore: {error}");
            return ExitCode::from(2);
        }
    };
    let configuration = Configuration {
        seed: options.seed,
        l2_bytes: options.l2_bytes,
        scheme: options.scheme,
        is_warm: true,
        dump_every: options.dump_every,
    };
    let run = machine::run(&configuration, program::tasks(options.instructions));
    reported(write(&options, &run))
}

fn write(options: &Options, run: &Run) -> Result<(), String> {
    let to_file = |path: &str, text: &str| {
        std::fs::write(path, text).map_err(|error| format!("{path} cannot be written: {error}"))
    };
    if let Some(path) = &options.stats {
        to_file(path, &stats::to_text(&run.dumps))?;
    }
    match options.trace.as_deref() {
        Some("-") => return print(&run.trace.to_json(&run.summary)),
        Some(path) => to_file(path, &run.trace.to_json(&run.summary))?,
        None => {}
    }
    print(&summary(options, run))
}

fn summary(options: &Options, run: &Run) -> String {
    let summary = &run.summary;
    format!(
        "toycore: 2 cores, L2 of {} kB, {}, seed {}
instructions: {}
runtime: {:.6} ms
ipc: {:.4}
power: {:.3} W
l2 misses: {:.2}% of accesses
mispredictions: {:.2}% of branches
errors corrected: {}, thermal alerts: {}, requests: {} R, {} S
",
        options.l2_bytes >> 10,
        options.scheme.name(),
        options.seed,
        summary.instructions,
        summary.runtime_ms,
        summary.ipc,
        summary.power,
        100.0 * summary.l2_miss_share,
        100.0 * summary.misprediction_share,
        run.trace.error.len(),
        run.trace.alert.len(),
        run.trace.r.len(),
        run.trace.s.len(),
    )
}

fn print(text: &str) -> Result<(), String> {
    let written = std::io::stdout().lock().write_all(text.as_bytes());
    written.map_err(|error| format!("standard output cannot be written: {error}"))
}

fn reported(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("toycore: {error}");
            ExitCode::FAILURE
        }
    }
}
