//! Whatever bytes the kernel's files hold: no panic, no number that is none, no name twice.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the made-up machines are shared")]

mod host_fixture;
mod probe_fixture;

use fathom_record::trace::Value;
use fathom_record::{Span, Timestamp};
use fathom_sys::probes::{ProcessTree, Source, Target, process_sources, system_sources};
use host_fixture::Machine;
use probe_fixture::{Opened, Watched};
use proptest::prelude::*;
use std::collections::BTreeSet;

const FILES: &[&str] = &[
    "proc/stat",
    "proc/vmstat",
    "proc/meminfo",
    "proc/softirqs",
    "proc/interrupts",
    "proc/diskstats",
    "proc/pressure/cpu",
    "proc/pressure/irq",
    "proc/42/cgroup",
    "proc/42/net/dev",
    "proc/42/net/snmp",
    "proc/42/stat",
    "proc/42/statm",
    "proc/42/status",
    "proc/42/io",
    "proc/42/schedstat",
    "proc/42/smaps_rollup",
    "proc/42/task/42/children",
    "proc/42/task/42/schedstat",
    "proc/42/task/43/schedstat",
    "proc/42/task/43/status",
    "sys/fs/cgroup/cgroup.controllers",
    "sys/fs/cgroup/cpu.stat",
    "sys/fs/cgroup/memory.stat",
    "sys/fs/cgroup/memory.current",
    "sys/fs/cgroup/io.stat",
    "sys/fs/cgroup/blkio/blkio.throttle.io_serviced_recursive",
];

/// What the kernel writes, so that changes of it come close to what is understood.
fn usual(file: &str) -> &'static str {
    match file.rsplit('/').next().unwrap() {
        "stat" if file.contains("42") => {
            "42 (x) S 1 1 1 0 -1 0 5 5 5 5 5 5 5 5 20 0 1 0 9 8192 2 1844674 1 1 1\n"
        }
        "stat" => "cpu  1 2 3 4 5\nintr 1 2\nctxt 3\n",
        "statm" => "1 2 3 4 5 6 7\n",
        "status" => "VmHWM:\t 1 kB\nvoluntary_ctxt_switches:\t1\n",
        "io" => {
            "rchar: 1\nwchar: 1\nsyscr: 1\nsyscw: 1\nread_bytes: 1\nwrite_bytes: 1\n\
                 cancelled_write_bytes: 1\n"
        }
        "schedstat" => "1 2 3\n",
        "cgroup" => "4:blkio:/\n0::/\n",
        "interrupts" | "softirqs" => "  CPU0 CPU1\n 1: 1 2 PCI a\nLOC: 1 2 Local\n",
        "diskstats" => " 8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n",
        "cpu" | "irq" => "some avg10=1.00 avg60=0.00 avg300=0.02 total=123\n",
        "dev" => "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n",
        "snmp" => "Tcp: InSegs OutSegs\nTcp: 1 2\n",
        "io.stat" => "8:0 rbytes=1 wbytes=2\n",
        "meminfo" | "smaps_rollup" => "Rss:   1 kB\nPss:  2 kB\n",
        _ => "anon 1\nworkingset_x 2\n",
    }
}

/// The usual text with some of it replaced.
fn text() -> impl Strategy<Value = (usize, Vec<u8>, bool)> {
    let bytes = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..80),
        "[0-9 a-z:=.\n-]{0,80}".prop_map(String::into_bytes),
        "[0-9]{15,25} [0-9]{0,25}\n".prop_map(String::into_bytes),
    ];
    (0..200_usize, bytes, any::<bool>())
}

fn write(machine: &Machine, texts: &[(usize, Vec<u8>, bool)]) {
    for (file, (at, bytes, keeps_rest)) in FILES.iter().zip(texts) {
        let usual = usual(file).as_bytes();
        let at = (*at).min(usual.len());
        let mut all = usual[..at].to_vec();
        all.extend(bytes);
        if *keeps_rest {
            all.extend(&usual[at..]);
        }
        machine.file(file, all);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]
    #[test]
    fn any_bytes_in_any_file(
        first in proptest::collection::vec(text(), FILES.len()),
        second in proptest::collection::vec(text(), FILES.len()),
        begins_usual: bool,
    ) {
        let machine = Machine::empty();
        if begins_usual {
            FILES.iter().for_each(|file| { machine.file(file, usual(file)); });
        } else {
            write(&machine, &first);
        }
        let proc = machine.root().join("proc");
        let mut watched = Watched { tree: ProcessTree::below(&proc, 42), now: Timestamp::ZERO };
        let all: Vec<Box<dyn Source>> =
            process_sources(&proc).into_iter().chain(system_sources(machine.root())).collect();
        let opened = all.iter().filter_map(|source| source.open(Target::Running(42)).ok());
        let mut opened: Vec<Opened> = opened.map(Opened).collect();
        prop_assert!(!begins_usual || opened.len() == all.len(), "{} of {}", opened.len(), all.len());
        for texts in [&first, &second, &first] {
            write(&machine, texts);
            watched.now += Span::from_milliseconds(2_000);
            watched.tree.refresh(watched.now);
            for probe in &mut opened {
                let sample = probe.sample(&watched.tree, watched.now);
                for value in sample.values.values() {
                    prop_assert!(!matches!(value, Value::Integer(..0)), "{value:?}");
                }
                let metrics = probe.0.metrics();
                let names: BTreeSet<_> = metrics.iter().map(|metric| &metric.name).collect();
                prop_assert_eq!(names.len(), metrics.len());
                let is_fit = |name: &str| name.bytes().all(|byte| byte.is_ascii_graphic());
                prop_assert!(names.iter().all(|name| is_fit(name)), "{names:?}");
            }
        }
    }
}
