//! Whole pages: they hold the answer, they fit, and no width breaks them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::compare::{Margin, compare_unpaired};
use fathom_analyze::{EstimateRequest, Report, analyze};
use fathom_record::{Environment, Series, Unit};
use fathom_render::verdict::{self, Circumstances};
use fathom_render::{Detail, View, comparisons, estimates, human, layout};

fn report() -> Report {
    let subject = |name: &str, base: f64| {
        let values = (0..200).map(|i| base + 1e-5 * f64::from(i * 7919 % 101)).collect();
        analyze(Series::new(name, Unit::SECONDS, values).unwrap(), &EstimateRequest::default())
    };
    let subjects = vec![subject("old\x1b[2J", 0.010), subject("new, 漢字", 0.012)];
    let found = compare_unpaired(
        &subjects[0],
        &subjects[1],
        &EstimateRequest::default(),
        Margin::DEFAULT,
        &[],
    );
    Report {
        command_line: "fathom".to_string(),
        seed: 1,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects,
        comparisons: Some(vec![found.unwrap()]),
        warnings: vec!["the machine is busy".to_string().into()],
    }
}

/// Every page of the report in this many columns.
fn pages(report: &Report, width: usize) -> Vec<String> {
    let single = Report { subjects: report.subjects[..1].to_vec(), ..report.clone() };
    let found = report.comparisons.as_deref().unwrap();
    let mut pages = Vec::new();
    for detail in [Detail::Usual, Detail::Answer, Detail::Everything] {
        let view = View { detail, ..View::default() };
        pages.push(human::render(report, &view, width));
        pages.push(human::render(&single, &view, width));
        pages.push(verdict::render(report, found, Circumstances::default(), &view, width));
    }
    pages
}

/// Without the marks of styles.
fn plain(page: &str) -> String {
    let mut parts = page.split('\x1b');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
}

#[test]
fn pages_say_the_answer_and_steer_nothing() {
    let report = report();
    let pages = pages(&report, 80);
    let sentence = verdict::sentence(
        &report.comparisons.as_ref().unwrap()[0],
        verdict::Quantity::of(report.subjects.first()),
    );
    assert!(sentence.starts_with("new, 漢字 is 19.0% slower than old\u{fffd}[2J ("), "{sentence}");
    let page = plain(&pages[2]);
    assert!(page.starts_with("warning: the machine is busy"), "{page}");
    assert!(page.lines().nth(2).unwrap().starts_with(&sentence[..40]), "{page}");
    assert!(pages.iter().all(|page| !page.contains("\x1b[2J")));
    assert!(plain(&pages[0]).contains("warning: the machine is busy"));
}

#[test]
fn pages_fit() {
    for width in [60, 80, 120] {
        for page in pages(&report(), width) {
            for line in plain(&page).lines() {
                assert!(layout::columns(line) <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn no_width_breaks_a_page() {
    let report = report();
    for width in (0..60).chain([1000]) {
        assert!(pages(&report, width).iter().all(|page| !page.is_empty()));
    }
}

#[test]
fn tables_for_programs_keep_names_as_they_are() {
    let report = report();
    let table = estimates(&report, None);
    assert!(table.csv().contains("\n\"new, 漢字\",,s,median,0.01"), "{}", table.csv());
    assert!(table.markdown().contains("| old\u{fffd}\\[2J | median |"), "{}", table.markdown());
    let table = comparisons(&report, report.comparisons.as_deref().unwrap(), None);
    assert_eq!(table.csv().lines().count(), 2);
    assert_eq!(table.orgmode().lines().count(), 4);
}

#[test]
fn times_of_other_tools_are_slower_and_warnings_stand_once() {
    let subject = |name: &str, base: f64| {
        let values = (0..5).map(|i| base + 1e-3 * f64::from(i)).collect();
        let series = Series::new(name, Unit::SECONDS, values).unwrap().with_metric("times");
        analyze(series, &EstimateRequest::default())
    };
    let subjects = vec![subject("a", 0.1), subject("b", 0.3)];
    let found = compare_unpaired(
        &subjects[0],
        &subjects[1],
        &EstimateRequest::default(),
        Margin::DEFAULT,
        &[],
    );
    let report = Report { subjects, comparisons: None, warnings: Vec::new(), ..report() };
    let view = View::default();
    let page = verdict::render(&report, &[found.unwrap()], Circumstances::default(), &view, 200);
    let page = plain(&page);
    assert!(page.contains("b took 2.961 times as long as a"), "{page}");
    assert_eq!(page.matches("samples are too few;").count(), 1, "{page}");
}
