//! Probes read on made-up machines and on real processes.

#![allow(dead_code, reason = "no test needs all of it")]

use fathom_record::trace::{Kind, Value};
use fathom_record::{Span, Timestamp};
use fathom_sys::probes::{Fault, Moment, Probe, ProcessTree, Source, Target};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An open probe with names for its values.
pub(crate) struct Opened(pub(crate) Box<dyn Probe>);

/// What a sample gave: values by the metric's name without the probe's, and the fault.
pub(crate) struct Sample {
    pub(crate) values: BTreeMap<String, Value>,
    pub(crate) fault: Option<Fault>,
}

impl Sample {
    /// A value that is there.
    pub(crate) fn get(&self, name: &str) -> i64 {
        let value = self.values.get(name).unwrap_or_else(|| panic!("{name} in {:?}", self.values));
        value.integer().unwrap_or_else(|| panic!("{name} is {value:?}, {:?}", self.fault))
    }

    pub(crate) fn is_missing(&self, name: &str) -> bool {
        self.values[name] == Value::Missing
    }
}

impl Opened {
    pub(crate) fn open(sources: &[Box<dyn Source>], name: &str, pid: u32) -> Opened {
        let source = sources.iter().find(|source| source.name() == name).unwrap();
        Opened(source.open(Target::Running(pid)).unwrap_or_else(|why| panic!("{name}: {why}")))
    }

    pub(crate) fn sample(&mut self, tree: &ProcessTree, now: Timestamp) -> Sample {
        let moment = Moment { now, tree };
        let before = self.0.metrics().len();
        let has_more = self.0.refresh(&moment);
        assert_eq!(has_more, self.0.metrics().len() > before);
        let mut values = vec![Value::Missing; self.0.metrics().len()];
        let fault = self.0.sample(&moment, &mut values).err();
        let prefix = format!("{}.", self.0.name());
        let name = |name: &str| name.strip_prefix(&prefix).unwrap().to_string();
        let names = self.0.metrics().iter().map(|metric| name(&metric.name));
        Sample { values: names.zip(values).collect(), fault }
    }

    pub(crate) fn counters(&self) -> Vec<String> {
        let prefix = format!("{}.", self.0.name());
        let counters = self.0.metrics().iter().filter(|metric| metric.kind == Kind::Counter);
        counters.map(|metric| metric.name.strip_prefix(&prefix).unwrap().to_string()).collect()
    }
}

/// A made-up `/proc` of processes.
pub(crate) struct Proc(TempDir);

impl Proc {
    pub(crate) fn new() -> Proc {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Proc(folder.unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A process that started at that tick, with user ticks of its own and of children waited for.
    pub(crate) fn process(&self, pid: u32, parent: u32, started: u64, own: u64, waited: u64) {
        fs::create_dir_all(self.path().join(format!("{pid}/task/{pid}"))).unwrap();
        let text = format!(
            "{pid} (a (b) c) S {parent} 1 1 0 -1 0 {own} {waited} 0 0 {own} 0 {waited} 0 20 0 1 0 \
             {started} 8192 2 18446744073709551615 1 1\n"
        );
        self.file(&format!("{pid}/stat"), text);
    }

    /// The children that the kernel lists.
    pub(crate) fn children(&self, pid: u32, children: &str) {
        self.file(&format!("{pid}/task/{pid}/children"), children);
    }

    pub(crate) fn io(&self, pid: u32, read: u64) {
        let text = format!(
            "rchar: {read}\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\n\
             cancelled_write_bytes: 7\n"
        );
        self.file(&format!("{pid}/io"), text);
    }

    pub(crate) fn schedstat(&self, pid: u32, thread: u32, run: u64) {
        let text = format!("{run} 20 3\n");
        self.file(&format!("{pid}/task/{thread}/schedstat"), &text);
        if pid == thread {
            self.file(&format!("{pid}/schedstat"), text);
        }
    }

    pub(crate) fn status(&self, pid: u32, thread: u32, switches: u64) {
        let text = format!(
            "Name:\tx\nVmPeak:\t   9 kB\nVmHWM:\t  8 kB\nRssAnon:\t   7 kB\nVmPTE:\t  40 kB\nVmSwap:\t  \
             1 kB\nThreads:\t2\nvoluntary_ctxt_switches:\t{switches}\nnonvoluntary_ctxt_switches:\t1\n"
        );
        self.file(&format!("{pid}/task/{thread}/status"), &text);
        if pid == thread {
            self.file(&format!("{pid}/status"), text);
        }
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_dir_all(self.path().join(path)).unwrap();
    }
}

/// A tree that is looked at again for each sample.
pub(crate) struct Watched {
    pub(crate) tree: ProcessTree,
    pub(crate) now: Timestamp,
}

impl Watched {
    pub(crate) fn new(tree: ProcessTree) -> Watched {
        let mut watched = Watched { tree, now: Timestamp::ZERO };
        watched.look();
        watched
    }

    /// Looks at everybody: large trees are looked at in parts.
    pub(crate) fn look(&mut self) {
        for _ in 0..200 {
            self.now += Span::from_milliseconds(2_000);
            self.tree.refresh(self.now);
        }
    }

    pub(crate) fn sample(&mut self, probe: &mut Opened) -> Sample {
        self.look();
        probe.sample(&self.tree, self.now)
    }
}

pub(crate) fn open_files() -> usize {
    fs::read_dir(PathBuf::from("/proc/self/fd")).unwrap().count()
}
