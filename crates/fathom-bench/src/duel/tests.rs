use super::match_up::InBoth;
use super::*;

fn options(confidence: f64) -> DuelOptions {
    DuelOptions {
        selection: BenchFilters::new(&[], &[], false).unwrap(),
        max_time: TIME,
        confidence: Confidence::new(confidence).unwrap(),
        margin: Margin::DEFAULT,
        gates: Vec::new(),
        statistic: ComparedStatistic::Median,
        gate_unchanged: false,
        layouts: None,
        seed: 7,
        interrupt: None,
    }
}

/// The same coins twice would favour the same build twice.
#[test]
fn every_round_of_every_function_has_its_own_coins() {
    let options = options(0.95);
    let plan = DuelPlan::of(&options);
    let rounds = (0..20).flat_map(|round| (0..20).map(move |function| (round, function)));
    let seeds = rounds.map(|(round, function)| plan.round(&options, round, function).seed);
    assert_eq!(seeds.collect::<std::collections::BTreeSet<u64>>().len(), 400);
}

#[test]
fn medians_have_the_confidence_that_was_asked_for() {
    let mut contest = Contest::new(InBoth { name: "parse".to_string(), places: [0, 0] });
    contest.medians[1] = (0..30).map(|i| 1e-6 + 1e-9 * f64::from(i % 7)).collect();
    let options = options(0.9);
    let subject = contest.subject(1, "parse (new)".to_string(), &options, StopReason::Verdict);
    assert_eq!(subject.unwrap().estimates[0].confidence, options.confidence);
}
