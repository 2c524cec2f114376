//! Bands against Steck's determinant, scipy's Kolmogorov distribution, and simulated samples.
#![allow(clippy::unwrap_used, reason = "tests")]

use fathom_stats::band::{Band, local_tail, within};
use fathom_stats::{Confidence, Probability};
use fathom_testkit::population::{Population, generator};
use fathom_testkit::vectors::{load, relative_error};
use serde::Deserialize;

#[derive(Deserialize)]
struct KolmogorovCase {
    n: usize,
    d: f64,
    probability: f64,
}

#[test]
fn kolmogorovs_distribution() {
    for case in load::<KolmogorovCase>("bands/kolmogorov.json") {
        let size = case.n as f64;
        let bound = |k: usize, by: f64| (k as f64 / size + by).clamp(0.0, 1.0);
        let lower: Vec<f64> = (1..=case.n).map(|k| bound(k, -case.d)).collect();
        let upper: Vec<f64> = (1..=case.n).map(|k| bound(k - 1, case.d)).collect();
        let found = within(&lower, &upper);
        assert!(relative_error(found, case.probability) < 1e-9, "{} {}: {found}", case.n, case.d);
    }
}

#[derive(Deserialize)]
struct BoundsCase {
    lower: Vec<f64>,
    upper: Vec<f64>,
    probability: f64,
}

#[test]
fn stecks_determinant() {
    for case in load::<BoundsCase>("bands/within.json") {
        let found = within(&case.lower, &case.upper);
        let is_close = relative_error(found, case.probability) < 1e-11
            || (found - case.probability).abs() < 1e-15;
        assert!(is_close, "n = {}: {found} {}", case.lower.len(), case.probability);
    }
}

#[derive(Deserialize)]
struct TailCase {
    n: usize,
    c: f64,
    tail: f64,
}

#[test]
fn local_tails() {
    for TailCase { n, c, tail } in load("bands/local_tail.json") {
        let found = local_tail(n, Confidence::new(c).unwrap());
        assert!(relative_error(found, tail) < 1e-7, "{n} {c}: {found} instead of {tail}");
        assert!(found <= tail, "{n} {c}: not on the safe side");
    }
}

#[test]
fn local_tails_of_many_are_continued_on_the_safe_side() {
    for TailCase { n, c, tail } in load("bands/local_tail_large.json") {
        let found = local_tail(n, Confidence::new(c).unwrap());
        assert!(found <= tail * (1.0 + 1e-6), "{n} {c}: {found} instead of {tail}");
        assert!(found >= tail * (1.0 - 0.04), "{n} {c}: {found} instead of {tail}");
    }
}

/// All quantiles at once, of a distribution with ties too.
#[test]
fn all_quantiles_lie_within() {
    let confidence = Confidence::new(0.9).unwrap();
    let (n, trials) = (60, 1500);
    let band = Band::of_independent(n, confidence);
    let levels: Vec<Probability> =
        (1..200).map(|i| Probability::new(f64::from(i) / 200.0).unwrap()).collect();
    for (cell, population) in [Population::Pareto, Population::Tied].into_iter().enumerate() {
        let truth: Vec<f64> = levels.iter().map(|p| population.quantile(p.get())).collect();
        let ranks: Vec<_> = levels.iter().map(|p| band.ranks(*p)).collect();
        let mut rng = generator(2_026, cell as u64);
        let mut sample = vec![0.0; n];
        let mut covered = 0;
        for _ in 0..trials {
            population.fill(&mut sample, &mut rng);
            sample.sort_unstable_by(f64::total_cmp);
            let holds = ranks.iter().zip(&truth).all(|(r, t)| r.of_sorted(&sample).contains(*t));
            covered += u32::from(holds);
        }
        // Three standard errors below.
        let share = f64::from(covered) / f64::from(trials);
        assert!(share > 0.9 - 0.024, "{population:?}: {share}");
        if population == Population::Pareto {
            assert!(share < 0.95, "so wide a band is another: {share}");
        }
    }
}
