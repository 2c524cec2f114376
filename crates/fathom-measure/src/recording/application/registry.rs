//! The metrics of one run, and the row that is being made of them.

use super::{AppMetric, MOST_METRICS};
use fathom_record::trace::{TraceMetric, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Longer names are left out: a text was taken for a name.
const LONGEST_NAME: usize = 300;

/// Every metric that was seen, by its name: what two sources call the same is one metric.
#[derive(Debug, Default)]
pub(super) struct Registry(Mutex<HashMap<String, Arc<TraceMetric>>>);

impl Registry {
    /// The metric of that name, as it was first seen; `None` if there are too many.
    fn get(&self, name: &str, make: &dyn Fn() -> TraceMetric) -> Option<Arc<TraceMetric>> {
        let mut metrics = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(metric) = metrics.get(name) {
            return Some(metric.clone());
        }
        if metrics.len() >= MOST_METRICS {
            return None;
        }
        let metric = Arc::new(make());
        metrics.insert(name.to_string(), metric.clone());
        Some(metric)
    }
}

/// A row that is being made, by one listener.
#[derive(Debug)]
pub(super) struct Row {
    registry: Arc<Registry>,
    /// Where each known name is in `slots`. The first are the metrics of options.
    known: HashMap<String, usize>,
    slots: Vec<Slot>,
    options: usize,
    number: u64,
    readings: Vec<(Arc<TraceMetric>, Value)>,
    left_out: u64,
    first_left_out: Option<String>,
}

#[derive(Debug)]
struct Slot {
    metric: Arc<TraceMetric>,
    /// The row in which it was last, and where in it.
    row: u64,
    position: usize,
}

impl Row {
    pub(super) fn new(options: &[AppMetric], registry: Arc<Registry>) -> Row {
        let slot = |metric: &Arc<TraceMetric>| Slot { metric: metric.clone(), row: 0, position: 0 };
        let metrics = || options.iter().map(AppMetric::metric);
        Row {
            registry,
            known: metrics().map(|one| one.name.clone()).zip(0..).collect(),
            slots: metrics().map(slot).collect(),
            options: options.len(),
            number: 1,
            readings: Vec::new(),
            left_out: 0,
            first_left_out: None,
        }
    }

    /// Adds the value of the option with that number.
    pub(super) fn add_option(&mut self, n: usize, value: Value) {
        if let Some(slot) = self.slots.get_mut(n) {
            slot.put(self.number, &mut self.readings, value);
        }
    }

    /// Adds a value by the metric's full name. What options found stays; otherwise the last of
    /// several values counts.
    pub(super) fn add(&mut self, name: &str, value: Value, make: &dyn Fn() -> TraceMetric) {
        let n = match self.known.get(name) {
            Some(&n) => n,
            None => match self.find(name, make) {
                Some(n) => n,
                None => {
                    self.left_out += 1;
                    self.first_left_out.get_or_insert_with(|| shortened(name));
                    return;
                }
            },
        };
        if let Some(slot) = self.slots.get_mut(n)
            && (n >= self.options || slot.row != self.number)
        {
            slot.put(self.number, &mut self.readings, value);
        }
    }

    fn find(&mut self, name: &str, make: &dyn Fn() -> TraceMetric) -> Option<usize> {
        if name.len() > LONGEST_NAME || name.chars().any(char::is_control) {
            return None;
        }
        let metric = self.registry.get(name, make)?;
        let n = self.slots.len();
        self.slots.push(Slot { metric, row: 0, position: 0 });
        self.known.insert(name.to_string(), n);
        Some(n)
    }

    /// How many readings it has.
    pub(super) fn len(&self) -> usize {
        self.readings.len()
    }

    /// Takes back all but the first `count` readings. Nothing may be added to this row after that.
    pub(super) fn take_back(&mut self, count: usize) {
        self.readings.truncate(count);
    }

    /// Ends the row and begins the next.
    pub(super) fn take(&mut self) -> Vec<(Arc<TraceMetric>, Value)> {
        self.number += 1;
        // The next row will probably have as many.
        let room = self.readings.len();
        std::mem::replace(&mut self.readings, Vec::with_capacity(room))
    }

    /// How many values had no room or no usable name, and the first such name.
    pub(super) fn left_out(&self) -> (u64, Option<&str>) {
        (self.left_out, self.first_left_out.as_deref())
    }
}

impl Slot {
    fn put(&mut self, row: u64, readings: &mut Vec<(Arc<TraceMetric>, Value)>, value: Value) {
        if self.row == row
            && let Some((_, old)) = readings.get_mut(self.position)
        {
            *old = value;
            return;
        }
        self.row = row;
        self.position = readings.len();
        readings.push((self.metric.clone(), value));
    }
}

/// A name as it is shown: a name that is left out may be megabytes long.
fn shortened(name: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = name.chars().take(SHOWN).collect();
    if shown.len() < name.len() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;
    use fathom_record::trace::{Kind, Layer};

    fn gauge(name: &str) -> TraceMetric {
        TraceMetric::real("app", name, Layer::Application, Kind::Gauge, Unit::Unknown)
    }

    fn values(row: &mut Row) -> Vec<(String, Value)> {
        row.take().into_iter().map(|(metric, value)| (metric.name.clone(), value)).collect()
    }

    #[test]
    fn a_row_has_each_metric_once() {
        let options = AppMetric::parse_all(&["a=x"]).unwrap();
        let mut row = Row::new(&options, Arc::default());
        row.add("app.b", Value::Real(1.0), &|| gauge("b"));
        row.add_option(0, Value::Real(2.0));
        row.add("app.b", Value::Real(3.0), &|| gauge("b"));
        row.add("app.a", Value::Real(4.0), &|| gauge("a"));
        let named = |name: &str, value| (name.to_string(), Value::Real(value));
        assert_eq!(values(&mut row), [named("app.b", 3.0), named("app.a", 2.0)]);
        row.add("app.a", Value::Real(5.0), &|| gauge("a"));
        row.add("app.b", Value::Real(6.0), &|| gauge("b"));
        row.take_back(1);
        assert_eq!(values(&mut row), [named("app.a", 5.0)]);
        row.add("app.b", Value::Real(7.0), &|| gauge("b"));
        assert_eq!(values(&mut row), [named("app.b", 7.0)]);
    }

    #[test]
    fn metrics_are_bounded_for_all_listeners_together() {
        let registry = Arc::new(Registry::default());
        let mut first = Row::new(&[], registry.clone());
        let mut second = Row::new(&[], registry);
        for n in 0..MOST_METRICS {
            first.add(&format!("app.{n}"), Value::Real(0.0), &|| gauge(&n.to_string()));
        }
        assert_eq!(first.len(), MOST_METRICS);
        second.add("app.7", Value::Real(1.0), &|| gauge("7"));
        second.add("app.more", Value::Real(1.0), &|| gauge("more"));
        second.add("app.still more", Value::Real(1.0), &|| gauge("still more"));
        assert_eq!(second.len(), 1);
        assert_eq!(second.left_out(), (2, Some("app.more")));
    }

    #[test]
    fn texts_are_no_names() {
        let mut row = Row::new(&[], Arc::default());
        for name in ["app.a\nb".to_string(), "x".repeat(LONGEST_NAME + 1)] {
            row.add(&name, Value::Real(1.0), &|| gauge("a"));
        }
        assert_eq!((row.len(), row.left_out().0), (0, 2));
    }
}
