//! A core: a window of instructions that issue as soon as their inputs are there, and retire in
//! order. Everything happens in whole cycles.

use crate::counts::Counts;
use crate::data_side::DataSide;
use crate::memory::Memory;
use crate::predictor::{Predictor, Scheme};
use crate::program::{Execution, Instruction, Operation, Work};
use crate::queue::{Attempt, HOLD_CYCLES, Queue, RETRY_CYCLES};
use crate::trace::Trace;
use std::collections::VecDeque;

/// How many instructions are in flight at most.
pub const WINDOW: usize = 32;
const MULTIPLY_CYCLES: u64 = 3;
/// From knowing that a branch was mispredicted to fetching again.
const REFILL_CYCLES: u64 = 12;
/// Later than any cycle: not known yet.
const NEVER: u64 = u64::MAX;

/// What the cores share.
#[derive(Debug, Clone)]
pub struct Shared {
    pub queue: Queue,
    pub memory: Memory,
    pub trace: Trace,
}

#[derive(Debug, Clone)]
struct Slot {
    instruction: Instruction,
    number: u64,
    is_issued: bool,
}

/// What the core's thread is at.
#[derive(Debug, Clone)]
enum Thread {
    /// Waits for the lock of the queue.
    Seeking { since: u64, try_at: u64 },
    /// Holds the lock, or executes its task.
    Busy { since: u64, fetch_from: u64, execution: Execution },
    /// Found the queue empty.
    Finished,
}

/// A core and its thread.
#[derive(Debug, Clone)]
pub struct Core {
    /// The trace holds the states and TLB misses of one core only: those of two would mix.
    is_traced: bool,
    thread: Thread,
    window: VecDeque<Slot>,
    /// When instruction `n` is done, at `n % (2 * WINDOW)`.
    done: [u64; 2 * WINDOW],
    next_number: u64,
    /// When the branch was fetched whose misprediction keeps the front end waiting.
    stalled_since: Option<u64>,
    /// Nothing is fetched before.
    fetch_at: u64,
    data: DataSide,
    predictor: Predictor,
    /// What happened so far.
    pub counts: Counts,
}

impl Core {
    /// A core with empty caches.
    pub fn new(is_traced: bool, scheme: Scheme) -> Core {
        Core {
            is_traced,
            thread: Thread::Seeking { since: 0, try_at: 0 },
            window: VecDeque::with_capacity(WINDOW),
            done: [0; 2 * WINDOW],
            next_number: 0,
            stalled_since: None,
            fetch_at: 0,
            data: DataSide::new(is_traced),
            predictor: Predictor::new(scheme),
            counts: Counts::default(),
        }
    }

    /// Whether the core will do nothing any more.
    pub fn is_finished(&self) -> bool {
        matches!(self.thread, Thread::Finished)
    }

    /// One cycle: retires, issues and fetches up to `width` instructions each. Says whether
    /// anything happened.
    pub fn tick(&mut self, now: u64, width: usize, shared: &mut Shared) -> bool {
        let retired = self.retire(now, width);
        let issued = self.issue(now, width, shared);
        let fetched = self.fetch(now, width, shared);
        retired || issued || fetched
    }

    fn retire(&mut self, now: u64, width: usize) -> bool {
        let before = self.counts.instructions;
        for _ in 0..width {
            match self.window.front() {
                Some(slot) if slot.is_issued && self.done_at(slot.number) <= now => {
                    self.window.pop_front();
                    self.counts.instructions += 1;
                }
                _ => break,
            }
        }
        self.counts.instructions > before
    }

    fn done_at(&self, number: u64) -> u64 {
        self.done[number as usize % (2 * WINDOW)]
    }

    /// Inputs made before the window, or before the task, are there.
    fn is_ready(&self, slot: &Slot, now: u64) -> bool {
        slot.instruction.sources.iter().all(|&distance| {
            let distance = usize::from(distance);
            distance == 0
                || distance > WINDOW
                || slot.number < distance as u64
                || self.done_at(slot.number - distance as u64) <= now
        })
    }

