//! How often a commit waits for the disk.
//!
//! With a write-ahead log, a commit under `synchronous = NORMAL` is handed to the kernel and is
//! safe from anything that happens to Fathom: a crash, kill -9. Only a power cut or a crash of the
//! kernel can lose it. Under `FULL` the commit also waits until the disk has it, together with all
//! before it. Waiting costs milliseconds and disturbs the next run's caches, so it is done at most
//! once a second: runs of a second and more are on disk before the next starts, and of short ones
//! a power cut takes those of the last second. (If a long run follows them, they wait for its
//! commit or for the kernel's own write-back, by default 30 s.)

use std::time::{Duration, Instant};

/// The longest that commits go on without one that waits for the disk.
const INTERVAL: Duration = Duration::from_secs(1);

/// When a commit last waited for the disk.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    last: Option<Instant>,
}

impl Pace {
    /// Whether a commit now must wait for the disk.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.last.is_none_or(|last| now.saturating_duration_since(last) >= INTERVAL)
    }

    /// A commit waited.
    pub(crate) fn synced(&mut self, now: Instant) {
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_then_one_a_second() {
        let start = Instant::now();
        let mut pace = Pace::default();
        assert!(pace.is_due(start));
        pace.synced(start);
        assert!(!pace.is_due(start + Duration::from_millis(999)));
        assert!(pace.is_due(start + Duration::from_millis(1000)));
        pace.synced(start + Duration::from_millis(1500));
        assert!(!pace.is_due(start + Duration::from_millis(2400)));
        assert!(pace.is_due(start + Duration::from_secs(3600)));
    }
}
