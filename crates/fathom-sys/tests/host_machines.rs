//! Made-up machines of every kind, and exactly what is found on them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod host_fixture;

use fathom_sys::host::{
    Access, Aslr, Container, Counter, CpuQuota, Finding, Host, Level, Power, Smt, Topic, Tried,
    Turbo, VirtualMachine, findings, warnings_before,
};
use host_fixture::Machine;
use std::time::Duration;

fn tried() -> Tried {
    let works = |name: &str| Counter { name: name.to_string(), access: Access::Works };
    Tried {
        clock_grain: Some(Duration::from_nanos(20)),
        counters: Some(vec![works("instructions"), works("cycles")]),
        window: None,
    }
}

fn said_before(host: &Host) -> Vec<String> {
    warnings_before(&host.brief()).iter().map(ToString::to_string).collect()
}

fn found(machine: &Machine) -> Vec<Finding> {
    findings(&Host::read(machine.root()), &tried())
}

/// Asserts all that is not good, and that everything else is.
fn assert_found(machine: &Machine, expected: &[(Topic, Level, &str)]) {
    let found = found(machine);
    let topics: Vec<Topic> = found.iter().map(|finding| finding.topic).collect();
    assert_eq!(topics, Topic::ALL);
    let worth_reading: Vec<(Topic, Level, &str)> = found
        .iter()
        .filter(|finding| finding.level != Level::Good)
        .map(|finding| (finding.topic, finding.level, finding.says.as_str()))
        .collect();
    assert_eq!(worth_reading, expected);
}

fn remedy(machine: &Machine, topic: Topic) -> Option<String> {
    found(machine).into_iter().find(|finding| finding.topic == topic).unwrap().remedy
}

fn laptop() -> Machine {
    let machine = Machine::ordinary(8);
    machine
        .x86(8, "Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz", "fpu vme tsc ht")
        .dmi("LENOVO", "20L8S02D00")
        .cpufreq(0..8, "powersave", "intel_pstate", [800_000, 4_200_000, 4_200_000])
        .cpus(0..8, "cpufreq/energy_performance_preference", "balance_power\n")
        .cpus(0..8, "thermal_throttle/core_throttle_count", "0\n")
        .cpus(0..8, "thermal_throttle/package_throttle_count", "31\n")
        .file("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n")
        .file("sys/devices/system/cpu/smt/active", "1\n")
        .clock("tsc", "tsc hpet acpi_pm")
        .supply("AC", &[("type", "Mains"), ("online", "0")])
        .supply("BAT0", &[("type", "Battery"), ("status", "Discharging"), ("capacity", "57")])
        .supply(
            "hidpp_battery_0",
            &[
                ("type", "Battery"),
                ("scope", "Device"),
                ("status", "Discharging"),
                ("capacity", "5"),
            ],
        );
    machine
}

fn desktop() -> Machine {
    let machine = Machine::ordinary(4);
    machine
        .x86(4, "Intel(R) Core(TM) i5-6500 CPU @ 3.20GHz", "fpu vme tsc ht")
        .dmi("Dell Inc.", "OptiPlex 7040")
        .cpufreq(0..4, "performance", "intel_pstate", [3_190_000, 3_200_000, 3_600_000])
        .cpus(0..4, "thermal_throttle/core_throttle_count", "0\n")
        .file("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n")
        .file("sys/devices/system/cpu/smt/active", "0\n")
        .clock("tsc", "tsc hpet acpi_pm");
    machine
}

fn amd() -> Machine {
    let machine = Machine::ordinary(16);
    machine
        .x86(16, "AMD Ryzen 7 5800X 8-Core Processor", "fpu vme tsc ht")
        .dmi("ASUS", "System Product Name")
        .cpufreq(0..16, "schedutil", "acpi-cpufreq", [2_200_000, 3_800_000, 3_800_000])
        .file("sys/devices/system/cpu/cpufreq/boost", "1\n")
        .cpus(0..8, "topology/thread_siblings_list", "0,8\n")
        .clock("hpet", "hpet acpi_pm")
        .file("sys/devices/system/cpu/isolated", "6-7\n")
        .file("sys/devices/system/cpu/nohz_full", "6-7\n")
        .file("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n")
        .file("proc/loadavg", "12.31 9.20 4.09 9/1512 4242\n");
    machine
}

