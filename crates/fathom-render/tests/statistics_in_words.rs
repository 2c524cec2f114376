//! What pages of comparisons say about tails, means, minima and many quantiles, case by case.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_analyze::compare::{
    ComparedStatistic, Comparison, Design, Further, Gate, GateOutcome, Margin, Paired, Pairing,
    QuantileRatio, Tests, Verdict,
};
use fathom_analyze::{EstimateRequest, Report, StopReason, analyze};
use fathom_record::{Environment, FrontEnd, Series, Unit};
use fathom_render::comparison_notes::{Spent, gate_line, how_measured, of_batches, settle};
use fathom_render::layout::plain;
use fathom_render::verdict::{self, Circumstances, Quantity, sentence};
use fathom_render::{View, comparisons};
use fathom_stats::paired::SignTest;
use fathom_stats::{Confidence, Probability, RatioInterval};
use std::fmt::Write;

const OPEN: f64 = f64::INFINITY;

fn statistic(name: &str) -> ComparedStatistic {
    ComparedStatistic::parse(name).unwrap()
}

/// With the verdict that its interval gives.
fn found(name: &str, ratio: f64, lower: f64, upper: f64) -> Comparison {
    let interval = RatioInterval::new(lower, upper);
    let paired = Paired {
        pairing: Pairing::Runs,
        pairs: 400,
        blocks: 200,
        used: 200,
        set_aside: Vec::new(),
        planned: 1000,
        lag1: 0.0,
        widened_by: 1.0,
        with_all_blocks: None,
        drift: 0.0,
        assumptions: None,
        tests: Tests {
            signed_rank_p: None,
            mean_ln: None,
            sign: SignTest { slower: 8, faster: 2, p_value: 0.109 },
        },
        log_ratios: Vec::new(),
    };
    Comparison {
        reference: "old".to_string(),
        subject: "new".to_string(),
        statistic: statistic(name),
        ratio,
        interval,
        quantiles: Vec::new(),
        confidence: Confidence::DEFAULT,
        if_independent: false,
        verdict: Verdict::of(interval.log(), Margin::DEFAULT),
        margin: Margin::DEFAULT,
        sides: None,
        p_value: Some(0.04),
        further: None,
        gates: Vec::new(),
        design: Design::Paired(Box::new(paired)),
        shell: None,
        builds: None,
        warnings: Vec::new(),
    }
}

/// Quantiles by their ratio and ends, with the verdict that all of them give.
fn quantiles(rows: &[(f64, f64, f64, f64)], verdict: Verdict) -> Comparison {
    let row = |&(p, ratio, lower, upper): &(f64, f64, f64, f64)| {
        let interval = RatioInterval::new(lower, upper).log();
        let (p, value) = (Probability::new(p).unwrap(), 0.010 * (1.0 + p));
        QuantileRatio::new(p, f64::ln(ratio), interval, [value, ratio * value], Margin::DEFAULT)
    };
    let quantiles: Vec<QuantileRatio> = rows.iter().map(row).collect();
    let all = Comparison { quantiles, verdict, ..found("quantiles", 1.0, 0.0, OPEN) };
    let Some(headline) = all.headline().copied() else { return all };
    Comparison { ratio: headline.ratio, interval: headline.interval, ..all }
}

/// The same at p5, equal, then what the rest says.
fn same() -> (f64, f64, f64, f64) {
    (0.05, 1.001, 0.995, 1.006)
}

fn cases_of_quantiles() -> Vec<Comparison> {
    let at = |p: f64, (_, ratio, lower, upper): (f64, f64, f64, f64)| (p, ratio, lower, upper);
    let slower = (0.0, 1.12, 1.08, 1.17);
    let faster = (0.0, 0.9, 0.85, 0.95);
    let open = (0.0, 1.01, 0.97, 1.06);
    let unknown = (0.0, 1.3, 0.9, OPEN);
    let is = |rows: &[(f64, f64, f64, f64)], verdict| quantiles(rows, verdict);
    vec![
        is(&[same(), at(0.5, same()), at(0.95, same()), at(0.99, slower)], Verdict::Slower),
        is(&[at(0.05, slower), at(0.5, slower), at(0.99, slower)], Verdict::Slower),
        is(&[at(0.05, faster), at(0.5, same()), at(0.99, slower)], Verdict::Mixed),
        is(&[same(), at(0.5, same()), at(0.99, same())], Verdict::Equivalent),
        is(&[same(), at(0.5, same()), at(0.9, same()), at(0.99, open)], Verdict::Inconclusive),
        is(&[at(0.05, open), at(0.5, open), at(0.99, unknown)], Verdict::Inconclusive),
        is(&[at(0.05, open), at(0.5, slower), at(0.9, same()), at(0.99, open)], Verdict::Slower),
        is(&[same(), at(0.25, faster), at(0.5, faster), at(0.9, same())], Verdict::Faster),
        is(&[at(0.5, slower)], Verdict::Slower),
        is(&[], Verdict::Inconclusive),
    ]
}

