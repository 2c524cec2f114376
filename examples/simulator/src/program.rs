//! The synthetic program: a queue of tasks of four kinds, taken by two threads.
//!
//! The program is the same in every run; only its timing differs. What a task does follows from
//! its number, not from who takes it or when.

use crate::random::Random;

/// What an instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// One cycle.
    Alu,
    /// Three cycles, pipelined.
    Multiply,
    /// Reads memory.
    Load,
    /// Writes memory; nothing waits for it.
    Store,
    /// Goes one of two ways.
    Branch,
}

/// One instruction as it was executed.
#[derive(Debug, Clone, Copy)]
pub struct Instruction {
    pub operation: Operation,
    /// How many instructions back its inputs were made; 0 for none.
    pub sources: [u8; 2],
    /// Of loads and stores.
    pub address: u64,
    /// Of branches: where it is, and whether it was taken.
    pub pc: u32,
    pub taken: bool,
}

/// What a task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Arithmetic in nested loops, without memory.
    Compute,
    /// Reads an array in order and writes another.
    Stream,
    /// Follows pointers around a ring: each load needs the one before. This is request S.
    Chase,
    /// Looks keys up in a hash table: scattered loads, branches on data. This is request R.
    Lookup,
}

/// An entry of the queue.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    pub number: u64,
    pub work: Work,
    /// How often its loop is gone through.
    pub rounds: u64,
}

const TABLE: u64 = 0x1000_0000;
const TABLE_BYTES: u64 = 1024 << 10;
/// The part of the table that half of the lookups go to.
const HOT_BYTES: u64 = 24 << 10;
const RING: u64 = 0x2000_0000;
const RING_NODES: u64 = 4096;
const NODE_BYTES: u64 = 64;
const INPUT: u64 = 0x3000_0000;
const INPUT_BYTES: u64 = 128 << 10;
const OUTPUT: u64 = 0x4000_0000;
const OUTPUT_BYTES: u64 = 32 << 10;

/// The queue of tasks of about this many instructions in total, and no more than the last task
/// above it.
pub fn tasks(instructions: u64) -> Vec<Task> {
    // The seed of the program, not of a run.
    let mut random = Random::new(2003, 0);
    let mut tasks = Vec::new();
    let mut planned = 0;
    while planned < instructions {
        let (work, least, per_round) = match random.below(10) {
            0..3 => (Work::Compute, 300, 31),
            3..5 => (Work::Stream, 800, 5),
            5..7 => (Work::Chase, 100, 4),
            _ => (Work::Lookup, 600, 7),
        };
        let rounds = least + random.below(3 * least);
        planned += rounds * per_round;
        tasks.push(Task { number: tasks.len() as u64, work, rounds });
    }
    tasks
}

/// What the program was using before the simulation begins, as after a warm-up: all its addresses
/// but those it writes, one for every `step` bytes.
pub fn used_before(step: usize) -> impl Iterator<Item = u64> {
    let all = [(INPUT, INPUT_BYTES), (RING, RING_NODES * NODE_BYTES), (TABLE, TABLE_BYTES)];
    all.into_iter().flat_map(move |(start, bytes)| (start..start + bytes).step_by(step))
}

/// A task being executed: its instructions in order.
#[derive(Debug, Clone)]
pub struct Execution {
    task: Task,
    round: u64,
    random: Random,
    /// The ring's node that was reached.
    node: u64,
    /// The instructions of the current round, and how many of them were handed out.
    body: Vec<Instruction>,
    handed_out: usize,
}

impl Execution {
    /// The beginning of a task.
    pub fn new(task: Task) -> Execution {
        let mut random = Random::new(2003, 1 + task.number);
        let node = random.below(RING_NODES);
        Execution { task, round: 0, random, node, body: Vec::new(), handed_out: 0 }
    }

    /// What is executed.
    pub fn task(&self) -> Task {
        self.task
    }

    fn add(&mut self, operation: Operation, sources: [u8; 2], address: u64) {
        self.body.push(Instruction { operation, sources, address, pc: 0, taken: false });
    }

