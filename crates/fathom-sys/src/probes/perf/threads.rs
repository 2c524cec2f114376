//! Groups of every thread of a program that runs already.

use super::event_table::Known;
use super::group::{Group, Refused};
use super::kernel::Kernel;
use super::refusal;
use crate::counters::Coverage;
use crate::perf_event::Target;
use crate::probes::Unavailable;
use std::collections::HashSet;
use std::io;

/// The groups of all threads, started, and how far each event sees.
pub(super) type Attached<K> = (Vec<Group<K>>, Vec<Coverage>);

/// Opens the events for every thread there is; the kernel follows what they start from then on.
///
/// Whatever begins while they are opened is left to its parent's events: opening it as well would
/// count it twice if its parent's were open already, and that cannot be seen.
pub(super) fn attach<K: Kernel>(
    kernel: &K,
    events: &[Known],
    pid: u32,
) -> Result<Attached<K>, Unavailable> {
    let threads = settled(|| kernel.threads(pid));
    let (mut groups, mut coverage) = (Vec::with_capacity(threads.len()), Vec::new());
    for &thread in &threads {
        let target = Target::Running(libc::pid_t::try_from(thread).unwrap_or(libc::pid_t::MAX));
        let mut opened = open(kernel, events, target);
        if let Err(refused) = &opened
            && refused.error.raw_os_error() == Some(libc::EMFILE)
            && kernel.allow_more_files()
        {
            opened = open(kernel, events, target);
        }
        match opened {
            Ok((group, sees)) => {
                groups.push(group);
                coverage = sees;
            }
            Err(refused) if refused.error.raw_os_error() == Some(libc::ESRCH) => {}
            Err(refused) => {
                let files = threads.len().saturating_mul(Group::<K>::files(events.len()));
                return Err(refusal::of_process(kernel, &refused, pid, threads.len(), files));
            }
        }
    }
    if groups.is_empty() {
        return Err(Unavailable(format!("there is no process {pid}, or it has ended")));
    }
    for group in &groups {
        group.enable(kernel).map_err(|error| {
            Unavailable(format!("cannot start the counters of process {pid}: {error}"))
        })?;
    }
    Ok((groups, coverage))
}

/// Opens the events of one thread.
///
/// When the kernel switches from a thread to one that it started, the two may swap what they are
/// counted by. If that happens between two events, the second does not fit the first and is refused;
/// so it is if the thread ends meanwhile, which shows at the next attempt.
fn open<K: Kernel>(
    kernel: &K,
    events: &[Known],
    target: Target,
) -> Result<(Group<K>, Vec<Coverage>), Refused> {
    const TRIES: usize = 1000;
    let mut opened = Group::open(kernel, events, target);
    for _ in 1..TRIES {
        match &opened {
            Err(refused) if is_swapped(&refused.error) => {}
            _ => break,
        }
        opened = Group::open(kernel, events, target);
    }
    opened
}

fn is_swapped(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENODEV | libc::EINVAL))
}

/// Lists until nothing new appears. A program that starts threads all the time is not waited for.
fn settled(mut list: impl FnMut() -> Vec<u32>) -> Vec<u32> {
    const TRIES: usize = 8;
    let mut before = list();
    for _ in 1..TRIES {
        let now = list();
        let known: HashSet<u32> = before.into_iter().collect();
        let is_settled = now.iter().all(|thread| known.contains(thread));
        before = now;
        if is_settled {
            break;
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_appears_while_listing_is_listed() {
        let mut listings = vec![vec![1], vec![1, 2], vec![1, 2, 3], vec![1, 3]].into_iter();
        assert_eq!(settled(|| listings.next().unwrap()), [1, 3]);
        let mut thread = 0;
        let ever_new = settled(|| {
            thread += 1;
            vec![thread]
        });
        assert_eq!(ever_new, [8]);
    }
}
