//! A statistic's value and interval from the samples that count.

use super::bootstrap::{self, Of};
use super::{EstimateRequest, IntervalOutcome, Method, NoInterval, Statistic};
use fathom_record::Unit;
use fathom_stats::dependence::{self, Declined, SAMPLES_TO_JUDGE};
use fathom_stats::mean::{self, Moments, Reference};
use fathom_stats::quantile::{self, RankPair, sequence, spa};
use fathom_stats::{Confidence, Interval, Probability, Sides};

/// From this many samples on there is an interval, if they are independent: with fewer the
/// smallest and the largest do not enclose the median at 95%.
pub(super) const SAMPLES_FOR_AN_INTERVAL: usize = 6;

/// Below this many samples even independent ones often look too dependent for an interval: 29 of
/// 100 series of 20 do, 16 of 100 series of 25 (`calibration/few_samples.md`). Of more samples fewer
/// do, and these are so far off that their interval would not cover.
const HARD_TO_JUDGE: usize = 26;

/// What was found.
pub(super) struct DecidedInterval {
    pub(super) value: f64,
    pub(super) outcome: IntervalOutcome,
    pub(super) effective_n: Option<f64>,
    /// Whether the interval takes the samples as independent because they are too few to judge.
    /// How many would do is then in the outcome, if it is more than [`SAMPLES_TO_JUDGE`].
    pub(super) if_independent: bool,
}

impl DecidedInterval {
    fn new(value: f64, outcome: IntervalOutcome) -> DecidedInterval {
        DecidedInterval { value, outcome, effective_n: None, if_independent: false }
    }
}

/// How the samples' dependence is dealt with.
enum Dependence {
    /// They are taken as independent: the user or the method says so.
    Ignored,
    /// It is judged, and the interval allows for it.
    Judged,
    /// They are too few to judge it, so the interval holds on condition.
    ///
    /// [`Dependence::Judged`] comes to the same for a quantile where no ranks allow for the
    /// dependence that there may be, and none shows.
    Unjudged,
}

impl Dependence {
    /// `Err` where so few samples have no interval at all.
    fn of(samples: &[f64], request: &EstimateRequest) -> Result<Dependence, Declined> {
        let n = samples.len();
        if request.assume_independent {
            return Ok(Dependence::Ignored);
        }
        if n >= SAMPLES_TO_JUDGE {
            return Ok(Dependence::Judged);
        }
        // Equal samples say nothing of their spread, however many they are.
        if n > 1 && samples.iter().all(|&value| value == samples[0]) {
            return Err(Declined::Constant);
        }
        if n < SAMPLES_FOR_AN_INTERVAL {
            Err(Declined::TooFew { n })
        } else {
            Ok(Dependence::Unjudged)
        }
    }
}

/// Whether samples are outcomes, yes or no: all 0 or 1, and neither a time nor an amount. Nobody
/// measures durations of exactly 0 and 1, but a coarse clock might.
pub(super) fn are_outcomes(samples: &[f64], unit: &Unit) -> bool {
    matches!(unit, Unit::Unknown | Unit::Other(_))
        && samples.len() > 1
        && samples.iter().all(|&value| value == 0.0 || value == 1.0)
}

/// `among` is what the samples are in time order before outliers were removed; it tells how they
/// depend on each other.
pub(super) fn find(
    samples: Vec<f64>,
    among: &[f64],
    statistic: Statistic,
    method: Method,
    request: &EstimateRequest,
) -> DecidedInterval {
    match statistic {
        Statistic::Mean if method == Method::Exact => of_proportion(&samples, request),
        Statistic::Mean => of_mean(&samples, among, method, request),
        Statistic::HarmonicMean => of_harmonic_mean(&samples, among, method, request),
        Statistic::Quantile(p) => of_quantile(samples, among, p, method, request),
    }
}

