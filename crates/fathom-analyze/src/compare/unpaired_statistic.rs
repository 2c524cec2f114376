//! Two results that were measured separately, compared by a statistic of their runs.

use super::forecast::Seen;
use super::quantiles::{gate_of_all, headline, verdict_of_all};
use super::ratio_rule::ratio_of;
use super::{
    ComparedStatistic, Comparison, Design, Further, Gate, GateOutcome, Margin, QuantileRatio,
    Verdict,
};
use crate::{EstimateRequest, Levels, Subject};
use fathom_record::Series;
use fathom_stats::dependence::SAMPLES_TO_JUDGE;
use fathom_stats::paired::fewest_blocks;
use fathom_stats::tails::{RatioOf, TailRatio, UnpairedRuns, shift_levels, tail_ratio_unpaired};
use fathom_stats::{LogRatioInterval, Probability};

/// The samples of one side that count.
struct Side {
    values: Vec<f64>,
    /// Whether their independence is taken for granted.
    is_assumed: bool,
}

impl Side {
    /// As they count for a statistic; `None` if one is not above zero.
    fn runs(&self, of: RatioOf) -> Option<UnpairedRuns<'_>> {
        match self.is_assumed {
            true => UnpairedRuns::independent(&self.values),
            false => UnpairedRuns::judged(&self.values, of),
        }
    }
}

/// One ratio of the two.
struct Ratio {
    level: Option<Probability>,
    found: TailRatio,
    alpha: f64,
}

/// Compares a statistic of two results, other than the median: `statistic` must be another.
pub(super) fn compare_statistic(
    [reference, subject]: [&Subject; 2],
    statistic: ComparedStatistic,
    request: &EstimateRequest,
    margin: Margin,
    gates: &[Gate],
) -> Result<Comparison, String> {
    let sides = [side(reference, statistic, request)?, side(subject, statistic, request)?];
    let alpha = request.confidence.alpha();
    let ratio = |of: RatioOf, level: Option<Probability>, alpha: f64| -> Result<Ratio, String> {
        let both = sides[1].runs(of).zip(sides[0].runs(of));
        let (above, below) = both.ok_or("a ratio needs samples above 0".to_string())?;
        let found = tail_ratio_unpaired(above, below, of, alpha, 0.0);
        Ok(Ratio { level, found, alpha })
    };
    let samples = [&reference.series, &subject.series].map(Series::len);
    let fewest = sides[0].values.len().min(sides[1].values.len());
    let ratios = match ratio_of(statistic) {
        Some(of) => vec![ratio(of, None, alpha)?],
        None => {
            // As of pairs, a block of which has one of each.
            let levels = shift_levels(fewest, 1, alpha);
            let each = alpha / levels.len().max(1) as f64;
            let of = |p: &Probability| ratio(RatioOf::Quantile(*p), Some(*p), each);
            levels.iter().map(of).collect::<Result<Vec<_>, _>>()?
        }
    };
    let values =
        |of: ComparedStatistic| Some([of.value(&sides[0].values)?, of.value(&sides[1].values)?]);
    let quantiles: Vec<QuantileRatio> = ratios
        .iter()
        .filter_map(|one| {
            let p = one.level?;
            let TailRatio { log_ratio, interval, .. } = one.found;
            let values = values(ComparedStatistic::Quantile(p))?;
            Some(QuantileRatio::new(p, log_ratio, interval, values, margin))
        })
        .collect();
    let first = ratios.first().map(|one| one.found);
    let (log_ratio, interval) = match (headline(&quantiles), first) {
        (Some(one), _) => (one.ratio.ln(), one.interval.log()),
        (None, Some(found)) => (found.log_ratio, found.interval),
        (None, None) => (0.0, LogRatioInterval::EVERYTHING),
    };
    let verdict = match statistic {
        ComparedStatistic::Quantiles => verdict_of_all(&quantiles),
        _ => Verdict::of(interval, margin),
    };
    let intervals = || ratios.iter().map(|one| one.found.interval);
    let judged: Vec<(Gate, GateOutcome)> =
        gates.iter().map(|gate| (*gate, gate_of_all(*gate, intervals(), Gate::finally))).collect();
    let is_open = match judged.as_slice() {
        [] => verdict == Verdict::Inconclusive,
        judged => judged.iter().any(|(_, outcome)| *outcome == GateOutcome::Inconclusive),
    };
    let in_all = match ratios.as_slice() {
        [] => Some(enough(alpha)),
        ratios => needed(ratios, fewest, margin, gates),
    };
    let more = in_all.filter(|_| is_open).map(|in_all| in_all.saturating_sub(fewest).max(1));
    let smallest = ratios.iter().map(|one| one.found.p_value * (alpha / one.alpha));
    let smallest = smallest.reduce(f64::min).map(|p| p.min(1.0));
    Ok(Comparison {
        reference: reference.series.name().to_string(),
        subject: subject.series.name().to_string(),
        statistic,
        ratio: log_ratio.exp(),
        interval: interval.ratio(),
        quantiles,
        confidence: request.confidence,
        if_independent: sides.iter().any(|side| side.is_assumed)
            && interval != LogRatioInterval::EVERYTHING,
        verdict,
        margin,
        sides: values(statistic),
        p_value: smallest,
        further: more.map(|pairs| Further { pairs, seconds: None }),
        gates: judged,
        design: Design::Unpaired { samples },
        shell: None,
        builds: None,
        // The sides have their own.
        warnings: Vec::new(),
    })
}

