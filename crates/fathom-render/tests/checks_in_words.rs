//! What pages of checks say, case by case: every verdict, what explains it, what to do next.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_property::decide::{
    CheckSummary, CheckVerdict, Counts, Method, ProportionQuestion, VacuousRule,
};
use fathom_property::{
    Bounds, Caveat, CaveatKind, CheckExpectation, CheckReport, CheckStopReason, ConditionCount,
    JointReport, Judged, JudgedAs, PropertyAnswer, Truth, ValueAnswer, ValueMethod, ValueQuestion,
};
use fathom_record::{Environment, Unit};
use fathom_render::layout::plain;
use fathom_render::{Detail, check};
use fathom_stats::dependence::Alike;
use fathom_stats::proportion::{Claim, LogEvidence, Rule, SampleSizePlan};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Interval, Probability};
use std::fmt::Write;
use std::sync::Arc;

fn share(share: f64) -> Probability {
    Probability::new(share).unwrap()
}

fn between(lower: f64, upper: f64) -> Interval {
    Interval { lower, upper }
}

fn question(method: Method) -> ProportionQuestion {
    ProportionQuestion { probability: share(0.9), confidence: Confidence::DEFAULT, method }
}

fn plan() -> SampleSizePlan {
    let claim = Claim { proportion: share(0.9), confidence: Confidence::DEFAULT };
    SampleSizePlan::new(Rule::exact(claim, 50), 50)
}

fn summary(verdict: CheckVerdict) -> CheckSummary {
    CheckSummary {
        question: question(Method::Anytime),
        verdict,
        decided_at: (verdict != CheckVerdict::Inconclusive).then_some(40),
        counts: Counts { satisfied: 36, violated: 4, ..Counts::default() },
        ignored: 0,
        estimate: Some(between(0.9, 0.9)),
        interval: between(0.7512, 0.9718),
        bounds: between(0.7641, 0.9671),
        error_bound: 0.05,
        evidence: LogEvidence { above: 0.1, below: 0.2 },
        further_samples: None,
        dependence: None,
    }
}

fn judged(run: u64, result: JudgedAs) -> Judged {
    Judged {
        runs: [run].into(),
        seeds: [run as u32 + 100].into(),
        source: None,
        is_cut: false,
        result,
    }
}

fn by(truth: Truth, robustness: f64) -> JudgedAs {
    JudgedAs::Property {
        truth,
        robustness: Bounds::exactly(robustness),
        decided_by: Some(Arc::new(("ms".to_string(), "latency < 5 ms".to_string()))),
        at: None,
    }
}

fn report(answer: PropertyAnswer, judged: Vec<Judged>) -> CheckReport {
    CheckReport {
        name: None,
        group: None,
        sharing: None,
        command_line: "fathom check".to_string(),
        seed: 1,
        environment: Environment::of_this_build(),
        session: Some(8),
        probability: share(0.9),
        confidence: Confidence::DEFAULT,
        answer,
        tuple: Vec::new(),
        judged,
        leaves_failed_out: false,
        of_all: None,
        asks_precision: false,
        unused: 0,
        stopped: CheckStopReason::Answered,
        plan: None,
        conditions: Vec::new(),
        caveats: Vec::new(),
        warnings: Vec::new(),
    }
}

fn of(summary: CheckSummary) -> PropertyAnswer {
    PropertyAnswer::Verdict { property: "latency < 5 ms".to_string(), summary }
}

fn property(summary: CheckSummary) -> CheckReport {
    let executions = (1..=40)
        .map(|run| {
            let margin = 0.25 * run as f64 - 1.1;
            judged(run, by(if margin > 0.0 { Truth::True } else { Truth::False }, margin))
        })
        .collect();
    report(of(summary), executions)
}

fn page(report: &CheckReport, detail: Detail) -> String {
    let again = |judged: &Judged| vec![format!("sim --seed {}", judged.seeds[0])];
    plain(&check::render_one(report, detail, None, 100, &again))
}

