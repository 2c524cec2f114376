//! Deciding from outcomes: counts, order, unknowns, and what a summary says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_property::decide::{
    CheckCourse, CheckVerdict, Counts, ExecutionOutcome, Method, ProportionQuestion, VacuousRule,
    decide_fixed, decide_in_order,
};
use fathom_property::{Bounds, Truth, ValueMethod, ValueQuestion};
use fathom_stats::proportion::{Horizon, Rule};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Probability};
use fathom_testkit::population::{Generator, Population, generator};
use proptest::prelude::*;

fn question(f: f64, c: f64, method: Method) -> ProportionQuestion {
    ProportionQuestion {
        probability: Probability::new(f).unwrap(),
        confidence: Confidence::new(c).unwrap(),
        method,
    }
}

fn course(f: f64, c: f64, method: Method, budget: usize) -> CheckCourse {
    CheckCourse::new(question(f, c, method), budget, VacuousRule::True).unwrap()
}

fn coin(rng: &mut Generator, p: f64) -> bool {
    Population::Normal.draw(rng) < Population::Normal.quantile(p)
}

fn times(outcome: ExecutionOutcome, count: usize) -> impl Iterator<Item = ExecutionOutcome> {
    std::iter::repeat_n(outcome, count)
}

#[test]
fn all_satisfied_is_true_as_early_as_can_be() {
    let mut course = course(0.9, 0.95, Method::Anytime, 1000);
    for n in 1..43 {
        assert_eq!(course.feed(ExecutionOutcome::True), None, "{n}");
        assert_eq!(course.left(), 1000 - n);
    }
    assert_eq!(course.summary().further_samples, Some(1));
    assert_eq!(course.feed(ExecutionOutcome::True), Some(CheckVerdict::True));
    assert_eq!(course.left(), 0);
    // What comes later changes nothing.
    for _ in 0..5 {
        assert_eq!(course.feed(ExecutionOutcome::False), Some(CheckVerdict::True));
    }
    let summary = course.summary();
    assert_eq!((summary.decided_at, summary.ignored), (Some(43), 5));
    assert_eq!((summary.counts.satisfied, summary.counts.violated), (43, 0));
    assert_eq!(summary.error_bound, 0.05);
    assert!(summary.bounds.lower >= 0.9 && summary.bounds.lower < 0.91, "{summary:?}");
    assert!(summary.interval.lower < summary.bounds.lower);
    assert!(summary.evidence.p_value_above() <= 0.05);
    assert_eq!(summary.evidence.p_value_below(), 1.0);
    assert_eq!(summary.further_samples, None);
}

#[test]
fn failures_are_false_quickly_and_the_budget_ends_it() {
    let mut fails = course(0.9, 0.95, Method::Anytime, 1000);
    assert_eq!(fails.feed(ExecutionOutcome::Failed), None);
    assert_eq!(fails.feed(ExecutionOutcome::False), Some(CheckVerdict::False));
    let summary = fails.summary();
    assert_eq!((summary.counts.failed, summary.counts.violated), (1, 1));
    assert!(summary.bounds.upper <= 0.9);

    let mut short = course(0.9, 0.95, Method::Anytime, 3);
    assert_eq!(short.feed(ExecutionOutcome::True), None);
    assert_eq!(short.feed(ExecutionOutcome::Skipped), None);
    assert_eq!(short.feed(ExecutionOutcome::True), None);
    assert_eq!(short.feed(ExecutionOutcome::True), Some(CheckVerdict::Inconclusive));
    let summary = short.summary();
    assert_eq!((summary.verdict, summary.decided_at), (CheckVerdict::Inconclusive, None));
    assert_eq!((summary.counts.samples(), summary.counts.skipped), (3, 1));
    assert_eq!(summary.further_samples, Some(40));
    // Without any budget there is nothing to feed.
    assert_eq!(course(0.9, 0.95, Method::Anytime, 0).verdict(), Some(CheckVerdict::Inconclusive));
    let empty = course(0.9, 0.95, Method::Anytime, 9).summary();
    assert_eq!((empty.estimate, empty.verdict), (None, CheckVerdict::Inconclusive));
    assert_eq!((empty.interval.lower, empty.interval.upper), (0.0, 1.0));
}

