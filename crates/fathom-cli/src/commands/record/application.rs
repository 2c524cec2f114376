//! Where the program speaks of itself, from the command line.

use crate::arguments::RecordArguments;
use crate::failure::Failure;
use fathom_measure::Output;
use fathom_measure::recording::application::{
    AppMetric, AppSource, ApplicationPlan, Endpoint, PassOn,
};
use std::path::PathBuf;

/// What is listened to, if anything is.
pub(super) fn application(arguments: &RecordArguments) -> Result<Option<ApplicationPlan>, Failure> {
    let wanted = &arguments.application;
    let metrics = AppMetric::parse_all(&wanted.metrics)
        .map_err(|error| Failure::input(format!("--app-metric: {error}")))?;
    let is_sought = wanted.json || !metrics.is_empty();
    if !is_sought && wanted.sources.is_empty() {
        return Ok(None);
    }
    let mut sources = Vec::new();
    for text in &wanted.sources {
        sources.push(source(text, arguments)?);
    }
    // Lines are looked for where programs print them, unless another place was named.
    if is_sought && !sources.iter().any(AppSource::has_lines) {
        sources.push(source("stdout", arguments)?);
    }
    let plan = ApplicationPlan {
        metrics,
        json: wanted.json,
        sources,
        interval: arguments.sampling.interval,
    };
    plan.check().map_err(Failure::input)?;
    Ok(Some(plan))
}

fn source(text: &str, arguments: &RecordArguments) -> Result<AppSource, Failure> {
    let wrong = |why: String| Failure::input(format!("--app-from {text}: {why}"));
    match text {
        "" => Err(wrong("use stdout, pipe, pipe:PATH, a log file, or an http:// address".into())),
        "stdout" => match arguments.sampling.pid {
            Some(pid) => Err(wrong(format!(
                "the output of process {pid} goes elsewhere already; read a log file, a named \
                 pipe it writes to, or an http:// address with --app-from"
            ))),
            None => Ok(AppSource::Output(pass_on(arguments))),
        },
        "pipe" => Ok(AppSource::Pipe(
            std::env::temp_dir().join(format!("fathom-pipe-{}", std::process::id())),
        )),
        text => {
            if let Some(path) = text.strip_prefix("pipe:").filter(|path| !path.is_empty()) {
                return Ok(AppSource::Pipe(PathBuf::from(path)));
            }
            if text.contains("://") {
                let endpoint = Endpoint::parse(text).map_err(|error| wrong(error.to_string()))?;
                return Ok(AppSource::Endpoint(endpoint));
            }
            Ok(AppSource::Log(PathBuf::from(text)))
        }
    }
}

/// What is read still goes where it would have gone.
fn pass_on(arguments: &RecordArguments) -> PassOn {
    match &arguments.running.output_to {
        _ if arguments.running.show_output => PassOn::Output,
        Output::Inherit => PassOn::Output,
        Output::File(path) => PassOn::File(path.clone()),
        Output::Null | Output::Pipe => PassOn::Nowhere,
    }
}
