//! The whole pipeline keeps its promise: cleaning must not spoil what the interval says.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_analyze::{EstimateRequest, Statistic, analyze};
use fathom_record::{Series, Unit};
use fathom_testkit::parallel;
use fathom_testkit::population::generator;
use fathom_testkit::process::Process;

/// Series with defaults all the way: steady state sought, outliers flagged, dependence allowed for.
#[test]
fn defaults_cover_on_independent_and_dependent_samples() {
    let seed = 23;
    let trials = 400;
    let request = EstimateRequest {
        statistics: vec![Statistic::MEDIAN, Statistic::Mean],
        ..EstimateRequest::default()
    };
    let cells = [
        (Process::Autoregressive(0.0), 50),
        (Process::Autoregressive(0.0), 300),
        (Process::Autoregressive(0.5), 200),
        (Process::Autoregressive(0.8), 400),
        (Process::TwoStates { dwell: 5.0 }, 400),
    ];
    let results = parallel::map(cells.len(), |cell| {
        let (process, n) = cells[cell];
        let mut rng = generator(seed, cell as u64);
        let mut values = vec![0.0; n];
        let mut printed = [0.0; 2];
        let mut covered = [0.0; 2];
        for _ in 0..trials {
            process.fill(&mut values, &mut rng);
            let series = Series::new("x", Unit::SECONDS, values.clone()).unwrap();
            let subject = analyze(series, &request);
            for (place, truth) in [process.median(), process.mean()].into_iter().enumerate() {
                if let Some(interval) = subject.estimates[place].interval() {
                    printed[place] += 1.0;
                    covered[place] += f64::from(u8::from(interval.contains(truth)));
                }
            }
        }
        (printed, covered)
    });
    for ((process, n), (printed, covered)) in cells.iter().zip(results) {
        for (place, name) in ["median", "mean"].iter().enumerate() {
            let share: f64 = covered[place] / printed[place];
            let error = (0.95_f64 * 0.05 / printed[place]).sqrt();
            println!("seed {seed}, {process:?}, n {n}, {name}: {share:.3} of {}", printed[place]);
            assert!(printed[place] > 0.3 * f64::from(trials), "{process:?} {n} {name}");
            assert!(share > 0.935 - 3.0 * error, "{process:?} {n} {name}: {share}");
        }
    }
}
