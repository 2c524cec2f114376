//! `fathom show DIR`: what a folder of traces holds.

use crate::arguments::{Color, OutputArguments, OutputFormat, ShowArguments};
use crate::commands::written;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::render::traces::{Detail, RunPage, STRETCHES, render, table};
use fathom_analyze::traces::MetricSummary;
use fathom_formats::trace::Trace;
use fathom_record::trace::{Manifest, Samples, TraceRun};
use fathom_record::{nearest, own_json};
use serde_json::json;
use std::path::Path;

/// Whether the word of the command line means a folder and not a session.
pub(crate) fn is_traces(word: &str) -> bool {
    let path = Path::new(word);
    // A session may be called as a folder is; who means the folder writes a slash.
    path.join("manifest.json").exists() || (word.contains('/') && !word.contains('@'))
}

pub(crate) fn show(arguments: &ShowArguments, color: Color) -> Result<Outcome, Failure> {
    let trace = Trace::open(Path::new(&arguments.session)).map_err(Failure::input)?;
    let manifest = trace.manifest();
    let (mut pages, mut unreadable) = (Vec::new(), None);
    for run in chosen(manifest, arguments.run.as_deref())? {
        match page(&trace, run, &arguments.metrics) {
            Ok(page) => pages.push(page),
            // One damaged run does not hide the others; the error comes after them.
            Err(failure) => unreadable = unreadable.or(Some(failure)),
        }
    }
    if pages.is_empty()
        && let Some(failure) = unreadable
    {
        return Err(failure);
    }
    if pages.iter().all(|page| page.summaries.is_empty()) && !arguments.metrics.is_empty() {
        return Err(no_such_metric(manifest, &arguments.metrics));
    }
    let output = &arguments.output;
    let text = match output.format {
        OutputFormat::Human => {
            let (unit, width) = (output.time_unit, output::width());
            render(manifest, &pages, detail(output), unit, width)
        }
        OutputFormat::Json => document(manifest, &pages, output.include_values)?,
        OutputFormat::Csv => table(&pages).csv(),
        OutputFormat::Markdown => table(&pages).markdown(),
    };
    let json = || document(manifest, &pages, true);
    let exported = written::export_table(output, color, &json, &|| table(&pages));
    written::after_printing(&text, color, exported)?;
    match unreadable {
        Some(failure) => Err(failure),
        None => Ok(Outcome::Done),
    }
}

fn detail(output: &OutputArguments) -> Detail {
    match (output.quiet, output.verbose) {
        (true, _) => Detail::Answer,
        (_, true) => Detail::Everything,
        _ => Detail::Usual,
    }
}

/// The run that was asked for, or all.
pub(super) fn chosen<'a>(
    manifest: &'a Manifest,
    id: Option<&str>,
) -> Result<Vec<&'a TraceRun>, Failure> {
    let Some(id) = id else { return Ok(manifest.runs.iter().collect()) };
    let ids: Vec<&str> = manifest.runs.iter().map(|run| run.id.as_str()).collect();
    match manifest.run(id) {
        Some(run) => Ok(vec![run]),
        None => Err(Failure::input(format!("there is no run \"{id}\"; there are {}", some(&ids)))),
    }
}

/// As many names as one reads.
pub(super) fn some(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    match names.len() {
        0 => "none".to_string(),
        n if n > SHOWN => format!("{} and {} more", names[..SHOWN].join(", "), n - SHOWN),
        _ => names.join(", "),
    }
}

fn no_such_metric(manifest: &Manifest, asked: &[String]) -> Failure {
    let names: Vec<&str> = manifest.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let near = asked.iter().find_map(|name| nearest(name, &names).first().copied());
    let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    Failure::input(format!(
        "no metric's name contains {}{near}; there are {}",
        asked.join(" or "),
        some(&names)
    ))
}

fn page(trace: &Trace, run: &TraceRun, wanted: &[String]) -> Result<RunPage, Failure> {
    let samples = trace.all_samples(&run.id).map_err(Failure::input)?;
    let last = samples.iter().filter_map(|one| one.end_ns.iter().max().copied()).max();
    let length_ns = run.ended_ns.max(last).unwrap_or(0);
    let mut run = run.clone();
    if run.ended_ns.is_none() {
        count_rows(trace, &mut run, &samples)?;
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|text| name.contains(text));
    let summaries = samples
        .iter()
        .filter(|one| is_wanted(&one.metric.name))
        .map(|one| MetricSummary::of(one, length_ns, STRETCHES))
        .collect();
    Ok(RunPage { run, length_ns, summaries })
}

/// The manifest of a recording that was killed does not know how many rows there are.
fn count_rows(trace: &Trace, run: &mut TraceRun, samples: &[Samples]) -> Result<(), Failure> {
    for sampler in &mut run.samplers {
        let metrics = trace.metrics_of_sampler(&run.id, &sampler.name).map_err(Failure::input)?;
        let first = metrics.first().map(|metric| &metric.name);
        let rows =
            samples.iter().find(|one| Some(&one.metric.name) == first).map_or(0, Samples::len);
        sampler.rows = u64::try_from(rows).unwrap_or(u64::MAX);
    }
    Ok(())
}

fn document(manifest: &Manifest, pages: &[RunPage], shapes: bool) -> Result<String, Failure> {
    let metrics: Vec<serde_json::Value> = pages
        .iter()
        .flat_map(|page| page.summaries.iter().map(|summary| entry(&page.run.id, summary, shapes)))
        .collect();
    let document = json!({
        "schema": own_json::SCHEMA,
        "traces": manifest,
        "metrics": metrics,
    });
    Ok(serde_json::to_string_pretty(&document).map_err(Failure::input)? + "\n")
}

fn entry(run: &str, summary: &MetricSummary, shape: bool) -> serde_json::Value {
    let gaps: Vec<[i64; 2]> = summary.gaps.iter().map(|gap| [gap.start_ns, gap.end_ns]).collect();
    let mut entry = json!({
        "run": run,
        "metric": summary.metric.name,
        "layer": summary.metric.layer,
        "kind": summary.metric.kind,
        "unit": summary.metric.unit,
        "mean": summary.mean,
        "min": summary.range.map(|range| range.0),
        "max": summary.range.map(|range| range.1),
        "samples": summary.seen,
        "missing": summary.missing,
        "gaps_ns": gaps,
        "resets": summary.resets,
        "constant": summary.is_constant,
    });
    if shape && let Some(fields) = entry.as_object_mut() {
        fields.insert("shape".to_string(), json!(summary.shape));
    }
    entry
}