fn guest() -> Machine {
    let machine = Machine::ordinary(2);
    machine
        .x86(2, "Intel Xeon Processor (Skylake)", "fpu vme tsc hypervisor ht")
        .dmi("QEMU", "Standard PC (Q35 + ICH9, 2009)")
        .file("sys/devices/system/cpu/smt/active", "0\n")
        .file("proc/stat", "cpu  800 0 100 8000 0 0 0 1100 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n")
        .clock("kvm-clock", "kvm-clock tsc acpi_pm");
    machine
}

fn swapping() -> Machine {
    let machine = Machine::ordinary(2);
    machine
        .x86(2, "Intel(R) Core(TM)2 Duo", "fpu vme tsc")
        .dmi("Acme", "Box")
        .cpufreq(0..2, "ondemand", "acpi-cpufreq", [1_000_000, 1_000_000, 2_400_000])
        .clock("acpi_pm", "tsc hpet acpi_pm")
        .file(
            "proc/meminfo",
            "MemTotal: 4096000 kB\nMemAvailable: 409600 kB\nSwapTotal: 2097152 kB\nSwapFree: \
             1048576 kB\n",
        )
        .file("proc/vmstat", "pswpin 70000\npswpout 90000\n")
        .file("proc/pressure/memory", "some avg10=34.50 avg60=20.00 avg300=5.02 total=123\n")
        .file("proc/sys/kernel/randomize_va_space", "0\n")
        .file("sys/fs/cgroup/user.slice/session-2.scope/cpu.max", "150000 100000\n")
        .file("sys/fs/cgroup/user.slice/cpu.max", "50000 100000\n")
        .file(
            "sys/fs/cgroup/user.slice/cpu.stat",
            "usage_usec 1\nnr_periods 1000\nnr_throttled 250\nthrottled_usec 5000000\n",
        );
    machine
}

fn arm() -> Machine {
    let machine = Machine::ordinary(6);
    let core = |cpu: u32, part: &str| {
        format!(
            "processor\t: {cpu}\nBogoMIPS\t: 48.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: {part}\n\n"
        )
    };
    let cores: String =
        (0..4).map(|cpu| core(cpu, "0xd03")).chain((4..6).map(|cpu| core(cpu, "0xd08"))).collect();
    machine
        .file("proc/cpuinfo", cores)
        .file("proc/device-tree/model", "Pine64 RockPro64 v2.1\0")
        .file("proc/device-tree/compatible", "pine64,rockpro64-v2.1\0rockchip,rk3399\0")
        .cpufreq(0..4, "performance", "cpufreq-dt", [1_416_000, 1_416_000, 1_416_000])
        .cpufreq(4..6, "performance", "cpufreq-dt", [1_800_000, 1_800_000, 1_800_000])
        .cpus(0..4, "cpu_capacity", "485\n")
        .cpus(4..6, "cpu_capacity", "1024\n")
        .cpus(0..6, "topology/thread_siblings_list", "3\n")
        .clock("arch_sys_counter", "arch_sys_counter");
    machine
}

/// A container that is shown nothing of the machine but itself.
fn locked_container() -> Machine {
    let machine = Machine::empty();
    machine
        .file(".dockerenv", "")
        .file("proc/self/mountinfo", "40 39 0:22 / /sys ro,nosuid - sysfs sysfs ro\n")
        .file("proc/self/cgroup", "4:cpu,cpuacct:/docker/0123abcd\n")
        .file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n")
        .file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n")
        .file(
            "sys/fs/cgroup/cpu,cpuacct/cpu.stat",
            "nr_periods 400\nnr_throttled 1\nthrottled_time 5000000\n",
        )
        .cpufreq(0..1, "powersave", "intel_pstate", [800_000, 4_200_000, 4_200_000])
        .file("proc/sys/kernel/perf_event_paranoid", "4\n");
    machine
}