    fn branch(&mut self, place: u32, source: u8, taken: bool) {
        let pc = 0x1000 * (1 + self.task.work as u32) + 4 * place;
        let sources = [source, 0];
        let operation = Operation::Branch;
        self.body.push(Instruction { operation, sources, address: 0, pc, taken });
    }

    /// Lays out the next round of the loop.
    fn next_round(&mut self) {
        use Operation::{Alu, Load, Multiply, Store};
        self.body.clear();
        self.handed_out = 0;
        match self.task.work {
            Work::Compute => {
                for trip in 0..6 {
                    // Two independent chains of multiplications: the width of issue limits it.
                    self.add(Multiply, [10, 0], 0);
                    self.add(Alu, [1, 0], 0);
                    self.add(Alu, [5, 0], 0);
                    self.add(Alu, [0, 0], 0);
                    self.branch(0, 1, trip < 5);
                }
            }
            Work::Stream => {
                let start = 4 * 1024 * (self.task.number * 7);
                let offset = start + 16 * self.round;
                self.add(Load, [0, 0], INPUT + offset % INPUT_BYTES);
                self.add(Multiply, [1, 0], 0);
                self.add(Store, [1, 0], OUTPUT + offset % OUTPUT_BYTES);
                self.add(Alu, [5, 0], 0);
            }
            Work::Chase => {
                // A linear congruential generator of full period: a ring in scattered order.
                self.node = (self.node * 1_664_525 + 1_013_904_223) % RING_NODES;
                self.add(Load, [4, 0], RING + NODE_BYTES * self.node);
                self.add(Alu, [1, 0], 0);
                self.add(Alu, [4, 1], 0);
            }
            Work::Lookup => {
                let bytes = if self.random.below(2) == 0 { HOT_BYTES } else { TABLE_BYTES };
                let bucket = TABLE + 32 * self.random.below(bytes / 32);
                let found_at_once = self.random.below(8) != 0;
                self.add(Alu, [0, 0], 0);
                self.add(Alu, [1, 0], 0);
                self.add(Load, [1, 0], bucket);
                self.branch(1, 1, found_at_once);
                if !found_at_once {
                    self.add(Load, [2, 0], bucket ^ 32);
                    self.add(Alu, [1, 0], 0);
                }
                self.add(Alu, [1, 0], 0);
            }
        }
        self.round += 1;
        let again = self.round < self.task.rounds;
        self.branch(7, 1, again);
    }
}

impl Iterator for Execution {
    type Item = Instruction;

    fn next(&mut self) -> Option<Instruction> {
        if self.handed_out == self.body.len() {
            if self.round == self.task.rounds {
                return None;
            }
            self.next_round();
        }
        self.handed_out += 1;
        self.body.get(self.handed_out - 1).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_is_as_much_work_as_was_asked_for() {
        for instructions in [1, 10_000, 300_000] {
            let tasks = tasks(instructions);
            let made: usize = tasks.iter().map(|&task| Execution::new(task).count()).sum();
            let made = made as f64;
            assert!(made > 0.9 * instructions as f64, "{made} of {instructions}");
            assert!(made < instructions as f64 + 40_000.0, "{made} of {instructions}");
        }
    }

    #[test]
    fn the_ring_visits_every_node() {
        let task = Task { number: 3, work: Work::Chase, rounds: RING_NODES };
        let loads = Execution::new(task).filter(|i| i.operation == Operation::Load);
        let nodes: BTreeSet<u64> = loads.map(|load| load.address).collect();
        assert_eq!(nodes.len() as u64, RING_NODES);
    }

    #[test]
    fn every_loop_ends_with_a_branch_that_is_not_taken() {
        for work in [Work::Compute, Work::Stream, Work::Chase, Work::Lookup] {
            let last = Execution::new(Task { number: 0, work, rounds: 9 }).last().unwrap();
            assert!(last.operation == Operation::Branch && !last.taken);
        }
    }
}
