//! A check that is served.

use crate::running::Running;
use fathom_property::decide::{
    ErrorSharing, ExecutionOutcome, Method, ProportionQuestion, VacuousRule, decide_fixed,
};
use fathom_property::{
    AbnormalExecutions, CheckReport, CheckStopReason, JointReport, PropertyAnswer,
};
use fathom_record::Environment;
use fathom_stats::{Confidence, Probability};
use fathom_ui::Opened;
use fathom_ui::check::OpenedCheck;
use serde_json::json;

fn running() -> Running {
    let question = ProportionQuestion {
        probability: Probability::new(0.9).unwrap(),
        confidence: Confidence::new(0.9).unwrap(),
        method: Method::Exact,
    };
    let outcomes = std::iter::repeat_n(ExecutionOutcome::True, 30);
    let summary = decide_fixed(outcomes, question, VacuousRule::True).unwrap();
    let first = CheckReport {
        name: Some("<quick>".to_string()),
        group: None,
        sharing: None,
        command_line: "fathom check 'x < 1' -- sim".to_string(),
        seed: 1,
        environment: Environment::of_this_build(),
        session: Some(7),
        probability: question.probability,
        confidence: question.confidence,
        answer: PropertyAnswer::Verdict { property: "x < 1".to_string(), summary },
        tuple: Vec::new(),
        judged: Vec::new(),
        leaves_failed_out: false,
        of_all: None,
        asks_precision: false,
        unused: 0,
        stopped: CheckStopReason::Fixed,
        plan: None,
        conditions: Vec::new(),
        caveats: Vec::new(),
        warnings: Vec::new(),
    };
    Running::new(Opened::Check(Box::new(OpenedCheck {
        title: "session 7".to_string(),
        words: vec!["7".to_string()],
        report: JointReport {
            sharing: ErrorSharing::Shared,
            first,
            others: Vec::new(),
            abnormal: AbnormalExecutions::default(),
            recorded: None,
            study: None,
        },
        details: Vec::new(),
        again: Vec::new(),
        notes: Vec::new(),
    })))
}

#[test]
fn a_check_is_shown_and_nothing_else_is_answered() {
    let running = running();
    let overview = running.get("api/overview").json();
    assert_eq!((&overview["kind"], &overview["opens"]), (&json!("check"), &json!("fathom ui 7")));
    assert_eq!(overview["view"]["questions"][0]["title"], "<quick>");
    assert_eq!(overview["view"]["verdict"]["tone"], "better");
    for other in ["api/session", "api/series?run=a&metric=b&columns=1", "api/labels", "figures"] {
        assert_eq!(running.get(other).status, 404, "{other}");
    }
}
