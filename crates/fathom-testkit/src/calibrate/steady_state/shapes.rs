//! Series made by hand, and whether they get the right class.

use super::{at, normal, percent, share, simulate, when};
use crate::markdown::MarkdownTable;
use crate::population::Generator;
use fathom_stats::steady_state::{Class, analyse};
use std::f64::consts::TAU;

/// A series made by hand, and the classes that are right for it.
#[derive(Debug, Clone, Copy)]
pub struct SeriesShape {
    /// What it looks like.
    pub name: &'static str,
    /// The right classes; two where both make sense.
    pub expected: &'static [Class],
    /// The standard deviation of the noise, relative to the level.
    pub noise: f64,
    /// The signal in standard deviations of the noise, for index i of n.
    pub signal: fn(f64, f64) -> f64,
}

const FLAT: &[Class] = &[Class::Flat];
const WARM_UP: &[Class] = &[Class::WarmUp];
const SLOW_DOWN: &[Class] = &[Class::SlowDown];
const NONE: &[Class] = &[Class::None];
const FLAT_OR_NONE: &[Class] = &[Class::Flat, Class::None];

const fn shape(
    name: &'static str,
    expected: &'static [Class],
    signal: fn(f64, f64) -> f64,
) -> SeriesShape {
    SeriesShape { name, expected, noise: 0.01, signal }
}

/// Every shape.
pub const SHAPES: [SeriesShape; 33] = [
    shape("nothing", FLAT, |_, _| 0.0),
    shape("5 sd slower, first 10%", WARM_UP, |i, n| when(i < 0.1 * n, 5.0)),
    shape("5 sd slower, first half", WARM_UP, |i, n| when(i < 0.5 * n, 5.0)),
    shape("2 sd slower, first 30%", WARM_UP, |i, n| when(i < 0.3 * n, 2.0)),
    shape("20 sd slower, first 3%", WARM_UP, |i, n| when(i < 0.03 * n, 20.0)),
    shape("20 sd slower, first 3 values", WARM_UP, |i, _| when(i < 3.0, 20.0)),
    shape("5 sd slower from 30% on", SLOW_DOWN, |i, n| when(i >= 0.3 * n, 5.0)),
    shape("2 sd slower from 60% on", SLOW_DOWN, |i, n| when(i >= 0.6 * n, 2.0)),
    shape("5 sd slower, last 20%", NONE, |i, n| when(i >= 0.8 * n, 5.0)),
    shape("5 sd slower, last 10%", NONE, |i, n| when(i >= 0.9 * n, 5.0)),
    shape("5 sd faster, last 10%", NONE, |i, n| when(i >= 0.9 * n, -5.0)),
    shape("exponential, 5 sd, τ = n/20", WARM_UP, |i, n| 5.0 * (-20.0 * i / n).exp()),
    shape("exponential, 20 sd, τ = n/20", WARM_UP, |i, n| 20.0 * (-20.0 * i / n).exp()),
    shape("exponential, 20 sd, τ = n/10", WARM_UP, |i, n| 20.0 * (-10.0 * i / n).exp()),
    shape("exponential, 100 sd, τ = n/10", WARM_UP, |i, n| 100.0 * (-10.0 * i / n).exp()),
    shape("exponential up, 20 sd, τ = n/10", SLOW_DOWN, |i, n| -20.0 * (-10.0 * i / n).exp()),
    shape("ramp down over 30%, 10 sd", WARM_UP, |i, n| 10.0 * (1.0 - i / (0.3 * n)).max(0.0)),
    shape("ramp down over half, 10 sd", WARM_UP, |i, n| 10.0 * (1.0 - 2.0 * i / n).max(0.0)),
    shape("ramp down to the end, 10 sd", NONE, |i, n| 10.0 * (1.0 - i / n)),
    shape("ramp up from half on, 20 sd", NONE, |i, n| 20.0 * (2.0 * i / n - 1.0).max(0.0)),
    shape("two steps down, at 10% and 30%", WARM_UP, |i, n| {
        when(i < 0.1 * n, 5.0) + when(i < 0.3 * n, 4.0)
    }),
    shape("stairs down, 8 to the end", NONE, |i, n| -4.0 * (8.0 * i / n).floor()),
    shape("slow, fast, between", SLOW_DOWN, |i, n| {
        when(i < 0.2 * n, 8.0) + when(i >= 0.4 * n, 4.0)
    }),
    shape("5 sd slower for 5% in the middle", FLAT, |i, n| {
        when((0.5 * n..0.55 * n).contains(&i), 5.0)
    }),
    shape("5 sd slower for 20% in the middle", NONE, |i, n| {
        when((0.5 * n..0.7 * n).contains(&i), 5.0)
    }),
    shape("period 2, 3 sd", FLAT, |i, _| when(i % 2.0 == 0.0, 6.0)),
    shape("period 10, 3 sd", FLAT, |i, _| 3.0 * (TAU * i / 10.0).sin()),
    shape("period n/6, 3 sd", FLAT_OR_NONE, |i, n| 3.0 * (TAU * 6.0 * i / n).sin()),
    shape("period n/3, 3 sd", FLAT_OR_NONE, |i, n| 3.0 * (TAU * 3.0 * i / n).sin()),
    shape("two alternating regimes, five of each", FLAT_OR_NONE, |i, n| {
        when((10.0 * i / n).floor() % 2.0 == 0.0, 5.0)
    }),
    shape("a spike of 50 sd every 20", FLAT, |i, _| when(i % 20.0 == 7.0, 50.0)),
    shape("one cold value, 50 sd", FLAT, |i, _| when(i == 0.0, 50.0)),
    SeriesShape {
        name: "a step of 0.3%, 3 sd, at 30%",
        expected: FLAT,
        noise: 0.001,
        signal: |i, n| when(i < 0.3 * n, 3.0),
    },
];

