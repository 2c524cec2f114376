//! Every kernel gives the distance of the naive matrix bit for bit, and its path.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking, and distances are equal to the last bit"
)]

mod naive;

use fathom_dtw::{Kernel, WarpError};
use naive::{Chance, KINDS, Options, naive, series};
use proptest::prelude::*;

/// All kernels, with all the memory and with as little as possible, against the naive matrix.
fn check(x: &[f64], y: &[f64], options: Options) {
    let (distance, path) = naive(x, y, options);
    for kernel in Kernel::available() {
        let warp = options.warp().kernel(kernel);
        let said = options.distance(warp, x, y);
        let case = || format!("{kernel} {}x{} {options:?}", x.len(), y.len());
        let aligned = options.align(warp, x, y);
        if distance.is_infinite() {
            let fits = |error: &WarpError| match error {
                WarpError::NoPath { .. } => options.band == Some(0) && x.len() != y.len(),
                error => *error == WarpError::Overflow,
            };
            assert!(said.as_ref().is_err_and(fits), "{}: {said:?}", case());
            assert!(aligned.as_ref().is_err_and(fits), "{}: {aligned:?}", case());
            continue;
        }
        assert_eq!(said.unwrap().to_bits(), distance.to_bits(), "{}", case());
        let aligned = aligned.unwrap();
        assert_eq!(aligned.distance.to_bits(), distance.to_bits(), "{}", case());
        assert_eq!(aligned.path.iter().collect::<Vec<_>>(), path, "{}", case());
        assert_eq!(aligned.path.len(), path.len());
        let cost = aligned.path.cost(x, y, options.penalty).unwrap();
        assert_eq!(cost.to_bits(), distance.to_bits(), "{}", case());
        let Err(WarpError::Memory { needed, .. }) = options.align(warp.memory(0), x, y) else {
            panic!("no memory suffices: {}", case());
        };
        let frugal = options.align(warp.memory(needed), x, y).unwrap();
        assert_eq!(frugal, aligned, "{} within {needed} bytes", case());
    }
}

/// Few and short, for tools that watch every access to memory and are slow (`scripts/sanitize`). Every
/// variant of every kernel still computes: with and without a band, a penalty and a path.
#[test]
fn a_few_short_series() {
    let mut chance = Chance(9);
    for (n, m) in [(1, 1), (3, 50), (50, 3), (30, 60)] {
        let (x, y) = (series("walk", n, &mut chance), series("ties", m, &mut chance));
        for (band, free) in [(None, false), (None, true), (Some(9), false)] {
            for penalty in [0.0, 0.5] {
                check(&x, &y, Options { band, penalty, free });
            }
        }
    }
}

/// `scripts/sanitize` knows which kernels a tool can run. One that was not tried must not go unnoticed.
#[test]
fn the_expected_kernels_are_tried() {
    let Ok(expected) = std::env::var("FATHOM_KERNELS") else { return };
    let tried: Vec<&str> = Kernel::available().map(Kernel::name).collect();
    assert_eq!(tried.join(" "), expected);
}

/// Lengths around the heights of the strips of all kernels.
const LENGTHS: [usize; 17] = [1, 2, 3, 4, 5, 7, 8, 9, 16, 23, 24, 25, 47, 48, 49, 97, 150];

#[test]
fn all_lengths_around_the_height_of_a_strip() {
    let mut chance = Chance(1);
    for &n in &LENGTHS {
        for &m in &LENGTHS {
            for free in [false, true] {
                let kind = KINDS[chance.below(KINDS.len())];
                let (x, y) = (series(kind, n, &mut chance), series(kind, m, &mut chance));
                let penalty = [0.0, 0.25][chance.below(2)];
                check(&x, &y, Options { band: None, penalty, free });
            }
        }
    }
}

#[test]
fn all_kinds_of_series_and_options() {
    let mut chance = Chance(2);
    for kind in KINDS {
        for other in KINDS {
            for (band, free) in [(None, false), (None, true), (Some(1), false), (Some(9), false)] {
                for penalty in [0.0, 0.7, 1e-310] {
                    let x = series(kind, 1 + chance.below(120), &mut chance);
                    let y = series(other, 1 + chance.below(120), &mut chance);
                    check(&x, &y, Options { band, penalty, free });
                }
            }
        }
    }
}