#[test]
fn a_laptop_on_its_battery() {
    let laptop = laptop();
    assert_found(
        &laptop,
        &[
            (
                Topic::Governor,
                Level::Spoils,
                "the CPU governor is \"powersave\", with the preference \"balance_power\"",
            ),
            (Topic::Turbo, Level::Note, "turbo is on"),
            (
                Topic::Heat,
                Level::Note,
                "CPUs have been throttled by heat 31 times since the machine started",
            ),
            (Topic::Smt, Level::Note, "SMT is on: CPUs share cores"),
            (Topic::Battery, Level::Spoils, "the machine runs on battery (57% full)"),
        ],
    );
    assert_eq!(
        remedy(&laptop, Topic::Governor).unwrap(),
        "`sudo cpupower frequency-set -g performance`, or without cpupower `echo performance | \
         sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor`; undo with `sudo cpupower \
         frequency-set -g powersave`"
    );
    assert_eq!(
        remedy(&laptop, Topic::Turbo).unwrap(),
        "for steadier times, `echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo`; \
         undo with `echo 0 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo`"
    );
    let host = Host::read(laptop.root());
    assert_eq!(
        said_before(&host),
        [
            "the CPU governor is \"powersave\". `fathom doctor` shows how to change it.",
            "the machine runs on battery. Plug it in.",
        ]
    );
    assert_eq!(
        host.summary(),
        "Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz, 8 CPUs, Linux 6.8.0-45-generic"
    );
}

#[test]
fn a_laptop_that_is_plugged_in() {
    let power = |machine: &Machine| Host::read(machine.root()).power;
    let laptop = laptop();
    laptop.supply("AC", &[("online", "1")]);
    assert_eq!(power(&laptop), Power::Mains);
    // Fed by USB: there is no "Mains", but the battery is filled.
    let fed = Machine::ordinary(4);
    fed.supply("ucsi-source-psy-1", &[("type", "USB"), ("online", "1")])
        .supply("BAT1", &[("type", "Battery"), ("status", "Charging")]);
    assert_eq!(power(&fed), Power::Mains);
    // The socket feeds a telephone.
    fed.supply("BAT1", &[("status", "Discharging"), ("capacity", "250")]);
    assert_eq!(power(&fed), Power::Battery { percent: None });
    fed.supply("BAT1", &[("status", "Unknown")]);
    assert_eq!(power(&fed), Power::Unknown);
}

#[test]
fn a_well_kept_desktop() {
    let desktop = desktop();
    assert_found(&desktop, &[]);
    let host = Host::read(desktop.root());
    assert!(warnings_before(&host.brief()).is_empty());
    assert!(matches!(host.turbo, Turbo::Off(_)));
    // What the hardware could with turbo is not what it may without.
    let found = found(&desktop);
    let frequency = found.iter().find(|one| one.topic == Topic::Frequency).unwrap();
    assert_eq!(frequency.says, "the clock can go up to 3.2 GHz");
}

#[test]
fn a_busy_amd() {
    let amd = amd();
    assert_found(
        &amd,
        &[
            (Topic::Governor, Level::Spoils, "the CPU governor is \"schedutil\""),
            (Topic::Turbo, Level::Note, "turbo is on"),
            (Topic::Heat, Level::Unknown, "this machine does not count thermal throttling"),
            (Topic::Smt, Level::Note, "SMT is on: CPUs share cores"),
            (Topic::Isolation, Level::Note, "CPUs 6-7 are isolated and without a timer tick"),
            (Topic::Load, Level::Spoils, "the load is 12.31 on 16 CPUs"),
            (Topic::ClockSource, Level::Note, "the clock source is \"hpet\""),
            (Topic::HugePages, Level::Note, "every program gets huge pages"),
        ],
    );
    assert_eq!(
        remedy(&amd, Topic::Turbo).unwrap(),
        "for steadier times, `echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost`; undo with \
         `echo 1 | sudo tee /sys/devices/system/cpu/cpufreq/boost`"
    );
    assert_eq!(
        said_before(&Host::read(amd.root())),
        [
            "the CPU governor is \"schedutil\". `fathom doctor` shows how to change it.",
            "the machine is busy (load 12.3 on 16 CPUs). Close what `top` shows, or wait.",
        ]
    );
}

