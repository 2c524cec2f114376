//! Medians next to a verdict: dividing them gives the ratio, or a line says why not.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::compare::{
    Comparison, Course, Design, Margin, Pairing, analyze_counted, counted_places, median_at,
};
use fathom_analyze::{EstimateRequest, Report};
use fathom_record::{Environment, Series, Unit};
use fathom_render::ratio::ends_as_shown;
use fathom_render::verdict::{self, Circumstances};
use fathom_render::{View, comparisons, layout};
use fathom_stats::Confidence;
use fathom_stats::paired::Block;
use proptest::prelude::*;

/// A session: the slots of each block, slowed by other load that comes and goes.
fn session(noise: &[(f64, f64, f64, f64)], effect: f64, load: f64, turn: usize) -> Report {
    let mut sides: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let most = noise.len();
    let mut course = Course::new(1, most, Confidence::DEFAULT, Margin::DEFAULT, Vec::new(), 0.0);
    for (number, (a, b, c, d)) in noise.iter().enumerate() {
        let slow = if number / turn % 2 == 1 { load } else { 1.0 };
        let reference = [0.01 * slow * (1.0 + a), 0.01 * slow * (1.0 + d)];
        let subject = [0.01 * effect * slow * (1.0 + b), 0.01 * effect * slow * (1.0 + c)];
        sides[0].extend(reference);
        sides[1].extend(subject);
        if course.take(&[(0, Block::of(subject, reference).unwrap())]) {
            break;
        }
    }
    let names = ["aa", "bb"];
    let found = Comparison::of(&course, 0, names, Pairing::Runs, 0.04).unwrap();
    let Design::Paired(paired) = &found.design else { panic!() };
    let places = counted_places(paired);
    let [reference, subject] = [0, 1].map(|side: usize| median_at(&sides[side], &places));
    let subjects = names.iter().zip(sides).map(|(name, values)| {
        let series = Series::new(*name, Unit::SECONDS, values).unwrap();
        analyze_counted(series, &places, &EstimateRequest::default())
    });
    Report {
        command_line: "fathom".to_string(),
        seed: 1,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects: subjects.collect(),
        comparisons: Some(vec![found.with_medians(reference, subject)]),
        warnings: Vec::new(),
    }
}

/// The number in the row of a subject, in seconds.
fn row(page: &str, name: &str) -> f64 {
    let line = page.lines().find(|line| line.starts_with(&format!("  {name}  "))).unwrap();
    let mut words = line.split_whitespace().skip(1);
    let number: f64 = words.next().unwrap().parse().unwrap();
    let unit = match words.next().unwrap() {
        "s" => 1.0,
        "ms" => 1e-3,
        "µs" => 1e-6,
        other => panic!("{other}"),
    };
    number * unit
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn medians_divide_to_the_ratio_or_it_is_said_why_not(
        noise in prop::collection::vec((0.0..0.3_f64, 0.0..0.3_f64, 0.0..0.3_f64, 0.0..0.3_f64), 12..60),
        effect in 0.9..1.1_f64,
        load in 1.0..3.0_f64,
        turn in 1_usize..8,
    ) {
        let report = session(&noise, effect, load, turn);
        let found = &report.comparisons.as_ref().unwrap()[0];
        prop_assume!(found.interval.is_finite());
        let all = report.comparisons.as_deref().unwrap();
        let page = layout::plain(&verdict::render(
            &report, all, Circumstances::default(), &View::default(), 120,
        ));
        let quotient = row(&page, "bb") / row(&page, "aa");
        let ends = ends_as_shown(found.ratio, found.interval);
        let is_explained = page.contains("dividing the medians gives");
        let tolerance = 1e-9;
        let is_inside =
            ends.lower() - tolerance <= quotient && quotient <= ends.upper() + tolerance;
        prop_assert!(is_inside || is_explained, "{page}");
        let markdown = comparisons(&report, all, None).markdown();
        prop_assert!(is_inside || markdown.contains("dividing the medians gives"), "{markdown}");
        // If all blocks say something else, the headline says what it rests on.
        let headline = page.split("\n\n").next().unwrap().replace("\n  ", " ");
        let is_other = found.verdict_of_all_blocks().is_some();
        prop_assert_eq!(is_other, headline.contains("This is based on the"), "{}", page);
    }
}
