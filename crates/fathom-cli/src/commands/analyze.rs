//! `fathom analyze`: estimates from data made elsewhere.

use super::written;
use crate::arguments::{AnalyzeArguments, Color, OutputFormat};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::render;
use fathom_analyze::{Property, Report, Request, Statistic, Subject};
use fathom_analyze::{analyze, analyze_work};
use fathom_formats::{Contents, ReadOptions, read_bytes, read_path};
use fathom_record::{Environment, Series, Unit};
use fathom_render::human;
use fathom_stats::quantile::spa::Direction;
use std::io::Read;
use std::path::Path;

pub(crate) fn run(arguments: &AnalyzeArguments, color: Color) -> Result<Outcome, Failure> {
    let report = report(arguments)?;
    let view = render::view(&arguments.output, &arguments.cleaning);
    // How a file was read changes what the numbers are of: that is said also where little is wanted.
    if arguments.output.quiet && arguments.output.format != OutputFormat::Json {
        for note in &report.warnings {
            output::print_warning(&format!("warning: {note}"), color);
        }
    }
    written::write(&report, &arguments.output, color, || {
        human::render(&report, &view, output::width())
    })?;
    Ok(Outcome::Done)
}

/// The report of what the files hold.
pub(crate) fn report(arguments: &AnalyzeArguments) -> Result<Report, Failure> {
    let request = request(arguments)?;
    let mut notes = Vec::new();
    let subjects = match &arguments.work_column {
        Some(column) => work(arguments, column, &request, &mut notes)?,
        None => {
            let series = read(arguments, &mut notes)?;
            series.into_iter().map(|series| analyze(series, &request)).collect()
        }
    };
    Ok(Report {
        command_line: written::command_line(written::typed().iter().map(String::as_str)),
        seed: request.seed,
        environment: Environment::of_this_build(),
        subjects,
        session: None,
        overhead_per_run: None,
        harness: None,
        comparisons: None,
        warnings: notes,
    })
}

fn request(arguments: &AnalyzeArguments) -> Result<Request, Failure> {
    let property = arguments.proportion.map(|proportion| Property {
        proportion,
        direction: arguments.direction.map_or(Direction::AtMost, |name| name.value()),
    });
    let mut statistics: Vec<Statistic> = Vec::new();
    statistics.extend(property.map(|property| property.statistic()));
    for &statistic in &arguments.statistics {
        if !statistics.contains(&statistic) {
            statistics.push(statistic);
        }
    }
    if statistics.is_empty() {
        statistics.push(Statistic::MEDIAN);
    }
    let cleaned = arguments.cleaning.apply(Request::default());
    let request = Request {
        statistics,
        confidence: arguments.confidence,
        method: arguments.method.map(|name| name.value()),
        sides: arguments.sides.value(),
        seed: arguments.seed,
        correlogram: cleaned.correlogram || arguments.output.verbose,
        property,
        ..cleaned
    };
    request.check().map_err(Failure::input)?;
    Ok(request)
}

fn read(arguments: &AnalyzeArguments, notes: &mut Vec<String>) -> Result<Vec<Series>, Failure> {
    let files = read_files(arguments, &arguments.columns, notes)?;
    if arguments.join { join(files) } else { Ok(distinguish(files)) }
}

/// Each file's series, with the file's name; what was skipped in it goes to `notes`.
fn read_files(
    arguments: &AnalyzeArguments,
    columns: &[String],
    notes: &mut Vec<String>,
) -> Result<Vec<(String, Vec<Series>)>, Failure> {
    let options = ReadOptions {
        format: arguments.input_format.map(|name| name.value()),
        columns: columns.to_vec(),
        decimal: arguments.decimal,
        has_columns: arguments.work_column.is_some(),
        unit: arguments.unit.clone(),
    };
    let standard_input = Path::new("-");
    if arguments.files.iter().filter(|file| *file == standard_input).count() > 1 {
        return Err(Failure::input("standard input (-) can be read only once"));
    }
    let mut files = Vec::with_capacity(arguments.files.len());
    for file in &arguments.files {
        let mut name = file.display().to_string();
        let contents = if file == standard_input {
            name = "standard input".to_string();
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
                Failure::input(format!("standard input cannot be read ({error})"))
            })?;
            read_bytes(&name, &bytes, &options)
        } else {
            read_path(file, &options)
        };
        let Contents { series, notes: of_file } = contents.map_err(Failure::input)?;
        notes.extend(of_file.iter().map(|note| format!("{name}: {note}")));
        files.push((name, series));
    }
    Ok(files)
}