fn of_quantile(
    mut samples: Vec<f64>,
    among: &[f64],
    p: Probability,
    method: Method,
    request: &EstimateRequest,
) -> DecidedInterval {
    let n = samples.len();
    let EstimateRequest { confidence, sides, .. } = *request;
    let mut effective_n = None;
    let mut if_independent = false;
    let (ranks, needed) = match method {
        Method::Bca => {
            let outcome = bootstrap::outcome(&samples, Of::Quantile(p), request);
            let value = quantile::of_unsorted(&mut samples, p).unwrap_or_default();
            return DecidedInterval::new(value, outcome);
        }
        Method::Exact => {
            let judged =
                Dependence::of(&samples, request).and_then(|dependence| match dependence {
                    Dependence::Judged => {
                        let found = dependence::quantile_ranks_among(
                            &samples, among, p, confidence, sides,
                        )?;
                        // An end is missing for fear of dependence that does not show.
                        if let (Some(needed), (ranks, None)) =
                            (found.needed, independent_ranks(n, p, &chosen_by_looks(request)))
                            && may_be_independent(among)
                        {
                            if_independent = true;
                            return Ok((ranks, Some(needed)));
                        }
                        effective_n = Some(found.effective);
                        Ok((containing_estimate(n, p, found.ranks, false), found.needed))
                    }
                    Dependence::Ignored => Ok(independent_ranks(n, p, request)),
                    Dependence::Unjudged => {
                        if_independent = true;
                        Ok(independent_ranks(n, p, request))
                    }
                });
            match judged {
                Ok(found) => found,
                Err(declined) => {
                    let value = quantile::of_unsorted(&mut samples, p).unwrap_or_default();
                    return DecidedInterval::new(value, refusal(declined));
                }
            }
        }
        Method::Spa => (
            // The four directions are two: "above F" is "below 1 − F". See docs/methods/spa.md.
            spa::interval(n, p, confidence, spa::Direction::AtMost),
            beyond(n, spa::samples_needed(p, confidence)),
        ),
        Method::Sequence => (
            sequence::ranks(n, p, confidence, sides),
            beyond(n, sequence::samples_needed(p, confidence, sides)),
        ),
        Method::Sign => (
            quantile::sign_test(n, confidence),
            beyond(n, quantile::samples_needed(Probability::HALF, confidence, Sides::Both)),
        ),
        Method::T | Method::Z | Method::Subsession => independent_ranks(n, p, request),
    };
    let interval = ranks.of_unsorted(&mut samples);
    let value = quantile::of_unsorted(&mut samples, p).unwrap_or_default();
    let outcome = IntervalOutcome::Interval {
        interval,
        coverage: Some(ranks.coverage),
        ranks: Some(ranks),
        samples_needed: needed,
    };
    // An interval without ends promises nothing, on whatever condition.
    let if_independent = if_independent && interval != Interval::EVERYTHING;
    DecidedInterval { value, outcome, effective_n, if_independent }
}

/// Whether samples may well be independent although no interval allows for how dependent they look:
/// so few look like that by chance.
fn may_be_independent(samples: &[f64]) -> bool {
    samples.len() < HARD_TO_JUDGE && !dependence::is_evident(samples)
}

/// Half the error for samples that look dependent by chance: those that do are also further off. For
/// a mean that would not be enough, since few look so, and those are far off: it is declined.
fn chosen_by_looks(request: &EstimateRequest) -> EstimateRequest {
    let confidence = Confidence::new(1.0 - 0.5 * request.confidence.alpha());
    EstimateRequest { confidence: confidence.unwrap_or(request.confidence), ..request.clone() }
}

/// The exact ranks of independent samples, and how many samples would give the ends that are missing.
fn independent_ranks(
    n: usize,
    p: Probability,
    request: &EstimateRequest,
) -> (RankPair, Option<usize>) {
    let EstimateRequest { confidence, sides, .. } = *request;
    (
        containing_estimate(n, p, quantile::exact(n, p, confidence, sides), true),
        beyond(n, quantile::samples_needed(p, confidence, sides)),
    )
}

fn beyond(n: usize, needed: usize) -> Option<usize> {
    (n < needed).then_some(needed)
}

/// Widens a pair of ranks to hold the estimate. Only a handful of samples of a far quantile need
/// it: the p99 of two samples is interpolated below the larger, which is already a lower bound.
fn containing_estimate(n: usize, p: Probability, ranks: RankPair, independent: bool) -> RankPair {
    let (below, above) = quantile::ranks_of_estimate(n, p);
    let lower = ranks.lower.map(|rank| rank.min(below));
    let upper = ranks.upper.map(|rank| rank.max(above));
    if (lower, upper) == (ranks.lower, ranks.upper) {
        return ranks;
    }
    if independent {
        RankPair::with_coverage(n, p, lower, upper)
    } else {
        RankPair { lower, upper, ..ranks }
    }
}

