//! What is asked of a path, against all of its pairs.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]

mod naive;

use fathom_dtw::{Path, Step, Warp, WhichSeries};
use naive::{Chance, KINDS, series};
use std::collections::BTreeMap;

fn paths() -> Vec<Path> {
    let mut chance = Chance(11);
    let mut paths = Vec::new();
    for round in 0..200 {
        let kind = KINDS[round % KINDS.len()];
        let x = series(kind, 1 + chance.below(40), &mut chance);
        let y = series(kind, 1 + chance.below(40), &mut chance);
        let found =
            if round % 3 == 0 { Warp::new().find(&x, &y) } else { Warp::new().align(&x, &y) };
        let aligned = found.unwrap();
        let share = aligned.distance / aligned.path.len() as f64;
        assert_eq!(aligned.cost_per_pair().to_bits(), share.to_bits());
        paths.push(aligned.path);
    }
    paths
}

#[test]
fn pairs_go_from_start_to_end_by_the_steps() {
    for path in paths() {
        let pairs: Vec<_> = path.iter().collect();
        assert_eq!((pairs[0], *pairs.last().unwrap()), (path.start(), path.end()));
        assert_eq!(pairs.len(), path.len());
        let steps = path.runs().iter().flat_map(|run| (0..run.count).map(|_| run.step));
        for (pair, step) in pairs.windows(2).zip(steps) {
            let (x, y) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let expected = match step {
                Step::Both => (1, 1),
                Step::X => (1, 0),
                Step::Y => (0, 1),
            };
            assert_eq!((x, y), expected);
        }
        assert!(path.runs().windows(2).all(|runs| runs[0].step != runs[1].step));
    }
}

#[test]
fn windows_are_the_least_and_the_greatest_of_what_matches() {
    for path in paths() {
        let last = path.end().0;
        for first in 0..=last {
            for end in first..=last {
                let matched = path.iter().filter(|pair| (first..=end).contains(&pair.0));
                let matched: Vec<usize> = matched.map(|pair| pair.1).collect();
                let expected = *matched.iter().min().unwrap()..=*matched.iter().max().unwrap();
                assert_eq!(path.window(first..=end), Some(expected));
            }
        }
        assert_eq!(path.window(0..=last + 1), None);
        #[allow(clippy::reversed_empty_ranges, reason = "an empty selection")]
        let empty = path.window(1..=0);
        assert_eq!(empty, None);
        let singles: Vec<_> = (0..=last).map(|i| path.window(i..=i).unwrap()).collect();
        assert_eq!(path.matches().collect::<Vec<_>>(), singles);
    }
}

#[test]
fn the_inverse_has_the_same_pairs_exchanged() {
    for path in paths() {
        let inverse = path.inverse();
        assert!(inverse.iter().eq(path.iter().map(|(i, j)| (j, i))));
        assert_eq!(inverse.inverse(), path);
        let (start, end) = (path.start().1, path.end().1);
        assert_eq!(inverse.window(start..=end), Some(0..=path.end().0));
        if start > 0 {
            assert_eq!(inverse.window(start - 1..=end), None);
        }
    }
}

#[test]
fn the_longest_stretch_is_the_longest() {
    for path in paths() {
        let (mut of_x, mut of_y) = (BTreeMap::new(), BTreeMap::new());
        for (i, j) in path.iter() {
            *of_x.entry(i).or_insert(0) += 1;
            *of_y.entry(j).or_insert(0) += 1;
        }
        let most = of_x.values().chain(of_y.values()).copied().max().unwrap();
        match path.longest_stretch() {
            None => assert_eq!(most, 1),
            Some(stretch) => {
                assert_eq!(stretch.len(), most);
                assert_eq!(
                    path.stretches().find(|other| other.len() == most),
                    Some(stretch.clone())
                );
                let counts = if stretch.single == WhichSeries::X { &of_x } else { &of_y };
                assert_eq!(counts[&stretch.index], most);
                let matched = match stretch.single {
                    WhichSeries::X => path.window(stretch.index..=stretch.index),
                    WhichSeries::Y => path.inverse().window(stretch.index..=stretch.index),
                };
                assert_eq!(matched, Some(stretch.matched));
            }
        }
    }
}

#[test]
fn costs_beyond_a_series_are_none() {
    let path = Warp::new().align(&[1.0, 2.0], &[1.0, 2.0]).unwrap().path;
    assert_eq!(path.cost(&[1.0], &[1.0, 2.0], 0.0), None);
    assert_eq!(path.cost(&[1.0, 2.0], &[1.0], 0.0), None);
}
