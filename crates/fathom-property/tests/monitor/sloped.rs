//! Signals with slopes, against the naive evaluator on a fine grid, and means over windows that
//! grow, against sums of many small parts.

use crate::make::*;
use crate::naive::Naive;
use crate::random::{Dice, Maker, Options, random_execution};
use fathom_property::{Aggregate, Formula, Relation, Term, Window, judge};
use fathom_record::Observation;

/// This many times for each unit. With slopes of 1 and whole numbers, lines cross at halves; what
/// is made of these crosses at quarters, and so on.
const PER_UNIT: f64 = 16.0;

const RELATIONS: [Relation; 6] = [
    Relation::Less,
    Relation::AtMost,
    Relation::Greater,
    Relation::AtLeast,
    Relation::Equal,
    Relation::Unequal,
];

fn term(dice: &mut Dice) -> Term {
    let metric = metric(dice.one_of(&["x", "x", "y"]));
    match dice.below(8) {
        0 => Term::Time(0),
        1 => Term::Remaining(0),
        2 => Term::Negate(Box::new(metric)),
        3 => Term::Magnitude(Box::new(metric)),
        4 => {
            let summary = dice.one_of(&[Aggregate::Least, Aggregate::Greatest]);
            let from = dice.whole(-2, 1);
            let to = from + dice.whole(0, 3);
            Term::OverTime(summary, Some(closed(from, to)), Box::new(metric))
        }
        _ => metric,
    }
}

fn formula(dice: &mut Dice, options: &Options, depth: usize) -> Formula {
    if depth == 0 {
        return match dice.below(8) {
            0 => event("e"),
            1 => state("s"),
            2 => {
                // Crosses at halves.
                let (from, width) = (dice.whole(-2, 1), dice.whole(1, 3));
                let of = formula(dice, options, 0);
                let share = share_in(closed(from, from + width), of);
                let limit = dice.whole(0, 2 * width as i64) / (2.0 * width);
                compare(share, dice.one_of(&RELATIONS), number(limit))
            }
            _ => compare(term(dice), dice.one_of(&RELATIONS), number(dice.whole(-2, 2))),
        };
    }
    let window = Maker { dice, options }.window();
    let mut inner = || formula(dice, options, depth - 1);
    let (a, b) = (inner(), inner());
    match dice.below(8) {
        0 => not(a),
        1 => and(a, b),
        2 => Formula::Iff(Box::new(a), Box::new(b)),
        3 | 4 => always(window, a),
        5 => eventually(window, a),
        6 => weak_until(a, window, b),
        _ => until(a, window, b),
    }
}

/// Whether robustness crosses on the grid too.
fn is_on_grid(formula: &Formula) -> bool {
    !format!("{formula:?}").contains("ShareOfTime")
}

#[test]
fn lines_agree() {
    let options = Options { runs: 1, has_unknowns: false, is_sloped: true };
    let mut truths = [0; 4];
    for seed in 0..4000 {
        let mut dice = Dice::new(seed);
        let mut seen = random_execution(&mut dice, &options);
        seen.set_cut(dice.once_in(5));
        let formula = formula(&mut dice, &options, 1 + (seed % 2) as usize);
        let judged = judge(&formula, &[&seen]);
        let naive = Naive { runs: &[&seen], per_unit: PER_UNIT }.judge(&formula);
        let told = || {
            let seen = serde_json::to_string(&seen).unwrap();
            format!("seed {seed}: {formula:?}\n{judged:?}\n{naive:?}\n{seen}")
        };
        assert_eq!(judged.truth, naive.truth(), "{}", told());
        if is_on_grid(&formula) {
            let found = (judged.robustness.low, judged.robustness.high);
            assert_eq!(found, naive.robustness, "{}", told());
        }
        truths[judged.truth as usize] += 1;
    }
    assert!(truths[0] > 500 && truths[1] > 500, "{truths:?}");
}

/// The mean over the part of a window that was seen, by many small parts.
fn mean_around(time: f64, window: &Window, times: &[f64], values: &[f64]) -> f64 {
    let end = *times.last().unwrap();
    let (from, to) = ((time + window.from).max(0.0), (time + window.to).min(end));
    let value = |time: f64| {
        let i = times.iter().rposition(|&t| t <= time).unwrap().min(times.len() - 2);
        let fraction = (time - times[i]) / (times[i + 1] - times[i]);
        values[i] + fraction * (values[i + 1] - values[i])
    };
    let parts = 400;
    (0..parts)
        .map(|i| value(from + (to - from) * (f64::from(i) + 0.5) / f64::from(parts)))
        .sum::<f64>()
        / f64::from(parts)
}

