//! A block with its slots: which command ran where, and what ran before it.

use crate::paired::Block;

/// One of the two that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotSide {
    /// What is compared with.
    Reference,
    /// What is compared.
    Subject,
}

/// A block of ABBA or BAAB, or a longer one of several commands in mirrored order, with what its
/// slots tell about two of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlottedBlock {
    /// The logarithms of the reference's two runs, in time order.
    reference: [f64; 2],
    /// Those of the subject.
    subject: [f64; 2],
    /// Whose two runs follow each other in the middle of the block.
    middle: Option<SlotSide>,
    /// Who begins and ends the block, and whether it also ran right before the block. Only where
    /// two commands take turns: then a coin decides it, the same coin in every block.
    outer: Option<(SlotSide, bool)>,
    participants: usize,
}

impl SlottedBlock {
    /// A block from its runs in time order, each with the number of what ran, and what ran right
    /// before the block, where that is known. `None` unless reference and subject ran twice each
    /// and took some time.
    ///
    /// ```
    /// use fathom_stats::paired::{SlotSide, SlottedBlock};
    /// let runs = [(0, 1.0), (1, 2.0), (1, 2.5), (0, 1.1)];
    /// let block = SlottedBlock::of(&runs, [0, 1], Some(1)).ok_or("no block")?;
    /// assert_eq!(block.middle(), Some(SlotSide::Subject));
    /// let log_ratio = 0.5 * (5.0_f64.ln() - 1.1_f64.ln());
    /// assert!((block.block().log_ratio - log_ratio).abs() < 1e-12);
    /// assert!(SlottedBlock::of(&runs[..2], [0, 1], None).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of(
        runs: &[(usize, f64)],
        [reference, subject]: [usize; 2],
        before: Option<usize>,
    ) -> Option<SlottedBlock> {
        let logs = |wanted: usize| -> Option<[f64; 2]> {
            let mut found = runs.iter().filter(|(who, _)| *who == wanted).map(|(_, value)| value);
            let two = [*found.next()?, *found.next()?];
            let is_usable = |value: &f64| *value > 0.0 && value.is_finite();
            let is_block = found.next().is_none() && two.iter().all(is_usable);
            is_block.then(|| two.map(f64::ln))
        };
        let side = |who: usize| match who {
            who if who == reference => Some(SlotSide::Reference),
            who if who == subject => Some(SlotSide::Subject),
            _ => None,
        };
        let who = |place: usize| runs.get(place).map(|(who, _)| *who);
        let (first_half, n) = (runs.len() / 2, runs.len());
        let middle = who(first_half.wrapping_sub(1)).filter(|one| who(first_half) == Some(*one));
        let outer = who(0).filter(|one| n == 4 && who(n - 1) == Some(*one)).and_then(|one| {
            let before = before.filter(|before| side(*before).is_some())?;
            Some((side(one)?, before == one))
        });
        Some(SlottedBlock {
            reference: logs(reference)?,
            subject: logs(subject)?,
            middle: middle.and_then(side),
            outer,
            participants: n / 2,
        })
    }

    /// What the block tells without its slots.
    #[must_use]
    pub fn block(&self) -> Block {
        let [reference, subject] = self.sums();
        Block { log_ratio: 0.5 * (subject - reference), log_total: subject + reference }
    }

    /// Whose two runs follow each other in the middle, if it is one of the two.
    #[must_use]
    pub fn middle(&self) -> Option<SlotSide> {
        self.middle
    }

    /// The two runs of a side, as logarithms.
    pub(super) fn logs(&self, side: SlotSide) -> [f64; 2] {
        match side {
            SlotSide::Reference => self.reference,
            SlotSide::Subject => self.subject,
        }
    }

    /// By how much the earlier run of a side took longer than its later one.
    pub(super) fn decrease(&self, side: SlotSide) -> f64 {
        let [earlier, later] = self.logs(side);
        earlier - later
    }

    /// The sums of both runs of the reference and of the subject.
    pub(super) fn sums(&self) -> [f64; 2] {
        [self.reference.iter().sum(), self.subject.iter().sum()]
    }

    /// By how much the subject's runs took longer than the reference's, on average, in the unit of
    /// the measurement.
    pub(super) fn difference(&self) -> f64 {
        let mean = |logs: [f64; 2]| 0.5 * logs.iter().map(|log| log.exp()).sum::<f64>();
        mean(self.subject) - mean(self.reference)
    }

    /// Who begins and ends the block, and whether it also ran right before it.
    pub(super) fn outer(&self) -> Option<(SlotSide, bool)> {
        self.outer
    }

    /// How many commands take turns.
    pub(super) fn participants(&self) -> usize {
        self.participants
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_told_from_the_order() {
        let of = |order: [usize; 4], before| {
            let runs = order.map(|who| (who, 1.0 + who as f64));
            SlottedBlock::of(&runs, [0, 1], before).unwrap()
        };
        let block = of([1, 0, 0, 1], Some(1));
        assert_eq!(block.middle(), Some(SlotSide::Reference));
        assert_eq!(block.outer(), Some((SlotSide::Subject, true)));
        assert_eq!(of([1, 0, 0, 1], Some(0)).outer(), Some((SlotSide::Subject, false)));
        assert_eq!(of([1, 0, 0, 1], None).outer(), None);
        // Not mirrored: nothing is known of its slots, but its runs count.
        let odd = of([0, 1, 0, 1], Some(0));
        assert_eq!((odd.middle(), odd.outer()), (None, None));
        assert!((odd.block().log_ratio - 2.0_f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn of_several_only_the_middle_is_told() {
        let runs = [(0, 1.0), (2, 9.0), (1, 2.0), (1, 2.0), (2, 9.0), (0, 1.0)];
        let block = SlottedBlock::of(&runs, [0, 1], Some(0)).unwrap();
        assert_eq!((block.middle(), block.outer()), (Some(SlotSide::Subject), None));
        assert_eq!(block.participants(), 3);
        assert_eq!(SlottedBlock::of(&runs, [0, 2], None).unwrap().middle(), None);
    }

    #[test]
    fn what_has_no_logarithm_is_no_block() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let runs = [(0, 1.0), (1, bad), (1, 1.0), (0, 1.0)];
            assert!(SlottedBlock::of(&runs, [0, 1], None).is_none(), "{bad}");
        }
        assert!(SlottedBlock::of(&[], [0, 1], None).is_none());
    }
}
