//! `fathom compare`: commands, saved results or builds, and which of them is faster.

use super::answer::{conclude, engine};
use crate::arguments::{Color, CompareArguments, HyperfineArguments, OutputArguments, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use crate::writer;
use fathom_analyze::Report;
use fathom_bench::for_the_program::duel;
use fathom_render::{human, verdict};
use fathom_request::CompareSource;

pub(crate) fn run(arguments: &CompareArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let request = arguments.request();
    request.cleaning.check().map_err(Failure::input)?;
    let is_silent = arguments.output.quiet || arguments.terminal.style == Style::None;
    let mut terminal = Terminal::new(arguments.terminal.style, is_silent, color);
    let answer = engine(&mut terminal, arguments.measuring.session.saving()).compare(&request)?;
    let labels = match &request.source {
        CompareSource::Benches { .. } => Some(["old", "new"]),
        CompareSource::Revision { revision, .. } => Some([revision.as_str(), "work tree"]),
        _ => None,
    };
    let shown = Shown {
        output: &arguments.output,
        hyperfine: &arguments.hyperfine,
        style: arguments.terminal.style,
        labels,
        assume_independent: request.cleaning.assume_independent,
        color: terminal.color(),
    };
    conclude(answer, &terminal, |report, seconds| write(&report, seconds, shown))
}

/// How the report is shown.
pub(super) struct Shown<'a> {
    pub(super) output: &'a OutputArguments,
    pub(super) hyperfine: &'a HyperfineArguments,
    pub(super) style: Style,
    /// What the two builds are called, where functions were compared.
    pub(super) labels: Option<[&'a str; 2]>,
    pub(super) assume_independent: bool,
    pub(super) color: Color,
}

pub(super) fn write(
    report: &Report,
    seconds: Option<f64>,
    shown: Shown<'_>,
) -> Result<(), Failure> {
    let view = writer::view(shown.output, shown.assume_independent);
    let exported = writer::export_hyperfine(report, shown.hyperfine, shown.color);
    let written = writer::write_report(report, shown.output, shown.style, shown.color, &|| {
        let width = output::width();
        match (&report.comparisons, shown.labels) {
            (Some(_), Some(labels)) => duel::render(report, labels, seconds, &view, width),
            (Some(comparisons), None) => {
                let circumstances = verdict::Circumstances { seconds };
                verdict::render(report, comparisons, circumstances, &view, width)
            }
            (None, _) => human::render(report, &view, width),
        }
    });
    Failure::of_all([exported.err(), written.err()].into_iter().flatten().collect())
}
