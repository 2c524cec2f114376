//! Comparisons with what was measured before: files, or a session saved as a baseline.

use super::shell_refusal::refuse_shell_of_baseline;
use crate::measuring::series::{measured, series};
use crate::measuring::shell::is_empty_shell;
use crate::measuring::{session, settings, subjects};
use crate::saved_session::SavedSession;
use crate::{Answer, Engine, EngineError, bench_results, provenance, run};
use fathom_analyze::compare::{Comparison, are_copies, compare_unpaired_by};
use fathom_analyze::stopping::Precision;
use fathom_analyze::{EstimateRequest as Analysis, Report, Subject, Warning, analyze};
use fathom_formats::{ReadError, ReadOptions, read_path};
use fathom_measure::{EmptyShell, Keeper};
use fathom_record::{Environment, Metric, Run, Series};
use fathom_request::{CompareRequest, CompareSource, Request, RunRequest};
use fathom_store::SessionId;

/// The report of saved results.
pub(crate) fn report_of_files(asked: &CompareRequest) -> Result<Report, EngineError> {
    let CompareSource::Files(files) = &asked.source else {
        return Err(EngineError::usage("there are no files to compare"));
    };
    let mut all: Vec<(String, Vec<Series>)> = Vec::new();
    let mut unmatched = Vec::new();
    let mut paths = Vec::new();
    for file in files {
        let name = file.display().to_string();
        // What a bench keeps has an address as well.
        let of_bench = bench_results::bench_result_file(&name).filter(|_| !file.is_file());
        let path = of_bench.as_deref().unwrap_or(file);
        let contents = read_path(path, &ReadOptions::default()).map_err(unreadable)?;
        paths.push(path.to_path_buf());
        unmatched.extend(contents.notes.iter().map(|note| format!("{name}: {note}")));
        all.push((name, judged(contents.series, asked)));
    }
    // One file alone would pass every gate.
    let Some((first, others)) = all.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Err(EngineError::usage("--files needs two files"));
    };
    let request = analysis(asked);
    let mut subjects: Vec<Subject> = Vec::new();
    let mut comparisons = Vec::new();
    for (file, series) in others {
        for (reference, subject) in matched(first, (file, series), &mut unmatched)? {
            let reference = known(&mut subjects, reference, &request);
            let subject = analyze(subject, &request);
            comparisons.push(compared(&reference, &subject, &request, asked)?);
            subjects.push(subject);
        }
    }
    let warnings = unmatched.into_iter().map(Warning::from).collect();
    let environment = provenance::of_files(&paths, None);
    Ok(report(asked, subjects, comparisons, warnings, None, environment))
}

/// Why a file cannot be compared. The reader's advice may name options, which only `analyze` has.
fn unreadable(error: ReadError) -> EngineError {
    let advice = error.names_options().then(|| {
        "These are options of `fathom analyze`: let it write the file with --export-json, and \
         compare that."
            .to_string()
    });
    EngineError::from(error).with_advice(advice)
}

/// The series that `--on` asks for, or those of time.
fn judged(series: Vec<Series>, asked: &CompareRequest) -> Vec<Series> {
    let Some(wanted) = asked.running.on.first() else {
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
) -> Result<Vec<(Series, Series)>, EngineError> {
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
        return Err(EngineError::usage(format!(
            "{first} and {file} have no subject in common: {} against {}",
            names(references),
            names(series)
        )));
    }
    Ok(pairs)
}

/// The subject of a reference, analysed once.
fn known(subjects: &mut Vec<Subject>, reference: Series, request: &Analysis) -> Subject {
    let is_same = |subject: &&Subject| subject.series.name() == reference.name();
    if let Some(found) = subjects.iter().find(is_same) {
        return found.clone();
    }
    let subject = analyze(reference, request);
    subjects.push(subject.clone());
    subject
}

fn analysis(asked: &CompareRequest) -> Analysis {
    Analysis {
        statistics: vec![asked.statistic.of_each_side()],
        confidence: asked.confidence,
        ..asked.cleaning.apply(Analysis::default())
    }
}

