//! A generated session for tests: two programs, the second slower.

use super::example_traces::HOSTILE;
use crate::session::{SessionOptions, SessionView, view};
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::compare::{Margin, compare_unpaired};
use fathom_analyze::{EstimateRequest, Report, Statistic, Subject, analyze};
use fathom_record::{Environment, Series, Unit};
use fathom_stats::Confidence;
use fathom_stats::outliers::Method;

/// As it is looked at, with this many samples of each.
pub(super) fn session(samples: usize) -> SessionView {
    let [old, new] = [(HOSTILE, 0.012), ("new", 0.0126)].map(|(name, level)| {
        let series = Series::new(name, Unit::SECONDS, times(samples, level)).unwrap();
        analyze(series, &EstimateRequest::default())
    });
    let comparison =
        compare_unpaired(&old, &new, &EstimateRequest::default(), Margin::DEFAULT, &[]).unwrap();
    let report = Report {
        command_line: format!("fathom compare '{HOSTILE}' new"),
        seed: 1,
        environment: Environment::of_this_build(),
        session: Some(12),
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects: Vec::<Subject>::from([old, new]),
        comparisons: Some(vec![comparison]),
        warnings: vec!["the machine is <busy>; close other programs".to_string().into()],
    };
    view(
        &report,
        &SessionOptions {
            confidence: Confidence::DEFAULT,
            outliers: OutlierPolicy::Flag,
            outlier_method: Method::Simplified,
            steady_state: SteadyStatePolicy::Auto,
            statistic: Statistic::MEDIAN,
        },
    )
}

/// Noise around a level, a slow beginning, a spike now and then.
fn times(samples: usize, level: f64) -> Vec<f64> {
    let noise = |n: usize| (n * 7919 % 1009) as f64 / 1009.0 + (n * 104_729 % 997) as f64 / 997.0;
    let spike = |n: usize| if n % 97 == 96 { 0.5 } else { 0.0 };
    let slow = |n: usize| if n < samples / 10 { 0.1 } else { 0.0 };
    (0..samples).map(|n| level * (1.0 + 0.01 * noise(n) + spike(n) + slow(n))).collect()
}
