//! Comparisons with what was measured before: files, or a session saved as a baseline.

use super::plan::gates;
use super::report::gated;
use super::write;
use crate::arguments::{
    Cli, Color, Command, CompareArguments, RunArguments, Sort, SubjectArguments,
};
use crate::commands::bench_results;
use crate::commands::measuring::series::{measured, series};
use crate::commands::measuring::session;
use crate::commands::run::{self, Beginning};
use crate::commands::written;
use crate::failure::{Failure, Outcome};
use clap::Parser;
use fathom_analyze::compare::{Comparison, are_copies, compare_unpaired};
use fathom_analyze::stopping::Precision;
use fathom_analyze::{Report, Request, Statistic, Subject, analyze};
use fathom_formats::{ReadError, ReadOptions, read_path};
use fathom_record::{Environment, Metric, Run, Series};

/// Compares saved results; the first file is the reference.
pub(crate) fn files(arguments: &CompareArguments, color: Color) -> Result<Outcome, Failure> {
    finish(arguments, &report_of_files(arguments)?, color)
}

/// The report of saved results.
pub(crate) fn report_of_files(arguments: &CompareArguments) -> Result<Report, Failure> {
    let mut all: Vec<(String, Vec<Series>)> = Vec::new();
    let mut unmatched = Vec::new();
    for file in &arguments.files {
        let name = file.display().to_string();
        // What a bench keeps has an address as well.
        let of_bench = bench_results::file(&name).filter(|_| !file.is_file());
        let path = of_bench.as_deref().unwrap_or(file);
        let contents = read_path(path, &ReadOptions::default()).map_err(unreadable)?;
        unmatched.extend(contents.notes.iter().map(|note| format!("{name}: {note}")));
        all.push((name, judged(contents.series, arguments)));
    }
    let (first, others) = all.split_first().ok_or_else(|| Failure::input("give two files"))?;
    let request = request(arguments);
    let mut subjects: Vec<Subject> = Vec::new();
    let mut comparisons = Vec::new();
    for (file, series) in others {
        for (reference, subject) in matched(first, (file, series), &mut unmatched)? {
            let reference = known(&mut subjects, reference, &request);
            let subject = analyze(subject, &request);
            comparisons.push(compared(&reference, &subject, &request, arguments)?);
            subjects.push(subject);
        }
    }
    Ok(report(arguments, subjects, comparisons, unmatched, None))
}

/// Why a file cannot be compared. The reader's advice names options, which only `analyze` has.
fn unreadable(error: ReadError) -> Failure {
    let message = error.to_string();
    if !message.contains("--") {
        return Failure::input(message);
    }
    Failure::input(format!(
        "{message} (options of `fathom analyze`: let it write the file with --export-json, and \
         compare that)"
    ))
}

/// The series that `--on` asks for, or those of time.
fn judged(series: Vec<Series>, arguments: &CompareArguments) -> Vec<Series> {
    let Some(wanted) = arguments.running.on.first() else {
        let is_other = |series: &Series| {
            series.metric().is_some_and(|metric| metric != Metric::WallTime.to_string())
        };
        // Fathom's own files say what is wall time; others have what they have.
        let all_other = series.iter().all(is_other);
        return series.into_iter().filter(|one| all_other || !is_other(one)).collect();
    };
    let wanted = wanted.to_string();
    series.into_iter().filter(|one| one.metric() == Some(wanted.as_str())).collect()
}