#[test]
fn vacuous_outcomes_count_as_told() {
    let decide = |rule| {
        let mut course = CheckCourse::new(question(0.9, 0.95, Method::Anytime), 60, rule).unwrap();
        for _ in 0..60 {
            course.feed(ExecutionOutcome::Vacuous);
        }
        course.summary()
    };
    assert_eq!(decide(VacuousRule::True).verdict, CheckVerdict::True);
    assert_eq!(decide(VacuousRule::False).verdict, CheckVerdict::False);
    let skipped = decide(VacuousRule::Skip);
    assert_eq!(skipped.verdict, CheckVerdict::Inconclusive);
    assert_eq!((skipped.counts.samples(), skipped.counts.vacuous), (0, 60));
}

#[test]
fn judgements_become_outcomes() {
    let pairs = [
        (Truth::True, ExecutionOutcome::True),
        (Truth::False, ExecutionOutcome::False),
        (Truth::Vacuous, ExecutionOutcome::Vacuous),
        (Truth::Unknown, ExecutionOutcome::Unknown),
    ];
    for (truth, outcome) in pairs {
        assert_eq!(ExecutionOutcome::from(truth), outcome);
    }
}

#[test]
fn unknown_outcomes_stand_against_either_verdict() {
    // 43 of 43 would do; with one unknown among them it takes more, as if it were false.
    let mut course = course(0.9, 0.95, Method::Anytime, 1000);
    course.feed(ExecutionOutcome::Unknown);
    for _ in 0..42 {
        assert_eq!(course.feed(ExecutionOutcome::True), None);
    }
    let open = course.summary();
    let share = open.estimate.unwrap();
    assert_eq!((share.lower, share.upper), (42.0 / 43.0, 1.0));
    assert_eq!(open.interval.upper, 1.0);
    while course.feed(ExecutionOutcome::True).is_none() {}
    let satisfied = course.summary().counts.satisfied;
    let known = |satisfied| {
        let outcomes =
            times(ExecutionOutcome::False, 1).chain(times(ExecutionOutcome::True, satisfied));
        let asked = question(0.9, 0.95, Method::Anytime);
        decide_fixed(outcomes, asked, VacuousRule::True).unwrap().verdict
    };
    assert_eq!(known(satisfied), CheckVerdict::True);
    assert_eq!(known(satisfied - 1), CheckVerdict::Inconclusive);
    // Nothing but unknowns says nothing.
    let nothing = decide_fixed(
        times(ExecutionOutcome::Unknown, 10_000),
        question(0.9, 0.95, Method::Anytime),
        VacuousRule::True,
    )
    .unwrap();
    assert_eq!((nothing.verdict, nothing.further_samples), (CheckVerdict::Inconclusive, None));
    assert_eq!((nothing.interval.lower, nothing.interval.upper), (0.0, 1.0));
}

#[test]
fn fixed_data_by_every_method() {
    let decide = |method, satisfied, violated| {
        let outcomes = times(ExecutionOutcome::True, satisfied)
            .chain(times(ExecutionOutcome::False, violated));
        decide_fixed(outcomes, question(0.9, 0.9, method), VacuousRule::True).unwrap()
    };
    // 22 of 22: enough for one look, not for all looks.
    assert_eq!(decide(Method::Exact, 22, 0).verdict, CheckVerdict::True);
    assert_eq!(decide(Method::Spa, 22, 0).verdict, CheckVerdict::True);
    assert_eq!(decide(Method::Anytime, 22, 0).verdict, CheckVerdict::Inconclusive);
    assert_eq!(decide(Method::Anytime, 34, 0).verdict, CheckVerdict::True);
    // A single failure: C_CP = 0.9, which is not more than 0.9.
    assert_eq!(decide(Method::Exact, 0, 1).verdict, CheckVerdict::False);
    assert_eq!(decide(Method::Spa, 0, 1).verdict, CheckVerdict::Inconclusive);
    assert_eq!(decide(Method::Wald { indifference: 0.05 }, 40, 0).verdict, CheckVerdict::True);
    // One look: the bound is Clopper and Pearson's, 0.1^(1/22).
    let exact = decide(Method::Exact, 22, 0);
    assert!((exact.bounds.lower - 0.1_f64.powf(1.0 / 22.0)).abs() < 1e-12);
    assert_eq!((exact.error_bound, decide(Method::Spa, 22, 0).error_bound), (0.1, 0.1));
    // No data at all.
    for method in [Method::Anytime, Method::Exact, Method::Spa] {
        assert_eq!(decide(method, 0, 0).verdict, CheckVerdict::Inconclusive);
    }
    // 20 of 20 at one look lack 2.
    assert_eq!(decide(Method::Exact, 20, 0).further_samples, Some(2));
}