/// The samples of a side that count, or why they have no such statistic.
fn side(
    subject: &Subject,
    statistic: ComparedStatistic,
    request: &EstimateRequest,
) -> Result<Side, String> {
    let name = subject.series.name();
    if subject.series.startup().is_some() {
        return Err(format!(
            "\"{name}\" was run by a shell, and the {statistic} of a command cannot be separated from \
             the shell's start-up afterwards. Compare commands measured without -S, or use \
             --statistic median"
        ));
    }
    let samples = match (subject.levels, statistic) {
        (Levels::Values | Levels::Pooled { .. }, _) => subject.series.values().to_vec(),
        (Levels::Executions { .. }, ComparedStatistic::Mean) => {
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
            subject.series.executions().into_iter().flatten().map(mean).collect()
        }
        (Levels::Executions { .. }, _) => {
            return Err(format!(
                "\"{name}\" has several values from each execution, which depend on each other, so \
                 their {statistic} has no interval. Use --statistic mean or median, or pool them with \
                 --assume-independent"
            ));
        }
    };
    let values = match &subject.labelled {
        Some(labelled) => labelled.kept(&samples),
        None => samples,
    };
    let is_assumed = request.assume_independent || values.len() < SAMPLES_TO_JUDGE;
    Ok(Side { values, is_assumed })
}

/// About how many samples of each side have an interval of the median among many quantiles.
fn enough(alpha: f64) -> usize {
    (1..1000)
        .find(|samples| !shift_levels(*samples, 1, alpha).is_empty())
        .unwrap_or_default()
        .max(fewest_blocks(alpha))
}

/// How many samples of each side in all would probably settle it; of many ratios, the one that takes
/// most.
fn needed(ratios: &[Ratio], fewest: usize, margin: Margin, gates: &[Gate]) -> Option<usize> {
    let mut most = None;
    for Ratio { found, alpha, .. } in ratios {
        let is_open = match gates {
            [] => Verdict::of(found.interval, margin) == Verdict::Inconclusive,
            gates => {
                let outcome = |gate: &Gate| gate.finally(found.interval);
                gates.iter().any(|gate| outcome(gate) == GateOutcome::Inconclusive)
            }
        };
        if !is_open {
            continue;
        }
        let TailRatio { log_ratio, interval, shortage, .. } = *found;
        let in_all = match shortage {
            Some(shortage) => Some(shortage.needed()),
            None => Seen { log_ratio, interval, n: fewest, spent: *alpha, coming: *alpha }
                .needed(margin, gates),
        };
        most = most.max(Some(in_all?));
    }
    most
}

#[cfg(test)]
mod tests {
    use super::super::{Verdict, compare_unpaired_by};
    use super::*;
    use crate::analyze;
    use fathom_record::{Startup, Unit};

    /// Runs of which one in `every` takes `times` as long; their order is well mixed.
    fn values(every: usize, times: f64) -> Vec<f64> {
        let run = |i: usize| 1.0 + 0.0001 * ((i * 7919) % 1009) as f64;
        (0..2000).map(|i| if (i * 37) % every == 0 { times * run(i) } else { run(i) }).collect()
    }