/// Shapes beyond the rule, simulated to say so.
const TOO_HARD: [SeriesShape; 3] = [
    shape("one period of n, 3 sd", FLAT_OR_NONE, |i, n| 3.0 * (TAU * i / n).sin()),
    shape("two cold values, 50 sd", WARM_UP, |i, _| when(i < 2.0, 50.0)),
    shape("ramp down to the end, 2 sd", NONE, |i, n| 2.0 * (1.0 - i / n)),
];

impl SeriesShape {
    /// A series of n values around 100.
    pub fn draw(&self, n: usize, rng: &mut Generator) -> Vec<f64> {
        let value = |i| 100.0 * (1.0 + self.noise * (normal(rng) + self.at(i, n)));
        (0..n).map(value).collect()
    }

    fn at(&self, i: usize, n: usize) -> f64 {
        (self.signal)(i as f64, n as f64)
    }

    /// The first index from which the signal stays within 0.5% of its end: the truth for warm-ups.
    fn settles(&self, n: usize) -> usize {
        let end = self.at(n - 1, n);
        let away = (0..n).rposition(|i| (self.at(i, n) - end).abs() * self.noise > 0.005);
        away.map_or(0, |last| last + 1)
    }
}

const SIZES: [usize; 3] = [50, 300, 1000];
const REPLICATES: usize = 1000;

/// The section of the page, and which shapes get a wrong class too often.
pub(super) struct Section {
    pub(super) text: String,
    pub(super) weak: Vec<String>,
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Flat => "flat",
        Class::WarmUp => "warm-up",
        Class::SlowDown => "slow-down",
        Class::None => "none",
    }
}

/// Simulates the shapes.
pub(super) fn section() -> Section {
    let shapes: Vec<&SeriesShape> = SHAPES.iter().chain(&TOO_HARD).collect();
    let cells = SIZES.len() * shapes.len();
    let draw = |cell: usize, rng: &mut Generator| {
        let series = shapes[cell % shapes.len()].draw(SIZES[cell / shapes.len()], rng);
        let found = analyse(&series, 0.0);
        (found.class, found.start)
    };
    let found = simulate(2, cells, |_| REPLICATES, draw);
    let mut text = format!(
        "\n## Classes of hand-made shapes\n\n\
         The share of series with the right class; for warm-ups and slow-downs also the median \
         start of the steady part, where right, against the first index from which the signal is \
         within 0.5% of its end. Noise of 1% unless stated. {REPLICATES} series per cell.\n\n"
    );
    let sizes = SIZES.iter().map(|n| format!("n = {n}"));
    let head = ["shape".to_string(), "right".to_string()].into_iter().chain(sizes);
    let mut table = MarkdownTable::new(head.chain(["else, n = 300".to_string()]));
    let mut weak = Vec::new();
    for (number, shape) in shapes.iter().enumerate() {
        let names: Vec<&str> = shape.expected.iter().map(|&class| class_name(class)).collect();
        let mut row = vec![shape.name.to_string(), names.join(" or ")];
        let (mut elsewhere, mut short) = (String::new(), Vec::new());
        for (size, &n) in SIZES.iter().enumerate() {
            let cell = &found[size * shapes.len() + number];
            let right = share(cell.iter().map(|(class, _)| shape.expected.contains(class)));
            let mut starts: Vec<usize> =
                cell.iter().filter(|(c, _)| shape.expected.contains(c)).map(|&(_, s)| s).collect();
            starts.sort_unstable();
            let settles = matches!(shape.expected, [Class::WarmUp] | [Class::SlowDown]);
            let start = if settles {
                format!(", {} ({})", at(&starts, 0.5), shape.settles(n))
            } else {
                String::new()
            };
            row.push(percent(right) + &start);
            if right < 0.9 {
                short.push(format!("{}% at n = {n}", percent(right)));
            }
            if n == 300 {
                elsewhere = wrong_classes(cell.iter().map(|&(class, _)| class), shape.expected);
            }
        }
        if !short.is_empty() {
            weak.push(format!("{} ({})", shape.name, short.join(", ")));
        }
        row.push(elsewhere);
        table.row(row);
    }
    text.push_str(&table.render());
    Section { text, weak }
}

/// The wrong classes with their shares.
fn wrong_classes(found: impl Iterator<Item = Class> + Clone, expected: &[Class]) -> String {
    let every = [Class::Flat, Class::WarmUp, Class::SlowDown, Class::None];
    let wrong = every.into_iter().filter(|class| !expected.contains(class)).filter_map(|class| {
        let count = found.clone().filter(|&found| found == class).count();
        let share = count as f64 / REPLICATES as f64;
        (count > 0).then(|| format!("{} {}", class_name(class), percent(share)))
    });
    wrong.collect::<Vec<String>>().join(", ")
}