fn compared(
    reference: &Subject,
    subject: &Subject,
    request: &Analysis,
    asked: &CompareRequest,
) -> Result<Comparison, EngineError> {
    let [first, second] = [&reference.series, &subject.series];
    if are_copies(first, second) {
        return Err(EngineError::usage(format!(
            "{} and {} have exactly the same {} samples: that compares a result with itself. Give two \
             results that were measured separately.",
            first.name(),
            second.name(),
            first.len()
        )));
    }
    let (statistic, gates) = (asked.statistic, asked.gates());
    compare_unpaired_by(statistic, reference, subject, request, asked.margin(), &gates)
        .map_err(EngineError::usage)
}

fn report(
    asked: &CompareRequest,
    mut subjects: Vec<Subject>,
    comparisons: Vec<Comparison>,
    warnings: Vec<Warning>,
    session: Option<i64>,
    environment: Environment,
) -> Report {
    for subject in &mut subjects {
        let name = subject.series.name();
        let is_of = |one: &&Comparison| one.reference == name || one.subject == name;
        let of_subject: Vec<&Comparison> = comparisons.iter().filter(is_of).collect();
        subject
            .warnings
            .retain(|warning| !of_subject.iter().any(|one| one.says_what_is_missing(warning)));
    }
    Report {
        command_line: String::new(),
        seed: asked.seed.unwrap_or(1),
        environment,
        session,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects,
        comparisons: Some(comparisons),
        warnings,
    }
}

impl Engine<'_> {
    /// Measures commands now and compares them with a saved session.
    pub(super) fn compare_with_baseline(
        &mut self,
        asked: &CompareRequest,
        name: &str,
        request: &Request,
        from: Option<(Keeper, SavedSession)>,
    ) -> Result<Answer<Report>, EngineError> {
        let (asked, baseline) = self.baseline(asked, name)?;
        let commands = subjects::build(&asked.subjects, &asked.running)?.all;
        let has_shell =
            EmptyShell::of(&commands).is_some() || baseline.runs.iter().any(is_empty_shell);
        refuse_shell_of_baseline(asked.statistic, has_shell, &metric(&asked))?;
        let kept = self.with_lasting_baseline(request, &baseline);
        let answer = self.measure_runs(&as_run(&asked)?, kept.as_ref().unwrap_or(request), from)?;
        // Half of a measurement would be compared as if it were whole.
        if let Some(error) = answer.ended_early {
            return Err(error);
        }
        let report = compared_with(&asked, &baseline, answer.report)?;
        Ok(Answer { gates: super::gates(&report, &asked), ..Answer::of(report) })
    }

    /// The report of a saved comparison with a baseline, as the baseline is now.
    pub(super) fn report_with_baseline(
        &mut self,
        asked: &CompareRequest,
        name: &str,
        saved: &SavedSession,
    ) -> Result<Report, EngineError> {
        let (asked, baseline) = self.baseline(asked, name)?;
        let measured = run::report_of_session(&as_run(&asked)?, saved)?;
        compared_with(&asked, &baseline, measured)
    }

    /// The request to keep, where the new session takes the name of its own baseline: the number still
    /// means the baseline then.
    fn with_lasting_baseline(&self, request: &Request, baseline: &Baseline) -> Option<Request> {
        if self.saving.name.as_ref() != Some(&baseline.name) {
            return None;
        }
        let mut kept = request.clone();
        if let Request::Compare(compare) = &mut kept {
            compare.source = CompareSource::Baseline(baseline.id.to_string());
        }
        Some(kept)
    }

    /// The baseline, and the request with its commands if it has none of its own.
    fn baseline(
        &mut self,
        asked: &CompareRequest,
        name: &str,
    ) -> Result<(CompareRequest, Baseline), EngineError> {
        let store = session::required(&self.saving.folder, self.watch)?;
        let id = store.resolve(name)?;
        let saved = SavedSession::read(&store, id)?;
        let mut asked = asked.clone();
        if asked.subjects.commands.is_empty() {
            asked.subjects = match self.request_of(&saved)? {
                Request::Run(request) => request.subjects,
                Request::Compare(request) => request.subjects,
                _ => {
                    return Err(EngineError::usage(format!(
                        "the baseline {name} has no commands. Name a command to compare with it"
                    )));
                }
            };
        }
        let SavedSession { subjects, runs, .. } = saved;
        Ok((asked, Baseline { id, name: name.to_string(), subjects, runs }))
    }
}

