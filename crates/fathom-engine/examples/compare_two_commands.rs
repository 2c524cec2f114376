//! Compares two commands and prints the verdict: the engine without the command line.
//!
//!     cargo run --release -p fathom-engine --example compare_two_commands -- 'grep -c e Cargo.lock' \
//!         'grep -ci e Cargo.lock'

use fathom_engine::{Engine, EngineError, Saving, Watch, serve_if_asked};
use fathom_request::CompareRequest;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

/// Draws progress on one line of standard error.
struct Stderr;

impl Watch for Stderr {
    fn progress(&mut self, line: &dyn Fn() -> String) {
        let _ = write!(std::io::stderr(), "\r\x1b[2K{}", line());
    }

    fn clear(&mut self) {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
}

fn main() -> ExitCode {
    // Commands are started by this same program, executed again.
    serve_if_asked();
    match compared(std::env::args().skip(1).collect()) {
        Ok(sentence) => {
            let _ = writeln!(std::io::stdout(), "{sentence}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compared(commands: Vec<String>) -> Result<String, EngineError> {
    let mut request = CompareRequest::default();
    request.subjects.commands = commands;
    request.max_time = Some(Duration::from_secs(5));
    let mut watch = Stderr;
    let mut engine = Engine::new(&mut watch);
    engine.saving = Saving::off();
    let report = engine.compare(&request)?.report;
    let comparisons = report.comparisons.unwrap_or_default();
    let sentence = |found: &fathom_analyze::compare::Comparison| {
        let (ratio, ends) = (found.ratio, found.interval.ends());
        let (lower, upper) = (ends.lower, ends.upper);
        let (new, old, verdict) = (&found.subject, &found.reference, found.verdict.name());
        format!("{new} against {old}: {verdict}, ratio {ratio:.3} ({lower:.3} to {upper:.3})")
    };
    Ok(comparisons.iter().map(sentence).collect::<Vec<_>>().join("\n"))
}
