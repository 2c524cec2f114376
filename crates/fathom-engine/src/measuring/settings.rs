//! How subjects are run, checked before anything runs.

use crate::EngineError;
use fathom_measure::{
    CommandLine, CommandSubject, Laboratory, Output, PrintedMetric, Settings, check_distinct,
};
use fathom_record::Metric;
use fathom_request::RunningOptions;
use fathom_sys::affinity;
use fathom_sys::counters::{self, CounterName, Coverage, Unavailable};
use fathom_sys::host::program;

/// Settings, what is judged, and what to tell the user beforehand.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) settings: Settings,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) warnings: Vec<String>,
}

/// Checks the arguments against each other and the machine.
pub(crate) fn prepare(options: &RunningOptions, seed: u64) -> Result<Prepared, EngineError> {
    let printed = printed(options)?;
    check_distinct(&printed)?;
    if let Some(cpu) = options.command.cpu {
        affinity::check(cpu)?;
    }
    let metrics = judged(options)?;
    if !options.metrics.is_empty() && options.command.output != Output::Null {
        return Err(EngineError::usage(
            "--metric reads the commands' output, so --stdout and --show-output cannot use it as well. \
             Leave them out",
        ));
    }
    let (counters, warnings) = countable(options, &metrics)?;
    let settings = Settings {
        input: options.command.input.clone(),
        output: options.command.output.clone(),
        cpu: options.command.cpu,
        timeout: options.command.timeout,
        counters,
        metrics: printed,
        tolerated: options.command.ignore_failure.clone(),
        environment_offset: options.env_offset,
        between: options.between.clone(),
        seed,
    };
    Ok(Prepared { settings, metrics, warnings })
}

/// What is read from the commands' output.
pub(crate) fn printed(options: &RunningOptions) -> Result<Vec<PrintedMetric>, EngineError> {
    options.metrics.iter().map(|option| Ok(option.metric()?)).collect()
}

/// What `--on` asks for; without it the time, and everything that the commands print.
pub(crate) fn judged(options: &RunningOptions) -> Result<Vec<Metric>, EngineError> {
    if options.on.is_empty() {
        let printed = printed(options)?;
        let printed = printed.iter().map(PrintedMetric::metric);
        return Ok(std::iter::once(Metric::WallTime).chain(printed).collect());
    }
    let known = printed(options)?;
    for metric in &options.on {
        let is_known = known.iter().any(|printed| printed.metric() == *metric);
        if let (Metric::Printed(name), false) = (metric, is_known) {
            return Err(EngineError::usage(format!(
                "--on metric:{name} needs to know where {name} is printed: add \
                 --metric {name}=REGEX, {name}=json:PATH, {name}=csv:COLUMN or {name}=last-number"
            )));
        }
    }
    let mut judged: Vec<Metric> = Vec::new();
    for metric in &options.on {
        if !judged.contains(metric) {
            judged.push(metric.clone());
        }
    }
    Ok(judged)
}

/// The counters that this machine has. One that is judged must be there; others may be missing.
fn countable(
    options: &RunningOptions,
    metrics: &[Metric],
) -> Result<(Vec<String>, Vec<String>), EngineError> {
    let judged = metrics.iter().filter_map(|metric| match metric {
        Metric::Counter(name) => Some(name.clone()),
        _ => None,
    });
    let needed: Vec<String> = judged.collect();
    let mut names: Vec<CounterName> = Vec::new();
    for name in options.counters.iter().chain(&needed) {
        let name: CounterName = name.trim().parse()?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut counted = Vec::new();
    let mut missing: Vec<String> = Vec::new();
    let mut partial = Vec::new();
    let mut warnings = Vec::new();
    for (name, result) in counters::available(&names) {
        match result {
            Ok(coverage) => {
                counted.push(name.as_str().to_string());
                if coverage == Coverage::ProgramOnly {
                    partial.push(name.as_str());
                }
            }
            Err(reason) if needed.iter().any(|needed| needed == name.as_str()) => {
                return Err(EngineError::usage(format!(
                    "--on counter:{}: {reason}",
                    name.as_str()
                )));
            }
            Err(Unavailable::NotSupported { .. }) => missing.push(name.as_str().to_string()),
            Err(reason) => warnings.push(reason.to_string()),
        }
    }
    // One line for all that the machine does not have.
    if !missing.is_empty() {
        warnings.push(format!(
            "not counted, because this machine has no such counters (most virtual machines have \
             none): {}",
            missing.join(", ")
        ));
    }
    if !partial.is_empty() {
        warnings.push(format!(
            "counted without the kernel's work for the command, which this user may not count: \
             {}; `sudo sysctl kernel.perf_event_paranoid=1` allows it",
            partial.join(", ")
        ));
    }
    Ok((counted, warnings))
}

/// Finds every program before the first runs, so that a typing error in the last command does not
/// cost the runs of the others. Returns warnings about how they were built.
pub(crate) fn find_programs(
    laboratory: &dyn Laboratory,
    subjects: &[CommandSubject],
) -> Result<Vec<String>, EngineError> {
    let mut warnings = Vec::new();
    for subject in subjects {
        let CommandLine::Direct(words) = &subject.command else { continue };
        let program = words.first().map_or("", String::as_str);
        let path = laboratory.resolve(program).map_err(|error| {
            EngineError::command(format!("{} cannot be started: {error}", subject.name))
        })?;
        if let Some(warning) = program::looks_like_debug_build(&path)
            && !warnings.contains(&warning)
        {
            warnings.push(warning);
        }
    }
    Ok(warnings)
}
