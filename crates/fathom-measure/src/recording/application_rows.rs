//! Rows of the program's own metrics, made when it prints some.

use super::application::ApplicationRow;
use super::live::Live;
use super::writer::{Handed, Outbox};
use fathom_record::trace::{Rows, TraceMetric, Value};
use fathom_record::{Span, Timestamp};
use fathom_sys::cpu_time;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Rows are passed on this often, so that a kill loses no more.
const BUNDLE: Duration = Duration::from_secs(1);

/// The most readings that are kept until then; more are passed on at once.
const MOST_READINGS: usize = 64 * 1024;

/// Collects what the program says.
#[derive(Debug)]
pub(crate) struct ApplicationRows {
    origin: Timestamp,
    places: HashMap<String, usize>,
    metrics: Vec<TraceMetric>,
    heard: Vec<ApplicationRow>,
    readings: usize,
    last_end: Option<Timestamp>,
    rows: u64,
    lost: u64,
    live: Arc<Live>,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SaidReport {
    /// Rows that were made.
    pub(crate) rows: u64,
    /// Rows that the writer was too slow for.
    pub(crate) lost: u64,
    /// When the last row ends.
    pub(crate) last_end: Timestamp,
    /// Processor time of the thread.
    pub(crate) cpu: Span,
}

impl ApplicationRows {
    /// Times count from the origin.
    pub(crate) fn new(origin: Timestamp, live: Arc<Live>) -> ApplicationRows {
        ApplicationRows {
            origin,
            places: HashMap::new(),
            metrics: Vec::new(),
            heard: Vec::new(),
            readings: 0,
            last_end: None,
            rows: 0,
            lost: 0,
            live,
        }
    }

    /// Collects until no listener is left.
    pub(crate) fn run(mut self, said: &Receiver<ApplicationRow>, outbox: Outbox) -> SaidReport {
        let mut bundled = Instant::now();
        loop {
            match said.recv_timeout(BUNDLE.saturating_sub(bundled.elapsed())) {
                Ok(said) => {
                    self.readings += said.readings.len() + 1;
                    self.heard.push(said);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if bundled.elapsed() >= BUNDLE || self.readings >= MOST_READINGS {
                bundled = Instant::now();
                let bundle = self.bundle();
                let rows: u64 = bundle.iter().map(|rows| rows.len() as u64).sum();
                if rows > 0 && outbox.offer(bundle) == Handed::Lost {
                    self.lost += rows;
                }
            }
        }
        let bundle = self.bundle();
        let _ = outbox.leave(bundle);
        SaidReport {
            rows: self.rows,
            lost: self.lost,
            last_end: self.last_end.unwrap_or_default(),
            cpu: cpu_time::thread(),
        }
    }

    /// What was heard, as rows in the order of time.
    fn bundle(&mut self) -> Vec<Rows> {
        let mut heard = std::mem::take(&mut self.heard);
        self.readings = 0;
        // Several listeners speak, each in order.
        heard.sort_by_key(|said| said.at);
        let mut bundle = Vec::new();
        let mut rows = Rows::new(self.metrics.clone().into());
        let mut row = vec![Value::Missing; self.metrics.len()];
        for said in heard {
            if self.learn(&said) {
                let fuller = Rows::new(self.metrics.clone().into());
                let done = std::mem::replace(&mut rows, fuller);
                bundle.extend(Some(done).filter(|done| !done.is_empty()));
                row.resize(self.metrics.len(), Value::Missing);
            }
            row.fill(Value::Missing);
            for (metric, value) in &said.readings {
                let place = self.places.get(&metric.name).and_then(|&n| row.get_mut(n));
                if let Some(place) = place {
                    *place = *value;
                }
            }
            let (start, end) = self.interval(&said);
            rows.push(start, end, &row);
            self.rows += 1;
        }
        bundle.extend(Some(rows).filter(|rows| !rows.is_empty()));
        self.live.add(bundle.iter().map(|rows| rows.len() as u64).sum(), Span::ZERO);
        bundle
    }

    /// Gives a column to metrics that were not heard of before; whether there are any.
    fn learn(&mut self, said: &ApplicationRow) -> bool {
        let known = self.metrics.len();
        for (metric, _) in &said.readings {
            if !self.places.contains_key(&metric.name) {
                self.places.insert(metric.name.clone(), self.metrics.len());
                self.metrics.push(TraceMetric::clone(metric));
            }
        }
        let new = self.metrics.get(known..).unwrap_or_default();
        if new.is_empty() {
            return false;
        }
        self.live.show(new);
        true
    }

    /// From when to when a row is: an event has its own time, a level or a total is as of now.
    fn interval(&mut self, said: &ApplicationRow) -> (Timestamp, Timestamp) {
        // Nothing began before the run did.
        let after = |time: Timestamp| time.relative_to(self.origin).max(Timestamp::ZERO);
        // What was heard before the last bundle but arrives after it may not go back in time.
        let end = after(said.at).max(self.last_end.unwrap_or_default());
        let start = match said.began() {
            Some(began) => after(began).min(end),
            None => self.last_end.unwrap_or(end),
        };
        self.last_end = Some(end);
        (start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::trace::{Kind, Layer, Values};
    use fathom_record::{TimeUnit, Unit};

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    fn said(arrived: i64, name: &str, kind: Kind, value: i64) -> ApplicationRow {
        let unit = Unit::Time(TimeUnit::Nanoseconds);
        let metric = TraceMetric::integer("app", name, Layer::Application, kind, unit);
        ApplicationRow {
            at: at(arrived),
            readings: vec![(Arc::new(metric), Value::Integer(value))],
        }
    }

    #[test]
    fn rows_are_in_order_and_metrics_come_as_they_are_heard_of() {
        let live = Arc::new(Live::default());
        let mut rows = ApplicationRows::new(at(1000), Arc::clone(&live));
        rows.heard = vec![
            said(1030, "a", Kind::Gauge, 3),
            said(1010, "a", Kind::Gauge, 1),
            said(1020, "b", Kind::Counter, 2),
        ];
        let bundle = rows.bundle();
        assert_eq!(bundle.len(), 2);
        assert_eq!((bundle[0].starts(), bundle[0].ends()), (&[at(10)][..], &[at(10)][..]));
        assert_eq!(bundle[1].starts(), [10, 20].map(at));
        assert_eq!(bundle[1].ends(), [20, 30].map(at));
        assert_eq!(bundle[1].columns()[0], Values::Integers(vec![None, Some(3)]));
        assert_eq!(bundle[1].columns()[1], Values::Integers(vec![Some(2), None]));
        assert_eq!(live.take_metrics().len(), 2);
        // Later than its time: it may not go back.
        rows.heard = vec![said(1025, "a", Kind::Gauge, 4)];
        assert_eq!(rows.bundle()[0].ends(), [at(30)]);
        assert_eq!(live.samples(), 4);
    }

    #[test]
    fn events_have_their_own_time() {
        let mut rows = ApplicationRows::new(at(1000), Arc::default());
        rows.heard =
            vec![said(1500, "pause", Kind::Event, 100), said(1600, "pause", Kind::Event, 9_999)];
        let bundle = rows.bundle();
        // The second would have begun before the run did.
        assert_eq!(bundle[0].starts(), [400, 0].map(at));
        assert_eq!(bundle[0].ends(), [500, 600].map(at));
    }
}
