//! `--profile-time`: every function in a plain loop, for a profiler outside of the bench.

use crate::Suite;
use crate::command_line::CommandLine;
use crate::function::Broken;
use crate::outcome::BenchOutcome;
use crate::selection::BenchFilters;
use crate::suite::Entry;
use crate::terminal::Terminal;
use fathom_record::Span;
use fathom_render::layout::visible;
use fathom_sys::clock::monotonic;
use std::time::Duration;

/// Calls every selected function for a while, and measures nothing.
pub(crate) fn profile(
    suite: &mut Suite<'_>,
    time: Duration,
    selection: &BenchFilters,
    line: &CommandLine,
    terminal: &Terminal,
) -> BenchOutcome {
    let mut failures = Vec::new();
    let mut names = 0;
    for line in how_to_attach(line) {
        terminal.note(&line);
    }
    for entry in suite.entries.iter_mut().filter(|entry| selection.takes(entry)) {
        let is_wanted = wanted(entry, selection);
        let functions = entry.functions.iter_mut().zip(is_wanted).filter(|(_, wanted)| *wanted);
        for (function, _) in functions {
            names += 1;
            terminal.note(&running(&function.name, time));
            let done = call_for(time, &mut |calls| {
                function.batch(calls)?;
                function.limits().map(|(most, _)| most)
            });
            failures.extend(done.err().map(|broken| (function.name.clone(), broken)));
        }
    }
    if names == 0 {
        terminal.note("note: no bench matches; nothing was called");
    }
    for (name, broken) in &failures {
        terminal.error(&format!("{}: {broken}", visible(name)));
    }
    if failures.is_empty() { BenchOutcome::Done } else { BenchOutcome::Panicked }
}

/// Which functions of an entry to call: those whose names are meant, or all if the comparison is.
fn wanted(entry: &Entry<'_>, selection: &BenchFilters) -> Vec<bool> {
    let is_whole = selection.is_selected(&entry.name);
    let functions = entry.functions.iter();
    functions.map(|function| is_whole || selection.is_selected(&function.name)).collect()
}

/// Makes ever larger batches for a while, so that a profiler sees the function and not its caller. A
/// batch says how many calls the next may have at most.
pub(crate) fn call_for(
    time: Duration,
    batch: &mut dyn FnMut(u64) -> Result<u64, Broken>,
) -> Result<(), Broken> {
    const LONG: Span = Span::from_milliseconds(10);
    let time = Span::from(time);
    let began = monotonic();
    let mut calls = 1;
    while monotonic() - began < time {
        let before = monotonic();
        let most = batch(calls)?;
        if monotonic() - before < LONG {
            calls = (2 * calls).min(most);
        }
    }
    Ok(())
}

/// What is said before a function runs.
pub(crate) fn running(name: &str, time: Duration) -> String {
    format!("{}: running for {} s", visible(name), time.as_secs_f64())
}

/// What is said first: which process it is, and how a profiler comes to it.
pub(crate) fn how_to_attach(line: &CommandLine) -> Vec<String> {
    let process = std::process::id();
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.to_string_lossy();
    let seconds = line.profile_time.map_or(5.0, |time| time.as_secs_f64());
    let filters: String = line.filters.iter().map(|filter| format!(" '{filter}'")).collect();
    vec![
        format!("note: process {process} calls each function in a loop and measures nothing"),
        format!("  attach a profiler: `perf record -g -p {process}`"),
        format!(
            "  or start it with one: `samply record {program} --bench --profile-time \
             {seconds}{filters}`"
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_up_to_what_inputs_allow_and_end_with_a_panic() {
        let mut largest = 0;
        let found = call_for(Duration::from_secs(100), &mut |calls| {
            largest = largest.max(calls);
            if largest == 8 { Err(Broken::Empty) } else { Ok(8) }
        });
        assert_eq!((found, largest), (Err(Broken::Empty), 8));
        assert_eq!(call_for(Duration::ZERO, &mut |_| Err(Broken::Empty)), Ok(()));
    }

    #[test]
    fn how_to_attach_names_the_process_the_time_and_the_functions() {
        let told = |words: &[&str]| {
            let words = words.iter().map(Into::into).collect();
            how_to_attach(&CommandLine::parse(words).unwrap()).join("\n")
        };
        let text = told(&["--bench", "--profile-time", "7", "sort", "a b"]);
        let process = std::process::id();
        assert!(
            text.starts_with(&format!("note: process {process} calls each function")),
            "{text}"
        );
        assert!(text.contains(&format!("`perf record -g -p {process}`")), "{text}");
        assert!(text.ends_with("--bench --profile-time 7 'sort' 'a b'`"), "{text}");
    }

    #[test]
    fn only_the_functions_that_a_filter_names_are_called() {
        let mut suite = Suite::new();
        suite.compare("sort").with("std", || ()).with("radix", || ());
        let of = |filter: &str| {
            let selection = BenchFilters::new(&[filter.to_string()], &[], false).unwrap();
            wanted(&suite.entries[0], &selection)
        };
        assert_eq!(of("radix"), [false, true]);
        assert_eq!(of("sort"), [true, true]);
        assert_eq!(of("^sort$"), [true, true]);
    }
}
