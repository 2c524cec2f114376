//! What the CPUs did between two moments.

use std::path::Path;
use std::time::Duration;

use super::cgroup;
use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// The kernel shows CPU time in hundredths of a second to programs, whatever its own tick.
const TICKS_PER_SECOND: f64 = 100.0;

/// Below this a single tick is too large a part to say anything.
const SHORTEST_SECONDS: f64 = 0.2;

/// Time of all CPUs since the machine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CpuTimes {
    /// How many CPUs were summed.
    pub cpus: u32,
    /// In programs, in the kernel and in interrupts, in ticks of 1/100 s.
    pub busy: u64,
    /// Idle, or waiting for a disk, in ticks.
    pub idle: u64,
    /// Taken away by the hypervisor, in ticks; kernels before 2.6.11 do not say.
    pub steal: Option<u64>,
    /// How long our control groups were stopped for using up their CPU quota.
    pub throttled: Option<Duration>,
}

/// What the CPUs did between two moments, as shares of what they could have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// The time in between, in seconds.
    pub seconds: f64,
    /// How many CPUs there are.
    pub cpus: u32,
    /// Busy, from 0 to 1.
    pub busy: f64,
    /// Taken away by the hypervisor, from 0 to 1.
    pub steal: Option<f64>,
    /// How long our control groups were stopped.
    pub throttled: Option<Duration>,
}

impl CpuTimes {
    /// Reads them below a root folder, "/" on a real machine. `None` if they are not to be seen.
    #[must_use]
    pub fn read(root: &Path) -> Option<CpuTimes> {
        let tree = Tree::new(root);
        let times = CpuTimes::parse(&tree.text("proc/stat")?)?;
        Some(CpuTimes { throttled: cgroup::throttled(tree), ..times })
    }

    fn parse(stat: &str) -> Option<CpuTimes> {
        let cpus = stat
            .lines()
            .filter_map(|line| line.strip_prefix("cpu")?.split(' ').next()?.parse::<u32>().ok());
        let cpus = u32::try_from(cpus.count()).ok().filter(|&cpus| cpus > 0)?;
        let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let ticks: Vec<u64> =
            line.split_whitespace().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        // user nice system idle iowait irq softirq steal guest guest_nice; the guests' time is in
        // user and nice already.
        let &[user, nice, system, idle, ref rest @ ..] = ticks.as_slice() else { return None };
        let at = |index: usize| rest.get(index).copied().unwrap_or(0);
        let busy = [user, nice, system, at(1), at(2)];
        Some(CpuTimes {
            cpus,
            busy: busy.into_iter().try_fold(0u64, u64::checked_add)?,
            idle: idle.checked_add(at(0))?,
            steal: rest.get(3).copied(),
            throttled: None,
        })
    }

    /// The shares since an earlier reading; `None` if no time went by.
    #[must_use]
    pub fn since(&self, before: &CpuTimes) -> Option<Shares> {
        // The kernel's counts of waiting and stolen time are known to step back a little.
        let busy = self.busy.saturating_sub(before.busy);
        let idle = self.idle.saturating_sub(before.idle);
        let steal = self.steal.zip(before.steal).map(|(now, then)| now.saturating_sub(then));
        #[allow(clippy::cast_precision_loss, reason = "a share needs no last bits")]
        let [busy, idle, stolen] = [busy, idle, steal.unwrap_or(0)].map(|ticks| ticks as f64);
        let total = busy + idle + stolen;
        if total <= 0.0 || self.cpus == 0 {
            return None;
        }
        Some(Shares {
            seconds: total / TICKS_PER_SECOND / f64::from(self.cpus),
            cpus: self.cpus,
            busy: busy / total,
            steal: steal.map(|_| stolen / total),
            throttled: self
                .throttled
                .zip(before.throttled)
                .map(|(now, then)| now.saturating_sub(then)),
        })
    }

    /// The shares since the machine started.
    #[must_use]
    pub fn since_boot(&self) -> Option<Shares> {
        let start = CpuTimes {
            cpus: self.cpus,
            busy: 0,
            idle: 0,
            steal: Some(0),
            throttled: Some(Duration::ZERO),
        };
        self.since(&start)
    }
}

impl Shares {
    /// The share of the machine that programs other than ours used, if the time is long enough
    /// to say. `own` is our CPU time in seconds.
    #[must_use]
    pub fn others(&self, own: f64) -> Option<f64> {
        if self.seconds < SHORTEST_SECONDS || !own.is_finite() {
            return None;
        }
        let own = own.max(0.0) / (self.seconds * f64::from(self.cpus));
        Some((self.busy - own).clamp(0.0, 1.0))
    }

