//! pyperf's JSON, plain or gzip.
//!
//! Each run is a process, and its values are a level of their own: the series keeps which values
//! came from one process when some process has more than one. Values are already per loop. Warm-ups
//! are left out, and so are runs without values, which pyperf makes to calibrate the loops: neither
//! is a measurement by pyperf's own definition.

use fathom_record::{Series, Unit};
use serde::Deserialize;

use crate::error::{Flaw, quoted};
use crate::read::Request;
use crate::{json, metrics};

#[derive(Deserialize)]
struct Suite {
    #[serde(default)]
    metadata: Metadata,
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    #[serde(default)]
    metadata: Metadata,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    values: Vec<f64>,
}

/// The fields that name and scale; pyperf lifts what is common to all to the outer levels.
#[derive(Deserialize, Default)]
struct Metadata {
    name: Option<String>,
    unit: Option<String>,
}

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    metrics::refuse_columns(request.columns, "pyperf")?;
    let suite: Suite = json::parse(text)?;
    if suite.benchmarks.is_empty() {
        return Err(Flaw::new("the file contains no benchmarks", "check that pyperf finished"));
    }
    suite.benchmarks.iter().map(|benchmark| series(&suite, benchmark, request)).collect()
}

fn series(suite: &Suite, benchmark: &Benchmark, request: &Request<'_>) -> Result<Series, Flaw> {
    let inner = benchmark.runs.iter().map(|run| &run.metadata);
    let levels: Vec<&Metadata> = inner.chain([&benchmark.metadata, &suite.metadata]).collect();
    let name = levels.iter().find_map(|level| level.name.clone()).unwrap_or_else(|| request.stem());
    let unit = match levels.iter().find_map(|level| level.unit.as_deref()) {
        // pyperf's default is not written.
        None => Unit::SECONDS,
        // Its word for "just a count".
        Some("integer") => Unit::Unknown,
        Some(unit) => Unit::parse(unit),
    };
    let values: Vec<f64> = benchmark.runs.iter().flat_map(|run| run.values.clone()).collect();
    let sizes: Vec<usize> =
        benchmark.runs.iter().map(|run| run.values.len()).filter(|&size| size > 0).collect();
    let no_values = |_| {
        Flaw::new(
            format!("{} has only calibration and warm-up runs, no values", quoted(&name)),
            "let pyperf finish, and do not use --calibrate-loops alone",
        )
    };
    let series = Series::new(name.clone(), unit, values).map_err(no_values)?;
    if sizes.iter().all(|&size| size == 1) {
        return Ok(series);
    }
    series.with_executions(sizes).map_err(no_values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Vec<Series>, Flaw> {
        read(text, &Request { source: "x.json", columns: &[], ..Request::default() })
    }

    #[test]
    fn processes_are_kept_apart_and_warm_ups_left_out() {
        let text = r#"{"version":"1.0","metadata":{"name":"b"},"benchmarks":[{"runs":[
            {"warmups":[[1,9.0]]},
            {"values":[1,2],"warmups":[[1,9.0]]},
            {"values":[3]}]}]}"#;
        let series = read_text(text).unwrap();
        assert_eq!(series[0].values(), [1.0, 2.0, 3.0]);
        assert_eq!(series[0].execution_sizes(), Some(&[2, 1][..]));
    }

    #[test]
    fn one_value_per_process_needs_no_levels() {
        let text = r#"{"benchmarks":[{"metadata":{"unit":"byte"},"runs":[{"values":[1]},{"values":[2]}]}]}"#;
        let series = read_text(text).unwrap();
        assert_eq!(series[0].execution_sizes(), None);
        assert_eq!(series[0].unit(), &Unit::Bytes);
        assert_eq!(series[0].name(), "x");
    }

    #[test]
    fn inner_metadata_overrides_outer() {
        let text = r#"{"metadata":{"name":"all"},"benchmarks":[
            {"metadata":{"name":"one"},"runs":[{"values":[1]}]},{"runs":[{"values":[2]}]}]}"#;
        let series = read_text(text).unwrap();
        assert_eq!((series[0].name(), series[1].name()), ("one", "all"));
    }
}
