//! A limit on CPU time, at which programs are stopped for the rest of each period.

use super::cgroup::{self, Limit};
use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// The tightest limit of our control groups.
#[derive(Debug, Clone, PartialEq)]
pub enum CpuQuota {
    /// None is set.
    Unlimited,
    /// As many CPUs and no more.
    Limited {
        /// How many CPUs' time in each period.
        cpus: f64,
        /// The share of the periods in which programs were stopped, from 0 to 1, since the group
        /// was made.
        stopped: Option<f64>,
        /// The command that lifts it, where the group is ours to change.
        lift: Option<String>,
    },
    /// The host does not say.
    Unknown,
}

impl CpuQuota {
    pub(crate) fn read(tree: Tree<'_>) -> CpuQuota {
        let Some(groups) = cgroup::ours(tree) else { return CpuQuota::Unknown };
        let mut tightest: Option<(f64, cgroup::Group)> = None;
        let mut is_odd = false;
        for group in groups {
            match group.limit(tree) {
                Some(Limit::Cpus(cpus))
                    if tightest.as_ref().is_none_or(|(least, _)| cpus < *least) =>
                {
                    tightest = Some((cpus, group));
                }
                Some(_) => {}
                None => is_odd = true,
            }
        }
        let Some((cpus, group)) = tightest else {
            return if is_odd { CpuQuota::Unknown } else { CpuQuota::Unlimited };
        };
        let stopped = group.stops(tree).and_then(|stops| {
            #[allow(clippy::cast_precision_loss, reason = "a share needs no last bits")]
            let share = stops.stopped as f64 / stops.periods as f64;
            (stops.periods > 0 && share <= 1.0).then_some(share)
        });
        CpuQuota::Limited { cpus, stopped, lift: group.unlimited() }
    }

    pub(crate) fn finding(&self, in_locked_container: bool) -> Finding {
        let topic = Topic::CpuQuota;
        match self {
            CpuQuota::Unlimited => Finding::new(
                topic,
                Level::Good,
                "there is no CPU quota",
                "programs are not throttled",
            ),
            CpuQuota::Limited { cpus, stopped, lift } => {
                let mut says = says(*cpus);
                if let Some(share) = stopped {
                    says += &format!(
                        ", and programs were throttled in {:.0}% of its periods",
                        share * 100.0
                    );
                }
                // Within a quota of one CPU or more, one thread is never stopped.
                let spoils = *cpus < 1.0 || stopped.is_some_and(|share| share >= 0.01);
                let level = if spoils { Level::Spoils } else { Level::Note };
                let why = "programs that use it up are stopped for the rest of each period, so \
                           times come in steps";
                let finding = Finding::new(topic, level, says, why);
                match lift {
                    _ if in_locked_container => finding.remedy(
                        "start the container without a CPU limit: docker without `--cpus`, \
                         Kubernetes without `limits.cpu`",
                    ),
                    Some(command) => finding
                        .remedy(format!("{command}; to undo, restart the service or session")),
                    None => finding,
                }
            }
            CpuQuota::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell whether there is a CPU quota",
                "programs that use up a quota are stopped for the rest of each period",
            ),
        }
    }

    /// The warning before a measurement: only for a quota that one busy thread uses up, or that
    /// has been used up before.
    pub(crate) fn complaint(&self) -> Option<String> {
        match self {
            CpuQuota::Limited { cpus, stopped, .. }
                if *cpus < 1.0 || stopped.is_some_and(|share| share >= 0.01) =>
            {
                Some(says(*cpus))
            }
            _ => None,
        }
    }
}

fn says(cpus: f64) -> String {
    // Two digits are enough, unless that would show nothing.
    let cpus = if cpus < 0.01 { format!("{cpus}") } else { format!("{cpus:.2}") };
    let cpus = cpus.trim_end_matches('0').trim_end_matches('.');
    format!("a quota allows {cpus} {}", if cpus == "1" { "CPU" } else { "CPUs" })
}
