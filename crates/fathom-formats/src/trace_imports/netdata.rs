//! Netdata's `/api/v1/data` and `/api/v2/data`: CSV and TSV, and JSON bare, wrapped (`jsonwrap`) or of
//! version 2 (`json2`).
//!
//! Rows come newest first and are put in the order of time. Times are seconds or milliseconds since
//! 1970, or dates without a zone in CSV. A wrapped answer says the chart, which then begins the names:
//! `system.cpu.user`. Of the points of version 2 the value counts.

use std::collections::BTreeSet;

use fathom_record::trace::{Kind, Value};
use fathom_record::{Decimal, TimeUnit, Timestamp, Unit};
use serde::Deserialize;
use serde_json::Value as Json;

use super::column::{self, Column};
use super::run::Content;
use super::table::{self, Style};
use super::table_time::Moment;
use super::timeline;
use super::{ImportOptions, naming};
use crate::decimal_mark::DecimalMark;
use crate::error::{Flaw, quoted};
use crate::json;

pub(super) fn read(text: &str, options: &ImportOptions) -> Result<Content, Flaw> {
    if text.trim_ascii_start().starts_with(['{', '[']) {
        answer(text, options)
    } else {
        table::read(text, Style::Netdata, options)
    }
}

#[derive(Deserialize)]
struct NetdataReply {
    labels: Option<Vec<String>>,
    data: Option<Vec<Json>>,
    result: Option<Table>,
    id: Option<String>,
    chart_ids: Option<Vec<String>>,
    view: Option<View>,
    cols: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Table {
    labels: Vec<String>,
    data: Vec<Json>,
}

#[derive(Deserialize)]
struct View {
    units: Option<Json>,
    dimensions: Option<Dimensions>,
}

#[derive(Deserialize)]
struct Dimensions {
    #[serde(default)]
    units: Vec<String>,
}

fn answer(text: &str, options: &ImportOptions) -> Result<Content, Flaw> {
    let mut answer: NetdataReply = json::parse(text)?;
    if answer.cols.is_some() {
        return Err(Flaw::new("the file is a Netdata datatable", "query with format=json"));
    }
    let table = match (answer.result.take(), answer.labels.take(), answer.data.take()) {
        (Some(table), _, _) => table,
        (None, Some(labels), Some(data)) => Table { labels, data },
        _ => {
            return Err(Flaw::new(
                "the file has no \"labels\" and \"data\"",
                "query with format=json or format=csv",
            ));
        }
    };
    let mut columns = columns(&table.labels, &answer, options)?;
    let mut rows: Vec<(Moment, Vec<Value>)> = Vec::with_capacity(table.data.len());
    for (n, row) in table.data.iter().enumerate() {
        let read = self::row(row, &table.labels);
        rows.push(read.map_err(|(place, flaw)| flaw.within(format!("row {}{place}", n + 1)))?);
    }
    rows.sort_by_key(|(moment, _)| moment.time);
    for pair in rows.windows(2) {
        if let [(before, _), (after, _)] = pair
            && (before.time == after.time || !before.is_like(*after))
        {
            return Err(Flaw::new(
                format!(
                    "two rows have the time {}, or the times are written in different ways",
                    after.time.nanoseconds() / 1_000_000_000
                ),
                "query Netdata again",
            ));
        }
    }
    let Some((first, _)) = rows.first() else {
        return Err(Flaw::new(
            "the answer has no rows",
            "check the name of the chart, and that its time range has data",
        ));
    };
    let (origin, clock) = first.scale().origin(first.time);
    let end: Vec<Timestamp> =
        rows.iter().map(|(moment, _)| moment.time.relative_to(origin)).collect();
    for (_, values) in &rows {
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(*value);
        }
    }
    let rows = column::rows(&timeline::starts(&end), &end, &columns);
    let samplers = vec![("netdata".to_string(), rows)];
    Ok(Content { clock, time_unit: TimeUnit::Seconds, samplers, notes: Vec::new() })
}

