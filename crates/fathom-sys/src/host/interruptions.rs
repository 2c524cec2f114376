//! What the kernel counted of one CPU: interrupts, stolen time, and how long this thread waited.

use super::tree::Tree;
use std::path::Path;

/// The kernel shows CPU time in hundredths of a second to programs, whatever its own tick.
const SECONDS_PER_TICK: f64 = 0.01;

/// What the kernel counted up to a moment. What it does not show is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InterruptionCounts {
    /// Interrupts of the CPU's timer.
    pub timer: Option<u64>,
    /// All its other interrupts.
    pub other: Option<u64>,
    /// How much of its time a hypervisor took, in seconds.
    pub stolen: Option<f64>,
    /// How long the calling thread waited for a CPU, in seconds.
    pub waited: Option<f64>,
}

impl InterruptionCounts {
    /// Reads them below a root folder, "/" on a real machine.
    #[must_use]
    pub fn read(root: &Path, cpu: usize) -> InterruptionCounts {
        let tree = Tree::new(root);
        let interrupts = tree.text("proc/interrupts").and_then(|text| interrupts(&text, cpu));
        InterruptionCounts {
            timer: interrupts.and_then(|(timer, _)| timer),
            other: interrupts.map(|(_, other)| other),
            stolen: tree.text("proc/stat").and_then(|text| stolen(&text, cpu)),
            waited: tree.text("proc/thread-self/schedstat").and_then(|text| waited(&text)),
        }
    }

    /// What was counted since an earlier reading.
    #[must_use]
    pub fn since(&self, before: &InterruptionCounts) -> InterruptionCounts {
        let count = |now: Option<u64>, then: Option<u64>| Some(now?.saturating_sub(then?));
        let time = |now: Option<f64>, then: Option<f64>| Some((now? - then?).max(0.0));
        InterruptionCounts {
            timer: count(self.timer, before.timer),
            other: count(self.other, before.other),
            stolen: time(self.stolen, before.stolen),
            waited: time(self.waited, before.waited),
        }
    }
}

/// The timer's and all others' of a CPU. The first line names the CPUs that are on, in the order of
/// the columns.
fn interrupts(text: &str, cpu: usize) -> Option<(Option<u64>, u64)> {
    let mut lines = text.lines();
    let wanted = format!("CPU{cpu}");
    let column = lines.next()?.split_whitespace().position(|name| name == wanted)?;
    let (mut timer, mut other) = (None, 0_u64);
    for line in lines {
        let Some((name, counts)) = line.split_once(':') else { continue };
        // Some lines have one count for the whole machine.
        let Some(count) = counts.split_whitespace().nth(column) else { continue };
        let Ok(count) = count.parse::<u64>() else { continue };
        // x86 names its line, others their timer.
        let is_timer = name.trim() == "LOC"
            || ["arch_timer", "riscv-timer"].iter().any(|one| counts.contains(one));
        if is_timer {
            timer = Some(timer.unwrap_or(0) + count);
        } else {
            other = other.saturating_add(count);
        }
    }
    Some((timer, other))
}

fn stolen(text: &str, cpu: usize) -> Option<f64> {
    let name = format!("cpu{cpu}");
    let mut fields = text.lines().find_map(|line| {
        let mut fields = line.split_whitespace();
        (fields.next() == Some(&name)).then_some(fields)
    })?;
    // user nice system idle iowait irq softirq steal
    let ticks: f64 = fields.nth(7)?.parse().ok().filter(|ticks: &f64| ticks.is_finite())?;
    Some(ticks * SECONDS_PER_TICK)
}

/// Time on a CPU, time waiting for one, and how often it ran; in nanoseconds.
fn waited(text: &str) -> Option<f64> {
    let nanoseconds: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERRUPTS: &str = "           CPU0       CPU2
  0:         21          0   IO-APIC   2-edge      timer
 24:          5       1000  PCI-MSI 512000-edge      virtio0-input.0
LOC:       4000       9000   Local timer interrupts
RES:         10         20   Rescheduling interrupts
ERR:          0
MIS:          0
";

    #[test]
    fn columns_are_found_by_their_names() {
        assert_eq!(interrupts(INTERRUPTS, 0), Some((Some(4000), 36)));
        assert_eq!(interrupts(INTERRUPTS, 2), Some((Some(9000), 1020)));
        assert_eq!(interrupts(INTERRUPTS, 1), None);
        let arm =
            "   CPU0\n 11:  77  GICv3  27 Level  arch_timer\nIPI0:  3  Rescheduling interrupts\n";
        assert_eq!(interrupts(arm, 0), Some((Some(77), 3)));
        assert_eq!(interrupts("   CPU0\n  5:  9  PIC  none\n", 0), Some((None, 9)));
        assert_eq!(interrupts("", 0), None);
        assert_eq!(interrupts("   CPU0\nLOC: many\n", 0), Some((None, 0)));
    }

    #[test]
    fn times_are_in_seconds() {
        let stat = "cpu  1 2 3 4 5 6 7 8 9\ncpu1 1 2 3 4 5 6 7 150 0 0\ncpu10 1 1 1 1\n";
        assert_eq!(stolen(stat, 1), Some(1.5));
        assert_eq!(stolen(stat, 10), None);
        assert_eq!(stolen(stat, 0), None);
        assert_eq!(waited("123456 2500000000 12\n"), Some(2.5));
        assert_eq!(waited("0"), None);
    }

    #[test]
    fn what_is_not_shown_stays_unknown() {
        let nothing = InterruptionCounts::read(Path::new("/nowhere/at/all"), 0);
        assert_eq!(nothing, InterruptionCounts::default());
        let some = InterruptionCounts { timer: Some(9), stolen: Some(0.5), ..nothing };
        let later =
            InterruptionCounts { timer: Some(12), other: Some(3), stolen: Some(0.4), ..some };
        let since = later.since(&some);
        assert_eq!((since.timer, since.other, since.stolen), (Some(3), None, Some(0.0)));
    }
}
