//! A program and its descendants.

mod birth;
mod census;
mod round;
mod task_folder;

use super::kept_open::Buffer;
use crate::cpu_time;
use birth::Birth;
use census::Census;
use fathom_record::{Span, Timestamp};
use round::{Finding, Round};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use task_folder::TaskFolder;

/// How long after a look at everybody the next one begins, at least.
const BETWEEN_ROUNDS: Span = Span::from_milliseconds(10);
/// How long after a part of a look the next part comes, at least.
const BETWEEN_PARTS: Span = Span::from_milliseconds(1);
/// Looking takes at most one part in so many of a processor.
const SHARE: u64 = 100;
/// However much looking costs, somebody looks this often.
const LONGEST_PAUSE: Span = Span::from_milliseconds(1_000);

/// The processes of a program: the one it began with and all that descend from it.
///
/// A process that was seen once stays until it ends, even if its parent ended before. What was
/// started and whose parent died within the same 10 ms is seen only by a tree that knows the reaper
/// of orphans ([`ProcessTree::spawned`]).
#[derive(Debug)]
pub struct ProcessTree {
    proc: PathBuf,
    root: u32,
    reaper: Option<u32>,
    /// Children of the reaper that were there before the root, by number and start.
    strangers: BTreeSet<(u32, u64)>,
    members: BTreeMap<u64, Member>,
    by_pid: BTreeMap<u32, u64>,
    processes: Vec<u32>,
    next_serial: u64,
    generation: u64,
    finding: Finding,
    round: Round,
    next_look: Timestamp,
    /// When a look is due even if nobody seems to have come or gone.
    next_sure_look: Timestamp,
    census: Census,
    buffer: Buffer,
}

/// A process of a tree.
#[derive(Debug)]
pub struct Member {
    /// Its number.
    pub pid: u32,
    /// Its number in this tree, which is never used again.
    pub serial: u64,
    /// The process of the tree that would wait for it; none if that is none of the tree.
    pub parent: Option<u64>,
    /// Its threads, in order.
    pub threads: Vec<u32>,
    started: u64,
    folder: TaskFolder,
}

impl ProcessTree {
    /// The tree below a process, which is in it even before it was looked at.
    #[must_use]
    pub fn new(root: u32) -> ProcessTree {
        ProcessTree::below(Path::new("/proc"), root)
    }

    /// The tree below a process that Fathom's spawner has just started. The spawner adopts orphans:
    /// its children from now on belong to the tree too, but not those it already has, such as a
    /// service that a hook started.
    #[must_use]
    pub fn spawned(root: u32) -> ProcessTree {
        ProcessTree::spawned_below(Path::new("/proc"), root)
    }

    /// The same on a made-up machine, whose `/proc` is at `proc`.
    #[must_use]
    pub fn spawned_below(proc: &Path, root: u32) -> ProcessTree {
        let mut tree = ProcessTree::below(proc, root);
        let birth = Birth::of(proc, root, &mut tree.buffer);
        // The first process is the parent of much that is not ours.
        let Some(reaper) = birth.map(|birth| birth.parent).filter(|parent| *parent > 1) else {
            return tree;
        };
        tree.reaper = Some(reaper);
        let siblings = match tree.finding {
            Finding::Listed => tree.children_of(reaper),
            Finding::Asked => tree.everybody(),
        };
        for pid in siblings {
            if pid != root
                && let Some(birth) = Birth::of(proc, pid, &mut tree.buffer)
                && birth.parent == reaper
            {
                tree.strangers.insert((pid, birth.started));
            }
        }
        tree
    }

    /// The tree below a process of a made-up machine, whose `/proc` is at `proc`.
    #[must_use]
    pub fn below(proc: &Path, root: u32) -> ProcessTree {
        let mut tree = ProcessTree {
            proc: proc.to_path_buf(),
            root,
            reaper: None,
            strangers: BTreeSet::new(),
            members: BTreeMap::new(),
            by_pid: BTreeMap::new(),
            processes: Vec::new(),
            next_serial: 0,
            generation: 0,
            finding: Finding::of(proc, root),
            round: Round::default(),
            next_look: Timestamp::ZERO,
            next_sure_look: Timestamp::ZERO,
            census: Census::new(proc),
            buffer: Buffer::new(),
        };
        let birth = Birth::of(proc, root, &mut tree.buffer);
        tree.admit(root, None, birth.map_or(0, |birth| birth.started));
        tree.list();
        tree
    }

    /// Looks who lives. Cheap, so that it may be called before every sample; how often it really
    /// looks is its own affair: every 10 ms if anything on the machine was started or ended, and less
    /// often where there are so many processes or threads that this would cost more than 1% of a
    /// processor.
    pub fn refresh(&mut self, now: Timestamp) {
        if now < self.next_look {
            return;
        }
        // Before the look, so that the next one sees processes that start during it.
        let has_changed = self.census.has_changed(&mut self.buffer);
        if !has_changed && self.round.is_over() && now < self.next_sure_look {
            self.next_look = now + BETWEEN_ROUNDS;
            return;
        }
        let began = cpu_time::thread();
        let generation = self.generation;
        let is_done = self.look();
        if self.generation != generation {
            self.list();
        }
        let cost = cpu_time::thread() - began;
        let least = if is_done { BETWEEN_ROUNDS } else { BETWEEN_PARTS };
        let pause = cost.times(SHARE).clamp(least, LONGEST_PAUSE);
        self.next_look = now + pause;
        self.next_sure_look = now + LONGEST_PAUSE;
    }

    /// Has the next [`ProcessTree::refresh`] look, because something was started.
    pub fn look_soon(&mut self) {
        self.next_look = Timestamp::ZERO;
        self.next_sure_look = Timestamp::ZERO;
    }

    /// The process it began with.
    #[must_use]
    pub fn root(&self) -> u32 {
        self.root
    }

    /// The living processes, the root first, including zombies.
    #[must_use]
    pub fn processes(&self) -> &[u32] {
        &self.processes
    }

    /// Those that live, with their threads, in the order in which they were found.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.members.values()
    }

    /// Grows whenever a process or a thread came, went, or got another parent.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The folder whose folders are processes.
    pub(crate) fn proc(&self) -> &Path {
        &self.proc
    }

    fn list(&mut self) {
        self.processes.clear();
        self.processes.extend(self.members.values().map(|member| member.pid));
    }

    fn admit(&mut self, pid: u32, parent: Option<u64>, started: u64) -> u64 {
        let serial = self.next_serial;
        self.next_serial += 1;
        let folder = TaskFolder::new(&self.proc, pid);
        let member = Member { pid, serial, parent, threads: vec![pid], started, folder };
        self.members.insert(serial, member);
        self.by_pid.insert(pid, serial);
        self.generation += 1;
        serial
    }

    fn dismiss(&mut self, serial: u64) {
        let Some(member) = self.members.remove(&serial) else { return };
        if self.by_pid.get(&member.pid) == Some(&serial) {
            self.by_pid.remove(&member.pid);
        }
        self.generation += 1;
        // Its children have another parent now: one outside, or one of the tree that takes on
        // orphans as the first process of a container does.
        let orphans = self.members.values_mut().filter(|other| other.parent == Some(serial));
        for orphan in orphans {
            let birth = Birth::of(&self.proc, orphan.pid, &mut self.buffer);
            orphan.parent = birth.and_then(|birth| self.by_pid.get(&birth.parent).copied());
        }
    }
}