#[test]
fn exact_looks_once_at_the_budget() {
    let mut exact = course(0.9, 0.9, Method::Exact, 22);
    for _ in 0..21 {
        assert_eq!(exact.feed(ExecutionOutcome::True), None);
    }
    // Interrupted before its look, it says nothing, and its interval is one for any look.
    let early = exact.summary();
    assert_eq!(early.verdict, CheckVerdict::Inconclusive);
    assert_eq!(exact.feed(ExecutionOutcome::True), Some(CheckVerdict::True));
    assert!(exact.summary().interval.lower > early.interval.lower + 0.03);
}

#[test]
fn the_papers_rule_says_how_wrong_it_is() {
    let spa = course(0.9, 0.9, Method::Spa, 10_000).summary();
    assert!((spa.error_bound - 0.519_865).abs() < 1e-6, "{}", spa.error_bound);
    // With one sample what it says is right: there is no second look.
    assert!(course(0.9, 0.9, Method::Spa, 1).summary().error_bound <= 0.1 + 1e-12);
    // Beyond what is followed, the undecided count as errors.
    let endless = course(0.9, 0.9, Method::Spa, 10_000_000).summary().error_bound;
    assert!(endless > spa.error_bound && endless < 0.6, "{endless}");
}

#[test]
fn an_indifference_must_fit() {
    let wald = question(0.99, 0.9, Method::Wald { indifference: 0.02 });
    let error = CheckCourse::new(wald, 100, VacuousRule::True).unwrap_err().to_string();
    assert!(error.contains("0.02") && error.contains("below 0.01"), "{error}");
    assert!(decide_fixed([], wald, VacuousRule::True).is_err());
}

