//! One pair of executions: a function of both builds alternately, batch by batch.

use super::match_up::InBoth;
use super::opponent::{Opponent, Refusal};
use fathom_analyze::compare::{ComparedStatistic, median_at};
use fathom_stats::paired::{Block, Choice, LookStage, block_order, locate, quiet_blocks};
use fathom_sys::signals::Interrupt;
use std::time::{Duration, Instant};

/// A function of both builds, and what the rounds so far gave.
#[derive(Debug)]
pub(super) struct Contest {
    pub(super) function: InBoth,
    /// Calls per batch of the old build and of the new; 0 before the first round.
    pub(super) calls: [u64; 2],
    /// The seconds per call of each unit, of the old build and of the new: the median of its batches,
    /// or the statistic that is compared.
    pub(super) medians: [Vec<f64>; 2],
    /// The fewest batches of each build that an execution had.
    fewest_batches: usize,
    /// What the executions of the unit so far gave.
    unit: Vec<ExecutionPair>,
    broken: Option<Refusal>,
}

impl Contest {
    pub(super) fn new(function: InBoth) -> Contest {
        Contest {
            function,
            calls: [0; 2],
            medians: Default::default(),
            fewest_batches: usize::MAX,
            unit: Vec::new(),
            broken: None,
        }
    }

    /// What the executions of a unit say together: layouts are what counts, however often each was
    /// executed. `None` if there was none.
    pub(super) fn close_unit(&mut self) -> Option<Block> {
        let executions = std::mem::take(&mut self.unit);
        let count = executions.len() as f64;
        if self.is_broken() || executions.is_empty() {
            return None;
        }
        let mean =
            |of: &dyn Fn(&ExecutionPair) -> f64| executions.iter().map(of).sum::<f64>() / count;
        for (side, medians) in self.medians.iter_mut().enumerate() {
            medians.push(mean(&|pair| pair.medians[side].ln()).exp());
        }
        // Layouts are not chosen by how slow they were: no coin says which of the two gets a slow
        // one, so leaving out slow ones could favour one of them. All totals are the same.
        Some(Block { log_ratio: mean(&|pair| pair.log_ratio), log_total: 0.0 })
    }

    /// That a statistic rests on a handful of batches of each execution, where it does.
    pub(super) fn too_few_batches(&self, statistic: ComparedStatistic) -> Option<String> {
        const HANDFUL: f64 = 5.0;
        let ComparedStatistic::Quantile(p) = statistic else { return None };
        let beyond = p.get().min(p.complement().get());
        let (name, batches) = (&self.function.name, self.fewest_batches);
        (batches as f64 * beyond < HANDFUL).then(|| {
            format!(
                "{name}: the {statistic} of an execution rests on few of its batches (it has \
                 {batches}), so it varies much and is closer to the middle than that of many; \
                 measure longer with --max-time, or compare a lower percentile"
            )
        })
    }

    pub(super) fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Whether it took its process with it.
    pub(super) fn is_gone(&self) -> bool {
        matches!(self.broken, Some(Refusal::Gone(_)))
    }

    /// Whether it was probably optimised away.
    pub(super) fn is_zero(&self) -> bool {
        self.broken == Some(Refusal::Zero)
    }

    /// Why it cannot be measured.
    pub(super) fn broken(&self) -> Option<&str> {
        self.broken.as_ref().map(|refusal| match refusal {
            Refusal::Broken(why) | Refusal::Gone(why) => why.as_str(),
            Refusal::Zero => "it takes no longer than an empty loop",
        })
    }
}

/// What one pair of executions gave.
#[derive(Debug, Clone, Copy)]
struct ExecutionPair {
    log_ratio: f64,
    /// Of the old build and of the new.
    medians: [f64; 2],
}

/// How a round is fought.
pub(super) struct Round {
    pub(super) time: Duration,
    pub(super) statistic: ComparedStatistic,
    pub(super) seed: u64,
    pub(super) interrupt: Option<Interrupt>,
}

/// The share of a round that warms up.
const WARM_UP: f64 = 0.1;

