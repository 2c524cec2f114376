//! Events that are counted at the same times, of one thread and all that it starts.

use super::event_table::Known;
use super::kernel::Kernel;
use crate::counters::Coverage;
use crate::perf_event::{Event, Membership, Target};
use std::io;

/// An open group.
#[derive(Debug)]
pub(super) struct Group<K: Kernel> {
    /// Counts nothing, but reading it gives all events at once. Older kernels cannot do that.
    whole: Option<K::Counter>,
    events: Vec<K::Counter>,
}

/// What was counted of one event, and for how long of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Count {
    pub(super) value: u64,
    /// How long there was something to count, in nanoseconds.
    pub(super) enabled: u64,
    /// How much of that it was really counted.
    pub(super) running: u64,
}

impl Count {
    fn add(&mut self, value: u64, enabled: u64, running: u64) {
        self.value = self.value.saturating_add(value);
        self.enabled = self.enabled.saturating_add(enabled);
        self.running = self.running.saturating_add(running);
    }

    /// The value for the whole time. `None` if there was something to count and it was not.
    pub(super) fn whole(self) -> Option<u64> {
        match self.running {
            _ if self.running >= self.enabled => Some(self.value),
            0 => None,
            running => {
                let scaled =
                    u128::from(self.value) * u128::from(self.enabled) / u128::from(running);
                u64::try_from(scaled).ok()
            }
        }
    }
}

/// An event that could not be opened.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) name: &'static str,
    pub(super) error: io::Error,
}

impl<K: Kernel> Group<K> {
    /// Opens the events for a target, and says how far each sees.
    pub(super) fn open(
        kernel: &K,
        events: &[Known],
        target: Target,
    ) -> Result<(Group<K>, Vec<Coverage>), Refused> {
        let first = events.first().map_or("nothing", |known| known.name);
        let whole = match kernel.open(Membership::Leader { reads_all: true }, Event::DUMMY, target)
        {
            Ok((whole, _)) => Some(whole),
            // Before Linux 4.13 what is inherited could not be read at once.
            Err(error)
                if matches!(
                    error.raw_os_error(),
                    Some(libc::EINVAL | libc::ENOENT | libc::EOPNOTSUPP)
                ) =>
            {
                None
            }
            Err(error) => return Err(Refused { name: first, error }),
        };
        let mut group = Group { whole, events: Vec::with_capacity(events.len()) };
        let mut coverage = Vec::with_capacity(events.len());
        for known in events {
            let membership = match group.leader() {
                Some(leader) => Membership::Member(leader),
                None => Membership::Leader { reads_all: false },
            };
            let (event, sees) = kernel
                .open(membership, known.event, target)
                .map_err(|error| Refused { name: known.name, error })?;
            group.events.push(event);
            coverage.push(sees);
        }
        Ok((group, coverage))
    }

    fn leader(&self) -> Option<&K::Counter> {
        self.whole.as_ref().or(self.events.first())
    }

    pub(super) fn enable(&self, kernel: &K) -> io::Result<()> {
        self.leader().map_or(Ok(()), |leader| kernel.enable(leader))
    }

    /// Adds what was counted so far; `words` is room to read into.
    pub(super) fn read(
        &self,
        kernel: &K,
        words: &mut Vec<u64>,
        counts: &mut [Count],
    ) -> io::Result<()> {
        let Some(whole) = &self.whole else { return self.read_each(kernel, counts) };
        // How many events, two times, and the value of the event that counts nothing.
        const BEFORE_VALUES: usize = 4;
        words.clear();
        words.resize(BEFORE_VALUES + self.events.len(), 0);
        match kernel.read(whole, words) {
            Ok(got) => complete(got >= words.len())?,
            // While a thread begins or ends it has only some of the events, and one that began
            // while we opened them stays so. The kernel then does not read them at once.
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => {
                return self.read_each(kernel, counts);
            }
            Err(error) => return Err(error),
        }
        let [_, enabled, running, _, values @ ..] = words.as_slice() else {
            return complete(false);
        };
        for (count, &value) in counts.iter_mut().zip(values) {
            count.add(value, *enabled, *running);
        }
        Ok(())
    }

    fn read_each(&self, kernel: &K, counts: &mut [Count]) -> io::Result<()> {
        for (event, count) in self.events.iter().zip(counts) {
            let mut words = [0; 3];
            complete(kernel.read(event, &mut words)? >= words.len())?;
            let [value, enabled, running] = words;
            count.add(value, enabled, running);
        }
        Ok(())
    }

    /// How many files it takes to count this many events.
    pub(super) fn files(events: usize) -> usize {
        events + 1
    }
}

fn complete(is_so: bool) -> io::Result<()> {
    if is_so { Ok(()) } else { Err(io::Error::other("the kernel returned too little data")) }
}
