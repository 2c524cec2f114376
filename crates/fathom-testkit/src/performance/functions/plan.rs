//! The trials to make, and their order.

use super::super::trials::{Condition, Effect, shuffle, uniform};
use super::tools::Tool;
use super::work::Size;
use crate::population::generator;

/// A trial to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    pub(super) tool: Tool,
    pub(super) condition: Condition,
    pub(super) task: Task,
    /// Where the neighbour is in its turn.
    pub(super) phase: f64,
    /// For tools that take one.
    pub(super) seed: u32,
}

/// What is asked of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// To compare two functions.
    Compare {
        size: Size,
        effect: Effect,
        /// Whether the slower one comes first and is the baseline.
        slower_first: bool,
    },
    /// To say how long the tiny one takes.
    Time,
}

impl Plan {
    /// All trials of all tools, in random order.
    ///
    /// Under each condition: `trials` of one function against itself for each size, two thirds as
    /// many for each difference, and a third as many of the tiny function's time. The slower
    /// function comes first in every other one.
    pub(super) fn all(trials: usize, tools: &[Tool], seed: u64) -> Vec<Plan> {
        let mut rng = generator(seed, 0);
        let mut plans = Vec::new();
        for &tool in tools {
            for condition in Condition::BOTH {
                let tasks = tasks(trials);
                plans.extend(tasks.into_iter().map(|task| Plan {
                    tool,
                    condition,
                    task,
                    phase: uniform(&mut rng),
                    seed: (uniform(&mut rng) * f64::from(u32::MAX)) as u32,
                }));
            }
        }
        shuffle(&mut plans, &mut rng);
        plans
    }
}

fn tasks(trials: usize) -> Vec<Task> {
    let mut tasks = Vec::new();
    for size in Size::COMPARED {
        for effect in Effect::ALL {
            let is_same = effect == Effect::NONE;
            let trials = if is_same { trials } else { (2 * trials).div_ceil(3) };
            tasks.extend((0..trials).map(|number| {
                let slower_first = number.is_multiple_of(2);
                Task::Compare { size, effect, slower_first }
            }));
        }
    }
    tasks.extend((0..trials.div_ceil(3)).map(|_| Task::Time));
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_has_all_trials_and_is_mixed() {
        let tools = [Tool::Fathom, Tool::Divan];
        let plans = Plan::all(30, &tools, 1);
        let count = |is_it: &dyn Fn(&Plan) -> bool| plans.iter().filter(|plan| is_it(plan)).count();
        for tool in tools {
            for condition in Condition::BOTH {
                let such = |plan: &Plan| plan.tool == tool && plan.condition == condition;
                for size in Size::COMPARED {
                    for (effect, trials) in Effect::ALL.into_iter().zip([30, 20, 20, 20]) {
                        for slower_first in [false, true] {
                            let task = Task::Compare { size, effect, slower_first };
                            assert_eq!(count(&|plan| such(plan) && plan.task == task), trials / 2);
                        }
                    }
                }
                assert_eq!(count(&|plan| such(plan) && plan.task == Task::Time), 10);
            }
        }
        assert_eq!(plans.len(), 2 * 2 * (2 * 90 + 10));
        let changes = plans.windows(2).filter(|two| two[0].condition != two[1].condition).count();
        assert!(changes > 300, "{changes}");
        assert_eq!(plans, Plan::all(30, &tools, 1));
        assert_ne!(plans, Plan::all(30, &tools, 2));
    }
}
