//! Derived metrics and conditions on rows, against what was worked out by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_property::{DeriveError, DerivedMetric, RowCondition};
use fathom_record::trace::{Kind, Layer, Samples, TraceMetric, Values};
use fathom_record::{Timestamp, Unit};

/// Milliseconds.
fn at(time: i64) -> Timestamp {
    Timestamp::from_nanoseconds(time * 1_000_000)
}

fn samples(name: &str, kind: Kind, unit: &str, rows: &[(i64, i64, Option<f64>)]) -> Samples {
    let mut metric = TraceMetric::real("p", name, Layer::Os, kind, Unit::parse(unit));
    metric.name = name.to_string();
    Samples {
        metric,
        starts: rows.iter().map(|row| at(row.0)).collect(),
        ends: rows.iter().map(|row| at(row.1)).collect(),
        values: Values::Reals(rows.iter().map(|row| row.2).collect()),
    }
}

/// Rows of 10, 10, 20 and 10 ms after the first moment.
fn rows(values: [Option<f64>; 5]) -> Vec<(i64, i64, Option<f64>)> {
    let times = [(0, 0), (0, 10), (10, 20), (20, 40), (40, 50)];
    times.iter().zip(values).map(|(&(start, end), value)| (start, end, value)).collect()
}

fn traces() -> Vec<Samples> {
    let counter =
        |name, unit, values: [f64; 5]| samples(name, Kind::Counter, unit, &rows(values.map(Some)));
    let gauge = |name, unit, values| samples(name, Kind::Gauge, unit, &rows(values));
    vec![
        counter("perf.hardware-1.instructions", "", [0.0, 30.0, 60.0, 60.0, 45.0]),
        counter("perf.hardware-1.cycles", "cycles", [0.0, 10.0, 30.0, 30.0, 40.0]),
        counter("io.bytes", "B", [100.0, 200.0, 250.0, 450.0, 450.0]),
        counter("gc.time", "ns", [0.0, 5e6, 5e6, 15e6, 25e6]),
        gauge("queue", "requests", [Some(1.0), Some(3.0), None, Some(5.0), Some(4.0)]),
        gauge("latency", "ms", [Some(2.0), Some(4.0), Some(0.0), Some(6.0), Some(8.0)]),
        gauge("limit", "s", [Some(0.005); 5]),
        gauge("busy", "", [Some(0.0), Some(1.0), Some(1.0), None, Some(0.0)]),
        samples("slow", Kind::Gauge, "", &[(0, 20, Some(2.0)), (20, 50, Some(4.0))]),
        samples("pause", Kind::Event, "ms", &[(12, 15, Some(3.0)), (40, 45, Some(5.0))]),
    ]
}

fn metrics(traces: &[Samples]) -> Vec<TraceMetric> {
    traces.iter().map(|one| one.metric.clone()).collect()
}

fn computed(text: &str) -> Samples {
    let traces = traces();
    let metric = DerivedMetric::parse(text).unwrap().resolve(&metrics(&traces));
    let metric = metric.unwrap_or_else(|error| panic!("{error}"));
    let find = |name: &String| traces.iter().find(|one| one.metric.name == *name).unwrap();
    let inputs: Vec<&Samples> = metric.inputs().iter().map(find).collect();
    metric.compute(&inputs)
}

/// Values and unit.
fn of(text: &str) -> (Vec<Option<f64>>, String) {
    let found = computed(&format!("x={text}"));
    (found.values.reals().collect(), found.metric.unit.symbol().to_string())
}

