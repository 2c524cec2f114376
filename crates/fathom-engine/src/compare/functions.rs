//! Functions in two builds of a bench: given as executables, or built from two revisions.

use super::bench_source::BenchSources;
use super::builds::{self, Builds, CargoArguments};
use crate::measuring::programs::Programs;
use crate::{Answer, Engine, EngineError, ErrorKind, Gates, provenance};
use fathom_analyze::compare::ComparedStatistic;
use fathom_analyze::{Document, Report, Warning};
use fathom_bench::for_the_program::BenchFilters;
use fathom_bench::for_the_program::duel::{self, DuelOptions, DuelResult, Program, duel};
use fathom_bench::for_the_program::results::{Results, is_plain_name, suite_name};
use fathom_record::Environment;
use fathom_request::{CompareRequest, CompareSource, Request};
use fathom_stats::Confidence;
use fathom_sys::host::{Brief, warnings_before};
use fathom_sys::signals::Interrupt;
use std::path::{Path, PathBuf};

/// The name of what was compared, among the results of a bench.
const COMPARED: &str = "compared";

/// Two builds of one bench.
struct BuildPair {
    /// The bench's name, where there are several.
    name: Option<String>,
    old: Program,
    new: Program,
}

impl Engine<'_> {
    /// Compares the functions of two builds.
    pub(super) fn compare_functions(
        &mut self,
        request: &CompareRequest,
    ) -> Result<Answer<Report>, EngineError> {
        // What is wrong must not be found out after minutes of building.
        selection(request)?;
        if request.statistic == ComparedStatistic::Quantiles {
            return Err(EngineError::usage(
                "--statistic quantiles compares single runs. Two builds are compared by layouts or \
                 executions, one number of each. Name the quantile: --statistic p99",
            ));
        }
        let seed = request.seed.unwrap_or_else(fathom_sys::seed::fresh);
        // Before anything is built: a worktree is removed again also after Ctrl-C, which ends cargo.
        let interrupt = Interrupt::install().ok();
        let host = Brief::read(Path::new("/"));
        let mut warnings: Vec<Warning> =
            warnings_before(&host).into_iter().map(Warning::from).collect();
        let in_layouts = request.layouts != Some(1);
        let sources = match &request.source {
            CompareSource::Benches { old, new, cargo_args } => {
                Some(BenchSources::of(old, new, cargo_args.as_deref())?)
            }
            _ => None,
        };
        let builds = match (&request.source, &sources) {
            (CompareSource::Revision { revision, cargo_args }, _) => {
                Some(self.built(revision, cargo_args.as_deref(), in_layouts)?)
            }
            (CompareSource::Benches { cargo_args, .. }, Some(BenchSources::Packages(folders))) => {
                Some(self.built_packages(folders, cargo_args.as_deref(), in_layouts)?)
            }
            _ => None,
        };
        let build_pairs = match (&builds, sources) {
            (Some(builds), _) => {
                warnings.extend(builds.warnings.iter().cloned().map(Warning::from));
                of_builds(builds)
            }
            (None, Some(BenchSources::Executables([old, new]))) => vec![of_executables(old, new)],
            _ => return Err(EngineError::usage("there are no benches to compare")),
        };
        for build_pair in &build_pairs {
            self.check_place(build_pair)?;
        }
        let environment = self.environment_of(&build_pairs)?;
        let mut found = Vec::new();
        for build_pair in &build_pairs {
            let options = options(request, build_pairs.len(), seed, interrupt)?;
            match duel(&build_pair.old, &build_pair.new, &options, &mut |line| {
                self.watch.progress(line)
            }) {
                Ok(one) => found.push((build_pair, one)),
                // Of several benches, those without a function that is wanted are skipped.
                Err(duel::DuelError::Nothing(why)) if build_pairs.len() > 1 => {
                    let suite = suite_name(&build_pair.new.executable);
                    warnings.push(format!("{suite}: {why}").into());
                }
                // What was found before is kept.
                Err(duel::DuelError::Interrupted) if !found.is_empty() => {}
                Err(error) => return Err(error.into()),
            }
            if interrupt.is_some_and(Interrupt::requested) {
                break;
            }
        }
        let is_cut = found.len() < build_pairs.len() && interrupt.is_some_and(Interrupt::requested);
        self.watch.clear();
        if found.is_empty() {
            let lines: Vec<String> = warnings.iter().map(ToString::to_string).collect();
            return Err(EngineError::usage(lines.join("\n")));
        }
        self.conclude(request, found, is_cut, warnings, environment, seed)
    }

    /// With what builds are measured from now on.
    fn environment_of(&self, build_pairs: &[BuildPair]) -> Result<Environment, EngineError> {
        let executables = build_pairs.iter().flat_map(|pair| [&pair.old, &pair.new]);
        let words: Vec<[String; 1]> =
            executables.map(|program| [program.executable.display().to_string()]).collect();
        let folder = self.working_folder()?;
        let programs = Programs::of(words.iter().map(<[String; 1]>::as_slice), &folder);
        Ok(Environment::of_measurement(provenance::of_measurement(&programs, &folder)))
    }

    fn built(
        &mut self,
        revision: &str,
        cargo_args: Option<&str>,
        in_layouts: bool,
    ) -> Result<Builds, EngineError> {
        let cargo = CargoArguments::read(cargo_args.unwrap_or_default())?;
        let folder = self.working_folder()?;
        let is_quiet = self.is_quiet;
        let request = builds::Request {
            folder: &folder,
            revision,
            arguments: &cargo,
            place: None,
            is_quiet,
            in_layouts,
        };
        builds::build(&request, &mut |line| {
            if !is_quiet {
                self.watch.note(line);
            }
        })
    }

    fn built_packages(
        &mut self,
        [old, new]: &[PathBuf; 2],
        cargo_args: Option<&str>,
        in_layouts: bool,
    ) -> Result<Builds, EngineError> {
        let cargo = CargoArguments::read(cargo_args.unwrap_or_default())?;
        let is_quiet = self.is_quiet;
        let folders = [old.as_path(), new.as_path()];
        let request = builds::PackagesRequest { folders, arguments: &cargo, is_quiet, in_layouts };
        builds::build_packages(&request, &mut |line| {
            if !is_quiet {
                self.watch.note(line);
            }
        })
    }

    fn conclude(
        &mut self,
        request: &CompareRequest,
        found: Vec<(&BuildPair, DuelResult)>,
        is_cut: bool,
        warnings: Vec<Warning>,
        environment: Environment,
        seed: u64,
    ) -> Result<Answer<Report>, EngineError> {
        let mut report = Report {
            command_line: self.asked_by(&Request::Compare(Box::new(request.clone()))),
            seed,
            environment,
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            subjects: Vec::new(),
            comparisons: Some(Vec::new()),
            warnings,
        };
        let mut failures = Vec::new();
        // What cannot be kept is said in the end: it must not cost the answer.
        let mut unkept: Option<EngineError> = None;
        let mut seconds = 0.0;
        let mut is_interrupted = is_cut;
        for (build_pair, mut one) in found {
            seconds += one.seconds;
            is_interrupted |= one.is_interrupted;
            if let Err(error) = self.keep(build_pair, &one, &report) {
                unkept = Some(match unkept {
                    Some(before) => before.with_advice(error.to_string()),
                    None => error,
                });
            }
            rename(&mut one, build_pair.name.as_deref(), request.confidence);
            report.subjects.extend(one.subjects);
            report.comparisons.get_or_insert_default().extend(one.comparisons);
            report.warnings.extend(one.warnings.into_iter().map(Warning::from));
            failures.extend(one.failures);
        }
        let failed = (!failures.is_empty()).then(|| {
            let lines: Vec<String> =
                failures.iter().map(|(name, why)| format!("{name}: {why}")).collect();
            EngineError::command(lines.join("\n"))
        });
        let interrupted = is_interrupted
            .then(|| EngineError::new(ErrorKind::Interrupted, "interrupted".to_string()));
        let comparisons = report.comparisons.as_deref().unwrap_or_default();
        Ok(Answer {
            gates: Gates::of(comparisons, request.allow_inconclusive),
            seconds: Some(seconds),
            ended_early: unkept.or(interrupted).or(failed),
            report,
        })
    }

    /// Finds out before measuring whether what is found can be kept.
    fn check_place(&self, build_pair: &BuildPair) -> Result<(), EngineError> {
        let save = self.saving.name.as_deref();
        if let Some(name) = save.filter(|name| !is_plain_name(name)) {
            return Err(EngineError::usage(format!(
                "--save {name}: results of benches are saved in files of that name. Use letters, \
                 digits, and - _ . + inside"
            )));
        }
        let Some(results) = Results::of_executable(&build_pair.new.executable) else {
            return match save {
                Some(name) => Err(EngineError::usage(format!(
                    "--save {name}: {} is not in a target folder of cargo, so there is no place to \
                     save it. Use --export-json FILE",
                    build_pair.new.executable.display()
                ))),
                None => Ok(()),
            };
        };
        if self.saving.is_off {
            return Ok(());
        }
        let name = save.unwrap_or(COMPARED);
        let suite = suite_name(&build_pair.new.executable);
        if let Some(taken) = save.filter(|_| !self.saving.takes_name)
            && results.file(&suite, taken).exists()
        {
            return Err(EngineError::usage(format!(
                "--save {taken}: there are results of that name already ({suite}@{taken}). Choose \
                 another name, or replace them with --force"
            )));
        }
        results.check(&suite, name).map_err(|error| {
            let file = results.file(&suite, name);
            EngineError::usage(format!(
                "{} cannot be written: {error}. Use --no-save to go without it",
                file.display()
            ))
        })
    }

    /// Keeps what was found with the other results of the bench, where it has a place for them.
    fn keep(
        &self,
        build_pair: &BuildPair,
        found: &DuelResult,
        report: &Report,
    ) -> Result<(), EngineError> {
        let Some(results) = Results::of_executable(&build_pair.new.executable) else {
            return Ok(());
        };
        if self.saving.is_off || found.subjects.is_empty() {
            return Ok(());
        }
        let name = self.saving.name.as_deref().unwrap_or(COMPARED);
        let of_bench = Report {
            subjects: found.subjects.clone(),
            comparisons: Some(found.comparisons.clone()),
            ..report.clone()
        };
        let json = Document::of(&of_bench, true).to_json()?;
        let suite = suite_name(&build_pair.new.executable);
        results
            .write(&suite, name, &json)
            .map_err(|error| EngineError::writing(&results.file(&suite, name), error))?;
        Ok(())
    }
}

