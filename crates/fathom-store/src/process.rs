//! Which process is meant by a number, even after the number was given to another one.

use std::fs;

/// A process of this machine, told apart from later ones of the same number by when it started,
/// and from those before a restart of the machine by the boot's id.
///
/// A process in another container has numbers of its own and counts as dead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    /// In clock ticks after the boot.
    pub(crate) born: i64,
    pub(crate) boot: String,
}

impl Process {
    /// The calling process.
    pub(crate) fn this() -> Process {
        let pid = std::process::id();
        Process { pid, born: born(pid).unwrap_or(0), boot: boot() }
    }

    /// Whether it still runs.
    pub(crate) fn lives(&self) -> bool {
        self.boot == boot() && born(self.pid) == Some(self.born)
    }
}

fn boot() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.map(|id| id.trim().to_string()).unwrap_or_default()
}

/// When a living process started; `None` for one that is gone or a zombie.
fn born(pid: u32) -> Option<i64> {
    parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Field 22 of `/proc/PID/stat`. The second field, the name, may itself contain spaces and
/// parentheses; so count from behind the last one.
fn parse(stat: &str) -> Option<i64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X" | "x") {
        return None;
    }
    // The state was field 3.
    fields.nth(22 - 4)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_found_behind_any_name() {
        let rest = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987654 20 21";
        for name in ["(sh)", "(a b)", "(evil) R 1 2)"] {
            assert_eq!(parse(&format!("12 {name} {rest}")), Some(987_654), "{name}");
        }
        assert_eq!(parse(&format!("12 (sh) {}", rest.replace('S', "Z"))), None);
        for broken in ["", "12", "12 (sh)", "12 (sh) S 1 2"] {
            assert_eq!(parse(broken), None);
        }
    }

    #[test]
    fn this_process_lives_and_its_namesakes_do_not() {
        let this = Process::this();
        assert!(this.lives());
        assert!(!Process { born: this.born + 1, ..this.clone() }.lives());
        assert!(!Process { boot: "another".into(), ..this.clone() }.lives());
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        assert!(!Process { pid, ..this }.lives());
    }
}
