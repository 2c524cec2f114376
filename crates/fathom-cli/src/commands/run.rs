//! `fathom run`: times commands until the interval is narrow enough.

use super::answer::{conclude, engine};
use crate::arguments::{Color, HyperfineArguments, OutputArguments, RunArguments, Sort, Style};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use crate::writer;
use fathom_analyze::{Report, Subject};
use fathom_render::{human, verdict};

pub(crate) fn run(arguments: &RunArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let request = arguments.request();
    request.cleaning.check().map_err(Failure::input)?;
    let mut terminal = Terminal::new(arguments.terminal.style, arguments.output.quiet, color);
    let answer = engine(&mut terminal, arguments.measuring.session.saving()).run(&request)?;
    let shown = Shown {
        output: &arguments.output,
        hyperfine: &arguments.hyperfine,
        style: arguments.terminal.style,
        sort: arguments.sort,
        assume_independent: request.cleaning.assume_independent,
        color: terminal.color(),
    };
    conclude(answer, &terminal, |report, _| write(report, shown))
}

/// How the report is shown.
pub(super) struct Shown<'a> {
    pub(super) output: &'a OutputArguments,
    pub(super) hyperfine: &'a HyperfineArguments,
    pub(super) style: Style,
    pub(super) sort: Sort,
    pub(super) assume_independent: bool,
    pub(super) color: Color,
}

pub(super) fn write(report: Report, shown: Shown<'_>) -> Result<(), Failure> {
    let view = writer::view(shown.output, shown.assume_independent);
    let for_tables = match shown.sort {
        Sort::MeanTime => by_value(report.clone()),
        Sort::Auto | Sort::Command => report.clone(),
    };
    let exported = writer::export_hyperfine(&report, shown.hyperfine, shown.color);
    let for_people = if shown.sort == Sort::Command { report } else { by_value(report) };
    let written =
        writer::write_report(&for_tables, shown.output, shown.style, shown.color, &|| {
            let width = output::width();
            match &for_people.comparisons {
                Some(comparisons) => {
                    let circumstances = verdict::Circumstances { seconds: None };
                    verdict::render(&for_people, comparisons, circumstances, &view, width)
                }
                None => human::render(&for_people, &view, width),
            }
        });
    Failure::of_all([exported.err(), written.err()].into_iter().flatten().collect())
}

/// Subjects with the smallest estimate first.
fn by_value(mut report: Report) -> Report {
    let value = |subject: &Subject| {
        subject.estimates.first().map_or(f64::INFINITY, |estimate| estimate.value)
    };
    report.subjects.sort_by(|a, b| value(a).total_cmp(&value(b)));
    report
}
