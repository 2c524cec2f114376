//! What is not known, and why: cut executions, missing values, and no occasion.

use crate::make::*;
use fathom_property::{
    Aggregate, Arithmetic, Bounds, EventAttribute, Formula, Note, Occurrence, Relation, Term,
    Truth, Window, judge, value,
};
use fathom_record::Observation;

fn truth(formula: &Formula, seen: &Observation) -> Truth {
    judge(formula, &[seen]).truth
}

/// Below 2 up to 6, then above; it was cut before the end.
fn cut() -> Observation {
    execution(10.0).steps("x", &[0.0, 6.0], &[1.0, 3.0]).events("e", &[2.0, 4.0], &[]).cut()
}

#[test]
fn what_comes_after_a_cut_is_unknown() {
    let below = || less(metric("x"), 2.0);
    // A contradiction was seen, and stays one.
    assert_eq!(truth(&always(Window::FROM_NOW, below()), &cut()), Truth::False);
    assert_eq!(truth(&always(Window::FROM_NOW, less(metric("x"), 4.0)), &cut()), Truth::Unknown);
    assert_eq!(truth(&always(closed(0.0, 10.0), less(metric("x"), 4.0)), &cut()), Truth::True);
    assert_eq!(truth(&always(closed(0.0, 11.0), less(metric("x"), 4.0)), &cut()), Truth::Unknown);
    assert_eq!(
        truth(&eventually(Window::FROM_NOW, less(metric("x"), 0.0)), &cut()),
        Truth::Unknown
    );
    assert_eq!(truth(&eventually(closed(0.0, 9.0), less(metric("x"), 0.0)), &cut()), Truth::False);
    let stays = |limit| until(less(metric("x"), limit), Window::FROM_NOW, less(metric("x"), 0.0));
    assert_eq!(truth(&stays(2.0), &cut()), Truth::False);
    assert_eq!(truth(&stays(4.0), &cut()), Truth::Unknown);
    // The margin up to the cut is a bound.
    let judged = judge(&always(Window::FROM_NOW, less(metric("x"), 4.0)), &[&cut()]);
    assert_eq!(judged.robustness, Bounds { low: -INF, high: 1.0 });
    // True everywhere is true, and true at some time takes one.
    assert_eq!(truth(&always(Window::FROM_NOW, Formula::Constant(true)), &cut()), Truth::True);
    let late = eventually(closed(20.0, 30.0), Formula::Constant(true));
    assert_eq!(truth(&late, &cut()), Truth::Unknown);
}

#[test]
fn numbers_of_a_cut_execution_are_bounds() {
    let of = |term: &Term| value(term, &[&cut()]).bounds;
    let open = |low| Bounds { low, high: INF };
    assert_eq!(of(&Term::Duration(0)), open(10.0));
    assert_eq!(of(&Term::Remaining(0)), open(10.0));
    assert_eq!(of(&Term::Count(None, occurrence("e"))), open(2.0));
    let over = |summary, window| Term::OverTime(summary, window, Box::new(metric("x")));
    assert_eq!(of(&over(Aggregate::Greatest, None)), open(3.0));
    assert_eq!(of(&over(Aggregate::Least, None)), Bounds { low: -INF, high: 1.0 });
    assert_eq!(of(&over(Aggregate::Mean, None)), Bounds::UNKNOWN);
    assert_eq!(of(&over(Aggregate::Mean, Some(closed(0.0, 10.0)))), Bounds::exactly(1.8));
    assert_eq!(of(&over(Aggregate::Mean, Some(closed(0.0, 11.0)))), Bounds::UNKNOWN);
    assert_eq!(of(&Term::Gap(occurrence("e"))), Bounds::UNKNOWN);
    assert_eq!(of(&share(less(metric("x"), 2.0))), Bounds::UNKNOWN);
    // 6 of 12 for sure, and perhaps 2 more.
    let share = share_in(closed(0.0, 12.0), less(metric("x"), 2.0));
    assert_eq!(of(&share), Bounds { low: 0.5, high: 8.0 / 12.0 });
    let seen = Observation::new().at_least("runtime", 8.0).scalar("limit", 4.0);
    let slow = compare(metric("runtime"), Relation::Greater, metric("limit"));
    assert_eq!(truth(&slow, &seen), Truth::True);
    assert_eq!(truth(&less(metric("runtime"), 9.0), &seen), Truth::Unknown);
    let ratio = binary(Arithmetic::Divide, metric("limit"), metric("runtime"));
    assert_eq!(value(&ratio, &[&seen]).bounds, Bounds { low: 0.0, high: 0.5 });
}

