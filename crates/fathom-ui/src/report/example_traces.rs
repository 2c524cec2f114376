//! Made-up traces for tests: two runs of a shop whose latency rises while a collector pauses.

use crate::OpenedTraces;
use fathom_explain::align::AlignOptions;
use fathom_explain::onset::OrderBy;
use fathom_explain::{
    Correlator, RunEntry, ScoreIn, Segments, Selection, SourceError, TargetRange, TraceQuestion,
    TraceSource,
};
use fathom_record::trace::{Kind, Layer, Samples, TraceMetric, Values};
use fathom_record::{Span, TimeUnit, Timestamp, Unit};
use fathom_request::TraceFiles;

fn second(n: usize) -> Timestamp {
    Timestamp::ZERO + Span::from_milliseconds(1_000).times(n as u64)
}

/// A name that would be markup, were it not escaped.
pub(super) const HOSTILE: &str = "<img src=x onerror=\"alert(1)\"></script><!--\u{202e}&";

struct Shop {
    runs: Vec<RunEntry>,
    rows: usize,
}

/// Traces of this many rows per run.
pub(super) fn shop(rows: usize) -> OpenedTraces {
    let metric = |name: &str, layer, unit: &str| TraceMetric {
        name: name.to_string(),
        ..TraceMetric::real("made up", name, layer, Kind::Gauge, Unit::parse(unit))
    };
    let metrics = vec![
        metric("requests", Layer::Application, "1/s"),
        metric("latency", Layer::Application, "ms"),
        metric("gc.pause", Layer::Vm, "ms"),
        metric(HOSTILE, Layer::Os, ""),
        metric("idle", Layer::Hardware, ""),
        metric("threads", Layer::Vm, ""),
    ];
    let run = |id: &str| RunEntry { id: id.to_string(), metrics: metrics.clone() };
    OpenedTraces {
        title: "traces/<shop>".to_string(),
        source: Box::new(Shop { runs: vec![run("run-1"), run("run-2")], rows }),
        files: TraceFiles { paths: vec!["traces/<shop>".into()], ..TraceFiles::default() },
        time_unit: TimeUnit::Seconds,
        clocks: vec![None, None],
        has_wall_times: false,
        notes: Vec::new(),
        asked: None,
        labels_file: None,
    }
}

/// What is asked of it: why latency rises.
pub(super) fn request(rows: usize) -> TraceQuestion {
    let at = |share: usize| second(rows * share / 100);
    TraceQuestion {
        selection: Selection {
            target: "latency".to_string(),
            run: None,
            windows: vec![TargetRange::Time { start: at(60), end: at(70) }],
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        },
        alignment: AlignOptions::default(),
        correlator: Correlator::Combined,
        score_in: ScoreIn::Every,
        order: OrderBy::Evidence,
        only: Vec::new(),
    }
}

impl TraceSource for Shop {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        Some("requests")
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        let found = self.runs.iter().find(|one| one.id == run);
        let found = found.and_then(|one| one.metrics.iter().position(|two| two.name == metric));
        let place = found.ok_or("no such metric")?;
        let salt = if run == "run-1" { 0.0 } else { 0.3 };
        let value = |row: usize| {
            let share = row as f64 / self.rows as f64;
            let bump = f64::from(u8::from((0.6..0.7).contains(&share)));
            let noise = ((row * 7919 + place * 104_729) % 1009) as f64 / 1009.0;
            match place {
                0 => 100.0 + 40.0 * (share * 20.0 + salt).sin() + noise,
                1 => 40.0 + 20.0 * bump + noise,
                2 => 5.0 + 9.0 * bump + noise,
                3 => 70.0 - 3.0 * bump + noise,
                4 => noise,
                _ => 64.0,
            }
        };
        Ok(Samples {
            metric: self.runs.first().and_then(|one| one.metrics.get(place)).ok_or("gone")?.clone(),
            starts: (0..self.rows).map(second).collect(),
            ends: (0..self.rows).map(|row| second(row + 1)).collect(),
            values: Values::Reals((0..self.rows).map(|row| Some(value(row))).collect()),
        })
    }
}
