//! The medians next to a verdict: of the samples that the ratio is based on.
//!
//! A verdict counts blocks, and excludes those that ran under other load. If the medians counted
//! other samples than the ratio does, they would contradict it.

use super::{Comparison, Paired, Pairing};
use crate::clean::SteadyStatePolicy;
use crate::{Aside, EstimateRequest, Spread, Subject, analyze};
use fathom_record::{Series, Startup};
use fathom_stats::paired::Block;
use fathom_stats::{Probability, quantile};

/// Analyses one side of a paired comparison; only the samples at these places count.
///
/// A steady state is not sought: each side would begin at another moment of a drift.
#[must_use]
pub fn analyze_counted(series: Series, counted: &[usize], request: &EstimateRequest) -> Subject {
    let steady_state = match request.steady_state {
        SteadyStatePolicy::Auto => SteadyStatePolicy::Off,
        chosen => chosen,
    };
    let request = EstimateRequest { steady_state, ..request.clone() };
    let part = part_at(&series, counted).map(|part| analyze(part, &request));
    let mut subject = analyze(series, &request);
    if let Some(part) = part {
        let everything = std::mem::replace(&mut subject.estimates, part.estimates);
        for (estimate, all) in subject.estimates.iter_mut().zip(everything) {
            let interval = all.interval();
            let (value, n_used) = (all.value, all.n_used);
            let if_independent = all.if_independent;
            estimate.with_everything = Some(Aside { value, interval, n_used, if_independent });
        }
        subject.autocorrelation = part.autocorrelation;
        if let Some(startup) = part.startup {
            // The page and the samples behind it have the same amount subtracted.
            subject.series = subject.series.with_startup_subtracted(startup.median);
            subject.spread = Spread::of(subject.series.values());
            subject.startup = part.startup;
        }
    }
    subject
}

/// The samples at these places, with the empty runs of the shell, one for each; `None` if that is
/// all of them.
fn part_at(series: &Series, places: &[usize]) -> Option<Series> {
    let at = |values: &[f64]| -> Vec<f64> {
        places.iter().filter_map(|&place| values.get(place).copied()).collect()
    };
    let values = at(series.values());
    if values.len() == series.len() {
        return None;
    }
    let part = Series::new(series.name(), series.unit().clone(), values).ok()?;
    let startup = series.startup().and_then(|all| {
        // Interrupted early: better the shell at other moments than none.
        Startup::new(at(all.values()), all.subtracted()).or_else(|| Some(all.clone()))
    });
    Some(match startup {
        Some(startup) => part.with_startup(startup),
        None => part,
    })
}

/// The places of the samples that count, where each side has the samples of its blocks and no
/// others.
#[must_use]
pub fn counted_places(paired: &Paired) -> Vec<usize> {
    let each = paired.pairing.pairs_per_block();
    let mut counts = vec![true; paired.blocks];
    for &block in &paired.set_aside {
        if let Some(counts) = counts.get_mut(block) {
            *counts = false;
        }
    }
    (0..paired.blocks)
        .filter(|&block| counts[block])
        .flat_map(|block| each * block..each * (block + 1))
        // The last block may be a single pair.
        .take_while(|&place| place < paired.pairs)
        .collect()
}

/// The same for a side if only its name is known: the blocks that count in any of its comparisons.
/// `None` if it was not compared in pairs, or if its samples do not give the log-ratios of the
/// blocks.
#[must_use]
pub fn counted_in(
    name: &str,
    comparisons: &[Comparison],
    all: &[(&str, &[f64])],
) -> Option<Vec<usize>> {
    let values =
        |name: &str| all.iter().find(|(other, _)| *other == name).map(|(_, values)| *values);
    let mut places = Vec::new();
    let mut is_compared = false;
    for comparison in comparisons {
        let super::Design::Paired(paired) = &comparison.design else { continue };
        if comparison.subject != name && comparison.reference != name {
            continue;
        }
        let sides = [values(&comparison.subject)?, values(&comparison.reference)?];
        if !are_in_blocks(paired, sides) {
            return None;
        }
        places.extend(counted_places(paired));
        is_compared = true;
    }
    places.sort_unstable();
    places.dedup();
    is_compared.then_some(places)
}

/// Whether the samples of subject and reference, two by two, give the log-ratios of the blocks.
fn are_in_blocks(paired: &Paired, [subject, reference]: [&[f64]; 2]) -> bool {
    if paired.log_ratios.len() != paired.blocks {
        return false;
    }
    if matches!(paired.pairing, Pairing::Executions | Pairing::Layouts) {
        // Medians of executions do not give the log-ratio of their batches.
        return subject.len() == paired.blocks && reference.len() == paired.blocks;
    }
    let of_block = |side: &[f64], block: usize| -> Option<[f64; 2]> {
        let first = *side.get(2 * block)?;
        let is_single = 2 * block + 1 == paired.pairs;
        Some([first, if is_single { first } else { *side.get(2 * block + 1)? }])
    };
    paired.log_ratios.iter().enumerate().all(|(block, log_ratio)| {
        let sides = of_block(subject, block).zip(of_block(reference, block));
        let found = sides.and_then(|(above, below)| Block::of(above, below));
        found.is_some_and(|found| (found.log_ratio - log_ratio).abs() <= 1e-9)
    })
}

/// The median of the values at these places.
#[must_use]
pub fn median_at(values: &[f64], places: &[usize]) -> Option<f64> {
    let mut counted: Vec<f64> =
        places.iter().filter_map(|&place| values.get(place).copied()).collect();
    quantile::of_unsorted(&mut counted, Probability::HALF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;

    #[test]
    fn only_samples_of_blocks_that_count_make_the_median() {
        let values: Vec<f64> =
            (0..60).map(|i| if i < 30 { 1.0 + 1e-4 * f64::from(i) } else { 9.0 }).collect();
        let series = Series::new("a", Unit::SECONDS, values).unwrap();
        let counted: Vec<usize> = (0..30).collect();
        let subject = analyze_counted(series, &counted, &EstimateRequest::default());
        let estimate = &subject.estimates[0];
        assert!((estimate.value - 1.00145).abs() < 1e-9, "{estimate:?}");
        assert_eq!(estimate.n_used, 30);
        assert_eq!(estimate.with_everything.map(|all| all.n_used), Some(60));
        assert_eq!(subject.series.len(), 60);
    }

    #[test]
    fn the_shell_is_subtracted_where_blocks_are_set_aside() {
        // While a neighbour was busy, command and shell took three times as long.
        let busy = |i: u32| if i < 30 { 1.0 } else { 3.0 };
        let wobble = |i: u32| 1.0 + 1e-3 * f64::from(i * 7 % 30);
        let runs = (0..60).map(|i| 5.0 * busy(i) * wobble(i)).collect();
        let shell: Vec<f64> = (0..60).map(|i| 2.0 * busy(i) * wobble(i)).collect();
        let startup = Startup::new(shell, 0.0).unwrap();
        let series = Series::new("a", Unit::SECONDS, runs).unwrap().with_startup(startup);
        let counted: Vec<usize> = (0..30).collect();
        let subject = analyze_counted(series, &counted, &EstimateRequest::default());
        assert!((subject.estimates[0].value - 3.0).abs() < 0.1, "{:?}", subject.estimates[0]);
        let startup = subject.startup.unwrap();
        assert!((startup.median - 2.0).abs() < 0.1 && startup.n_used == 30, "{startup:?}");
        let first = subject.series.values()[0];
        assert!((first - (5.0 - startup.median)).abs() < 1e-9, "{first}");
    }
}
