//! What pages of estimates say, case by case: what was done to the samples, what is promised of the
//! interval, why there is none.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::{
    EstimateRequest, Method, QuantileProperty, Report, Resource, Statistic, StopReason, Subject,
    analyze, analyze_work,
};
use fathom_record::{Environment, Metric, Series, Startup, TimeUnit, Unit};
use fathom_render::layout::plain;
use fathom_render::{Detail, View, estimates, human};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Probability, Sides};
use std::fmt::Write;

/// Numbers between 0 and 1 that look random.
fn noise(i: usize) -> f64 {
    let mut z = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 11) as f64 / (1_u64 << 53) as f64
}

fn times(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.012 + 0.001 * noise(i)).collect()
}

fn series(name: &str, values: Vec<f64>) -> Series {
    Series::new(name, Unit::SECONDS, values).unwrap()
}

fn subject(series: Series) -> Subject {
    analyze(series, &EstimateRequest::default())
}

fn report(subjects: Vec<Subject>) -> Report {
    Report {
        command_line: "fathom".to_string(),
        seed: 7,
        environment: Environment::of_this_build(),
        session: Some(12),
        overhead_per_run: Some(0.0004),
        harness: None,
        instructions: None,
        subjects,
        comparisons: None,
        warnings: Vec::new(),
    }
}

fn page(subjects: Vec<Subject>, detail: Detail) -> String {
    let view = View { detail, ..View::default() };
    plain(&human::render(&report(subjects), &view, 100))
}

/// Each subject alone, in every detail.
fn pages(subjects: Vec<Subject>) -> String {
    let mut text = String::new();
    for subject in subjects {
        let _ = writeln!(text, "==== {}", subject.series.name());
        text.push_str(&page(vec![subject.clone()], Detail::Answer));
        text.push_str("----\n");
        text.push_str(&page(vec![subject.clone()], Detail::Usual));
        text.push_str("----\n");
        text.push_str(&page(vec![subject], Detail::Everything));
    }
    text
}

#[test]
fn few_and_many_samples() {
    let of = |n| subject(series(&format!("{n} samples"), times(n)));
    let same = subject(series("all the same", vec![0.5; 12]));
    insta::assert_snapshot!(pages(vec![of(1), of(2), of(5), of(6), of(30), of(400), same]));
}