fn of_mean(
    samples: &[f64],
    among: &[f64],
    method: Method,
    request: &EstimateRequest,
) -> DecidedInterval {
    let Some(moments) = Moments::of(samples) else {
        return DecidedInterval::new(0.0, IntervalOutcome::declined(NoInterval::NoSamples));
    };
    let mut effective_n = None;
    let mut if_independent = false;
    let independent = |reference: Reference| {
        // A spread of zero says that the clock is too coarse, not that the mean is certain.
        if moments.n > 1 && moments.sd == 0.0 {
            return refusal(Declined::Constant);
        }
        let found = mean::interval(&moments, request.confidence, request.sides, reference);
        simple(found, (moments.n < 2).then_some(2))
    };
    let outcome = match method {
        Method::Bca => bootstrap::outcome(samples, Of::Mean, request),
        Method::Z => independent(Reference::Normal),
        Method::Subsession => of_subsessions(samples, among, request),
        _ => match Dependence::of(samples, request) {
            Ok(Dependence::Judged) => {
                let EstimateRequest { confidence, sides, .. } = *request;
                match dependence::mean_interval_among(samples, among, confidence, sides) {
                    Ok(found) => {
                        effective_n = Some(found.effective);
                        simple(found.interval, None)
                    }
                    Err(declined) => refusal(declined),
                }
            }
            Ok(Dependence::Ignored) => independent(Reference::StudentT),
            Ok(Dependence::Unjudged) => {
                if_independent = true;
                independent(Reference::StudentT)
            }
            Err(declined) => refusal(declined),
        },
    };
    DecidedInterval { value: moments.mean, outcome, effective_n, if_independent }
}

/// Pilot's interval. Where outliers were removed, the rest is merged as it follows each other.
fn of_subsessions(samples: &[f64], among: &[f64], request: &EstimateRequest) -> IntervalOutcome {
    let EstimateRequest { confidence, sides, .. } = *request;
    let range = request.subsession_range.get();
    if samples.len() > 1 && samples.iter().all(|value| *value == samples[0]) {
        return refusal(Declined::Constant);
    }
    match dependence::subsession_interval(samples, range, confidence, sides) {
        Some(found) => simple(found.interval, None),
        None if samples.len() < SAMPLES_FOR_AN_INTERVAL => {
            refusal(Declined::TooFew { n: samples.len() })
        }
        None => IntervalOutcome::Declined {
            reason: NoInterval::AlwaysAlike { range },
            samples_needed: Some(2 * among.len()),
        },
    }
}

/// The share of yes among outcomes, exactly, from what they are worth.
fn of_proportion(samples: &[f64], request: &EstimateRequest) -> DecidedInterval {
    let n = samples.len() as f64;
    let share = samples.iter().sum::<f64>() / n;
    let is_constant = share == 0.0 || share == 1.0;
    // Its interval is exact for any number of outcomes, so that few of them need no other rule.
    let if_independent = !request.assume_independent && samples.len() < SAMPLES_TO_JUDGE;
    let effective_n = if request.assume_independent || if_independent {
        None
    } else if is_constant {
        // Outcomes that never differ show no dependence, and nothing else either.
        Some(n)
    } else {
        match dependence::mean_interval(samples, request.confidence, request.sides) {
            Ok(found) => Some(found.effective),
            Err(declined) => {
                return DecidedInterval::new(share, refusal(declined));
            }
        }
    };
    let worth = effective_n.unwrap_or(n);
    let interval = mean::proportion(share * worth, worth, request.confidence, request.sides);
    DecidedInterval { value: share, outcome: simple(interval, None), effective_n, if_independent }
}

/// One over the mean of one over each: what a total of work over a total of time gives.
fn of_harmonic_mean(
    samples: &[f64],
    among: &[f64],
    method: Method,
    request: &EstimateRequest,
) -> DecidedInterval {
    let (Some(value), Some(reciprocals)) =
        (mean::harmonic_mean(samples), mean::reciprocals(samples))
    else {
        let smallest = samples.iter().copied().fold(f64::INFINITY, f64::min);
        let outcome = IntervalOutcome::declined(NoInterval::NotPositive { smallest });
        return DecidedInterval::new(0.0, outcome);
    };
    // The lower end of the reciprocals' mean is the upper one of the rates'.
    let sides = match request.sides {
        Sides::Both => Sides::Both,
        Sides::Lower => Sides::Upper,
        Sides::Upper => Sides::Lower,
    };
    // A removed rate that has no reciprocal tells nothing of dependence either.
    let among = mean::reciprocals(among);
    let among = among.as_deref().unwrap_or(&reciprocals);
    let found = of_mean(&reciprocals, among, method, &EstimateRequest { sides, ..request.clone() });
    let outcome = match found.outcome {
        IntervalOutcome::Interval {
            interval: Interval { lower, upper }, samples_needed, ..
        } => {
            let lower_rate = if upper.is_finite() { 1.0 / upper } else { f64::NEG_INFINITY };
            let upper_rate = if lower > 0.0 { 1.0 / lower } else { f64::INFINITY };
            simple(Interval { lower: lower_rate, upper: upper_rate }, samples_needed)
        }
        declined @ IntervalOutcome::Declined { .. } => declined,
    };
    DecidedInterval { value, outcome, ..found }
}

