//! `fathom list`, `show` and `resume`: what was measured before.

use super::measuring::programs::History;
use super::measuring::session;
use super::{bench_results, check, compare, run, traces, written};
use crate::arguments::{
    Cli, Color, Command, ListArguments, OutputArguments, PlainFormat, ResumeArguments,
    ShowArguments, Style,
};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::render::sessions;
use clap::Parser;
use fathom_measure::Keeper;
use fathom_record::own_json;
use fathom_store::{Listed, SessionId, Store};
use serde_json::json;

pub(crate) fn list(arguments: &ListArguments, color: Color) -> Result<Outcome, Failure> {
    let listed = match session::existing(&arguments.store, color)? {
        Some(store) => store.list().map_err(Failure::input)?,
        None => Vec::new(),
    };
    let benches = bench_results::all()?;
    let text = match arguments.format {
        PlainFormat::Human => sessions::render(&listed, &benches, session::now(), output::width()),
        PlainFormat::Json => {
            let sessions: Vec<serde_json::Value> = listed.iter().map(entry).collect();
            let benches: Vec<serde_json::Value> =
                benches.iter().map(bench_results::entry).collect();
            let document = json!({
                "schema": own_json::SCHEMA,
                "sessions": sessions,
                "benches": benches,
            });
            serde_json::to_string_pretty(&document).map_err(Failure::input)? + "\n"
        }
    };
    output::print(&text, color)?;
    Ok(Outcome::Done)
}

fn entry(listed: &Listed) -> serde_json::Value {
    let words = listed.session.arguments.iter().map(String::as_str);
    json!({
        "id": listed.id.0,
        "name": listed.session.name,
        "started": listed.session.started,
        "command_line": written::command_line(words),
        "subjects": listed.session.subjects,
        "runs": listed.runs,
        "lost_runs": listed.lost,
        "finished": listed.finished.is_some(),
        "live": listed.live.is_some(),
    })
}

pub(crate) fn show(arguments: &ShowArguments, color: Color) -> Result<Outcome, Failure> {
    if let Some(file) = bench_results::file(&arguments.session) {
        return bench_results::show(&file, &arguments.output, color);
    }
    if traces::is_traces(&arguments.session) {
        return traces::show(arguments, color);
    }
    if arguments.run.is_some() || !arguments.metrics.is_empty() {
        return Err(Failure::input("--run and --metric are for folders of traces"));
    }
    let store = session::required(&arguments.store, color)?;
    let id = store.resolve(&arguments.session).map_err(Failure::input)?;
    let taken = Taken::of(&store, id)?;
    let words = taken.words.clone();
    match taken.command(&arguments.output, None)? {
        Command::Run(of) => {
            run::show(&of, taken.runs, taken.plan.as_deref(), id.0, &words, taken.seed, color)
        }
        Command::Compare(of) => {
            let plan = taken.plan.as_deref();
            let kept = compare::KeptRuns { runs: taken.runs, plan, seed: taken.seed };
            compare::show(&of, kept, id.0, &words, color)
        }
        Command::Check(of) => {
            let folder = session::folder(&arguments.store)?;
            check::show(&of, &folder, id.0, &words, taken.seed, color)
        }
        _ => Err(no_measurement(id)),
    }
}

pub(crate) fn resume(arguments: &ResumeArguments, color: Color) -> Result<Outcome, Failure> {
    let store = session::required(&arguments.store, color)?;
    let id = store.resolve(&arguments.session).map_err(Failure::input)?;
    let taken = Taken::of(&store, id)?;
    // It goes on in the folder of the session; files are where they were asked for.
    let output = arguments
        .output
        .clone()
        .anchored()
        .map_err(|error| Failure::input(format!("the working folder is gone ({error})")))?;
    let mut command = taken.command(&output, Some(arguments.style))?;
    let may_go_on = with_more_runs(&mut command, arguments.max_runs)?;
    if store.listed(id).map_err(Failure::input)?.finished.is_some() && !may_go_on {
        return Err(finished(&command, id));
    }
    drop(store);
    // Opened again for writing.
    let folder = session::folder(&arguments.store)?;
    let mut store = Store::open(&folder).map_err(Failure::input)?.store;
    store.claim(id).map_err(Failure::input)?;
    if std::env::set_current_dir(&taken.folder).is_err() {
        return Err(Failure::input(format!(
            "the folder of session {id} is gone: {}; make it again, or start anew",
            taken.folder
        )));
    }
    let executions = taken.runs.len();
    History::of(&folder, id.0).go_on(id.0, arguments.allow_changed_program, executions)?;
    let keeper = Keeper::Store { store: Box::new(store), id };
    match command {
        Command::Run(of) => {
            run::resume(&of, keeper, taken.runs, taken.plan.as_deref(), taken.seed, color)
        }
        Command::Compare(of) => {
            compare::resume(&of, keeper, taken.runs, taken.plan.as_deref(), taken.seed, color)
        }
        Command::Check(of) => check::resume(&of, keeper, &folder, &taken.runs, taken.seed, color),
        _ => Err(no_measurement(id)),
    }
}

