//! Our control groups, which may limit the CPU time.

use std::time::Duration;

use super::tree::Tree;

/// Deeper nesting is not followed.
const DEEPEST: usize = 64;

/// A group of the CPU controller, by its folder below `/sys/fs/cgroup`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// "sys/fs/cgroup/user.slice".
    pub(crate) folder: String,
    version: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Version {
    /// The value that means no limit.
    fn no_limit(self) -> &'static str {
        match self {
            Version::One => "-1",
            Version::Two => "max",
        }
    }
}

/// A limit of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Limit {
    /// None.
    Unlimited,
    /// As many CPUs, over each period.
    Cpus(f64),
}

/// How often and how long a group was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stops {
    pub(crate) periods: u64,
    pub(crate) stopped: u64,
    pub(crate) time: Duration,
}

/// Our groups, innermost first: each of them can stop us. `None` if they are not to be seen.
pub(crate) fn ours(tree: Tree<'_>) -> Option<Vec<Group>> {
    let cgroups = tree.text("proc/self/cgroup")?;
    let lines = || memberships(&cgroups);
    let first = lines().find(|(controllers, _)| controllers.split(',').any(|name| name == "cpu"));
    let (tops, path, version): (&[&str], &str, Version) = match first {
        Some((_, path)) => (
            &["sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct", "sys/fs/cgroup/cpuacct,cpu"],
            path,
            Version::One,
        ),
        None => {
            let (_, path) = lines().find(|(controllers, _)| controllers.is_empty())?;
            (&["sys/fs/cgroup", "sys/fs/cgroup/unified"], path, Version::Two)
        }
    };
    let top = tops.iter().find(|top| {
        tree.exists(&format!(
            "{top}/{}",
            match version {
                Version::One => "cpu.cfs_quota_us",
                Version::Two => "cgroup.controllers",
            }
        ))
    })?;
    let mut parts = steps(path);
    let mut groups = Vec::new();
    loop {
        let folder = std::iter::once(*top).chain(parts.iter().copied()).collect::<Vec<_>>();
        groups.push(Group { folder: folder.join("/"), version });
        if parts.pop().is_none() {
            return Some(groups);
        }
    }
}

/// The groups of a process, by the text of its file `cgroup`: controllers and path. The second
/// version has no controllers there.
pub(crate) fn memberships(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        Some((controllers, path))
    })
}

/// The steps from the top to a group. A path from outside our view, as in "/../..", leaves only what
/// we see as the top.
pub(crate) fn steps(path: &str) -> Vec<&str> {
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
    if steps.contains(&"..") || steps.len() > DEEPEST { Vec::new() } else { steps }
}

impl Group {
    /// A group without the file, as the topmost, has no CPU controller and so no limit. `None` if
    /// what it says is odd.
    pub(crate) fn limit(&self, tree: Tree<'_>) -> Option<Limit> {
        let file = |name: &str| tree.text(&format!("{}/{name}", self.folder));
        let (quota, period) = match self.version {
            Version::Two => {
                let Some(text) = file("cpu.max") else { return Some(Limit::Unlimited) };
                let (quota, period) = text.trim().split_once(' ')?;
                (quota.to_string(), period.to_string())
            }
            Version::One => {
                let Some(quota) = file("cpu.cfs_quota_us") else {
                    return Some(Limit::Unlimited);
                };
                (quota, file("cpu.cfs_period_us")?)
            }
        };
        if quota.trim() == self.version.no_limit() {
            return Some(Limit::Unlimited);
        }
        let (quota, period): (u32, u32) = (quota.trim().parse().ok()?, period.trim().parse().ok()?);
        (quota > 0 && period > 0).then(|| Limit::Cpus(f64::from(quota) / f64::from(period)))
    }

    pub(crate) fn stops(&self, tree: Tree<'_>) -> Option<Stops> {
        let text = tree.text(&format!("{}/cpu.stat", self.folder))?;
        let value = |key: &str| -> Option<u64> {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
            line?.trim().parse().ok()
        };
        Some(Stops {
            periods: value("nr_periods")?,
            stopped: value("nr_throttled")?,
            time: match self.version {
                Version::One => Duration::from_nanos(value("throttled_time")?),
                Version::Two => Duration::from_micros(value("throttled_usec")?),
            },
        })
    }

    /// The command that lifts the limit; `None` if the path means something to a shell.
    pub(crate) fn unlimited(&self) -> Option<String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:@/,\\".contains(&byte);
        let value = self.version.no_limit();
        let file = match self.version {
            Version::One => "cpu.cfs_quota_us",
            Version::Two => "cpu.max",
        };
        // Names by systemd have backslashes, so the path is quoted.
        self.folder
            .bytes()
            .all(is_plain)
            .then(|| format!("`echo {value} | sudo tee '/{}/{file}'`", self.folder))
    }
}

/// How long our groups were stopped, all together.
pub(crate) fn throttled(tree: Tree<'_>) -> Option<Duration> {
    let stops = ours(tree)?.into_iter().filter_map(|group| group.stops(tree));
    stops.map(|stops| stops.time).reduce(|sum, time| sum.saturating_add(time))
}
