//! Whatever bytes the kernel's files hold: no panic, no number that is none, nothing that a
//! terminal or a shell would take for a command.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "the made-up machines are shared")]

mod host_fixture;

use fathom_record::Advice;
use fathom_sys::host::{
    CpuQuota, CpuTimes, Host, Level, Shares, Topic, Tried, findings, program, warnings_before,
    warnings_between,
};
use host_fixture::{Machine, assert_fit_to_print};
use proptest::prelude::*;

/// Every file that is read, of a machine with two CPUs.
const FILES: &[&str] = &[
    "proc/cpuinfo",
    "proc/stat",
    "proc/loadavg",
    "proc/meminfo",
    "proc/vmstat",
    "proc/pressure/cpu",
    "proc/pressure/memory",
    "proc/pressure/io",
    "proc/1/cgroup",
    "proc/self/cgroup",
    "proc/self/mountinfo",
    "proc/sys/kernel/randomize_va_space",
    "proc/sys/kernel/perf_event_paranoid",
    "proc/sys/kernel/osrelease",
    "proc/device-tree/model",
    "proc/device-tree/compatible",
    "proc/device-tree/hypervisor/compatible",
    "run/systemd/container",
    "sys/class/dmi/id/product_name",
    "sys/class/dmi/id/sys_vendor",
    "sys/class/power_supply/AC/type",
    "sys/class/power_supply/AC/online",
    "sys/class/power_supply/BAT0/type",
    "sys/class/power_supply/BAT0/status",
    "sys/class/power_supply/BAT0/scope",
    "sys/class/power_supply/BAT0/capacity",
    "sys/devices/system/clocksource/clocksource0/current_clocksource",
    "sys/devices/system/clocksource/clocksource0/available_clocksource",
    "sys/devices/system/cpu/cpu0/cpu_capacity",
    "sys/devices/system/cpu/cpu0/cpufreq/cpb",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
    "sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq",
    "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
    "sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
    "sys/devices/system/cpu/cpu1/cpu_capacity",
    "sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq",
    "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
    "sys/devices/system/cpu/cpufreq/boost",
    "sys/devices/system/cpu/intel_pstate/no_turbo",
    "sys/devices/system/cpu/isolated",
    "sys/devices/system/cpu/nohz_full",
    "sys/devices/system/cpu/online",
    "sys/devices/system/cpu/smt/active",
    "sys/devices/system/cpu/vulnerabilities/spectre_v2",
    "sys/fs/cgroup/a/cpu.max",
    "sys/fs/cgroup/a/cpu.stat",
    "sys/fs/cgroup/cgroup.controllers",
    "sys/fs/cgroup/cpu/cpu.cfs_period_us",
    "sys/fs/cgroup/cpu/cpu.cfs_quota_us",
    "sys/fs/cgroup/cpu/cpu.stat",
    "sys/hypervisor/type",
    "sys/kernel/mm/transparent_hugepage/enabled",
];

/// Pieces of what the files hold, with odd numbers among them, so that parsers get far.
const PIECES: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "57",
    "100",
    "4200000",
    "18446744073709551615",
    "18446744073709551616",
    "-0.0",
    "NaN",
    "inf",
    "-inf",
    "1e308",
    "1e400",
    "0-3",
    "0-4294967295",
    "3-1",
    ",",
    ":",
    "/",
    "=",
    " ",
    "\n",
    "\t",
    "cpu",
    "cpu0",
    "cpu ",
    "processor",
    "model name",
    "flags",
    "hypervisor",
    "CPU implementer",
    "CPU part",
    "0x41",
    "0xd03",
    "MemTotal",
    "MemAvailable",
    "SwapTotal",
    "SwapFree",
    "kB",
    "pswpin ",
    "pswpout ",
    "some ",
    "avg10=",
    "nr_periods ",
    "nr_throttled ",
    "throttled_usec ",
    "throttled_time ",
    "max ",
    "0::/a",
    "3:cpu:/",
    "/..",
    "performance",
    "powersave",
    "tsc",
    "hpet",
    "[always]",
    "Mains",
    "Battery",
    "Discharging",
    "Mitigation: ",
    "kvm",
    "\u{1b}[31m",
    "$(reboot)",
    "`",
    "'",
    "\0",
    "\u{7f}",
    "\u{202e}",
    "ä",
];

/// Whole lines that mean something, next to odd ones.
const LINES: &[&str] = &[
    "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4\n",
    "cpu  18446744073709551615 0 0 18446744073709551615 0 0 0 1\ncpu0 1\n",
    "0.50 NaN inf 3/500 77\n",
    "1e300 1e300 1e300 18446744073709551615/1 1\n",
    "MemTotal: 0 kB\nMemAvailable: 0 kB\nSwapTotal: 9 kB\nSwapFree: 18014398509481983 kB\n",
    "MemTotal: 9 kB\nMemAvailable: 18014398509481983 kB\nSwapTotal: 9 kB\nSwapFree: 0 kB\n",
    "some avg10=NaN avg60=0\n",
    "some avg10=100.00 avg60=0\n",
    "0::/a\n",
    "4:cpu,cpuacct:/a\n",
    "1 100000\n",
    "4294967295 1\n",
    "0 0\n",
    "nr_periods 0\nnr_throttled 0\nthrottled_usec 0\n",
    "nr_periods 1\nnr_throttled 18446744073709551615\nthrottled_usec 18446744073709551615\n",
    "Discharging\n",
    "Battery\n",
    "powersave\n",
];

