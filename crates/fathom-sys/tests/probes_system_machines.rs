//! System probes on made-up machines.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the made-up machines are shared")]

mod host_fixture;
mod probe_fixture;

use fathom_record::trace::{Kind, Value};
use fathom_record::{TimeUnit, Timestamp, Unit};
use fathom_sys::probes::{ProcessTree, Target, system_sources};
use host_fixture::Machine;
use probe_fixture::{Opened, Sample};
use std::collections::BTreeSet;
use std::time::Duration;

fn open(machine: &Machine, name: &str) -> Opened {
    Opened::open(&system_sources(machine.root()), name, 42)
}

fn sample(probe: &mut Opened) -> Sample {
    probe.sample(&ProcessTree::new(std::process::id()), Timestamp::ZERO)
}

fn later(probe: &mut Opened, nanoseconds: i64) -> Sample {
    let now = Timestamp::from_nanoseconds(nanoseconds);
    probe.sample(&ProcessTree::new(std::process::id()), now)
}

fn unavailable(machine: &Machine, name: &str) -> String {
    let sources = system_sources(machine.root());
    let source = sources.iter().find(|source| source.name() == name).unwrap();
    source.open(Target::Running(42)).err().unwrap().to_string()
}

fn kind_and_unit(probe: &Opened, name: &str) -> (Kind, Unit) {
    let name = format!("{}.{name}", probe.0.name());
    let metric = probe.0.metrics().iter().find(|metric| metric.name == name).unwrap();
    (metric.kind, metric.unit.clone())
}

#[test]
fn an_empty_machine_has_none_and_says_so() {
    let machine = Machine::empty();
    for source in system_sources(machine.root()) {
        let why = source.open(Target::Running(42)).err().unwrap().to_string();
        assert!(why.contains("/proc/"), "{}: {why}", source.name());
    }
}

#[test]
fn processor_times_are_nanoseconds() {
    let machine = Machine::ordinary(128);
    let cpus: String = (0..128).map(|cpu| format!("cpu{cpu} 9 9 9 9 9 9 9 9 9 9\n")).collect();
    let text = |ctxt: u64| {
        format!(
            "cpu  1 2 3 4 5 6 7 8 9 10\n{cpus}intr 55 1 2 3\nctxt {ctxt}\nbtime 1\nprocesses 66\n\
             procs_running 3\nprocs_blocked 1\nsoftirq 77 1 2\n"
        )
    };
    machine.file("proc/stat", text(44));
    let mut probe = open(&machine, "system.stat");
    let first = sample(&mut probe);
    assert_eq!(first.fault, None);
    for (place, name) in
        ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal", "guest"]
            .iter()
            .enumerate()
    {
        assert_eq!(first.get(name), (place as i64 + 1) * 10_000_000, "{name}");
    }
    for (name, value) in [("intr", 55), ("ctxt", 44), ("forks", 66), ("procs_running", 3)] {
        assert_eq!(first.get(name), value, "{name}");
    }
    assert_eq!(first.values.len(), 16);
    machine.file("proc/stat", text(45));
    assert_eq!(sample(&mut probe).get("ctxt"), 45);
    assert_eq!(kind_and_unit(&probe, "user").1, Unit::Time(TimeUnit::Nanoseconds));
    assert_eq!(kind_and_unit(&probe, "procs_blocked").0, Kind::Gauge);
}

#[test]
fn memory_is_bytes_and_pages() {
    let machine = Machine::empty();
    machine.file(
        "proc/meminfo",
        "MemTotal:  16 kB\nActive(anon):  1 kB\nHugePages_Total:  3\nOdd: x\n",
    );
    let mut probe = open(&machine, "system.meminfo");
    let first = sample(&mut probe);
    assert_eq!(first.get("MemTotal"), 16384);
    assert_eq!(first.get("Active_anon"), 1024);
    assert_eq!(first.get("HugePages_Total"), 3);
    assert_eq!(first.values.len(), 3);
    assert_eq!(kind_and_unit(&probe, "MemTotal"), (Kind::Gauge, Unit::Bytes));

    machine.file("proc/vmstat", "nr_free_pages 5\nnr_dirtied 6\npgfault 7\n");
    let mut probe = open(&machine, "system.vmstat");
    let first = sample(&mut probe);
    assert_eq!((first.get("nr_free_pages"), first.get("pgfault")), (5, 7));
    assert_eq!(kind_and_unit(&probe, "nr_free_pages").0, Kind::Gauge);
    assert_eq!(kind_and_unit(&probe, "nr_dirtied").0, Kind::Counter);
    assert_eq!(kind_and_unit(&probe, "pgfault").0, Kind::Counter);
    // In another order, with a line less and one more.
    machine.file("proc/vmstat", "pgfault 70\nnew 1\nnr_dirtied 60\n");
    let second = sample(&mut probe);
    assert_eq!((second.get("pgfault"), second.get("nr_dirtied")), (70, 60));
    assert!(second.is_missing("nr_free_pages"));
    let third = sample(&mut probe);
    assert_eq!(third.get("new"), 1);
    assert_eq!(probe.0.metrics().last().unwrap().name, "system.vmstat.new");
}

