//! The kernel, for information.

use super::tree::Tree;

/// Version and mitigations. Both change what system calls cost, so compare times of two machines
/// only if they agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostKernel {
    /// "6.8.0-45-generic".
    pub release: Option<String>,
    /// What is done against flaws of the processor, by their names; flaws that it does not have
    /// or that nothing is done against are not listed.
    pub mitigations: Vec<Mitigation>,
}

/// What is done against one flaw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mitigation {
    /// "spectre_v2".
    pub flaw: String,
    /// "Retpolines; STIBP: disabled".
    pub what: String,
}

impl HostKernel {
    pub(crate) fn read(tree: Tree<'_>) -> HostKernel {
        const FOLDER: &str = "sys/devices/system/cpu/vulnerabilities";
        let mitigation = |flaw: String| {
            let line = tree.line(&format!("{FOLDER}/{flaw}"))?;
            Some(Mitigation { flaw, what: line.strip_prefix("Mitigation: ")?.to_string() })
        };
        HostKernel {
            release: tree.line("proc/sys/kernel/osrelease"),
            mitigations: tree
                .names(FOLDER)
                .unwrap_or_default()
                .into_iter()
                .filter_map(mitigation)
                .collect(),
        }
    }
}