impl Round {
    /// Measures a function in both processes, unless it breaks or the user interrupts.
    pub(super) fn fight(&self, contest: &mut Contest, opponents: &mut [Opponent; 2]) {
        match self.try_fight(contest, opponents) {
            Ok(pair) => contest.unit.extend(pair),
            // Ctrl-C ends the processes, too. That is not the function's fault.
            Err(_) if self.interrupt.is_some_and(Interrupt::requested) => (),
            Err((side, refusal)) => {
                let build = ["old", "new"][side];
                contest.broken = Some(match refusal {
                    Refusal::Broken(why) => Refusal::Broken(format!("in the {build} build {why}")),
                    Refusal::Gone(why) => Refusal::Gone(format!("in the {build} build {why}")),
                    Refusal::Zero => Refusal::Zero,
                });
            }
        }
    }

    fn try_fight(
        &self,
        contest: &mut Contest,
        opponents: &mut [Opponent; 2],
    ) -> Result<Option<ExecutionPair>, (usize, Refusal)> {
        for (side, opponent) in opponents.iter_mut().enumerate() {
            if contest.calls[side] == 0 {
                let asked = opponent.size(contest.function.places[side]);
                contest.calls[side] = asked.map_err(|refusal| (side, refusal))?;
            }
        }
        if self.statistic.depends_on_batches() {
            // A tail of longer batches is another one: single slow calls weigh less in it.
            let most = contest.calls[0].max(contest.calls[1]);
            contest.calls = [most; 2];
        }
        let (calls, places) = (contest.calls, contest.function.places);
        let mut batch = |side: usize| {
            opponents[side].batch(places[side], calls[side]).map_err(|refusal| (side, refusal))
        };
        let began = Instant::now();
        let is_over = |share: f64| began.elapsed().as_secs_f64() >= share * self.time.as_secs_f64();
        let is_interrupted = || self.interrupt.is_some_and(Interrupt::requested);
        loop {
            for side in [0, 1] {
                batch(side)?;
            }
            if is_over(WARM_UP) || is_interrupted() {
                break;
            }
        }
        let mut values: [Vec<f64>; 2] = Default::default();
        let mut blocks = Vec::new();
        while blocks.is_empty() || !is_over(1.0) {
            if is_interrupted() {
                return Ok(None);
            }
            for side in block_order(self.seed, blocks.len(), &[0, 1]) {
                values[side].push(batch(side)?);
            }
            let last_two = |side: usize| -> [f64; 2] {
                let values: &Vec<f64> = &values[side];
                [values[values.len() - 2], values[values.len() - 1]]
            };
            blocks.extend(Block::of(last_two(1), last_two(0)));
        }
        contest.fewest_batches = contest.fewest_batches.min(values[0].len());
        if !self.statistic.is_median() {
            let sides = values.each_ref().map(|values| self.statistic.value(values));
            let [Some(old), Some(new)] = sides else { return Ok(None) };
            let log_ratio = (new / old).ln();
            let pair = ExecutionPair { log_ratio, medians: [old, new] };
            return Ok(Some(pair).filter(|_| log_ratio.is_finite()));
        }
        // The level does not matter: only the estimate is used, and its spread over executions.
        const ANY: f64 = 0.05;
        let Some(found) = locate(&blocks, Choice::Quiet, ANY, LookStage::Last, 0.0) else {
            return Ok(None);
        };
        // The medians are of the batches that the ratio counts.
        let quiet = quiet_blocks(&blocks);
        let places: Vec<usize> =
            quiet.iter().flat_map(|block| [2 * block, 2 * block + 1]).collect();
        let [Some(old), Some(new)] = values.each_ref().map(|values| median_at(values, &places))
        else {
            return Ok(None);
        };
        Ok(Some(ExecutionPair { log_ratio: found.log_ratio, medians: [old, new] }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_took_its_process_along_is_gone() {
        let contest = |broken: Option<Refusal>| Contest {
            broken,
            ..Contest::new(InBoth { name: "parse".to_string(), places: [0, 0] })
        };
        let state = |broken| {
            let contest = contest(broken);
            (contest.is_broken(), contest.is_gone(), contest.is_zero())
        };
        assert_eq!(state(None), (false, false, false));
        assert_eq!(state(Some(Refusal::Gone("it crashed".to_string()))), (true, true, false));
        assert_eq!(state(Some(Refusal::Broken("it panicked".to_string()))), (true, false, false));
        assert_eq!(state(Some(Refusal::Zero)), (true, false, true));
    }
}