#[test]
fn older_switches_for_turbo() {
    let turbo = |file: &str, values: [&str; 2]| {
        let machine = Machine::ordinary(2);
        for (cpu, value) in (0..).zip(values) {
            machine.cpus(cpu..cpu + 1, &format!("cpufreq/{file}"), value);
        }
        Host::read(machine.root()).turbo
    };
    assert!(matches!(turbo("cpb", ["0\n", "1\n"]), Turbo::On(_)));
    assert!(matches!(turbo("cpb", ["0\n", "0\n"]), Turbo::Off(_)));
    assert!(matches!(turbo("boost", ["1\n", "1\n"]), Turbo::On(_)));
    assert_eq!(turbo("boost", ["2\n", "x\n"]), Turbo::Unknown);
}

#[test]
fn a_virtual_machine_without_cpufreq() {
    let guest = guest();
    assert_found(
        &guest,
        &[
            (Topic::Governor, Level::Unknown, "Fathom cannot find a CPU governor"),
            (Topic::Turbo, Level::Unknown, "Fathom cannot find a switch for turbo"),
            (Topic::Frequency, Level::Unknown, "Fathom cannot read the clock speeds"),
            (Topic::Heat, Level::Unknown, "this machine does not count thermal throttling"),
            (
                Topic::UnequalCpus,
                Level::Unknown,
                "Fathom cannot tell whether all CPUs are equally fast",
            ),
            (Topic::Smt, Level::Unknown, "this virtual machine shows no SMT"),
            (
                Topic::Steal,
                Level::Spoils,
                "the hypervisor took 11.0% of the CPU time since the machine started",
            ),
            (Topic::VirtualMachine, Level::Note, "this is a virtual machine (QEMU)"),
        ],
    );
    assert!(warnings_before(&Host::read(guest.root()).brief()).is_empty());
}

#[test]
fn who_is_a_virtual_machine() {
    let read = |machine: &Machine| Host::read(machine.root()).virtual_machine;
    let yes = |name: &str| VirtualMachine::Yes { hypervisor: Some(name.to_string()) };
    // Amazon's real machines bear its name.
    let metal = Machine::empty();
    metal.x86(2, "Xeon", "fpu ht").dmi("Amazon EC2", "c5.metal");
    assert_eq!(read(&metal), VirtualMachine::NoSign);
    let arm_metal = Machine::empty();
    arm_metal.dmi("Amazon EC2", "c7g.metal");
    assert_eq!(read(&arm_metal), VirtualMachine::NoSign);
    arm_metal.dmi("Amazon EC2", "c7g.large");
    assert_eq!(read(&arm_metal), yes("Amazon EC2"));
    // A maker of both: only the product tells.
    let surface = Machine::empty();
    surface.dmi("Microsoft Corporation", "Surface Pro X");
    assert_eq!(read(&surface), VirtualMachine::NoSign);
    surface.dmi("Microsoft Corporation", "Virtual Machine");
    assert_eq!(read(&surface), yes("Hyper-V"));
    // No firmware tables, as in small hypervisors: the flag, and the clock for the name.
    let small = Machine::empty();
    small.x86(1, "Xeon", "fpu hypervisor");
    assert_eq!(read(&small), VirtualMachine::Yes { hypervisor: None });
    small.clock("tsc", "tsc kvm-clock");
    assert_eq!(read(&small), yes("KVM"));
    small.file("sys/hypervisor/type", "xen\n");
    assert_eq!(read(&small), yes("Xen"));
    let board = Machine::empty();
    board.file("proc/device-tree/compatible", "linux,dummy-virt\0");
    assert_eq!(read(&board), yes("QEMU"));
    board.file("proc/device-tree/hypervisor/compatible", "linux,kvm\0");
    assert_eq!(read(&board), yes("KVM"));
}

