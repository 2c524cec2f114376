//! Processes that a command leaves behind when it ends.

use fathom_record::foreign_text::visible;
use std::fs;

/// The children of a process, those of all its threads; none if the kernel does not tell.
pub(crate) fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let of_task =
        |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    let lists: Vec<String> = tasks.flatten().map(of_task).collect();
    let numbers = lists.iter().flat_map(|list| list.split_whitespace());
    numbers.filter_map(|pid| pid.parse().ok()).collect()
}

/// The note about them; `None` if there are none. Zombies do not count.
pub(crate) fn note(pids: &[u32]) -> Option<String> {
    const SHOWN: usize = 5;
    let living: Vec<String> =
        pids.iter().filter_map(|&pid| Some(format!("{pid} ({})", living_name(pid)?))).collect();
    let first = pids.iter().find(|&&pid| living_name(pid).is_some())?;
    let more = match living.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "the command ended but left processes running, and Fathom did not record them any \
         further: {}{more}. Keep the command in the foreground, or record what it started with \
         --pid {first}.",
        living.get(..SHOWN.min(living.len())).unwrap_or_default().join(", "),
    ))
}

/// The name of a process that lives.
fn living_name(pid: u32) -> Option<String> {
    let stat = String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/stat")).ok()?).into_owned();
    let (open, close) = (stat.find('(')?, stat.rfind(')')?);
    let state = stat.get(close + 1..)?.trim_start().chars().next()?;
    let name = stat.get(open + 1..close)?;
    (!matches!(state, 'Z' | 'X')).then(|| visible(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_living_are_named_and_the_dead_are_not() {
        let mut sleeping = Command::new("sleep").arg("100").spawn().unwrap();
        let mut dead = Command::new("true").spawn().unwrap();
        let (pid, gone) = (sleeping.id(), dead.id());
        dead.wait().unwrap();
        let note = note(&[gone, pid, pid, pid, pid, pid, pid]).unwrap();
        assert!(note.contains(&format!("{pid} (sleep), ")), "{note}");
        assert!(
            note.contains(" and 1 more. ") && note.ends_with(&format!("--pid {pid}.")),
            "{note}"
        );
        assert!(!note.contains(&format!(" {gone} ")), "{note}");
        sleeping.kill().unwrap();
        sleeping.wait().unwrap();
        assert_eq!(super::note(&[gone, pid]), None);
    }

    #[test]
    fn children_are_found_where_the_kernel_tells() {
        let mut child = Command::new("sleep").arg("100").spawn().unwrap();
        let found = children(std::process::id());
        assert!(found.is_empty() || found.contains(&child.id()), "{found:?}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
