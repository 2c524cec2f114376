//! Sessions with known truth, made from seeds, for tests.

use super::SessionOptions;
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::compare::{Comparison, Course, Gate, Margin, Pairing};
use fathom_analyze::{EstimateRequest, Report, Statistic, Subject, analyze};
use fathom_record::{Environment, Series, Unit};
use fathom_stats::Confidence;
use fathom_stats::distribution::normal;
use fathom_stats::outliers::{Method, OutlierRule};
use fathom_stats::paired::Block;

/// As a session is analysed unless one says otherwise.
pub(super) const USUAL: SessionOptions = SessionOptions {
    confidence: Confidence::DEFAULT,
    outliers: OutlierPolicy::Flag,
    outlier_method: Method::Simplified,
    steady_state: SteadyStatePolicy::Auto,
    statistic: Statistic::MEDIAN,
};

/// Normal numbers, the same for every run of a test.
pub(super) struct Noise(u64);

impl Noise {
    pub(super) fn from(seed: u64) -> Noise {
        Noise(seed)
    }

    /// Steele and Vigna's SplitMix64, between 0 and 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    pub(super) fn normal(&mut self) -> f64 {
        normal::quantile(self.uniform())
    }
}

pub(super) fn subject(name: &str, values: Vec<f64>, options: &SessionOptions) -> Subject {
    let series = Series::new(name, Unit::SECONDS, values).unwrap();
    let request = EstimateRequest {
        statistics: vec![options.statistic],
        confidence: options.confidence,
        steady_state: options.steady_state,
        outliers: options.outliers,
        outlier_rule: OutlierRule { method: options.outlier_method, ..OutlierRule::default() },
        correlogram: true,
        ..EstimateRequest::default()
    };
    analyze(series, &request)
}

pub(super) fn report(subjects: Vec<Subject>, comparisons: Option<Vec<Comparison>>) -> Report {
    Report {
        command_line: "fathom compare './sort --old' './sort --new'".to_string(),
        seed: 7,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects,
        comparisons,
        warnings: vec!["the governor is powersave; set it to performance".to_string().into()],
    }
}

/// Two commands side by side, the new one slower by the share `more`; blocks 4 to 9 ran under load.
pub(super) fn compared(more: f64, options: &SessionOptions) -> Report {
    let mut noise = Noise::from(2026);
    let mut course = Course::new(
        1,
        60,
        Confidence::DEFAULT,
        Margin::DEFAULT,
        vec![Gate::NotSlower(Margin::DEFAULT)],
        0.0,
    );
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for block in 0..60 {
        let load = if (4..10).contains(&block) { 1.7 } else { 1.0 };
        let drift = 1.0 + 0.0001 * f64::from(block);
        let mut run = |factor: f64| 0.0124 * factor * load * drift * (0.02 * noise.normal()).exp();
        let (first, second) = ([run(1.0), run(1.0)], [run(1.0 + more), run(1.0 + more)]);
        old.extend(first);
        new.extend(second);
        if course.take(&[(0, Block::of(second, first).unwrap())]) {
            break;
        }
    }
    course.end();
    let names = ["./sort --old", "./sort --new"];
    let comparison = Comparison::of(&course, 0, names, Pairing::Runs, 0.05).unwrap();
    let subjects = [(names[0], old), (names[1], new)];
    let subjects = subjects.map(|(name, values)| subject(name, values, options));
    report(subjects.to_vec(), Some(vec![comparison]))
}

/// One command with 80 slow runs at first and six that are far off; neighbours are a little alike.
pub(super) fn alone(options: &SessionOptions) -> Report {
    let mut noise = Noise::from(1978);
    let mut level = 0.0;
    let values = (0..600).map(|place| {
        level = 0.4 * level + noise.normal();
        let warm_up = if place < 80 { 1.35 } else { 1.0 };
        let far =
            if place > 100 && place % 90 == 17 { 1.2 + 0.003 * f64::from(place) } else { 1.0 };
        0.0831 * warm_up * far * (0.01 * level).exp()
    });
    let mut report = report(vec![subject("./render scene", values.collect(), options)], None);
    report.command_line = "fathom run './render scene'".to_string();
    report
}