#[test]
fn a_container_with_nothing_readable() {
    let host = Host::read(Machine::empty().root());
    assert!(warnings_before(&host.brief()).is_empty());
    for finding in findings(&host, &Tried::default()) {
        assert_eq!(finding.level, Level::Unknown, "{finding:?}");
        assert_eq!(finding.remedy, None, "{finding:?}");
    }
    assert_eq!(host.summary(), "unknown CPU, an unknown number of CPUs, Linux of unknown version");
}

#[test]
fn a_locked_container_sends_you_outside() {
    let container = locked_container();
    let host = Host::read(container.root());
    assert_eq!(
        host.container,
        Container::Yes { kind: "docker".to_string(), settings_locked: true }
    );
    let governor = remedy(&container, Topic::Governor).unwrap();
    assert!(governor.starts_with("outside the container: `sudo cpupower"), "{governor}");
    let failing = Tried {
        counters: Some(vec![Counter { name: "cycles".into(), access: Access::Denied }]),
        ..tried()
    };
    let found = findings(&host, &failing);
    let of = |topic: Topic| found.iter().find(|one| one.topic == topic).unwrap();
    assert_eq!(
        of(Topic::PerfEvents).remedy.as_deref().unwrap(),
        "outside the container: `sudo sysctl kernel.perf_event_paranoid=1`; undo with `sudo sysctl \
         kernel.perf_event_paranoid=4`"
    );
    // Two CPUs are enough for one thread, and once in 400 periods is nothing.
    let quota = of(Topic::CpuQuota);
    assert_eq!(quota.level, Level::Note);
    assert_eq!(
        quota.says,
        "a quota allows 2 CPUs, and programs were throttled in 0% of its periods"
    );
    assert!(quota.remedy.as_deref().unwrap().contains("docker without `--cpus`"));
    assert_eq!(
        said_before(&host),
        ["the CPU governor is \"powersave\". `fathom doctor` shows how to change it."]
    );
}