/// The pages under their names.
fn pages(cases: &[(&str, CheckReport)]) -> String {
    let mut text = String::new();
    for (name, report) in cases {
        let _ = writeln!(text, "==== {name}\n{}", page(report, Detail::Usual));
    }
    text
}

const VERDICTS: [CheckVerdict; 3] = CheckVerdict::ALL;

#[test]
fn verdicts_by_every_method() {
    let mut text = String::new();
    let methods =
        [Method::Anytime, Method::Exact, Method::Spa, Method::Wald { indifference: 0.02 }];
    for verdict in VERDICTS {
        for method in methods {
            let summary = CheckSummary { question: question(method), ..summary(verdict) };
            let _ = writeln!(text, "==== {} by {}", verdict.name(), method.name());
            text.push_str(&page(&property(summary), Detail::Usual));
        }
        let _ = writeln!(text, "==== {}, short", verdict.name());
        text.push_str(&page(&property(summary(verdict)), Detail::Answer));
    }
    let no_picture = CheckReport { judged: Vec::new(), ..property(summary(CheckVerdict::True)) };
    text.push_str(&page(&no_picture, Detail::Everything));
    let everything = CheckReport {
        judged: property(summary(CheckVerdict::True)).judged[..6].to_vec(),
        ..no_picture
    };
    text.push_str(&page(&everything, Detail::Everything));
    insta::assert_snapshot!(text);
}

#[test]
fn outcomes_that_are_neither_true_nor_false() {
    let counted = |verdict, counts: Counts| property(CheckSummary { counts, ..summary(verdict) });
    let mut cases = Vec::new();
    for rule in [VacuousRule::True, VacuousRule::False, VacuousRule::Skip] {
        let counts = Counts { satisfied: 30, vacuous: 5, vacuous_rule: rule, ..Counts::default() };
        cases.push(("vacuous", counted(CheckVerdict::True, counts)));
    }
    let never = Counts { vacuous: 40, ..Counts::default() };
    cases.push(("never tested", counted(CheckVerdict::True, never)));
    let once = Counts { vacuous: 39, satisfied: 1, ..Counts::default() };
    cases.push(("tested once", counted(CheckVerdict::True, once)));
    let unknown = |n| Counts { satisfied: 30, unknown: n, ..Counts::default() };
    cases.push(("undecided", counted(CheckVerdict::Inconclusive, unknown(1))));
    let failing = |n, is_skipped: bool| {
        let counts = match is_skipped {
            true => Counts { satisfied: 30, skipped: n, ..Counts::default() },
            false => Counts { satisfied: 30, failed: n, ..Counts::default() },
        };
        let mut report = counted(CheckVerdict::False, counts);
        report.judged = (1..=n as u64)
            .map(|run| judged(run, JudgedAs::Failed("exited with 3".to_string())))
            .collect();
        report.leaves_failed_out = is_skipped;
        report
    };
    for n in [1, 2] {
        cases.push(("failed", failing(n, false)));
        cases.push(("failed, left out", failing(n, true)));
    }
    let of_all = |verdict| CheckReport {
        of_all: Some(of(summary(verdict))),
        ..counted(CheckVerdict::True, Counts { satisfied: 30, skipped: 2, ..Counts::default() })
    };
    cases.push(("all alike", of_all(CheckVerdict::True)));
    cases.push(("all unclear", of_all(CheckVerdict::Inconclusive)));
    for cut in [1, 2] {
        let mut report = property(summary(CheckVerdict::True));
        report.judged.iter_mut().take(cut).for_each(|judged| {
            judged.is_cut = true;
            judged.result = JudgedAs::Property {
                truth: Truth::Unknown,
                robustness: Bounds::UNKNOWN,
                decided_by: None,
                at: None,
            };
        });
        cases.push(("cut", report));
    }
    for unused in [1, 2] {
        cases.push(("unused", CheckReport { unused, ..property(summary(CheckVerdict::True)) }));
    }
    let held = |held_in, of| ConditionCount { condition: "busy".to_string(), held_in, of };
    let conditions = vec![held(0, 1), held(3, 40), held(40, 40)];
    cases.push(("conditions", CheckReport { conditions, ..property(summary(CheckVerdict::True)) }));
    let none = CheckSummary {
        estimate: None,
        counts: Counts::default(),
        ..summary(CheckVerdict::Inconclusive)
    };
    cases.push(("nothing", CheckReport { judged: Vec::new(), ..property(none) }));
    insta::assert_snapshot!(pages(&cases));
}

