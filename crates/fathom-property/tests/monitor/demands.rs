//! Whether a property was put to the test.

use crate::make::*;
use fathom_property::{Catalogue, Demands, Formula, Property, Relation, Truth, judge};
use fathom_record::Observation;

/// `a` is 5 from 10 to 20 and 0 elsewhere; `b` comes at 12; the execution ends at 50.
fn seen() -> Observation {
    execution(50.0)
        .scalar("x", 1.5)
        .steps("a", &[0.0, 10.0, 20.0], &[0.0, 5.0, 0.0])
        .events("b", &[12.0], &[])
        .events("never", &[], &[])
}

fn resolved(text: &str) -> (Formula, Vec<String>) {
    let property = Property::parse(text).unwrap();
    let catalogue = Catalogue::of(&seen());
    let formula = property.resolve(&[(String::new(), catalogue)]).unwrap().formula;
    (formula, property.conditions())
}

#[test]
fn a_condition_that_never_holds_tests_nothing() {
    for (text, is_vacuous, triggered) in [
        ("G(a > 3 -> F[0,2] b)", false, vec![true]),
        ("G(a > 30 -> F[0,2] b)", true, vec![false]),
        // Only times of the window are asked about.
        ("G[0,5](a > 3 -> F[0,2] b)", true, vec![false]),
        ("G[0,10](a > 3 -> F[0,2] b)", false, vec![true]),
        ("G(never -> F[0,2] b)", true, vec![false]),
        ("G(b -> a > 3)", false, vec![true]),
        // Of scalars as well.
        ("x > 1 -> x < 2", false, vec![true]),
        ("x > 2 -> x < 1", true, vec![false]),
        // One part is tested, the other is not.
        ("x < 2 and G(a > 30 -> b)", false, vec![false]),
        ("G(a > 30 -> b) and G(never -> b)", true, vec![false, false]),
        ("G(a > 3 -> (x > 2 -> b))", true, vec![true, false]),
        ("G(a > 3 -> G[0,1] (a > 30 -> b))", true, vec![true, false]),
        // A window that no execution reaches.
        ("G[100,200] a > 3", true, vec![]),
        ("G[10,200] a >= 0", false, vec![]),
        ("G(a > 3 -> G[100,200] a > 9)", true, vec![true]),
        // What may hold for another reason is left alone.
        ("F(a > 30 -> b)", false, vec![]),
        ("x < 2 or G(a > 30 -> b)", false, vec![]),
        ("not (x > 2)", false, vec![]),
        ("x < 2", false, vec![]),
        ("true", true, vec![]),
    ] {
        let (formula, conditions) = resolved(text);
        let seen = seen();
        let demands = Demands::of(&formula);
        assert_eq!(demands.triggered(&[&seen]), triggered, "{text}");
        assert_eq!(conditions.len(), triggered.len(), "{text}: {conditions:?}");
        assert_eq!(demands.are_none(&[&seen]), is_vacuous, "{text}");
        let judged = judge(&formula, &[&seen]).truth;
        assert!(!is_vacuous || judged == Truth::True, "{text}: nothing demanded, and {judged:?}");
    }
    assert_eq!(resolved("x < 2 and G( a > 30  -> b)").1, ["a > 30"]);
}

/// What is cut off says nothing of what would have come.
#[test]
fn a_cut_execution_is_not_called_untested() {
    let mut cut = seen();
    cut.set_cut(true);
    let (formula, _) = resolved("G(a > 30 -> F[0,2] b)");
    let demands = Demands::of(&formula);
    assert!(!demands.are_none(&[&cut]));
    assert!(demands.are_none(&[&seen()]));
}

#[test]
fn what_is_read_is_known() {
    let (formula, _) = resolved("G(a > 3 -> count(b where time > 1) == 1) and x < 2");
    let mentioned = fathom_property::Mentioned::in_formula(&formula);
    let names: Vec<&str> = mentioned.names.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["a", "b", "x"]);
    assert!(mentioned.has_equality && mentioned.has_time);
    let plain = compare(metric("x"), Relation::Less, number(2.0));
    assert!(!fathom_property::Mentioned::in_formula(&plain).has_equality);
}
