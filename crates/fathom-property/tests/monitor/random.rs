//! Random formulas on random executions, against the naive evaluator.

use crate::make::*;
use crate::naive::Naive;
use fathom_property::{
    Aggregate, Arithmetic, Edge, EventAttribute, Formula, Happening, NumberFunction, Occurrence,
    Relation, Term, Window, judge,
};
use fathom_record::Observation;

/// A small generator of random numbers (SplitMix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to n - 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A whole number between two, both included.
    pub(crate) fn whole(&mut self, from: i64, to: i64) -> f64 {
        (from + self.below((to - from + 1) as usize) as i64) as f64
    }

    /// Once in n times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

pub(crate) struct Options {
    /// How many executions a formula refers to.
    pub(crate) runs: usize,
    /// Whether executions may be cut, and values missing.
    pub(crate) has_unknowns: bool,
    /// Slopes of at most 1 instead of steps.
    pub(crate) is_sloped: bool,
}

pub(crate) fn random_execution(dice: &mut Dice, options: &Options) -> Observation {
    let end = if dice.once_in(20) { 0.0 } else { dice.whole(1, 7) };
    let is_missing = |dice: &mut Dice| options.has_unknowns && dice.once_in(20);
    let mut seen = execution(end);
    for name in ["x", "y", "s"] {
        if is_missing(dice) {
            continue;
        }
        let mut times = vec![];
        let mut values: Vec<f64> = vec![];
        let has_gaps = is_missing(dice) || is_missing(dice);
        for time in 0..=(end as i64) {
            let is_in = if time == 0 { !has_gaps || !dice.once_in(3) } else { dice.once_in(2) };
            if is_in || (options.is_sloped && name != "s") {
                times.push(time as f64);
                let value = match (name, options.is_sloped, values.last()) {
                    ("s", ..) => dice.whole(0, 1),
                    (_, true, Some(last)) => (last + dice.whole(-1, 1)).clamp(-3.0, 3.0),
                    _ => dice.whole(-3, 3),
                };
                values.push(if has_gaps && dice.once_in(4) { f64::NAN } else { value });
                if options.is_sloped && values.last().is_some_and(|value| value.is_nan()) {
                    *values.last_mut().unwrap() = 0.0;
                }
            }
        }
        if times.is_empty() {
            (times, values) = (vec![end], vec![1.0]);
        }
        let is_line = options.is_sloped && name != "s" && (name == "x" || dice.once_in(2));
        seen = if is_line {
            seen.lines(name, &times, &values)
        } else {
            seen.steps(name, &times, &values)
        };
    }
    for name in ["e", "f"] {
        if is_missing(dice) {
            continue;
        }
        let n = dice.one_of(&[0, 1, 2, 3, 5]);
        let mut times: Vec<f64> = (0..n).map(|_| dice.whole(0, end as i64)).collect();
        times.sort_by(f64::total_cmp);
        let value = |dice: &mut Dice| {
            if options.has_unknowns && dice.once_in(10) { f64::NAN } else { dice.whole(-3, 3) }
        };
        let values: Vec<f64> = (0..n).map(|_| value(dice)).collect();
        seen = seen.events(name, &times, &[("v", &values)]);
    }
    if !is_missing(dice) {
        seen = match options.has_unknowns && dice.once_in(4) {
            true => seen.at_least("k", dice.whole(-2, 2)),
            false => seen.scalar("k", dice.whole(-2, 2)),
        };
    }
    if options.has_unknowns && dice.once_in(3) { seen.cut() } else { seen }
}

pub(crate) struct Maker<'a> {
    pub(crate) dice: &'a mut Dice,
    pub(crate) options: &'a Options,
}

const RELATIONS: [Relation; 6] = [
    Relation::Less,
    Relation::AtMost,
    Relation::Greater,
    Relation::AtLeast,
    Relation::Equal,
    Relation::Unequal,
];

