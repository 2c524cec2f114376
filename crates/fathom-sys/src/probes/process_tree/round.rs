//! A look at everybody, in parts: thousands of threads must not hold up the samples.

use super::ProcessTree;
use super::birth::Birth;
use super::task_folder::numbers_below;
use crate::probes::digits;
use crate::probes::kept_open::{Extent, is_gone, read_once};
use std::collections::VecDeque;
use std::path::Path;

/// How many files are read in one part.
const FILES_PER_PART: usize = 64;
/// Listing this many threads takes as long as reading a file.
const NAMES_PER_FILE: usize = 16;

/// How children are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    /// The kernel lists the children of each thread.
    Listed,
    /// It does not: every process of the machine is asked for its parent.
    Asked,
}

impl Finding {
    /// What the kernel offers for a process that lives. If it does not, nothing matters.
    pub(super) fn of(proc: &Path, pid: u32) -> Finding {
        let folder = proc.join(format!("{pid}/task/{pid}"));
        if folder.exists() && !folder.join("children").exists() {
            Finding::Asked
        } else {
            Finding::Listed
        }
    }
}

/// What is left to do of a round.
#[derive(Debug, Default)]
pub(super) struct Round {
    errands: VecDeque<Errand>,
    numbers: Vec<u32>,
    /// Whether all processes have been asked in this round, see [`Finding::Asked`].
    asked_all: bool,
}

#[derive(Debug, Clone, Copy)]
enum Errand {
    /// Lists a member's threads, and finds out whether it lives.
    Threads(u64),
    /// Finds the children of a member's thread.
    Children(u64, u32),
    /// Finds whom the process that takes on orphans has taken on.
    Adopted(u32),
    /// Finds out whether a process is a child of a member.
    Parent(u32),
}

impl Round {
    /// Whether nothing of it is left to do.
    pub(super) fn is_over(&self) -> bool {
        self.errands.is_empty()
    }
}

impl ProcessTree {
    /// One part of a look at everybody; whether it was the last.
    pub(super) fn look(&mut self) -> bool {
        if self.round.errands.is_empty() {
            let errands = self.members.keys().map(|serial| Errand::Threads(*serial));
            self.round.errands.extend(errands);
            self.round.errands.extend(self.reaper.map(Errand::Adopted));
            self.round.asked_all = false;
        }
        let mut files = 0;
        while files < FILES_PER_PART {
            let Some(errand) = self.round.errands.pop_front() else {
                // Only now, when those that died are out and their numbers free.
                if self.finding == Finding::Asked && !self.round.asked_all {
                    self.round.asked_all = true;
                    files += self.ask_all();
                    continue;
                }
                return true;
            };
            files += match errand {
                Errand::Threads(serial) => self.look_at_threads(serial),
                Errand::Children(serial, thread) => self.look_for_children(serial, thread),
                Errand::Adopted(reaper) => self.look_for_adopted(reaper),
                Errand::Parent(pid) => self.look_for_parent(pid),
            };
        }
        self.round.errands.is_empty() && (self.finding == Finding::Listed || self.round.asked_all)
    }

    /// These and the following say how many files' worth of work they did.
    fn look_at_threads(&mut self, serial: u64) -> usize {
        let Some(member) = self.members.get_mut(&serial) else { return 0 };
        let listed = member.folder.threads(&mut self.round.numbers);
        let mut files = 1 + self.round.numbers.len() / NAMES_PER_FILE;
        let lives = match listed {
            Err(error) => !is_gone(&error),
            Ok(()) if self.round.numbers.is_empty() => false,
            // By its number alone it may be another.
            Ok(()) if !member.folder.is_kept() => {
                files += 2;
                Birth::of(&self.proc, member.pid, &mut self.buffer)
                    .is_some_and(|birth| birth.started == member.started)
            }
            Ok(()) => true,
        };
        if !lives {
            self.dismiss(serial);
            return files;
        }
        if member.threads != self.round.numbers {
            member.threads.clone_from(&self.round.numbers);
            self.generation += 1;
        }
        if self.finding == Finding::Listed {
            for thread in self.round.numbers.iter().rev() {
                self.round.errands.push_front(Errand::Children(serial, *thread));
            }
        }
        files
    }

    fn look_for_children(&mut self, serial: u64, thread: u32) -> usize {
        let Some(member) = self.members.get(&serial) else { return 0 };
        let path = self.proc.join(format!("{}/task/{thread}/children", member.pid));
        for child in self.listed_in(&path) {
            if !self.by_pid.contains_key(&child)
                && let Some(birth) = Birth::of(&self.proc, child, &mut self.buffer)
            {
                self.take_in(child, Some(serial), birth.started);
            }
        }
        1
    }

    fn look_for_adopted(&mut self, reaper: u32) -> usize {
        let mut files = 1;
        for child in self.children_of(reaper) {
            files += 1;
            if !self.by_pid.contains_key(&child)
                && let Some(birth) = Birth::of(&self.proc, child, &mut self.buffer)
                && self.is_adopted(child, birth)
            {
                files += 1;
                self.take_in(child, None, birth.started);
            }
        }
        files
    }

    fn is_adopted(&self, pid: u32, birth: Birth) -> bool {
        self.reaper == Some(birth.parent) && !self.strangers.contains(&(pid, birth.started))
    }

    /// The children of all threads of a process.
    pub(super) fn children_of(&mut self, pid: u32) -> Vec<u32> {
        let mut threads = Vec::new();
        let folder = self.proc.join(format!("{pid}/task"));
        if numbers_below(&folder, &mut threads).is_err() {
            return Vec::new();
        }
        let files = threads.iter().map(|thread| folder.join(format!("{thread}/children")));
        files.flat_map(|file| self.listed_in(&file)).collect()
    }

    /// Every process of the machine.
    pub(super) fn everybody(&mut self) -> Vec<u32> {
        let mut pids = Vec::new();
        // What cannot be listed is empty.
        let _ = numbers_below(&self.proc, &mut pids);
        pids
    }

    fn ask_all(&mut self) -> usize {
        let everybody = self.everybody();
        let strangers = everybody.iter().filter(|pid| !self.by_pid.contains_key(*pid));
        self.round.errands.extend(strangers.map(|pid| Errand::Parent(*pid)));
        1 + everybody.len() / NAMES_PER_FILE
    }

    fn look_for_parent(&mut self, pid: u32) -> usize {
        if let Some(birth) = Birth::of(&self.proc, pid, &mut self.buffer)
            && !self.by_pid.contains_key(&pid)
        {
            let parent = self.by_pid.get(&birth.parent).copied();
            if parent.is_some() || self.is_adopted(pid, birth) {
                self.take_in(pid, parent, birth.started);
            }
        }
        1
    }

    fn take_in(&mut self, pid: u32, parent: Option<u64>, started: u64) {
        let serial = self.admit(pid, parent, started);
        self.round.errands.push_front(Errand::Threads(serial));
    }

    fn listed_in(&mut self, path: &Path) -> Vec<u32> {
        let Ok(text) = read_once(path, &mut self.buffer, Extent::ManyRecords) else {
            return Vec::new();
        };
        let numbers = digits::words(text).filter_map(digits::number);
        numbers.filter_map(|pid| u32::try_from(pid).ok()).collect()
    }
}