/// A rate of work from each file's pairs of work and time.
fn work(
    arguments: &AnalyzeArguments,
    column: &str,
    request: &Request,
    notes: &mut Vec<String>,
) -> Result<Vec<Subject>, Failure> {
    if arguments.columns.len() > 1 {
        return Err(Failure::input("--work-column takes the time from one --column, not several"));
    }
    // With the time's column named, only those two are read; else all, and the rest must be one.
    let mut columns = Vec::new();
    if let Some(time) = arguments.columns.first() {
        columns = vec![column.to_string(), time.clone()];
    }
    let mut subjects = Vec::new();
    for (file, series) in read_files(arguments, &columns, notes)? {
        let is_work = |place: usize, series: &Series| {
            series.name() == column || column.parse() == Ok(place + 1)
        };
        let place = match columns.is_empty() {
            false => Some(0),
            true => series.iter().enumerate().position(|(place, series)| is_work(place, series)),
        };
        let names: Vec<&str> = series.iter().map(Series::name).collect();
        let (Some(place), 2) = (place, series.len()) else {
            return Err(Failure::input(format!(
                "{file}: --work-column {column} needs that column and one with the time, and the \
                 file has {}; name the time with --column",
                names.join(", ")
            )));
        };
        let amounts = series[place].clone().with_unit(match series[place].unit() {
            unit if Some(unit) == arguments.unit.as_ref() => Unit::Unknown,
            unit => unit.clone(),
        });
        let time = series[1 - place].clone();
        let name = if arguments.files.len() > 1 { file.clone() } else { time.name().to_string() };
        let subject = analyze_work(&amounts, time.renamed(name), request)
            .map_err(|error| Failure::input(format!("{file}: {error}")))?;
        subjects.push(subject);
    }
    Ok(subjects)
}

/// Joins what all files measure: their only series, or else series of the same name.
fn join(files: Vec<(String, Vec<Series>)>) -> Result<Vec<Series>, Failure> {
    let count = files.len();
    // A file that does not name its series has lent it its own name, which then differs.
    let is_one_subject = files.iter().all(|(_, series)| series.len() == 1);
    let mut joined: Vec<Series> = Vec::new();
    for (file, series) in files {
        for series in series {
            let is_same = |known: &&mut Series| {
                is_one_subject
                    || (known.name() == series.name() && known.metric() == series.metric())
            };
            let Some(known) = joined.iter_mut().find(is_same) else {
                joined.push(series);
                continue;
            };
            if known.unit() != series.unit() {
                // --unit speaks only for files that do not.
                let is_open = [known.unit(), series.unit()].contains(&&Unit::Unknown);
                let remedy = match is_open {
                    true => "if all are in one unit, say it with --unit",
                    false => "convert the files to one unit",
                };
                return Err(Failure::input(format!(
                    "{file}: \"{}\" is in \"{}\", but files before it are in \"{}\"; {remedy}",
                    series.name(),
                    series.unit(),
                    known.unit()
                )));
            }
            let name = if known.name() == series.name() {
                series.name().to_string()
            } else {
                format!("{count} files")
            };
            *known = known.clone().joined(series).renamed(name);
        }
    }
    Ok(joined)
}

/// Puts the file's name before names that several files share.
fn distinguish(files: Vec<(String, Vec<Series>)>) -> Vec<Series> {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for series in files.iter().flat_map(|(_, series)| series) {
        *counts.entry(series.name().to_string()).or_default() += 1;
    }
    let is_shared = |series: &Series| counts.get(series.name()).is_some_and(|&count| count > 1);
    let several_files = files.len() > 1;
    let mut all = Vec::new();
    for (file, series) in files {
        for series in series {
            let metric = series.metric().map(str::to_string);
            let name = match (several_files && is_shared(&series), &metric) {
                (true, _) => Some(format!("{file}: {}", series.name())),
                // One file, several metrics of one subject.
                (false, Some(metric)) if is_shared(&series) => {
                    Some(format!("{}: {metric}", series.name()))
                }
                (false, _) => None,
            };
            all.push(match name {
                Some(name) => series.renamed(name),
                None => series,
            });
        }
    }
    all
}
