//! The queue of tasks and its lock: where the timing of one core changes what the other does.

use crate::program::Task;

/// How long a thread holds the lock to take a task.
pub const HOLD_CYCLES: u64 = 40;
/// How long a thread that found it held waits before it tries again.
pub const RETRY_CYCLES: u64 = 16;

/// The tasks that nobody took yet.
#[derive(Debug, Clone)]
pub struct Queue {
    tasks: Vec<Task>,
    taken: usize,
    held_until: u64,
}

/// What came of an attempt to take a task.
#[derive(Debug, Clone, Copy)]
pub enum Attempt {
    /// The lock is held by the other thread.
    Held,
    /// The thread has it, and the task.
    Taken(Task),
    /// Nothing is left.
    Empty,
}

impl Queue {
    /// A queue that nobody holds.
    pub fn new(tasks: Vec<Task>) -> Queue {
        Queue { tasks, taken: 0, held_until: 0 }
    }

    /// Tries to take the lock, and under it the next task.
    pub fn try_take(&mut self, now: u64) -> Attempt {
        if now < self.held_until {
            return Attempt::Held;
        }
        match self.tasks.get(self.taken) {
            None => Attempt::Empty,
            Some(&task) => {
                self.held_until = now + HOLD_CYCLES;
                self.taken += 1;
                Attempt::Taken(task)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Work;

    #[test]
    fn one_at_a_time_and_each_task_once() {
        let task = |number| Task { number, work: Work::Chase, rounds: 1 };
        let mut queue = Queue::new(vec![task(0), task(1)]);
        assert!(matches!(queue.try_take(5), Attempt::Taken(Task { number: 0, .. })));
        assert!(matches!(queue.try_take(5), Attempt::Held));
        assert!(matches!(queue.try_take(5 + HOLD_CYCLES - 1), Attempt::Held));
        let second = queue.try_take(5 + HOLD_CYCLES);
        assert!(matches!(second, Attempt::Taken(Task { number: 1, .. })));
        assert!(matches!(queue.try_take(500), Attempt::Empty));
    }
}