#[test]
fn means_over_windows_that_grow_stay_between_their_bounds() {
    let mut dice = Dice::new(7);
    for _ in 0..200 {
        let times: Vec<f64> = (0..6).map(f64::from).collect();
        let values: Vec<f64> = times.iter().map(|_| dice.whole(-3, 3)).collect();
        let seen: Observation = execution(5.0).lines("x", &times, &values);
        let window = closed(-dice.whole(0, 4), dice.whole(1, 3));
        let mean = Term::OverTime(Aggregate::Mean, Some(window), Box::new(metric("x")));
        let judged = judge(&always(Window::FROM_NOW, greater(mean.clone(), 0.0)), &[&seen]);
        let least = (0..=500)
            .map(|i| mean_around(f64::from(i) / 100.0, &window, &times, &values))
            .fold(INF, f64::min);
        let (low, high) = (judged.robustness.low, judged.robustness.high);
        assert!(low <= least + 1e-4 && least <= high + 1e-4, "{least} is not in {judged:?}");
        assert!(high - low < 0.05, "{judged:?} says too little: {values:?} {window:?}");
        // At times at which something changes it is known.
        for &now in &times {
            let there = eventually(closed(now, now), greater(mean.clone(), 0.0));
            let known = judge(&there, &[&seen]).robustness.known().unwrap();
            let near = mean_around(now, &window, &times, &values);
            assert!((known - near).abs() < 1e-2, "{known} is not {near} at {now}");
        }
    }
}

#[test]
fn integrals_of_slopes() {
    // x = t: its integral up to 4 is 8, its mean 2, its median 2, of [1, 3] the mean is 2.
    let seen = execution(4.0).lines("x", &[0.0, 4.0], &[0.0, 4.0]);
    let whole = |summary| {
        let term = Term::OverTime(summary, None, Box::new(metric("x")));
        fathom_property::value(&term, &[&seen]).bounds.known().unwrap()
    };
    assert_eq!(whole(Aggregate::Sum), 8.0);
    assert_eq!(whole(Aggregate::Mean), 2.0);
    assert_eq!(whole(Aggregate::Percentile(50.0)), 2.0);
    assert_eq!(whole(Aggregate::Percentile(100.0)), 4.0);
    assert_eq!(whole(Aggregate::Percentile(0.0)), 0.0);
    let window = Some(closed(1.0, 3.0));
    let mean = Term::OverTime(Aggregate::Mean, window, Box::new(metric("x")));
    assert_eq!(fathom_property::value(&mean, &[&seen]).bounds.known(), Some(2.0));
    // x > 3 on a quarter of the time.
    let share = share(greater(metric("x"), 3.0));
    assert_eq!(fathom_property::value(&share, &[&seen]).bounds.known(), Some(0.25));
}

#[test]
fn a_line_that_touches_a_limit() {
    // Up to 2 at time 2, and down again.
    let seen = execution(4.0).lines("x", &[0.0, 2.0, 4.0], &[0.0, 2.0, 0.0]);
    let holds = |formula: &Formula| judge(formula, &[&seen]).truth == fathom_property::Truth::True;
    let now = Window::FROM_NOW;
    assert!(!holds(&always(now, less(metric("x"), 2.0))));
    assert!(holds(&always(half_open(0.0, 2.0), less(metric("x"), 2.0))));
    assert!(holds(&always(now, compare(metric("x"), Relation::AtMost, number(2.0)))));
    assert!(holds(&eventually(now, compare(metric("x"), Relation::Equal, number(2.0)))));
    assert!(!holds(&eventually(
        half_open(0.0, 2.0),
        compare(metric("x"), Relation::Equal, number(2.0))
    )));
    // Above 1 from just after 1: not at 1, but at once after it.
    assert!(!holds(&eventually(closed(0.0, 1.0), greater(metric("x"), 1.0))));
    assert!(holds(&eventually(closed(0.0, 1.5), greater(metric("x"), 1.0))));
    assert!(holds(&until(
        less(metric("x"), 2.0),
        now,
        compare(metric("x"), Relation::Equal, number(2.0))
    )));
}