#[test]
fn interrupts_are_summed_over_cpus_and_may_come_later() {
    let machine = Machine::empty();
    let header: String = (0..128).map(|cpu| format!("CPU{cpu} ")).collect();
    let line = |id: &str, each: u64, words: &str| {
        format!(" {id}:{} {words}\n", format!(" {each}").repeat(128))
    };
    let timer = line("LOC", 2, "Local timer interrupts");
    let disk = line("36", 3, "PCI-MSIX-0000:00:02.0   1-edge      nvme0q1");
    machine.file("proc/interrupts", format!("{header}\n{disk}{timer}ERR: 5\n"));
    let mut probe = open(&machine, "system.interrupts");
    let first = sample(&mut probe);
    assert_eq!(first.get("36.nvme0q1"), 384);
    assert_eq!((first.get("LOC"), first.get("ERR")), (256, 5));
    let about = &probe.0.metrics()[1].about;
    assert_eq!(about, "Local timer interrupts");
    let card = line("40", 1, "PCI-MSI 1-edge eth0");
    machine.file("proc/interrupts", format!("{header}\n{disk}{card}{timer}ERR: 6\n"));
    assert_eq!(sample(&mut probe).get("ERR"), 6);
    let third = sample(&mut probe);
    assert_eq!((third.get("40.eth0"), third.get("36.nvme0q1")), (128, 384));
    assert_eq!(probe.0.metrics().last().unwrap().name, "system.interrupts.40.eth0");

    machine.file("proc/softirqs", format!("{header}\n{}{}", line("HI", 0, ""), line("RCU", 4, "")));
    let soft = sample(&mut open(&machine, "system.softirqs"));
    assert_eq!((soft.get("HI"), soft.get("RCU")), (0, 512));
}

#[test]
fn a_file_that_costs_much_is_read_rarely() {
    let machine = Machine::empty();
    let line = |id: usize| format!("{id}:{} PCI-MSI d{id}\n", " 1234567".repeat(512));
    machine.file("proc/interrupts", (0..1500).map(line).collect::<String>());
    let probe = open(&machine, "system.interrupts");
    // Six megabytes take a millisecond on any machine.
    assert!(probe.0.least_interval() >= Duration::from_millis(20));
    machine.file("proc/interrupts", line(1));
    assert_eq!(open(&machine, "system.interrupts").0.least_interval(), Duration::ZERO);
}

#[test]
fn pressure_is_what_the_kernel_has() {
    let machine = Machine::ordinary(2);
    machine.file("proc/pressure/irq", "full avg10=1.25 avg60=0.00 avg300=0.00 total=9\n");
    let mut probe = open(&machine, "system.pressure");
    let first = sample(&mut probe);
    assert_eq!(first.get("cpu.some"), 123);
    assert_eq!(first.values["irq.full_avg10"], Value::Real(1.25));
    assert_eq!(first.values.len(), 14);
    assert_eq!(kind_and_unit(&probe, "io.full").1, Unit::Time(TimeUnit::Microseconds));
    let without = Machine::empty();
    without.file("proc/stat", "cpu 1\n");
    let why = unavailable(&without, "system.pressure");
    assert!(why.contains("psi=1"), "{why}");
}

#[test]
fn disks_are_whole_and_in_use() {
    let machine = Machine::empty();
    let row = |name: &str, each: u64| {
        let numbers: String = (0..17).map(|n| format!(" {}", each * (n + 1))).collect();
        format!("   8       0 {name}{numbers}\n")
    };
    let disks: String =
        (0..60).map(|n| row(&format!("sd{n}"), 1) + &row(&format!("sd{n}1"), 1)).collect();
    for disk in 0..60 {
        machine.folder(&format!("sys/block/sd{disk}"));
    }
    machine.folder("sys/block/loop0").folder("sys/block/cciss!c0d0");
    let text = |loop0| format!("{disks}{}{}", row("loop0", loop0), row("cciss/c0d0", 2));
    machine.file("proc/diskstats", text(0));
    let mut probe = open(&machine, "system.disks");
    let first = sample(&mut probe);
    assert_eq!(first.values.len(), 61 * 11);
    assert_eq!(first.get("sd59.read_bytes"), 3 * 512);
    assert_eq!(first.get("sd59.write_time"), 8);
    assert_eq!(first.get("cciss_c0d0.reads"), 2);
    assert_eq!(kind_and_unit(&probe, "sd0.in_flight").0, Kind::Gauge);
    // The loop device does something, and a disk is pulled out.
    machine.file("proc/diskstats", text(1).replace(&row("sd0", 1), ""));
    assert!(sample(&mut probe).is_missing("sd0.reads"));
    assert_eq!(sample(&mut probe).get("loop0.writes"), 5);
    machine.file("proc/diskstats", "");
    assert!(unavailable(&machine, "system.disks").contains("no disk"));
}

