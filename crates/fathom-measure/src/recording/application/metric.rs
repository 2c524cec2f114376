//! A number to find in every line: `--app-metric`.

use super::PROBE;
use crate::printed_metric::{MetricOptionError, PrintedMetric};
use fathom_record::foreign_text::escaped;
use fathom_record::trace::{Kind, Layer, TraceMetric};
use serde_json::Value;
use std::sync::Arc;

/// A number that a program prints again and again while it runs.
#[derive(Debug, Clone)]
pub struct AppMetric {
    search: PrintedMetric,
    metric: Arc<TraceMetric>,
}

/// What is wrong with an `--app-metric` option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AppMetricError {
    /// There is no `=`.
    #[error(
        "{option:?} is not a metric. Use NAME=REGEX, NAME=json:PATH or NAME=last-number, with a \
         unit or a kind after NAME if it has one: NAME[ms], NAME[counter], NAME[bytes,counter]."
    )]
    NoSource {
        /// As given.
        option: String,
    },
    /// Nothing after `=`.
    #[error("metric {name}: nothing follows \"=\". Add a regex, json:PATH or last-number.")]
    EmptySource {
        /// The metric.
        name: String,
    },
    /// The brackets.
    #[error(
        "metric {0}: expected a unit, a kind (gauge, counter, event) or both between \"[\" and \
         \"]=\", as in {0}[ms]=last-number or {0}[bytes,counter]=last-number",
        escaped(name)
    )]
    Brackets {
        /// The metric.
        name: String,
    },
    /// A column of a table.
    #[error(
        "metric {name}: csv:COLUMN reads a whole table, but a trace is read line by line. Use a \
         regex for its rows, as in {name}=^[^,]*,([0-9.]+). For a regex that begins with \
         \"csv:\", write (?:csv:)."
    )]
    Column {
        /// The metric.
        name: String,
    },
    /// The same name twice.
    #[error("metric {name} is defined twice. Use a different name for each --app-metric.")]
    Duplicate {
        /// The metric.
        name: String,
    },
    /// Anything else that `--metric` would refuse as well.
    #[error("{0}")]
    Option(MetricOptionError),
}

impl AppMetric {
    /// Reads `NAME=REGEX`, `NAME=json:PATH` or `NAME=last-number`, each as in
    /// [`PrintedMetric::parse`], but sought in every line for itself: the last match of a line
    /// counts, and a line without one is about something else.
    ///
    /// After the name may come a unit, a kind, or both: `pause[ms,event]=paused ([0-9.]+)`. Without
    /// a kind it is a gauge. Its name in the trace is `app.NAME`.
    ///
    /// ```
    /// use fathom_measure::recording::application::AppMetric;
    /// let metric = AppMetric::parse("rows[counter]=rows so far: ([0-9]+)")?;
    /// assert_eq!(metric.metric().name, "app.rows");
    /// # Ok::<(), fathom_measure::recording::application::AppMetricError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the option.
    pub fn parse(option: &str) -> Result<AppMetric, AppMetricError> {
        let (option, kind) = without_kind(option)?;
        let search = PrintedMetric::parse(&option).map_err(AppMetricError::from)?;
        if search.reads_column() {
            return Err(AppMetricError::Column { name: search.name().to_string() });
        }
        let unit = search.unit().clone();
        let metric = TraceMetric::real(PROBE, search.name(), Layer::Application, kind, unit);
        Ok(AppMetric { search, metric: Arc::new(metric) })
    }

    /// Reads several.
    ///
    /// # Errors
    /// What is wrong with one of them, or two have the same name.
    pub fn parse_all<S: AsRef<str>>(options: &[S]) -> Result<Vec<AppMetric>, AppMetricError> {
        let metrics: Vec<AppMetric> = options
            .iter()
            .map(|option| AppMetric::parse(option.as_ref()))
            .collect::<Result<_, _>>()?;
        for (n, metric) in metrics.iter().enumerate() {
            let name = metric.search.name();
            if metrics.iter().take(n).any(|earlier| earlier.search.name() == name) {
                return Err(AppMetricError::Duplicate { name: name.to_string() });
            }
        }
        Ok(metrics)
    }

    /// What it is in a trace.
    #[must_use]
    pub fn metric(&self) -> &Arc<TraceMetric> {
        &self.metric
    }

    /// Its name, without `app.`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.search.name()
    }

    pub(super) fn reads_json(&self) -> bool {
        self.search.reads_json()
    }

    /// The number in a line; `None` if the line is about something else.
    pub(super) fn in_line(&self, line: &[u8], json: Option<&Value>) -> Result<Option<f64>, String> {
        self.search.in_line(line, json)
    }
}

