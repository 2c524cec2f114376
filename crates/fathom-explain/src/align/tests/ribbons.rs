//! Two runs side by side.

use super::*;
use crate::align::{Fit, Ribbon, RibbonKnot, ribbons};
use crate::{ExplainCache, Stopped};
use fathom_record::Span;
use std::sync::Mutex;

fn drawn(traces: &Traces, options: &AlignOptions) -> Vec<Ribbon> {
    let found = Mutex::new(Vec::new());
    let keep = |ribbon| found.lock().unwrap().push(ribbon);
    let selection = select("work", &[]);
    ribbons(traces, &selection, options, &ExplainCache::new(0), &|_| Ok(()), &keep).unwrap();
    let mut found = found.into_inner().unwrap();
    found.sort_by(|one: &Ribbon, other| one.to.cmp(&other.to));
    found
}

/// Slow waves, no two alike.
fn waves(count: usize) -> Vec<f64> {
    (0..count).map(|n| (n as f64 * 0.05).sin() * 9.0 + (n as f64 * 0.013).cos() * 7.0).collect()
}

#[test]
fn the_same_moments_from_end_to_end() {
    let work = waves(1000);
    // Twice as slow in the second half.
    let slower: Vec<f64> =
        (0..1500).map(|n| work[if n < 500 { n } else { 500 + (n - 500) / 2 }]).collect();
    let traces = Traces::default().gauge("a", "work", &work).gauge("b", "work", &slower);
    let found = drawn(&traces, &AlignOptions::default());
    let [ribbon] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((&*ribbon.from, &*ribbon.to, &*ribbon.common), ("a", "b", "work"));
    assert_eq!((ribbon.fit, ribbon.cost_per_step), (Fit::Good, 0.0));
    assert_eq!(ribbon.knots.len(), 300);
    assert!(ribbon.knots.iter().all(|knot| knot.difference == 0.0));
    let ends = [ribbon.knots[0], ribbon.knots[299]].map(|knot| (knot.here, knot.there));
    assert_eq!(ends, [(at(-1), at(-1)), (at(999), at(1499))]);
    for pair in ribbon.knots.windows(2) {
        assert!(pair[0].here <= pair[1].here && pair[0].there <= pair[1].there);
    }
    // Where the first is at 750 s the second is at 1000 s.
    let near = ribbon.knots.iter().min_by_key(|knot| knot.here.abs_diff(at(750))).unwrap();
    let there = at(500) + (near.here - at(500)).times(2);
    assert!(near.there.abs_diff(there) < Span::from_milliseconds(3_000), "{near:?}");
}

#[test]
fn differences_are_where_the_runs_differ() {
    let work = waves(600);
    let mut other = work.clone();
    other[400..450].iter_mut().for_each(|value| *value += 50.0);
    let traces = Traces::default().gauge("a", "work", &work).gauge("b", "work", &other);
    for normalise in [false, true] {
        let options = AlignOptions { normalise, penalty: 0.5, ..AlignOptions::default() };
        let ribbon = drawn(&traces, &options).remove(0);
        let inside = |knot: &&RibbonKnot| (at(405)..at(445)).contains(&knot.there);
        let (inside, outside): (Vec<_>, Vec<_>) = ribbon.knots.iter().partition(inside);
        let mean = |knots: &[&RibbonKnot]| {
            knots.iter().map(|knot| knot.difference).sum::<f64>() / knots.len() as f64
        };
        assert!(mean(&inside) > 1.0, "{normalise}: {}", mean(&inside));
        assert!(mean(&outside) < mean(&inside) / 3.0, "{normalise}: {}", mean(&outside));
        // What knots stand for is all there is.
        let aligned = traces.align_with(&select("work", &[TargetRange::Whole]), &options).unwrap();
        let quality = run(&aligned, "b").quality.unwrap();
        assert_eq!(ribbon.cost_per_step, quality.cost_per_step);
        let all: Vec<_> = ribbon.knots.iter().collect();
        let relative = quality.relative_cost.unwrap();
        assert!((mean(&all) / relative - 1.0).abs() < 0.1, "{} {relative}", mean(&all));
    }
}

#[test]
fn few_samples_have_few_knots() {
    let traces = Traces::default()
        .gauge("a", "work", &[1.0, 5.0, 2.0])
        .gauge("b", "work", &[1.0, 5.0, 2.0])
        .gauge("c", "work", &[4.0, 4.0, 4.0]);
    let found = drawn(&traces, &AlignOptions::default());
    assert_eq!(found.iter().map(|one| one.knots.len()).collect::<Vec<_>>()[0], 4);
    assert_eq!(found[0].knots[3].here, at(2));
    // One that never changes is measured by the reference.
    assert!(found[1].knots.iter().all(|knot| knot.difference.is_finite()));
    assert!(found[1].knots.iter().any(|knot| knot.difference > 0.5));
    let still = Traces::default().gauge("a", "work", &[1.0; 9]).gauge("b", "work", &[3.0; 9]);
    let still = drawn(&still, &AlignOptions::default()).remove(0);
    assert_eq!((still.fit, still.knots[0].difference), (Fit::Poor, 0.0));
}

#[test]
fn one_run_has_no_ribbon_and_errors_are_told() {
    let alone = Traces::default().gauge("a", "work", &waves(50));
    assert!(drawn(&alone, &AlignOptions::default()).is_empty());
    let two = alone.gauge("b", "work", &waves(60));
    let ask = |traces: &Traces, options: &AlignOptions, watch: crate::ProgressWatch<'_>| {
        let selection = select("work", &[]);
        ribbons(traces, &selection, options, &ExplainCache::new(0), watch, &|_| {}).unwrap_err()
    };
    let stopped = ask(&two, &AlignOptions::default(), &|_| Err(Stopped));
    assert!(matches!(stopped, AlignError::Stopped(Stopped)), "{stopped}");
    let penalty = ask(&two, &with_penalty(-1.0), &|_| Ok(()));
    assert!(matches!(penalty, AlignError::Penalty { .. }), "{penalty}");
    let torn = ask(&two.torn("b", "work"), &AlignOptions::default(), &|_| Ok(()));
    assert!(torn.to_string().contains("work.parquet is torn"), "{torn}");
}
