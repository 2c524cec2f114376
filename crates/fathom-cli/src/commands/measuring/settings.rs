//! How subjects are run, checked before anything runs.

use crate::arguments::RunningArguments;
use crate::failure::Failure;
use fathom_measure::Laboratory as _;
use fathom_measure::{CommandLine, Local, Output, Settings, Subject, Tolerated, check_distinct};
use fathom_record::Metric;
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
pub(crate) fn prepare(arguments: &RunningArguments, seed: u64) -> Result<Prepared, Failure> {
    check_distinct(&arguments.printed()).map_err(Failure::input)?;
    if let Some(cpu) = arguments.cpu {
        affinity::check(cpu).map_err(Failure::input)?;
    }
    let metrics = judged(arguments)?;
    if !arguments.metrics.is_empty() && arguments.output() != Output::Null {
        return Err(Failure::input(
            "--metric reads the commands' output, so --output and --show-output cannot have it; \
             leave them out",
        ));
    }
    let (counters, warnings) = countable(arguments, &metrics)?;
    let settings = Settings {
        input: arguments.input.clone(),
        output: arguments.output(),
        cpu: arguments.cpu,
        timeout: arguments.timeout,
        counters,
        metrics: arguments.printed(),
        tolerated: arguments.ignore_failure.clone().unwrap_or(Tolerated::Nothing),
        environment_offset: arguments.env_offset,
        between: arguments.between.clone(),
        seed,
    };
    Ok(Prepared { settings, metrics, warnings })
}

/// What `--on` asks for; without it the time, and everything the commands are to print.
pub(crate) fn judged(arguments: &RunningArguments) -> Result<Vec<Metric>, Failure> {
    if arguments.on.is_empty() {
        let printed = arguments.printed();
        let printed = printed.iter().map(|metric| metric.metric());
        return Ok(std::iter::once(Metric::WallTime).chain(printed).collect());
    }
    for metric in &arguments.on {
        let is_known = arguments.printed().iter().any(|printed| printed.metric() == *metric);
        if let (Metric::Printed(name), false) = (metric, is_known) {
            return Err(Failure::input(format!(
                "--on metric:{name} needs to know where {name} is printed: add \
                 --metric {name}=REGEX, {name}=json:PATH, {name}=csv:COLUMN or {name}=last-number"
            )));
        }
    }
    let mut judged: Vec<Metric> = Vec::new();
    for metric in &arguments.on {
        if !judged.contains(metric) {
            judged.push(metric.clone());
        }
    }
    Ok(judged)
}

/// The counters that this machine has. One that is judged must be there; others may be missing.
fn countable(
    arguments: &RunningArguments,
    metrics: &[Metric],
) -> Result<(Vec<String>, Vec<String>), Failure> {
    let judged = metrics.iter().filter_map(|metric| match metric {
        Metric::Counter(name) => Some(name.clone()),
        _ => None,
    });
    let needed: Vec<String> = judged.collect();
    let mut names: Vec<CounterName> = Vec::new();
    for name in arguments.counters.iter().chain(&needed) {
        let name: CounterName = name.trim().parse().map_err(Failure::input)?;
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
                return Err(Failure::input(format!("--on counter:{}: {reason}", name.as_str())));
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
pub(crate) fn find_programs(local: &Local, subjects: &[Subject]) -> Result<Vec<String>, Failure> {
    let mut warnings = Vec::new();
    for subject in subjects {
        let CommandLine::Direct(words) = &subject.command else { continue };
        let program = words.first().map_or("", String::as_str);
        let path = local.resolve(program).map_err(|error| {
            Failure::Command(format!("{} cannot be started: {error}", subject.name))
        })?;
        if let Some(warning) = program::looks_like_debug_build(&path)
            && !warnings.contains(&warning)
        {
            warnings.push(warning);
        }
    }
    Ok(warnings)
}
