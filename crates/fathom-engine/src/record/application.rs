//! Where the program's own metrics come from.

use crate::EngineError;
use fathom_measure::Output;
use fathom_measure::recording::application::{
    AppMetric, AppSource, ApplicationPlan, Endpoint, PassOn,
};
use fathom_request::RecordRequest;
use std::path::PathBuf;

/// What is listened to, if anything is.
pub(super) fn application(request: &RecordRequest) -> Result<Option<ApplicationPlan>, EngineError> {
    let wanted = &request.application;
    let metrics = AppMetric::parse_all(&wanted.metrics)
        .map_err(|error| EngineError::from(error).about("--app-metric"))?;
    let is_sought = wanted.json || !metrics.is_empty();
    if !is_sought && wanted.sources.is_empty() {
        return Ok(None);
    }
    let mut sources = Vec::new();
    for text in &wanted.sources {
        sources.push(source(text, request)?);
    }
    // Lines are looked for where programs print them, unless another place was named.
    if is_sought && !sources.iter().any(AppSource::has_lines) {
        sources.push(source("stdout", request)?);
    }
    let plan =
        ApplicationPlan { metrics, json: wanted.json, sources, interval: request.sampling.every };
    plan.check()?;
    Ok(Some(plan))
}

fn source(text: &str, request: &RecordRequest) -> Result<AppSource, EngineError> {
    let wrong = |why: String| EngineError::usage(format!("--app-from {text}: {why}"));
    match text {
        "" => Err(wrong("use stdout, pipe, pipe:PATH, a log file, or an http:// address".into())),
        "stdout" => match request.pid {
            Some(pid) => Err(wrong(format!(
                "the output of process {pid} goes elsewhere already; read a log file, a named \
                 pipe it writes to, or an http:// address with --app-from"
            ))),
            None => Ok(AppSource::Output(pass_on(request))),
        },
        "pipe" => Ok(AppSource::Pipe(
            std::env::temp_dir().join(format!("fathom-pipe-{}", std::process::id())),
        )),
        text => {
            if let Some(path) = text.strip_prefix("pipe:").filter(|path| !path.is_empty()) {
                return Ok(AppSource::Pipe(PathBuf::from(path)));
            }
            if text.contains("://") {
                let endpoint = Endpoint::parse(text).map_err(|error| {
                    EngineError::from(error).about(format_args!("--app-from {text}"))
                })?;
                return Ok(AppSource::Endpoint(endpoint));
            }
            Ok(AppSource::Log(PathBuf::from(text)))
        }
    }
}

/// What is read still goes where it would have gone.
fn pass_on(request: &RecordRequest) -> PassOn {
    match &request.running.command.output {
        Output::Inherit => PassOn::Output,
        Output::File(path) => PassOn::File(path.clone()),
        Output::Null | Output::Pipe => PassOn::Nowhere,
    }
}