/// The functions that are wanted.
fn selection(request: &CompareRequest) -> Result<BenchFilters, EngineError> {
    BenchFilters::new(&request.subjects.commands, &request.skip, request.exact)
        .map_err(EngineError::usage)
}

fn of_builds(builds: &Builds) -> Vec<BuildPair> {
    let is_one = builds.pairs.len() == 1;
    let asked_for_one = || ["", ""].map(|nothing| Err(nothing.to_string()));
    let build_pair = |(place, pair): (usize, &builds::Pair)| {
        let [old, new] = builds.relinkings.get(place).cloned().unwrap_or_else(asked_for_one);
        BuildPair {
            name: (!is_one).then(|| pair.new.target.clone()),
            old: Program {
                executable: pair.old.executable.clone(),
                folder: Some(pair.old.folder.clone()),
                label: builds.labels[0].clone(),
                relinking: old,
            },
            new: Program {
                executable: pair.new.executable.clone(),
                folder: Some(pair.new.folder.clone()),
                label: builds.labels[1].clone(),
                relinking: new,
            },
        }
    };
    builds.pairs.iter().enumerate().map(build_pair).collect()
}

/// Why executables that the user names are compared as they are.
const NO_RECIPE: &str = "an executable alone cannot be linked again; --rev REV and --bench with two cargo packages build both";