#[test]
fn summaries_of_a_cut_execution_in_windows() {
    let seen = execution(5.0).events("e", &[1.0, 4.0], &[("v", &[3.0, 7.0])]).cut();
    let over = |summary, to| {
        let of = EventAttribute { attribute: "v".into(), of: occurrence("e") };
        value(&Term::OverEvents(summary, Some(closed(0.0, to)), of), &[&seen]).bounds
    };
    assert_eq!(over(Aggregate::Greatest, 5.0), Bounds::exactly(7.0));
    assert_eq!(over(Aggregate::Greatest, 6.0), Bounds { low: 7.0, high: INF });
    assert_eq!(over(Aggregate::Least, 6.0), Bounds { low: -INF, high: 3.0 });
    assert_eq!(over(Aggregate::Mean, 5.0), Bounds::exactly(5.0));
    assert_eq!(over(Aggregate::Mean, 6.0), Bounds::UNKNOWN);
}

#[test]
fn occurrences_that_may_count() {
    // For sure those at 1 and 2; perhaps those at 3 and 4, whose attribute is missing.
    let nan = f64::NAN;
    let seen = execution(5.0)
        .events("e", &[1.0, 2.0, 3.0, 4.0], &[("v", &[1.0, 1.0, nan, nan])])
        .in_state("s", &[(1.0, 2.0), (3.0, 4.0)]);
    let condition = greater(Term::Attribute("v".into()), 0.0);
    let some = Occurrence { condition: Some(Box::new(condition)), ..occurrence("e") };
    // 1 of 2; at worst the one at 4 counts too, at best the one at 3.
    let asked = value(&share_at(state("s"), some.clone()), &[&seen]).bounds;
    assert_eq!(asked, Bounds { low: 1.0 / 3.0, high: 2.0 / 3.0 });
    let asked = value(&Term::Count(None, some), &[&seen]).bounds;
    assert_eq!(asked, Bounds { low: 2.0, high: 4.0 });
}

#[test]
fn what_is_missing_is_unknown_and_noted() {
    let seen =
        execution(4.0).scalar("k", f64::NAN).steps("x", &[0.0, 1.0, 2.0], &[1.0, f64::NAN, 1.0]);
    let judged = judge(&less(metric("gone"), 1.0), &[&seen]);
    assert_eq!((judged.truth, judged.robustness), (Truth::Unknown, Bounds::UNKNOWN));
    assert_eq!(judged.notes, [Note::Missing("gone".into())]);
    assert_eq!(judge(&less(metric("k"), 1.0), &[&seen]).notes, [Note::Missing("k".into())]);
    assert_eq!(truth(&event("gone"), &seen), Truth::Unknown);
    assert_eq!(truth(&state("gone"), &seen), Truth::Unknown);
    // Another execution than there is.
    assert_eq!(truth(&less(Term::Metric(source(3, "x")), 1.0), &seen), Truth::Unknown);
    // A gap in a signal matters only where it does.
    let below = |limit| less(metric("x"), limit);
    assert_eq!(truth(&always(Window::FROM_NOW, below(2.0)), &seen), Truth::Unknown);
    assert_eq!(truth(&always(Window::FROM_NOW, below(0.0)), &seen), Truth::False);
    assert_eq!(truth(&always(half_open(0.0, 1.0), below(2.0)), &seen), Truth::True);
    assert_eq!(value(&share(below(2.0)), &[&seen]).bounds, Bounds { low: 0.75, high: 1.0 });
    // Whatever it is, it is itself or it is not; but the two sides are looked at one by one.
    let unsure = || less(metric("gone"), 1.0);
    assert_eq!(truth(&or(unsure(), not(unsure())), &seen), Truth::Unknown);
    let ratio = |a, b| binary(Arithmetic::Divide, number(a), number(b));
    assert_eq!(value(&ratio(0.0, 0.0), &[&seen]).bounds, Bounds::UNKNOWN);
    assert_eq!(value(&ratio(1.0, 0.0), &[&seen]).bounds, Bounds::UNKNOWN);
}

/// Nothing of a kind happened: no requests, one tick.
fn quiet() -> Observation {
    execution(10.0).events("request", &[], &[("latency", &[])]).events("tick", &[3.0], &[])
}

fn answered() -> Formula {
    let soon = eventually(closed(0.0, 1.0), event("tick"));
    greater(share_at(soon, occurrence("request")), 0.9)
}

#[test]
fn no_occasion_is_vacuous() {
    let latency = |summary| {
        let of = EventAttribute { attribute: "latency".into(), of: occurrence("request") };
        Term::OverEvents(summary, None, of)
    };
    assert_eq!(truth(&answered(), &quiet()), Truth::Vacuous);
    assert_eq!(truth(&not(answered()), &quiet()), Truth::Vacuous);
    assert_eq!(truth(&less(latency(Aggregate::Greatest), 5.0), &quiet()), Truth::Vacuous);
    assert_eq!(truth(&greater(Term::Gap(occurrence("tick")), 5.0), &quiet()), Truth::Vacuous);
    // Of none, the sum and the number are 0.
    assert_eq!(truth(&less(latency(Aggregate::Sum), 5.0), &quiet()), Truth::True);
    let count = Term::Count(None, occurrence("request"));
    assert_eq!(truth(&greater(count, 0.0), &quiet()), Truth::False);
    let asked = value(&latency(Aggregate::Mean), &[&quiet()]);
    assert!(asked.is_vacuous && asked.bounds == Bounds::UNKNOWN);
    // If it was cut, some may have come later.
    assert_eq!(truth(&answered(), &quiet().cut()), Truth::Unknown);
    let condition = Some(Box::new(Formula::Constant(false)));
    let never = Occurrence { condition, ..occurrence("tick") };
    assert_eq!(truth(&greater(share_at(event("tick"), never), 0.5), &quiet()), Truth::Vacuous);
}

