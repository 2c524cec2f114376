//! Which files describe a program's control groups.

use super::super::proc_table::{Column, Layout, text, things};
use super::super::vmstat::PerLine;
use super::device::{PerDevice, PerDeviceAndDirection};
use crate::host::cgroup::{memberships, steps};
use crate::probes::digits;
use fathom_record::trace::Value;
use fathom_record::{TimeUnit, Unit};
use std::path::{Path, PathBuf};

/// A file that may be there.
#[derive(Debug)]
pub(super) struct CgroupFile {
    pub(super) path: PathBuf,
    pub(super) layout: Box<dyn Layout>,
}

/// The files of all groups that a process is in, by its file `cgroup`. Machines may have groups of
/// both versions at once.
pub(super) fn files_of(root: &Path, membership: &[u8]) -> Vec<CgroupFile> {
    let membership = text(membership);
    let mut files = Vec::new();
    for (controllers, path) in memberships(&membership) {
        let mut add = |top: &Path, more: Vec<(&str, Box<dyn Layout>)>| {
            let folder =
                steps(path).iter().fold(top.to_path_buf(), |folder, step| folder.join(step));
            for (name, layout) in more {
                files.push(CgroupFile { path: folder.join(name), layout });
            }
        };
        if controllers.is_empty() {
            let tops = ["sys/fs/cgroup", "sys/fs/cgroup/unified"].map(|top| root.join(top));
            let top = tops.iter().find(|top| top.join("cgroup.controllers").exists());
            if let Some(top) = top {
                add(top, second_version());
            }
            continue;
        }
        // They are mounted by their own names, or by the list of all that are mounted together.
        for controller in controllers.split(',') {
            let tops = [controller, controllers].map(|name| root.join("sys/fs/cgroup").join(name));
            if let Some(top) = tops.iter().find(|top| top.is_dir()) {
                add(top, first_version(controller));
            }
        }
    }
    files
}

fn second_version() -> Vec<(&'static str, Box<dyn Layout>)> {
    vec![
        ("cpu.stat", per_line("cpu.stat.", cpu)),
        ("memory.current", alone("memory.current", |name| Column::gauge(name, Unit::Bytes))),
        (
            "memory.swap.current",
            alone("memory.swap.current", |name| Column::gauge(name, Unit::Bytes)),
        ),
        ("memory.stat", per_line("memory.stat.", memory)),
        ("memory.events", per_line("memory.events.", event)),
        ("io.stat", Box::new(PerDevice)),
        ("pids.current", alone("pids.current", threads)),
    ]
}

fn first_version(controller: &str) -> Vec<(&'static str, Box<dyn Layout>)> {
    match controller {
        "cpu" => vec![("cpu.stat", per_line("cpu.stat.", cpu))],
        "cpuacct" => {
            let time = |name| Column::counter(name, Unit::Time(TimeUnit::Nanoseconds));
            vec![
                ("cpuacct.usage", alone("cpuacct.usage", time)),
                ("cpuacct.usage_user", alone("cpuacct.usage_user", time)),
                ("cpuacct.usage_sys", alone("cpuacct.usage_sys", time)),
            ]
        }
        "memory" => {
            let bytes = |name| Column::gauge(name, Unit::Bytes);
            let times = |name| Column::counter(name, things("times"));
            vec![
                ("memory.usage_in_bytes", alone("memory.usage_in_bytes", bytes)),
                ("memory.failcnt", alone("memory.failcnt", times)),
                ("memory.stat", per_line("memory.stat.", memory_total)),
            ]
        }
        "blkio" => vec![
            (
                "blkio.throttle.io_service_bytes_recursive",
                Box::new(PerDeviceAndDirection { name: "blkio.bytes", unit: Unit::Bytes }),
            ),
            (
                "blkio.throttle.io_serviced_recursive",
                Box::new(PerDeviceAndDirection {
                    name: "blkio.requests",
                    unit: things("requests"),
                }),
            ),
        ],
        "pids" => vec![("pids.current", alone("pids.current", threads))],
        _ => Vec::new(),
    }
}

fn per_line(prefix: &'static str, column: fn(&[u8]) -> Option<Column>) -> Box<dyn Layout> {
    Box::new(PerLine { prefix, column })
}

fn threads(name: &'static str) -> Column {
    Column::gauge(name, things("threads"))
}

/// Of `cpu.stat`. The second version writes times in microseconds and says so; the first in
/// nanoseconds.
fn cpu(key: &[u8]) -> Option<Column> {
    let name = text(key);
    let unit = if name.ends_with("_usec") {
        Unit::Time(TimeUnit::Microseconds)
    } else if name.ends_with("_time") {
        Unit::Time(TimeUnit::Nanoseconds)
    } else {
        things("times")
    };
    Some(Column::counter(name, unit))
}

/// Of `memory.stat`: levels in bytes, and counts of what happened.
fn memory(key: &[u8]) -> Option<Column> {
    const COUNTS: [&str; 9] =
        ["pg", "workingset_", "thp_", "zswp", "swpin", "swpout", "pswp", "numa_", "demote_"];
    let name = text(key);
    let is_count = COUNTS.iter().any(|prefix| name.starts_with(prefix));
    // A level that begins like counts.
    let is_count = is_count && name != "pgtables";
    Some(if is_count {
        Column::counter(name, Unit::Unknown)
    } else {
        Column::gauge(name, Unit::Bytes)
    })
}

/// Of the first version's `memory.stat`, which has everything twice: for the group alone, and with
/// the groups below it. Other files report the second.
fn memory_total(key: &[u8]) -> Option<Column> {
    memory(key.strip_prefix(b"total_")?)
}

fn event(key: &[u8]) -> Option<Column> {
    Some(Column::counter(text(key), things("times")))
}

fn alone(name: &'static str, column: fn(&'static str) -> Column) -> Box<dyn Layout> {
    Box::new(Alone { name, column })
}

/// A number that is alone in its file.
#[derive(Debug)]
struct Alone {
    name: &'static str,
    column: fn(&'static str) -> Column,
}

impl Layout for Alone {
    fn rows<'t>(&self, text: &'t [u8], row: &mut dyn FnMut(&'t [u8], &'t [u8])) {
        row(b"", text);
    }

    fn columns(&self, _key: &[u8], rest: &[u8]) -> Vec<Column> {
        let number = digits::number(rest.trim_ascii());
        number.map(|_| (self.column)(self.name)).into_iter().collect()
    }

    fn values(&self, _key: &[u8], rest: &[u8], values: &mut [Value]) {
        if let Some(value) = values.first_mut() {
            *value = Value::from(digits::number(rest.trim_ascii()));
        }
    }
}