/// Pairs of series: the only ones of both files, or those of the same name.
fn matched(
    (first, references): &(String, Vec<Series>),
    (file, series): (&String, &Vec<Series>),
    unmatched: &mut Vec<String>,
) -> Result<Vec<(Series, Series)>, Failure> {
    let label = |file: &String, series: &Series| {
        let name =
            if series.name() == file { file.clone() } else { format!("{file}: {}", series.name()) };
        series.clone().renamed(name)
    };
    if let ([reference], [subject]) = (references.as_slice(), series.as_slice()) {
        return Ok(vec![(
            reference.clone().renamed(first.clone()),
            subject.clone().renamed(file.clone()),
        )]);
    }
    let mut pairs = Vec::new();
    for subject in series {
        let is_same = |other: &&Series| other.name() == subject.name();
        match references.iter().find(is_same) {
            Some(reference) => pairs.push((label(first, reference), label(file, subject))),
            None => unmatched.push(format!("{file}: {} is not in {first}", subject.name())),
        }
    }
    if pairs.is_empty() {
        let names = |series: &[Series]| {
            let names: Vec<&str> = series.iter().map(Series::name).collect();
            if names.is_empty() { "nothing of that metric".to_string() } else { names.join(", ") }
        };
        return Err(Failure::input(format!(
            "{first} and {file} have no subject in common: {} against {}",
            names(references),
            names(series)
        )));
    }
    Ok(pairs)
}

/// The subject of a reference, analysed once.
fn known(subjects: &mut Vec<Subject>, reference: Series, request: &Request) -> Subject {
    let is_same = |subject: &&Subject| subject.series.name() == reference.name();
    if let Some(found) = subjects.iter().find(is_same) {
        return found.clone();
    }
    let subject = analyze(reference, request);
    subjects.push(subject.clone());
    subject
}

fn request(arguments: &CompareArguments) -> Request {
    Request {
        statistics: vec![Statistic::MEDIAN],
        confidence: arguments.confidence,
        ..arguments.cleaning.apply(Request::default())
    }
}

fn compared(
    reference: &Subject,
    subject: &Subject,
    request: &Request,
    arguments: &CompareArguments,
) -> Result<Comparison, Failure> {
    let [first, second] = [&reference.series, &subject.series];
    if are_copies(first, second) {
        return Err(Failure::input(format!(
            "{} and {} have exactly the same {} samples: that compares a result with itself. Give two \
             results that were measured separately.",
            first.name(),
            second.name(),
            first.len()
        )));
    }
    compare_unpaired(reference, subject, request, arguments.margin(), &gates(arguments))
        .map_err(Failure::input)
}

fn report(
    arguments: &CompareArguments,
    subjects: Vec<Subject>,
    comparisons: Vec<Comparison>,
    warnings: Vec<String>,
    session: Option<i64>,
) -> Report {
    Report {
        command_line: written::command_line(written::typed().iter().map(String::as_str)),
        seed: arguments.seed.unwrap_or(1),
        environment: Environment::of_this_build(),
        session,
        overhead_per_run: None,
        harness: None,
        subjects,
        comparisons: Some(comparisons),
        warnings,
    }
}

fn finish(arguments: &CompareArguments, report: &Report, color: Color) -> Result<Outcome, Failure> {
    let comparisons = report.comparisons.as_deref().unwrap_or_default();
    let outcome = gated(comparisons, arguments.allow_inconclusive);
    write(arguments, report, None, color)?;
    Ok(outcome)
}

/// Measures commands now and compares them with a saved session.
pub(crate) fn baseline(
    arguments: &CompareArguments,
    from: Beginning<'_>,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let (arguments, saved) = Saved::of(arguments, color)?;
    let measured = run::measured_for_baseline(&as_run(&arguments)?, from, seed, color)?;
    finish(&arguments, &compared_with(&arguments, &saved, measured)?, color)
}

/// The report of a saved comparison with a baseline, as the baseline is now.
pub(crate) fn report_with_baseline(
    arguments: &CompareArguments,
    runs: Vec<Run>,
    plan: Option<&str>,
    seed: u64,
    color: Color,
) -> Result<Report, Failure> {
    let (arguments, saved) = Saved::of(arguments, color)?;
    let measured = run::report_of_session(&as_run(&arguments)?, runs, plan, seed)?;
    compared_with(&arguments, &saved, measured)
}

/// A baseline.
struct Saved {
    name: String,
    subjects: Vec<String>,
    runs: Vec<Run>,
}