fn content() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![proptest::sample::select(PIECES), proptest::sample::select(LINES)];
    prop_oneof![
        4 => proptest::collection::vec(piece, 0..12).prop_map(|all| all.concat().into_bytes()),
        2 => proptest::sample::select(LINES).prop_map(|line| line.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..200),
    ]
}

/// Some of the files, each with some content.
fn files() -> impl Strategy<Value = Vec<(&'static str, Vec<u8>)>> {
    let file = proptest::option::of(content());
    proptest::collection::vec(file, FILES.len()).prop_map(|contents| {
        let files = FILES.iter().copied().zip(contents);
        files.filter_map(|(file, content)| Some((file, content?))).collect()
    })
}

fn machine(files: &[(&str, Vec<u8>)]) -> Machine {
    let machine = Machine::empty();
    for (file, content) in files {
        machine.file(file, content);
    }
    machine
}

fn assert_sound(shares: Shares) {
    assert!(shares.seconds.is_finite() && shares.seconds > 0.0, "{shares:?}");
    assert!((0.0..=1.0).contains(&shares.busy), "{shares:?}");
    assert!(shares.steal.is_none_or(|steal| (0.0..=1.0).contains(&steal)), "{shares:?}");
    for own in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, f64::MAX] {
        assert!(shares.others(own).is_none_or(|others| (0.0..=1.0).contains(&others)));
    }
}

fn assert_one_line(warnings: &[Advice]) {
    for warning in warnings.iter().map(ToString::to_string) {
        assert!(!warning.contains(char::is_control) && warning.contains(". "), "{warning}");
        assert!(!warning.contains("NaN%") && !warning.contains("inf"), "{warning}");
    }
}

/// A remedy may not carry into a shell what a file said.
fn assert_no_stowaway(remedy: &str) {
    assert!(!remedy.contains("$(") && !remedy.contains("reboot)"), "{remedy}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_judged(first in files(), second in content()) {
        let (first, second) = (machine(&first), machine(&[("proc/stat", second)]));
        let host = Host::read(first.root());
        let before = host.cpu_times;
        let after = CpuTimes::read(second.root());
        let window = before.zip(after).and_then(|(before, after)| after.since(&before));
        for shares in window.into_iter().chain(before.and_then(|times| times.since_boot())) {
            assert_sound(shares);
        }
        if let CpuQuota::Limited { cpus, stopped, .. } = host.cpu_quota {
            prop_assert!(cpus.is_finite() && cpus > 0.0);
            prop_assert!(stopped.is_none_or(|share| (0.0..=1.0).contains(&share)));
        }
        if let Some(load) = host.load {
            prop_assert!(load.one_minute.is_finite());
        }
        let tried = Tried { window, ..Tried::default() };
        for finding in findings(&host, &tried) {
            assert_fit_to_print(&finding);
            // These repeat names that a file gave, which may be called so.
            let has_name = matches!(
                finding.topic,
                Topic::Governor | Topic::VirtualMachine | Topic::Container | Topic::ClockSource
            );
            let is_odd = finding.says.contains("NaN") || finding.says.contains("inf");
            prop_assert!(has_name || !is_odd, "{finding:?}");
            assert_no_stowaway(finding.remedy.as_deref().unwrap_or_default());
        }
        prop_assert!(!host.summary().contains(char::is_control));
        assert_one_line(&warnings_before(&host.brief()));
        if let Some((before, after)) = before.zip(after) {
            for own in [0.0, 3.5, -1.0, f64::NAN, f64::INFINITY] {
                assert_one_line(&warnings_between(&before, &after, own));
            }
        }
    }

    /// One odd file on a machine that is otherwise in order leaves the other facts known.
    #[test]
    fn one_odd_file(index in 0..FILES.len(), content in content()) {
        let machine = Machine::ordinary(2);
        machine.file(FILES[index], &content);
        let host = Host::read(machine.root());
        let found = findings(&host, &Tried::default());
        let known = found.iter().filter(|finding| finding.level != Level::Unknown).count();
        prop_assert!(known >= 8, "{found:?}");
    }

    #[test]
    fn any_cache_of_cmake(content in content()) {
        let machine = Machine::empty();
        machine.file("CMakeCache.txt", &content);
        let _ = program::looks_like_debug_build(&machine.root().join("bin/app"));
    }
}

/// A folder, a pipe and an endless file where a small file should be.
#[test]
fn odd_kinds_of_files() {
    let machine = Machine::ordinary(2);
    machine.folder("proc/cpuinfo").folder("sys/devices/system/cpu/smt/active");
    let pipe = machine.root().join("sys/devices/system/cpu/intel_pstate/no_turbo");
    std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let zero = machine.root().join("proc/version");
    std::os::unix::fs::symlink("/dev/zero", zero).unwrap();
    std::fs::remove_file(machine.root().join("proc/loadavg")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", machine.root().join("proc/loadavg")).unwrap();
    let host = Host::read(machine.root());
    assert_eq!((host.load, host.processor.model.as_deref()), (None, None));
}
