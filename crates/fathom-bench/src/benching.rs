//! Measuring what was selected, and showing it.

use crate::Suite;
use crate::against_baseline::against_baseline;
use crate::bencher_metrics::bencher_metrics;
use crate::command_line::{CommandLine, Format, front_end};
use crate::duel::relink::{CargoBench, LinkRecipe};
use crate::executions::{Executions, SingleBench, SingleBenches};
use crate::function::Broken;
use crate::growth_of_builds;
use crate::instructions::instructions;
use crate::instrument::Instrument;
use crate::libtest_lines::libtest_lines;
use crate::measure::{Laboratory, SampleKind, Settings, alone, side_by_side};
use crate::outcome::BenchOutcome;
use crate::page::growth::lines as growth_lines;
use crate::page::{Block, Page};
use crate::profiling::profile;
use crate::report_page;
use crate::results::{LATEST, Results, suite_name};
use crate::rows::rows;
use crate::selection::BenchFilters;
use crate::suite::{Entry, Kind};
use crate::terminal::{Terminal, printed};
use fathom_analyze::{Document, Report, Subject, Warning};
use fathom_record::whole_file::{self, is_standard_output};
use fathom_record::{Advice, Environment, ProgramFile, Provenance, Remedy, utc};
use fathom_sys::signals::Interrupt;
use fathom_sys::surroundings;
use fathom_sys::{content_hash, machine};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// What measuring a suite gave.
pub(crate) struct Findings {
    pub(crate) report: Report,
    /// Functions that broke, with why.
    pub(crate) failures: Vec<(String, Broken)>,
    pub(crate) is_interrupted: bool,
}

impl Findings {
    fn outcome(&self, line: &CommandLine) -> BenchOutcome {
        let allow_inconclusive = line.allow_inconclusive;
        let comparisons = self.report.comparisons.as_deref().unwrap_or_default();
        let by_gates = BenchOutcome::of(comparisons, allow_inconclusive);
        let counted = self.report.instructions.iter().flat_map(|counted| &counted.comparisons);
        let outcomes = counted.flat_map(|found| found.gates.iter().map(|(_, outcome)| *outcome));
        let by_gates = by_gates.max(BenchOutcome::of_gates(outcomes, allow_inconclusive));
        let by_failures =
            if self.failures.is_empty() { BenchOutcome::Done } else { BenchOutcome::Panicked };
        let by_user =
            if self.is_interrupted { BenchOutcome::Interrupted } else { BenchOutcome::Done };
        let by_nothing = match self.is_ungated(line) && !allow_inconclusive {
            true => BenchOutcome::GateOpen,
            false => BenchOutcome::Done,
        };
        by_gates.max(by_failures).max(by_user).max(by_nothing)
    }

    /// Whether a gate was asked for and nothing was compared: it could not have failed.
    fn is_ungated(&self, line: &CommandLine) -> bool {
        let has_times = !self.report.comparisons.as_deref().unwrap_or_default().is_empty();
        let counted = self.report.instructions.as_ref();
        let has_counts = counted.is_some_and(|counted| !counted.comparisons.is_empty());
        !line.gates.is_empty() && !has_times && !has_counts
    }
}

/// This executable, and where its results are kept.
pub(crate) struct BenchExecutable {
    pub(crate) executable: PathBuf,
    pub(crate) suite: String,
    pub(crate) results: Option<Results>,
}

impl BenchExecutable {
    fn here() -> Result<BenchExecutable, String> {
        let executable = std::env::current_exe()
            .map_err(|error| format!("cannot find the path of this program: {error}"))?;
        let suite = suite_name(&executable);
        let results = Results::of_executable(&executable);
        Ok(BenchExecutable { executable, suite, results })
    }

    /// What its linker was given, by asking cargo to compile it once more.
    pub(crate) fn recipe(&self) -> Result<LinkRecipe, String> {
        if fathom_sys::IS_REDUCED {
            return Err("linking again needs Linux".to_string());
        }
        let folder = self.kept()?.relinking_folder(&self.suite).join("now");
        CargoBench::of_this_process()?.capture(&folder)
    }

    /// Where results are kept, if needed.
    pub(crate) fn kept(&self) -> Result<&Results, String> {
        self.results.as_ref().ok_or_else(|| {
            format!(
                "{} is not in a cargo target folder, so there is no place to save results; run it \
                 with cargo bench",
                self.executable.display()
            )
        })
    }
}

