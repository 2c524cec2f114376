//! `fathom check`: asks the engine, and writes the answer.

use super::written;
use crate::arguments::{CheckArguments, Color, OutputArguments, OutputFormat, Style};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::render::check::{self, Detail};
use crate::terminal::Terminal;
use fathom_engine::{Answer, CheckAnswer, CheckExpectation, CheckPlan, Engine, Watch};
use fathom_measure::Keeper;
use fathom_property::CheckDocument;
use fathom_record::Run;
use std::path::Path;

pub(crate) fn run(arguments: &CheckArguments, color: Color) -> Result<Outcome, Failure> {
    arguments.refuse_options_without_effect()?;
    let request = arguments.request();
    let mut terminal = CheckTerminal::new(arguments, color);
    let mut engine = Engine::new(&mut terminal);
    engine.saving = arguments.session.saving();
    engine.words = Some(written::typed());
    if arguments.dry_run {
        return print_plan(&engine.check_plan(&request)?, arguments.style.color(color));
    }
    let answer = engine.check(&request)?;
    finish(answer, arguments, color)
}

/// Goes on with a session.
pub(crate) fn resume(
    arguments: &CheckArguments,
    keeper: Keeper,
    sessions: &Path,
    runs: &[Run],
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let mut terminal = CheckTerminal::new(arguments, color);
    let mut engine = Engine::new(&mut terminal);
    engine.words = Some(written::typed());
    let answer = engine.resume_check(&arguments.request(), keeper, sessions, runs, seed)?;
    finish(answer, arguments, color)
}

/// Shows a saved session.
pub(crate) fn show(
    arguments: &CheckArguments,
    sessions: &Path,
    id: i64,
    words: &[String],
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let command_line = written::command_line(words.iter().map(String::as_str));
    let answer = Engine::show_check(&arguments.request(), sessions, id, command_line, seed)?;
    write(&answer, arguments, color)?;
    Ok(Outcome::Done)
}

/// Performs one execution of a check on a node, for the job script.
pub(crate) fn perform(folder: &Path, batch: u32, index: usize) -> Result<Outcome, Failure> {
    fathom_engine::perform_execution(folder, batch, index)?;
    Ok(Outcome::Done)
}

fn finish(
    answer: Answer<CheckAnswer>,
    arguments: &CheckArguments,
    color: Color,
) -> Result<Outcome, Failure> {
    write(&answer.report, arguments, color)?;
    let Some(why) = answer.ended_early else { return Ok(answer.gates.into()) };
    if !arguments.output.quiet {
        output::print_warning(&why.to_string(), arguments.style.color(color));
    }
    Ok(Outcome::Interrupted)
}

fn write(answer: &CheckAnswer, arguments: &CheckArguments, color: Color) -> Result<(), Failure> {
    let color = arguments.style.color(color);
    let report = &answer.report;
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
            let again = |judged: &_| answer.commands(judged);
            check::render(report, detail, *time_unit, output::width(), &again)
        }
        OutputFormat::Json => json(*include_values)?,
        OutputFormat::Csv => table().csv(),
        OutputFormat::Markdown => table().markdown(),
    };
    // Files first: if standard output is closed early, what was asked for is still there.
    let exported = written::export_table(&arguments.output, color, &|| json(true), &table);
    if matches!(format, OutputFormat::Csv | OutputFormat::Markdown) {
        let caveats = report.caveats.iter().map(|caveat| &caveat.text);
        let warnings = report.warnings.iter().filter(|_| !quiet);
        for warning in caveats.chain(warnings) {
            output::print_warning(&format!("warning: {warning}"), color);
        }
    }
    match arguments.style {
        Style::None => exported,
        _ => written::after_printing(&text, color, exported),
    }
}

fn print_plan(plan: &CheckPlan, color: Color) -> Result<Outcome, Failure> {
    let lines = plan.expectation.as_ref().map(lines).unwrap_or_default();
    let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    text.push_str("\nThe first executions:\n");
    text.extend(plan.commands.iter().map(|command| format!("  {command}\n")));
    output::print(&text, color)?;
    Ok(Outcome::Done)
}

fn lines(expectation: &CheckExpectation) -> Vec<String> {
    match expectation {
        CheckExpectation::Property { question, plan, budget } => {
            check::beforehand(*question, plan, *budget)
        }
        CheckExpectation::Estimate { question, budget, is_fixed } => {
            vec![check::value_beforehand(question, *budget, *is_fixed)]
        }
    }
}

/// The terminal, with what to expect before the first execution.
struct CheckTerminal {
    terminal: Terminal,
    says_expectation: bool,
}

impl CheckTerminal {
    fn new(arguments: &CheckArguments, color: Color) -> CheckTerminal {
        let output = &arguments.output;
        CheckTerminal {
            terminal: Terminal::new(arguments.style, output.quiet, color),
            says_expectation: !output.quiet && output.format == OutputFormat::Human,
        }
    }
}

impl Watch for CheckTerminal {
    fn progress(&mut self, line: &dyn Fn() -> String) {
        self.terminal.progress(line);
    }

    fn clear(&mut self) {
        self.terminal.clear();
    }

    fn check_begins(&mut self, expectation: &CheckExpectation) {
        if self.says_expectation {
            lines(expectation).iter().for_each(|line| self.terminal.note(line));
        }
    }

    fn note(&mut self, text: &str) {
        self.terminal.note(text);
    }
}