/// Unknown outcomes that hide the truth as badly as they can do not raise the error.
#[test]
fn the_error_holds_whatever_the_unknowns_hide() {
    let seed = 20_260;
    println!("seed {seed}");
    let (f, p, trials) = (0.9, 0.88, 2000);
    let horizon = Horizon::new(Rule::anytime(question(f, 0.9, Method::Anytime).claim()), 300);
    let known = horizon.operating(p).positive;
    let wrong = |cell: u64, hides: ExecutionOutcome| {
        let mut rng = generator(seed, cell);
        let mut wrong = 0.0;
        for _ in 0..trials {
            let mut course = course(f, 0.9, Method::Anytime, 300);
            while course.verdict().is_none() {
                course.feed(match (coin(&mut rng, p), coin(&mut rng, 0.5)) {
                    (true, _) => ExecutionOutcome::True,
                    (false, false) => ExecutionOutcome::False,
                    (false, true) => hides,
                });
            }
            wrong += f64::from(u8::from(course.verdict() == Some(CheckVerdict::True)));
        }
        wrong / f64::from(trials)
    };
    let slack = 4.0 * (known * (1.0 - known) / f64::from(trials)).sqrt();
    let found = wrong(0, ExecutionOutcome::Unknown);
    assert!(found <= known + slack, "{found} {known}");
    // The test can fail: dropping them errs most of the time.
    let dropped = wrong(1, ExecutionOutcome::Skipped);
    assert!(dropped > 0.5, "{dropped}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Fed one by one, outcomes decide as soon as those so far decide together, and no sooner.
    #[test]
    fn a_course_stops_at_the_first_decision(
        kinds in proptest::collection::vec(0..6_u8, 0..150),
        f in 0.05_f64..0.95,
        vacuous in 0..3_u8,
    ) {
        let outcome = |kind: &u8| match kind {
            0 | 1 => ExecutionOutcome::True,
            2 => ExecutionOutcome::False,
            3 => ExecutionOutcome::Vacuous,
            4 => ExecutionOutcome::Unknown,
            _ => ExecutionOutcome::Skipped,
        };
        let outcomes: Vec<ExecutionOutcome> = kinds.iter().map(outcome).collect();
        let vacuous = match vacuous {
            0 => VacuousRule::True,
            1 => VacuousRule::False,
            _ => VacuousRule::Skip,
        };
        let asked = question(f, 0.8, Method::Anytime);
        let together = |end: usize| {
            decide_fixed(outcomes.iter().take(end).copied(), asked, vacuous).unwrap()
        };
        let mut course = CheckCourse::new(asked, 1000, vacuous).unwrap();
        let stopped = outcomes.iter().position(|&outcome| course.feed(outcome).is_some());
        for end in 0..=stopped.unwrap_or(outcomes.len()) {
            prop_assert_eq!(together(end).verdict, CheckVerdict::Inconclusive);
        }
        let summary = course.summary();
        if let Some(stopped) = stopped {
            let whole = together(stopped + 1);
            prop_assert_eq!(whole.verdict, summary.verdict);
            prop_assert_eq!(whole.bounds, summary.bounds);
            match summary.verdict {
                CheckVerdict::True => prop_assert!(summary.bounds.lower >= f),
                CheckVerdict::False => prop_assert!(summary.bounds.upper <= f),
                CheckVerdict::Inconclusive => prop_assert!(false),
            }
        }
        // Nothing is lost: every outcome is counted or was ignored.
        let Counts { satisfied, violated, vacuous, unknown, failed, skipped, .. } = summary.counts;
        let counted = satisfied + violated + vacuous + unknown + failed + skipped;
        prop_assert_eq!(counted, stopped.map_or(outcomes.len(), |at| at + 1));
        for interval in [summary.interval, summary.bounds] {
            prop_assert!(interval.lower >= 0.0 && interval.lower <= interval.upper);
            prop_assert!(interval.upper <= 1.0);
        }
    }
}

/// A check that stops when it has its answer stops where values happen to lie well: an interval for a
/// number that was fixed beforehand does not cover then, one for every number does.
#[test]
fn an_interval_after_a_sequential_stop_holds_at_every_number() {
    const CHECKS: usize = 600;
    let question = question(0.9, 0.9, Method::Anytime);
    let truth = Population::Normal.quantile(0.9);
    let mut missed = [0, 0];
    let mut rng = generator(21, 0);
    for _ in 0..CHECKS {
        let mut course = CheckCourse::new(question, 400, VacuousRule::True).unwrap();
        let mut values = Vec::new();
        while course.verdict().is_none() {
            let value = Population::Normal.draw(&mut rng);
            values.push(Bounds::exactly(value));
            course.feed(if value < truth {
                ExecutionOutcome::True
            } else {
                ExecutionOutcome::False
            });
        }
        for (missed, method) in missed.iter_mut().zip([ValueMethod::Exact, ValueMethod::Anytime]) {
            let asked = ValueQuestion {
                probability: question.probability,
                confidence: question.confidence,
                direction: Direction::AtMost,
                method,
            };
            let interval = asked.answer(&values).interval;
            *missed += usize::from(truth < interval.lower || truth > interval.upper);
        }
    }
    let [exact, anytime] = missed.map(|missed| missed as f64 / CHECKS as f64);
    assert!(exact > 0.12, "{exact}: this is what went wrong");
    assert!(anytime <= 0.1, "{anytime}");
}

/// Margins that are each like the last have a smaller effective size; others keep theirs.
#[test]
fn dependent_samples_put_a_decision_off() {
    let drifting = |n: usize| (0..n).map(|i| (ExecutionOutcome::True, Some(i as f64)));
    let question = question(0.9, 0.95, Method::Anytime);
    let summary = decide_in_order(drifting(300), question, VacuousRule::True).unwrap();
    assert_eq!(summary.verdict, CheckVerdict::Inconclusive);
    let alike = summary.dependence.unwrap();
    assert!(alike.lag1 > 0.9 && alike.independent < 30, "{alike:?}");
    assert!(summary.bounds.lower < 0.9, "{summary:?}");
    // Watched, it ends where no budget could be enough, and says so.
    let mut watched = course(0.9, 0.95, Method::Anytime, 1000);
    let verdict =
        drifting(1000).find_map(|(outcome, margin)| watched.feed_with_margin(outcome, margin));
    assert_eq!(verdict, Some(CheckVerdict::Inconclusive));
    assert!(watched.is_hopeless() && watched.counts().samples() < 400);
    // A little dependence costs a little.
    let mut last = 0.0;
    let mut rng = generator(3, 0);
    let mut a_little = course(0.9, 0.95, Method::Anytime, 1000);
    while a_little.verdict().is_none() {
        last = 0.6 * last + Population::Normal.draw(&mut rng);
        a_little.feed_with_margin(ExecutionOutcome::True, Some(last + 100.0));
    }
    assert_eq!(a_little.verdict(), Some(CheckVerdict::True));
    let samples = a_little.counts().samples();
    assert!(samples > 43 && samples < 600, "{samples}");
    // Margins that say nothing of each other change nothing.
    let apart = (0..43).map(|i| (ExecutionOutcome::True, Some(f64::from(i * 17 % 43))));
    let summary = decide_in_order(apart, question, VacuousRule::True).unwrap();
    assert_eq!((summary.verdict, summary.dependence), (CheckVerdict::True, None));
}