/// A session that commands are compared with.
struct Baseline {
    id: SessionId,
    name: String,
    subjects: Vec<String>,
    runs: Vec<Run>,
}

/// What is judged.
fn metric(asked: &CompareRequest) -> Metric {
    asked.running.on.first().cloned().unwrap_or(Metric::WallTime)
}

fn compared_with(
    asked: &CompareRequest,
    saved: &Baseline,
    measured: Report,
) -> Result<Report, EngineError> {
    let request = analysis(asked);
    let metric = metric(asked);
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
                EngineError::usage(format!(
                    "the baseline {} has no command \"{command}\"; it has {}",
                    saved.name,
                    saved.subjects.join(", ")
                ))
            })?;
        let old = old_series(saved, place, &metric, asked)?;
        let reference = known(&mut subjects, old, &request);
        comparisons.push(compared(&reference, &subject, &request, asked)?);
        subjects.push(subject);
    }
    let Report { warnings, session, environment, .. } = measured;
    Ok(report(asked, subjects, comparisons, warnings, session, environment))
}

fn old_series(
    saved: &Baseline,
    subject: usize,
    metric: &Metric,
    asked: &CompareRequest,
) -> Result<Series, EngineError> {
    let Baseline { name, subjects, runs, .. } = saved;
    let command = &subjects[subject];
    let label = format!("{command} ({name})");
    let printed = settings::printed(&asked.running)?;
    series(runs, subject, &label, metric, &printed).ok_or_else(|| {
        let n = measured(runs, subject).len();
        EngineError::usage(format!(
            "the baseline {name} has no {metric} of \"{command}\" ({n} runs); measure it again \
             with `fathom run --save {name} --force`"
        ))
    })
}

/// The new commands are measured as `run` does, about as precisely as the margin asks.
fn as_run(asked: &CompareRequest) -> Result<RunRequest, EngineError> {
    const FINEST: f64 = 0.001;
    let precision = Precision::new((0.5 * asked.margin().get()).max(FINEST));
    Ok(RunRequest {
        subjects: asked.subjects.clone(),
        statistics: vec![asked.statistic.of_each_side()],
        confidence: asked.confidence,
        effort: asked.effort,
        precision: Some(precision.map_err(EngineError::usage)?),
        max_time: asked.max_time,
        runs: asked.pairs,
        min_runs: asked.min_pairs,
        max_runs: asked.max_pairs,
        running: asked.running.clone(),
        cleaning: asked.cleaning.clone(),
        seed: asked.seed,
        ..RunRequest::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analyze::compare::Margin;
    use fathom_request::EffortPreset;
    use std::time::Duration;

    #[test]
    fn the_new_commands_run_as_the_comparison_was_asked() {
        let asked = CompareRequest {
            effort: EffortPreset::Thorough,
            margin: Some(Margin::new(0.03).unwrap()),
            max_time: Some(Duration::from_secs(7)),
            pairs: Some(30),
            min_pairs: Some(4),
            max_pairs: Some(90),
            seed: Some(5),
            ..CompareRequest::default()
        };
        let run = as_run(&asked).unwrap();
        assert_eq!((run.effort, run.max_time), (asked.effort, asked.max_time));
        assert_eq!((run.runs, run.min_runs, run.max_runs), (Some(30), Some(4), Some(90)));
        assert_eq!((run.seed, run.statistics.len()), (Some(5), 1));
        // As precise as half the margin, and never finer than a tenth of a percent.
        assert_eq!(run.precision.unwrap().get(), 0.015);
        let fine = CompareRequest { margin: Some(Margin::new(0.001).unwrap()), ..asked };
        assert_eq!(as_run(&fine).unwrap().precision.unwrap().get(), 0.001);
    }
}
