//! Warnings in words.

use super::{IndependenceSource, MissingEnds, SamplesNeeded, Warning};
use fathom_record::{Advice, AdvisedOption, FrontEnd, Remedy};
use fathom_stats::work_rate::UnknownInterval;

impl Warning {
    /// What happened and what to do. What happened names an option only if the front end has it.
    pub(super) fn advice(&self, front_end: FrontEnd) -> Advice {
        match self {
            Warning::SameValues { n, value, unit } => {
                let unit = unit.symbol();
                let space = if unit.is_empty() { "" } else { " " };
                Advice::new(format!(
                    "all {n} samples are {value}{space}{unit}, so the measurement is limited by \
                     its resolution"
                ))
                .or(Remedy::new("time a larger batch of work"))
                .or(Remedy::new("use a finer clock"))
            }
            Warning::Pooled { executions } => {
                let option = front_end.option(AdvisedOption::AssumeIndependent);
                let option = option.map_or(String::new(), |option| format!(" ({option})"));
                Advice::new(format!(
                    "the values of {executions} executions were pooled as independent \
                     samples{option}; if executions differ, the intervals are too narrow"
                ))
            }
            Warning::TailOfExecutions { statistic } => Advice::new(format!(
                "this is the {statistic} of the executions' medians, not of single values"
            ))
            .or(Remedy::with(
                "for single values, use",
                AdvisedOption::AssumeIndependent,
                "or record one value per execution",
            )),
            Warning::NoSteadyState { change_points } => Advice::new(format!(
                "no steady state: the level keeps changing ({}), so the estimate covers all samples",
                points(change_points)
            ))
            .or(Remedy::new("run longer"))
            .or(Remedy::new("find out what changes")),
            Warning::SlowDown { start } => Advice::new(format!(
                "the level got worse at sample {}, and the estimate covers only the samples from \
                 there on",
                start + 1
            ))
            .or(Remedy::new("find out what happened")),
            Warning::DisturbedBeginning { start, n, load } => Advice::new(format!(
                "other programs used {:.0}% of the CPU during the first {start} of {n} samples \
                 ({:.0}% afterwards), so those samples were excluded",
                100.0 * load.before,
                100.0 * load.after
            ))
            .or(Remedy::new("measure again on a quiet machine")),
            Warning::LongBeginning { start, n } => Advice::new(format!(
                "the first {start} of {n} samples are slower than the rest and were excluded; that \
                 is long for a warm-up, so something else may have changed, such as other load"
            ))
            .or(Remedy::new("measure again"))
            .or(Remedy::with("include them with", AdvisedOption::SteadyState, "off")),
            Warning::RandomDrift => Advice::new(
                "the samples are strongly autocorrelated, so the changes of level may be slow \
                 random drift",
            )
            .or(Remedy::new("run longer")),
            Warning::NearlyAllSkipped { asked, n } => {
                Advice::new(format!("skipping {asked} of {n} samples leaves only the last one"))
                    .or(Remedy::new("skip fewer"))
            }
            Warning::TooFewToCheck { n, lag1, needed } => {
                let seen = lag1.map_or(String::new(), |lag1| {
                    format!(", and these look correlated (lag-1 {lag1:.2})")
                });
                let needed = match needed {
                    SamplesNeeded::About(n) => format!("about {n}"),
                    SamplesNeeded::AtLeast(n) => format!("at least {n}"),
                };
                Advice::new(format!(
                    "{n} samples are too few to check for autocorrelation{seen}; if there is any, \
                     the interval is too narrow"
                ))
                .or(Remedy::new(format!("collect {needed}")))
            }
            Warning::NotIndependent { by, n, effective } => {
                not_independent(*by, *n, *effective, front_end)
            }
            Warning::Skewed { skewness, n, confidence } => Advice::new(format!(
                "skewness {skewness:.1} is high for {n} samples, so the mean's interval may cover \
                 less than {}%",
                percent(confidence.get())
            ))
            .or(Remedy::using(AdvisedOption::Statistic, "median"))
            .or(Remedy::using(AdvisedOption::Method, "bca")),
            Warning::MeanOfRates { unit } => Advice::new(format!(
                "{unit} looks like a rate, and the arithmetic mean of rates is not the overall rate"
            ))
            .or(Remedy::using(AdvisedOption::Statistic, "harmonic-mean")),
            Warning::ManyOutliers { count, among, are_removed } => {
                many_outliers(*count, *among, *are_removed)
            }
            Warning::NoInterval { statistic, method, why } => {
                why.advice().about(&format!("no interval for the {statistic} by {method}: "))
            }
            Warning::MissingEnds { missing, statistic, confidence, n, effective, needed } => {
                let missing = match missing {
                    MissingEnds::Lower => "a lower bound",
                    MissingEnds::Upper => "an upper bound",
                    MissingEnds::Both => "an interval",
                };
                let worth = effective.map_or(String::new(), |effective| {
                    format!(" (effective sample size {effective:.0})")
                });
                let (noun, verb) = if *n == 1 { ("sample", "is") } else { ("samples", "are") };
                Advice::new(format!(
                    "{n} {noun}{worth} {verb} too few for {missing} of the {statistic} at {}% \
                     confidence",
                    percent(confidence.get())
                ))
                .or(Remedy::new(format!("about {needed} are needed")))
            }
            Warning::SpaCoverage { statistic, coverage, confidence } => Advice::new(format!(
                "the SPA interval of the {statistic} covers {:.1}%, not {}%, because it combines \
                 two one-sided bounds",
                100.0 * coverage,
                percent(confidence.get())
            ))
            .or(Remedy::using(AdvisedOption::Method, "exact for full coverage")),
            Warning::SubsessionCoverage { statistic, coverage, confidence } => {
                Advice::new(format!(
                    "the subsession interval of the {statistic} covers about {:.0}%, not {}%, \
                     because the first of many sizes whose neighbours look independent often does \
                     by chance (simulated on series as long and as autocorrelated)",
                    100.0 * coverage,
                    percent(confidence.get())
                ))
                .or(Remedy::using(AdvisedOption::Method, "t for full coverage"))
            }
            Warning::Curved { p_value } => Advice::new(format!(
                "time is not linear in work (curvature p = {p_value:.2e}), so the rate depends on \
                 the amount of work and this is an average"
            ))
            .or(Remedy::new("fit a narrower range")),
            Warning::NegativeSetup => Advice::new(
                "the estimated set-up time is negative, because small amounts of work run \
                 relatively fast",
            )
            .or(Remedy::new("check for caching"))
            .or(Remedy::new("fit a narrower range")),
            Warning::NoRateInterval { why } => no_rate_interval(*why),
            Warning::RatioChanged => Advice::new(
                "the ratio itself changed while measuring: looks at different times exclude each \
                 other, so this is the ratio of the whole session",
            )
            .or(Remedy::new("measure longer"))
            .or(Remedy::new("find what changed")),
            Warning::CarryOver { names, carried, difference, without } => {
                carry_over(names, *carried, *difference, *without)
            }
            Warning::RatioDependsOnSpeed { ratios: [quick, slow], is_additive } => {
                let noise = if *is_additive {
                    "; the difference in time stays the same, as if other load added a fixed time \
                     to both"
                } else {
                    ""
                };
                Advice::new(format!(
                    "the ratio depends on how slow the machine is: {quick:.3} in the quicker half \
                     of the blocks, {slow:.3} in the slower half{noise}"
                ))
                .or(Remedy::new("measure on a quieter machine"))
                .or(Remedy::new("measure for longer than the load changes"))
            }
            Warning::SkewedBlocks { names: [reference, subject], mean, centre } => {
                let slow = if mean > centre { subject } else { reference };
                Advice::new(format!(
                    "{slow} has slow runs that the other lacks: the mean of log-ratios gives a \
                     ratio of {mean:.3}, a typical block {centre:.3}, and the answer is about \
                     typical blocks"
                ))
                .or(Remedy::new("look at both distributions"))
            }
            Warning::RareRunsDecide { skewness, blocks } => Advice::new(format!(
                "rare long runs decide the ratio of the means (skewness {skewness:.1} in {blocks} \
                 blocks), so its interval allows for one more block, twice as far out as any"
            ))
            .or(Remedy::new("measure more pairs"))
            .or(Remedy::using(AdvisedOption::Statistic, "median")),
            Warning::NoiseChanged { halves: [first, second] } => {
                let more = if second > first { "more" } else { "less" };
                Advice::new(format!(
                    "single runs varied {more} later on: by {}, then by {}; the interval holds, but \
                     a quieter machine would need fewer pairs",
                    share(*first),
                    share(*second)
                ))
                .or(Remedy::new("find what changed (`fathom doctor`)"))
            }
            Warning::PairingCosts { factor } => Advice::new(format!(
                "in blocks where one command is slow the other is fast, so measuring side by side \
                 made the interval {:.0}% wider",
                100.0 * (1.0 / factor - 1.0)
            ))
            .or(Remedy::new("give each run the same start: pause or reset state before it")),
            Warning::NoIntervalOfSide { name, why } => why.advice().about(&format!("{name}: ")),
            Warning::Other(advice) => advice.clone(),
        }
    }
}

