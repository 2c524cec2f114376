//! Google Benchmark's JSON.
//!
//! Rows of kind `iteration` are the measurements, grouped by `run_name`; rows of kind `aggregate`
//! repeat them as means and medians and are left out. `real_time` unless `--column` names
//! `cpu_time` or a counter, and then only the benchmarks that have this counter.

use fathom_record::{Series, TimeUnit, Unit};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::{ByOption, Flaw, quoted};
use crate::read::Request;
use crate::{json, metrics};

#[derive(Deserialize)]
struct Document {
    benchmarks: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    run_name: Option<String>,
    run_type: Option<String>,
    time_unit: Option<String>,
    /// Set by SkipWithError.
    #[serde(default)]
    error_occurred: bool,
    error_message: Option<String>,
    /// Set by SkipWithMessage, of newer versions.
    #[serde(default)]
    skipped: bool,
    skip_message: Option<String>,
    /// Times and counters.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Numbers of a row that describe it and are not measured.
const DESCRIPTIVE: [&str; 6] = [
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
];

/// The rows of one benchmark, in order.
struct Group<'a> {
    name: &'a str,
    rows: Vec<&'a Row>,
}

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    let document: Document = json::parse(text)?;
    let groups = groups(&document.benchmarks)?;
    if groups.is_empty() {
        return Err(if document.benchmarks.is_empty() {
            Flaw::new(
                "the file contains no benchmarks",
                "check --benchmark_filter, and that the benchmark run finished",
            )
        } else {
            Flaw::new(
                "the file has only aggregates (mean, median, ...), not the repetitions",
                "use --benchmark_repetitions=20, without --benchmark_report_aggregates_only or \
                 --benchmark_display_aggregates_only",
            )
        });
    }
    let mut present: Vec<&str> = Vec::new();
    for (key, value) in groups.iter().flat_map(|group| &group.rows).flat_map(|row| &row.rest) {
        let is_metric = value.is_number() && !DESCRIPTIVE.contains(&key.as_str());
        if is_metric && !present.contains(&key.as_str()) {
            present.push(key);
        }
    }
    let wanted = metrics::chosen(request.columns, "real_time", &present)?;
    let mut series = Vec::new();
    for group in &groups {
        for metric in &wanted {
            if ALWAYS.contains(metric)
                || group.rows.iter().any(|row| row.rest.contains_key(*metric))
            {
                series.push(one(group, metric)?);
            }
        }
    }
    Ok(series)
}

/// Metrics that every benchmark has. A counter belongs to the benchmarks that define it, so asking
/// for it asks for those.
const ALWAYS: [&str; 2] = ["real_time", "cpu_time"];

fn groups(rows: &[Row]) -> Result<Vec<Group<'_>>, Flaw> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    // Rows of a group mostly stand together, but --benchmark_enable_random_interleaving mixes them.
    let mut places = std::collections::HashMap::new();
    for row in rows.iter().filter(|row| row.is_iteration()) {
        let name = row.run_name.as_deref().unwrap_or(&row.name);
        if row.error_occurred || row.skipped {
            let message = row.error_message.as_deref().or(row.skip_message.as_deref());
            return Err(Flaw::new(
                format!("{} was not measured: {}", quoted(name), quoted(message.unwrap_or(""))),
                "fix it, or exclude it with --benchmark_filter",
            ));
        }
        let place = *places.entry(name).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { name, rows: vec![row] }),
        }
    }
    Ok(groups)
}

impl Row {
    fn is_iteration(&self) -> bool {
        match self.run_type.as_deref() {
            Some(kind) => kind == "iteration",
            // Before version 1.5 only the name told.
            None => !["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"]
                .iter()
                .any(|suffix| self.name.ends_with(suffix)),
        }
    }

    fn unit(&self, metric: &str) -> Unit {
        match metric {
            "real_time" | "cpu_time" => {
                self.time_unit.as_deref().map_or(Unit::Unknown, Unit::parse)
            }
            "bytes_per_second" => Unit::Other("B/s".into()),
            "items_per_second" => Unit::Other("items/s".into()),
            _ => Unit::Unknown,
        }
    }
}

fn one(group: &Group<'_>, metric: &str) -> Result<Series, Flaw> {
    let unit = group.rows.first().map(|row| row.unit(metric)).unwrap_or_default();
    let mut values = Vec::with_capacity(group.rows.len());
    for (row, number) in group.rows.iter().zip(1..) {
        let Some(value) = row.rest.get(metric).and_then(Value::as_f64) else {
            return Err(Flaw::new(
                format!("{}: repetition {number} has no {metric}", quoted(group.name)),
                ByOption("choose another metric with --column, or measure again"),
            ));
        };
        values.push(match (row.unit(metric), &unit) {
            (this, unit) if this == *unit => value,
            (Unit::Time(this), Unit::Time(unit)) => TimeUnit::convert(this, value, *unit),
            (this, unit) => {
                return Err(Flaw::new(
                    format!(
                        "{}: repetition {number} is in \"{this}\", but the first is in \"{unit}\"",
                        quoted(group.name)
                    ),
                    "use the file exactly as Google Benchmark wrote it",
                ));
            }
        });
    }
    let series = Series::new(group.name, unit, values)
        .map_err(|error| Flaw::new(error.to_string(), "measure again"))?;
    Ok(series.with_metric(metric))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, columns: &[&str]) -> Result<Vec<Series>, Flaw> {
        let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
        read(text, &Request { source: "x.json", columns: &columns, ..Request::default() })
    }

    #[test]
    fn interleaved_rows_are_grouped_in_order_of_first_appearance() {
        let row = |name: &str, time: f64, unit: &str| {
            format!(
                r#"{{"name":"{name}","run_type":"iteration","real_time":{time},"time_unit":"{unit}"}}"#
            )
        };
        let rows = [row("b", 1.0, "us"), row("a", 5.0, "ns"), row("b", 2000.0, "ns")];
        let text = format!(r#"{{"context":{{}},"benchmarks":[{}]}}"#, rows.join(","));
        let series = read_text(&text, &[]).unwrap();
        assert_eq!((series[0].name(), series[0].values()), ("b", &[1.0, 2.0][..]));
        assert_eq!((series[1].name(), series[1].values()), ("a", &[5.0][..]));
    }

    #[test]
    fn old_files_tell_aggregates_by_name() {
        let text = r#"{"benchmarks":[{"name":"a","real_time":1,"time_unit":"ns"},
            {"name":"a_mean","real_time":1,"time_unit":"ns"}]}"#;
        assert_eq!(read_text(text, &[]).unwrap()[0].len(), 1);
    }
}