impl Maker<'_> {
    fn run(&mut self) -> usize {
        self.dice.below(self.options.runs)
    }

    fn source(&mut self, names: &[&str]) -> fathom_property::QualifiedName {
        let run = self.run();
        source(run, self.dice.one_of(names))
    }

    pub(crate) fn window(&mut self) -> Window {
        let from = self.dice.whole(0, 3);
        let to = if self.dice.once_in(4) { INF } else { from + self.dice.whole(0, 3) };
        self.with_ends(from, to)
    }

    /// A window that may begin before the present.
    fn around(&mut self) -> Window {
        let from = self.dice.whole(-4, 2);
        let to = from + self.dice.whole(1, 4);
        self.with_ends(from, to)
    }

    fn with_ends(&mut self, from: f64, to: f64) -> Window {
        Window {
            from,
            to,
            includes_from: !self.dice.once_in(3),
            includes_to: to.is_finite() && !self.dice.once_in(3),
        }
    }

    fn relation(&mut self) -> Relation {
        self.dice.one_of(&RELATIONS)
    }

    pub(crate) fn occurrence(&mut self, depth: usize) -> Occurrence {
        if depth > 0 && self.dice.once_in(3) {
            let edge = self.dice.one_of(&[Edge::Rise, Edge::Fall]);
            let what = Happening::Edge(edge, Box::new(self.formula(depth - 1)));
            return Occurrence { what, condition: None };
        }
        let what = Happening::Event(self.source(&["e", "f"]));
        let condition = self.dice.once_in(3).then(|| {
            let attribute = Term::Attribute("v".to_string());
            let (relation, limit) = (self.relation(), self.dice.whole(-1, 1));
            let own = match self.dice.below(4) {
                0 => {
                    let varies = Term::Metric(self.source(&["x"]));
                    let window = self.window();
                    eventually(window, compare(varies, relation, attribute))
                }
                1 => compare(attribute, relation, Term::Metric(self.source(&["x", "k"]))),
                _ => compare(attribute, relation, number(limit)),
            };
            match self.dice.below(4) {
                0 if depth > 0 => and(own, self.formula(depth - 1)),
                1 => not(own),
                _ => own,
            }
        });
        Occurrence { what, condition: condition.map(Box::new) }
    }

    fn summary(&mut self) -> Aggregate {
        let percentage = self.dice.one_of(&[0.0, 25.0, 50.0, 90.0, 100.0]);
        self.dice.one_of(&[
            Aggregate::Mean,
            Aggregate::Least,
            Aggregate::Greatest,
            Aggregate::Sum,
            Aggregate::GeometricMean,
            Aggregate::Percentile(percentage),
        ])
    }

    /// A term that is level between whole times.
    fn term(&mut self, depth: usize) -> Term {
        let kinds = if depth == 0 { 6 } else { 22 };
        match self.dice.below(kinds) {
            0..=3 => Term::Metric(self.source(&["x", "x", "y", "k"])),
            4 | 5 => number(self.dice.whole(-2, 2)),
            6 => Term::Negate(Box::new(self.term(depth - 1))),
            7 => Term::Magnitude(Box::new(self.term(depth - 1))),
            8 => Term::Scale(Box::new(self.term(depth - 1)), self.dice.whole(-2, 2), 2.0),
            9..=11 => {
                let operator = self.dice.one_of(&[
                    Arithmetic::Add,
                    Arithmetic::Subtract,
                    Arithmetic::Multiply,
                    Arithmetic::Divide,
                    Arithmetic::Smaller,
                    Arithmetic::Larger,
                ]);
                binary(operator, self.term(depth - 1), self.term(depth - 1))
            }
            20 | 21 => {
                let function = self.dice.one_of(&[
                    NumberFunction::Logarithm,
                    NumberFunction::Exponential,
                    NumberFunction::SquareRoot,
                    NumberFunction::Power(2.0),
                    NumberFunction::Power(-1.0),
                    NumberFunction::Power(0.5),
                ]);
                Term::Function(function, Box::new(self.term(depth - 1)))
            }
            12 => share(self.formula(depth - 1)),
            13 => {
                let body = self.body(depth - 1);
                share_at(body, self.occurrence(depth - 1))
            }
            14 => Term::Count(None, self.occurrence(depth - 1)),
            15 => {
                let window = self.around();
                Term::Count(Some(window), self.occurrence(depth - 1))
            }
            16 => Term::Gap(self.occurrence(depth - 1)),
            17 => {
                let summary = self.summary();
                Term::OverTime(summary, None, Box::new(self.term(depth - 1)))
            }
            18 => {
                let summary = self.dice.one_of(&[Aggregate::Least, Aggregate::Greatest]);
                let window = self.around();
                Term::OverTime(summary, Some(window), Box::new(self.term(depth - 1)))
            }
            _ => {
                let summary = self.summary();
                let window = self.dice.once_in(2).then(|| self.around());
                let condition = self.occurrence(0).condition;
                let of = Occurrence { what: Happening::Event(self.source(&["e", "f"])), condition };
                Term::OverEvents(summary, window, EventAttribute { attribute: "v".to_string(), of })
            }
        }
    }

    /// A formula that is level between whole times.
    pub(crate) fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 || self.dice.once_in(6) {
            return match self.dice.below(12) {
                0 => Formula::Constant(self.dice.once_in(2)),
                1 | 2 => Formula::State(self.source(&["s"])),
                3 | 4 => Formula::Event(self.source(&["e", "f"])),
                _ => {
                    let (left, relation) = (self.term(depth), self.relation());
                    let right = match self.dice.once_in(4) {
                        true => self.term(depth),
                        false => number(self.dice.whole(-2, 2)),
                    };
                    compare(left, relation, right)
                }
            };
        }
        let depth = depth - 1;
        match self.dice.below(12) {
            0 => not(self.formula(depth)),
            1 => and(self.formula(depth), self.formula(depth)),
            2 => or(self.formula(depth), self.formula(depth)),
            3 => implies(self.formula(depth), self.formula(depth)),
            4 => Formula::Iff(Box::new(self.formula(depth)), Box::new(self.formula(depth))),
            5 => {
                let edge = self.dice.one_of(&[Edge::Rise, Edge::Fall]);
                Formula::Edge(edge, Box::new(self.formula(depth)))
            }
            6 | 7 => always(self.window(), self.formula(depth)),
            8 | 9 => eventually(self.window(), self.formula(depth)),
            10 => weak_until(self.formula(depth), self.window(), self.formula(depth)),
            _ => until(self.formula(depth), self.window(), self.formula(depth)),
        }
    }

    /// A formula that is asked at whole times only.
    pub(crate) fn body(&mut self, depth: usize) -> Formula {
        if self.dice.once_in(3) {
            return self.formula(depth);
        }
        if depth > 0 && self.dice.once_in(4) {
            return match self.dice.below(3) {
                0 => not(self.body(depth - 1)),
                1 => and(self.body(depth - 1), self.body(depth - 1)),
                _ => implies(self.body(depth - 1), self.body(depth - 1)),
            };
        }
        let window = self.around();
        let left = match self.dice.below(4) {
            0 => {
                let summary = self.summary();
                Term::OverTime(summary, Some(window), Box::new(self.term(depth.min(1))))
            }
            _ => share_in(window, self.formula(depth)),
        };
        let limit = self.dice.whole(-2, 8) / 4.0;
        compare(left, self.relation(), number(limit))
    }
}

