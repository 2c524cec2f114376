//! Laws that hold for all formulas and executions.

use crate::make::*;
use crate::random::{Dice, Maker, Options, random_execution};
use fathom_property::{Formula, Judgement, Window, judge};
use fathom_record::{Events, Observation, Signal};
use proptest::prelude::*;

fn options() -> Options {
    Options { runs: 1, has_unknowns: true, is_sloped: false }
}

struct Case {
    seen: Observation,
    one: Formula,
    other: Formula,
    window: Window,
}

fn case(seed: u64, is_sloped: bool) -> Case {
    let mut dice = Dice::new(seed);
    let options = Options { is_sloped, ..options() };
    let seen = random_execution(&mut dice, &options);
    let mut maker = Maker { dice: &mut dice, options: &options };
    Case { seen, one: maker.formula(2), other: maker.formula(2), window: maker.window() }
}

fn same(a: &Judgement, b: &Judgement) -> bool {
    let is_near = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9;
    a.truth == b.truth
        && is_near(a.robustness.low, b.robustness.low)
        && is_near(a.robustness.high, b.robustness.high)
}

/// The same execution with its times changed.
fn retimed(seen: &Observation, change: impl Fn(f64) -> f64) -> Observation {
    let mut changed = Observation::new();
    changed.set_cut(seen.is_cut());
    changed.set_end(change(seen.end().unwrap())).unwrap();
    for (name, scalar) in seen.scalars() {
        changed.set_scalar(name, scalar.clone()).unwrap();
    }
    for (name, signal) in seen.signals() {
        let times = signal.times().iter().map(|&time| change(time)).collect();
        let signal =
            Signal::new(signal.unit().clone(), signal.shape(), times, signal.values().to_vec());
        changed.set_signal(name, signal.unwrap()).unwrap();
    }
    for (name, events) in seen.events() {
        let times = events.times().iter().map(|&time| change(time)).collect();
        let events = Events::new(times, events.attributes().clone()).unwrap();
        changed.set_events(name, events).unwrap();
    }
    changed
}

/// Whether a formula looks ahead only, and asks neither for the time nor for all of it.
fn looks_ahead(formula: &Formula) -> bool {
    let text = format!("{formula:?}");
    ["ShareOf", "Count", "Gap", "Over", "Edge"].iter().all(|word| !text.contains(word))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn always_is_never_not(seed: u64, is_sloped: bool) {
        let Case { seen, one, window, .. } = case(seed, is_sloped);
        let never_not = not(eventually(window, not(one.clone())));
        prop_assert!(same(&judge(&always(window, one), &[&seen]), &judge(&never_not, &[&seen])));
    }

    #[test]
    fn eventually_is_until_after_anything(seed: u64, is_sloped: bool) {
        let Case { seen, one, window, .. } = case(seed, is_sloped);
        let anything = until(Formula::Constant(true), window, one.clone());
        prop_assert!(same(&judge(&eventually(window, one), &[&seen]), &judge(&anything, &[&seen])));
    }

    #[test]
    fn until_is_now_or_after_now(seed: u64, is_sloped: bool) {
        let Case { seen, one, other, .. } = case(seed, is_sloped);
        let whole = until(one.clone(), Window::FROM_NOW, other.clone());
        let parts = or(other.clone(), until(one, after(0.0, INF), other));
        prop_assert!(same(&judge(&whole, &[&seen]), &judge(&parts, &[&seen])));
    }

    #[test]
    fn until_splits_where_windows_do(seed: u64, is_sloped: bool, middle in 0_u8..4) {
        let Case { seen, one, other, .. } = case(seed, is_sloped);
        let middle = f64::from(middle);
        let whole = until(one.clone(), closed(0.0, middle + 2.0), other.clone());
        let early = until(one.clone(), closed(0.0, middle), other.clone());
        let late = until(one, after(middle, middle + 2.0), other);
        prop_assert!(same(&judge(&whole, &[&seen]), &judge(&or(early, late), &[&seen])));
    }

    #[test]
    fn wider_windows_have_more(seed: u64, is_sloped: bool, more in 0_u8..4) {
        let Case { seen, one, window, .. } = case(seed, is_sloped);
        let wider = Window { to: window.to + f64::from(more), ..window };
        let (narrow, wide) =
            (judge(&eventually(window, one.clone()), &[&seen]), judge(&eventually(wider, one.clone()), &[&seen]));
        prop_assert!(narrow.robustness.low <= wide.robustness.low);
        prop_assert!(narrow.robustness.high <= wide.robustness.high);
        let (narrow, wide) = (judge(&always(window, one.clone()), &[&seen]), judge(&always(wider, one), &[&seen]));
        prop_assert!(narrow.robustness.low >= wide.robustness.low);
        prop_assert!(narrow.robustness.high >= wide.robustness.high);
    }

    #[test]
    fn later_is_the_same_later(seed: u64, is_sloped: bool, later in 1_u8..5) {
        let Case { seen, one, .. } = case(seed, is_sloped);
        prop_assume!(looks_ahead(&one));
        let later = f64::from(later);
        let shifted = retimed(&seen, |time| time + later);
        let then = eventually(closed(later, later), one.clone());
        prop_assert!(same(&judge(&one, &[&seen]), &judge(&then, &[&shifted])));
    }

    #[test]
    fn a_formula_is_as_true_as_its_repetition(seed: u64, is_sloped: bool) {
        let Case { seen, one, other, window } = case(seed, is_sloped);
        let a = always(window, and(one.clone(), other.clone()));
        let b = and(always(window, one), always(window, other));
        prop_assert!(same(&judge(&a, &[&seen]), &judge(&b, &[&seen])));
    }
}
