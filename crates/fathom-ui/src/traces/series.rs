//! A metric to draw.

use super::events;
use super::points::points;
use super::thinning::thinned;
use super::{Traces, Trouble};
use fathom_explain::align;
use fathom_record::Timestamp;
use fathom_record::trace::{Kind, Samples, TraceMetric};
use serde::Serialize;

/// A metric to draw. Counters are growth per second, events their amounts per second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSeries {
    /// In which run.
    pub run: String,
    /// Which metric.
    pub metric: String,
    /// Of the values as they are here.
    pub unit: String,
    /// When its first row starts, in seconds.
    pub start: f64,
    /// When its last row ends.
    pub end: f64,
    /// How many it has in this run.
    pub rows: usize,
    /// Whether a point represents several rows.
    pub thinned: bool,
    /// In seconds, increasing.
    pub time: Vec<f64>,
    /// `None` where nothing was seen.
    pub values: Vec<Option<f64>>,
    /// The lowest of the rows that a point represents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<Vec<Option<f64>>>,
    /// The highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<Vec<Option<f64>>>,
}

/// The unit in which a metric is drawn: of a counter and of events it is per second, everywhere.
pub(super) fn drawn_unit(metric: &TraceMetric) -> String {
    let unit = metric.unit.symbol();
    match metric.kind {
        Kind::Gauge => unit.to_string(),
        Kind::Counter | Kind::Event => format!("{unit}/s"),
    }
}

impl Traces {
    /// A metric in at most this many columns; all of it, or what lies between two moments, in
    /// seconds.
    pub fn series(
        &self,
        run: &str,
        metric: &str,
        columns: usize,
        span: Option<(f64, f64)>,
    ) -> Result<PageSeries, Trouble> {
        self.check_names(run, metric)?;
        let samples = align::read_with(self.source(), run, metric, &self.cache)?;
        Ok(PageSeries::of(run, &samples, columns, span))
    }

    /// Whether there are such a run and such a metric in it: nothing else is ever asked of the
    /// source.
    fn check_names(&self, run: &str, metric: &str) -> Result<(), Trouble> {
        let Some(entry) = self.source().runs().iter().find(|entry| entry.id == run) else {
            return Err(Trouble::Unknown(format!("these traces have no run {run:?}")));
        };
        match entry.metrics.iter().any(|one| one.name == metric) {
            true => Ok(()),
            false => Err(Trouble::Unknown(format!("run {run:?} has no metric {metric:?}"))),
        }
    }
}

impl PageSeries {
    fn of(run: &str, samples: &Samples, columns: usize, span: Option<(f64, f64)>) -> PageSeries {
        let span =
            span.map(|(from, to)| (Timestamp::from_seconds(from), Timestamp::from_seconds(to)));
        let empty = PageSeries {
            run: run.to_string(),
            metric: samples.metric.name.clone(),
            unit: drawn_unit(&samples.metric),
            start: samples.starts.iter().min().copied().unwrap_or_default().seconds(),
            end: samples.ends.iter().max().copied().unwrap_or_default().seconds(),
            rows: samples.len(),
            thinned: false,
            time: Vec::new(),
            values: Vec::new(),
            low: None,
            high: None,
        };
        if samples.metric.kind == Kind::Event {
            let events::Columns { time, values } = events::in_columns(samples, columns, span);
            // Finer columns tell more, however few events there are.
            let (low, high) = (Some(values.clone()), Some(values.clone()));
            return PageSeries { thinned: true, time, values, low, high, ..empty };
        }
        let drawn = thinned(&points(samples), columns, span);
        let only_if_thinned = |values| Some(values).filter(|_| drawn.is_thinned);
        PageSeries {
            thinned: drawn.is_thinned,
            time: drawn.time,
            values: drawn.values,
            low: only_if_thinned(drawn.low),
            high: only_if_thinned(drawn.high),
            ..empty
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traces::made_up::gauge;
    use fathom_record::{TimeUnit, Unit};

    /// The list, the stack and the chart name the same unit: that of what is drawn.
    #[test]
    fn rates_are_per_second() {
        let mut metric = gauge("a", &[1.0]).metric;
        metric.unit = Unit::Time(TimeUnit::Nanoseconds);
        assert_eq!(drawn_unit(&metric), "ns");
        for kind in [Kind::Counter, Kind::Event] {
            assert_eq!(drawn_unit(&TraceMetric { kind, ..metric.clone() }), "ns/s");
        }
    }
}
