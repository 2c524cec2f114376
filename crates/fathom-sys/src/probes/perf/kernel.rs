//! What is asked of the kernel.

use super::open_files;
use crate::clock;
use crate::counters::{self, Coverage};
use crate::perf_event::{self, Event, Membership, Target};
use crate::probes::ProcessTree;
use fathom_record::Span;
use std::fmt;
use std::fs::File;
use std::io;

/// The kernel as far as events go. Tests have one with a processor of their choice.
pub(super) trait Kernel: Clone + Send + Sync + fmt::Debug + 'static {
    /// An open event.
    type Counter: Send + fmt::Debug;

    /// Opens an event; see [`perf_event::open_in`].
    fn open(
        &self,
        membership: Membership<'_, Self::Counter>,
        event: Event,
        target: Target,
    ) -> io::Result<(Self::Counter, Coverage)>;

    /// Starts a group.
    fn enable(&self, leader: &Self::Counter) -> io::Result<()>;

    /// Reads the kernel's words; see [`perf_event::read_words`].
    fn read(&self, counter: &Self::Counter, words: &mut [u64]) -> io::Result<usize>;

    /// The threads of a process and of its descendants, as of now. The first thread of each process
    /// comes before all others: it is the likeliest to start more.
    fn threads(&self, pid: u32) -> Vec<u32>;

    /// Does something that takes the processor a little while.
    fn work(&self);

    /// The kernel's strictness, if it can be read.
    fn paranoid(&self) -> Option<i32>;

    /// How many files may be open.
    fn open_files(&self) -> Option<u64>;

    /// Raises that number, if it can be raised; whether it was.
    fn allow_more_files(&self) -> bool;
}

/// The kernel that this program runs on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linux;

impl Kernel for Linux {
    type Counter = File;

    fn open(
        &self,
        membership: Membership<'_>,
        event: Event,
        target: Target,
    ) -> io::Result<(File, Coverage)> {
        perf_event::open_in(membership, event, target)
    }

    fn enable(&self, leader: &File) -> io::Result<()> {
        perf_event::enable(leader)
    }

    fn read(&self, counter: &File, words: &mut [u64]) -> io::Result<usize> {
        perf_event::read_words(counter, words)
    }

    fn threads(&self, pid: u32) -> Vec<u32> {
        let mut tree = ProcessTree::new(pid);
        tree.refresh(clock::monotonic());
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for &process in tree.processes() {
            let Ok(entries) = std::fs::read_dir(format!("/proc/{process}/task")) else { continue };
            let numbers =
                entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
            let (main, rest): (Vec<u32>, Vec<u32>) = numbers.partition(|thread| *thread == process);
            first.extend(main);
            others.extend(rest);
        }
        others.sort_unstable();
        first.append(&mut others);
        first
    }

    fn work(&self) {
        const ENOUGH: Span = Span::from_nanoseconds(200_000);
        let began = clock::monotonic();
        while clock::monotonic() - began < ENOUGH {
            std::hint::spin_loop();
        }
    }

    fn paranoid(&self) -> Option<i32> {
        counters::paranoid()
    }

    fn open_files(&self) -> Option<u64> {
        open_files::limit()
    }

    fn allow_more_files(&self) -> bool {
        open_files::raise()
    }
}
