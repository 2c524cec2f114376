//! Places and jumps, by hand.

use super::*;
use crate::significance::q_values;

const NONE: Least = Least { size: 0.0, margin: 0.0 };

fn quiet(places: usize) -> Vec<f64> {
    (0..places).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 }).collect()
}

fn past(values: &[f64], places: f64, least: Least, degrees: f64) -> Past {
    let seen = Seen::plain(values);
    Past::new(seen, places, [9; 2], least, [degrees; 2], Observed::Change(0.0))
}

fn made(places: f64, tails: &[f64]) -> Past {
    Past { places, tails: tails.to_vec(), ..Past::default() }
}

#[test]
fn a_place_is_judged_by_the_others() {
    let mut values = quiet(1000);
    assert!(past(&values, 100.0, NONE, 50.0).tails.is_empty());
    values[300..310].fill(50.0);
    values[700..705].fill(-2.0);
    values[0] = f64::NAN;
    let found = past(&values, 100.0, NONE, 50.0);
    assert_eq!(found.tails.len(), 1, "{found:?}");
    assert!(found.tails[0] < 1e-20, "{found:?}");
    // One that jumped nearly as far before is hardly unusual.
    values[700..705].fill(-48.0);
    let found = past(&values, 100.0, NONE, 50.0);
    assert!(found.tails.iter().all(|tail| *tail > 1e-3), "{found:?}");
    // By what is usual, if a burst is far out.
    values[700..705].fill(-2.0);
    let mut usual = values.clone();
    usual[300..310].fill(1.0);
    let seen = Seen { values: &values, usual: &usual };
    let observed = Observed::Change(0.0);
    let found = Past::new(seen, 100.0, [9; 2], NONE, [50.0; 2], observed);
    assert_eq!(found.tails.len(), 1, "{found:?}");
}

/// Ten times the usual size is much of a calm metric, and nothing of one that jumped as far.
#[test]
fn what_is_within_the_windows_is_judged_by_jumps_elsewhere() {
    let own = |values: &[f64], observed: f64| {
        let seen = Seen::plain(values);
        let found = Past::new(seen, 100.0, [9; 2], NONE, [50.0; 2], Observed::Change(observed));
        assert_eq!(found.shape, None);
        found.change.unwrap()
    };
    let calm = quiet(1000);
    assert!((own(&calm, 10.0) - tail(10.0, 50.0)).abs() < 1e-30);
    assert_eq!(own(&calm, -10.0), own(&calm, 10.0));
    let mut rough = calm.clone();
    rough[500] = 9.0;
    let size = (rough.iter().map(|value| value * value).sum::<f64>() / 1000.0).sqrt();
    let others = (1000.0 - 19.0) / 1000.0_f64;
    assert!((others - 0.981).abs() < 1e-12);
    assert!((own(&rough, 10.0) - tail(10.0 / size * 3.0 / 9.0, 50.0)).abs() < 1e-9);
    assert!(own(&rough, 10.0) > 1e-3 && own(&rough, 90.0) < 1e-12);
    let shape = Past::new(Seen::plain(&calm), 9.0, [9; 2], NONE, [50.0; 2], Observed::Shape(10.0));
    assert_eq!((shape.change, shape.shape), (None, Some(own(&calm, 10.0))));
}

#[test]
fn what_never_happened_is_as_unusual_as_anything() {
    let mut values = vec![0.0; 100];
    assert!(past(&values, 10.0, NONE, 10.0).tails.is_empty());
    values[50] = 1e-3;
    assert_eq!(past(&values, 10.0, NONE, 10.0).tails, [0.0]);
    let margin = Least { size: 0.0, margin: 1.0 };
    assert!(past(&values, 10.0, margin, 10.0).tails.is_empty());
    for hostile in [vec![], vec![f64::NAN; 9], vec![5.0; 3]] {
        assert!(past(&hostile, f64::NAN, NONE, f64::NAN).tails.is_empty());
    }
}

/// It moves in the window and nowhere else: that is as rare as moving once elsewhere.
#[test]
fn moving_here_alone_is_as_rare_as_moving_once() {
    let pool = |once: usize| {
        let moves = |n: usize| if n < once { Moves::Once } else { Moves::Often };
        let all: Vec<Past> = (0..50).map(|n| made(20.0, &[]).moving(moves(n))).collect();
        Pool::new(&all, 50, 20.0)
    };
    assert!((pool(0).of_moving_here_alone().p_value() - 1.0 / 1001.0).abs() < 1e-12);
    let q = q_values(&[Some(pool(0).of_moving_here_alone())]);
    assert_eq!(q, [Some(least_q(20.0))]);
    assert!((pool(9).of_moving_here_alone().p_value() - 10.0 / 1001.0).abs() < 1e-12);
    assert!(Past::still(9.0).is_still() && !made(9.0, &[]).is_still());
}

#[test]
fn the_pool_counts_places() {
    let one = made(30.0, &[1e-5, 1e-3]);
    let shape = made(20.0, &[1e-9]);
    let pool = Pool::new(&[one.and(shape), made(79.0, &[])], 2, 0.0);
    let shares = [1e-10, 1e-9, 1e-4, 0.5].map(|tail| pool.share(tail));
    assert_eq!(shares, [0.01, 0.02, 0.03, 0.04]);
    assert_eq!(Pool::default().share(1e-9), 1.0);
    assert_eq!(Pool::default().of_size(1e-9).p_value(), 1.0);
}

/// Student's t is believed as far as it was never wrong, for so long.
#[test]
fn what_is_far_beyond_everything_is_believed_without_a_jump() {
    let pool = |tails: &[f64]| Pool::new(&[made(9.0, tails)], 300, 9.0);
    assert_eq!(pool(&[]).nearness(1e-9), 1.0);
    let called: f64 = CALLED / 600.0;
    assert_eq!(pool(&[called * 1.01]).nearness(called), 1.0);
    assert_eq!(pool(&[1e-10]).nearness(1e-20), 1.0);
    assert!((pool(&[1e-10]).nearness(1e-19) - 10.0).abs() < 1e-6);
    assert_eq!(pool(&[0.0]).nearness(0.0).max(2.0), 2.0);
    // It is continuous in both.
    for tail in [1e-3_f64, 1e-6, 1e-12, 1e-30] {
        let mut last = pool(&[1.0]).nearness(tail);
        for step in 1..4000 {
            let now = pool(&[(-0.01 * f64::from(step)).exp()]).nearness(tail);
            assert!(now >= last && now <= 1.0 + 1.04 * last, "{tail}, {step}: {last} {now}");
            last = now;
        }
    }
}

#[test]
fn waking_is_as_rare_as_it_was_elsewhere() {
    let asleep = |woke: Option<usize>| Past::still(100.0).waking(woke);
    let never = Pool::new(&[asleep(None), asleep(None)], 2, 100.0);
    let chance = never.of_waking(20_000);
    assert!((chance.p_value() - least_q(50.0)).abs() < 1e-12, "{chance:?}");
    // What woke up early says nothing of what was asleep for so long; a late one does.
    let early = Pool::new(&[asleep(Some(9_999)), asleep(None)], 2, 100.0);
    assert_eq!(early.of_waking(20_000), chance);
    let late = Pool::new(&[asleep(Some(10_000)), asleep(None)], 2, 100.0);
    assert!((late.of_waking(20_000).p_value() - 2.0 / 101.0).abs() < 1e-12);
}
