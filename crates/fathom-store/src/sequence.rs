//! Whether the runs of a session are all there, once each and in their order.
//!
//! A row's checksum shows that the row was written, not that it stands where it belongs: a page
//! that the disk wrote over another has only right rows, twice, in place of others.

use crate::fields::Flaw;

/// Follows the runs of one session.
#[derive(Debug)]
pub(crate) struct Sequence {
    session: i64,
    /// How many runs are known to be missing.
    lost: u64,
    last: i64,
    count: u64,
}

impl Sequence {
    pub(crate) fn new(session: i64, lost: u64) -> Sequence {
        Sequence { session, lost, last: 0, count: 0 }
    }

    /// The next run's key.
    pub(crate) fn next(&mut self, session: i64, number: i64) -> Result<(), Flaw> {
        if session != self.session || number <= self.last {
            return Err(Flaw::Order { session: self.session });
        }
        self.last = number;
        self.count += 1;
        Ok(())
    }

    /// There are no more.
    pub(crate) fn end(&self) -> Result<(), Flaw> {
        let missing = self.last.cast_unsigned() - self.count;
        // Where nothing is left, nothing can be said.
        match self.count == 0 || missing == self.lost {
            true => Ok(()),
            false => Err(Flaw::Gap { session: self.session }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(lost: u64, keys: &[(i64, i64)]) -> Result<(), Flaw> {
        let mut sequence = Sequence::new(5, lost);
        for &(session, number) in keys {
            sequence.next(session, number)?;
        }
        sequence.end()
    }

    #[test]
    fn runs_stand_in_order_and_only_known_ones_are_missing() {
        assert_eq!(judge(0, &[(5, 1), (5, 2), (5, 3)]), Ok(()));
        assert_eq!(judge(1, &[(5, 1), (5, 3)]), Ok(()));
        assert_eq!(judge(0, &[]), Ok(()));
        assert_eq!(judge(0, &[(5, 1), (5, 3)]), Err(Flaw::Gap { session: 5 }));
        assert_eq!(judge(1, &[(5, 1), (5, 2)]), Err(Flaw::Gap { session: 5 }));
        let order = Err(Flaw::Order { session: 5 });
        assert_eq!(judge(0, &[(5, 1), (5, 1)]), order);
        assert_eq!(judge(0, &[(5, 2), (5, 1)]), order);
        assert_eq!(judge(0, &[(5, 0)]), order);
        assert_eq!(judge(0, &[(5, 1), (6, 2)]), order);
    }
}
