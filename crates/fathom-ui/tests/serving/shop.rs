//! Three runs of a made-up shop, from `testdata/traces/shop`.

use fathom_explain::{RunEntry, SourceError, TraceSource};
use fathom_record::trace::{Kind, Layer, Number, Samples, TraceMetric, Values};
use fathom_record::{TimeUnit, Timestamp, Unit};
use fathom_request::TraceFiles;
use fathom_ui::OpenedTraces;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

struct Shop {
    runs: Vec<RunEntry>,
    samples: Vec<Vec<Samples>>,
}

/// The repository.
pub(crate) fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn shop() -> OpenedTraces {
    let ids = ["run-1", "run-2", "run-3"];
    let samples: Vec<Vec<Samples>> = ids.iter().map(|id| read(id)).collect();
    let entry = |(id, samples): (&&str, &Vec<Samples>)| RunEntry {
        id: id.to_string(),
        metrics: samples.iter().map(|one| one.metric.clone()).collect(),
    };
    let shop = Shop { runs: ids.iter().zip(&samples).map(entry).collect(), samples };
    OpenedTraces {
        title: "shop".to_string(),
        source: Box::new(shop),
        files: TraceFiles { paths: vec!["testdata/traces/shop".into()], ..TraceFiles::default() },
        time_unit: TimeUnit::Seconds,
        clocks: vec![None; 3],
        has_wall_times: true,
        notes: Vec::new(),
        asked: None,
        labels_file: None,
    }
}

/// What `docs/explaining.md` asks.
pub(crate) fn question() -> Value {
    json!({
        "target": "latency_ms", "run": "run-1", "windows": [[260, 276]], "baseline": null,
        "segments": "auto", "pattern": null, "common": "requests", "normalise": false, "penalty": 0,
        "correlator": "combined", "score_in": "every",
    })
}

/// A time column first, then a metric per column; a row lasts since the one before it.
fn read(id: &str) -> Vec<Samples> {
    let file = top().join("testdata/traces/shop").join(format!("{id}.csv"));
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let time = |row: &Vec<&str>| {
        Timestamp::from_nanoseconds((row[0].parse::<f64>().unwrap() * 1e9) as i64)
    };
    let ends: Vec<Timestamp> = rows.iter().map(time).collect();
    let starts: Vec<Timestamp> = ends[..1].iter().chain(&ends[..ends.len() - 1]).copied().collect();
    let column = |(place, name): (usize, &&str)| Samples {
        metric: TraceMetric {
            name: name.to_string(),
            layer: Layer::Application,
            unit: Unit::Unknown,
            kind: Kind::Gauge,
            number: Number::Real,
            probe: "csv".to_string(),
            about: String::new(),
        },
        starts: starts.clone().into(),
        ends: ends.clone().into(),
        values: Values::Reals(rows.iter().map(|row| row[place].parse().ok()).collect()),
    };
    names.iter().enumerate().skip(1).map(column).collect()
}

impl TraceSource for Shop {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        None
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        let place = self.runs.iter().position(|entry| entry.id == run).unwrap();
        let found = self.samples[place].iter().find(|one| one.metric.name == metric);
        Ok(found.unwrap().clone())
    }
}
