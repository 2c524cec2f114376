//! What the user sees of a check: the plan, the progress, the report.

use super::checking::Check;
use super::judge::Judge;
use super::question::Asked;
use super::systems;
use crate::arguments::{CheckArguments, Color, OutputArguments, OutputFormat, Style};
use crate::commands::written;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::render::check::{self, Detail};
use fathom_measure::experiment::seed_of;
use fathom_property::{CheckDocument, CheckReport, Judged};
use fathom_stats::proportion::Plan;

/// Writes the report of executions that Fathom made.
pub(super) fn write(report: &CheckReport, check: &Check<'_>, color: Color) -> Result<(), Failure> {
    let again = |judged: &Judged| {
        let systems = report_systems(check, judged);
        systems.into_iter().collect::<Vec<String>>()
    };
    write_with(report, check.arguments(), color, &again)
}

/// Writes the report of executions that were made elsewhere.
pub(super) fn write_given(
    report: &CheckReport,
    arguments: &CheckArguments,
    color: Color,
) -> Result<(), Failure> {
    write_with(report, arguments, color, &|_| Vec::new())
}

fn write_with(
    report: &CheckReport,
    arguments: &CheckArguments,
    color: Color,
    again: &dyn Fn(&Judged) -> Vec<String>,
) -> Result<(), Failure> {
    let OutputArguments { quiet, verbose, format, include_values, time_unit, .. } =
        &arguments.output;
    let json = |with_executions: bool| {
        CheckDocument::of(report, with_executions).to_json().map_err(Failure::input)
    };
    let table = || check::table(report, *time_unit);
    let text = match format {
        OutputFormat::Human => {
            let detail = match (quiet, verbose) {
                (true, _) => Detail::Answer,
                (_, true) => Detail::Everything,
                _ => Detail::Usual,
            };
            check::render(report, detail, *time_unit, output::width(), again)
        }
        OutputFormat::Json => json(*include_values)?,
        OutputFormat::Csv => table().csv(),
        OutputFormat::Markdown => table().markdown(),
    };
    // Files first: if standard output is closed early, what was asked for is still there.
    let exported = written::export_table(&arguments.output, color, &|| json(true), &table);
    if matches!(format, OutputFormat::Csv | OutputFormat::Markdown) {
        for caveat in &report.caveats {
            output::print_warning(&format!("warning: {}", caveat.text), color);
        }
    }
    if matches!(format, OutputFormat::Csv | OutputFormat::Markdown) && !quiet {
        for warning in &report.warnings {
            output::print_warning(&format!("warning: {warning}"), color);
        }
    }
    match arguments.style {
        Style::None => exported,
        _ => written::after_printing(&text, color, exported),
    }
}

/// The commands that repeat an execution or a tuple.
fn report_systems(check: &Check<'_>, judged: &Judged) -> Vec<String> {
    let Ok((judge, _)) = check.judge() else { return Vec::new() };
    let tuple = judge.tuple();
    let executions = judged.runs.iter().zip(&judged.seeds).zip(tuple);
    executions
        .filter_map(|((&run, &seed), system)| {
            let system = check.recipe().systems.get(system)?;
            Some(systems::command(system, run, seed))
        })
        .collect()
}

/// Says what to expect, on standard error.
pub(super) fn beforehand(check: &Check<'_>, plan: Option<&Plan>, color: Color) {
    let output = &check.arguments().output;
    if output.quiet || output.format != OutputFormat::Human {
        return;
    }
    for line in expectation(check, plan) {
        output::print_warning(&line, color);
    }
}

fn expectation(check: &Check<'_>, plan: Option<&Plan>) -> Vec<String> {
    match (check.asked(), plan) {
        (Asked::Verdict { question, .. }, Some(plan)) => {
            check::beforehand(*question, plan, check.budget())
        }
        (Asked::Value { question, precision, .. }, _) => {
            vec![check::value_beforehand(question, check.budget(), precision.is_none())]
        }
        _ => Vec::new(),
    }
}

/// What `--dry-run` says.
pub(super) fn plan(check: &Check<'_>, color: Color) -> Result<Outcome, Failure> {
    const SHOWN: u64 = 3;
    let (judge, plan) = check.judge()?;
    let executions = check.executions(&judge);
    let mut text = String::new();
    for line in expectation(check, plan.as_ref()) {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str("\nThe first executions:\n");
    for number in 0..executions.most().min(SHOWN.max(executions.systems.len() as u64)) {
        let ticket = executions.ticket(number);
        let seed = seed_of(check.seed(), number);
        if let Some(system) = check.recipe().systems.get(ticket.system) {
            text.push_str(&format!("  {}\n", systems::command(system, number + 1, seed)));
        }
    }
    output::print(&text, color)?;
    Ok(Outcome::Done)
}

/// A line on how far it is.
pub(super) fn progress(judge: &Judge, budget: u64, status: &str) -> String {
    let so_far = match judge.course() {
        Some(course) => {
            let counts = course.counts();
            match counts.samples() {
                0 => "no execution yet".to_string(),
                n => format!(
                    "{n} executions, {} true ({:.1}%), {budget} at most",
                    counts.counted_true(),
                    100.0 * counts.counted_true() as f64 / n as f64
                ),
            }
        }
        None => format!("{} executions of {budget}", judge.judged().len()),
    };
    format!("{so_far}; {status}")
}