#[test]
fn signs_of_containers() {
    let kind = |path: &str, text: &str| {
        let machine = Machine::ordinary(1);
        machine.file(path, text);
        match Host::read(machine.root()).container {
            Container::Yes { kind, settings_locked: false } => Some(kind),
            Container::NoSign => None,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(kind("run/systemd/container", "systemd-nspawn\n").unwrap(), "systemd-nspawn");
    assert_eq!(kind("run/.containerenv", "").unwrap(), "podman");
    let pod = "0::/kubepods/besteffort/pod1/abc\n";
    assert_eq!(kind("proc/1/cgroup", pod).unwrap(), "kubernetes");
    assert_eq!(kind("proc/1/cgroup", "0::/init.scope\n"), None);
}

#[test]
fn a_machine_under_pressure() {
    let machine = swapping();
    assert_found(
        &machine,
        &[
            (Topic::Governor, Level::Spoils, "the CPU governor is \"ondemand\""),
            (Topic::Turbo, Level::Unknown, "Fathom cannot find a switch for turbo"),
            (Topic::Frequency, Level::Note, "2 CPUs are limited, CPU 0 to 1.0 GHz of 2.4 GHz"),
            (Topic::Heat, Level::Unknown, "this machine does not count thermal throttling"),
            (Topic::Smt, Level::Unknown, "Fathom cannot tell whether CPUs share cores"),
            (Topic::Aslr, Level::Note, "memory layout is fixed (ASLR is off)"),
            (
                Topic::Swap,
                Level::Note,
                "1.0 GiB of 2.0 GiB of swap are in use (160000 pages moved since the machine \
                 started)",
            ),
            (Topic::Pressure, Level::Spoils, "programs waited for memory 34% of the last 10 s"),
            (
                Topic::CpuQuota,
                Level::Spoils,
                "a quota allows 0.5 CPUs, and programs were throttled in 25% of its periods",
            ),
            (Topic::ClockSource, Level::Note, "the clock source is \"acpi_pm\""),
        ],
    );
    // Not `swapoff`: what is swapped would not fit.
    assert_eq!(
        remedy(&machine, Topic::Swap).unwrap(),
        "close the programs that `ps aux --sort=-rss | head` shows"
    );
    // The tightest of the groups above us, by its own file.
    assert_eq!(
        remedy(&machine, Topic::CpuQuota).unwrap(),
        "`echo max | sudo tee '/sys/fs/cgroup/user.slice/cpu.max'`; to undo, restart the service \
         or session"
    );
    assert_eq!(
        remedy(&machine, Topic::Frequency).unwrap(),
        "`sudo cpupower -c 0-1 frequency-set -u 2400000`; undo with `sudo cpupower -c 0-1 \
         frequency-set -u 1000000`"
    );
    let host = Host::read(machine.root());
    assert_eq!(host.aslr, Aslr::Off);
    assert_eq!(host.cpu_times.unwrap().throttled, Some(Duration::from_secs(5)));
    assert_eq!(
        said_before(&host),
        [
            "the CPU governor is \"ondemand\". `fathom doctor` shows how to change it.",
            "a quota allows 0.5 CPUs and stops programs that use it up. `fathom doctor` shows how \
             to change it.",
        ]
    );
}

#[test]
fn groups_from_outside_our_view_are_not_followed() {
    let machine = Machine::ordinary(2);
    machine
        .file("proc/self/cgroup", "0::/../../other.slice\n")
        .file("sys/other.slice/cpu.max", "1000 100000\n")
        .file("sys/fs/cgroup/cpu.max", "max 100000\n");
    assert_eq!(Host::read(machine.root()).cpu_quota, CpuQuota::Unlimited);
    machine.file("proc/self/cgroup", "0::/a b$(reboot)\n");
    machine.file("sys/fs/cgroup/a b$(reboot)/cpu.max", "1000 100000\n");
    let quota = Host::read(machine.root()).cpu_quota;
    assert_eq!(quota, CpuQuota::Limited { cpus: 0.01, stopped: None, lift: None });
}

#[test]
fn odd_limits_are_unknown() {
    let machine = Machine::ordinary(2);
    let quota = || Host::read(machine.root()).cpu_quota;
    for odd in ["100000 0", "0 100000", "100000", "-5 100000", "much 100000", ""] {
        machine.file("sys/fs/cgroup/user.slice/cpu.max", odd);
        assert_eq!(quota(), CpuQuota::Unknown, "{odd}");
    }
    machine.file("sys/fs/cgroup/user.slice/cpu.max", "250000 100000\n");
    for odd in ["nr_periods 0\nnr_throttled 0\n", "nr_periods 2\nnr_throttled 3\n", "x"] {
        let text = format!("{odd}throttled_usec 0\n");
        machine.file("sys/fs/cgroup/user.slice/cpu.stat", text);
        let lift = "`echo max | sudo tee '/sys/fs/cgroup/user.slice/cpu.max'`".to_string();
        let limited = CpuQuota::Limited { cpus: 2.5, stopped: None, lift: Some(lift) };
        assert_eq!(quota(), limited, "{odd}");
    }
}

#[test]
fn odd_numbers_are_unknown() {
    let machine = Machine::ordinary(2);
    let host = || Host::read(machine.root());
    // The one that runs is the one that asks.
    assert_eq!(host().load.unwrap().others_runnable, Some(0));
    for odd in ["NaN 0 0 1/2 3", "inf 0 0 1/2 3", "-1 0 0 1/2 3", "0.5 0.5", "1e300 0 0 1/2 3"] {
        machine.file("proc/loadavg", odd);
        assert_eq!(host().load, None, "{odd}");
    }
    for odd in ["some avg10=NaN", "some avg10=101", "some avg10=-1", "full avg10=5", "some"] {
        machine.file("proc/pressure/memory", odd);
        assert_eq!(host().pressure.memory, None, "{odd}");
    }
    for odd in ["3\n", "-1\n", "2 2\n", ""] {
        machine.file("proc/sys/kernel/randomize_va_space", odd);
        assert_eq!(host().aslr, Aslr::Unknown, "{odd}");
    }
}

#[test]
fn an_arm_with_two_kinds_of_cores() {
    let arm = arm();
    assert_found(
        &arm,
        &[
            (Topic::Turbo, Level::Unknown, "Fathom cannot find a switch for turbo"),
            (Topic::Heat, Level::Unknown, "this machine does not count thermal throttling"),
            (Topic::UnequalCpus, Level::Spoils, "only CPUs 4-5 of 6 are fast cores"),
        ],
    );
    assert_eq!(remedy(&arm, Topic::UnequalCpus).unwrap(), "pin with `--cpu 5`");
    let host = Host::read(arm.root());
    assert_eq!(host.summary(), "Cortex-A53 and Cortex-A72, 6 CPUs, Linux 6.8.0-45-generic");
    assert_eq!(host.smt, Smt::Off);
}

#[test]
fn counts_of_cpus_have_fallbacks() {
    let machine = Machine::empty();
    let count = || Host::read(machine.root()).processor.cpus;
    machine.file("proc/stat", "cpu  1 1 1 1\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nctxt 1\n");
    assert_eq!(count(), Some(2));
    machine.x86(3, "Xeon", "fpu");
    assert_eq!(count(), Some(3));
    machine.file("sys/devices/system/cpu/online", "0-3,6\n");
    assert_eq!(count(), Some(5));
    machine.file("sys/devices/system/cpu/online", "nonsense\n");
    assert_eq!(count(), Some(3));
}

#[test]
fn mitigations_are_listed() {
    let machine = Machine::empty();
    let folder = "sys/devices/system/cpu/vulnerabilities";
    machine
        .file(&format!("{folder}/meltdown"), "Not affected\n")
        .file(&format!("{folder}/mds"), "Vulnerable\n")
        .file(&format!("{folder}/spectre_v2"), "Mitigation: Retpolines; STIBP: disabled\n");
    let mitigations = Host::read(machine.root()).kernel.mitigations;
    assert_eq!(mitigations.len(), 1);
    assert_eq!(mitigations[0].flaw, "spectre_v2");
    assert_eq!(mitigations[0].what, "Retpolines; STIBP: disabled");
}

#[test]
fn names_for_json_stay() {
    let topics: Vec<&str> = Topic::ALL.iter().map(|topic| topic.name()).collect();
    assert_eq!(
        topics.join(" "),
        "governor turbo frequency heat unequal-cpus smt isolation aslr load steal swap pressure \
         battery virtual-machine container cpu-quota clock-source clock-grain perf-events huge-pages"
    );
    let levels = [Level::Good, Level::Note, Level::Spoils, Level::Unknown];
    assert_eq!(levels.map(Level::name), ["good", "note", "spoils", "unknown"]);
}

/// Whatever this machine is, reading it works and its texts are fit to print.
#[test]
fn this_machine() {
    let host = Host::read("/".as_ref());
    assert!(host.processor.cpus.is_some_and(|cpus| cpus > 0));
    let found = findings(&host, &tried());
    assert_eq!(found.len(), Topic::ALL.len());
    for finding in &found {
        println!("{:7} {:16} {}", finding.level, finding.topic, finding.says);
        host_fixture::assert_fit_to_print(finding);
    }
}