/// When, where and with which executable functions are measured from now on.
fn environment(place: &BenchExecutable) -> Environment {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let path = place.executable.display().to_string();
    let hash = content_hash::fnv1a(&place.executable).map(|hash| format!("fnv1a:{hash}"));
    let folder = std::env::current_dir().unwrap_or_default();
    Environment::of_measurement(Provenance {
        at: utc(seconds),
        host: machine::host_name(),
        kernel: machine::kernel_release(),
        folder: folder.display().to_string(),
        fathom: Environment::of_this_build().fathom,
        programs: vec![ProgramFile { name: place.suite.clone(), path, hash }],
    })
}

/// What is known before something is measured.
pub(crate) struct BenchSetup {
    pub(crate) place: BenchExecutable,
    pub(crate) settings: Settings,
    /// Without results yet.
    pub(crate) report: Report,
}

/// Finds out how to measure, and what is wrong with the files to be written.
pub(crate) fn planned(line: &CommandLine, typed: &[String]) -> Result<BenchSetup, String> {
    let place = BenchExecutable::here()?;
    if line.save.is_some() || line.baseline.is_some() || line.report.is_some() {
        place.kept()?;
    }
    check_files(line, &place)?;
    let settings = Settings {
        max_time: line.max_time,
        precision: line.precision(),
        confidence: line.confidence,
        margin: line.margin(),
        gates: line.gates.clone(),
        statistic: line.statistic(),
        seed: line.seed.unwrap_or_else(fathom_sys::seed::fresh),
    };
    let report = Report {
        command_line: command_line(&place.suite, typed),
        seed: settings.seed,
        environment: environment(&place),
        session: None,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects: Vec::new(),
        comparisons: None,
        warnings: warnings_about(&place, line.instructions),
    };
    Ok(BenchSetup { place, settings, report })
}

/// Measures what is selected.
pub(crate) fn benching(
    suite: &mut Suite<'_>,
    line: &CommandLine,
    selection: BenchFilters,
    typed: &[String],
    mut terminal: Terminal,
) -> BenchOutcome {
    let plan = if suite.entries.is_empty() { Err(EMPTY.to_string()) } else { planned(line, typed) };
    let BenchSetup { place, settings, report } = match plan {
        Ok(plan) => plan,
        Err(error) => {
            terminal.error(&error);
            return BenchOutcome::Usage;
        }
    };
    if !suite.entries.iter().any(|entry| selection.takes(entry)) {
        return nothing_to_measure(suite, line, report, &terminal);
    }
    if let Some(time) = line.profile_time {
        return profile(suite, time, &selection, line, &terminal);
    }
    let mut page = Page::new(line.view(), terminal.width());
    let findings = if line.instructions {
        instructions(suite, line, &selection, &place, report, &mut terminal)
    } else if line.baseline.is_some() {
        let sizes = growth_of_builds::sizes(suite);
        against_baseline(line, selection, &place, &settings, report, &mut terminal).map(
            |mut findings| {
                growth_of_builds::set(&mut findings.report, &sizes);
                let subjects: Vec<&Subject> = findings.report.subjects.iter().collect();
                let text = growth_lines(&subjects, &line.view(), terminal.width());
                show(&text, line, &terminal);
                findings
            },
        )
    } else {
        Ok(measured(suite, &selection, line, &settings, report, &mut page, &mut terminal))
    };
    terminal.clear();
    let findings = match findings {
        Ok(findings) => findings,
        Err(error) => {
            terminal.error(&error);
            return BenchOutcome::Usage;
        }
    };
    concluded(&findings, line, &place, &mut page, &terminal)
}

/// Writes what was found, keeps it, and says how it ended.
pub(crate) fn concluded(
    findings: &Findings,
    line: &CommandLine,
    place: &BenchExecutable,
    page: &mut Page,
    terminal: &Terminal,
) -> BenchOutcome {
    let written = write(findings, line, place, page, terminal);
    let written = written.and_then(|()| match &line.report {
        Some(wanted) if !findings.is_interrupted && !findings.report.subjects.is_empty() => {
            report_page::make(wanted, place, terminal)
        }
        _ => Ok(()),
    });
    for (name, broken) in &findings.failures {
        terminal.error(&format!("{name}: {broken}"));
    }
    if findings.is_ungated(line) && !findings.is_interrupted {
        terminal.note(
            "note: the gate is inconclusive, because nothing was compared; add --baseline NAME, choose a \
             bench with comparisons, or use --allow-inconclusive",
        );
    }
    match written {
        Ok(()) => findings.outcome(line),
        Err(error) => {
            terminal.error(&error);
            findings.outcome(line).max(BenchOutcome::Usage)
        }
    }
}

