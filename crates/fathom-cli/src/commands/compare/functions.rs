//! Functions in two builds of a bench: given as executables, or built from two revisions.

use super::builds::{self, Builds, CargoArguments};
use super::plan::gates;
use super::report::gated;
use crate::arguments::{Color, CompareArguments, FunctionArguments, Style};
use crate::commands::written;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::Progress;
use crate::render;
use fathom_analyze::{Document, Report};
use fathom_bench::Selection;
use fathom_bench::duel::{self, Found, Options, Program, duel};
use fathom_bench::results::{Results, is_plain_name, suite_name};
use fathom_record::Environment;
use fathom_stats::Confidence;
use fathom_sys::host::{Brief, warnings_before};
use fathom_sys::signals::Interrupt;
use std::path::Path;

/// The name of what was compared, among the results of a bench.
const COMPARED: &str = "compared";

/// Two builds of one bench.
struct Bout {
    /// The bench's name, where there are several.
    name: Option<String>,
    old: Program,
    new: Program,
}

/// Filters without functions would be ignored.
pub(super) fn refuse_filters(functions: &FunctionArguments) -> Result<(), Failure> {
    if functions.exact || !functions.skip.is_empty() {
        return Err(Failure::input(
            "--exact and --skip choose functions; give --bench OLD NEW or --rev REV as well",
        ));
    }
    Ok(())
}

/// Compares the functions of two builds.
pub(super) fn run(arguments: &CompareArguments, color: Color) -> Result<Outcome, Failure> {
    let functions = &arguments.functions;
    let filters = &arguments.subjects.commands;
    // An expression that is none shall not be found out after minutes of building.
    Selection::new(filters, &functions.skip, functions.exact).map_err(Failure::input)?;
    let seed = arguments.seed.unwrap_or_else(fathom_sys::seed::fresh);
    // Before anything is built: a worktree is to be taken away again also after Ctrl-C, which ends
    // cargo.
    let interrupt = Interrupt::install().ok();
    let mut warnings = warnings_before(&Brief::read(Path::new("/")));
    let builds = match &functions.rev {
        Some(revision) => Some(built(arguments, revision, color)?),
        None => None,
    };
    let bouts = match &builds {
        Some(builds) => {
            warnings.extend(builds.warnings.iter().cloned());
            of_builds(builds)
        }
        None => vec![of_executables(&functions.bench)?],
    };
    for bout in &bouts {
        check_place(arguments, bout)?;
    }
    let mut progress = Progress::new(arguments.style, arguments.output.quiet);
    let mut found = Vec::new();
    for bout in &bouts {
        let options = options(arguments, bouts.len(), seed, interrupt)?;
        match duel(&bout.old, &bout.new, &options, &mut |line| progress.draw(line)) {
            Ok(one) => found.push((bout, one)),
            // Of several benches, those without a function that is wanted are passed over.
            Err(duel::DuelError::Nothing(why)) if bouts.len() > 1 => {
                warnings.push(format!("{}: {why}", suite_name(&bout.new.executable)));
            }
            Err(error) => return Err(Failure::input(error)),
        }
        if interrupt.is_some_and(Interrupt::requested) {
            break;
        }
    }
    progress.clear();
    if found.is_empty() {
        return Err(Failure::input(warnings.join("\n")));
    }
    conclude(arguments, &bouts[0], found, warnings, seed, color)
}

fn built(arguments: &CompareArguments, revision: &str, color: Color) -> Result<Builds, Failure> {
    let cargo = match &arguments.functions.cargo_args {
        Some(text) => CargoArguments::read(text)?,
        None => CargoArguments::default(),
    };
    let folder = std::env::current_dir()
        .map_err(|error| Failure::input(format!("the working folder is gone ({error})")))?;
    let is_quiet = arguments.output.quiet || arguments.style == Style::None;
    let request =
        builds::Request { folder: &folder, revision, arguments: &cargo, place: None, is_quiet };
    builds::build(&request, &mut |line| {
        if !is_quiet {
            output::print_warning(line, color);
        }
    })
}

fn of_builds(builds: &Builds) -> Vec<Bout> {
    let is_one = builds.pairs.len() == 1;
    let bout = |pair: &builds::Pair| Bout {
        name: (!is_one).then(|| pair.new.target.clone()),
        old: Program {
            executable: pair.old.executable.clone(),
            folder: Some(pair.old.folder.clone()),
            label: builds.revision.name.clone(),
        },
        new: Program {
            executable: pair.new.executable.clone(),
            folder: Some(pair.new.folder.clone()),
            label: "work tree".to_string(),
        },
    };
    builds.pairs.iter().map(bout).collect()
}

fn of_executables(paths: &[std::path::PathBuf]) -> Result<Bout, Failure> {
    let [old, new] = paths else {
        return Err(Failure::input("--bench takes two executables, the old one first"));
    };
    let program = |path: &Path, label: &str| -> Result<Program, Failure> {
        // As a path, so that a name without a slash is not looked for among the system's programs.
        let executable = std::path::absolute(path)
            .map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        Ok(Program { executable, folder: None, label: label.to_string() })
    };
    Ok(Bout { name: None, old: program(old, "old")?, new: program(new, "new")? })
}