#[test]
fn totals_are_differenced_before_anything_else() {
    // No growth of cycles in the fourth row: the ratio does not exist there. The counter of
    // instructions was reset in the last one.
    let expected = vec![None, Some(3.0), Some(1.5), None, None];
    assert_eq!(of("instructions / cycles"), (expected.clone(), String::new()));
    assert_eq!(of("rate(instructions) / rate(cycles)"), (expected.clone(), String::new()));
    assert_eq!(of("delta(instructions) / delta(cycles)"), (expected, String::new()));
    let rate = vec![None, Some(10_000.0), Some(5_000.0), Some(10_000.0), Some(0.0)];
    assert_eq!(of("io.bytes"), (rate.clone(), "B/s".to_string()));
    assert_eq!(of("rate(\"io.bytes\")"), (rate, "B/s".to_string()));
    let growth = vec![None, Some(100.0), Some(50.0), Some(200.0), Some(0.0)];
    assert_eq!(of("delta(io.bytes)"), (growth, "B".to_string()));
    // Rows differ in length, so totals and plain numbers only meet per second.
    let mixed = vec![None, Some(10_001.0), Some(5_001.0), Some(10_001.0), Some(1.0)];
    assert_eq!(of("io.bytes + 1"), (mixed, "B/s".to_string()));
}

