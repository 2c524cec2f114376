//! `fathom list`, `show` and `resume`: what was measured before.

use super::answer::{conclude, engine};
use super::{bench_results, check, compare, run, traces};
use crate::arguments::{
    Color, ListArguments, OutputArguments, PlainFormat, ResumeArguments, ShowArguments, Sort, Style,
};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use fathom_engine::{
    Answer, EngineError, ResumeOptions, Saving, SessionFolder, SessionListDocument, SessionReport,
    bench_result_file,
};
use fathom_render::sessions;
use fathom_request::Request;

pub(crate) fn list(arguments: &ListArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let mut terminal = Terminal::new(Style::Auto, false, color);
    let listed = engine(&mut terminal, at(arguments.store.folder())).sessions()?;
    let benches = fathom_engine::bench_results()?;
    let text = match arguments.format {
        PlainFormat::Human => sessions::render(&listed, &benches, output::now(), output::width()),
        PlainFormat::Json => SessionListDocument::of(&listed, &benches).to_json()?,
    };
    output::print(&text, color)?;
    Ok(CommandOutcome::Done)
}

/// Sessions in this folder.
pub(super) fn at(folder: SessionFolder) -> Saving {
    Saving { folder, ..Saving::default() }
}

pub(crate) fn show(arguments: &ShowArguments, color: Color) -> Result<CommandOutcome, Failure> {
    if let Some(file) = bench_result_file(&arguments.session) {
        return bench_results::show(&file, &arguments.output, color);
    }
    if traces::is_traces(&arguments.session) {
        return traces::show(arguments, color);
    }
    if arguments.run.is_some() || !arguments.metrics.is_empty() {
        return Err(Failure::input("--run and --filter are for trace folders"));
    }
    let mut terminal = Terminal::new(Style::Auto, arguments.output.quiet, color);
    let mut engine = engine(&mut terminal, at(arguments.store.folder()));
    let saved = engine.session(&arguments.session)?;
    let request = engine.request_of(&saved)?;
    let answer = engine.show(&saved)?;
    write(answer, &request, &terminal, &arguments.output, Style::Auto)?;
    // What its gates say was the exit code when it was measured.
    Ok(CommandOutcome::Done)
}

pub(crate) fn resume(arguments: &ResumeArguments, color: Color) -> Result<CommandOutcome, Failure> {
    // It goes on in the folder of the session; files are where they were asked for.
    let output = arguments.output.clone().anchored().map_err(|error| {
        EngineError::file(format!("the working folder is gone ({error})"), error)
    })?;
    let mut terminal = Terminal::new(arguments.terminal.style, output.quiet, color);
    let mut engine = engine(&mut terminal, at(arguments.store.folder()));
    let saved = engine.session(&arguments.session)?;
    let request = engine.request_of(&saved)?;
    let options = ResumeOptions {
        max_runs: arguments.max_runs,
        allow_changed_program: arguments.allow_changed_program,
    };
    let answer = engine.resume(saved, options)?;
    write(answer, &request, &terminal, &output, arguments.terminal.style)
}

fn write(
    answer: Answer<SessionReport>,
    request: &Request,
    terminal: &Terminal,
    output: &OutputArguments,
    style: Style,
) -> Result<CommandOutcome, Failure> {
    let color = terminal.color();
    conclude(answer, terminal, |report, seconds| match (report, request) {
        (SessionReport::Measured(report), Request::Compare(request)) => {
            let assume_independent = request.cleaning.assume_independent;
            let shown = compare::Shown { output, style, labels: None, assume_independent, color };
            compare::write(&report, seconds, shown)
        }
        (SessionReport::Measured(report), request) => {
            let assume_independent =
                matches!(request, Request::Run(run) if run.cleaning.assume_independent);
            let sort = Sort::Auto;
            run::write(*report, run::Shown { output, style, sort, assume_independent, color })
        }
        (SessionReport::Checked(answer), _) => check::write(&answer, output, style, color),
    })
}
