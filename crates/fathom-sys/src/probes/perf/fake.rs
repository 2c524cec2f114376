//! A kernel with a processor of the test's choice.

use super::kernel::Kernel;
use crate::counters::Coverage;
use crate::perf_event::{Event, Membership, Target};
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

/// What it is like, and what it was asked.
#[derive(Debug)]
pub(super) struct State {
    /// How many events the processor counts at once.
    pub(super) slots: usize,
    /// How many of them another program has.
    pub(super) taken: usize,
    /// The error an event meets with.
    pub(super) refuses: fn(Event, Target) -> Option<i32>,
    /// How many files may be open.
    pub(super) most_files: usize,
    /// How many more are permitted.
    pub(super) more_files: usize,
    /// How far events see.
    pub(super) coverage: Coverage,
    /// Whether what is inherited can be read at once.
    pub(super) reads_inherited: bool,
    /// How many groups a thread is started into while they are opened.
    pub(super) raced: usize,
    /// How many members of groups of threads are refused for a while.
    pub(super) swapped: usize,
    pub(super) paranoid: Option<i32>,
    /// What listings of threads give, one after the other.
    pub(super) listings: VecDeque<Vec<u32>>,
    /// Of the running time of what is counted next.
    pub(super) times: Option<(u64, u64)>,
    pub(super) files: usize,
    pub(super) reads: usize,
    groups: Vec<FakeGroup>,
}

#[derive(Debug)]
struct FakeGroup {
    target: Target,
    events: Vec<Event>,
    values: Vec<u64>,
    is_enabled: bool,
    is_torn: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Fake(Arc<Mutex<State>>);

/// An open event.
#[derive(Debug)]
pub(super) struct FakeCounter {
    kernel: Fake,
    group: usize,
    index: usize,
    reads_all: bool,
}

impl Drop for FakeCounter {
    fn drop(&mut self) {
        self.kernel.state().files -= 1;
    }
}

impl Fake {
    /// A processor with six counters that has every event.
    pub(super) fn new() -> Fake {
        Fake(Arc::new(Mutex::new(State {
            slots: 6,
            taken: 0,
            refuses: |_, _| None,
            most_files: 1000,
            more_files: 0,
            coverage: Coverage::Everything,
            reads_inherited: true,
            raced: 0,
            swapped: 0,
            paranoid: Some(2),
            listings: VecDeque::new(),
            times: None,
            files: 0,
            reads: 0,
            groups: Vec::new(),
        })))
    }

    pub(super) fn with(change: impl FnOnce(&mut State)) -> Fake {
        let fake = Fake::new();
        change(&mut fake.state());
        fake
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// The n-th event of every group of this target grows by n more than this.
    pub(super) fn count(&self, target: Target, growth: u64) {
        let mut state = self.state();
        for group in state.groups.iter_mut().filter(|group| group.target == target) {
            let values = group.values.iter_mut().zip(&group.events);
            let counting = values.filter(|(_, event)| **event != Event::DUMMY);
            for (n, (value, _)) in (0..).zip(counting) {
                *value += growth + n;
            }
        }
    }
}

impl Kernel for Fake {
    type Counter = FakeCounter;

    fn open(
        &self,
        membership: Membership<'_, FakeCounter>,
        event: Event,
        target: Target,
    ) -> io::Result<(FakeCounter, Coverage)> {
        let mut state = self.state();
        let fails = |errno| Err(io::Error::from_raw_os_error(errno));
        if let Some(errno) = (state.refuses)(event, target) {
            return fails(errno);
        }
        if state.files >= state.most_files {
            return fails(libc::EMFILE);
        }
        let (group, reads_all) = match membership {
            Membership::Leader { reads_all } => {
                if reads_all && !state.reads_inherited {
                    return fails(libc::EINVAL);
                }
                let is_torn = reads_all && state.raced > 0 && matches!(target, Target::Running(_));
                state.raced -= usize::from(is_torn);
                let (events, values) = (Vec::new(), Vec::new());
                state.groups.push(FakeGroup { target, events, values, is_enabled: false, is_torn });
                (state.groups.len() - 1, reads_all)
            }
            Membership::Member(_) if state.swapped > 0 && matches!(target, Target::Running(_)) => {
                state.swapped -= 1;
                return fails(libc::EINVAL);
            }
            Membership::Member(leader) => (leader.group, false),
        };
        let slots = state.slots;
        let fake = &mut state.groups[group];
        if event.is_hardware()
            && fake.events.iter().filter(|one| one.is_hardware()).count() == slots
        {
            return fails(libc::EINVAL);
        }
        fake.events.push(event);
        fake.values.push(0);
        let index = fake.events.len() - 1;
        state.files += 1;
        let counter = FakeCounter { kernel: self.clone(), group, index, reads_all };
        Ok((counter, state.coverage))
    }

    fn enable(&self, leader: &FakeCounter) -> io::Result<()> {
        self.state().groups[leader.group].is_enabled = true;
        Ok(())
    }

    fn read(&self, counter: &FakeCounter, words: &mut [u64]) -> io::Result<usize> {
        let mut state = self.state();
        state.reads += 1;
        let free = state.slots - state.taken;
        let times = state.times;
        let group = &state.groups[counter.group];
        if group.is_torn && counter.reads_all {
            return Err(io::Error::from_raw_os_error(libc::ECHILD));
        }
        let hardware = group.events.iter().filter(|event| event.is_hardware()).count();
        let (enabled, running) = match (group.is_enabled, times) {
            (false, None) => (0, 0),
            (_, Some(times)) => times,
            (true, None) => (1000, if hardware > free { 0 } else { 1000 }),
        };
        let given = if counter.reads_all {
            let count = group.values.len() as u64;
            [&[count, enabled, running], &group.values[..]].concat()
        } else {
            vec![group.values[counter.index], enabled, running]
        };
        assert!(words.len() >= given.len(), "the kernel would refuse so little room");
        words[..given.len()].copy_from_slice(&given);
        Ok(given.len())
    }

    fn threads(&self, _pid: u32) -> Vec<u32> {
        let mut state = self.state();
        let listing = state.listings.pop_front().unwrap_or_default();
        if state.listings.is_empty() {
            state.listings.push_back(listing.clone());
        }
        listing
    }

    fn work(&self) {}

    fn paranoid(&self) -> Option<i32> {
        self.state().paranoid
    }

    fn open_files(&self) -> Option<u64> {
        u64::try_from(self.state().most_files).ok()
    }

    fn allow_more_files(&self) -> bool {
        let mut state = self.state();
        let more = std::mem::take(&mut state.more_files);
        state.most_files += more;
        more > 0
    }
}
