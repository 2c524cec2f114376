//! What must hold of scores of change, whatever the metric.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use fathom_explain::change::{ChangeJudge, prepare};
use fathom_explain::rank::copies::{Fingerprint, groups};
use fathom_explain::rank::derived::Origin;
use fathom_explain::rank::exclusion::Exclusion;
use fathom_explain::rank::random_walk::wanders;
use fathom_explain::{Correlator, Grid, Question, Score, Segments, Sequence};
use fathom_record::Span;
use proptest::prelude::*;
use std::ops::Range;

const CORRELATORS: [Correlator; 6] = [
    Correlator::NSigma,
    Correlator::Volume,
    Correlator::KsLevels,
    Correlator::KsDifferences,
    Correlator::Baro,
    Correlator::ChangeScore,
];

fn question(rows: usize, windows: Vec<Range<usize>>, baseline: Range<usize>) -> Question {
    Question {
        grid: Grid::even(rows, Span::from_nanoseconds(1)).unwrap(),
        target: Sequence::from(vec![0.0; rows]),
        windows,
        baseline: Some(baseline),
        segments: Segments::Auto,
        pattern: None,
    }
}

/// The last rows against all before them.
fn at_the_end(rows: usize, window: usize) -> Question {
    question(rows, std::iter::once(rows - window..rows).collect(), 0..rows - window)
}

fn score(correlator: Correlator, question: &Question, values: &[f64]) -> Option<Score> {
    prepare(correlator, question).unwrap().judge(&Sequence::from(values.to_vec()))
}

fn close(found: Option<Score>, expected: Option<Score>) -> bool {
    match (found, expected) {
        (Some(found), Some(expected)) => {
            let scale = expected.value().abs().max(1e-9);
            found.value() == expected.value()
                || (found.value() - expected.value()).abs() <= 1e-6 * scale
        }
        (found, expected) => found.is_none() == expected.is_none(),
    }
}

/// Values with a few digits, so that a factor or an offset of few bits rounds nothing.
fn plain() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-4000_i32..4000).prop_map(|n| f64::from(n) / 16.0), 30..120)
}

/// Everything that may stand in a file.
fn hostile() -> impl Strategy<Value = Vec<Option<f64>>> {
    let value = prop_oneof![
        4 => (-3_i32..4).prop_map(f64::from),
        4 => -1e3..1e3_f64,
        1 => prop::num::f64::ANY,
        1 => Just(f64::MAX),
        1 => Just(f64::MIN),
        1 => Just(f64::from_bits(1)),
        1 => Just(f64::NAN),
    ];
    prop::collection::vec(prop::option::weighted(0.9, value), 1..80)
}

