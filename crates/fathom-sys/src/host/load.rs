//! How much else is running.

use super::pressure::Pressure;
use super::processor::Processor;
use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// More tasks than a kernel can have.
const MOST: f64 = 1e7;

/// What `/proc/loadavg` says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Tasks that run or wait, averaged over a minute.
    pub one_minute: f64,
    /// Over five.
    pub five_minutes: f64,
    /// Over fifteen.
    pub fifteen_minutes: f64,
    /// Tasks that run or could run now, apart from the one that asks.
    pub others_runnable: Option<u64>,
}

impl Load {
    pub(crate) fn read(tree: Tree<'_>) -> Option<Load> {
        let text = tree.text("proc/loadavg")?;
        let mut fields = text.split_whitespace();
        let mut average = || {
            let value: f64 = fields.next()?.parse().ok()?;
            (0.0..MOST).contains(&value).then_some(value)
        };
        let (one_minute, five_minutes, fifteen_minutes) = (average()?, average()?, average()?);
        let runnable = fields.next().and_then(|tasks| tasks.split_once('/')?.0.parse().ok());
        Some(Load {
            one_minute,
            five_minutes,
            fifteen_minutes,
            others_runnable: runnable.map(|count: u64| count.saturating_sub(1)),
        })
    }

    /// How much of the machine is taken.
    fn level(self, cpus: usize) -> Level {
        #[allow(clippy::cast_precision_loss, reason = "thousands at most")]
        let share = self.one_minute / cpus.max(1) as f64;
        // Half a task is what an idle desktop has.
        if share < 0.1 || self.one_minute < 0.5 {
            Level::Good
        } else if share < 0.5 {
            Level::Note
        } else {
            Level::Spoils
        }
    }

    /// Whether the machine is busy: over the last minute and also now, since the average still
    /// counts the build that ended half a minute ago.
    pub(crate) fn is_busy(self, cpus: Option<usize>) -> bool {
        let busy_now = self.others_runnable.is_none_or(|others| others > 0);
        cpus.is_some_and(|cpus| self.level(cpus) == Level::Spoils) && busy_now
    }
}

/// Judges the load, and the waiting for CPUs that it causes.
pub(crate) fn finding(load: Option<Load>, processor: &Processor, pressure: &Pressure) -> Finding {
    let topic = Topic::Load;
    let why =
        "other programs compete for the CPUs and share caches and turbo with the measured one";
    let Some((load, cpus)) = load.zip(processor.cpus) else {
        return Finding::new(topic, Level::Unknown, "Fathom cannot read the load", why);
    };
    let waiting = pressure.cpu;
    let level = match (load.level(cpus), waiting) {
        (_, Some(waiting)) if waiting >= 25.0 => Level::Spoils,
        (Level::Good, Some(waiting)) if waiting >= 5.0 => Level::Note,
        (level, _) => level,
    };
    let mut says = format!("the load is {:.2} on {}", load.one_minute, processor.counted());
    if let Some(waiting) = waiting.filter(|&waiting| waiting >= 5.0) {
        says += &format!(", and programs waited for a CPU {waiting:.0}% of the last 10 s");
    }
    if level == Level::Good {
        return Finding::new(topic, level, says, "little else competes for the CPUs and caches");
    }
    Finding::new(topic, level, says, why).remedy(
        "stop what `top` shows first, or wait until it finishes; `fathom compare` is less \
         affected than `fathom run`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(one_minute: f64, others: u64) -> Load {
        Load { one_minute, five_minutes: 0.0, fifteen_minutes: 0.0, others_runnable: Some(others) }
    }

    #[test]
    fn load_counts_by_the_machine() {
        assert_eq!(load(0.4, 0).level(2), Level::Good);
        assert_eq!(load(0.9, 0).level(2), Level::Note);
        assert_eq!(load(1.0, 0).level(2), Level::Spoils);
        assert_eq!(load(1.0, 0).level(64), Level::Good);
    }

    #[test]
    fn a_load_that_has_ended_is_not_busy() {
        assert!(load(3.0, 2).is_busy(Some(2)));
        assert!(!load(3.0, 0).is_busy(Some(2)));
        assert!(!load(3.0, 2).is_busy(None));
    }

    #[test]
    fn waiting_for_a_cpu_counts_without_load() {
        let four = Processor { model: None, cpus: Some(4) };
        let waits = |cpu| Pressure { cpu: Some(cpu), memory: None, io: None };
        let judged = |cpu| finding(Some(load(0.1, 0)), &four, &waits(cpu));
        assert_eq!(judged(1.0).level, Level::Good);
        assert_eq!(judged(6.0).level, Level::Note);
        let spoiled = judged(40.0);
        assert_eq!(spoiled.level, Level::Spoils);
        assert_eq!(
            spoiled.says,
            "the load is 0.10 on 4 CPUs, and programs waited for a CPU 40% of the last 10 s"
        );
    }
}