/// The option without the kind in its brackets, and the kind.
fn without_kind(option: &str) -> Result<(String, Kind), AppMetricError> {
    let plain = || Ok((option.to_string(), Kind::Gauge));
    let Some((name, rest)) = option.split_once('[').filter(|(name, _)| !name.contains('=')) else {
        return plain();
    };
    let brackets = || AppMetricError::Brackets { name: name.to_string() };
    let (inside, source) = rest.split_once("]=").ok_or_else(brackets)?;
    if inside.contains(['[', ']']) || inside.split(',').any(|part| part.trim().is_empty()) {
        return Err(brackets());
    }
    let (unit, last) = inside.rsplit_once(',').unwrap_or(("", inside));
    let kind = match last.trim() {
        "gauge" => Kind::Gauge,
        "counter" => Kind::Counter,
        "event" => Kind::Event,
        // A unit alone. Two of them are a unit and a kind that is misspelt.
        _ if unit.is_empty() => return plain(),
        _ => return Err(brackets()),
    };
    match unit.trim() {
        "" => Ok((format!("{name}={source}"), kind)),
        "gauge" | "counter" | "event" => Err(brackets()),
        unit if unit.contains(',') => Err(brackets()),
        unit => Ok((format!("{name}[{unit}]={source}"), kind)),
    }
}

impl From<MetricOptionError> for AppMetricError {
    fn from(error: MetricOptionError) -> AppMetricError {
        match error {
            MetricOptionError::NoSource { option } => AppMetricError::NoSource { option },
            MetricOptionError::EmptySource { name } => AppMetricError::EmptySource { name },
            MetricOptionError::Unit { name } => AppMetricError::Brackets { name },
            MetricOptionError::Column { name } => AppMetricError::Column { name },
            other => AppMetricError::Option(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;

    #[test]
    fn units_and_kinds_are_read() {
        for (option, unit, kind) in [
            ("a=x", "", Kind::Gauge),
            ("a[ms]=x", "ms", Kind::Gauge),
            ("a[counter]=x", "", Kind::Counter),
            ("a[bytes,counter]=x", "B", Kind::Counter),
            ("a[ms, event]=x", "ms", Kind::Event),
            ("a[rows/s,gauge]=x", "rows/s", Kind::Gauge),
            ("a=[0-9]+ of b[c]=([0-9]+)", "", Kind::Gauge),
        ] {
            let metric = AppMetric::parse(option).unwrap();
            let metric = metric.metric();
            assert_eq!((metric.unit.symbol(), metric.kind), (unit, kind), "{option}");
            assert_eq!((metric.name.as_str(), metric.probe.as_str()), ("app.a", "app"));
        }
        let metric = AppMetric::parse("a[bytes]=x").unwrap();
        assert_eq!(metric.metric().unit, Unit::Bytes);
    }

    #[test]
    fn bad_options_say_what_to_write() {
        let no_source = "is not a metric. Use NAME=REGEX, NAME=json:PATH or NAME=last-number, \
                         with a unit or a kind after NAME if it has one: NAME[ms], NAME[counter], \
                         NAME[bytes,counter].";
        let brackets = "metric a: expected a unit, a kind (gauge, counter, event) or both between \
                        \"[\" and \"]=\", as in a[ms]=last-number or a[bytes,counter]=last-number";
        let column = "metric a: csv:COLUMN reads a whole table, but a trace is read line by line. \
                      Use a regex for its rows, as in a=^[^,]*,([0-9.]+). For a regex that begins \
                      with \"csv:\", write (?:csv:).";
        for (option, expected) in [
            ("", format!("\"\" {no_source}")),
            ("latency", format!("\"latency\" {no_source}")),
            (
                "=x",
                "invalid metric name: it is empty. Use letters, digits, \"_\" and \"-\".".into(),
            ),
            (
                "a.b=x",
                "invalid metric name: \"a.b\" contains '.'. Use only letters, digits, \"_\" and \
                 \"-\"."
                    .into(),
            ),
            (
                "a=",
                "metric a: nothing follows \"=\". Add a regex, json:PATH or last-number.".into(),
            ),
            ("a[]=x", brackets.into()),
            ("a[ms=x", brackets.into()),
            ("a[ms]x", brackets.into()),
            ("a[ms,count]=x", brackets.into()),
            ("a[counter,ms]=x", brackets.into()),
            ("a[counter,gauge]=x", brackets.into()),
            ("a[ms,]=x", brackets.into()),
            ("a[x,y,counter]=x", brackets.into()),
            ("a=csv:", column.into()),
            ("a=csv:ipc", column.into()),
            ("a=(", "metric a: \"(\" is not a regex at character 1: unclosed group".into()),
            (
                "a=json:",
                "metric a: json: is not a path: a name is missing at character 1. Use a path such \
                 as json:latency.p99, json:results[0].time or json:/results/0/time."
                    .into(),
            ),
        ] {
            assert_eq!(AppMetric::parse(option).unwrap_err().to_string(), expected, "{option}");
        }
        let twice = AppMetric::parse_all(&["a=x", "b=x", "a[ms]=last-number"]).unwrap_err();
        let expected = "metric a is defined twice. Use a different name for each --app-metric.";
        assert_eq!(twice.to_string(), expected);
    }
}