#[test]
fn bands_of_all_widths_and_shapes() {
    let mut chance = Chance(3);
    for &n in &LENGTHS {
        for &m in &LENGTHS {
            let (x, y) = (series("ties", n, &mut chance), series("noise", m, &mut chance));
            for band in [0, 1, 2, 7, 30, 60, 1000, usize::MAX] {
                let penalty = [0.0, 0.1][chance.below(2)];
                check(&x, &y, Options { band: Some(band), penalty, free: false });
            }
        }
    }
}

#[test]
fn long_and_thin() {
    let mut chance = Chance(4);
    for (n, m) in [(1, 3000), (3000, 1), (2, 2500), (2500, 3), (50, 2000), (2000, 49)] {
        for (band, free) in [(None, false), (None, true), (Some(1), false), (Some(20), false)] {
            let (x, y) = (series("walk", n, &mut chance), series("ties", m, &mut chance));
            check(&x, &y, Options { band, penalty: 0.0, free });
        }
    }
}

/// Large enough that the path is found block by block even with all the memory.
#[test]
fn larger_than_is_kept_whole() {
    let mut chance = Chance(5);
    for (n, m, kind) in [(2100, 2300, "walk"), (2600, 1700, "ties"), (1100, 5000, "steps")] {
        for (band, penalty, free) in
            [(None, 0.0, false), (None, 0.5, true), (Some(40), 0.0, false), (Some(900), 0.2, false)]
        {
            let (x, y) = (series(kind, n, &mut chance), series(kind, m, &mut chance));
            check(&x, &y, Options { band, penalty, free });
        }
    }
}

/// Long stretches make the path run along rows and columns, also kept ones.
#[test]
fn paths_along_the_edges_of_blocks() {
    let mut chance = Chance(6);
    for _ in 0..60 {
        let (n, m) = (200 + chance.below(500), 200 + chance.below(500));
        let (low, high) = (chance.below(n), chance.below(m));
        let x: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i > low))).collect();
        let y: Vec<f64> = (0..m).map(|j| f64::from(u8::from(j > high))).collect();
        check(&x, &y, Options { free: chance.below(2) == 0, ..Options::default() });
    }
}

/// Series that differ in when they change pull the path to the edge of the band, where the cells of
/// a block that count may lie outside of the band for most of its rows.
#[test]
fn paths_along_the_edges_of_bands() {
    let mut chance = Chance(8);
    for round in 0..150 {
        let (n, m) = (100 + chance.below(500), 100 + chance.below(500));
        let (early, late) = (n / 20, m - m / 20);
        let x: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i > early))).collect();
        let y: Vec<f64> = (0..m).map(|j| f64::from(u8::from(j > late))).collect();
        let options = Options { band: Some(1 + chance.below(30)), ..Options::default() };
        if round % 2 == 0 { check(&x, &y, options) } else { check(&y, &x, options) }
    }
}

/// A search is the best of all alignments with a part.
#[test]
fn a_search_is_the_best_of_all_parts() {
    let mut chance = Chance(7);
    for round in 0..300 {
        let kind = KINDS[round % KINDS.len()];
        let x = series(kind, 1 + chance.below(8), &mut chance);
        let y = series(kind, 1 + chance.below(12), &mut chance);
        let penalty = [0.0, 0.5][round % 2];
        let options = Options { penalty, free: true, band: None };
        let mut best = f64::INFINITY;
        for from in 0..y.len() {
            for to in from + 1..=y.len() {
                let part = naive(&x, &y[from..to], Options { free: false, ..options }).0;
                best = best.min(part);
            }
        }
        let found = options.warp().find(&x, &y).unwrap();
        assert_eq!(found.distance.to_bits(), best.to_bits());
        let (from, to) = (found.path.start().1, found.path.end().1);
        assert_eq!((found.path.start().0, found.path.end().0), (0, x.len() - 1));
        let part = options.warp().align(&x, &y[from..=to]).unwrap();
        assert_eq!(part.distance.to_bits(), best.to_bits());
        assert_eq!(options.warp().find_distance(&x, &y).unwrap(), (best, to));
    }
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    let wild = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
    let value = prop_oneof![
        4 => -1e3..1e3_f64,
        3 => (-3..3_i8).prop_map(f64::from),
        1 => wild,
    ];
    prop::collection::vec(value, 1..130)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_series(
        x in values(),
        y in values(),
        band in prop::option::of(0..140_usize),
        penalty in prop_oneof![Just(0.0), 0.0..5.0_f64, Just(f64::MAX)],
        free: bool,
    ) {
        let band = if free { None } else { band };
        check(&x, &y, Options { band, penalty, free });
    }
}
