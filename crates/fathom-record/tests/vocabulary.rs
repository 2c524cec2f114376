//! The words and numbers that every other crate builds on: names in JSON, units, rates, plans.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_record::finding::{Level, Topic};
use fathom_record::trace::{
    Kind, Layer, PlannedProbe, PlannedRun, PlannedSampler, RecordingPlan, TraceMetric,
};
use fathom_record::whole_file::{NewFile, is_standard_output};
use fathom_record::{
    Attribute, Decimal, Events, Metric, Observation, Reading, Run, Series, Span, Throughput,
    TimeUnit, Unit, listed, nearest,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Names that stay: distinct words of small letters.
fn assert_are_names(names: &[&str]) {
    let distinct: BTreeSet<&&str> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    let is_name = |name: &&str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c == '_')
    };
    assert!(names.iter().all(is_name), "{names:?}");
}

#[test]
fn names_in_json_stay() {
    let levels = Level::ALL.map(Level::name);
    assert_eq!(levels, ["good", "note", "spoils", "unknown"]);
    assert_eq!(Level::ALL.map(|level| level.to_string()), levels);
    let topics = Topic::ALL.map(Topic::name);
    assert_are_names(&topics);
    for name in ["governor", "unequal-cpus", "virtual-machine", "cpu-quota", "huge-pages"] {
        assert!(topics.contains(&name), "{name}");
    }
    let throughputs = Throughput::ALL.map(|of| of(7).name());
    assert_eq!(throughputs, ["bytes", "items"]);
}

#[test]
fn rates_are_per_second_and_finite() {
    for of in Throughput::ALL {
        assert_eq!(of(1000).per_call(), 1000);
        assert_eq!(of(1000).per_second(0.5), Some(2000.0));
        assert_eq!(of(0).per_second(0.5), Some(0.0));
        for none in [0.0, -0.5, f64::NAN, 5e-324] {
            assert_eq!(of(1000).per_second(none), None, "{none}");
        }
    }
}

#[test]
fn units_know_whether_they_are_times() {
    for unit in [TimeUnit::Nanoseconds, TimeUnit::Seconds, TimeUnit::Hours] {
        assert_eq!(Unit::Time(unit).time(), Some(unit));
        assert_eq!(Unit::Time(unit).symbol(), unit.symbol());
    }
    for unit in [Unit::Bytes, Unit::Other("faults".to_string()), Unit::Unknown] {
        assert_eq!(unit.time(), None);
    }
    let symbols = [Unit::Bytes, Unit::parse("faults"), Unit::Unknown].map(|unit| unit.to_string());
    assert_eq!(symbols, ["B", "faults", ""]);
    let series = Series::new("x", Unit::Bytes, vec![1.0]).unwrap();
    assert_eq!(series.unit(), &Unit::Bytes);
    assert_eq!(series.with_unit(Unit::SECONDS).unit(), &Unit::SECONDS);
}

#[test]
fn metrics_have_units_of_their_own() {
    let unit = |name: &str| Metric::parse(name).unwrap().unit();
    for time in ["wall-time", "user-time", "system-time", "cpu-time", "counter:task-clock"] {
        assert_eq!(unit(time), Unit::SECONDS, "{time}");
    }
    assert_eq!(unit("peak-memory"), Unit::Bytes);
    for (name, symbol) in [
        ("minor-faults", "faults"),
        ("major-faults", "faults"),
        ("voluntary-switches", "switches"),
        ("involuntary-switches", "switches"),
    ] {
        assert_eq!(unit(name), Unit::parse(symbol), "{name}");
    }
    // Neither a counter nor what a program prints says what it is in.
    for name in ["counter:cycles", "metric:task-clock", "metric:rps"] {
        assert_eq!(unit(name), Unit::Unknown, "{name}");
    }
    let readings = |all: &[(&str, f64)]| {
        all.iter()
            .map(|(name, value)| Reading { name: (*name).to_string(), value: *value })
            .collect()
    };
    let run = Run { readings: readings(&[("counter:cycles", 3.0), ("metric:rps", 4.0)]), ..run() };
    let value = |name: &str| Metric::parse(name).unwrap().of(&run);
    assert_eq!(
        ["counter:cycles", "metric:rps", "metric:cycles"].map(value),
        [Some(3.0), Some(4.0), None]
    );
}

fn run() -> Run {
    Run {
        subject: 0,
        phase: fathom_record::Phase::Measured,
        place: None,
        began: fathom_record::Timestamp::ZERO,
        ending: fathom_record::Ending::Exited(0),
        usage: fathom_record::Usage::default(),
        readings: Vec::new(),
    }
}