#[test]
fn an_open_question_says_what_would_settle_it() {
    let open =
        |further_samples| CheckSummary { further_samples, ..summary(CheckVerdict::Inconclusive) };
    let planned = |stopped, method, summary: CheckSummary| CheckReport {
        plan: Some(plan()),
        stopped,
        ..property(CheckSummary { question: question(method), ..summary })
    };
    let mut cases = Vec::new();
    for stopped in CheckStopReason::ALL {
        cases.push(("anytime", planned(stopped, Method::Anytime, open(Some(1234)))));
    }
    cases.push(("exact", planned(CheckStopReason::MaxRuns, Method::Exact, open(Some(87)))));
    let unsaved = CheckReport {
        session: None,
        ..planned(CheckStopReason::MaxRuns, Method::Anytime, open(Some(1)))
    };
    cases.push(("not saved", unsaved));
    cases.push(("no plan", property(open(Some(100)))));
    let skipping = CheckSummary {
        counts: Counts { satisfied: 18, violated: 2, skipped: 20, ..Counts::default() },
        ..open(Some(10))
    };
    cases.push(("half do not count", planned(CheckStopReason::MaxRuns, Method::Anytime, skipping)));
    let near = CheckSummary { interval: between(0.885, 0.915), ..open(None) };
    cases.push(("close", property(near)));
    let few = |lower, upper| CheckSummary { estimate: Some(between(lower, upper)), ..open(None) };
    cases.push(("far below", property(few(0.5, 0.6))));
    cases.push(("far above", property(few(0.95, 1.0))));
    cases.push(("just there", property(few(0.9, 0.9))));
    let undecided = |lower, upper| CheckSummary {
        counts: Counts { satisfied: 30, unknown: 5, ..Counts::default() },
        ..few(lower, upper)
    };
    cases.push(("undecided", property(undecided(0.85, 0.95))));
    cases.push(("undecided, below", property(undecided(0.7, 0.8))));
    let identical = vec![Caveat::new(CaveatKind::Identical, "all executions are the same")];
    cases.push(("one execution", CheckReport { caveats: identical, ..property(open(Some(100))) }));
    insta::assert_snapshot!(pages(&cases));
}

