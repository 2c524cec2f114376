//! Several questions of the same executions: levels, order, and what brute force says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_property::decide::{
    CheckCourse, CheckVerdict, ErrorSharing, ExecutionOutcome, GivenOutcomes, Method,
    ProportionQuestion, SharedError, VacuousRule, decide_in_order, decide_together, settle,
};
use fathom_stats::proportion::{Claim, Rule};
use fathom_stats::{Confidence, Probability};
use proptest::prelude::*;

fn shared(properties: usize) -> SharedError {
    SharedError::new(Confidence::DEFAULT, ErrorSharing::Shared, properties, 0).unwrap()
}

fn question(f: f64, error: &SharedError, method: Method) -> ProportionQuestion {
    let probability = Probability::new(f).unwrap();
    ProportionQuestion { probability, confidence: error.of_interval(), method }
}

fn courses(count: usize, f: f64, error: &SharedError) -> Vec<CheckCourse> {
    let asked = question(f, error, Method::Anytime);
    let course = || CheckCourse::one_of_several(asked, 1000, VacuousRule::True, 0.05).unwrap();
    (0..count).map(|_| course()).collect()
}

fn feed(courses: &mut [CheckCourse], outcomes: &[ExecutionOutcome], error: &SharedError) {
    for (course, &outcome) in courses.iter_mut().zip(outcomes) {
        course.feed(outcome);
    }
    settle(&mut courses.iter_mut().collect::<Vec<_>>(), error).unwrap();
}

/// How many executions decide if all satisfy the property, with a part of the error of 5%.
fn earliest(f: f64, part: f64) -> usize {
    let confidence = Confidence::new(1.0 - 0.05 / part).unwrap();
    let rule = Rule::anytime(Claim { proportion: Probability::new(f).unwrap(), confidence });
    (1..).find(|&n| rule.decision(n, n).is_some()).unwrap()
}

#[test]
fn the_last_property_needs_less_evidence_than_the_first() {
    let error = shared(3);
    let mut all = courses(3, 0.9, &error);
    // The third one begins later: its first executions do not count.
    let (first, last) = (earliest(0.9, 4.0), earliest(0.9, 2.0));
    assert!(last < first, "{last} {first}");
    let mut executions = 0;
    while !all.iter().all(CheckCourse::is_settled) {
        executions += 1;
        let third = match executions {
            1..=30 => ExecutionOutcome::Skipped,
            _ => ExecutionOutcome::True,
        };
        feed(&mut all, &[ExecutionOutcome::True, ExecutionOutcome::True, third], &error);
    }
    let decided: Vec<Option<usize>> = all.iter().map(|one| one.summary().decided_at).collect();
    assert_eq!(decided, [Some(first), Some(first), Some(last)]);
    assert_eq!(executions, 30 + last);
}

#[test]
fn executions_after_a_verdict_count_and_leave_it() {
    let error = shared(2);
    let mut all = courses(2, 0.5, &error);
    for _ in 0..20 {
        feed(&mut all, &[ExecutionOutcome::True, ExecutionOutcome::Skipped], &error);
    }
    let early = all[0].summary();
    assert_eq!(early.verdict, CheckVerdict::True);
    for _ in 0..20 {
        feed(&mut all, &[ExecutionOutcome::False, ExecutionOutcome::Skipped], &error);
    }
    let late = all[0].summary();
    assert_eq!((late.verdict, late.decided_at), (CheckVerdict::True, early.decided_at));
    assert_eq!((late.counts.samples(), late.ignored), (40, 0));
    assert!(late.interval.lower < 0.5, "the interval is that of all executions");
    assert_eq!(all[1].summary().verdict, CheckVerdict::Inconclusive);
}

#[test]
fn a_question_alone_is_as_before() {
    let error = shared(1);
    for n in [10, 43, 60] {
        let outcomes = || std::iter::repeat_n((ExecutionOutcome::True, None), n);
        let asked = question(0.9, &error, Method::Anytime);
        let given = GivenOutcomes::of(outcomes(), asked, VacuousRule::True);
        let together = decide_together(&[given], &error).unwrap();
        let alone = decide_in_order(outcomes(), asked, VacuousRule::True).unwrap();
        assert_eq!(together[0].verdict, alone.verdict);
        assert_eq!(together[0].interval, alone.interval);
    }
}

#[test]
fn unknown_outcomes_stand_against_either_verdict() {
    let error = shared(2);
    let asked = question(0.9, &error, Method::Anytime);
    let of = |outcome, n| {
        GivenOutcomes::of(std::iter::repeat_n((outcome, None), n), asked, VacuousRule::True)
    };
    let all = [of(ExecutionOutcome::Unknown, 5000), of(ExecutionOutcome::True, 100)];
    let found = decide_together(&all, &error).unwrap();
    assert_eq!(found[0].verdict, CheckVerdict::Inconclusive);
    assert_eq!(found[1].verdict, CheckVerdict::True);
}