    /// The stolen share, if the time is long enough to say.
    #[must_use]
    pub fn stolen(&self) -> Option<f64> {
        self.steal.filter(|_| self.seconds >= SHORTEST_SECONDS)
    }
}

/// Judges stolen time: over `window` if there is one, else since the machine started.
pub(crate) fn steal_finding(
    since_boot: Option<Shares>,
    window: Option<Shares>,
    in_virtual_machine: bool,
) -> Finding {
    let topic = Topic::Steal;
    let now = window.and_then(|shares| shares.stolen()).map(|share| (share, "just now"));
    let ever = since_boot.and_then(|shares| shares.steal);
    let Some((share, when)) = now.or(ever.map(|share| (share, "since the machine started"))) else {
        return Finding::new(
            topic,
            Level::Unknown,
            "Fathom cannot tell whether a hypervisor takes CPU time",
            "stolen time counts as the program's wall time",
        );
    };
    let percent = share * 100.0;
    if percent < 0.5 {
        let says = if in_virtual_machine {
            format!("the hypervisor took {percent:.1}% of the CPU time {when}")
        } else {
            "no CPU time is lost to a hypervisor".to_string()
        };
        return Finding::new(topic, Level::Good, says, "wall time is the program's own");
    }
    Finding::new(
        topic,
        if percent < 5.0 { Level::Note } else { Level::Spoils },
        format!("the hypervisor took {percent:.1}% of the CPU time {when}"),
        "other guests compete for the CPUs, and their time counts as the program's wall time",
    )
    .remedy(
        "measure on a dedicated machine, or compare with `fathom compare --on user-time`, which \
         is less affected",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(line: &str) -> String {
        format!("cpu  {line}\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 5\n")
    }

    #[test]
    fn guests_are_not_counted_twice_and_waiting_is_idle() {
        let times = CpuTimes::parse(&stat("10 1 5 100 7 2 3 4 6 1")).unwrap();
        assert_eq!(times.busy, 21);
        assert_eq!(times.idle, 107);
        assert_eq!((times.steal, times.cpus), (Some(4), 2));
    }

    #[test]
    fn old_kernels_and_odd_lines() {
        assert_eq!(CpuTimes::parse(&stat("10 1 5 100")).unwrap().steal, None);
        for odd in ["10 1 5", "", "10 1 5 x", "18446744073709551615 1 1 1", "-1 0 0 0"] {
            assert_eq!(CpuTimes::parse(&stat(odd)), None, "{odd}");
        }
        assert_eq!(CpuTimes::parse("cpu  1 2 3 4\n"), None);
    }

    #[test]
    fn shares_are_of_the_time_in_between() {
        let before = CpuTimes::parse(&stat("100 0 0 1000 0 0 0 50")).unwrap();
        let after = CpuTimes::parse(&stat("250 0 0 1200 0 0 0 100")).unwrap();
        let shares = after.since(&before).unwrap();
        assert!((shares.seconds - 2.0).abs() < 1e-12);
        assert!((shares.busy - 0.375).abs() < 1e-12);
        assert!((shares.steal.unwrap() - 0.125).abs() < 1e-12);
        // 1.5 s were used, 1 s of it ours: half a second of four.
        assert!((shares.others(1.0).unwrap() - 0.125).abs() < 1e-12);
        assert_eq!(shares.others(100.0), Some(0.0));
        assert_eq!(shares.others(f64::NAN), None);
        assert_eq!(before.since(&before), None);
        // Backwards is not a time, not a huge one.
        assert_eq!(before.since(&after), None);
    }

    #[test]
    fn the_window_counts_more_than_the_past() {
        let shares = |steal| Shares {
            seconds: 10.0,
            cpus: 2,
            busy: 0.5,
            steal: Some(steal),
            throttled: None,
        };
        let level = |ever, now| steal_finding(Some(shares(ever)), now, true).level;
        assert_eq!(level(0.1, None), Level::Spoils);
        assert_eq!(level(0.1, Some(shares(0.001))), Level::Good);
        assert_eq!(level(0.0, Some(shares(0.02))), Level::Note);
        let too_short = Shares { seconds: 0.05, ..shares(0.5) };
        assert_eq!(level(0.0, Some(too_short)), Level::Good);
        assert_eq!(steal_finding(None, None, true).level, Level::Unknown);
    }
}