#[test]
fn the_worst_execution_is_named() {
    let said = |verdict, judged: Vec<Judged>| CheckReport { judged, ..property(summary(verdict)) };
    let part = |truth, robustness: Bounds, unit: &str, part: &str, at| JudgedAs::Property {
        truth,
        robustness,
        decided_by: Some(Arc::new((unit.to_string(), part.to_string()))),
        at,
    };
    let whole = "latency < 5 ms";
    let at: Option<Box<(f64, Arc<str>)>> = Some(Box::new((2.5, "s".into())));
    let half = Bounds { low: -3.0, high: -1.0 };
    let from = |source: &str, result| Judged { source: Some(source.into()), ..judged(1, result) };
    let pair =
        Judged { runs: [3, 4].into(), seeds: [7, 8].into(), ..judged(3, by(Truth::False, -1.5)) };
    let cases = [
        (
            "two misses",
            said(
                CheckVerdict::False,
                vec![judged(1, by(Truth::False, -1.0)), judged(2, by(Truth::False, -2.0))],
            ),
        ),
        (
            "of a part, at a time",
            said(
                CheckVerdict::False,
                vec![judged(
                    1,
                    part(Truth::False, Bounds::exactly(-1.0), "W", "power < 3", at.clone()),
                )],
            ),
        ),
        (
            "at least",
            said(CheckVerdict::False, vec![judged(1, part(Truth::False, half, "", whole, None))]),
        ),
        (
            "unknown margin",
            said(
                CheckVerdict::False,
                vec![judged(1, part(Truth::False, Bounds::UNKNOWN, "", whole, None))],
            ),
        ),
        (
            "infinite margin",
            said(CheckVerdict::False, vec![judged(1, by(Truth::False, f64::NEG_INFINITY))]),
        ),
        (
            "failed",
            said(
                CheckVerdict::False,
                vec![judged(9, JudgedAs::Failed("exited with 3".to_string()))],
            ),
        ),
        ("nothing false", said(CheckVerdict::False, vec![judged(1, by(Truth::True, 1.0))])),
        ("a file", said(CheckVerdict::False, vec![from("a.json", by(Truth::False, -2.0))])),
        (
            "a pair",
            CheckReport {
                tuple: vec!["a".to_string(), "b".to_string()],
                ..said(CheckVerdict::False, vec![pair])
            },
        ),
        (
            "closest",
            said(
                CheckVerdict::True,
                vec![
                    judged(1, by(Truth::True, 1.0)),
                    judged(
                        2,
                        part(Truth::True, Bounds::exactly(0.5), "ms", "load < 1", at.clone()),
                    ),
                ],
            ),
        ),
        (
            "a miss is worse",
            said(
                CheckVerdict::True,
                vec![judged(1, by(Truth::True, 1.0)), judged(2, by(Truth::False, -0.25))],
            ),
        ),
        (
            "equally near",
            said(
                CheckVerdict::True,
                vec![judged(1, by(Truth::True, 0.0)), judged(2, by(Truth::False, 0.0))],
            ),
        ),
        (
            "two units",
            said(
                CheckVerdict::True,
                vec![
                    judged(1, by(Truth::True, 1.0)),
                    judged(2, part(Truth::True, Bounds::exactly(0.5), "W", whole, None)),
                ],
            ),
        ),
        ("vacuous", said(CheckVerdict::True, vec![judged(1, by(Truth::Vacuous, 1.0))])),
    ];
    let mut text = pages(&cases);
    let all = [
        judged(1, by(Truth::True, 1.25)),
        judged(2, by(Truth::Unknown, f64::INFINITY)),
        judged(3, JudgedAs::Value(Bounds::exactly(7.5))),
        judged(4, JudgedAs::Value(Bounds::UNKNOWN)),
        Judged { is_cut: true, ..judged(5, JudgedAs::Failed("was killed".to_string())) },
        from("a.json", part(Truth::Vacuous, Bounds::exactly(1.0), "", whole, at)),
    ];
    let everything = said(CheckVerdict::True, all.to_vec());
    text.push_str(&page(&everything, Detail::Everything));
    let table = check::table(&JointReport::alone(everything), None);
    let _ = writeln!(text, "====\n{}{}", table.csv(), table.markdown());
    insta::assert_snapshot!(text);
}