/// P(Bin(n, f) ≤ k), summed up.
fn at_most(k: usize, n: usize, f: f64) -> f64 {
    let mut term = (1.0 - f).powi(i32::try_from(n).unwrap());
    let mut sum = term;
    for i in 1..=k {
        term *= (n - i + 1) as f64 / i as f64 * f / (1.0 - f);
        sum += term;
    }
    sum
}

/// The verdicts by the definition: p-values, and two times Holm.
fn by_definition(successes: &[usize], n: usize, f: f64) -> Vec<Option<bool>> {
    let count = successes.len();
    let mut verdicts = vec![None; count];
    let half = |decided: usize| match count {
        1 => 0.05,
        _ => 0.025 / (count - decided).clamp(1, count - 1) as f64,
    };
    loop {
        let of = |verdict| verdicts.iter().filter(|&&made| made == Some(verdict)).count();
        let (if_true, if_false) = (half(of(true)), half(of(false)));
        let before = verdicts.clone();
        for (verdict, &s) in verdicts.iter_mut().zip(successes) {
            if verdict.is_some() {
                continue;
            }
            // The chance of so many, or so few, at F.
            let above = if s == 0 { 1.0 } else { 1.0 - at_most(s - 1, n, f) };
            if above <= if_true + 1e-12 {
                *verdict = Some(true);
            } else if at_most(s, n, f) <= if_false + 1e-12 {
                *verdict = Some(false);
            }
        }
        if verdicts == before {
            return verdicts;
        }
    }
}

proptest! {
    #[test]
    fn one_look_is_as_defined(
        f in prop::sample::select(vec![0.5, 0.8, 0.9]),
        successes in prop::collection::vec(0..=60_usize, 1..8),
    ) {
        let error = shared(successes.len());
        let asked = question(f, &error, Method::Exact);
        let given: Vec<GivenOutcomes> = successes
            .iter()
            .map(|&s| {
                let outcomes = (0..60).map(|place| match place < s {
                    true => (ExecutionOutcome::True, None),
                    false => (ExecutionOutcome::False, None),
                });
                GivenOutcomes::of(outcomes, asked, VacuousRule::True)
            })
            .collect();
        let found = decide_together(&given, &error).unwrap();
        let found: Vec<Option<bool>> = found
            .iter()
            .map(|summary| match summary.verdict {
                CheckVerdict::True => Some(true),
                CheckVerdict::False => Some(false),
                CheckVerdict::Inconclusive => None,
            })
            .collect();
        prop_assert_eq!(found, by_definition(&successes, 60, f));
    }

    /// The order of the questions does not matter.
    #[test]
    fn order_does_not_matter(
        rows in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.9), 4), 1..80),
    ) {
        let error = shared(4);
        let decide = |order: [usize; 4]| {
            let mut all = courses(4, 0.7, &error);
            for row in &rows {
                let outcome = |place: usize| match row[place] {
                    true => ExecutionOutcome::True,
                    false => ExecutionOutcome::False,
                };
                feed(&mut all, &order.map(outcome), &error);
            }
            let mut found = [None; 4];
            for (place, course) in order.into_iter().zip(&all) {
                found[place] = Some((course.summary().verdict, course.summary().decided_at));
            }
            found
        };
        prop_assert_eq!(decide([0, 1, 2, 3]), decide([3, 1, 0, 2]));
    }

    /// A shared error never decides what a question alone would not.
    #[test]
    fn sharing_is_never_easier(successes in prop::collection::vec(0..=80_usize, 2..10)) {
        let error = shared(successes.len());
        let of = |confidence| ProportionQuestion {
            probability: Probability::P90,
            confidence,
            method: Method::Anytime,
        };
        let outcomes = |s: usize| {
            (0..80).map(move |place| {
                let is_true = place < s;
                (if is_true { ExecutionOutcome::True } else { ExecutionOutcome::False }, None)
            })
        };
        let given: Vec<GivenOutcomes> = successes
            .iter()
            .map(|&s| GivenOutcomes::of(outcomes(s), of(error.of_interval()), VacuousRule::True))
            .collect();
        let together = decide_together(&given, &error).unwrap();
        for (summary, &s) in together.iter().zip(&successes) {
            let alone = of(Confidence::DEFAULT);
            let alone = decide_in_order(outcomes(s), alone, VacuousRule::True).unwrap();
            prop_assert!(
                summary.verdict == alone.verdict || summary.verdict == CheckVerdict::Inconclusive
            );
            prop_assert!(summary.interval.lower <= alone.interval.lower);
            prop_assert!(summary.interval.upper >= alone.interval.upper);
        }
    }
}