    fn issue(&mut self, now: u64, width: usize, shared: &mut Shared) -> bool {
        let mut free = width;
        for place in 0..self.window.len() {
            if free == 0 {
                break;
            }
            let slot = &self.window[place];
            if slot.is_issued || !self.is_ready(slot, now) {
                continue;
            }
            let (number, instruction) = (slot.number, slot.instruction);
            self.window[place].is_issued = true;
            free -= 1;
            let done = match instruction.operation {
                Operation::Alu | Operation::Branch => now + 1,
                Operation::Multiply => now + MULTIPLY_CYCLES,
                Operation::Load | Operation::Store => {
                    let Shared { memory, trace, .. } = &mut *shared;
                    let counts = &mut self.counts;
                    let ready = self.data.access(instruction.address, now, memory, trace, counts);
                    // Nothing waits for a store.
                    if instruction.operation == Operation::Load { ready } else { now + 1 }
                }
            };
            self.done[number as usize % (2 * WINDOW)] = done;
            // Nothing is fetched after a mispredicted branch: it is the last in the window.
            if number + 1 == self.next_number
                && let Some(since) = self.stalled_since.take()
            {
                self.fetch_at = done + REFILL_CYCLES;
                if self.is_traced {
                    shared.trace.mispredict.add(since, self.fetch_at);
                }
            }
        }
        free < width
    }

    /// Fetches from the thread's task, or looks for a task.
    fn fetch(&mut self, now: u64, width: usize, shared: &mut Shared) -> bool {
        match &mut self.thread {
            Thread::Finished => false,
            Thread::Seeking { try_at, .. } if now < *try_at => false,
            Thread::Seeking { since, try_at } => {
                self.counts.lock_attempts += 1;
                match shared.queue.try_take(now) {
                    Attempt::Held => *try_at = now + RETRY_CYCLES,
                    Attempt::Empty => self.thread = Thread::Finished,
                    Attempt::Taken(task) => {
                        let (since, fetch_from) = (*since, now + HOLD_CYCLES);
                        let execution = Execution::new(task);
                        self.thread = Thread::Busy { since, fetch_from, execution };
                    }
                }
                true
            }
            Thread::Busy { since, fetch_from, execution } => {
                if now < *fetch_from || now < self.fetch_at || self.stalled_since.is_some() {
                    return false;
                }
                for fetched in 0..width {
                    if self.window.len() == WINDOW {
                        return fetched > 0;
                    }
                    let Some(instruction) = execution.next() else {
                        if !self.window.is_empty() {
                            return fetched > 0;
                        }
                        match execution.task().work {
                            Work::Lookup => shared.trace.r.push((now, now - *since)),
                            Work::Chase => shared.trace.s.push((now, now - *since)),
                            Work::Compute | Work::Stream => {}
                        }
                        self.thread = Thread::Seeking { since: now, try_at: now + 1 };
                        return true;
                    };
                    let number = self.next_number;
                    self.next_number += 1;
                    self.done[number as usize % (2 * WINDOW)] = NEVER;
                    self.window.push_back(Slot { instruction, number, is_issued: false });
                    if instruction.operation == Operation::Branch {
                        self.counts.branches += 1;
                        if !self.predictor.predict(instruction.pc, instruction.taken) {
                            self.counts.mispredictions += 1;
                            self.stalled_since = Some(now);
                            return true;
                        }
                    }
                }
                true
            }
        }
    }

    /// The next cycle in which something can happen, if nothing did in this one.
    pub fn next_event(&self, now: u64) -> u64 {
        let timer = match &self.thread {
            Thread::Seeking { try_at, .. } => *try_at,
            Thread::Busy { fetch_from, .. } => (*fetch_from).max(self.fetch_at),
            Thread::Finished => NEVER,
        };
        let issued = self.window.iter().filter(|slot| slot.is_issued);
        let done = issued.map(|slot| self.done_at(slot.number));
        done.chain([timer]).filter(|&time| time > now).min().unwrap_or(NEVER)
    }
}
