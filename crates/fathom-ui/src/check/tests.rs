//! What is drawn of checks.

use super::made_checks::{by_margin, details, estimate, failed, forty, opened, property, study};
use super::{CheckView, Fineness};
use crate::figure::{DrawnShape, Figure};
use fathom_property::{JudgedAs, QuestionDetails};

fn view(reports: Vec<fathom_property::CheckReport>, details: Vec<QuestionDetails>) -> CheckView {
    opened(reports, details).view(Fineness::FULL)
}

fn figure<'a>(view: &'a CheckView, name: &str) -> &'a Figure {
    view.figures().find(|(id, _)| id == name).map(|(_, figure)| figure).unwrap_or_else(|| {
        let names: Vec<String> = view.figures().map(|(id, _)| id).collect();
        panic!("{name}: {names:?}")
    })
}

/// How many signs of a class there are in a figure.
fn signs(figure: &Figure, wanted: &str) -> usize {
    let of = |shape: &DrawnShape| match shape {
        DrawnShape::Path { class, d } if *class == wanted => d.matches('M').count(),
        _ => 0,
    };
    figure.wide.shapes.iter().map(of).sum()
}

#[test]
fn margins_mark_what_is_special() {
    let view = view(vec![property(None, forty())], vec![details()]);
    let margins = figure(&view, "margins");
    assert_eq!(margins.wide.marks.len(), 40);
    assert_eq!(margins.readings.len(), 40);
    assert_eq!(margins.table.rows.len(), 40);
    // One of each is in the legend.
    assert_eq!(signs(margins, "failed"), 2);
    assert_eq!(signs(margins, "cut"), 2);
    assert!(signs(margins, "false") > 2);
    assert!(margins.says.contains("1 failed, 1 cut short"), "{}", margins.says);
    assert!(margins.table.rows[8][2].contains("failed: exited with <status> 3"));
}

#[test]
fn the_confidence_of_other_thresholds_turns_where_the_verdict_does() {
    let view = view(vec![property(None, forty())], vec![details()]);
    let curve = figure(&view, "thresholds");
    assert!(curve.says.contains("The question is about 1.000 s"), "{}", curve.says);
    assert_eq!(signs(curve, "band"), 2);
    let none = opened(vec![property(None, forty())], vec![QuestionDetails::default()]);
    assert!(none.view(Fineness::FULL).figures().all(|(id, _)| id != "thresholds"));
}

#[test]
fn the_worst_execution_shows_its_violation() {
    let view = view(vec![property(None, forty())], vec![details()]);
    let signals = figure(&view, "signals-1");
    assert_eq!(signs(signals, "violated"), 2);
    assert!(signals.says.contains("violated 2.000 s to 3.000 s"), "{}", signals.says);
    assert_eq!(signals.wide.marks.len(), signals.readings.len());
}

#[test]
fn methods_stand_side_by_side() {
    let values: Vec<f64> = (0..60).map(|at| 1.0 + f64::from(at * 37 % 60) / 100.0).collect();
    let view = view(vec![estimate(&values), property(None, forty())], Vec::new());
    let names = |figure: &Figure| -> Vec<String> {
        figure.table.rows.iter().map(|row| row[0].clone()).collect()
    };
    assert_eq!(names(figure(&view, "1-methods")), ["exact", "anytime", "spa", "bca"]);
    assert_eq!(names(figure(&view, "2-methods")), ["anytime", "exact", "spa"]);
    let used = figure(&view, "2-methods");
    assert!(used.says.ends_with("the answer uses exact."), "{}", used.says);
}

#[test]
fn a_study_is_a_map_for_each_question() {
    let view = study().view(Fineness::FULL);
    let [fast, tail, _] = &view.grid[..] else { panic!() };
    assert_eq!(signs(fast, "heat holds") - 1, 3);
    assert_eq!(signs(fast, "heat broken") - 1, 1);
    assert_eq!(fast.says, "fast in 4 cells: 3 true, 1 false, 0 inconclusive.");
    assert_eq!((signs(tail, "heat one"), signs(tail, "heat five")), (2, 2));
    assert_eq!(tail.table.rows.len(), 4);
}

