//! What a comparison is, and how much it may take: decided before it begins.

use super::shell_refusal::refuse_shell_side_by_side;
use super::trial::TWO_PAIRS;
use crate::EngineError;
use crate::measuring::settings;
use crate::measuring::subjects::Subjects;
use fathom_analyze::EstimateRequest;
use fathom_analyze::compare::{ComparedStatistic, Gate, Margin};
use fathom_measure::{CommandSubject, EmptyShell, PrintedMetric};
use fathom_record::Metric;
use fathom_render::percent;
use fathom_request::CompareRequest;
use fathom_stats::Confidence;
use fathom_stats::paired::advised_blocks;
use std::time::Duration;

/// What to do.
#[derive(Debug)]
pub(crate) struct ComparePlan {
    pub(crate) subjects: Vec<CommandSubject>,
    pub(crate) reference: usize,
    pub(crate) metric: Metric,
    pub(crate) statistic: ComparedStatistic,
    pub(crate) printed: Vec<PrintedMetric>,
    pub(crate) confidence: Confidence,
    pub(crate) margin: Margin,
    pub(crate) gates: Vec<Gate>,
    pub(crate) budget: Budget,
    pub(crate) warmup: Option<usize>,
    pub(crate) request: EstimateRequest,
}

/// How much may be measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    pub(crate) time: Duration,
    /// Measured even if the time is over by then.
    pub(crate) fewest_pairs: usize,
    pub(crate) most_blocks: Option<usize>,
    /// No look is before this many pairs.
    pub(crate) first_look_pairs: usize,
    /// Exactly `most_blocks`, with one look.
    pub(crate) is_fixed: bool,
    /// The last of them is a single pair, because an odd number was asked for.
    pub(crate) ends_in_a_single_pair: bool,
}

impl Budget {
    /// Whether what is left of the time holds so few blocks of two pairs that single pairs give an answer
    /// sooner: each of them is a coin of its own, and a signed-rank interval needs several coins. How
    /// long runs take does not depend on the coins.
    pub(crate) fn holds_few_blocks(&self, elapsed: Duration, seconds_per_block: f64) -> bool {
        const FEW: f64 = 20.0;
        let left = self.time.saturating_sub(elapsed).as_secs_f64();
        // Who limits the pairs gets the blocks that they make.
        let is_limited = self.is_fixed || self.most_blocks.is_some();
        !is_limited && left < FEW * seconds_per_block
    }
}

impl ComparePlan {
    pub(crate) fn of(
        asked: &CompareRequest,
        subjects: Subjects,
        seed: u64,
    ) -> Result<ComparePlan, EngineError> {
        let Subjects { all, reference } = subjects;
        if all.len() < 2 {
            return Err(EngineError::usage(
                "there is nothing to compare with; give two commands or more, or --baseline NAME, \
                 or --files OLD NEW",
            ));
        }
        let metric = settings::judged(&asked.running)?.into_iter().next();
        if asked.running.on.len() > 1 {
            return Err(EngineError::usage(
                "compare judges one metric; give --on once, and run it again for the other (or \
                 see all of them in the JSON of --export-json)",
            ));
        }
        let metric = metric.unwrap_or(Metric::WallTime);
        let has_shell = EmptyShell::of(&all).is_some();
        refuse_shell_side_by_side(asked.statistic, has_shell, &metric)?;
        let whole = |blocks: u64| usize::try_from(blocks).unwrap_or(usize::MAX);
        let fixed = asked.pairs.map(|pairs| whole(pairs.div_ceil(2)));
        let most = asked.max_pairs.map(|pairs| whole(pairs / 2));
        let budget = Budget {
            time: match fixed {
                Some(_) => Duration::MAX,
                None => {
                    asked.max_time.unwrap_or_else(|| asked.effort.time_of_comparison(all.len()))
                }
            },
            // An explicit time limit is kept.
            fewest_pairs: if asked.max_time.is_some() { 1 } else { asked.effort.fewest_pairs() },
            most_blocks: fixed.or(most),
            first_look_pairs: asked.min_pairs.map_or(0, whole),
            is_fixed: fixed.is_some(),
            ends_in_a_single_pair: asked.pairs.is_some_and(|pairs| pairs % 2 == 1),
        };
        Ok(ComparePlan {
            subjects: all,
            reference,
            metric,
            statistic: asked.statistic,
            printed: settings::printed(&asked.running)?,
            confidence: asked.confidence,
            margin: asked.margin(),
            gates: asked.gates(),
            budget,
            warmup: asked.running.warmup,
            request: EstimateRequest {
                statistics: vec![asked.statistic.of_each_side()],
                confidence: asked.confidence,
                seed,
                ..asked.cleaning.apply(EstimateRequest::default())
            },
        })
    }

    /// That no answer can come of so few pairs, whatever they are; to be said before measuring.
    pub(crate) fn too_few_to_answer(&self) -> Option<String> {
        let blocks = self.budget.most_blocks?;
        let level = self.confidence.alpha() / self.others().len() as f64;
        let fewest = self.statistic.fewest_blocks(level, TWO_PAIRS);
        if blocks >= fewest {
            return None;
        }
        let (option, pairs) = if self.budget.is_fixed {
            ("-r", 2 * blocks - usize::from(self.budget.ends_in_a_single_pair))
        } else {
            ("-M", 2 * blocks)
        };
        let sure = percent(self.confidence.get());
        let (answer, advised) = match self.statistic {
            ComparedStatistic::Median => ("an answer".to_string(), advised_blocks(level)),
            // With the fewest only a difference beyond all noise gives an answer.
            ComparedStatistic::Minimum => ("an answer about the minimum".to_string(), 2 * fewest),
            ComparedStatistic::Quantiles => {
                ("an answer about any quantile".to_string(), 2 * fewest)
            }
            statistic => (format!("an answer about the {statistic}"), 2 * fewest),
        };
        Some(format!(
            "note: {pairs} pairs cannot give {answer} at {sure}, whatever they show; {option} \
             {} is the least that can, {option} {} is better. Fathom measures them and shows what \
             they are.",
            2 * fewest,
            2 * advised
        ))
    }

    /// Whether a shell runs the commands.
    pub(crate) fn has_shell(&self) -> bool {
        EmptyShell::of(&self.subjects).is_some()
    }

    /// The subjects that are compared with the reference.
    pub(crate) fn others(&self) -> Vec<usize> {
        (0..self.subjects.len()).filter(|&subject| subject != self.reference).collect()
    }
}