    fn compared(
        sides: [Vec<f64>; 2],
        statistic: &str,
        gates: &[Gate],
    ) -> Result<Comparison, String> {
        let request = EstimateRequest { assume_independent: true, ..EstimateRequest::default() };
        let [old, new] =
            sides.map(|values| analyze(Series::new("x", Unit::SECONDS, values).unwrap(), &request));
        let statistic = ComparedStatistic::parse(statistic).unwrap();
        compare_unpaired_by(statistic, &old, &new, &request, Margin::DEFAULT, gates)
    }

    #[test]
    fn a_tail_that_is_longer_is_seen_where_it_is() {
        let sides = || [values(20, 2.0), values(20, 3.0)];
        let tail = compared(sides(), "p99", &[]).unwrap();
        assert_eq!(tail.verdict, Verdict::Slower);
        assert!(tail.interval.contains(1.5) && (tail.ratio - 1.5).abs() < 0.05, "{tail:?}");
        let [old, new] = tail.sides.unwrap();
        assert!((old - 2.0).abs() < 0.2 && (new - 3.0).abs() < 0.3);
        let middle = compared(sides(), "p50", &[]).unwrap();
        assert_eq!(middle.verdict, Verdict::Equivalent, "{middle:?}");
        let mean = compared(sides(), "mean", &[]).unwrap();
        assert_eq!(mean.verdict, Verdict::Slower, "{mean:?}");
        let all = compared(sides(), "quantiles", &[]).unwrap();
        assert_eq!(all.verdict, Verdict::Slower);
        assert!(all.quantiles.len() >= 7 && all.headline().unwrap().p.get() >= 0.95, "{all:?}");
        let at_the_middle = all.quantiles.iter().find(|one| one.p == Probability::HALF).unwrap();
        assert_eq!(at_the_middle.verdict, Verdict::Equivalent);
    }

    #[test]
    fn a_gate_judges_the_statistic() {
        let gate = Gate::NotSlower(Margin::new(0.05).unwrap());
        let of = |statistic: &str| {
            let sides = [values(20, 2.0), values(20, 3.0)];
            compared(sides, statistic, &[gate]).unwrap().gated().unwrap()
        };
        assert_eq!(of("p50"), GateOutcome::Passed);
        assert_eq!(of("p99"), GateOutcome::Failed);
        assert_eq!(of("quantiles"), GateOutcome::Failed);
        assert_eq!(of("p99.99"), GateOutcome::Inconclusive);
    }

    #[test]
    fn too_few_samples_say_how_many_are_needed() {
        let few = || values(20, 2.0)[..50].to_vec();
        let found = compared([few(), few()], "p99.9", &[]).unwrap();
        assert_eq!(found.verdict, Verdict::Inconclusive);
        assert!(!found.interval.is_finite());
        assert!(found.further.unwrap().pairs > 1000, "{:?}", found.further);
        let none = || values(20, 2.0)[..3].to_vec();
        let all = compared([none(), none()], "quantiles", &[]).unwrap();
        assert!(all.quantiles.is_empty() && all.verdict == Verdict::Inconclusive);
        assert!(all.further.unwrap().pairs > 0);
    }

    #[test]
    fn what_has_no_such_statistic_is_refused() {
        let request = EstimateRequest::default();
        let series = |name: &str| Series::new(name, Unit::SECONDS, values(20, 2.0)).unwrap();
        let p99 = ComparedStatistic::parse("p99").unwrap();
        let of = |series: Series, statistic| {
            let subject = analyze(series, &request);
            compare_unpaired_by(statistic, &subject, &subject, &request, Margin::DEFAULT, &[])
        };
        let shell = Startup::new(vec![0.1; 2000], 0.0).unwrap();
        let error = of(series("a").with_startup(shell), p99).unwrap_err();
        assert!(error.contains("without -S"), "{error}");
        let several = || series("b").with_executions(vec![10; 200]).unwrap();
        let error = of(several(), p99).unwrap_err();
        assert!(error.contains("--assume-independent"), "{error}");
        assert!(of(several(), ComparedStatistic::Mean).is_ok());
    }
}
