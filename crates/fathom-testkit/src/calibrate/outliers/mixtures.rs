//! Labelled mixtures: what is found of what was put in.

use super::rules::Rule;
use super::{Counts, SEED, fraction, percent};
use crate::markdown::MarkdownTable;
use crate::parallel;
use crate::population::{Generator, generator};
use rand_core::Rng;
use rand_distr::{Distribution, Open01, StandardNormal};
use std::fmt::Write;

const SHARES: [f64; 6] = [0.0, 0.005, 0.01, 0.02, 0.05, 0.1];
pub(super) const SIZES: [usize; 2] = [200, 5000];
/// How many trials at each size.
pub(super) const TRIALS: [usize; 2] = [1000, 200];
/// Steps of the clock in ns; 0 is none.
const CLOCKS: [f64; 3] = [0.0, 10.0, 42.0];

/// A part of the inliers, in ns.
struct Mode {
    weight: f64,
    centre: f64,
    deviation: f64,
}

/// Where the inliers are.
struct Shape {
    name: &'static str,
    modes: &'static [Mode],
}

const SHAPES: [Shape; 2] = [
    Shape {
        name: "one mode: 1000 ± 20 ns",
        modes: &[Mode { weight: 1.0, centre: 1000.0, deviation: 20.0 }],
    },
    Shape {
        name: "three modes: 60% at 1000, 30% at 1100, 10% at 1250, each ± 10 ns",
        modes: &[
            Mode { weight: 0.6, centre: 1000.0, deviation: 10.0 },
            Mode { weight: 0.3, centre: 1100.0, deviation: 10.0 },
            Mode { weight: 0.1, centre: 1250.0, deviation: 10.0 },
        ],
    },
];

/// How outliers lie to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Each by itself.
    Standalone,
    /// In clusters with a standard deviation of 5% of their centre, as the paper describes them.
    Loose,
    /// In clusters as narrow as the inliers' modes.
    Tight,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Standalone, Kind::Loose, Kind::Tight];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Standalone => "standalone",
            Kind::Loose => "loose clusters",
            Kind::Tight => "tight clusters",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    shape: usize,
    pub(super) size: usize,
    clock: usize,
    pub(super) share: f64,
    pub(super) kind: Kind,
}

/// The summary, and the tables behind it.
pub(super) fn sections() -> [String; 2] {
    let cells = cells();
    let counts = parallel::map(cells.len(), |number| {
        // The largest first, so that no core is left with one at the end.
        let number = cells.len() - 1 - number;
        (number, simulate(cells[number], &mut generator(SEED, number as u64)))
    });
    let mut found = vec![[Counts::default(); Rule::ALL.len()]; cells.len()];
    for (number, counts) in counts {
        found[number] = counts;
    }
    [summary_table(&cells, &found), tables(&cells, &found)]
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for size in 0..SIZES.len() {
        for shape in 0..SHAPES.len() {
            for clock in 0..CLOCKS.len() {
                for share in SHARES {
                    let kinds = if share > 0.0 { &Kind::ALL[..] } else { &Kind::ALL[..1] };
                    for &kind in kinds {
                        cells.push(Cell { shape, size, clock, share, kind });
                    }
                }
            }
        }
    }
    cells
}

/// The cells in which the simplified heuristic misses outliers.
pub(super) fn refit_cells() -> Vec<Cell> {
    cells().into_iter().filter(|cell| cell.share >= 0.05).collect()
}

fn simulate(cell: Cell, rng: &mut Generator) -> [Counts; Rule::ALL.len()] {
    let mut counts = [Counts::default(); Rule::ALL.len()];
    for _ in 0..TRIALS[cell.size] {
        let (values, truth) = draw(cell, rng);
        for (rule, counts) in Rule::ALL.into_iter().zip(&mut counts) {
            counts.add(&rule.labels(&values), &truth);
        }
    }
    counts
}

