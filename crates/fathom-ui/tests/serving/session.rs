//! Sessions: what was measured, and what becomes of it as options change.

use super::running::Running;
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::{EstimateRequest, Report, Statistic, analyze};
use fathom_record::{Environment, Series, Unit};
use fathom_stats::Confidence;
use fathom_stats::outliers::{Method, OutlierRule};
use fathom_ui::session::SessionOptions;
use fathom_ui::{Opened, OpenedSession, SessionSource};
use serde_json::json;

struct Sort;

impl SessionSource for Sort {
    fn options(&self) -> SessionOptions {
        SessionOptions {
            confidence: Confidence::new(0.95).unwrap(),
            outliers: OutlierPolicy::Flag,
            outlier_method: Method::Simplified,
            steady_state: SteadyStatePolicy::Auto,
            statistic: Statistic::MEDIAN,
        }
    }

    fn report(&self, options: &SessionOptions) -> Result<Report, String> {
        if options.statistic == Statistic::Mean {
            return Err("the mean is not asked for here; choose the median".to_string());
        }
        let values = (0..200).map(|n| 0.0124 + 1e-5 * f64::from(n * n % 37)).collect();
        let series = Series::new("<sort>", Unit::SECONDS, values).map_err(|e| e.to_string())?;
        let request = EstimateRequest {
            statistics: vec![options.statistic],
            confidence: options.confidence,
            outliers: options.outliers,
            outlier_rule: OutlierRule { method: options.outlier_method, ..OutlierRule::default() },
            steady_state: options.steady_state,
            correlogram: true,
            ..EstimateRequest::default()
        };
        Ok(Report {
            command_line: "fathom run sort".to_string(),
            seed: 0,
            environment: Environment::of_this_build(),
            session: None,
            overhead_per_run: None,
            harness: None,
            instructions: None,
            subjects: vec![analyze(series, &request)],
            comparisons: None,
            warnings: Vec::new(),
        })
    }
}

fn running() -> Running {
    let opened = OpenedSession {
        title: "session 7".to_string(),
        words: vec!["7".to_string()],
        source: Box::new(Sort),
    };
    Running::new(Opened::Session(opened))
}

#[test]
fn a_session_is_shown() {
    let overview = running().get("api/overview").json();
    assert_eq!((&overview["kind"], &overview["opens"]), (&json!("session"), &json!("fathom ui 7")));
    assert_eq!(overview["view"]["subjects"][0]["name"], "<sort>");
    assert_eq!(overview["view"]["options"]["confidence"], 0.95);
}

#[test]
fn options_are_switched() {
    let running = running();
    let mut options = running.get("api/overview").json()["view"]["options"].clone();
    options["confidence"] = json!(0.99);
    let view = running.post("api/session", &options).json();
    assert_eq!(view["subjects"][0]["estimates"][0]["confidence"], 0.99);
    options["outlier_method"] = json!("adjusted-boxplot");
    let view = running.post("api/session", &options).json();
    assert_eq!(view["options"]["outlier_method"], "adjusted-boxplot");
    options["outlier_method"] = json!("grubbs");
    let refused = running.post("api/session", &options);
    assert_eq!(refused.status, 400);
    assert!(refused.message().contains("simplified, full, tukey"), "{}", refused.message());
    options["outlier_method"] = json!("full");
    options["statistic"] = json!("mean");
    let refused = running.post("api/session", &options);
    assert_eq!(refused.status, 400);
    assert!(refused.message().contains("choose the median"), "{}", refused.message());
    options["confidence"] = json!(7);
    assert_eq!(running.post("api/session", &options).status, 400);
    assert_eq!(running.get("api/series?run=a&metric=b&columns=1").status, 404);
}