/// What a bout is to show; several of them share the error, so that all verdicts together hold.
fn options(
    arguments: &CompareArguments,
    bouts: usize,
    seed: u64,
    interrupt: Option<Interrupt>,
) -> Result<Options, Failure> {
    let functions = &arguments.functions;
    let selection = Selection::new(&arguments.subjects.commands, &functions.skip, functions.exact);
    let alpha = arguments.confidence.alpha() / bouts as f64;
    Ok(Options {
        selection: selection.map_err(Failure::input)?,
        max_time: arguments.max_time.unwrap_or(duel::TIME),
        confidence: Confidence::new(1.0 - alpha).unwrap_or(arguments.confidence),
        margin: arguments.margin(),
        gates: gates(arguments),
        seed,
        interrupt,
    })
}

fn conclude(
    arguments: &CompareArguments,
    first: &Bout,
    found: Vec<(&Bout, Found)>,
    warnings: Vec<String>,
    seed: u64,
    color: Color,
) -> Result<Outcome, Failure> {
    let mut report = Report {
        command_line: written::command_line(written::typed().iter().map(String::as_str)),
        seed,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        subjects: Vec::new(),
        comparisons: Some(Vec::new()),
        warnings,
    };
    let mut failures = Vec::new();
    // What cannot be kept is said in the end: it must not cost the answer.
    let mut kept = Vec::new();
    let mut seconds = 0.0;
    let mut is_interrupted = false;
    for (bout, mut one) in found {
        seconds += one.seconds;
        is_interrupted |= one.is_interrupted;
        kept.extend(keep(arguments, bout, &one, &report).err());
        rename(&mut one, bout.name.as_deref(), arguments.confidence);
        report.subjects.extend(one.subjects);
        report.comparisons.get_or_insert_default().extend(one.comparisons);
        report.warnings.extend(one.warnings);
        failures.extend(one.failures);
    }
    let labels = [first.old.label.as_str(), first.new.label.as_str()];
    let view = render::view(&arguments.output, &arguments.cleaning);
    let written = written::write(&report, &arguments.output, color, || {
        duel::render(&report, labels, Some(seconds), &view, output::width())
    });
    written.and(Failure::of_all(kept))?;
    if is_interrupted {
        return Ok(Outcome::Interrupted);
    }
    if !failures.is_empty() {
        let lines: Vec<String> =
            failures.iter().map(|(name, why)| format!("{name}: {why}")).collect();
        return Err(Failure::Command(lines.join("\n")));
    }
    Ok(gated(report.comparisons.as_deref().unwrap_or_default(), arguments.allow_inconclusive))
}

/// Puts the bench's name before its functions', and the confidence of all before its own.
fn rename(found: &mut Found, name: Option<&str>, confidence: Confidence) {
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

/// Finds out before measuring whether what is found can be kept.
fn check_place(arguments: &CompareArguments, bout: &Bout) -> Result<(), Failure> {
    let save = arguments.session.save.as_deref();
    if let Some(name) = save.filter(|name| !is_plain_name(name)) {
        return Err(Failure::input(format!(
            "--save {name}: results of benches are kept in files of that name, so it has letters, \
             digits, and - _ . + inside"
        )));
    }
    let Some(results) = Results::of_executable(&bout.new.executable) else {
        return match save {
            Some(name) => Err(Failure::input(format!(
                "--save {name}: {} is in no target folder of cargo, so there is no place to keep \
                 it; use --export-json FILE",
                bout.new.executable.display()
            ))),
            None => Ok(()),
        };
    };
    if arguments.session.no_save {
        return Ok(());
    }
    let name = save.unwrap_or(COMPARED);
    let suite = suite_name(&bout.new.executable);
    results.check(&suite, name).map_err(|error| {
        let file = results.file(&suite, name);
        Failure::input(format!(
            "{} cannot be written: {error}; --no-save does without",
            file.display()
        ))
    })
}

/// Keeps what was found with the other results of the bench, where it has a place for them.
fn keep(
    arguments: &CompareArguments,
    bout: &Bout,
    found: &Found,
    report: &Report,
) -> Result<(), Failure> {
    let Some(results) = Results::of_executable(&bout.new.executable) else { return Ok(()) };
    if arguments.session.no_save || found.subjects.is_empty() {
        return Ok(());
    }
    let name = arguments.session.save.as_deref().unwrap_or(COMPARED);
    let of_bench = Report {
        subjects: found.subjects.clone(),
        comparisons: Some(found.comparisons.clone()),
        ..report.clone()
    };
    let json = Document::of(&of_bench, true).to_json().map_err(Failure::input)?;
    let suite = suite_name(&bout.new.executable);
    results
        .write(&suite, name, &json)
        .map_err(|error| Failure::file(&results.file(&suite, name), &error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Cli, Command};
    use clap::Parser;

    fn arguments(words: &str) -> Box<CompareArguments> {
        let words = std::iter::once("fathom").chain(words.split(' '));
        match Cli::try_parse_from(words).unwrap().command {
            Command::Compare(arguments) => arguments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn several_benches_share_the_error() {
        let arguments = arguments("compare --rev main --confidence 90% --margin 2%");
        let of = |bouts| options(&arguments, bouts, 1, None).unwrap();
        assert!((of(1).confidence.alpha() - 0.1).abs() < 1e-12);
        assert!((of(4).confidence.alpha() - 0.025).abs() < 1e-12);
        assert_eq!(of(1).margin.get(), 0.02);
        assert_eq!(of(1).max_time, duel::TIME);
    }

    #[test]
    fn filters_need_functions() {
        assert!(refuse_filters(&arguments("compare a b").functions).is_ok());
        assert!(refuse_filters(&arguments("compare a b --exact").functions).is_err());
    }
}