/// Why a finished session does not simply go on. Whether it may depends on how it decides.
fn finished(command: &Command, id: SessionId) -> Failure {
    let may_go_on = matches!(command, Command::Check(check) if check.request().may_go_on());
    let how = match may_go_on {
        true => format!(
            "If it could not tell, `fathom resume {id} --max-runs N` gives it more executions, up to \
             N in all: its error holds however often one looks"
        ),
        false => "To measure more, start anew with a larger budget: adding runs after having seen \
                  the result would make it less sure than it says"
            .to_string(),
    };
    Failure::input(format!("session {id} is finished; `fathom show {id}` shows it. {how}"))
}

/// Gives a check more executions; whether one that is finished may go on by that.
fn with_more_runs(command: &mut Command, most: Option<u64>) -> Result<bool, Failure> {
    let Some(most) = most else { return Ok(false) };
    match command {
        Command::Check(check) if check.request().may_go_on() => {
            check.max_runs = Some(most);
            Ok(true)
        }
        Command::Check(_) => Err(Failure::input(
            "--max-runs is for checks whose error holds however often one looks; this one is of \
             another method, or of a number of executions that was fixed beforehand. Start anew \
             with a larger number",
        )),
        _ => Err(Failure::input("--max-runs is for sessions of `fathom check`")),
    }
}

/// The plan of a session, which warns of runs that a damaged store lost.
fn with_lost_runs(plan: Option<String>, lost: u64) -> Option<String> {
    if lost == 0 {
        return plan;
    }
    let mut fields: serde_json::Value = serde_json::from_str(plan.as_deref()?).ok()?;
    let were = if lost == 1 { "run was" } else { "runs were" };
    let warning =
        format!("{lost} {were} lost with a damaged store; what is shown rests on the others");
    let machine = &mut fields[fathom_measure::MACHINE];
    match machine["warnings"].as_array_mut() {
        Some(warnings) => warnings.insert(0, warning.into()),
        None => machine["warnings"] = json!([warning]),
    }
    Some(fields.to_string())
}

fn no_measurement(id: SessionId) -> Failure {
    Failure::input(format!("session {id} holds no measurement of this version of Fathom"))
}

/// A session taken out of the store.
pub(super) struct Taken {
    pub(super) words: Vec<String>,
    folder: String,
    pub(super) seed: u64,
    pub(super) runs: Vec<fathom_record::Run>,
    pub(super) plan: Option<String>,
}

impl Taken {
    pub(super) fn of(store: &Store, id: SessionId) -> Result<Taken, Failure> {
        let session = store.session(id).map_err(Failure::input)?;
        let lost = store.listed(id).map_err(Failure::input)?.lost;
        Ok(Taken {
            words: session.arguments,
            folder: session.folder,
            seed: session.seed,
            runs: store.runs(id).map_err(Failure::input)?,
            plan: with_lost_runs(store.plan(id).map_err(Failure::input)?, lost),
        })
    }

    /// The command of the session, as it was typed.
    pub(super) fn typed(&self) -> Result<Command, Failure> {
        let words = std::iter::once("fathom".to_string()).chain(self.words.iter().cloned());
        let parsed = Cli::try_parse_from(words).map_err(|error| {
            Failure::input(format!("the session was made by another version of Fathom: {error}"))
        })?;
        Ok(parsed.command)
    }

    /// The command of the session, with its output as it is wanted now.
    fn command(&self, output: &OutputArguments, style: Option<Style>) -> Result<Command, Failure> {
        let mut command = self.typed()?;
        match &mut command {
            Command::Run(run) => {
                run.output = output.clone();
                run.style = style.unwrap_or(Style::Auto);
            }
            Command::Compare(compare) => {
                compare.output = output.clone();
                compare.style = style.unwrap_or(Style::Auto);
            }
            Command::Check(check) => {
                check.output = output.clone();
                check.style = style.unwrap_or(Style::Auto);
            }
            _ => {}
        }
        Ok(command)
    }
}
