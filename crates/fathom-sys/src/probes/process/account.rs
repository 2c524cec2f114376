//! Counters of a program's processes or threads, added up so that the sum never goes back.
//!
//! When a process ends, its numbers end with it. Whether they are lost depends on which process
//! waits for it:
//!
//! - If its parent waits, the kernel adds them to the parent's totals of children it has waited for
//!   (`cutime` and its like), or to the parent's own (`io`). To keep them too would count twice.
//! - If the parent ignores its children, or is dead and a process outside of the tree waits, they
//!   are added to no process we see. Then what it had at the last look is kept.
//! - Threads are added to nothing that `/proc` shows.
//!
//! Which of these happened is not told, so the parent's own growth is taken for the answer: of what
//! the dead had, as much is kept as their parent did not gain in the same interval. If the parent is
//! dead too, the nearest living ancestor takes its place. The sum then never goes back, and what a
//! parent waited for is never counted twice; at worst it is a little too small, where a parent waits
//! for some children and ignores others within one interval.

use super::process_table::{Presence, ProcessEntry, ProcessTable};
use std::collections::BTreeMap;

/// What a reading counts.
pub(super) trait Counts<const N: usize>: Copy {
    /// Everything it counts.
    fn total(&self) -> [u64; N];

    /// The part that grows when it waits for a child; `None` if it never does.
    fn waited(&self) -> Option<[u64; N]>;
}

/// The sum.
#[derive(Debug)]
pub(super) struct Account<const N: usize> {
    kept: [u64; N],
    told: [u64; N],
}

impl<const N: usize> Account<N> {
    pub(super) fn new() -> Account<N> {
        Account { kept: [0; N], told: [0; N] }
    }

    /// The sum as of the table's last readings; those that went are settled.
    pub(super) fn sum<R: Counts<N>>(&mut self, processes: &mut ProcessTable<R>) -> [u64; N] {
        let entries = processes.entries_mut();
        if entries.iter().any(|entry| entry.presence == Presence::Went) {
            self.settle(entries);
        }
        let mut sum = self.kept;
        for entry in entries.iter_mut().filter(|entry| entry.presence == Presence::Here) {
            let Some(now) = entry.now else { continue };
            if now.waited().is_none() {
                self.keep_what_went_back(entry.counted.as_ref(), &now, &mut sum);
            }
            add(&mut sum, &now.total());
            entry.counted = Some(now);
        }
        // A process can be read in the moment between being waited for and being gone.
        for (told, sum) in self.told.iter_mut().zip(sum) {
            *told = sum.max(*told);
        }
        self.told
    }

    fn settle<R: Counts<N>>(&mut self, entries: &mut [ProcessEntry<R>]) {
        let places: BTreeMap<u64, usize> =
            entries.iter().enumerate().map(|(place, entry)| (entry.serial, place)).collect();
        let heir = |entry: &ProcessEntry<R>| {
            let mut parent = entry.parent;
            // As many steps as there are entries: numbers that chase each other must end.
            for _ in 0..entries.len() {
                let place = *places.get(&parent?)?;
                let ancestor = entries.get(place)?;
                if ancestor.presence == Presence::Here {
                    return Some(place);
                }
                parent = ancestor.parent;
            }
            None
        };
        let mut lost: BTreeMap<Option<usize>, [u64; N]> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.presence == Presence::Went) {
            if let Some(counted) = entry.counted {
                let heir = counted.waited().and_then(|_| heir(entry));
                add(lost.entry(heir).or_insert([0; N]), &counted.total());
            }
        }
        for (heir, lost) in lost {
            let gain = heir.and_then(|place| entries.get(place)).and_then(gain).unwrap_or([0; N]);
            for ((kept, lost), gain) in self.kept.iter_mut().zip(lost).zip(gain) {
                *kept = kept.saturating_add(lost.saturating_sub(gain));
            }
        }
        for entry in entries.iter_mut().filter(|entry| entry.presence == Presence::Went) {
            entry.presence = Presence::Settled;
        }
    }

    /// A thread's numbers start again if another thread of its process executes a program: that one
    /// then has its number.
    fn keep_what_went_back<R: Counts<N>>(
        &mut self,
        before: Option<&R>,
        now: &R,
        sum: &mut [u64; N],
    ) {
        let Some(before) = before.map(Counts::total) else { return };
        let columns = self.kept.iter_mut().zip(sum).zip(before.iter().zip(now.total()));
        for ((kept, sum), (before, now)) in columns {
            if now < *before {
                *kept = kept.saturating_add(*before);
                *sum = sum.saturating_add(*before);
            }
        }
    }
}

/// What a process gained by waiting since it was counted.
fn gain<R: Counts<N>, const N: usize>(entry: &ProcessEntry<R>) -> Option<[u64; N]> {
    let now = entry.now.as_ref()?.waited()?;
    let Some(before) = entry.counted.as_ref().and_then(Counts::waited) else { return Some(now) };
    let mut gain = now;
    for (gain, before) in gain.iter_mut().zip(before) {
        *gain = gain.saturating_sub(before);
    }
    Some(gain)
}

fn add<const N: usize>(sum: &mut [u64; N], more: &[u64; N]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.saturating_add(*more);
    }
}