pub(super) fn simple(interval: Interval, samples_needed: Option<usize>) -> IntervalOutcome {
    IntervalOutcome::Interval { interval, coverage: None, ranks: None, samples_needed }
}

fn refusal(declined: Declined) -> IntervalOutcome {
    let samples_needed = match declined {
        Declined::TooFew { .. } => Some(SAMPLES_TO_JUDGE),
        Declined::TooDependent { needed, .. } => Some(needed),
        Declined::Constant => None,
    };
    IntervalOutcome::Declined { reason: declined.into(), samples_needed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::Confidence;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_interval_holds_the_estimate(
            values in prop::collection::vec(-100.0_f64..100.0, 1..60),
            level in 0.001_f64..0.999,
            confidence in 0.5_f64..0.999,
            side in 0_usize..3,
            assume_independent in any::<bool>(),
        ) {
            let request = EstimateRequest {
                confidence: Confidence::new(confidence).unwrap(),
                sides: [Sides::Both, Sides::Lower, Sides::Upper][side],
                assume_independent,
                ..EstimateRequest::default()
            };
            let p = Probability::new(level).unwrap();
            let among = values.clone();
            let found = of_quantile(values, &among, p, Method::Exact, &request);
            if let IntervalOutcome::Interval { interval, coverage, .. } = found.outcome {
                prop_assert!(interval.contains(found.value), "{} {interval:?}", found.value);
                prop_assert!(coverage.unwrap() >= confidence - 1e-12);
            }
        }
    }

    fn found_of(
        values: &[f64],
        statistic: Statistic,
        request: &EstimateRequest,
    ) -> DecidedInterval {
        find(values.to_vec(), values, statistic, Method::default_for(statistic), request)
    }

    #[test]
    fn few_samples_have_an_interval_on_condition() {
        let values: Vec<f64> = (0..19).map(|i| f64::from((7 * i) % 19)).collect();
        let told = EstimateRequest { assume_independent: true, ..EstimateRequest::default() };
        for statistic in [Statistic::MEDIAN, Statistic::Mean] {
            for n in SAMPLES_FOR_AN_INTERVAL..SAMPLES_TO_JUDGE {
                let (few, independent) = (
                    found_of(&values[..n], statistic, &EstimateRequest::default()),
                    found_of(&values[..n], statistic, &told),
                );
                assert_eq!(few.outcome, independent.outcome, "{statistic} of {n}");
                assert!(few.if_independent && !independent.if_independent);
                assert_eq!(few.effective_n, None);
            }
            for n in 1..SAMPLES_FOR_AN_INTERVAL {
                let few = found_of(&values[..n], statistic, &EstimateRequest::default());
                assert!(
                    matches!(few.outcome, IntervalOutcome::Declined { .. }) && !few.if_independent
                );
            }
        }
    }

    /// Twenty runs whose neighbours happen to be alike, as in 29 of 100 series of independent ones.
    const ALIKE_BY_CHANCE: [f64; 20] = [
        5.2, 4.4, 5.0, 6.9, 4.5, 4.1, 4.0, 3.9, 4.2, 4.6, 4.7, 4.3, 4.8, 3.8, 4.05, 3.7, 4.55,
        4.45, 5.3, 5.6,
    ];

    #[test]
    fn twenty_samples_that_may_be_independent_have_an_interval_on_condition() {
        let confidence = Confidence::new(0.975).unwrap();
        let told =
            EstimateRequest { assume_independent: true, confidence, ..EstimateRequest::default() };
        let samples = ALIKE_BY_CHANCE;
        let judged = dependence::quantile_ranks(
            &samples,
            Probability::HALF,
            Confidence::DEFAULT,
            Sides::Both,
        );
        assert!(judged.unwrap().needed.is_some(), "else this tests nothing");
        let found = found_of(&samples, Statistic::MEDIAN, &EstimateRequest::default());
        let independent = found_of(&samples, Statistic::MEDIAN, &told);
        let ends = |outcome: &IntervalOutcome| match outcome {
            IntervalOutcome::Interval { interval, samples_needed, .. } => {
                (*interval, *samples_needed)
            }
            IntervalOutcome::Declined { reason, .. } => panic!("{reason}"),
        };
        assert_eq!(ends(&found.outcome).0, ends(&independent.outcome).0);
        assert!(found.if_independent && found.effective_n.is_none());
        assert!(ends(&found.outcome).1.is_some_and(|needed| needed > 20), "{:?}", found.outcome);
    }

    #[test]
    fn twenty_samples_that_are_dependent_have_none() {
        let slow: Vec<f64> = (0..20).map(|i| (f64::from(i) / 6.0).sin()).collect();
        for statistic in [Statistic::MEDIAN, Statistic::Mean] {
            let found = found_of(&slow, statistic, &EstimateRequest::default());
            let has_ends = matches!(found.outcome, IntervalOutcome::Interval { interval, .. } if interval.is_finite());
            assert!(!found.if_independent && !has_ends, "{statistic}: {:?}", found.outcome);
        }
    }

    #[test]
    fn what_promises_nothing_has_no_condition() {
        let strict = EstimateRequest {
            confidence: Confidence::new(0.999).unwrap(),
            ..EstimateRequest::default()
        };
        let few = found_of(&[3.0, 1.0, 4.0, 1.5, 9.0, 2.6], Statistic::MEDIAN, &strict);
        let IntervalOutcome::Interval { interval, samples_needed, .. } = few.outcome else {
            panic!()
        };
        assert_eq!((interval, samples_needed), (Interval::EVERYTHING, Some(11)));
        assert!(!few.if_independent);
        let same = found_of(&[2.0; 9], Statistic::MEDIAN, &EstimateRequest::default());
        assert!(matches!(same.outcome, IntervalOutcome::Declined { .. }) && !same.if_independent);
    }

    #[test]
    fn a_few_outcomes_have_their_exact_interval_on_condition() {
        let outcomes = vec![1.0, 0.0, 1.0, 1.0];
        let among = outcomes.clone();
        let found =
            find(outcomes, &among, Statistic::Mean, Method::Exact, &EstimateRequest::default());
        let IntervalOutcome::Interval { interval, .. } = found.outcome else { panic!() };
        assert!((interval.lower - 0.194_120).abs() < 1e-5, "{interval:?}");
        assert!(found.if_independent);
    }

    #[test]
    fn two_samples_of_a_far_quantile_are_widened() {
        let p = Probability::new(0.99).unwrap();
        let narrow = quantile::exact(2, p, Confidence::DEFAULT, Sides::Both);
        assert_eq!(narrow.lower, Some(2));
        assert_eq!(containing_estimate(2, p, narrow, true).lower, Some(1));
    }

    #[test]
    fn thirty_successes_do_not_prove_that_there_are_no_failures() {
        let outcomes = vec![1.0; 30];
        assert!(
            are_outcomes(&outcomes, &Unit::Unknown) && !are_outcomes(&outcomes, &Unit::SECONDS)
        );
        let among = outcomes.clone();
        let found =
            find(outcomes, &among, Statistic::Mean, Method::Exact, &EstimateRequest::default());
        let IntervalOutcome::Interval { interval, .. } = found.outcome else { panic!() };
        assert!((interval.lower - 0.8842966).abs() < 1e-6, "{interval:?}");
        assert_eq!((found.value, interval.upper), (1.0, 1.0));
    }

    #[test]
    fn the_harmonic_mean_is_total_work_over_total_time() {
        let rates: Vec<f64> = (0..40).map(|i| 10.0 + f64::from((7 * i) % 11)).collect();
        let total: f64 = rates.iter().map(|rate| 1.0 / rate).sum();
        let among = rates.clone();
        let found =
            find(rates, &among, Statistic::HarmonicMean, Method::T, &EstimateRequest::default());
        assert!((found.value - 40.0 / total).abs() < 1e-12);
        let IntervalOutcome::Interval { interval, .. } = found.outcome else { panic!() };
        assert!(interval.contains(found.value) && interval.is_finite());
        let negative = found_of(&[1.0, -1.0], Statistic::HarmonicMean, &EstimateRequest::default());
        assert!(matches!(negative.outcome, IntervalOutcome::Declined { .. }));
    }
}
