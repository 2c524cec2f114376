//! One kind of file of every process of a program, or of every thread, kept open and read in
//! rotation.

use super::table::why;
use crate::probes::kept_open::{Buffer, Extent, KeptOpen, is_gone};
use crate::probes::{Fault, Moment, ProcessTree};

/// Whose files they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Processes,
    Threads,
    /// All threads but the main ones, which have the numbers of their processes.
    OtherThreads,
}

/// The files and their last contents, which `parse` reads into an `R`.
#[derive(Debug)]
pub(super) struct ProcessTable<R> {
    whose: Whose,
    file: &'static str,
    parse: fn(&[u8]) -> Option<R>,
    /// How many are read at each sample. With more, each has its turn and keeps its last reading
    /// until then.
    most: usize,
    entries: Vec<ProcessEntry<R>>,
    next: usize,
    generation: Option<u64>,
    buffer: Buffer,
    said_too_many: bool,
    /// Whether each reading opens the files again.
    reopens: bool,
    /// A cheap file that changes whenever the one to be read may have.
    gate: Option<&'static str>,
}

/// How many files behind a gate are read at each sample.
const MOST_BEHIND_GATE: usize = 32;

/// One process or thread.
#[derive(Debug)]
pub(super) struct ProcessEntry<R> {
    /// Of its process, in the tree.
    pub(super) serial: u64,
    /// Of the process that would wait for its process.
    pub(super) parent: Option<u64>,
    /// Its last reading; none if there was none yet.
    pub(super) now: Option<R>,
    /// What [`super::account::Account`] has counted of it.
    pub(super) counted: Option<R>,
    pub(super) presence: Presence,
    id: u32,
    file: KeptOpen,
    gate: Option<Gate>,
    complained: bool,
}

#[derive(Debug)]
struct Gate {
    file: KeptOpen,
    said: Vec<u8>,
}

