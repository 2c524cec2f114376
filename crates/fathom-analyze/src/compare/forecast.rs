//! What it would take to decide what is not decided.

use super::{Gate, GateOutcome, Margin};
use fathom_stats::paired::{Guard, Located, blocks_to_clear, further_blocks};
use fathom_stats::{Confidence, LogRatioInterval};

/// An interval of the log-ratio that was seen in a look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seen {
    pub(super) log_ratio: f64,
    pub(super) interval: LogRatioInterval,
    /// How many blocks, or samples of each side, it rests on.
    pub(super) n: usize,
    /// What the look could err, and what a look to come may.
    pub(super) spent: f64,
    pub(super) coming: f64,
}

impl Seen {
    /// An interval of `n` samples at this confidence, in a single look.
    pub(super) fn once(
        log_ratio: f64,
        interval: LogRatioInterval,
        n: usize,
        sure: Confidence,
    ) -> Seen {
        Seen { log_ratio, interval, n, spent: sure.alpha(), coming: sure.alpha() }
    }

    /// The number in all that would probably give an answer: to every gate that has none, or where
    /// no gate was asked for, the verdict. `None` if that is not in sight, or nothing is open.
    pub(super) fn needed(&self, margin: Margin, gates: &[Gate]) -> Option<usize> {
        let look = Located {
            log_ratio: self.log_ratio,
            interval: self.interval,
            used: self.n,
            guard: Guard { lag1: 0.0, thinness: 1.0 },
            p_value: 1.0,
            may_decide: true,
        };
        if gates.is_empty() {
            let found = further_blocks(&look, self.n, margin.log(), self.spent, self.coming)?;
            return Some(found.blocks);
        }
        let mut most = None;
        for gate in gates {
            if gate.finally(self.interval) == GateOutcome::Inconclusive {
                let distance = gate.distance(self.log_ratio);
                let found = blocks_to_clear(&look, self.n, distance, self.spent, self.coming)?;
                most = most.max(Some(found.blocks));
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(estimate: f64, half: f64) -> Seen {
        let interval = LogRatioInterval { lower: estimate - half, upper: estimate + half };
        Seen::once(estimate, interval, 40, Confidence::DEFAULT)
    }

    #[test]
    fn a_gate_needs_less_than_a_narrow_margin() {
        let five = [Gate::NotSlower(Margin::new(0.05).unwrap())];
        let found = seen(0.0, 0.12);
        let for_gate = found.needed(Margin::DEFAULT, &five).unwrap();
        let for_margin = found.needed(Margin::DEFAULT, &[]).unwrap();
        assert!(for_gate > 40 && for_gate < for_margin / 50, "{for_gate} {for_margin}");
    }

    #[test]
    fn what_is_decided_needs_nothing() {
        let five = [Gate::NotSlower(Margin::new(0.05).unwrap())];
        assert_eq!(seen(0.0, 0.09).needed(Margin::DEFAULT, &five), None);
        let unknown = Seen { interval: LogRatioInterval::EVERYTHING, ..seen(0.0, 0.1) };
        assert_eq!(unknown.needed(Margin::DEFAULT, &five), None);
    }
}