#[test]
fn the_network_is_the_programs() {
    let machine = Machine::empty();
    let header = "Inter-|   Receive  |  Transmit\n face |bytes    packets|bytes packets\n";
    let row = |name: &str| format!("{name}: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
    let idle = " ifb0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
    machine
        .file("proc/42/net/dev", format!("{header}{}{idle}", row("  eth0")))
        .file(
            "proc/42/net/snmp",
            "Ip: Forwarding InReceives\nIp: 2 1076548\nTcp: MaxConn CurrEstab InSegs RetransSegs\nTcp: -1 \
             4 5 227\nUdpLite: InDatagrams\nUdpLite: 0\n",
        )
        .file("proc/7/net/dev", format!("{header}{}", row("other")));
    let mut probe = open(&machine, "system.network");
    let first = sample(&mut probe);
    assert_eq!(first.fault, None);
    assert_eq!((first.get("eth0.rx_bytes"), first.get("eth0.tx_bytes")), (1, 9));
    assert_eq!((first.get("eth0.rx_drop"), first.get("eth0.tx_drop")), (4, 12));
    assert_eq!((first.get("Tcp.RetransSegs"), first.get("Ip.InReceives")), (227, 1_076_548));
    assert_eq!(kind_and_unit(&probe, "Tcp.CurrEstab").0, Kind::Gauge);
    assert_eq!(first.values.len(), 8 + 4);
    machine.file("proc/42/net/dev", format!("{header}{}{}", row("veth1"), row("  eth0")));
    sample(&mut probe);
    let third = sample(&mut probe);
    assert_eq!((third.get("veth1.rx_bytes"), third.get("eth0.rx_packets")), (1, 2));
}

#[test]
fn a_program_that_gets_another_network_is_followed() {
    let machine = Machine::empty();
    let row = |bytes| format!("eth0: {bytes} 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
    machine.file("proc/42/net/dev", row(1)).folder("proc/42/ns");
    let link = machine.root().join("proc/42/ns/net");
    std::os::unix::fs::symlink("net:[1]", &link).unwrap();
    let mut probe = open(&machine, "system.network");
    assert_eq!(later(&mut probe, 0).get("eth0.rx_bytes"), 1);
    // As in the kernel, the open file stays with the old one.
    let file = machine.root().join("proc/42/net/dev");
    std::fs::rename(&file, machine.root().join("old")).unwrap();
    machine.file("proc/42/net/dev", row(7));
    assert_eq!(later(&mut probe, 5_000_000_000).get("eth0.rx_bytes"), 1);
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("net:[2]", &link).unwrap();
    assert_eq!(later(&mut probe, 10_000_000_000).get("eth0.rx_bytes"), 7);
}

#[test]
fn control_groups_of_the_second_version() {
    let machine = Machine::ordinary(2);
    let group = "sys/fs/cgroup/user.slice/a.scope";
    machine
        .file("proc/42/cgroup", "0::/user.slice/a.scope\n")
        .file(&format!("{group}/cpu.stat"), "usage_usec 5\nnr_throttled 2\nthrottled_usec 7\n")
        .file(&format!("{group}/memory.current"), "4096\n")
        .file(&format!("{group}/memory.stat"), "anon 1024\npgfault 9\nworkingset_refault_anon 3\n")
        .file(&format!("{group}/memory.events"), "low 0\noom 1\n")
        .file(
            &format!("{group}/io.stat"),
            "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6\n8:16 \n",
        )
        .file(&format!("{group}/pids.current"), "12\n");
    let mut probe = open(&machine, "system.cgroup");
    let first = sample(&mut probe);
    for (name, value) in [
        ("cpu.stat.usage_usec", 5),
        ("cpu.stat.nr_throttled", 2),
        ("memory.current", 4096),
        ("memory.stat.anon", 1024),
        ("memory.stat.pgfault", 9),
        ("memory.events.oom", 1),
        ("io.stat.8:0.rbytes", 1),
        ("io.stat.8:0.wios", 4),
        ("pids.current", 12),
    ] {
        assert_eq!(first.get(name), value, "{name}");
    }
    assert_eq!(kind_and_unit(&probe, "memory.stat.anon"), (Kind::Gauge, Unit::Bytes));
    assert_eq!(kind_and_unit(&probe, "memory.stat.pgfault").0, Kind::Counter);
    assert_eq!(
        kind_and_unit(&probe, "cpu.stat.throttled_usec"),
        (Kind::Counter, Unit::Time(TimeUnit::Microseconds))
    );
    // A disk that is first used now.
    machine.file(&format!("{group}/io.stat"), "8:16 rbytes=9 wbytes=0 rios=1 wios=0\n");
    sample(&mut probe);
    let second = sample(&mut probe);
    assert_eq!(second.get("io.stat.8:16.rbytes"), 9);
    assert!(second.is_missing("io.stat.8:0.rbytes"));
}

#[test]
fn control_groups_of_both_versions_at_once() {
    let machine = Machine::empty();
    machine
        .file(
            "proc/42/cgroup",
            "4:memory:/a/b\n2:cpu,cpuacct:/a\n7:blkio:/\n8:pids:/a\n1:name=systemd:/\n0::/\n",
        )
        .file("sys/fs/cgroup/unified/cgroup.controllers", "hugetlb\n")
        .file("sys/fs/cgroup/unified/cpu.stat", "usage_usec 3\n")
        .file("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "77\n")
        .file("sys/fs/cgroup/memory/a/b/memory.stat", "cache 1\ntotal_cache 2\ntotal_pgfault 3\n")
        .file("sys/fs/cgroup/cpu,cpuacct/a/cpuacct.usage", "123456789\n")
        .file("sys/fs/cgroup/cpu,cpuacct/a/cpu.stat", "nr_periods 1\nthrottled_time 9\n")
        .file(
            "sys/fs/cgroup/blkio/blkio.throttle.io_service_bytes_recursive",
            "8:0 Read 11\n8:0 Write 12\n8:0 Sync 1\n8:0 Total 23\nTotal 23\n",
        )
        .file("sys/fs/cgroup/pids/a/pids.current", "5\n");
    let mut probe = open(&machine, "system.cgroup");
    let first = sample(&mut probe);
    for (name, value) in [
        ("cpu.stat.usage_usec", 3),
        ("cpu.stat.nr_periods", 1),
        ("memory.usage_in_bytes", 77),
        ("memory.stat.cache", 2),
        ("cpuacct.usage", 123_456_789),
        ("blkio.bytes.8:0.Read", 11),
        ("blkio.bytes.Total", 23),
        ("pids.current", 5),
    ] {
        assert_eq!(first.get(name), value, "{name}");
    }
    assert_eq!(
        kind_and_unit(&probe, "cpu.stat.throttled_time").1,
        Unit::Time(TimeUnit::Nanoseconds)
    );
    let names: BTreeSet<_> = probe.0.metrics().iter().map(|metric| &metric.name).collect();
    assert_eq!(names.len(), probe.0.metrics().len());
}

#[test]
fn a_program_that_is_moved_to_another_group_is_followed() {
    let machine = Machine::ordinary(2);
    machine.file("proc/42/cgroup", "0::/a\n");
    for (group, memory) in [("a", "1\n"), ("b", "2\n")] {
        machine.file(&format!("sys/fs/cgroup/{group}/memory.current"), memory);
    }
    machine.file("sys/fs/cgroup/a/pids.current", "1\n");
    machine.file("sys/fs/cgroup/b/cpu.stat", "usage_usec 3\n");
    let mut probe = open(&machine, "system.cgroup");
    assert_eq!(later(&mut probe, 0).get("memory.current"), 1);
    machine.file("proc/42/cgroup", "0::/b\n");
    assert_eq!(later(&mut probe, 500_000_000).get("memory.current"), 1);
    let moved = later(&mut probe, 2_000_000_000);
    assert_eq!((moved.get("memory.current"), moved.get("cpu.stat.usage_usec")), (2, 3));
    assert!(moved.is_missing("pids.current"));
    assert!(moved.fault.unwrap().why.contains("another control group"));
    assert_eq!(later(&mut probe, 4_000_000_000).fault, None);
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_read() {
    let machine = Machine::ordinary(2);
    let mut probe = open(&machine, "system.pressure");
    assert_eq!(sample(&mut probe).get("io.some"), 123);
    // An open file outlives its name, so it gets too long instead.
    machine.file("proc/pressure/io", vec![b'x'; 17 << 20]);
    for _ in 0..2 {
        let bad = sample(&mut probe);
        let fault = bad.fault.as_ref().unwrap();
        assert!(fault.what.ends_with("proc/pressure/io") && fault.why.contains("16 MB"), "{fault}");
        assert!(bad.is_missing("io.some"));
        assert_eq!(bad.get("memory.some"), 123);
    }
    std::fs::remove_file(machine.root().join("proc/pressure/io")).unwrap();
    assert!(sample(&mut probe).fault.unwrap().why.contains("No such file"));
    machine.file("proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.02 total=124\n");
    assert_eq!(sample(&mut probe).get("io.some"), 124);
}
