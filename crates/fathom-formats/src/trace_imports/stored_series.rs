//! Series of a metric store as a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use fathom_record::trace::{Clock, Kind, Number, Rows, TraceMetric, Value, Values};
use fathom_record::{TimeUnit, Timestamp, Unit};

use super::prometheus_times::{self, Group};
use super::short_names::{full_name, short_names};
use super::{ImportFormat, ImportOptions, ImportedRun, naming, run, timeline};

/// One series, with its samples in the order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSeries {
    /// Its labels, its name among them as `__name__`. No two series have the same.
    pub labels: BTreeMap<String, String>,
    /// What its values mean, if the store says it.
    pub kind: Option<Kind>,
    /// What it is, in the store's words.
    pub about: String,
    /// Whether it is the value of an expression.
    pub is_computed: bool,
    /// When, in milliseconds since 1970.
    pub times: Vec<i64>,
    /// As many values; what is not finite is missing.
    pub values: Vec<f64>,
}

/// A gap is longer than this many usual intervals.
const GAP: i64 = 3;

impl ImportedRun {
    /// The names that series with these labels have in a run, all at once: names depend on what they
    /// have to be told from.
    #[must_use]
    pub fn store_names(all: &[BTreeMap<String, String>]) -> Vec<String> {
        short_names(&all.iter().collect::<Vec<_>>())
    }

    /// The run that the series of a store make. Names have only the labels that tell them apart; the
    /// whole name is in each metric's `about`. `None` without samples.
    ///
    /// Series with the same times share a sampler. Where nothing came for more than three usual
    /// intervals, a row without values says so: a level does not hold over a gap.
    #[must_use]
    pub fn of_store(
        source: &str,
        mut series: Vec<StoredSeries>,
        options: &ImportOptions,
    ) -> Option<ImportedRun> {
        let first = series.iter().filter_map(|one| one.times.first()).min().copied()?;
        let metrics = metrics(&series, options);
        let times: Vec<Vec<Timestamp>> =
            series.iter_mut().map(|one| since(first, std::mem::take(&mut one.times))).collect();
        let mut samplers = Vec::new();
        for (n, group) in prometheus_times::groups(&times).into_iter().enumerate() {
            let name = if n == 0 { "prometheus".into() } else { format!("prometheus-{}", n + 1) };
            samplers.push((name, rows(&group, &times, &metrics, &mut series)));
        }
        let wall = Timestamp::from_nanoseconds(first.checked_mul(1_000_000)?);
        Some(ImportedRun {
            id: run::id(source),
            format: ImportFormat::Prometheus,
            clock: Some(Clock { monotonic: Timestamp::ZERO, wall }),
            time_unit: TimeUnit::Seconds,
            samplers,
            notes: Vec::new(),
        })
    }
}

/// Times after the first, from milliseconds since 1970.
fn since(first: i64, times: Vec<i64>) -> Vec<Timestamp> {
    let after = |time: i64| time.saturating_sub(first).saturating_mul(1_000_000);
    times.into_iter().map(|time| Timestamp::from_nanoseconds(after(time))).collect()
}

fn metrics(series: &[StoredSeries], options: &ImportOptions) -> Vec<TraceMetric> {
    let labels: Vec<&BTreeMap<String, String>> = series.iter().map(|one| &one.labels).collect();
    let names = short_names(&labels);
    series
        .iter()
        .zip(names)
        .map(|(one, name)| {
            let full = full_name(&one.labels);
            let kind = match one.kind {
                _ if options.is_counter(&full) => Kind::Counter,
                Some(kind) => options.kind(&name, kind),
                None => options.kind(&name, naming::kind(&name)),
            };
            let unit = if one.is_computed { Unit::Unknown } else { naming::unit(&name) };
            let about = match (one.about.as_str(), full == name) {
                ("", true) => String::new(),
                ("", false) => full,
                (about, true) => about.to_string(),
                (about, false) => format!("{about} ({full})"),
            };
            TraceMetric {
                layer: naming::layer(&name),
                unit,
                kind,
                number: number(&one.values),
                probe: "prometheus".to_string(),
                about,
                name,
            }
        })
        .collect()
}

/// Integers if all are whole.
fn number(values: &[f64]) -> Number {
    let is_whole = |value: &f64| !value.is_finite() || Value::Real(*value).integer().is_some();
    if values.iter().all(is_whole) { Number::Integer } else { Number::Real }
}

fn rows(
    group: &Group<'_>,
    times: &[Vec<Timestamp>],
    metrics: &[TraceMetric],
    series: &mut [StoredSeries],
) -> Rows {
    let ends = with_gaps(group.times);
    let mut of_group = Vec::with_capacity(group.series.len());
    let mut columns = Vec::with_capacity(group.series.len());
    for &place in &group.series {
        let (Some(metric), Some(own), Some(one)) =
            (metrics.get(place), times.get(place), series.get_mut(place))
        else {
            continue;
        };
        // What is held twice at a time is one series.
        let values = std::mem::take(&mut one.values);
        let mut samples = own.iter().zip(&values).peekable();
        let mut column = Values::new(metric.number);
        for end in &ends {
            let sample =
                samples.next_if(|(at, _)| *at == end).map(|(_, value)| Value::from(*value));
            let value = sample.unwrap_or_default();
            column.push(match metric.number {
                Number::Integer => value.integer().map_or(Value::Missing, Value::Integer),
                Number::Real => value,
            });
        }
        of_group.push(metric.clone());
        columns.push(column);
    }
    let metrics: Arc<[TraceMetric]> = of_group.into();
    Rows::of_columns(metrics, timeline::starts(&ends), ends, columns)
}