proptest! {
    #[test]
    fn unit_and_offset_do_not_matter(
        values in plain(), window in 3_usize..12, power in -30_i32..30, offset in -64_i32..64,
    ) {
        let question = at_the_end(values.len(), window);
        let factor = 2_f64.powi(power);
        let scaled: Vec<f64> = values.iter().map(|x| x * factor).collect();
        let turned: Vec<f64> = values.iter().map(|x| -x).collect();
        let moved: Vec<f64> = values.iter().map(|x| x + f64::from(offset)).collect();
        for correlator in CORRELATORS {
            let plain = score(correlator, &question, &values);
            prop_assert!(close(score(correlator, &question, &scaled), plain), "{correlator}");
            prop_assert!(close(score(correlator, &question, &turned), plain), "{correlator} turned");
            // A share of the level depends on the level, by intent.
            if !matches!(correlator, Correlator::Volume | Correlator::ChangeScore) {
                prop_assert!(close(score(correlator, &question, &moved), plain), "{correlator} moved");
            }
        }
    }

    /// Rows that were not seen change nothing.
    #[test]
    fn gaps_are_left_out(values in plain(), window in 3_usize..12, every in 2_usize..6) {
        let before = values.len() - window;
        let mut gappy = Vec::new();
        for (row, value) in values.iter().enumerate() {
            gappy.push(Some(*value));
            if row % every == 0 && row + 1 != before {
                gappy.push(None);
            }
        }
        // The window starts where its first value is.
        let mut seen = 0;
        let start = gappy.iter().position(|value| {
            seen += usize::from(value.is_some());
            seen == before + 1
        });
        let start = start.unwrap();
        let with_gaps =
            question(gappy.len(), std::iter::once(start..gappy.len()).collect(), 0..start);
        let without = at_the_end(values.len(), window);
        for correlator in CORRELATORS {
            // Neighbours are no longer neighbours.
            if correlator == Correlator::KsDifferences {
                continue;
            }
            let judge = prepare(correlator, &with_gaps).unwrap();
            let found = judge.judge(&Sequence::new(&gappy));
            // A gap right before the window is a distance, to the change score.
            if correlator == Correlator::ChangeScore && gappy[start - 1].is_none() {
                continue;
            }
            prop_assert!(close(found, score(correlator, &without, &values)), "{correlator}");
        }
    }

    /// Scores of levels do not depend on the order of the baseline.
    #[test]
    fn the_order_of_the_baseline_does_not_matter(
        values in plain(), window in 3_usize..12, by in 1_usize..29,
    ) {
        let question = at_the_end(values.len(), window);
        let mut turned = values.clone();
        let before = turned.len() - window;
        turned[..before].rotate_left(by % before);
        turned[..before / 2].reverse();
        for correlator in
            [Correlator::NSigma, Correlator::Volume, Correlator::KsLevels, Correlator::Baro]
        {
            let plain = score(correlator, &question, &values);
            prop_assert!(close(score(correlator, &question, &turned), plain), "{correlator}");
        }
    }

    /// A metric that moved far scores more than the same metric that did not.
    #[test]
    fn a_planted_shift_scores_more(values in plain(), window in 3_usize..12, up in any::<bool>()) {
        let question = at_the_end(values.len(), window);
        let before = values.len() - window;
        let mut moved = values.clone();
        let by = if up { 1e4 } else { -1e4 };
        moved[before..].iter_mut().for_each(|value| *value += by);
        for correlator in CORRELATORS {
            if correlator == Correlator::KsDifferences {
                continue;
            }
            let calm = score(correlator, &question, &values).map_or(0.0, |score| score.value());
            let moved = score(correlator, &question, &moved).unwrap();
            prop_assert!(moved.value() >= calm, "{correlator}");
            let sign = fathom_explain::Sign::of(by);
            prop_assert_eq!(moved.sign, sign, "{}", correlator);
        }
    }

    #[test]
    fn nothing_panics_and_no_score_is_negative(
        values in hostile(), other in hostile(),
        start in 0_usize..80, window in 1_usize..40, from in 0_usize..80, count in 0_usize..90,
    ) {
        let metric = Sequence::new(&values);
        let rows = values.len().max(start + window);
        let question = question(rows, std::iter::once(start..start + window).collect(), from..from + count);
        for correlator in CORRELATORS {
            if let Ok(judge) = prepare(correlator, &question) {
                let score = judge.judge(&metric);
                prop_assert!(score.is_none_or(|score| score.value() >= 0.0), "{correlator} {score:?}");
            }
        }
        if let Ok(judge) = ChangeJudge::new(&question)
            && let Some(evidence) = judge.evidence(&metric)
        {
            prop_assert!(evidence.shift.is_finite(), "{evidence:?}");
            prop_assert!(evidence.relative.is_none_or(f64::is_finite), "{evidence:?}");
            prop_assert!(evidence.degrees > 0.0 && evidence.degrees.is_finite(), "{evidence:?}");
            prop_assert!(evidence.z >= 0.0, "{evidence:?}");
            prop_assert!(evidence.z.is_finite() || evidence.constant_before.is_some(), "{evidence:?}");
        }
        let _ = wanders(&question, &metric);
        let other = Sequence::new(&other);
        let _ = Origin::new(&other).derivation(&metric);
        let sentence = Exclusion::of(&question, &metric, false).map(|reason| reason.to_string());
        prop_assert!(sentence.is_none_or(|sentence| sentence.len() < 80));
        let prints = [Fingerprint::of(0, &metric), Fingerprint::of(0, &other), Fingerprint::of(0, &metric)];
        let prints: Vec<_> = prints.iter().map(Option::as_ref).collect();
        if let [Some(first), Some(second), _] = prints[..] {
            let r = first.coefficient(second).unwrap();
            prop_assert!((-1.0..=1.0).contains(&r), "{r}");
        }
        let found = groups(&prints);
        prop_assert_eq!(found[2].is_some(), prints[0].is_some(), "a metric is a copy of itself");
    }
}