fn no_rate_interval(why: UnknownInterval) -> Advice {
    let (what, remedy) = match why {
        UnknownInterval::TooDependent { effective, needed } => (
            format!(
                "neighbouring runs are so strongly autocorrelated that the effective sample size \
                 is {effective:.1}"
            ),
            format!("collect about {needed} runs, with the amounts of work in random order"),
        ),
        UnknownInterval::OneRunDecides => (
            "all runs but one have the same amount of work".to_string(),
            "repeat that one".to_string(),
        ),
        UnknownInterval::NoSpread => (
            "the times lie exactly on a line, so the measurement is limited by its resolution"
                .to_string(),
            "use larger amounts of work".to_string(),
        ),
        UnknownInterval::AmountsInOrder => (
            "amounts of work rise, fall or repeat from run to run, so a machine that becomes slower \
             looks like more work"
                .to_string(),
            "run the amounts in random order, as `fathom run --work` does".to_string(),
        ),
    };
    let advice = Advice::new(format!("no interval for the rate: {what}")).or(Remedy::new(remedy));
    match why {
        UnknownInterval::AmountsInOrder => {
            let nothing_changed = "if nothing changed between the runs";
            advice.or(Remedy::using(AdvisedOption::AssumeIndependent, nothing_changed))
        }
        _ => advice,
    }
}