/// Values, and which of them are outliers.
pub(super) fn draw(cell: Cell, rng: &mut Generator) -> (Vec<f64>, Vec<bool>) {
    let n = SIZES[cell.size];
    let mut values: Vec<f64> = (0..n).map(|_| inlier(SHAPES[cell.shape].modes, rng)).collect();
    let mut truth = vec![false; n];
    let outliers = (cell.share * n as f64).round() as usize;
    // Half the size up to which a cluster counts as outliers.
    let together = if cell.kind == Kind::Standalone { 1 } else { (n / 200).max(2) };
    let mut centre = 0.0;
    for number in 0..outliers {
        if number % together == 0 {
            let u: f64 = Open01.sample(rng);
            centre = 1600.0 * (50_000.0_f64 / 1600.0).powf(u);
        }
        let spread: f64 = StandardNormal.sample(rng);
        let place = free_place(&truth, rng);
        truth[place] = true;
        values[place] = centre
            + spread
                * match cell.kind {
                    Kind::Standalone => 0.0,
                    Kind::Loose => 0.05 * centre,
                    Kind::Tight => 10.0,
                };
    }
    let step = CLOCKS[cell.clock];
    if step > 0.0 {
        values.iter_mut().for_each(|value| *value = (*value / step).round() * step);
    }
    (values, truth)
}

fn inlier(modes: &[Mode], rng: &mut Generator) -> f64 {
    let mut u: f64 = Open01.sample(rng);
    let z: f64 = StandardNormal.sample(rng);
    let mode = modes.iter().find(|mode| {
        u -= mode.weight;
        u < 0.0
    });
    // Weights add up to 1 only within rounding.
    mode.or(modes.last()).map_or(0.0, |mode| mode.centre + mode.deviation * z)
}

fn free_place(taken: &[bool], rng: &mut Generator) -> usize {
    loop {
        let place = (rng.next_u64() % taken.len() as u64) as usize;
        if !taken[place] {
            return place;
        }
    }
}

fn tables(cells: &[Cell], found: &[[Counts; Rule::ALL.len()]]) -> String {
    let mut text = String::from(
        "## How many of the added outliers are found\n\n\
         Cells are `precision recall F1 false removal in %`; `-` if nothing was labelled.\n",
    );
    let same_table = |a: &Cell, b: &Cell| (a.size, a.shape, a.clock) == (b.size, b.shape, b.clock);
    let mut from = 0;
    for table in cells.chunk_by(same_table) {
        let cell = table[0];
        let clock = match CLOCKS[cell.clock] {
            0.0 => "no ties".to_string(),
            step => format!("clock of {step} ns"),
        };
        let _ = write!(
            text,
            "\n### n = {}, {}, {clock}\n\n",
            SIZES[cell.size], SHAPES[cell.shape].name
        );
        let mut head = vec!["outliers"];
        head.extend(Rule::ALL.map(Rule::name));
        let mut rows = MarkdownTable::new(head);
        for (cell, counts) in table.iter().zip(&found[from..]) {
            let mut row = vec![match cell.share {
                0.0 => "none".to_string(),
                share => format!("{}% {}", 100.0 * share, cell.kind.name()),
            }];
            row.extend(counts.iter().map(|counts| counts.in_words()));
            rows.row(row);
        }
        text.push_str(&rows.render());
        from += table.len();
    }
    text
}

/// All shapes, clocks and sizes together.
fn summary_table(cells: &[Cell], found: &[[Counts; Rule::ALL.len()]]) -> String {
    let ranges = [("0.5-2%", 0.005..=0.02), ("5-10%", 0.05..=0.1)];
    let mut head = vec!["F1".to_string()];
    for kind in Kind::ALL {
        head.extend(ranges.iter().map(|(range, _)| format!("{}, {range}", kind.name())));
    }
    head.extend(["false removal, mean", "worst"].map(str::to_string));
    let mut table = MarkdownTable::new(head);
    for (index, rule) in Rule::ALL.into_iter().enumerate() {
        let mut row = vec![rule.name().to_string()];
        let each = || cells.iter().zip(found).map(|(cell, counts)| (cell, &counts[index]));
        for kind in Kind::ALL {
            for (_, range) in &ranges {
                // The mean over cells, since large samples would outweigh small ones.
                let here =
                    each().filter(|(cell, _)| cell.kind == kind && range.contains(&cell.share));
                let f1: Vec<f64> = here.map(|(_, counts)| counts.f1()).collect();
                row.push(fraction(f1.iter().sum::<f64>() / f1.len() as f64));
            }
        }
        let removal: Vec<f64> = each().map(|(_, counts)| counts.false_removal()).collect();
        row.push(percent(removal.iter().sum::<f64>() / removal.len() as f64));
        row.push(percent(removal.iter().copied().fold(0.0, f64::max)));
        table.row(row);
    }
    table.render()
}
