//! The command lines of `fathom ui` and `fathom report`.

use super::explain::{AlignmentArguments, RankingArguments, ReadingArguments, SelectionArguments};
use super::measure::StoreArguments;
use super::metric_store::MetricStoreArguments;
use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;

const UI_EXAMPLES: &str = "\
Examples:
  fathom ui                        the last session
  fathom ui 12                     a session by its number or name
  fathom ui check.json             what `fathom check --export-json` wrote
  fathom ui traces/                what `fathom record` wrote
  fathom ui run-1.csv run-2.csv    traces of other tools, one file per run
  fathom ui traces/ --target ipc --window 12.4..14.1
  fathom ui why.json               what `fathom explain --export-json` wrote
  fathom ui --from http://localhost:9090 --match '{job=\"shop\"}' --range -2h..
  fathom ui old.json new.json      samples of two programs, compared
  ssh -L 8080:127.0.0.1:8080 host fathom ui traces/ --port 8080 --no-open

The first line on standard output is the address. It contains a secret: anyone
who has the address can read the data, and nobody else can. The server accepts
connections from this machine only, and runs until Ctrl-C.";

/// In the page, you can drag a window as well.
const WINDOW: &str = "Select this window (repeatable): A..B in the trace's time unit, 300ms..1.2s, \
                      14:02..14:05, rows:120..180 of the target, or all; both ends included [default: none; \
                      drag one in the page]";

/// What is opened.
#[derive(Debug, Clone, Args)]
pub(crate) struct OpenArguments {
    /// Open traces (a folder, or one file per run), a session (its number, its name, `last`), or
    /// results (SUITE@NAME of a bench, Fathom's JSON, any file that `fathom analyze` reads). JSON
    /// of `fathom explain` opens its traces with the same question
    #[arg(default_value = "last", value_name = "TRACES|SESSION|FILE", conflicts_with = "address")]
    pub(crate) data: Vec<String>,

    /// Keep labels of metrics in this file [default: labels.json in the trace folder; for other
    /// files, in your data folder]
    #[arg(long, value_name = "FILE", help_heading = "Traces")]
    pub(crate) labels: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    #[command(flatten)]
    pub(crate) metric_store: MetricStoreArguments,

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

    /// Listen on this port; 0: any free port
    #[arg(long, default_value_t = 0, value_name = "P", help_heading = "Serving")]
    pub(crate) port: u16,

    /// Listen on this address; anyone who can reach it and has the secret can read the data, and
    /// the connection is not encrypted
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS", help_heading = "Serving")]
    pub(crate) bind: IpAddr,

    /// Accept requests for this host name, too (repeatable)
    #[arg(long = "host", value_name = "NAME", help_heading = "Serving")]
    pub(crate) hosts: Vec<String>,

    /// Print the address without opening a browser
    #[arg(long, help_heading = "Serving")]
    pub(crate) no_open: bool,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  fathom report -o report.html                      the last session
  fathom report 12 -o parser.html
  fathom report results.json -o report.html         what --export-json wrote
  fathom report check.json -o check.html --figures figures/
  fathom report traces/ --target ipc --window 12.4..14.1 -o why.html
  fathom report why.json -o why.html                what `fathom explain` wrote

The report is one file that loads nothing else: you can mail it, open it from
disk and print it. Without JavaScript it still shows the answer and its tables.";

#[derive(Debug, Clone, Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub(crate) open: OpenArguments,

    /// Write the report to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Also write each figure of a check as an SVG file into this folder; other files in it stay
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) figures: Option<PathBuf>,

    /// Limit the data to MB megabytes: Fathom thins charts until they fit, never tables
    #[arg(long, default_value_t = 10, value_name = "MB", help_heading = "Output", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) max_size: u64,

    #[command(flatten)]
    pub(crate) question: QuestionArguments,
}

/// These options need a target.
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
    // The data, and the options for reading them, go without a target.
    match ASKED.contains(&argument.get_id().as_str()) {
        true => argument.requires("target"),
        false => argument,
    }
}

/// A question about traces, with the options of `fathom explain`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Traces", mut_args(with_target))]
pub(crate) struct QuestionArguments {
    /// Explain this metric
    #[arg(short, long, value_name = "METRIC")]
    pub(crate) target: Option<String>,

    #[command(flatten)]
    pub(crate) selection: SelectionArguments,

    #[command(flatten)]
    pub(crate) alignment: AlignmentArguments,

    #[command(flatten)]
    pub(crate) ranking: RankingArguments,
}