#[test]
fn vacuous_only_if_nothing_else_is_unknown() {
    let gone = || less(metric("gone"), 1.0);
    let (yes, no) = (|| Formula::Constant(true), || Formula::Constant(false));
    // Whatever is missing, it is at worst vacuous.
    assert_eq!(truth(&or(answered(), gone()), &quiet()), Truth::Vacuous);
    // What is missing may make it false.
    assert_eq!(truth(&and(answered(), gone()), &quiet()), Truth::Unknown);
    assert_eq!(truth(&and(answered(), yes()), &quiet()), Truth::Vacuous);
    assert_eq!(truth(&and(answered(), no()), &quiet()), Truth::False);
    assert_eq!(truth(&or(answered(), yes()), &quiet()), Truth::True);
    assert_eq!(truth(&or(answered(), no()), &quiet()), Truth::Vacuous);
    assert_eq!(truth(&implies(answered(), gone()), &quiet()), Truth::Vacuous);
    assert_eq!(truth(&always(Window::FROM_NOW, answered()), &quiet()), Truth::Vacuous);
    let until_tick = until(answered(), Window::FROM_NOW, event("tick"));
    assert_eq!(truth(&until_tick, &quiet()), Truth::Vacuous);
    // A share of something vacuous is vacuous too; a missing number next to it changes nothing.
    assert_eq!(truth(&greater(share(answered()), 0.5), &quiet()), Truth::Vacuous);
    let beside = |formula: Formula| {
        let Formula::Compare(comparison) = formula else { panic!("not a comparison") };
        compare(comparison.left, comparison.relation, metric("gone"))
    };
    assert_eq!(truth(&beside(answered()), &quiet()), Truth::Vacuous);
}

#[test]
fn only_the_instants_of_an_edge_count() {
    let seen = execution(10.0).in_state("s", &[(0.0, 2.0), (5.0, 7.0)]);
    let count = |edge| {
        let what = fathom_property::Happening::Edge(edge, Box::new(state("s")));
        value(&Term::Count(None, Occurrence { what, condition: None }), &[&seen]).bounds.known()
    };
    // At 0 nothing was before.
    assert_eq!(count(fathom_property::Edge::Rise), Some(1.0));
    assert_eq!(count(fathom_property::Edge::Fall), Some(2.0));
}

#[test]
fn nothing_that_can_be_written_panics() {
    let seen = execution(0.0).steps("x", &[0.0], &[1.0]).events("e", &[0.0, 0.0], &[]);
    let nan = f64::NAN;
    let odd =
        [closed(nan, 1.0), closed(2.0, 1.0), closed(INF, INF), closed(-INF, INF), closed(0.0, nan)];
    for seen in [&seen, &Observation::new(), &cut(), &seen.clone().cut()] {
        for window in odd {
            let inner = || greater(metric("x"), nan);
            for formula in [always(window, inner()), until(inner(), window, event("e"))] {
                let judged = judge(&formula, &[seen]);
                assert!(!judged.robustness.low.is_nan() && !judged.robustness.high.is_nan());
            }
            let percentile = Aggregate::Percentile(nan);
            for summary in [Aggregate::Mean, Aggregate::Sum, Aggregate::Least, percentile] {
                let over = Term::OverTime(summary, Some(window), Box::new(metric("x")));
                let bounds = value(&over, &[seen]).bounds;
                assert!(bounds.low <= bounds.high, "{bounds:?}");
                let over = Term::OverTime(summary, Some(window), Box::new(Term::Time(0)));
                let bounds = value(&over, &[seen]).bounds;
                assert!(bounds.low <= bounds.high, "{bounds:?}");
            }
            let terms = [
                share_in(window, inner()),
                Term::Count(Some(window), occurrence("e")),
                share_at(inner(), occurrence("e")),
            ];
            for term in terms {
                let bounds = value(&term, &[seen]).bounds;
                assert!(bounds.low <= bounds.high, "{bounds:?}");
            }
        }
        let _ = judge(&greater(Term::Attribute("a".into()), 1.0), &[seen]);
        let _ = judge(&greater(metric("x"), 1.0), &[]);
        let _ = judge(&always(closed(1.0, 2.0), Formula::Constant(true)), &[]);
    }
}