#[test]
fn executions_that_depend_on_each_other() {
    let alike = Alike { lag1: 0.634, effective: 12.4, independent: 10, samples: 40 };
    let mut cases = Vec::new();
    for verdict in VERDICTS {
        let dependent = CheckSummary { dependence: Some(alike), ..summary(verdict) };
        cases.push(("dependent", property(dependent.clone())));
        let mut given = property(dependent);
        given.judged.iter_mut().for_each(|judged| judged.source = Some("a.json".into()));
        cases.push(("dependent, from files", given));
        // Too few to see whether they are.
        let few = CheckSummary {
            counts: Counts { satisfied: 5, ..Counts::default() },
            ..summary(verdict)
        };
        let mut few = property(few);
        few.judged.truncate(5);
        cases.push(("few", few.clone()));
        few.judged.iter_mut().for_each(|judged| judged.source = Some("a.json".into()));
        cases.push(("few, from files", few));
    }
    // From twenty on, there are enough to see.
    for satisfied in [19, 20] {
        let counts = Counts { satisfied, ..Counts::default() };
        let mut given = property(CheckSummary { counts, ..summary(CheckVerdict::True) });
        given.judged.truncate(1);
        given.judged[0].source = Some("a.json".into());
        cases.push(("nearly enough", given));
    }
    let caveats = vec![Caveat::new(CaveatKind::Alike, "they are alike")];
    let warnings = vec!["the clock jumped".to_string()];
    cases.push((
        "caveats",
        CheckReport { caveats, warnings, ..property(summary(CheckVerdict::True)) },
    ));
    let mut text = pages(&cases);
    text.push_str(&page(&cases.last().unwrap().1, Detail::Answer));
    insta::assert_snapshot!(text);
}

fn asked(direction: Direction, method: ValueMethod) -> ValueQuestion {
    ValueQuestion { probability: share(0.9), confidence: Confidence::DEFAULT, direction, method }
}

fn value() -> ValueAnswer {
    ValueAnswer {
        value: Some(4.25),
        estimate: Some(between(4.25, 4.25)),
        interval: between(4.0, 4.6),
        coverage: 0.95437,
        samples: 40,
        unknown: 0,
        dependence: None,
    }
}

fn valued(question: ValueQuestion, value: ValueAnswer) -> CheckReport {
    let executions = (1..=value.samples as u64)
        .map(|run| judged(run, JudgedAs::Value(Bounds::exactly(3.0 + 0.05 * run as f64))))
        .collect();
    let answer = PropertyAnswer::Value {
        expression: "latency".to_string(),
        unit: Unit::parse("ms"),
        question,
        value,
    };
    report(answer, executions)
}

