//! The program's control groups: what the kernel allots to it and to those that it shares them with.

mod device;
mod files;

use super::proc_tables::ProcTables;
use crate::probes::kept_open::{Buffer, Extent, KeptOpen};
use crate::probes::{Fault, Moment, Probe, Source, SourceFamily, Target, Unavailable};
use fathom_record::trace::{Layer, TraceMetric, Value};
use fathom_record::{Span, Timestamp};
use files::files_of;
use std::path::PathBuf;
use std::time::Duration;

const NAME: &str = "system.cgroup";

/// How often to look whether the program is in another group.
const BETWEEN_LOOKS: Span = Span::from_milliseconds(1_000);

/// The source.
#[derive(Debug)]
pub(super) struct Cgroup(pub(super) PathBuf);

impl Source for Cgroup {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &str {
        "the program's control groups: CPU time and throttling, memory, disks, processes"
    }

    fn family(&self) -> SourceFamily {
        SourceFamily::System
    }

    fn layer(&self) -> Layer {
        Layer::Os
    }

    fn open(&self, target: Target) -> Result<Box<dyn Probe>, Unavailable> {
        let mut membership = KeptOpen::new(self.0.join(format!("proc/{}/cgroup", target.pid())));
        let mut buffer = Buffer::new();
        let seen = match membership.read(&mut buffer, Extent::ManyRecords) {
            Ok(text) => text.to_vec(),
            Err(error) => {
                return Err(Unavailable(format!("{}: {error}", membership.path().display())));
            }
        };
        let files = files_of(&self.0, &seen);
        let names = files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
        let files = files.into_iter().map(|file| (file.path, file.layout)).collect();
        let (tables, _) = ProcTables::open_what_is_there(NAME, files);
        if tables.metrics().is_empty() {
            let why = if names.is_empty() {
                "no control group is mounted at /sys/fs/cgroup".to_string()
            } else {
                "the program's control group has no statistics; start it in one that does, for \
                 example with `systemd-run --scope`"
                    .to_string()
            };
            return Err(Unavailable(why));
        }
        let root = self.0.clone();
        Ok(Box::new(CgroupProbe {
            root,
            tables,
            membership,
            seen,
            buffer,
            next_look: Timestamp::ZERO,
            moved: None,
        }))
    }
}

#[derive(Debug)]
struct CgroupProbe {
    root: PathBuf,
    tables: ProcTables,
    membership: KeptOpen,
    seen: Vec<u8>,
    buffer: Buffer,
    next_look: Timestamp,
    /// The note about a move.
    moved: Option<Fault>,
}

impl CgroupProbe {
    /// Follows the program into other groups. The same files are read there under the same names; a
    /// file that is not there has no values from now on.
    fn follow(&mut self) -> bool {
        let Ok(text) = self.membership.read(&mut self.buffer, Extent::ManyRecords) else {
            // The program has ended. Its groups may still be there.
            return false;
        };
        if text == self.seen || text.is_empty() {
            return false;
        }
        self.seen = text.to_vec();
        let mut files = files_of(&self.root, &self.seen);
        let before = self.tables.metrics().len();
        for table in self.tables.tables_mut() {
            let name = table.path().file_name();
            let place = files.iter().position(|file| file.path.file_name() == name);
            match place.map(|place| files.swap_remove(place).path).filter(|path| path.exists()) {
                Some(path) if path == table.path() => {}
                Some(path) => table.moves_to(path),
                None => table.rests(),
            }
        }
        for file in files {
            // Not every group has every file.
            let _ = self.tables.add(file.path, file.layout);
        }
        self.moved = Some(Fault {
            what: self.membership.path().display().to_string(),
            why: "the program moved to another control group; counters restart there".to_string(),
        });
        self.tables.metrics().len() > before
    }
}

impl Probe for CgroupProbe {
    fn name(&self) -> &str {
        self.tables.name()
    }

    fn metrics(&self) -> &[TraceMetric] {
        self.tables.metrics()
    }

    fn refresh(&mut self, moment: &Moment<'_>) -> bool {
        let mut has_more = false;
        if moment.now >= self.next_look {
            self.next_look = moment.now + BETWEEN_LOOKS;
            has_more = self.follow();
        }
        self.tables.refresh(moment) || has_more
    }

    fn sample(&mut self, moment: &Moment<'_>, values: &mut [Value]) -> Result<(), Fault> {
        self.tables.sample(moment, values)?;
        self.moved.take().map_or(Ok(()), Err)
    }

    fn least_interval(&self) -> Duration {
        self.tables.least_interval()
    }
}
