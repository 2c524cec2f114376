//! The whole processor: two cores, what they share, and the passing of time.

use crate::counts::Counts;
use crate::memory::{LINE_BYTES, Memory, MemoryCounts};
use crate::pipeline::{Core, Shared};
use crate::predictor::Scheme;
use crate::program::{Task, used_before};
use crate::queue::Queue;
use crate::thermal::{CLOCK_HZ, Change, Governor, INTERVAL, energy};
use crate::trace::{Interval, Summary, Trace};

/// What is simulated.
#[derive(Debug, Clone)]
pub struct Configuration {
    pub seed: u64,
    pub l2_bytes: u64,
    pub scheme: Scheme,
    /// Whether the second-level cache holds what the program used before.
    pub is_warm: bool,
    /// How often statistics are dumped, in cycles; `None` for once, at the end.
    pub dump_every: Option<u64>,
}

/// Statistics of a stretch of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Dump {
    pub begin: u64,
    pub end: u64,
    pub cores: Vec<Counts>,
    pub memory: MemoryCounts,
}

/// What a run brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub summary: Summary,
    pub trace: Trace,
    pub dumps: Vec<Dump>,
}

/// All that was counted up to some time.
#[derive(Debug, Clone)]
struct Mark {
    at: u64,
    cores: Vec<Counts>,
    memory: MemoryCounts,
}

struct Machine {
    cores: Vec<Core>,
    shared: Shared,
    governor: Governor,
    sprint_began: u64,
    joules: f64,
    interval: Mark,
    dump: Mark,
    dumps: Vec<Dump>,
}

/// Simulates the tasks.
pub fn run(configuration: &Configuration, tasks: Vec<Task>) -> Run {
    simulate(configuration, tasks, true)
}

/// `skips`: goes on at once to the next cycle in which something happens.
fn simulate(configuration: &Configuration, tasks: Vec<Task>, skips: bool) -> Run {
    let mut machine = Machine::new(configuration, tasks);
    let dump_every = configuration.dump_every.unwrap_or(u64::MAX);
    let mut now = 0;
    while !machine.cores.iter().all(Core::is_finished) {
        let (next_interval, next_dump) =
            (machine.interval.at + INTERVAL, machine.dump.at.saturating_add(dump_every));
        if now == next_interval {
            machine.end_interval(now);
        }
        if now == next_dump {
            machine.end_dump(now);
        }
        let width = machine.governor.width();
        let mut is_active = false;
        for core in &mut machine.cores {
            is_active |= core.tick(now, width, &mut machine.shared);
        }
        let mut next = now + 1;
        if skips && !is_active {
            let wakes = machine.cores.iter().map(|core| core.next_event(now));
            let wake = wakes.min().unwrap_or(next).max(next);
            // What is due at this cycle's end was not done before.
            let due = (machine.interval.at + INTERVAL)
                .min(machine.dump.at.saturating_add(dump_every))
                .max(next);
            next = wake.min(due);
        }
        now = next;
    }
    machine.finish(now)
}

impl Machine {
    fn new(configuration: &Configuration, tasks: Vec<Task>) -> Machine {
        let core = |number| Core::new(number == 0, configuration.scheme);
        let governor = Governor::new();
        let trace = Trace { first_temperature: governor.temperature, ..Trace::default() };
        let mut memory = Memory::new(configuration.l2_bytes, configuration.seed);
        if configuration.is_warm {
            let used = used_before(LINE_BYTES as usize);
            used.for_each(|address| memory.warm(address / LINE_BYTES));
        }
        let shared = Shared { queue: Queue::new(tasks), memory, trace };
        let cores: Vec<Core> = (0..2).map(core).collect();
        let start = Mark::new(0, &cores, &shared.memory);
        Machine {
            cores,
            shared,
            governor,
            sprint_began: 0,
            joules: 0.0,
            interval: start.clone(),
            dump: start,
            dumps: Vec::new(),
        }
    }

    fn end_interval(&mut self, now: u64) {
        let (cores, memory) = self.interval.since(self);
        let begin = self.interval.at;
        self.interval = Mark::new(now, &self.cores, &self.shared.memory);
        let cycles = (now - begin) as f64;
        let seconds = cycles / CLOCK_HZ;
        let joules = energy(&cores, &memory) + self.governor.static_power() * seconds;
        self.joules += joules;
        let power = joules / seconds;
        let ipc = cores.iter().map(|core| core.instructions).sum::<u64>() as f64 / cycles;
        let change = self.governor.pass(cycles, power, ipc);
        let trace = &mut self.shared.trace;
        let temperature = self.governor.temperature;
        trace.intervals.push(Interval { begin, end: now, ipc, power, temperature });
        match change {
            Change::None => {}
            Change::Begin => self.sprint_began = now,
            Change::End => trace.sprinting.add(self.sprint_began, now),
            Change::Alert => {
                trace.sprinting.add(self.sprint_began, now);
                trace.alert.push(now);
            }
        }
    }

    fn end_dump(&mut self, now: u64) {
        let (cores, memory) = self.dump.since(self);
        self.dumps.push(Dump { begin: self.dump.at, end: now, cores, memory });
        self.dump = Mark::new(now, &self.cores, &self.shared.memory);
    }

    fn finish(mut self, end: u64) -> Run {
        if end > self.interval.at {
            self.end_interval(end);
        }
        if end > self.dump.at {
            self.end_dump(end);
        }
        if self.governor.is_sprinting && self.sprint_began < end {
            self.shared.trace.sprinting.add(self.sprint_began, end);
        }
        let sum = |of: fn(&Counts) -> u64| self.cores.iter().map(|core| of(&core.counts)).sum();
        let instructions: u64 = sum(|counts| counts.instructions);
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        let memory = &self.shared.memory.counts;
        let seconds = end as f64 / CLOCK_HZ;
        let summary = Summary {
            cycles: end,
            instructions,
            ipc: instructions as f64 / end as f64,
            runtime_ms: seconds * 1e3,
            power: self.joules / seconds,
            l2_miss_share: share(memory.l2_misses, memory.l2_accesses),
            misprediction_share: share(sum(|c| c.mispredictions), sum(|c| c.branches)),
        };
        Run { summary, trace: self.shared.trace, dumps: self.dumps }
    }
}

impl Mark {
    fn new(at: u64, cores: &[Core], memory: &Memory) -> Mark {
        Mark { at, cores: cores.iter().map(|core| core.counts).collect(), memory: memory.counts }
    }

    fn since(&self, machine: &Machine) -> (Vec<Counts>, MemoryCounts) {
        let cores = machine.cores.iter().zip(&self.cores);
        let cores = cores.map(|(core, then)| core.counts.since(then)).collect();
        (cores, machine.shared.memory.counts.since(&self.memory))
    }
}

#[cfg(test)]
mod tests;