fn is_near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < 1e-9
}

/// Judges formulas both ways; `per_unit` times of the grid for each unit of time.
fn agree(seeds: std::ops::Range<u64>, options: &Options, depth: usize) {
    let mut truths = [0; 4];
    let mut failures: Vec<String> = Vec::new();
    for seed in seeds {
        let mut dice = Dice::new(seed);
        let runs: Vec<Observation> =
            (0..options.runs).map(|_| random_execution(&mut dice, options)).collect();
        let runs: Vec<&Observation> = runs.iter().collect();
        let formula = Maker { dice: &mut dice, options }.body(depth);
        let judged = judge(&formula, &runs);
        let naive = Naive { runs: &runs, per_unit: 1.0 }.judge(&formula);
        let (low, high) = naive.robustness;
        let agrees = judged.truth == naive.truth()
            && is_near(judged.robustness.low, low)
            && is_near(judged.robustness.high, high);
        if !agrees {
            let text = format!("{formula:?}").replace(", unit: \"\", span: 0..1", "");
            let written: Vec<String> =
                runs.iter().map(|run| serde_json::to_string(run).unwrap()).collect();
            let text =
                format!("seed {seed}: {text}\n{judged:?}\n{naive:?}\n{}", written.join("\n"));
            failures.push(text);
            continue;
        }
        truths[judged.truth as usize] += 1;
    }
    failures.sort_by_key(String::len);
    assert!(failures.is_empty(), "{} disagree; the shortest: {}", failures.len(), failures[0]);
    // All of these must occur, or the test shows nothing.
    let rarest = truths[..if options.has_unknowns { 4 } else { 2 }].iter().min().unwrap();
    assert!(*rarest > 20, "{truths:?}");
}

#[test]
fn complete_executions() {
    let options = Options { runs: 1, has_unknowns: false, is_sloped: false };
    agree(0..8000, &options, 3);
}

#[test]
fn cut_executions_and_missing_values() {
    let options = Options { runs: 1, has_unknowns: true, is_sloped: false };
    agree(100_000..108_000, &options, 3);
}

#[test]
fn tuples() {
    let options = Options { runs: 2, has_unknowns: true, is_sloped: false };
    agree(200_000..205_000, &options, 3);
}
