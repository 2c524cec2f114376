//! 12,000 formulas that rtamt judged. `testdata/vectors/make/monitor.py` says what both mean alike.

use crate::make::*;
use fathom_property::{Arithmetic, Formula, Relation, Term, Truth, Window, judge};
use fathom_record::Observation;
use fathom_testkit::vectors::load;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    /// Where samples are not at 0, 1, 2 and so on.
    end: Option<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    tx: Option<Vec<f64>>,
    ty: Option<Vec<f64>>,
    judged: Vec<(String, f64)>,
}

impl Case {
    fn execution(&self) -> Observation {
        let numbered = |values: &[f64]| (0..values.len()).map(|i| i as f64).collect();
        let end = self.end.unwrap_or(self.x.len() as f64 - 1.0);
        let times =
            |given: &Option<Vec<f64>>, values| given.clone().unwrap_or_else(|| numbered(values));
        execution(end).steps("x", &times(&self.tx, &self.x), &self.x).steps(
            "y",
            &times(&self.ty, &self.y),
            &self.y,
        )
    }
}

/// Reads a formula in prefix notation.
fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Formula {
    let word = words.next().unwrap();
    let mut inner = || read(words);
    let bounds = || {
        let (from, to) = word[1..].split_once(':')?;
        Some(closed(from.parse().ok()?, to.parse().ok()?))
    };
    let window = bounds().unwrap_or(Window::FROM_NOW);
    let is_temporal = word.len() == 1 || bounds().is_some();
    match &word[..1] {
        "!" => not(inner()),
        "&" => and(inner(), inner()),
        "|" => or(inner(), inner()),
        ">" => implies(inner(), inner()),
        "G" | "g" => always(window, inner()),
        "F" | "f" => eventually(window, inner()),
        "U" | "u" => until(inner(), window, inner()),
        "D" | "d" if is_temporal => {
            let (left, right) = (inner(), inner());
            until(left.clone(), window, and(left, right))
        }
        _ => comparison(word),
    }
}

fn comparison(word: &str) -> Formula {
    let (x, y) = (|| metric("x"), || metric("y"));
    let difference = || binary(Arithmetic::Subtract, x(), y());
    let term = match &word[..1] {
        "x" => x(),
        "y" => y(),
        "d" => difference(),
        "s" => binary(Arithmetic::Add, x(), y()),
        "a" => Term::Magnitude(Box::new(difference())),
        "n" => Term::Scale(Box::new(x()), -2.0, 1.0),
        other => panic!("{other} is no term"),
    };
    let limit = |text: &str| number(text.parse().unwrap());
    let rest = &word[1..];
    let (relation, text) = match (rest.strip_prefix("<="), rest.strip_prefix(">=")) {
        (Some(text), _) => (Relation::AtMost, text),
        (_, Some(text)) => (Relation::AtLeast, text),
        _ if rest.starts_with('<') => (Relation::Less, &rest[1..]),
        _ => (Relation::Greater, &rest[1..]),
    };
    compare(term, relation, limit(text))
}

/// How many of a file's formulas there are; all must agree.
fn agree(file: &str) -> usize {
    let (mut all, mut failures) = (0, Vec::new());
    for case in load::<Case>(file) {
        let seen = case.execution();
        for (text, expected) in &case.judged {
            all += 1;
            let judged = judge(&read(&mut text.split(' ')), &[&seen]);
            let truth = match *expected {
                0.0 => judged.truth,
                robustness if robustness > 0.0 => Truth::True,
                _ => Truth::False,
            };
            if judged.robustness.known() != Some(*expected) || judged.truth != truth {
                failures.push(format!("{text}: {expected}, not {judged:?}"));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{file}: {} of {all}: {:#?}",
        failures.len(),
        &failures[..5.min(failures.len())]
    );
    all
}

#[test]
fn discrete_time_agrees() {
    assert_eq!(agree("monitor/discrete.json"), 6000);
}

#[test]
fn dense_time_agrees() {
    assert_eq!(agree("monitor/dense.json"), 6000);
}