impl Saved {
    /// The baseline, and the arguments with its commands if they have none of their own.
    fn of(
        arguments: &CompareArguments,
        color: Color,
    ) -> Result<(CompareArguments, Saved), Failure> {
        let name = arguments.baseline.clone().unwrap_or_default();
        let store = session::required(&arguments.session.folder, color)?;
        let id = store.resolve(&name).map_err(Failure::input)?;
        let session = store.session(id).map_err(Failure::input)?;
        let runs = store.runs(id).map_err(Failure::input)?;
        let mut arguments = arguments.clone();
        if arguments.subjects.commands.is_empty() {
            arguments.subjects = commands_of(&session.arguments, &name)?;
        }
        Ok((arguments, Saved { name, subjects: session.subjects, runs }))
    }
}

fn compared_with(
    arguments: &CompareArguments,
    saved: &Saved,
    measured: Report,
) -> Result<Report, Failure> {
    let request = request(arguments);
    let metric = arguments.running.on.first().cloned().unwrap_or(Metric::WallTime);
    let mut subjects: Vec<Subject> = Vec::new();
    let mut comparisons = Vec::new();
    let wanted = metric.to_string();
    let is_judged = |subject: &Subject| subject.series.metric() == Some(wanted.as_str());
    for (index, subject) in measured.subjects.into_iter().filter(is_judged).enumerate() {
        // Where several metrics were measured, their names stand behind the command's.
        let name = subject.series.name().to_string();
        let command = name.strip_suffix(&format!(": {metric}")).unwrap_or(&name);
        let place = saved
            .subjects
            .iter()
            .position(|old| old == command)
            .or((saved.subjects.len() == 1 && index == 0).then_some(0))
            .ok_or_else(|| {
                Failure::input(format!(
                    "the baseline {} has no command \"{command}\"; it has {}",
                    saved.name,
                    saved.subjects.join(", ")
                ))
            })?;
        let old = old_series(saved, place, &metric, arguments)?;
        let reference = known(&mut subjects, old, &request);
        comparisons.push(compared(&reference, &subject, &request, arguments)?);
        subjects.push(subject);
    }
    Ok(report(arguments, subjects, comparisons, measured.warnings, measured.session))
}

fn old_series(
    saved: &Saved,
    subject: usize,
    metric: &Metric,
    arguments: &CompareArguments,
) -> Result<Series, Failure> {
    let Saved { name, subjects, runs } = saved;
    let command = &subjects[subject];
    let label = format!("{command} ({name})");
    series(runs, subject, &label, metric, &arguments.running.printed()).ok_or_else(|| {
        let n = measured(runs, subject).len();
        Failure::input(format!(
            "the baseline {name} has no {metric} of \"{command}\" ({n} runs); measure it again \
             with `fathom run --save {name}`"
        ))
    })
}

/// The commands of a session, as they were given.
fn commands_of(words: &[String], name: &str) -> Result<SubjectArguments, Failure> {
    let words = std::iter::once("fathom".to_string()).chain(words.iter().cloned());
    let parsed = Cli::try_parse_from(words)
        .map_err(|error| Failure::input(format!("the baseline {name} cannot be read: {error}")))?;
    match parsed.command {
        Command::Run(arguments) => Ok(arguments.subjects),
        Command::Compare(arguments) => Ok(arguments.subjects),
        _ => Err(Failure::input(format!("the baseline {name} has no commands; give one"))),
    }
}

/// The new commands are measured as `run` does, about as precisely as the margin asks.
fn as_run(arguments: &CompareArguments) -> Result<RunArguments, Failure> {
    const FINEST: f64 = 0.001;
    let precision = Precision::new((0.5 * arguments.margin().get()).max(FINEST));
    Ok(RunArguments {
        subjects: arguments.subjects.clone(),
        statistics: Vec::new(),
        confidence: arguments.confidence,
        method: None,
        precision: precision.map_err(Failure::input)?,
        max_time: arguments.max_time,
        runs: arguments.pairs,
        min_runs: arguments.min_pairs,
        max_runs: arguments.max_pairs,
        running: arguments.running.clone(),
        cleaning: arguments.cleaning.clone(),
        seed: arguments.seed,
        session: arguments.session.clone(),
        sort: Sort::Command,
        style: arguments.style,
        output: arguments.output.clone(),
    })
}
