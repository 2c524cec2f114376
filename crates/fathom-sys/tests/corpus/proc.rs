//! Any bytes in any file of `/proc` and `/sys`: no panic, no number that is none, no name twice, nothing
//! that steers a terminal.
//!
//! The first line of an input is the file's path, the rest is its content. Used by `tests/corpus.rs`
//! and, by path, by `fuzz/fuzz_targets/proc.rs`.

use fathom_record::foreign_text::is_steering;
use fathom_record::trace::Value;
use fathom_record::{Span, Timestamp};
use fathom_sys::host::{CpuQuota, CpuTimes, Host, Tried, findings, warnings_before};
use fathom_sys::probes::{
    Moment, Probe, ProcessTree, Source, Target, process_sources, system_sources,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// What a kernel writes into the files that probes and the host's examination read.
const USUAL: &[(&str, &str)] = &[
    (
        "proc/stat",
        "cpu  1000 0 500 90000 100 0 3 0 0 0\ncpu0 10 0 5 100 1 0 0 0 0 0\nintr 1 2\nctxt 3\nprocesses 4\nprocs_running 1\n",
    ),
    ("proc/vmstat", "nr_free_pages 1\npswpin 0\npswpout 0\npgfault 123\n"),
    (
        "proc/meminfo",
        "MemTotal:       16384000 kB\nMemAvailable:   12000000 kB\nSwapTotal:       2097152 kB\nSwapFree:        2097152 kB\nHugePages_Total:       0\n",
    ),
    (
        "proc/softirqs",
        "                    CPU0       CPU1\n          HI:          1          2\n       TIMER:         10         20\n",
    ),
    (
        "proc/interrupts",
        "           CPU0       CPU1\n  1:          9          0   IO-APIC   1-edge      i8042\nLOC:       1234       2345   Local timer interrupts\nERR:          0\n",
    ),
    (
        "proc/diskstats",
        " 259       0 nvme0n1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n   8       0 sda 1 2 3 4 5 6 7 8 9 10 11\n",
    ),
    (
        "proc/pressure/cpu",
        "some avg10=1.00 avg60=0.50 avg300=0.02 total=123\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
    ),
    (
        "proc/pressure/memory",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
    ),
    (
        "proc/pressure/io",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
    ),
    ("proc/pressure/irq", "full avg10=0.00 avg60=0.00 avg300=0.02 total=123\n"),
    ("proc/loadavg", "0.08 0.10 0.09 1/512 4242\n"),
    (
        "proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Xeon\nflags\t\t: fpu constant_tsc hypervisor\n\nprocessor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd03\n",
    ),
    ("proc/1/cgroup", "0::/init.scope\n"),
    ("proc/self/cgroup", "12:cpu,cpuacct:/a\n0::/user.slice/session-2.scope\n"),
    (
        "proc/self/mountinfo",
        "23 27 0:22 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
    ),
    ("proc/sys/kernel/randomize_va_space", "2\n"),
    ("proc/sys/kernel/perf_event_paranoid", "2\n"),
    ("proc/sys/kernel/osrelease", "6.8.0-45-generic\n"),
    (
        "proc/42/stat",
        "42 (x y) S 1 42 42 0 -1 4194560 5 6 7 8 9 10 11 12 20 0 2 0 99 8192 2 18446744073709551615 1 1 1\n",
    ),
    ("proc/42/statm", "1 2 3 4 5 6 7\n"),
    (
        "proc/42/status",
        "Name:\tx\nVmHWM:\t     100 kB\nThreads:\t2\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t2\n",
    ),
    (
        "proc/42/io",
        "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\ncancelled_write_bytes: 7\n",
    ),
    ("proc/42/schedstat", "1000 200 3\n"),
    (
        "proc/42/smaps_rollup",
        "55d-7ff ---p 00000000 00:00 0   [rollup]\nRss:            1024 kB\nPss:             512 kB\nSwap:              0 kB\n",
    ),
    ("proc/42/cgroup", "4:blkio:/\n0::/\n"),
    (
        "proc/42/net/dev",
        "Inter-|   Receive  |  Transmit\n face |bytes packets|bytes packets\n  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n    lo: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
    ),
    (
        "proc/42/net/snmp",
        "Tcp: RtoAlgorithm InSegs OutSegs RetransSegs\nTcp: 1 2 3 4\nUdp: InDatagrams\nUdp: 1\n",
    ),
    ("proc/42/net/netstat", "TcpExt: ListenDrops TCPTimeouts\nTcpExt: 1 2\n"),
    ("proc/42/task/42/children", "\n"),
    ("proc/42/task/42/schedstat", "1 2 3\n"),
    ("proc/42/task/42/status", "voluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t2\n"),
    ("proc/42/task/43/schedstat", "1 2 3\n"),
    ("proc/42/task/43/status", "voluntary_ctxt_switches:\t1\n"),
    ("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n"),
    (
        "sys/fs/cgroup/cpu.stat",
        "usage_usec 12\nuser_usec 8\nsystem_usec 4\nnr_periods 10\nnr_throttled 1\nthrottled_usec 2\n",
    ),
    ("sys/fs/cgroup/cpu.max", "max 100000\n"),
    ("sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n"),
    ("sys/fs/cgroup/memory.stat", "anon 1\nfile 2\nworkingset_refault_file 3\n"),
    ("sys/fs/cgroup/memory.current", "4096\n"),
    ("sys/fs/cgroup/io.stat", "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6\n"),
    (
        "sys/fs/cgroup/blkio/blkio.throttle.io_serviced_recursive",
        "8:0 Read 1\n8:0 Write 2\nTotal 3\n",
    ),
    ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
    ("sys/class/dmi/id/product_name", "Standard PC\n"),
    ("sys/class/dmi/id/sys_vendor", "QEMU\n"),
    ("sys/class/power_supply/BAT0/type", "Battery\n"),
    ("sys/class/power_supply/BAT0/status", "Discharging\n"),
    ("sys/class/power_supply/BAT0/capacity", "57\n"),
    ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
    ("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm \n"),
    ("sys/devices/system/cpu/online", "0-1\n"),
    ("sys/devices/system/cpu/isolated", "\n"),
    ("sys/devices/system/cpu/nohz_full", "(null)\n"),
    ("sys/devices/system/cpu/smt/active", "1\n"),
    ("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2200000\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "4200000\n"),
    ("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "4200000\n"),
    ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n"),
    ("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "0\n"),
    ("sys/devices/system/cpu/vulnerabilities/spectre_v2", "Mitigation: Retpolines\n"),
    ("sys/hypervisor/type", "xen\n"),
];

thread_local! {
    /// Files are written once, and a check changes one of them.
    static MACHINE: TempDir = machine();
}

pub(crate) fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (path, content) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let named = USUAL.iter().find(|(known, _)| known.as_bytes() == path);
    let sum = path.iter().fold(0_usize, |sum, &byte| sum.wrapping_mul(31) + usize::from(byte));
    let &(path, usual) = named.unwrap_or(&USUAL[sum % USUAL.len()]);
    MACHINE.with(|machine| {
        let root = machine.path();
        let write = |content: &[u8]| fs::write(root.join(path), content).expect("room for a file");
        if path.starts_with("proc/42/") {
            is_sampled(root, process_sources(&root.join("proc")), &write, content);
        }
        if !path.starts_with("sys/class/") && !path.starts_with("sys/devices/") {
            write(usual.as_bytes());
            is_sampled(root, system_sources(root), &write, content);
        }
        write(content);
        if !path.starts_with("proc/42/") {
            is_examined(root);
        }
        write(usual.as_bytes());
    });
}

fn machine() -> TempDir {
    let root = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    let root = root.expect("a folder for the files");
    for (path, text) in USUAL {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("room for a folder");
        fs::write(path, text).expect("room for a file");
    }
    root
}

/// Probes that opened the usual files, and those that opened these.
fn is_sampled(root: &Path, sources: Vec<Box<dyn Source>>, write: &dyn Fn(&[u8]), content: &[u8]) {
    let mut tree = ProcessTree::below(&root.join("proc"), 42);
    let mut now = Timestamp::ZERO;
    let mut opened: Vec<Box<dyn Probe>> = Vec::new();
    for bytes in [None, Some(content)] {
        if let Some(bytes) = bytes {
            write(bytes);
        }
        for source in &sources {
            match source.open(Target::Running(42)) {
                Ok(probe) => opened.push(probe),
                Err(why) => is_fit(&why.to_string()),
            }
        }
        now += Span::from_milliseconds(2_000);
        tree.refresh(now);
        for probe in &mut opened {
            sample(probe.as_mut(), &Moment { now, tree: &tree });
        }
    }
}

fn sample(probe: &mut dyn Probe, moment: &Moment<'_>) {
    probe.refresh(moment);
    let mut values = vec![Value::Missing; probe.metrics().len()];
    if let Err(fault) = probe.sample(moment, &mut values) {
        is_fit(&fault.to_string());
    }
    for (metric, value) in probe.metrics().iter().zip(&values) {
        assert!(!matches!(value, Value::Integer(..0)), "{} is {value:?}", metric.name);
        assert!(value.real().is_none_or(f64::is_finite), "{} is {value:?}", metric.name);
        assert!(metric.name.bytes().all(|byte| byte.is_ascii_graphic()), "{:?}", metric.name);
    }
    let names: BTreeSet<&str> = probe.metrics().iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.len(), probe.metrics().len(), "{names:?}");
}

fn is_examined(root: &Path) {
    let host = Host::read(root);
    if let CpuQuota::Limited { cpus, stopped, .. } = host.cpu_quota {
        assert!(cpus.is_finite() && cpus > 0.0);
        assert!(stopped.is_none_or(|share| (0.0..=1.0).contains(&share)));
    }
    assert!(host.load.is_none_or(|load| load.one_minute.is_finite()));
    let window = CpuTimes::read(root).and_then(|times| times.since_boot());
    if let Some(shares) = window {
        assert!((0.0..=1.0).contains(&shares.busy), "{shares:?}");
    }
    for finding in findings(&host, &Tried { window, ..Tried::default() }) {
        is_fit(&finding.says);
        is_fit(&finding.why);
        finding.remedy.as_deref().into_iter().for_each(is_fit);
    }
    is_fit(&host.summary());
    for warning in warnings_before(&host.brief()) {
        is_fit(&warning.to_string());
    }
}

fn is_fit(text: &str) {
    assert!(!text.is_empty() && !text.contains(is_steering), "{text:?}");
}