/// Measures every selected entry: comparisons in this process, single benches over executions.
fn measured(
    suite: &mut Suite<'_>,
    selection: &BenchFilters,
    line: &CommandLine,
    settings: &Settings,
    report: Report,
    page: &mut Page,
    terminal: &mut Terminal,
) -> Findings {
    let meter = suite.meter;
    let interrupt = Interrupt::install().ok();
    terminal.progress(&|| "measuring the cost of the clock and the loop".to_string());
    let instrument = Instrument::calibrated();
    let sample = SampleKind::of(instrument, meter);
    // What the clock costs is subtracted from times alone.
    let harness = meter.is_none().then(|| instrument.harness());
    let mut findings = Findings {
        report: Report { harness, ..report },
        failures: Vec::new(),
        is_interrupted: false,
    };
    let entries: Vec<&mut Entry<'_>> =
        suite.entries.iter_mut().filter(|entry| selection.takes(entry)).collect();
    // Other measurements than time are made in this process.
    if meter.is_some() && line.executions.is_some_and(|count| count > 1) {
        terminal.note("note: --executions applies to times; this suite measures something else");
    }
    let executions = line
        .executions()
        .filter(|_| meter.is_none())
        .map(|wanted| Executions::new(wanted, settings, instrument, interrupt, selection));
    let mut singles = SingleBenches::of(&entries, executions.is_some());
    if singles.is_empty() && line.executions.is_some_and(|count| count > 1) {
        terminal.note("note: --executions applies to single benches; comparisons run in this one");
    }
    if line.statistic.is_some() && entries.iter().any(|entry| entry.kind != Kind::Comparison) {
        terminal.note("note: --statistic applies to comparisons; single benches show their median");
    }
    for entry in entries {
        let is_interrupted = || interrupt.is_some_and(Interrupt::requested);
        let single = match (entry.single(), &executions) {
            (Some(name), _) if is_interrupted() && !singles.is_known(name) => SingleBench::Nothing,
            (None, _) if is_interrupted() => SingleBench::Nothing,
            (Some(name), Some(executions)) => {
                let mut show = |line: &dyn Fn() -> String| terminal.progress(line);
                singles.next(name, executions, &mut show)
            }
            _ => SingleBench::Here,
        };
        findings.failures.extend(singles.take_failures());
        let block = match single {
            SingleBench::Measured(mut subject) => {
                if let (Some(facts), Some(function)) =
                    (&mut subject.function, entry.functions.first())
                {
                    facts.input.clone_from(&function.input);
                }
                Ok(Block::of_single(&entry.name, *subject))
            }
            SingleBench::Nothing => continue,
            SingleBench::Here => {
                let mut show = |line: &dyn Fn() -> String| terminal.progress(line);
                let sample = sample.clone();
                let mut laboratory =
                    Laboratory { instrument, sample, settings, interrupt, show: &mut show };
                of_entry(entry, &singles, &mut laboratory)
            }
        };
        terminal.clear();
        match block {
            Ok(block) => {
                show(&page.next(&block), line, terminal);
                if entry.kind == Kind::Comparison {
                    findings.report.warnings.extend(without_ratio(&block));
                    let comparisons = findings.report.comparisons.get_or_insert_default();
                    comparisons.extend(block.comparisons);
                }
                findings.report.subjects.extend(block.subjects);
            }
            Err(failure) => findings.failures.push(failure),
        }
    }
    findings.is_interrupted = interrupt.is_some_and(Interrupt::requested);
    findings
}

/// Why functions of a comparison that measured something else than time were not compared.
fn without_ratio(block: &Block) -> Option<Warning> {
    let subject = block.subjects.first().filter(|subject| !subject.series.is_wall_time())?;
    let is_complete = block.comparisons.len() + 1 >= block.subjects.len();
    (!is_complete).then(|| {
        let what = format!(
            "{}: the {} of a batch was 0, so there is no ratio",
            block.name,
            subject.series.metric().unwrap_or("value")
        );
        Warning::from(Advice::new(what))
    })
}

