//! Execution X of the language's design, with all nine templates and the temporal examples. Each
//! value is worked out in a comment.

use crate::make::*;
use fathom_property::{
    Aggregate, Arithmetic, Decider, EventAttribute, Formula, Note, Relation, Term, Truth, judge,
    value,
};
use fathom_record::Observation;

fn x() -> Observation {
    execution(100.0)
        .scalar("ipc", 1.5)
        .scalar("power", 12.0)
        .in_state("mispredict", &[(20.0, 30.0), (60.0, 65.0)])
        .in_state("sprinting", &[(10.0, 40.0), (50.0, 70.0)])
        .in_state("handling", &[(5.0, 20.0), (25.0, 30.0), (45.0, 60.0), (85.0, 95.0)])
        .events("tlb_miss", &[5.0, 25.0, 45.0, 85.0], &[])
        .events("error", &[10.0, 30.0, 90.0], &[])
        .events("alert", &[40.0], &[])
        .events("R", &[1.0, 2.0], &[("latency", &[60.0, 40.0])])
        .events("S", &[3.0], &[("latency", &[90.0])])
        .steps("temp", &[0.0, 20.0, 50.0, 80.0], &[60.0, 80.0, 95.0, 70.0])
}

#[track_caller]
fn holds(formula: &Formula, truth: Truth, robustness: f64) {
    let judged = judge(formula, &[&x()]);
    assert_eq!(judged.truth, truth, "{judged:?}");
    let found = judged.robustness.known().unwrap();
    assert!((found - robustness).abs() < 1e-12, "{found} is not {robustness}");
    assert_eq!(judged.notes, []);
}

#[test]
fn row_1_a_metric_against_a_threshold() {
    // 1.5 - 1.2
    holds(&compare(metric("ipc"), Relation::AtLeast, number(1.2)), Truth::True, 0.3);
    holds(&compare(metric("ipc"), Relation::AtLeast, number(1.6)), Truth::False, -0.1);
}

#[test]
fn row_2_between_two_thresholds() {
    // min(15 - 12, 12 - 10)
    let between = |low, high| and(less(metric("power"), high), greater(metric("power"), low));
    holds(&between(10.0, 15.0), Truth::True, 2.0);
    holds(&between(10.0, 11.0), Truth::False, -1.0);
}

#[test]
fn row_3_share_of_time_in_a_state() {
    // (10 + 5) / 100 = .15; .2 - .15
    holds(&less(share(state("mispredict")), 0.2), Truth::True, 0.05);
    holds(&less(share(state("mispredict")), 0.1), Truth::False, -0.05);
}

#[test]
fn row_4_mean_time_between_events() {
    // (85 - 5) / 3 = 26.67
    let gap = Term::Gap(occurrence("tlb_miss"));
    holds(&greater(gap.clone(), 20.0), Truth::True, 80.0 / 3.0 - 20.0);
    holds(&greater(gap, 30.0), Truth::False, 80.0 / 3.0 - 30.0);
}

#[test]
fn row_5_implication_between_metrics() {
    // max(-(12 - 10), 1.5 - 1.4)
    let promise = |least| implies(greater(metric("power"), 10.0), greater(metric("ipc"), least));
    holds(&promise(1.4), Truth::True, 0.1);
    holds(&promise(1.7), Truth::False, -0.2);
}

#[test]
fn row_6_after_one_event_another_in_time() {
    // After 10 comes 30, 20 later; after 30 comes 90, too late; after 90 none: 1/3.
    let soon = eventually(after(0.0, 25.0), event("error"));
    let share = share_at(soon, occurrence("error"));
    holds(&less(share.clone(), 0.4), Truth::True, 0.4 - 1.0 / 3.0);
    holds(&less(share, 0.3), Truth::False, 0.3 - 1.0 / 3.0);
    // With the present in the window each error is its own successor.
    let soon = eventually(closed(0.0, 25.0), event("error"));
    holds(&less(share_at(soon, occurrence("error")), 0.4), Truth::False, 0.4 - 1.0);
}

#[test]
fn row_7_latency_implies_latency() {
    let largest = |of: &str| {
        let of = EventAttribute { attribute: "latency".to_string(), of: occurrence(of) };
        Term::OverEvents(Aggregate::Greatest, None, of)
    };
    // max(-(60 - 50), 90 - 80)
    let promise = |least| implies(greater(largest("R"), 50.0), greater(largest("S"), least));
    holds(&promise(80.0), Truth::True, 10.0);
    holds(&promise(95.0), Truth::False, -5.0);
}

#[test]
fn row_8_stays_in_a_state_until_an_event() {
    // Sprinting begins at 10 and lasts up to 40, where the alert comes: true. It begins again at
    // 50, and no alert comes: false. 1/2.
    let stays = until(state("sprinting"), closed(0.0, INF), event("alert"));
    holds(&less(share_at(stays, rise(state("sprinting"))), 0.6), Truth::True, 0.1);
}

