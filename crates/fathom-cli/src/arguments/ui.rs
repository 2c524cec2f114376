//! The command lines of `fathom ui` and `fathom report`.

use super::explain::{AlignmentArguments, RankingArguments, ReadingArguments, SelectionArguments};
use super::measure::StoreArguments;
use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;

const UI_EXAMPLES: &str = "\
Examples:
  fathom ui                        the last session
  fathom ui 12                     a session by its number or name
  fathom ui traces/                what `fathom record` wrote
  fathom ui run-1.csv run-2.csv    traces of other tools, a run each
  fathom ui traces/ --target ipc --window 12.4..14.1
  fathom ui why.json               what `fathom explain --export-json` wrote
  fathom ui old.json new.json      samples of two programs, compared
  ssh -L 8080:127.0.0.1:8080 host fathom ui traces/ --port 8080 --no-open

The first line on standard output is the address. Whoever has it can read the
data, and nobody else: it holds a secret, and the server answers to this machine
only. It serves until Ctrl-C.";

/// In the page it can be drawn as well.
const WINDOW: &str = "Where it does: A..B in the trace's time unit, 300ms..1.2s, rows:120..180 of \
                      the target, or all; both ends count. Repeat [default: none; drag over it]";

/// What is looked at.
#[derive(Debug, Clone, Args)]
pub(crate) struct OpenArguments {
    /// Traces: a folder, or files, a run each. Or a session: its number, its name, `last`. Or
    /// results: SUITE@NAME of a bench, JSON of Fathom, files that `fathom analyze` reads. JSON of
    /// `fathom explain` stands for its traces and its question
    #[arg(default_value = "last", value_name = "TRACES|SESSION|FILE")]
    pub(crate) data: Vec<String>,

    /// Keep labels of metrics in this file [default: labels.json in a folder of traces; for other
    /// files, in your data folder]
    #[arg(long, value_name = "FILE", help_heading = "Traces")]
    pub(crate) labels: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    #[command(flatten)]
    pub(crate) store: StoreArguments,
}

#[derive(Debug, Clone, Args)]
#[command(
    after_help = UI_EXAMPLES,
    mut_arg("windows", |argument| argument.help(WINDOW)),
    mut_arg("metrics", |argument| argument.hide(true)),
)]
pub(crate) struct UiArguments {
    #[command(flatten)]
    pub(crate) open: OpenArguments,

    /// What the page shows first.
    #[command(flatten)]
    pub(crate) question: QuestionArguments,

    /// Serve at this port; 0: any that is free
    #[arg(long, default_value_t = 0, value_name = "P", help_heading = "Serving")]
    pub(crate) port: u16,

    /// Serve at this address: everybody who can reach it and has the secret can read the data, and
    /// it is not encrypted
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS", help_heading = "Serving")]
    pub(crate) bind: IpAddr,

    /// The names by which the page may be called, besides the address. Repeat
    #[arg(long = "host", value_name = "NAME", help_heading = "Serving")]
    pub(crate) hosts: Vec<String>,

    /// Only print the address; do not open a browser
    #[arg(long, help_heading = "Serving")]
    pub(crate) no_open: bool,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  fathom report -o report.html                      the last session
  fathom report 12 -o parser.html
  fathom report results.json -o report.html         what --export-json wrote
  fathom report traces/ --target ipc --window 12.4..14.1 -o why.html
  fathom report why.json -o why.html                what `fathom explain` wrote

One file without anything from elsewhere: it can be mailed, opened from disk and
printed. Without scripts it still shows the answer and its tables.";

#[derive(Debug, Clone, Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub(crate) open: OpenArguments,

    /// Write it here; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// At most so many megabytes of data: what is drawn is thinned until it fits, tables are not
    #[arg(long, default_value_t = 10, value_name = "MB", help_heading = "Output", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) max_size: u64,

    #[command(flatten)]
    pub(crate) question: QuestionArguments,
}

/// Without a target there is nothing to ask.
fn with_target(argument: clap::Arg) -> clap::Arg {
    const ASKED: [&str; 11] = [
        "windows",
        "run",
        "baseline",
        "common",
        "normalise",
        "penalty",
        "correlator",
        "segments",
        "pattern",
        "score_in",
        "metrics",
    ];
    // The data and how they are read are arguments as well.
    match ASKED.contains(&argument.get_id().as_str()) {
        true => argument.requires("target"),
        false => argument,
    }
}

/// A question of traces, as `fathom explain` is asked.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Traces", mut_args(with_target))]
pub(crate) struct QuestionArguments {
    /// The metric that does something odd
    #[arg(short, long, value_name = "METRIC")]
    pub(crate) target: Option<String>,

    #[command(flatten)]
    pub(crate) selection: SelectionArguments,

    #[command(flatten)]
    pub(crate) alignment: AlignmentArguments,

    #[command(flatten)]
    pub(crate) ranking: RankingArguments,
}