#[test]
fn values_in_words() {
    let exact = asked(Direction::AtMost, ValueMethod::Exact);
    let mut cases = Vec::new();
    for direction in [Direction::Below, Direction::AtMost, Direction::Above, Direction::AtLeast] {
        cases.push(("a value", valued(asked(direction, ValueMethod::Exact), value())));
    }
    for method in ValueMethod::ALL {
        cases.push((method.name(), valued(asked(Direction::AtMost, method), value())));
        let few = ValueAnswer { interval: between(4.0, f64::INFINITY), samples: 12, ..value() };
        cases.push(("one end", valued(asked(Direction::AtMost, method), few)));
    }
    let none = ValueAnswer { interval: Interval::EVERYTHING, samples: 3, ..value() };
    cases.push(("no interval", valued(exact, none)));
    let alike = Alike { lag1: 0.5, effective: 12.0, independent: 10, samples: 40 };
    let dependent = ValueAnswer { dependence: Some(alike), ..value() };
    cases.push(("dependent", valued(exact, dependent)));
    cases.push((
        "dependent, no interval",
        valued(exact, ValueAnswer { interval: Interval::EVERYTHING, ..dependent }),
    ));
    for unknown in [1, 2] {
        cases.push(("unknown values", valued(exact, ValueAnswer { unknown, ..value() })));
    }
    let depends = |lower, upper| ValueAnswer {
        value: None,
        estimate: Some(between(lower, upper)),
        unknown: 9,
        ..value()
    };
    let (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
    cases.push(("a range", valued(exact, depends(3.0, 5.0))));
    cases.push(("from below", valued(exact, depends(3.0, most))));
    cases.push(("from above", valued(exact, depends(least, 5.0))));
    cases.push(("anything", valued(exact, depends(least, most))));
    cases.push(("no value holds", valued(exact, depends(most, most))));
    let open = ValueAnswer { interval: Interval::EVERYTHING, ..depends(most, most) };
    cases.push(("no value holds, no interval", valued(exact, open)));
    cases.push(("no data", valued(exact, ValueAnswer { unknown: 40, ..depends(least, most) })));
    cases.push((
        "no estimate",
        valued(exact, ValueAnswer { estimate: None, ..depends(least, most) }),
    ));
    insta::assert_snapshot!(pages(&cases));
}

#[test]
fn values_and_what_became_of_executions() {
    let exact = asked(Direction::AtMost, ValueMethod::Exact);
    let few = ValueAnswer { interval: between(4.0, f64::INFINITY), samples: 12, ..value() };
    let mut cases = Vec::new();
    for stopped in CheckStopReason::ALL {
        for asks_precision in [false, true] {
            let report = CheckReport {
                stopped,
                asks_precision,
                ..valued(asked(Direction::AtMost, ValueMethod::Anytime), few)
            };
            cases.push((stopped.name(), report));
        }
    }
    let other = |interval| {
        let PropertyAnswer::Value { expression, unit, question, value } =
            valued(exact, value()).answer
        else {
            panic!()
        };
        Some(PropertyAnswer::Value {
            expression,
            unit,
            question,
            value: ValueAnswer { interval, ..value },
        })
    };
    for interval in [between(4.0, 5.5), Interval::EVERYTHING] {
        let report = CheckReport {
            of_all: other(interval),
            leaves_failed_out: true,
            ..valued(exact, value())
        };
        cases.push(("of all", report));
    }
    for (n, leaves_failed_out) in [(1, false), (2, false), (2, true)] {
        let mut report = CheckReport { leaves_failed_out, ..valued(exact, few) };
        for judged in report.judged.iter_mut().take(n) {
            judged.result = JudgedAs::Failed("exited with 3".to_string());
        }
        for judged in report.judged.iter_mut().skip(n).take(n) {
            judged.is_cut = true;
        }
        for judged in report.judged.iter_mut().skip(4).take(n) {
            judged.result = JudgedAs::Value(Bounds::UNKNOWN);
        }
        cases.push(("failed, cut, unknown", report));
    }
    let identical = vec![Caveat::new(CaveatKind::Identical, "all executions are the same")];
    cases.push(("one execution", CheckReport { caveats: identical, ..valued(exact, few) }));
    let mut given = valued(exact, few);
    given.judged.iter_mut().for_each(|judged| judged.source = Some("a.json".into()));
    cases.push(("from files", given));
    let tuple = ["a", "b", "c"].map(String::from).to_vec();
    cases.push(("tuples", CheckReport { tuple, ..valued(exact, value()) }));
    let mut text = pages(&cases);
    let table = check::table(&JointReport::alone(cases[0].1.clone()), None);
    let _ = writeln!(text, "====\n{}{}", table.csv(), table.markdown());
    insta::assert_snapshot!(text);
}

#[test]
fn what_to_expect_beforehand() {
    let claim = Claim { proportion: share(0.9), confidence: Confidence::DEFAULT };
    let mut text = String::new();
    let mut say = |expected: &CheckExpectation| {
        for line in check::expectation(expected) {
            let _ = writeln!(text, "{line}");
        }
    };
    say(&CheckExpectation::Property {
        question: question(Method::Anytime),
        plan: SampleSizePlan::new(Rule::anytime(claim), 300),
        budget: 300,
    });
    say(&CheckExpectation::Property {
        question: question(Method::Anytime),
        plan: SampleSizePlan::new(Rule::anytime(claim), 20),
        budget: 20,
    });
    say(&CheckExpectation::Property {
        question: question(Method::Exact),
        plan: plan(),
        budget: 50,
    });
    for is_fixed in [false, true] {
        for method in ValueMethod::ALL {
            let question = asked(Direction::AtMost, method);
            say(&CheckExpectation::Estimate { question, budget: 1000, is_fixed });
        }
    }
    insta::assert_snapshot!(text);
}