fn not_independent(
    by: IndependenceSource,
    n: usize,
    effective: f64,
    front_end: FrontEnd,
) -> Advice {
    let option = match by {
        IndependenceSource::User => {
            front_end.option(AdvisedOption::AssumeIndependent).map(String::from)
        }
        IndependenceSource::Method(method) => {
            front_end.option(AdvisedOption::Method).map(|option| format!("{option} {method}"))
        }
    };
    let remedy = match by {
        IndependenceSource::User => option.is_some().then_some("remove that option"),
        IndependenceSource::Method(_) => Some("the default method accounts for autocorrelation"),
    };
    let who = option.unwrap_or_else(|| "the estimate".to_string());
    let advice = Advice::new(format!(
        "{who} treats these {n} samples as independent, but the effective sample size is about \
         {effective:.0}; the interval is too narrow"
    ));
    match remedy {
        Some(remedy) => advice.or(Remedy::new(remedy)),
        None => advice,
    }
}

fn many_outliers(count: usize, among: usize, are_removed: bool) -> Advice {
    const A_FEW: usize = 3;
    let what = if are_removed { "removed" } else { "flagged" };
    let share = count as f64 / among.max(1) as f64;
    let (meaning, remedy) = if count < A_FEW {
        ("one stall matters a lot in so few samples", "collect more, and prefer the median")
    } else {
        (
            "that many suggest a second mode or a heavy tail, which is part of the data",
            "look at the histogram, and prefer the median",
        )
    };
    Advice::new(format!(
        "{count} of {among} samples ({:.0}%) {what} as outliers: {meaning}",
        100.0 * share
    ))
    .or(Remedy::new(remedy))
}

/// Runs that depend on what ran before them.
fn carry_over(
    [reference, subject]: &[String; 2],
    carried: Option<[f64; 2]>,
    difference: f64,
    without: Option<[f64; 2]>,
) -> Advice {
    let more = |log_ratio: f64| {
        let word = if log_ratio < 0.0 { "less" } else { "longer" };
        format!("{} {word}", share(log_ratio.exp_m1()))
    };
    let seen = match carried {
        Some([of_reference, of_subject]) => format!(
            "after the other command, {reference} takes {} and {subject} takes {} than after itself",
            more(of_reference),
            more(of_subject)
        ),
        None => format!(
            "running after another command costs {subject} {} than it costs {reference}",
            more(difference)
        ),
    };
    let means = match without {
        Some([without, with]) => {
            format!("; without that the ratio would be about {without:.3} instead of {with:.3}")
        }
        None => "; the ratio is that of commands that take turns".to_string(),
    };
    Advice::new(format!("{seen}{means}"))
        .or(Remedy::new("reset before each run what they share, such as caches and files"))
}

/// .021 as "2.1%", whatever its sign.
fn share(share: f64) -> String {
    format!("{:.1}%", 100.0 * share.abs())
}

/// A few change points, counted from 1.
fn points(change_points: &[usize]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> =
        change_points.iter().take(SHOWN).map(|point| (point + 1).to_string()).collect();
    let more = change_points.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("at sample {}{rest}", shown.join(", "))
}

/// 0.95 as "95", 0.999 as "99.9".
fn percent(level: f64) -> f64 {
    (level * 1e12).round() / 1e10
}