#[test]
fn verdicts_in_words() {
    let cases = [
        found("p99", 1.12, 1.08, 1.17),
        found("p99", 1.5, 1.2, OPEN),
        found("p99", 0.88, 0.84, 0.93),
        found("p99", 0.8, 0.0, 0.9),
        found("p99", 3.1, 2.5, 3.6),
        found("p99", 0.25, 0.2, 0.3),
        found("p99.9", 1.001, 0.996, 1.005),
        found("mean", 0.997, 0.995, 0.999),
        found("p50", 1.02, 0.97, 1.08),
        found("min", 1.016, 1.008, 1.024),
        found("p99", 1.02, 0.98, OPEN),
        found("p99", 0.9, 0.0, OPEN),
        found("p99", 3.2, 0.5, OPEN),
    ];
    let mut text = String::new();
    for case in &cases {
        for quantity in [Quantity::Time, Quantity::Other("peak-memory")] {
            let _ = writeln!(text, "{}", sentence(case, quantity));
        }
    }
    text.push('\n');
    for case in &cases_of_quantiles() {
        for quantity in [Quantity::Time, Quantity::Other("rows")] {
            let _ = writeln!(text, "{}", sentence(case, quantity));
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn gates_in_words() {
    let five = Margin::new(0.05).unwrap();
    let mut text = String::new();
    let mut cases: Vec<Comparison> = [
        found("p99", 1.12, 1.08, 1.17),
        found("p99", 1.01, 0.99, 1.04),
        found("p99", 1.01, 0.99, 1.08),
        found("mean", 1.01, 0.9, 1.31),
        found("min", 1.01, 0.9, OPEN),
    ]
    .into();
    cases.extend(cases_of_quantiles());
    for case in &cases {
        for gate in [Gate::NotSlower(five), Gate::Equivalent(five)] {
            let of = |interval: RatioInterval| gate.finally(interval.log());
            let all: Vec<GateOutcome> = match case.statistic {
                ComparedStatistic::Quantiles => {
                    case.quantiles.iter().map(|one| of(one.interval)).collect()
                }
                _ => vec![of(case.interval)],
            };
            let worst = [GateOutcome::Failed, GateOutcome::Inconclusive, GateOutcome::Passed];
            let outcome = worst.into_iter().find(|one| all.contains(one));
            let Some(outcome) = outcome else { continue };
            let _ = writeln!(text, "{}", gate_line(case, gate, outcome, FrontEnd::FATHOM));
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn what_is_needed_and_how_it_was_measured() {
    let mut text = String::new();
    let more = |case: Comparison, pairs| Comparison {
        further: Some(Further { pairs, seconds: Some(12.0) }),
        ..case
    };
    let spent = Spent { seconds: Some(6.0), stopped: Some(StopReason::MaxTime) };
    for case in [
        more(found("p99", 1.02, 0.98, 1.05), 4000),
        more(found("p99", 1.02, 0.0, OPEN), 310),
        found("p99", 1.02, 0.0, OPEN),
        found("min", 1.02, 1.01, 1.03),
        quantiles(&[same()], Verdict::Equivalent),
    ] {
        let settled = settle(&case, spent, FrontEnd::FATHOM).unwrap_or_default();
        let lines = how_measured(&case, Some(6.0));
        let _ = writeln!(text, "{}: {settled}\n{}\n", case.statistic, lines.join("\n"));
    }
    insta::assert_snapshot!(text);
}

fn report(found: Comparison) -> Report {
    let subject = |name: &str, base: f64| {
        let values = (0..200).map(|i| base + 1e-5 * f64::from(i * 7919 % 101)).collect();
        let statistics = vec![found.statistic.of_each_side()];
        let request = EstimateRequest { statistics, ..EstimateRequest::default() };
        analyze(Series::new(name, Unit::SECONDS, values).unwrap(), &request)
    };
    Report {
        command_line: "fathom".to_string(),
        seed: 1,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        subjects: vec![subject("old", 0.010), subject("new", 0.012)],
        comparisons: Some(vec![found]),
        warnings: Vec::new(),
    }
}

#[test]
fn whole_pages_and_tables() {
    let mut text = String::new();
    let all = cases_of_quantiles();
    for found in [found("p90", 1.2, 1.15, 1.25), all[0].clone(), all[5].clone()] {
        let report = report(found);
        let found = report.comparisons.as_deref().unwrap();
        let spent = Circumstances { seconds: Some(6.0) };
        let page = verdict::render(&report, found, spent, &View::default(), 80);
        assert!(plain(&page).lines().all(|line| line.chars().count() <= 80), "{page}");
        let table = comparisons(&report, found, None);
        let _ = writeln!(text, "{}\n{}\n{}", plain(&page), table.csv(), table.markdown());
        // No width breaks it.
        for width in [0, 1, 20, 40] {
            let _ = verdict::render(&report, found, spent, &View::default(), width);
        }
    }
    insta::assert_snapshot!(text);
}

/// A percentile of batches is not one of calls; a mean is.
#[test]
fn batches_are_named_where_they_matter() {
    let with_calls = |name: &str, calls: u64| {
        let mut report = report(found(name, 1.2, 1.15, 1.25));
        for subject in &mut report.subjects {
            subject.function = Some(fathom_analyze::Function {
                calls_per_batch: calls,
                is_zero: false,
                timing: None,
                executions: None,
                throughput: None,
                input: None,
                allocations: None,
                stolen: None,
                others: None,
            });
        }
        let found = report.comparisons.as_ref().unwrap()[0].clone();
        of_batches(&found, &report.subjects)
    };
    let line = with_calls("p99", 64).unwrap();
    assert!(line.starts_with("the p99 is of batches of 64 calls"), "{line}");
    assert_eq!(with_calls("p99", 1), None);
    assert_eq!(with_calls("mean", 64), None);
    let commands = report(found("p99", 1.2, 1.15, 1.25));
    let found = commands.comparisons.as_ref().unwrap();
    assert_eq!(of_batches(&found[0], &commands.subjects), None);
}