#[test]
fn what_was_done_to_the_samples() {
    let warm_up: Vec<f64> =
        times(300).iter().enumerate().map(|(i, v)| if i < 60 { v * 2.0 } else { *v }).collect();
    let slow_down: Vec<f64> =
        times(300).iter().enumerate().map(|(i, v)| if i < 150 { *v } else { v * 1.5 }).collect();
    let spikes: Vec<f64> = times(300)
        .iter()
        .enumerate()
        .map(|(i, v)| if i % 60 == 7 { v * 5.0 } else { *v })
        .collect();
    let mut level = 0.0;
    let alike: Vec<f64> = (0..300)
        .map(|i| {
            level = 0.8 * level + noise(i) - 0.5;
            0.012 + 0.0005 * level
        })
        .collect();
    let default = EstimateRequest::default();
    let with = |name: &str, values: &Vec<f64>, request: &EstimateRequest| {
        analyze(series(name, values.clone()), request)
    };
    let removed = EstimateRequest { outliers: OutlierPolicy::Remove, ..default.clone() };
    let kept = EstimateRequest { outliers: OutlierPolicy::Keep, ..default.clone() };
    let skipped = EstimateRequest { steady_state: SteadyStatePolicy::Skip(20), ..default.clone() };
    let off = EstimateRequest {
        steady_state: SteadyStatePolicy::Off,
        correlogram: true,
        ..default.clone()
    };
    let taken = EstimateRequest { assume_independent: true, ..default.clone() };
    let executions = series("of executions", times(300)).with_executions(vec![30; 10]).unwrap();
    let text = pages(vec![
        with("warm-up", &warm_up, &default),
        with("slow-down", &slow_down, &default),
        with("spikes", &spikes, &default),
        with("spikes removed", &spikes, &removed),
        with("spikes not sought", &spikes, &kept),
        with("skipped", &warm_up, &skipped),
        with("not cleaned", &warm_up, &off),
        with("alike", &alike, &default),
        with("alike, taken as independent", &alike, &taken),
        analyze(executions.clone(), &default),
        analyze(executions.renamed("pooled"), &taken),
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn every_statistic_and_method() {
    let p90 = Statistic::Quantile(Probability::new(0.9).unwrap());
    let request = |statistics: Vec<Statistic>, method, sides| EstimateRequest {
        statistics,
        method,
        sides,
        ..EstimateRequest::default()
    };
    let mut text = String::new();
    let cases = [
        request(vec![Statistic::MEDIAN, Statistic::Mean, p90], None, Sides::Both),
        request(vec![Statistic::HarmonicMean], None, Sides::Both),
        request(vec![Statistic::MEDIAN], Some(Method::Sequence), Sides::Both),
        request(vec![Statistic::MEDIAN], Some(Method::Spa), Sides::Both),
        request(vec![Statistic::MEDIAN], Some(Method::Sign), Sides::Both),
        request(vec![Statistic::Mean], Some(Method::Z), Sides::Both),
        request(vec![Statistic::MEDIAN], None, Sides::Lower),
        request(vec![Statistic::MEDIAN], None, Sides::Upper),
        request(vec![Statistic::Quantile(Probability::new(0.999).unwrap())], None, Sides::Both),
    ];
    for request in &cases {
        let subject = analyze(series("sort", times(80)), request);
        text.push_str(&page(vec![subject.clone()], Detail::Everything));
        let table = estimates(&report(vec![subject.clone()]), Some(TimeUnit::Microseconds));
        let _ = writeln!(text, "{}{}", table.csv(), table.markdown());
        let both = vec![
            subject.clone(),
            Subject { series: subject.series.clone().renamed("other"), ..subject },
        ];
        text.push_str(&page(both, Detail::Usual));
        text.push_str("====\n");
    }
    for direction in [Direction::Above, Direction::AtLeast, Direction::Below, Direction::AtMost] {
        let property = QuantileProperty { proportion: Probability::new(0.9).unwrap(), direction };
        let request = EstimateRequest {
            statistics: vec![property.statistic()],
            property: Some(property),
            ..EstimateRequest::default()
        };
        let subject = analyze(series("sort", times(80)), &request);
        text.push_str(&page(vec![subject.clone()], Detail::Answer));
        text.push_str(&page(vec![subject.clone(), subject], Detail::Answer));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn units_and_metrics() {
    let large: Vec<f64> = times(40).iter().map(|v| v * 1e9).collect();
    let of = |name: &str, unit: Unit, metric: Option<&str>| {
        let series = Series::new(name, unit, large.clone()).unwrap();
        subject(match metric {
            Some(metric) => series.with_metric(metric),
            None => series,
        })
    };
    let parsed = |unit: &str| Unit::parse(unit);
    let mut text = String::new();
    for subject in [
        of("memory", Unit::Bytes, Some("peak-memory")),
        of("sort peak-memory", Unit::Bytes, Some("peak-memory")),
        of("faults", parsed("faults"), Some("minor-faults")),
        of("rate", parsed("ns/s"), None),
        of("nothing", Unit::Unknown, None),
        of("printed", parsed("rps"), Some("metric:rps")),
        of("nanoseconds", Unit::Time(TimeUnit::Nanoseconds), Some("wall-time")),
    ] {
        text.push_str(&page(vec![subject.clone()], Detail::Usual));
        text.push_str(&estimates(&report(vec![subject]), None).asciidoc());
    }
    insta::assert_snapshot!(text);
}

#[test]
fn what_else_runs_cost_and_why_measuring_stopped() {
    let resource =
        |metric, median| Resource { metric, median, smallest: 0.5 * median, largest: 2.0 * median };
    let resources = vec![
        resource(Metric::WallTime, 0.0125),
        resource(Metric::UserTime, 0.0098),
        resource(Metric::SystemTime, 0.0),
        resource(Metric::CpuTime, 0.0098),
        resource(Metric::PeakMemory, 3.4e6),
        resource(Metric::MinorFaults, 812.0),
        resource(Metric::MajorFaults, 0.0),
        resource(Metric::VoluntarySwitches, 3.5),
        resource(Metric::InvoluntarySwitches, 2e6),
        resource(Metric::Counter("instructions".to_string()), 999_999.0),
        resource(Metric::Counter("cycles".to_string()), 1e6),
        resource(Metric::Printed("requests".to_string()), 17.0),
    ];
    let mut text = String::new();
    for stopped in StopReason::ALL {
        let full =
            Subject { resources: resources.clone(), stopped, ..subject(series("sort", times(40))) };
        let few = Subject { stopped, ..subject(series("few", times(3))) };
        text.push_str(&page(vec![full.clone()], Detail::Usual));
        text.push_str(&page(vec![full.clone()], Detail::Everything));
        text.push_str(&page(vec![full, few], Detail::Usual));
    }
    let memory = Series::new("m", Unit::Bytes, times(40)).unwrap().with_metric("peak-memory");
    text.push_str(&page(vec![Subject { resources, ..subject(memory) }], Detail::Usual));
    insta::assert_snapshot!(text);
}

#[test]
fn a_shell_is_subtracted() {
    let started = |n: usize, base: f64| {
        Startup::new((0..n).map(|i| base + 0.0001 * noise(i + 7)).collect(), 0.0).unwrap()
    };
    let of = |name: &str, n, startup| subject(series(name, times(n)).with_startup(startup));
    let hidden = of("hidden", 40, started(40, 0.0125));
    let memory = Series::new("m", Unit::Bytes, times(40))
        .unwrap()
        .with_metric("peak-memory")
        .with_startup(started(40, 0.0125));
    let cases = vec![
        of("told", 40, started(40, 0.002)),
        of("told by few", 3, started(3, 0.002)),
        of("one empty run", 3, started(1, 0.002)),
        of("hidden by few", 3, started(3, 0.0125)),
        of("below", 40, started(40, 0.014)),
        Subject { stopped: StopReason::MaxTime, ..hidden.clone() },
        subject(memory),
    ];
    let mut text = pages(cases.clone());
    text.push_str(&page(cases[..4].to_vec(), Detail::Usual));
    text.push_str(&estimates(&report(cases), None).markdown());
    insta::assert_snapshot!(text);
}

#[test]
fn work_per_time() {
    let amounts: Vec<f64> = (0..60).map(|i| 1e6 * (1.0 + 9.0 * noise(i + 99))).collect();
    let times: Vec<f64> =
        amounts.iter().enumerate().map(|(i, work)| 0.2 + work / 1.5e8 + 0.001 * noise(i)).collect();
    let work = Series::new("copy", Unit::Bytes, amounts).unwrap();
    let time = series("copy", times);
    let subject = analyze_work(&work, time, &EstimateRequest::default());
    let mut text = pages(vec![subject.clone()]);
    text.push_str(&page(vec![subject.clone(), subject.clone()], Detail::Usual));
    let table = estimates(&report(vec![subject]), None);
    let _ = writeln!(text, "{}{}", table.csv(), table.markdown());
    insta::assert_snapshot!(text);
}
