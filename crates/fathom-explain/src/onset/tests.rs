//! Onsets that are known.

use super::*;
use crate::{Grid, Segments};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// About normal, variance 1.
fn noise(rows: usize, seed: u64) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut uniform = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..rows).map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0).collect()
}

fn question(rows: usize, window: Range<usize>) -> Question {
    Question {
        grid: Grid::even(rows, Span::from_milliseconds(100)).unwrap(),
        target: Sequence::from(vec![0.0; rows]),
        windows: std::iter::once(window).collect(),
        baseline: None,
        segments: Segments::Auto,
        pattern: None,
    }
}

/// Noise of 600 rows, higher in some of them.
fn raised(seed: u64, rows: Range<usize>, by: f64) -> Sequence {
    let mut values = noise(600, seed);
    values[rows].iter_mut().for_each(|value| *value += by);
    Sequence::from(values)
}

#[test]
fn an_onset_is_found_up_and_down_and_before_the_window() {
    let question = question(600, 400..440);
    for (rows, by) in [(400..440, 9.0), (400..440, -9.0), (380..430, 9.0), (412..425, 9.0)] {
        let found = OnsetRows::of(&question, &raised(1, rows.clone(), by)).unwrap();
        assert_eq!(
            found,
            OnsetRows { at: rows.start, first: rows.start, last: rows.start },
            "{by}"
        );
    }
    let onset = Onset::of(&question, &raised(1, 400..440, 9.0), Span::ZERO).unwrap();
    let seconds = [onset.at, onset.low, onset.high].map(Timestamp::seconds);
    assert!(seconds.iter().zip([40.0, 39.95, 40.05]).all(|(a, b)| (a - b).abs() < 1e-9));
    // What is sampled once a second is known to half a second.
    let coarse =
        Onset::of(&question, &raised(1, 400..440, 9.0), Span::from_milliseconds(1000)).unwrap();
    assert!((coarse.low.seconds() - 39.5).abs() < 1e-9);
}

#[test]
fn what_is_not_clear_has_no_onset() {
    let question = question(600, 400..440);
    assert_eq!(OnsetRows::of(&question, &raised(2, 400..440, 0.0)), None);
    assert_eq!(OnsetRows::of(&question, &raised(2, 400..440, 0.5)), None);
    assert_eq!(OnsetRows::of(&question, &Sequence::from(vec![5.0; 600])), None);
    // It has been so since before the search began.
    assert_eq!(OnsetRows::of(&question, &raised(2, 355..440, 9.0)), None);
    // Nothing is known of before.
    let early = Question { windows: std::iter::once(10..50).collect(), ..question.clone() };
    assert_eq!(OnsetRows::of(&early, &raised(2, 10..50, 9.0)), None);
    for odd in [vec![f64::MAX; 600], vec![f64::MIN_POSITIVE; 600], vec![0.0; 3], vec![]] {
        let _ = OnsetRows::of(&question, &Sequence::from(odd));
    }
    let wild: Vec<f64> = (0..600).map(|n| if n < 400 { f64::MIN } else { f64::MAX }).collect();
    assert_eq!(OnsetRows::of(&question, &Sequence::from(wild)).unwrap().at, 400);
}

/// The interval holds the true row in at least 97.5% of cases, less two standard errors.
#[test]
fn intervals_cover() {
    let question = question(600, 400..440);
    for (by, slow) in [(2.0, 0.0), (3.0, 0.0), (6.0, 0.0), (6.0, 0.7)] {
        let (mut given, mut covered, mut wide) = (0_u32, 0_u32, 0_usize);
        for seed in 0..400 {
            let mut last = 0.0;
            let mut values = noise(600, 9000 + seed);
            for value in &mut values {
                last = slow * last + *value * f64::sqrt(1.0 - slow * slow);
                *value = last;
            }
            values[405..440].iter_mut().for_each(|value| *value += by);
            let Some(found) = OnsetRows::of(&question, &Sequence::from(values)) else { continue };
            given += 1;
            covered += u32::from((found.first..=found.last).contains(&405));
            wide += found.last - found.first;
        }
        let share = f64::from(covered) / f64::from(given);
        assert!(given >= 300 && share >= 0.96, "{by}, {slow}: {covered} of {given}, {wide} rows");
    }
}

#[test]
fn a_lead_is_as_unsure_as_both_onsets() {
    let onset = |at: f64, by: f64| {
        let [at, low, high] = [at, at - by, at + by].map(Timestamp::from_seconds);
        Onset { at, low, high }
    };
    let lead = Lead::of(&onset(10.0, 0.1), &onset(10.5, 0.2));
    assert!((lead.seconds - 0.5).abs() < 1e-9);
    assert!((lead.low - 0.2).abs() < 1e-9 && (lead.high - 0.8).abs() < 1e-9);
    assert!(lead.is_clear() && Lead::of(&onset(10.0, 0.1), &onset(9.0, 0.2)).is_clear());
    assert!(!Lead::of(&onset(10.0, 0.4), &onset(10.5, 0.2)).is_clear());
}
