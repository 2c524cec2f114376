//! Traces for tests.

use crate::OpenedTraces;
use fathom_explain::{RunEntry, SourceError, TraceSource};
use fathom_record::trace::{Kind, Layer, Number, Samples, TraceMetric, Values};
use fathom_record::{Span, TimeUnit, Timestamp, Unit};
use fathom_request::TraceFiles;

/// Runs with their metrics.
pub(crate) struct MadeUp {
    runs: Vec<RunEntry>,
    samples: Vec<Vec<Samples>>,
}

impl MadeUp {
    pub(crate) fn new(runs: Vec<(String, Vec<Samples>)>) -> MadeUp {
        let entry = |(id, samples): &(String, Vec<Samples>)| RunEntry {
            id: id.clone(),
            metrics: samples.iter().map(|one| one.metric.clone()).collect(),
        };
        let entries = runs.iter().map(entry).collect();
        MadeUp { runs: entries, samples: runs.into_iter().map(|(_, samples)| samples).collect() }
    }

    pub(crate) fn opened(self) -> OpenedTraces {
        OpenedTraces {
            title: "traces".to_string(),
            clocks: vec![None; self.runs.len()],
            source: Box::new(self),
            files: TraceFiles { paths: vec!["traces".into()], ..TraceFiles::default() },
            time_unit: TimeUnit::Seconds,
            has_wall_times: false,
            notes: Vec::new(),
            asked: None,
            labels_file: None,
        }
    }
}

impl TraceSource for MadeUp {
    fn runs(&self) -> &[RunEntry] {
        &self.runs
    }

    fn common(&self) -> Option<&str> {
        None
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        let place = self.runs.iter().position(|entry| entry.id == run).unwrap();
        let mut samples = self.samples[place].iter();
        Ok(samples.find(|one| one.metric.name == metric).unwrap().clone())
    }
}

/// A gauge with a row a second.
pub(crate) fn gauge(name: &str, values: &[f64]) -> Samples {
    let second = Span::from_milliseconds(1_000);
    let ends = || (0..values.len() as u64).map(|n| Timestamp::ZERO + second.times(n));
    Samples {
        metric: TraceMetric {
            name: name.to_string(),
            layer: Layer::Os,
            unit: Unit::Unknown,
            kind: Kind::Gauge,
            number: Number::Real,
            probe: "made up".to_string(),
            about: String::new(),
        },
        starts: ends().map(|end| (end - second).max(Timestamp::ZERO)).collect(),
        ends: ends().collect(),
        values: Values::Reals(values.iter().copied().map(Some).collect()),
    }
}
