//! What the user says of metrics: which are totals, and where they come from.

use super::summaries::some;
use crate::EngineError;
use fathom_formats::trace_imports::name_matches;
use fathom_record::nearest;
use fathom_record::trace::{Kind, Layer, TraceMetric};

/// What metrics are, by patterns of their names.
#[derive(Debug, Clone, Default)]
pub(crate) struct MetricDescriptions {
    counters: Vec<String>,
    layers: Vec<(String, Layer)>,
}

impl MetricDescriptions {
    /// Of the texts of `--counter` and `--layer`.
    ///
    /// # Errors
    /// A text of `--layer` is not `NAME=LAYER`.
    pub(crate) fn new(
        counters: &[String],
        layers: &[String],
    ) -> Result<MetricDescriptions, EngineError> {
        let layers = layers.iter().map(|text| layer(text)).collect::<Result<_, EngineError>>()?;
        Ok(MetricDescriptions { counters: counters.to_vec(), layers })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.counters.is_empty() && self.layers.is_empty()
    }

    /// A metric as the user describes it; of several layers the last counts.
    pub(crate) fn of(&self, metric: &TraceMetric) -> TraceMetric {
        let is_it = |pattern: &str| name_matches(pattern, &metric.name);
        let layer = self.layers.iter().rev().find(|(pattern, _)| is_it(pattern));
        let is_counter = self.counters.iter().any(|pattern| is_it(pattern));
        TraceMetric {
            kind: if is_counter { Kind::Counter } else { metric.kind },
            layer: layer.map_or(metric.layer, |(_, layer)| *layer),
            ..metric.clone()
        }
    }

    /// Refuses patterns that no metric has the name for: probably a slip of the pen.
    ///
    /// # Errors
    /// There is such a pattern.
    pub(crate) fn refuse_unused(&self, names: &[&str]) -> Result<(), EngineError> {
        let counters = self.counters.iter().map(|pattern| ("--counter", pattern));
        let layers = self.layers.iter().map(|(pattern, _)| ("--layer", pattern));
        for (option, pattern) in counters.chain(layers) {
            if names.iter().any(|name| name_matches(pattern, name)) {
                continue;
            }
            let near =
                nearest(pattern, names).first().map(|near| format!("; did you mean {near}?"));
            return Err(EngineError::usage(format!(
                "{option} {pattern}: no metric has this name{}; there are {}",
                near.unwrap_or_default(),
                some(names)
            )));
        }
        Ok(())
    }
}

/// `NAME=LAYER`; names may have equals signs.
fn layer(text: &str) -> Result<(String, Layer), EngineError> {
    let wrong = || {
        let names = Layer::ALL.map(Layer::as_str).join(", ");
        EngineError::usage(format!(
            "--layer {text}: write NAME=LAYER, as in 'gc.*=vm'; the layers are {names}"
        ))
    };
    let (name, word) = text.rsplit_once('=').ok_or_else(wrong)?;
    let word = word.trim();
    let layer = Layer::ALL
        .into_iter()
        .find(|layer| layer.as_str() == word || (word == "app" && *layer == Layer::Application));
    match layer {
        Some(layer) if !name.trim().is_empty() => Ok((name.trim().to_string(), layer)),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;

    #[test]
    fn the_last_layer_counts_and_slips_are_told() {
        let texts = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        let metric = |name: &str| TraceMetric {
            name: name.to_string(),
            ..TraceMetric::real("p", name, Layer::Os, Kind::Gauge, Unit::Unknown)
        };
        let described =
            MetricDescriptions::new(&texts(&["*_total"]), &texts(&["gc.*=vm", "gc.a=app"]));
        let described = described.unwrap();
        let of = |name: &str| {
            let found = described.of(&metric(name));
            (found.kind, found.layer)
        };
        assert_eq!(of("gc.pause"), (Kind::Gauge, Layer::Vm));
        assert_eq!(of("gc.a"), (Kind::Gauge, Layer::Application));
        assert_eq!(of("requests_total"), (Kind::Counter, Layer::Os));
        assert!(described.refuse_unused(&["gc.a", "x_total"]).is_ok());
        let unused = described.refuse_unused(&["gc.a", "x_totals"]).unwrap_err().to_string();
        assert_eq!(unused, "--counter *_total: no metric has this name; there are gc.a, x_totals");
        for wrong in ["gc", "=vm", "gc=kernel", "gc="] {
            let refused = MetricDescriptions::new(&[], &texts(&[wrong])).unwrap_err().to_string();
            assert!(refused.contains("write NAME=LAYER"), "{refused}");
        }
    }
}
