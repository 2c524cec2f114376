//! Whether this runs in a container.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// A container, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Container {
    /// There are signs of one.
    Yes {
        /// "docker", "kubernetes".
        kind: String,
        /// Whether it may not change the kernel's settings.
        settings_locked: bool,
    },
    /// There is no sign of one.
    NoSign,
    /// The host does not say.
    Unknown,
}

/// Parts of the control group of the first process, and what they are a sign of.
const BY_CGROUP: [(&str, &str); 6] = [
    ("kubepods", "kubernetes"),
    ("docker", "docker"),
    ("libpod", "podman"),
    ("/lxc", "lxc"),
    ("containerd", "containerd"),
    ("garden", "garden"),
];

impl Container {
    pub(crate) fn read(tree: Tree<'_>) -> Container {
        // Docker's daemon on the host puts nothing of this into the group of the first process.
        let cgroup = tree.text("proc/1/cgroup");
        let by_cgroup = cgroup.as_ref().and_then(|text| {
            BY_CGROUP.iter().find(|(part, _)| text.contains(part)).map(|(_, kind)| *kind)
        });
        let kind = tree
            .word("run/systemd/container")
            .or_else(|| tree.exists(".dockerenv").then(|| "docker".to_string()))
            .or_else(|| tree.exists("run/.containerenv").then(|| "podman".to_string()))
            .or_else(|| by_cgroup.map(str::to_string));
        match kind {
            Some(kind) => Container::Yes { kind, settings_locked: settings_locked(tree) },
            None if cgroup.is_some() => Container::NoSign,
            None => Container::Unknown,
        }
    }

    /// Whether remedies that change the kernel's settings work outside only.
    pub(crate) fn settings_locked(&self) -> bool {
        matches!(self, Container::Yes { settings_locked: true, .. })
    }

    pub(crate) fn finding(&self) -> Finding {
        let topic = Topic::Container;
        match self {
            Container::Yes { kind, settings_locked } => {
                let locked = if *settings_locked {
                    "the load of other containers is invisible from inside, and machine settings \
                     can only be changed outside"
                } else {
                    "the load of other containers is invisible from inside"
                };
                let says = format!("this looks like a container ({kind})");
                Finding::new(topic, Level::Note, says, locked)
            }
            Container::NoSign => Finding::new(
                topic,
                Level::Good,
                "there is no sign of a container",
                "Fathom can see what else runs on the machine",
            ),
            Container::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell whether this is a container",
                "a container hides what else runs on the machine",
            ),
        }
    }
}

/// Containers are given `/sys` for reading only, unless they are privileged.
fn settings_locked(tree: Tree<'_>) -> bool {
    let Some(mounts) = tree.text("proc/self/mountinfo") else { return true };
    // 23 27 0:22 / /sys rw,relatime - sysfs sysfs rw
    let mut options = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(4);
        (fields.next() == Some("/sys")).then(|| fields.next()).flatten()
    });
    // The last mount hides those before.
    options.next_back().is_none_or(|options| !options.split(',').any(|option| option == "rw"))
}