fn probe(name: &str, layer: Layer, metrics: &[&str], milliseconds: u64) -> PlannedProbe {
    let metric = |name: &&str| TraceMetric::real("p", name, layer, Kind::Gauge, Unit::Unknown);
    PlannedProbe {
        name: name.to_string(),
        about: String::new(),
        layer,
        metrics: metrics.iter().map(metric).collect(),
        cpu_per_sample: Span::from_milliseconds(milliseconds),
    }
}

#[test]
fn a_plan_counts_its_metrics_and_its_costs() {
    let sampler = |interval: Option<u64>, probes: Vec<PlannedProbe>| PlannedSampler {
        name: "fast".to_string(),
        interval: interval.map(Duration::from_millis),
        probes,
    };
    let os = probe("a", Layer::Os, &["x", "y"], 2);
    let vm = probe("b", Layer::Vm, &["z"], 3);
    let fast = sampler(Some(100), vec![os.clone(), vm.clone()]);
    assert_eq!(fast.cpu_per_sample(), Span::from_milliseconds(5));
    assert!((fast.share_of(&os) - 0.02).abs() < 1e-12);
    let when_told = sampler(None, vec![os.clone()]);
    assert_eq!(when_told.share_of(&os), 0.0);
    let run = |id: &str, samplers: Vec<PlannedSampler>| PlannedRun {
        id: id.to_string(),
        group: String::new(),
        samplers,
    };
    let one = run("run-1", vec![fast, when_told]);
    assert!((one.share() - 0.05).abs() < 1e-12);
    assert_eq!((one.metrics(), one.layers()), (5, vec![Layer::Os, Layer::Vm]));
    // The same metric of several runs is one.
    let other = run("run-2", vec![sampler(Some(10), vec![probe("a", Layer::Os, &["x", "w"], 1)])]);
    let plan = RecordingPlan {
        runs: vec![one, other],
        common: None,
        interval: Duration::from_millis(10),
        unavailable: Vec::new(),
        warnings: Vec::new(),
    };
    assert_eq!(plan.metrics_per_layer(), [(Layer::Os, 3), (Layer::Vm, 1)]);
}

#[test]
fn decimals_are_written_out_up_to_a_hundred_zeros() {
    let written = |text: &str| Decimal::parse(text).unwrap().to_string();
    for (typed, shown) in [
        ("12.50", "12.50"),
        ("-0.5", "-0.5"),
        ("3e2", "300"),
        ("-4e-3", "-0.004"),
        ("7e101", "7e101"),
        ("7e-101", "7e-101"),
    ] {
        assert_eq!(written(typed), shown);
    }
    assert_eq!(written("7e100"), format!("7{}", "0".repeat(100)));
    assert_eq!(written("7e-100"), format!("0.{}7", "0".repeat(99)));
}

#[test]
fn a_clock_has_a_frequency() {
    let mut seen = Observation::new();
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(seen.set_clock_hz(wrong).is_err(), "{wrong}");
        assert_eq!(seen.clock_hz(), None);
    }
    seen.set_clock_hz(2e9).unwrap();
    assert_eq!(seen.clock_hz(), Some(2e9));
}

#[test]
fn attributes_of_events_can_have_another_unit() {
    let attribute = Attribute { unit: Unit::Unknown, values: vec![1.0] };
    let attributes = BTreeMap::from([("size".to_string(), attribute)]);
    let events = Events::new(vec![3.0], attributes).unwrap();
    let changed = events.clone().with_attribute_unit("size", Unit::Bytes);
    assert_eq!(changed.attributes()["size"].unit, Unit::Bytes);
    assert_eq!(changed.attributes()["size"].values, events.attributes()["size"].values);
    assert_eq!(changed.times(), [3.0]);
    assert_eq!(events.clone().with_attribute_unit("other", Unit::Bytes), events);
}

#[test]
fn names_are_listed_and_near_ones_are_found() {
    assert_eq!(listed(&[]), "");
    assert_eq!(listed(&["a"]), "a");
    assert_eq!(listed(&["a", "b", "c"]), "a, b, c");
    assert_eq!(nearest("mian", &["main", "topic"]), ["main"]);
    assert_eq!(nearest("", &["main"]), [""; 0]);
}

#[test]
fn only_standard_output_is_standard_output() {
    for path in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert!(is_standard_output(Path::new(path)), "{path}");
    }
    for path in ["./-", "/dev/stderr", "/dev/fd/2", "out"] {
        assert!(!is_standard_output(Path::new(path)), "{path}");
    }
}

#[test]
fn a_new_file_takes_what_is_written_and_is_there_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let mut file = NewFile::create(&path).unwrap();
    file.write_all(b"all of it").unwrap();
    file.flush().unwrap();
    assert!(!path.exists());
    file.complete(false).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"all of it");
    let dropped = NewFile::create(&path).unwrap();
    drop(dropped);
    assert_eq!(std::fs::read(&path).unwrap(), b"all of it");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