#[test]
fn configurations_compared_show_the_mean_and_each_cell() {
    let view = study().view(Fineness::FULL);
    let compared = figure(&view, "comparison-1");
    assert_eq!(
        compared.says,
        "tail at l2=1MB relative to 512kB: 0.9800x as the geometric mean of 2 cells (0.9000 to 1.1000)."
    );
    assert_eq!(compared.readings[0], "geometric mean: 0.9800x (0.9000 to 1.1000)");
    assert_eq!(compared.readings[1], "ferret: 1.2000x (1.0800 to 1.3000)");
    assert_eq!(compared.readings[2], "canneal: 0.8000x (at least 0.7200)");
    // An end that is open is an arrow.
    assert_eq!(signs(compared, "solid"), 1);
    let sentence = "tail at l2=1MB relative to 512kB: 0.9800x, geometric mean over benchmark";
    assert!(view.notes[0].starts_with(sentence), "{:?}", view.notes);
    assert!(view.verdict.sentence.starts_with("3 of 4 promises hold"), "{:?}", view.verdict);
}

#[test]
fn every_case_is_drawn_without_a_number_that_is_none() {
    let infinite =
        |run| by_margin(run, if run % 2 == 0 { f64::INFINITY } else { f64::NEG_INFINITY });
    let cases = vec![
        vec![failed(1)],
        vec![by_margin(1, 0.0)],
        (1..=3).map(infinite).collect(),
        (1..=4).map(|run| by_margin(run, 1e308 * (run as f64 - 2.5))).collect(),
        (1..=30).map(|run| by_margin(run, 1e-320)).collect(),
    ];
    for judged in cases {
        let view = view(vec![property(None, judged)], vec![details()]);
        for (name, figure) in view.figures() {
            let text = figure.svg();
            for none in ["NaN", "inf"] {
                assert!(!text.replace("infinity", "").contains(none), "{name}: {text}");
            }
            assert!(!serde_json::to_string(figure).unwrap().contains("null,\"y\""), "{name}");
        }
    }
}

#[test]
fn names_from_elsewhere_are_text_in_every_file() {
    let mut judged = forty();
    judged[0].result = JudgedAs::Failed("</text><script>alert(1)</script>".to_string());
    let view = view(vec![property(Some("<script>"), judged)], vec![details()]);
    for (name, figure) in view.figures() {
        let text = figure.svg();
        assert!(!text.contains("<script"), "{name}: {text}");
        assert_eq!(text.matches("</svg>").count(), 1, "{name}");
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{name}");
    }
}

#[test]
fn many_executions_fit_a_report() {
    let judged = (1..=50_000).map(|run| by_margin(run, 0.1 + (run % 97) as f64 / 100.0)).collect();
    let opened = opened(vec![property(None, judged)], vec![details()]);
    let full = serde_json::to_string(&opened.view(Fineness::FULL)).unwrap();
    assert!(full.len() < 1_500_000, "{}", full.len());
    let coarse = Fineness::STEPS[3];
    let coarse = serde_json::to_string(&opened.view(coarse)).unwrap();
    assert!(coarse.len() < 200_000, "{}", coarse.len());
}

/// The page's tests read it. `UPDATE_FIXTURES=1` writes it again.
#[test]
fn the_fixture_is_what_is_written() {
    let mut study = study();
    study.details = vec![details()];
    let view = study.view(Fineness { executions: 6, points: 20, worst: 1 });
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web/src/fixtures/check.json");
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        let text = serde_json::to_string_pretty(&view).unwrap() + "\n";
        std::fs::write(&path, text).unwrap();
    }
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let now = serde_json::to_value(&view).unwrap();
    assert!(written == now, "run UPDATE_FIXTURES=1 cargo test -p fathom-ui");
}