impl Gate {
    /// Whether it says something else than before. What cannot be read stands open.
    fn is_open(&mut self, buffer: &mut Buffer) -> bool {
        match self.file.read(buffer, Extent::OneRecord) {
            Ok(text) if text == self.said => false,
            Ok(text) => {
                self.said.clear();
                self.said.extend_from_slice(text);
                true
            }
            Err(_) => {
                self.said.clear();
                true
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Here,
    /// It ended, and its last values must still be added.
    Went,
    /// All is settled; it waits for the tree to notice.
    Settled,
}

/// What came of reading them.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Whether one of them ended.
    pub(super) went: bool,
    /// What could not be read, and was not complained of before.
    pub(super) fault: Option<Fault>,
}

impl<R: Copy> ProcessTable<R> {
    pub(super) fn new(
        whose: Whose,
        file: &'static str,
        parse: fn(&[u8]) -> Option<R>,
        most: usize,
    ) -> ProcessTable<R> {
        ProcessTable {
            whose,
            file,
            parse,
            most,
            entries: Vec::new(),
            next: 0,
            generation: None,
            buffer: Buffer::new(),
            said_too_many: false,
            reopens: false,
            gate: None,
        }
    }

    /// For a file that stays with the program which the process had when it was opened: such a file
    /// is opened for each reading, because the process may execute another.
    pub(super) fn reopened(mut self) -> ProcessTable<R> {
        self.reopens = true;
        self
    }

    /// For a file that is read only if a cheaper one says something else than before.
    pub(super) fn behind(mut self, gate: &'static str) -> ProcessTable<R> {
        self.gate = Some(gate);
        self
    }

    pub(super) fn entries_mut(&mut self) -> &mut [ProcessEntry<R>] {
        &mut self.entries
    }

    /// Those that are here and were read.
    pub(super) fn readings(&self) -> impl Iterator<Item = &R> {
        let here = self.entries.iter().filter(|entry| entry.presence == Presence::Here);
        here.filter_map(|entry| entry.now.as_ref())
    }

    /// Settles those that went, if nothing of theirs is kept.
    pub(super) fn forget_who_went(&mut self) {
        for entry in self.entries.iter_mut().filter(|entry| entry.presence == Presence::Went) {
            entry.presence = Presence::Settled;
        }
    }

    /// Reads them: all, or those whose turn it is. A second time if a process ended meanwhile: what
    /// it had may have been added to another that was already read.
    pub(super) fn read(&mut self, moment: &Moment<'_>) -> Reading {
        const TIMES: usize = 3;
        self.follow(moment.tree);
        let mut reading = self.read_some();
        for _ in 1..TIMES {
            if !reading.went || self.whose != Whose::Processes || self.entries.len() > self.most {
                break;
            }
            let again = self.read_some();
            reading = Reading { went: again.went, fault: reading.fault.or(again.fault) };
        }
        reading
    }

    /// If there are none left: what to say. Otherwise what was complained of, and once that not all
    /// can be read each time.
    pub(super) fn judge(&mut self, moment: &Moment<'_>, reading: Reading) -> Result<(), Fault> {
        if let Some(fault) = reading.fault {
            return Err(fault);
        }
        let is_empty = !self.entries.iter().any(|entry| entry.presence == Presence::Here);
        if is_empty && self.whose != Whose::OtherThreads {
            let root = moment.tree.root();
            let file = match self.whose {
                Whose::Processes => format!("{root}/{}", self.file),
                _ => format!("{root}/task/{root}/{}", self.file),
            };
            let what = moment.tree.proc().join(file).display().to_string();
            return Err(Fault { what, why: "the program has ended".to_string() });
        }
        if self.entries.len() > self.most && !self.said_too_many {
            self.said_too_many = true;
            let (many, most) = (self.entries.len(), self.most);
            let who = match self.whose {
                Whose::Processes => "processes",
                _ => "threads",
            };
            return Err(Fault {
                what: format!("{} of {many} {who}", self.file),
                why: format!(
                    "at most {most} are read per sample, in rotation, to keep sampling cheap; the \
                     others keep their previous values"
                ),
            });
        }
        Ok(())
    }

    fn read_some(&mut self) -> Reading {
        let mut reading = Reading::default();
        let turns = self.entries.len().min(self.most);
        // All in their order, parents before children; or on where the last sample stopped.
        let is_in_turns = turns < self.entries.len() || self.gate.is_some();
        let first =
            if is_in_turns { self.next.checked_rem(self.entries.len()).unwrap_or(0) } else { 0 };
        self.next = first;
        let mut behind_gate = 0;
        let (before, after) = self.entries.split_at_mut(first);
        for entry in after.iter_mut().chain(before).take(turns) {
            if behind_gate == MOST_BEHIND_GATE {
                break;
            }
            self.next += 1;
            if entry.presence != Presence::Here {
                continue;
            }
            if let Some(gate) = &mut entry.gate {
                if !gate.is_open(&mut self.buffer) && entry.now.is_some() {
                    continue;
                }
                behind_gate += 1;
            }
            if self.reopens {
                entry.file.close();
            }
            let fault = match entry.file.read(&mut self.buffer, Extent::OneRecord) {
                Ok(text) => match (self.parse)(text) {
                    Some(value) => {
                        entry.now = Some(value);
                        continue;
                    }
                    None => "unexpected contents".to_string(),
                },
                Err(error) if is_gone(&error) => {
                    entry.presence = Presence::Went;
                    reading.went = true;
                    continue;
                }
                Err(error) => why(&error),
            };
            if !entry.complained {
                entry.complained = true;
                let what = entry.file.path().display().to_string();
                reading.fault.get_or_insert(Fault { what, why: fault });
            }
        }
        reading
    }

    /// Follows the tree: those that came get an entry, those that went lose theirs once they are
    /// settled.
    fn follow(&mut self, tree: &ProcessTree) {
        if self.generation == Some(tree.generation()) {
            return;
        }
        self.generation = Some(tree.generation());
        let mut old = std::mem::take(&mut self.entries).into_iter().peekable();
        let whose = self.whose;
        // Both are in the order of serial and id, so one walk along both finds what changed.
        for member in tree.members() {
            let ids = match whose {
                Whose::Processes => std::slice::from_ref(&member.pid),
                Whose::Threads | Whose::OtherThreads => member.threads.as_slice(),
            };
            for id in ids {
                if whose == Whose::OtherThreads && *id == member.pid {
                    continue;
                }
                let key = (member.serial, *id);
                while let Some(gone) = old.next_if(|entry| (entry.serial, entry.id) < key) {
                    self.entries.extend(gone.leaving());
                }
                let entry = old.next_if(|entry| (entry.serial, entry.id) == key);
                let mut entry = entry.unwrap_or_else(|| {
                    let folder = match whose {
                        Whose::Processes => tree.proc().join(id.to_string()),
                        _ => tree.proc().join(format!("{}/task/{id}", member.pid)),
                    };
                    let gate = self.gate.map(|gate| Gate {
                        file: KeptOpen::new(folder.join(gate)),
                        said: Vec::new(),
                    });
                    ProcessEntry {
                        serial: member.serial,
                        parent: None,
                        now: None,
                        counted: None,
                        presence: Presence::Here,
                        id: *id,
                        file: KeptOpen::new(folder.join(self.file)),
                        gate,
                        complained: false,
                    }
                });
                entry.parent = member.parent;
                self.entries.push(entry);
            }
        }
        self.entries.extend(old.filter_map(ProcessEntry::leaving));
    }
}

impl<R> ProcessEntry<R> {
    /// The entry of one that the tree no longer has, while its numbers are not settled.
    fn leaving(mut self) -> Option<ProcessEntry<R>> {
        if self.presence == Presence::Settled {
            return None;
        }
        self.presence = Presence::Went;
        Some(self)
    }
}