#[test]
fn row_9_nested_probability() {
    // Of the 10 before 5: 0; before 25: [15, 20) = 50%; before 45 and 85: 0. Above 40%: 1/4.
    let busy = greater(share_in(closed(-10.0, 0.0), state("handling")), 0.4);
    holds(&less(share_at(busy, occurrence("tlb_miss")), 0.3), Truth::True, 0.05);
}

#[test]
fn always_eventually_until() {
    let below = |limit| less(metric("temp"), limit);
    let above = |limit| greater(metric("temp"), limit);
    // At 50 it is 95: 90 - 95. Before, at most 80: 90 - 80.
    holds(&always(closed(0.0, 50.0), below(90.0)), Truth::False, -5.0);
    holds(&always(half_open(0.0, 50.0), below(90.0)), Truth::True, 10.0);
    holds(&eventually(closed(0.0, 60.0), above(90.0)), Truth::True, 5.0);
    holds(&eventually(half_open(0.0, 50.0), above(90.0)), Truth::False, -10.0);
    // At 50: min(95 - 90, 100 - 80).
    holds(&until(below(100.0), closed(0.0, 60.0), above(90.0)), Truth::True, 5.0);
    // At 50: min(95 - 94, 90 - 80); it need not be below 90 then.
    holds(&until(below(90.0), closed(0.0, 60.0), above(94.0)), Truth::True, 1.0);
    // From 20 on it is not below 80.
    holds(&until(below(80.0), closed(0.0, 60.0), above(94.0)), Truth::False, 0.0);
    // Above 100 never comes, but it stays below 96: 96 - 95.
    holds(&weak_until(below(96.0), closed(0.0, 60.0), above(100.0)), Truth::True, 1.0);
}

#[test]
fn truth_separates_what_robustness_0_does_not() {
    let at = |relation| always(closed(0.0, 50.0), compare(metric("temp"), relation, number(95.0)));
    holds(&at(Relation::AtMost), Truth::True, 0.0);
    holds(&at(Relation::Less), Truth::False, 0.0);
    let at = |relation| compare(metric("ipc"), relation, number(1.5));
    holds(&at(Relation::Equal), Truth::True, 0.0);
    holds(&at(Relation::Unequal), Truth::False, 0.0);
    holds(&compare(metric("ipc"), Relation::Equal, number(1.0)), Truth::False, -0.5);
    holds(&compare(metric("ipc"), Relation::Unequal, number(1.0)), Truth::True, 0.5);
}

#[test]
fn a_tuple_of_executions() {
    let (base, new) =
        (execution(1.0).scalar("runtime", 3.0), Observation::new().scalar("runtime", 2.5));
    let runtime = |run| Term::Metric(source(run, "runtime"));
    let ratio = binary(Arithmetic::Divide, runtime(0), runtime(1));
    let judged = judge(&compare(ratio.clone(), Relation::AtLeast, number(1.1)), &[&base, &new]);
    assert_eq!(judged.truth, Truth::True);
    assert!((judged.robustness.low - 0.1).abs() < 1e-12);
    assert_eq!(value(&ratio, &[&base, &new]).bounds.known(), Some(1.2));
}

#[test]
fn the_comparison_that_decides_is_named() {
    let power = at_place(greater(metric("power"), 10.0), 4, "W");
    let ipc = at_place(greater(metric("ipc"), 1.4), 20, "");
    let judged = judge(&implies(power.clone(), ipc), &[&x()]);
    assert_eq!(judged.decided_by, Some(Decider { unit: String::new(), span: 20..21, at: None }));
    let ipc = at_place(greater(metric("ipc"), 100.0), 20, "");
    let judged = judge(&implies(power, ipc), &[&x()]);
    assert_eq!(judged.decided_by, Some(Decider { unit: "W".into(), span: 4..5, at: None }));
    assert_eq!(judge(&event("alert"), &[&x()]).decided_by, None);
    // What is inside a number does not decide.
    let inner = at_place(greater(metric("temp"), 70.0), 9, "degC");
    let outer = at_place(less(share(inner), 10.3), 3, "");
    let judged = judge(&outer, &[&x()]);
    assert_eq!(judged.decided_by, Some(Decider { unit: String::new(), span: 3..4, at: None }));
}

#[test]
fn empty_windows_are_noted() {
    let judged = judge(&always(closed(101.0, 200.0), less(metric("temp"), 0.0)), &[&x()]);
    assert_eq!((judged.truth, judged.robustness.low), (Truth::True, INF));
    assert_eq!(judged.notes, [Note::EmptyWindow]);
    let judged = judge(&eventually(after(100.0, 200.0), less(metric("temp"), 99.0)), &[&x()]);
    assert_eq!((judged.truth, judged.robustness.high), (Truth::False, -INF));
    assert_eq!(judged.notes, [Note::EmptyWindow]);
    let judged = judge(&eventually(closed(100.0, 200.0), less(metric("temp"), 99.0)), &[&x()]);
    assert_eq!((judged.truth, judged.notes), (Truth::True, vec![]));
}