fn columns(
    labels: &[String],
    answer: &NetdataReply,
    options: &ImportOptions,
) -> Result<Vec<Column>, Flaw> {
    let Some((time, dimensions)) = labels.split_first() else {
        return Err(Flaw::new("\"labels\" is empty", "query with format=json"));
    };
    if time != "time" {
        return Err(Flaw::new(
            format!("the first label is {}, not \"time\"", quoted(time)),
            "query with format=json",
        ));
    }
    if dimensions.is_empty() {
        return Err(Flaw::new(
            "there is no dimension, only the time",
            "query a chart that has dimensions",
        ));
    }
    let view = answer.view.as_ref();
    let units = view.and_then(|view| view.dimensions.as_ref()).map(|all| all.units.as_slice());
    let unit = view.and_then(|view| view.units.as_ref()).and_then(Json::as_str);
    let is_chart = |id: &&str| id.contains('.') && !id.contains("://");
    let chart = answer.id.as_deref().filter(is_chart);
    let charts = answer.chart_ids.as_ref().filter(|ids| ids.len() == dimensions.len());
    let mut columns: Vec<Column> = Vec::new();
    let mut names = BTreeSet::new();
    for (n, dimension) in dimensions.iter().enumerate() {
        let chart = charts.and_then(|ids| ids.get(n)).map(String::as_str).or(chart);
        let name = chart.map_or_else(|| dimension.clone(), |chart| format!("{chart}.{dimension}"));
        if !names.insert(name.clone()) {
            return Err(Flaw::new(
                format!("two dimensions are named {}", quoted(&name)),
                "query one chart at a time",
            ));
        }
        let symbol = units.and_then(|units| units.get(n)).map(String::as_str).or(unit);
        let unit = symbol.map_or(Unit::Unknown, Unit::parse);
        let kind = options.kind(&name, Kind::Gauge);
        let layer = naming::layer(&name);
        columns.push(Column::new("netdata", name, layer, kind, unit));
    }
    Ok(columns)
}

/// One row; where in it the error is.
fn row(row: &Json, labels: &[String]) -> Result<(Moment, Vec<Value>), (String, Flaw)> {
    let cells: Vec<&Json> = match row {
        Json::Array(cells) => cells.iter().collect(),
        // options=objectrows
        Json::Object(cells) => labels.iter().filter_map(|label| cells.get(label)).collect(),
        _ => Vec::new(),
    };
    if cells.len() != labels.len() {
        let (found, expected) = (cells.len(), labels.len());
        let flaw = Flaw::new(
            format!("the row has {found} values, but \"labels\" has {expected}"),
            "query Netdata again",
        );
        return Err((String::new(), flaw));
    }
    let mut values = Vec::with_capacity(cells.len());
    let mut moment = None;
    for (cell, label) in cells.into_iter().zip(labels) {
        let here = |flaw: Flaw| (format!(", {}", quoted(label)), flaw);
        match moment {
            None => moment = Some(time(cell).map_err(here)?),
            Some(_) => values.push(value(cell).map_err(here)?),
        }
    }
    let no_time = || (String::new(), Flaw::new("the time is missing", "query with format=json"));
    Ok((moment.ok_or_else(no_time)?, values))
}

fn time(cell: &Json) -> Result<Moment, Flaw> {
    let text = match cell {
        Json::Number(number) => number.to_string(),
        Json::String(text) => text.clone(),
        other => {
            return Err(Flaw::new(
                format!("{other} is not a time"),
                "query without options=google_json",
            ));
        }
    };
    // Beyond the year 5000 in seconds.
    let is_fine =
        Decimal::parse(&text).and_then(|time| time.scaled(0)).is_some_and(|n| n >= 100_000_000_000);
    let unit = if is_fine { TimeUnit::Milliseconds } else { TimeUnit::Seconds };
    Moment::parse(&text, unit, DecimalMark::Point)
}

fn value(cell: &Json) -> Result<Value, Flaw> {
    match cell {
        Json::Null => Ok(Value::Missing),
        Json::Number(number) => Ok(match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => number.as_f64().into(),
        }),
        // Version 2: the value, its anomaly rate, and annotations.
        Json::Array(point) => match point.first() {
            Some(first) if !first.is_array() => value(first),
            _ => Ok(Value::Missing),
        },
        other => Err(Flaw::new(
            match other {
                Json::String(text) => format!("{} is not a number", quoted(text)),
                other => format!("{other} is not a number"),
            },
            "query Netdata again",
        )),
    }
}
