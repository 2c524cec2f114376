//! `fathom list`, `show`, `resume` and `delete`: what was measured before.

use super::answer::{conclude, engine};
use super::{bench_results, check, compare, run, traces};
use crate::arguments::{
    Color, DeleteArguments, HyperfineArguments, ListArguments, OutputArguments, PlainFormat,
    ResumeArguments, ShowArguments, Sort, Style,
};
use crate::failure::{CommandOutcome, Failure};
use crate::output;
use crate::terminal::Terminal;
use crate::writer;
use fathom_engine::{
    Answer, Deleted, EngineError, ResumeOptions, Saving, SessionFolder, SessionListDocument,
    SessionReport, bench_result_file,
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

pub(crate) fn delete(arguments: &DeleteArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let mut terminal = Terminal::new(Style::Auto, false, color);
    let deleted =
        engine(&mut terminal, at(arguments.store.folder())).delete(&arguments.sessions)?;
    let line = |one: &Deleted| match one {
        Deleted::Session(session) => sessions::deleted(session),
        Deleted::Bench(results) => sessions::deleted_results(results),
    };
    output::print(&deleted.iter().map(line).collect::<String>(), color)?;
    Ok(CommandOutcome::Done)
}

/// Sessions in this folder.
pub(super) fn at(folder: SessionFolder) -> Saving {
    Saving { folder, ..Saving::default() }
}

pub(crate) fn show(arguments: &ShowArguments, color: Color) -> Result<CommandOutcome, Failure> {
    let (of_bench, is_traces) =
        (bench_result_file(&arguments.session), traces::is_traces(&arguments.session));
    if (of_bench.is_some() || is_traces) && arguments.hyperfine.file().is_some() {
        return Err(writer::no_runs());
    }
    if let Some(file) = of_bench {
        return bench_results::show(&file, &arguments.output, color);
    }
    if is_traces {
        return traces::show(arguments, color);
    }
    if arguments.run.is_some() || !arguments.metrics.is_empty() {
        return Err(Failure::input("--run and --filter are for trace folders"));
    }
    let mut terminal = Terminal::new(Style::Auto, arguments.output.quiet, color);
    let mut engine = engine(&mut terminal, at(arguments.store.folder()));
    let saved = engine.session(&arguments.session)?;
    let request = engine.request_of(&saved)?;
    refuse_export(&request, &arguments.hyperfine)?;
    let answer = engine.show(&saved)?;
    let written =
        Written { output: &arguments.output, hyperfine: &arguments.hyperfine, style: Style::Auto };
    write(answer, &request, &terminal, written)?;
    // What its gates say was the exit code when it was measured.
    Ok(CommandOutcome::Done)
}

pub(crate) fn resume(arguments: &ResumeArguments, color: Color) -> Result<CommandOutcome, Failure> {
    // It goes on in the folder of the session; files are where they were asked for.
    let gone = |error| EngineError::file(format!("the working folder is gone ({error})"), error);
    let output = arguments.output.clone().anchored().map_err(gone)?;
    let hyperfine = arguments.hyperfine.clone().anchored().map_err(gone)?;
    let mut terminal = Terminal::new(arguments.terminal.style, output.quiet, color);
    let mut engine = engine(&mut terminal, at(arguments.store.folder()));
    let saved = engine.session(&arguments.session)?;
    let request = engine.request_of(&saved)?;
    refuse_export(&request, &hyperfine)?;
    let options = ResumeOptions {
        max_runs: arguments.max_runs,
        allow_changed_program: arguments.allow_changed_program,
    };
    let answer = engine.resume(saved, options)?;
    let style = arguments.terminal.style;
    write(answer, &request, &terminal, Written { output: &output, hyperfine: &hyperfine, style })
}

/// Refuses an export that a session has nothing for, before anything is measured.
fn refuse_export(request: &Request, hyperfine: &HyperfineArguments) -> Result<(), Failure> {
    let has_runs = matches!(request, Request::Run(_) | Request::Compare(_));
    if hyperfine.file().is_some() && !has_runs { Err(writer::no_runs()) } else { Ok(()) }
}

/// How a session is written.
struct Written<'a> {
    output: &'a OutputArguments,
    hyperfine: &'a HyperfineArguments,
    style: Style,
}

fn write(
    answer: Answer<SessionReport>,
    request: &Request,
    terminal: &Terminal,
    Written { output, hyperfine, style }: Written<'_>,
) -> Result<CommandOutcome, Failure> {
    let color = terminal.color();
    conclude(answer, terminal, |report, seconds| match (report, request) {
        (SessionReport::Measured(report), Request::Compare(request)) => {
            let assume_independent = request.cleaning.assume_independent;
            let labels = None;
            let shown =
                compare::Shown { output, hyperfine, style, labels, assume_independent, color };
            compare::write(&report, seconds, shown)
        }
        (SessionReport::Measured(report), request) => {
            let assume_independent =
                matches!(request, Request::Run(run) if run.cleaning.assume_independent);
            let sort = Sort::Auto;
            let shown = run::Shown { output, hyperfine, style, sort, assume_independent, color };
            run::write(*report, shown)
        }
        (SessionReport::Checked(answer), _) => check::write(&answer, output, style, color),
    })
}