fn of_executables(old: PathBuf, new: PathBuf) -> BuildPair {
    let program = |executable: PathBuf, label: &str| {
        let relinking = Err(NO_RECIPE.to_string());
        Program { executable, folder: None, label: label.to_string(), relinking }
    };
    BuildPair { name: None, old: program(old, "old"), new: program(new, "new") }
}

/// What a pair of builds must show. Several of them share the error, so that all verdicts together hold.
fn options(
    request: &CompareRequest,
    build_pairs: usize,
    seed: u64,
    interrupt: Option<Interrupt>,
) -> Result<DuelOptions, EngineError> {
    let alpha = request.confidence.alpha() / build_pairs as f64;
    Ok(DuelOptions {
        selection: selection(request)?,
        statistic: request.statistic,
        max_time: request.max_time.unwrap_or(request.effort.time_of_function()),
        confidence: Confidence::new(1.0 - alpha).unwrap_or(request.confidence),
        margin: request.margin(),
        gates: request.gates(),
        gate_unchanged: request.gate_unchanged,
        layouts: request.layouts.map(|count| count as usize),
        seed,
        interrupt,
    })
}

/// Puts the bench's name before its functions', and the confidence of all before its own.
fn rename(found: &mut DuelResult, name: Option<&str>, confidence: Confidence) {
    for comparison in &mut found.comparisons {
        comparison.confidence = confidence;
        if let Some(name) = name {
            comparison.reference = format!("{name}: {}", comparison.reference);
            comparison.subject = format!("{name}: {}", comparison.subject);
        }
    }
    if let Some(name) = name {
        for subject in &mut found.subjects {
            let full = format!("{name}: {}", subject.series.name());
            subject.series = subject.series.clone().renamed(full);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analyze::compare::Margin;
    use fathom_stats::Confidence;

    #[test]
    fn several_benches_share_the_error() {
        let request = CompareRequest {
            confidence: Confidence::new(0.9).unwrap(),
            margin: Some(Margin::new(0.02).unwrap()),
            ..CompareRequest::default()
        };
        let of = |build_pairs| options(&request, build_pairs, 1, None).unwrap();
        assert!((of(1).confidence.alpha() - 0.1).abs() < 1e-12);
        assert!((of(4).confidence.alpha() - 0.025).abs() < 1e-12);
        assert_eq!(of(1).margin.get(), 0.02);
        assert_eq!(of(1).max_time, duel::TIME);
    }

    #[test]
    fn filters_need_functions() {
        let mut request = CompareRequest { exact: true, ..CompareRequest::default() };
        request.subjects.commands = vec!["a".to_string(), "b".to_string()];
        let error = Engine::new(&mut ()).compare(&request).unwrap_err();
        assert!(error.to_string().contains("--exact and --skip"), "{error}");
    }
}