/// The times, and one before the end of each gap, a usual interval before what comes after it.
fn with_gaps(times: &[Timestamp]) -> Vec<Timestamp> {
    let apart = |pair: &[Timestamp]| pair[1].relative_to(pair[0]).nanoseconds();
    let mut intervals: Vec<i64> = times.windows(2).map(apart).collect();
    intervals.sort_unstable();
    let usual = intervals.get(intervals.len() / 2).copied().unwrap_or(i64::MAX);
    let mut all = Vec::with_capacity(times.len());
    for (n, &time) in times.iter().enumerate() {
        if let Some(before) = n.checked_sub(1).and_then(|before| times.get(before))
            && time.relative_to(*before).nanoseconds() / GAP > usual
        {
            all.push(Timestamp::from_nanoseconds(time.nanoseconds() - usual));
        }
        all.push(time);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(labels: &[(&str, &str)], samples: &[(i64, f64)]) -> StoredSeries {
        StoredSeries {
            labels: labels.iter().map(|(a, b)| ((*a).to_string(), (*b).to_string())).collect(),
            kind: None,
            about: String::new(),
            is_computed: false,
            times: samples.iter().map(|sample| 1_794_793_200_000 + sample.0 * 1000).collect(),
            values: samples.iter().map(|sample| sample.1).collect(),
        }
    }

    fn seconds(rows: &Rows) -> Vec<f64> {
        rows.ends().iter().map(|end| end.seconds()).collect()
    }

    #[test]
    fn series_of_one_target_share_a_sampler_and_gaps_are_rows_without_values() {
        let (x, y) = (("__name__", "x_total"), ("__name__", "y"));
        let run = ImportedRun::of_store(
            "http://host:9090/p",
            vec![
                series(&[x, ("a", "1")], &[(0, 1.0), (15, 2.0), (30, 4.0), (90, 5.0), (105, 9.0)]),
                series(&[x, ("a", "2")], &[(15, 0.5), (30, f64::NAN)]),
                series(&[y, ("a", "1")], &[(3, 7.0), (18, f64::INFINITY)]),
                series(&[("__name__", "none")], &[]),
            ],
            &ImportOptions::default(),
        )
        .unwrap();
        assert_eq!(run.clock.unwrap().wall.nanoseconds(), 1_794_793_200_000_000_000);
        let [(first, one), (second, other)] = run.samplers.as_slice() else { panic!("{run:?}") };
        assert_eq!((first.as_str(), second.as_str()), ("prometheus", "prometheus-2"));
        assert_eq!(seconds(one), [0.0, 15.0, 30.0, 75.0, 90.0, 105.0]);
        let names: Vec<&str> = one.metrics().iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(names, [r#"x_total{a="1"}"#, r#"x_total{a="2"}"#, "none"]);
        assert!(one.metrics()[..2].iter().all(|metric| metric.kind == Kind::Counter));
        let whole = [Some(1), Some(2), Some(4), None, Some(5), Some(9)];
        assert_eq!(one.columns()[0], Values::Integers(whole.to_vec()));
        let mut half = vec![None; 6];
        half[1] = Some(0.5);
        assert_eq!(one.columns()[1], Values::Reals(half));
        assert_eq!(seconds(other), [3.0, 18.0]);
        assert_eq!(other.metrics()[0].name, "y");
        assert_eq!(other.metrics()[0].about, r#"y{a="1"}"#);
        assert_eq!(other.columns()[0], Values::Integers(vec![Some(7), None]));
        assert!(ImportedRun::of_store("x", Vec::new(), &ImportOptions::default()).is_none());
    }

    #[test]
    fn what_the_store_and_the_user_say_goes_before_names() {
        let with = |kind| {
            let one = StoredSeries {
                kind,
                about: "Its help.".to_string(),
                ..series(&[("__name__", "a_total"), ("job", "j")], &[(0, 1.0)])
            };
            move |counters: &[&str]| {
                let counters = counters.iter().map(ToString::to_string).collect();
                let options = ImportOptions { counters, ..ImportOptions::default() };
                let run = ImportedRun::of_store("x", vec![one.clone()], &options).unwrap();
                run.samplers[0].1.metrics()[0].clone()
            }
        };
        assert_eq!(with(None)(&[]).kind, Kind::Counter);
        assert_eq!(with(Some(Kind::Gauge))(&[]).kind, Kind::Gauge);
        assert_eq!(with(Some(Kind::Gauge))(&["a_*"]).kind, Kind::Counter);
        assert_eq!(with(Some(Kind::Gauge))(&["*job=*"]).kind, Kind::Counter);
        assert_eq!(with(None)(&[]).about, "Its help. (a_total{job=\"j\"})");
    }
}
