//! Planted anomalies, and series that have none.

mod arithmetic;
mod golden;

use super::*;
use fathom_record::Span;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Rows of a tenth of a second.
fn grid(rows: usize) -> Grid {
    Grid::even(rows, Span::from_milliseconds(100)).unwrap()
}

/// About normal, variance 1.
fn noise(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let uniform = (0..12).map(|_| (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64);
    uniform.sum::<f64>() - 6.0
}

fn series(rows: usize, seed: u64, shape: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..rows).map(|row| shape(row) + noise(&mut rng)).collect()
}

fn of(values: Vec<f64>) -> Vec<Suggestion> {
    suggest(&grid(values.len()), &Sequence::from(values), 10)
}

fn within(rows: usize, range: &Range<usize>) -> f64 {
    f64::from(u8::from(range.contains(&rows)))
}

/// The share of rows in one of two ranges that is in both.
fn overlap(one: &Range<usize>, two: &Range<usize>) -> f64 {
    let both = one.end.min(two.end).saturating_sub(one.start.max(two.start)) as f64;
    both / ((one.len() + two.len()) as f64 - both)
}

#[test]
fn a_step_is_one_suggestion() {
    let found = of(series(400, 1, |row| 100.0 + 6.0 * within(row, &(250..400))));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, SuggestionKind::StepUp);
    assert!(overlap(&found[0].windows[0], &(250..400)) > 0.97, "{found:?}");
    assert!((found[0].level - 100.0).abs() < 0.5 && (found[0].reached - 106.0).abs() < 0.5);
    assert!(
        found[0].about.starts_with("rises suddenly to 1.1 times its previous level"),
        "{}",
        found[0].about
    );
}

#[test]
fn dips_are_grouped_and_counted() {
    let dips = [60..70, 150..161, 260..269, 350..360];
    let depth = |row: usize| dips.iter().map(|dip| within(row, dip)).sum::<f64>();
    let found = of(series(500, 2, |row| 100.0 - 60.0 * depth(row)));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].kind, found[0].times), (SuggestionKind::Dips, 4));
    assert_eq!(found[0].windows, dips);
    assert!(found[0].about.starts_with("dips to 0.40 times its previous level for 1.0 s, 4 times"));
    // Spikes among them are another suggestion.
    let spikes = [100..103, 300..303];
    let more = |row: usize| spikes.iter().map(|spike| within(row, spike)).sum::<f64>();
    let found = of(series(500, 2, |row| 100.0 - 60.0 * depth(row) + 50.0 * more(row)));
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[1].kind, found[1].windows.as_slice()), (SuggestionKind::Spikes, &spikes[..]));
}

#[test]
fn a_dip_within_a_dip_is_part_of_it() {
    let excursion = |range: Range<usize>| Excursion {
        range,
        level: 1.0,
        reached: 0.0,
        strength: 2.0,
        is_still: false,
    };
    let groups = grouping::alike(vec![excursion(30..40), excursion(10..20), excursion(12..16)]);
    let ranges: Vec<Range<usize>> = groups[0].iter().map(|one| one.range.clone()).collect();
    assert_eq!((groups.len(), ranges), (1, vec![10..20, 30..40]));
    assert_eq!(grouping::spacing(&groups[0]), None);
}

#[test]
fn regular_dips_are_said_to_be_regular() {
    let found =
        of(series(1000, 3, |row| if (40..50).contains(&(row % 100)) { 80.0 } else { 100.0 }));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, SuggestionKind::Dips);
    assert!(found[0].times == 10, "{found:?}");
    assert!((found[0].every_seconds.unwrap() - 10.0).abs() < 0.1);
}

#[test]
fn a_long_departure_that_comes_back_is_a_dip() {
    let found = of(series(400, 4, |row| 50.0 - 5.0 * within(row, &(200..280))));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, SuggestionKind::Dips);
    assert!(overlap(&found[0].windows[0], &(200..280)) > 0.95, "{found:?}");
}

#[test]
fn a_wave_is_a_period_and_not_many_dips() {
    let wave = |row: usize| 10.0 * (row as f64 * std::f64::consts::TAU / 37.5).sin();
    let found = of(series(600, 5, wave));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].kind, found[0].times), (SuggestionKind::Period, 16));
    assert!((found[0].seconds - 3.75).abs() < 0.15, "{found:?}");
    assert!(found[0].windows[0].len().abs_diff(37) <= 1);
    // A step in it is still seen, where the period is.
    let found = of(series(900, 5, |row| wave(row) + 20.0 * within(row, &(450..900))));
    let kinds: Vec<SuggestionKind> = found.iter().map(|suggestion| suggestion.kind).collect();
    assert!(
        kinds.contains(&SuggestionKind::Period) && kinds.contains(&SuggestionKind::StepUp),
        "{found:?}"
    );
}

#[test]
fn an_increase_is_a_trend_and_not_stairs() {
    let found = of(series(400, 6, |row| 0.05 * row as f64));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, SuggestionKind::Rise);
    assert!(overlap(&found[0].windows[0], &(0..400)) > 0.8, "{found:?}");
    let found = of(series(600, 7, |row| -0.1 * (row.clamp(200, 400) as f64)));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, SuggestionKind::Fall);
    assert!(overlap(&found[0].windows[0], &(200..400)) > 0.8, "{found:?}");
    // Without any noise too.
    let found = of((0..300_u32).map(f64::from).collect());
    assert_eq!((found.len(), found[0].kind), (1, SuggestionKind::Rise), "{found:?}");
}