/// A ratio that never changes must not seem to, whatever the rows' lengths are.
#[test]
fn a_constant_ratio_is_constant_to_the_last_bit() {
    let lengths = (1..200_i64).map(|n| n * n * 7 + 3);
    let ends: Vec<i64> = lengths
        .scan(0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect();
    let total = |times: f64| -> Vec<(i64, i64, Option<f64>)> {
        ends.iter()
            .map(|&end| (end, end, Some((end * 13 % 1009 + end * 5) as f64 * times)))
            .collect()
    };
    let pages = samples("pages", Kind::Counter, "", &total(1.0));
    let bytes = samples("bytes", Kind::Counter, "", &total(3.0));
    let metric = DerivedMetric::parse("x=bytes/pages").unwrap();
    let metric = metric.resolve(&[pages.metric.clone(), bytes.metric.clone()]).unwrap();
    assert_eq!(metric.inputs(), ["bytes", "pages"]);
    let found = metric.compute(&[&bytes, &pages]);
    let seen: Vec<f64> = found.values.reals().flatten().collect();
    assert!(seen.len() > 150 && seen.iter().all(|&value| value == 3.0), "{seen:?}");
}

#[test]
fn units_follow() {
    let unit = |text: &str| of(text).1;
    for (text, expected) in [
        ("latency * 2", "ms"),
        ("latency / limit", ""),
        ("latency + limit", "ms"),
        ("limit - latency", "s"),
        ("io.bytes / latency", "B/ms/s"),
        ("io.bytes / instructions", "B"),
        ("rate(queue)", "requests/s"),
        ("delta(queue)", "requests"),
        ("rate(instructions)", "1/s"),
        ("gc.time", ""),
        ("max(latency, 3ms)", "ms"),
        ("sqrt(latency * latency)", "s"),
        ("latency ^ 2", "s^2"),
        ("log(instructions / cycles)", ""),
        ("abs(-latency)", "ms"),
        ("queue / latency", "requests/ms"),
        ("gc.time / rate(queue)", "ns/requests"),
    ] {
        assert_eq!(unit(text), expected, "{text}");
    }
    let ratio = vec![Some(0.4), Some(0.8), Some(0.0), Some(1.2), Some(1.6)];
    assert_eq!(of("latency / limit").0, ratio);
    // Nanoseconds of collection per second: a share of the time.
    let share = of("gc.time").0;
    let expected = [None, Some(0.5), Some(0.0), Some(0.5), Some(1.0)];
    for (found, expected) in share.iter().zip(expected) {
        assert!((found.unwrap_or(-1.0) - expected.unwrap_or(-1.0)).abs() < 1e-12, "{share:?}");
    }
    let sum = vec![Some(7.0), Some(9.0), Some(5.0), Some(11.0), Some(13.0)];
    assert_eq!(of("latency + limit").0, sum);
}

#[test]
fn what_does_not_exist_is_missing() {
    assert_eq!(of("1 / latency").0[2], None);
    assert_eq!(of("0 / latency").0[2], None);
    assert_eq!(of("sqrt(-latency / 1ms)").0, [None, None, Some(-0.0), None, None]);
    assert_eq!(of("log(latency / 1ms)").0[2], None);
    assert_eq!(of("queue * 2").0, [Some(2.0), Some(6.0), None, Some(10.0), Some(8.0)]);
    // Next to a gap, the change is unknown.
    assert_eq!(of("delta(queue)").0, [None, Some(2.0), None, None, Some(-1.0)]);
}

#[test]
fn metrics_of_other_rows_are_put_on_the_fewest() {
    let found = computed("x = latency * slow");
    assert_eq!(found.ends[..], [20, 50].map(at));
    // Means over time: 4 and 0 in equal parts; 6 for 20 ms and 8 for 10.
    let values: Vec<Option<f64>> = found.values.reals().collect();
    assert_eq!(values[0], Some(4.0));
    assert!((values[1].unwrap() - 4.0 * 20.0 / 3.0).abs() < 1e-12, "{values:?}");
    let bytes: Vec<Option<f64>> = computed("x = delta(io.bytes) * slow").values.reals().collect();
    for (found, expected) in bytes.iter().zip([300.0, 800.0]) {
        assert!((found.unwrap() - expected).abs() < 1e-9, "{bytes:?}");
    }
    // Events count where they happen.
    let pauses = of("delta(pause) + 0 * latency").0;
    assert_eq!(pauses, [None, Some(0.0), Some(3.0), Some(0.0), Some(5.0)]);
    // Alone they stay events.
    let alone = computed("x = pause * 1000");
    assert_eq!(alone.metric.kind, Kind::Event);
    assert_eq!(alone.values.reals().collect::<Vec<_>>(), [Some(3000.0), Some(5000.0)]);
}

fn refused(text: &str) -> String {
    let parsed = DerivedMetric::parse(text);
    match parsed.and_then(|metric| metric.resolve(&metrics(&traces()))) {
        Ok(metric) => panic!("{text} is {metric:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn mistakes_are_pointed_at() {
    assert_eq!(
        refused("ipc=instructions/cycels"),
        "ipc: there is no metric `cycels`\n    instructions/cycels\n                 ^^^^^^\nDid you \
         mean `cycles`? The data contain `\"perf.hardware-1.instructions\"`, \
         `\"perf.hardware-1.cycles\"`, `io.bytes`, `gc.time`, `queue`, `latency`, `limit`, `busy` and \
         2 more."
    );
    for (text, part) in [
        ("ipc", "a derived metric is written NAME=EXPRESSION"),
        ("=a/b", "a derived metric is written NAME=EXPRESSION"),
        ("x=", "the expression is empty"),
        ("x=latency /", "the expression ends too early"),
        ("x=(latency", "`(` is not closed"),
        ("x=5", "there is no metric in it"),
        ("x=latency/0", "division by 0"),
        ("x=latency + io.bytes", "`latency` is in ms, but `io.bytes` is in B/s"),
        ("x=avg(latency)", "a derived metric is computed row by row"),
        ("x=G(latency)", "a derived metric is computed row by row"),
        ("x=latency > 3ms", "`latency > 3ms` is true or false, not a number"),
        ("x=rate(latency * 2)", "rate is of one metric"),
        ("x=rate(pause)", "consists of events"),
        ("x=latency@2", "each run is computed from its own metrics"),
        ("x=perf.hardware-1.cycles / 2", "`.` has no meaning here"),
        ("x=latency ^ queue", "the exponent is not a number that is written"),
        ("x=log(latency)", "only a number has a logarithm"),
        ("a\u{1b}b=latency", "cannot contain invisible characters"),
    ] {
        let refused = refused(text);
        assert!(refused.contains(part), "{text}: {refused}");
    }
}

#[test]
fn names_may_be_short_if_only_one_ends_so() {
    let mut known = metrics(&traces());
    let metric = DerivedMetric::parse("\"my ipc\" = instructions / cycles").unwrap();
    assert_eq!((metric.name(), metric.expression()), ("my ipc", "instructions / cycles"));
    assert_eq!(metric.names(), ["instructions", "cycles"]);
    let found = metric.resolve(&known).unwrap();
    assert_eq!(found.inputs(), ["perf.hardware-1.instructions", "perf.hardware-1.cycles"]);
    let mut other = known[1].clone();
    other.name = "perf.hardware-2.cycles".to_string();
    known.push(other);
    let several = metric.resolve(&known).unwrap_err();
    assert!(several.is_unknown_name(), "{several}");
    assert!(several.to_string().contains("several metrics are called `cycles`"), "{several}");
    assert!(matches!(DerivedMetric::parse("x"), Err(DeriveError::NoName(_))));
}

fn fails_in(text: &str) -> Vec<(i64, i64)> {
    let traces = traces();
    let condition = RowCondition::parse(text).unwrap().resolve(&metrics(&traces)).unwrap();
    let find = |name: &String| traces.iter().find(|one| one.metric.name == *name).unwrap();
    let inputs: Vec<&Samples> = condition.inputs().iter().map(find).collect();
    let milliseconds = |time: Timestamp| match time {
        Timestamp::MIN => i64::MIN,
        Timestamp::MAX => i64::MAX,
        time => time.nanoseconds() / 1_000_000,
    };
    let fails = condition.fails_in(&inputs).into_iter();
    fails.map(|(start, end)| (milliseconds(start), milliseconds(end))).collect()
}

#[test]
fn conditions_fail_where_they_are_false_or_unknown() {
    const NEVER: i64 = i64::MIN;
    const EVER: i64 = i64::MAX;
    // Beyond the rows, less one usual row of 10 ms, nothing is known.
    assert_eq!(fails_in("busy == 0"), [(NEVER, -10), (0, 40), (60, EVER)]);
    assert_eq!(fails_in("not busy"), fails_in("busy == 0"));
    assert_eq!(fails_in("busy"), [(NEVER, 0), (20, EVER)]);
    assert_eq!(fails_in("busy == 0 or latency > 5ms"), [(NEVER, -10), (0, 20), (60, EVER)]);
    assert_eq!(fails_in("latency <= 0.006 s and true"), [(NEVER, -10), (40, EVER)]);
    assert_eq!(fails_in("1ms < latency < 5ms"), [(NEVER, -10), (10, EVER)]);
    assert_eq!(fails_in("io.bytes > 6000"), [(NEVER, 0), (10, 20), (40, EVER)]);
    assert_eq!(fails_in("latency > 1ms -> busy"), [(NEVER, 0), (20, EVER)]);
    assert_eq!(fails_in("busy <-> latency == 4ms"), [(NEVER, -10), (10, 40), (60, EVER)]);
    // Between events there is none.
    assert_eq!(fails_in("pause == 0"), [(12, 15), (40, 45)]);
    assert_eq!(fails_in("pause > 4ms"), [(NEVER, 40), (45, EVER)]);
}

#[test]
fn conditions_that_are_none_are_refused() {
    let refused = |text: &str| {
        let parsed = RowCondition::parse(text);
        let found = parsed.and_then(|condition| condition.resolve(&metrics(&traces())));
        found.unwrap_err().to_string()
    };
    for (text, part) in [
        ("", "the condition is empty"),
        ("latency + 1", "`latency + 1` is a number, not a condition"),
        ("gc.active == 0", "there is no metric `gc.active`"),
        ("G(busy == 0)", "the condition is judged row by row"),
        ("latency > 3B", "`latency` is in ms, but `3B` is in B"),
        ("1 < 2", "there is no metric in it"),
        ("latency >", "the condition ends too early"),
    ] {
        let refused = refused(text);
        assert!(refused.contains(part), "{text}: {refused}");
    }
}