fn of_entry(
    entry: &mut Entry<'_>,
    singles: &SingleBenches,
    laboratory: &mut Laboratory<'_>,
) -> Result<Block, (String, Broken)> {
    let name = entry.name.clone();
    let began = Instant::now();
    match entry.kind {
        Kind::Comparison if entry.functions.len() > 1 => {
            match side_by_side(&mut entry.functions, laboratory) {
                Ok((subjects, comparisons)) => {
                    let seconds = Some(began.elapsed().as_secs_f64());
                    Ok(Block { name, subjects, comparisons, seconds })
                }
                Err((index, broken)) => Err((entry.functions[index].name.clone(), broken)),
            }
        }
        _ => {
            let function = &mut entry.functions[0];
            let mut subject =
                alone(function, laboratory).map_err(|broken| (function.name.clone(), broken))?;
            singles.label(&mut subject);
            Ok(Block::of_single(&name, subject))
        }
    }
}

/// Shows a block to people as soon as it is there.
pub(crate) fn show(text: &str, line: &CommandLine, terminal: &Terminal) {
    if line.format == Format::Human && !text.is_empty() {
        // A closed pipe is noticed when everything is written.
        let _ = terminal.print(text);
    }
}

/// Writes what was asked for, and keeps the results.
fn write(
    findings: &Findings,
    line: &CommandLine,
    place: &BenchExecutable,
    page: &mut Page,
    terminal: &Terminal,
) -> Result<(), String> {
    let report = &findings.report;
    let json = |include_values| {
        let document = Document::for_front_end(report, include_values, front_end());
        document.to_json().map_err(|error| error.to_string())
    };
    // Counts are kept under a name alone: the last results are times.
    let is_counted = line.instructions && line.save.is_some() && report.instructions.is_some();
    let is_kept = !line.no_results && (!report.subjects.is_empty() || is_counted);
    // What cannot be written is said in the end: it must not cost the answer.
    let mut problems = Vec::new();
    let kept = match place.results.as_ref().filter(|_| is_kept) {
        Some(results) => json(true)
            .and_then(|json| keep(results, place, line.save.as_deref(), !line.instructions, &json))
            .map_err(|problem| problems.push(problem))
            .ok(),
        None => None,
    };
    if let Some(path) = &line.export_json
        && let Err(problem) = json(true).and_then(|text| export(path, &text, terminal))
    {
        problems.push(problem);
    }
    let text = match line.format {
        // A duel has shown everything.
        Format::Human if line.baseline.is_some() && !line.instructions => String::new(),
        Format::Human => page.end(report, kept.as_deref()),
        Format::Json => json(line.include_values)?,
        Format::Bencher => bencher_metrics(report).map_err(|error| error.to_string())?,
        Format::Libtest => libtest_lines(report),
        Format::Csv => rows(report, line.time_unit).csv(),
        Format::Markdown => rows(report, line.time_unit).markdown(),
    };
    if !matches!(line.format, Format::Human | Format::Json) && !line.is_quiet {
        for warning in &report.warnings {
            terminal.note(&format!("warning: {}", warning.said(front_end())));
        }
    }
    if let Err(problem) = printed(terminal.print(&text)) {
        problems.push(problem);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Finds files that cannot be written before anything is measured.
fn check_files(line: &CommandLine, place: &BenchExecutable) -> Result<(), String> {
    if let Some(results) = place.results.as_ref().filter(|_| !line.no_results) {
        let names = std::iter::once(LATEST).chain(line.save.as_deref());
        for name in names {
            results.check(&place.suite, name).map_err(|error| not_kept(results, &error))?;
        }
    }
    match &line.export_json {
        Some(path) if !is_standard_output(path) => {
            whole_file::check(path).map_err(|why| format!("cannot write {}: {why}", path.display()))
        }
        _ => Ok(()),
    }
}

fn export(path: &Path, text: &str, terminal: &Terminal) -> Result<(), String> {
    if is_standard_output(path) {
        return printed(terminal.print(text));
    }
    whole_file::write(path, text.as_bytes())
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn not_kept(results: &Results, error: &io::Error) -> String {
    format!(
        "cannot save the results in {}: {error}; use --no-results to skip saving",
        results.folder().display()
    )
}

/// Keeps results as the latest and, under a name, with the executable that made them.
fn keep(
    results: &Results,
    place: &BenchExecutable,
    name: Option<&str>,
    is_latest: bool,
    json: &str,
) -> Result<PathBuf, String> {
    let problem = |error: io::Error| not_kept(results, &error);
    let latest = match is_latest {
        true => results.write(&place.suite, LATEST, json).map_err(problem)?,
        false => PathBuf::new(),
    };
    let Some(name) = name else { return Ok(latest) };
    results.keep_executable(&place.suite, name, &place.executable).map_err(problem)?;
    // A later comparison says why it has only one layout, if this fails.
    match place.recipe() {
        Ok(recipe) => results.keep_recipe(&place.suite, name, &recipe).map_err(problem)?,
        Err(_) => results.remove_recipe(&place.suite, name),
    }
    results.write(&place.suite, name, json).map_err(problem)
}

const EMPTY: &str = "the suite has no benches; add some with `suite.bench(\"name\", || ...)` or the \
                     attribute `#[fathom_bench::bench]`";

/// Ends without measuring. Cargo gives every bench of a package the same filter and stops at the
/// first that fails, so a filter meant for another bench must not fail this one.
pub(crate) fn nothing_to_measure(
    suite: &Suite<'_>,
    line: &CommandLine,
    report: Report,
    terminal: &Terminal,
) -> BenchOutcome {
    terminal.note(&format!("note: {}; nothing was measured", nothing_selected(suite, line)));
    if !line.is_for_programs() && line.export_json.is_none() {
        return BenchOutcome::Done;
    }
    let findings = Findings { report, failures: Vec::new(), is_interrupted: false };
    let mut page = Page::new(line.view(), terminal.width());
    let nowhere =
        BenchExecutable { executable: PathBuf::new(), suite: String::new(), results: None };
    match write(&findings, line, &nowhere, &mut page, terminal) {
        Ok(()) => BenchOutcome::Done,
        Err(error) => {
            terminal.error(&error);
            BenchOutcome::Usage
        }
    }
}

fn nothing_selected(suite: &Suite<'_>, line: &CommandLine) -> String {
    const MOST: usize = 10;
    let names = suite.names();
    let shown = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if names.len() > MOST { ", ..." } else { "" };
    if line.filters.is_empty() {
        return format!("--skip and --ignored exclude all of {shown}{more}");
    }
    format!("no bench matches {}; the benches are {shown}{more}", line.filters.join(" or "))
}

/// What may spoil the measurement before it begins.
fn warnings_about(place: &BenchExecutable, counts: bool) -> Vec<Warning> {
    // Other programs change no count.
    let mut warnings = if counts { Vec::new() } else { surroundings::warnings() };
    if cfg!(debug_assertions) {
        let what = format!("{} was built without optimization", place.suite);
        warnings.push(Advice::new(what).or(Remedy::new("measure with `cargo bench`")));
    }
    warnings.into_iter().map(Warning::from).collect()
}

/// As it would be typed.
fn command_line(suite: &str, typed: &[String]) -> String {
    let words = typed.iter().filter(|word| *word != "--bench").map(String::as_str);
    let words: Vec<&str> = words.collect();
    let mut line = format!("cargo bench --bench {suite}");
    if !words.is_empty() {
        line.push_str(" -- ");
        line.push_str(&words.join(" "));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{comparison, subject};
    use fathom_analyze::compare::Pairing;
    use fathom_record::{Series, Unit};

    #[test]
    fn functions_that_were_not_compared_are_explained() {
        let of_faults = |name: &str| {
            let series = Series::new(name, Unit::parse("faults"), vec![0.0, 1.0]).unwrap();
            Subject { series: series.with_metric("faults"), ..subject(name, 1e-6) }
        };
        let found = |name| comparison(["p/a", name], 0.1, 0.001, Pairing::Batches, Vec::new());
        let block = |subjects: Vec<Subject>, compared: &[&'static str]| Block {
            name: "p".to_string(),
            subjects,
            comparisons: compared.iter().map(|name| found(name)).collect(),
            seconds: None,
        };
        let three = || ["p/a", "p/b", "p/c"].map(of_faults).to_vec();
        let said = |block: &Block| without_ratio(block).map(|warning| warning.to_string());
        let why = "p: the faults of a batch was 0, so there is no ratio";
        assert_eq!(said(&block(three(), &[])).as_deref(), Some(why));
        assert_eq!(said(&block(three(), &["p/b"])).as_deref(), Some(why));
        assert_eq!(said(&block(three(), &["p/b", "p/c"])), None);
        let times = vec![subject("p/a", 1e-6), subject("p/b", 1e-6)];
        assert_eq!(said(&block(times, &[])), None);
    }
}