#[test]
fn nothing_is_suggested_where_nothing_is() {
    assert!(of(vec![3.0; 500]).is_empty());
    assert!(of(vec![0.0; 500]).is_empty());
    assert!(of(vec![1.0, 2.0, 1.0, 2.0, 50.0, 1.0, 2.0, 1.0, 2.0]).is_empty());
    assert!(suggest(&grid(50), &Sequence::new(&[None; 50]), 5).is_empty());
    // A grid of other rows has nothing to do with the values.
    assert!(suggest(&grid(50), &Sequence::from(vec![1.0; 40]), 5).is_empty());
    let alarms = (0..200).filter(|&seed| !of(series(300, 1000 + seed, |_| 0.0)).is_empty()).count();
    assert!(alarms <= 4, "{alarms} of 200");
    // x = .9 x' + noise drifts without a cause.
    let wandering = |seed: u64| {
        let mut x = 0.0;
        let next = |step: f64| {
            x = 0.9 * x + step;
            x
        };
        series(300, 5000 + seed, |_| 0.0).into_iter().map(next).collect::<Vec<f64>>()
    };
    let alarms = (0..200).filter(|&seed| !of(wandering(seed)).is_empty()).count();
    assert!(alarms <= 10, "{alarms} of 200");
}

#[test]
fn gaps_are_no_anomaly_and_windows_count_all_rows() {
    let values = series(400, 8, |row| 100.0 + 10.0 * within(row, &(240..400)));
    let gap = |row: usize| (50..110).contains(&row) || row % 7 == 3;
    let seen = values.iter().enumerate().map(|(row, value)| (!gap(row)).then_some(*value));
    let target = Sequence::new(&seen.collect::<Vec<_>>());
    let found = suggest(&grid(400), &target, 10);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, SuggestionKind::StepUp);
    assert!(overlap(&found[0].windows[0], &(240..400)) > 0.97, "{found:?}");
}

#[test]
fn many_rows_are_averaged_and_short_dips_still_found() {
    let shape = |row: usize| {
        20.0 * within(row, &(150_000..200_000)) - 30.0 * within(row, &(70_001..70_009))
    };
    let found = of(series(200_000, 9, shape));
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].kind, SuggestionKind::StepUp);
    assert!(overlap(&found[0].windows[0], &(150_000..200_000)) > 0.99);
    assert_eq!(
        (found[1].kind, found[1].windows[0].clone()),
        (SuggestionKind::Dips, 70_001..70_009)
    );
}

#[test]
fn the_strongest_come_first_and_no_more_than_asked_for() {
    let shape = |row: usize| 4.0 * within(row, &(400..800)) - 50.0 * within(row, &(100..110));
    let values = series(800, 10, shape);
    let all = of(values.clone());
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[0].strength >= all[1].strength && all[1].strength >= 1.0);
    let one = suggest(&grid(800), &Sequence::from(values.clone()), 1);
    assert_eq!(one, all[..1]);
    assert!(suggest(&grid(800), &Sequence::from(values), 0).is_empty());
}

#[test]
fn phases_of_other_sizes_do_not_hide_an_anomaly() {
    // Operations of microseconds, some of them slower, then some that take a second.
    let values = series(300, 12, |_| 0.0);
    let size = |row: usize| match row {
        100..115 => 60.0,
        0..200 => 6.0,
        _ => 1e6,
    };
    let found = of(values.iter().enumerate().map(|(row, x)| size(row) * (0.2 * x).exp()).collect());
    let slow = found.iter().find(|suggestion| suggestion.kind == SuggestionKind::Spikes).unwrap();
    assert_eq!(slow.windows[0], 100..115, "{found:?}");
    assert!((slow.reached / slow.level - 10.0).abs() < 2.0, "{found:?}");
    assert!(found.iter().any(|suggestion| suggestion.kind == SuggestionKind::StepUp), "{found:?}");
}

#[test]
fn the_unit_does_not_matter() {
    let values =
        series(300, 11, |row| 30.0 * within(row, &(100..109)) + 8.0 * within(row, &(200..300)));
    let windows = |scale: f64| {
        let found = of(values.iter().map(|value| value * scale).collect());
        found.into_iter().map(|suggestion| suggestion.windows).collect::<Vec<_>>()
    };
    assert_eq!(windows(1.0).len(), 2);
    for scale in [2_f64.powi(-900), 2_f64.powi(40), 2_f64.powi(1000)] {
        assert_eq!(windows(scale), windows(1.0), "{scale}");
    }
}

proptest! {
    #[test]
    fn whatever_the_values_are_windows_are_rows(
        values in prop::collection::vec(
            prop_oneof![
                4 => (-3_i32..3).prop_map(|value| Some(f64::from(value))),
                3 => (-1.0_f64..1.0).prop_map(Some),
                1 => prop::num::f64::ANY.prop_map(Some),
                1 => Just(None),
            ],
            0..160,
        ),
    ) {
        let target = Sequence::new(&values);
        let grid = Grid::even(values.len(), Span::from_nanoseconds(1));
        let Some(grid) = grid else { return Ok(()) };
        let found = suggest(&grid, &target, 10);
        prop_assert_eq!(&found, &suggest(&grid, &target, 10));
        for suggestion in found {
            prop_assert!(suggestion.strength >= 1.0 && suggestion.strength.is_finite());
            prop_assert!(suggestion.level.is_finite() && suggestion.reached.is_finite());
            prop_assert!(!suggestion.windows.is_empty() && suggestion.times >= suggestion.windows.len());
            let mut end = 0;
            for window in &suggestion.windows {
                prop_assert!(window.start >= end && window.end > window.start, "{:?}", suggestion);
                end = window.end;
            }
            prop_assert!(end <= values.len());
        }
    }
}
