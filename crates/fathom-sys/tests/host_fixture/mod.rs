//! Made-up machines: the files of `/proc` and `/sys` that Fathom reads, in a folder of their own.

use fathom_sys::host::{Finding, Level};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder in place of "/".
pub(crate) struct Machine {
    root: TempDir,
}

impl Machine {
    /// Nothing can be seen.
    pub(crate) fn empty() -> Machine {
        // Thousands of small files: in memory where that is offered.
        let root = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Machine { root: root.unwrap() }
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    pub(crate) fn file(&self, path: &str, text: impl AsRef<[u8]>) -> &Machine {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn folder(&self, path: &str) -> &Machine {
        fs::create_dir_all(self.root().join(path)).unwrap();
        self
    }

    /// A file of each of some CPUs.
    pub(crate) fn cpus(&self, cpus: std::ops::Range<u32>, path: &str, text: &str) -> &Machine {
        for cpu in cpus {
            self.file(&format!("sys/devices/system/cpu/cpu{cpu}/{path}"), text);
        }
        self
    }

    /// What every ordinary kernel shows: a quiet machine with cgroups of version 2.
    pub(crate) fn ordinary(cpus: u32) -> Machine {
        let machine = Machine::empty();
        let stat: String =
            (0..cpus).map(|cpu| format!("cpu{cpu} 10 0 5 100 1 0 0 0 0 0\n")).collect();
        machine
            .file("proc/stat", format!("cpu  1000 0 500 90000 100 0 0 0 0 0\n{stat}intr 1 2\n"))
            .file("proc/loadavg", "0.08 0.10 0.09 1/512 4242\n")
            .file("proc/sys/kernel/randomize_va_space", "2\n")
            .file("proc/sys/kernel/perf_event_paranoid", "2\n")
            .file("proc/sys/kernel/osrelease", "6.8.0-45-generic\n")
            .file(
                "proc/meminfo",
                "MemTotal:       16384000 kB\nMemFree:         9000000 kB\nMemAvailable:   \
                 12000000 kB\nSwapCached:            0 kB\nSwapTotal:       2097152 kB\nSwapFree:   \
                 \u{20}    2097152 kB\n",
            )
            .file("proc/vmstat", "nr_free_pages 1\npswpin 0\npswpout 0\n")
            .file("proc/1/cgroup", "0::/init.scope\n")
            .file("proc/self/cgroup", "0::/user.slice/session-2.scope\n")
            .file("proc/self/mountinfo", "23 27 0:22 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n")
            .file("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n")
            .file("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n")
            .file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
            .file("sys/devices/system/cpu/isolated", "\n")
            .file("sys/devices/system/cpu/online", format!("0-{}\n", cpus - 1))
            .folder("sys/class/power_supply");
        for what in ["cpu", "memory", "io"] {
            machine.file(
                &format!("proc/pressure/{what}"),
                "some avg10=0.00 avg60=0.00 avg300=0.02 total=123\nfull avg10=0.00 avg60=0.00 \
                 avg300=0.00 total=0\n",
            );
        }
        machine
    }

    pub(crate) fn clock(&self, current: &str, available: &str) -> &Machine {
        let folder = "sys/devices/system/clocksource/clocksource0";
        self.file(&format!("{folder}/current_clocksource"), format!("{current}\n"))
            .file(&format!("{folder}/available_clocksource"), format!("{available} \n"))
    }

    /// cpufreq of some CPUs: governor, driver, and speeds in kHz.
    pub(crate) fn cpufreq(
        &self,
        cpus: std::ops::Range<u32>,
        governor: &str,
        driver: &str,
        [now, limit, max]: [u64; 3],
    ) -> &Machine {
        self.cpus(cpus.clone(), "cpufreq/scaling_governor", &format!("{governor}\n"))
            .cpus(cpus.clone(), "cpufreq/scaling_driver", &format!("{driver}\n"))
            .cpus(cpus.clone(), "cpufreq/scaling_cur_freq", &format!("{now}\n"))
            .cpus(cpus.clone(), "cpufreq/scaling_max_freq", &format!("{limit}\n"))
            .cpus(cpus, "cpufreq/cpuinfo_max_freq", &format!("{max}\n"))
    }

    /// `/proc/cpuinfo` of an x86.
    pub(crate) fn x86(&self, cpus: u32, model: &str, flags: &str) -> &Machine {
        let cpu =
            |cpu| format!("processor\t: {cpu}\nmodel name\t: {model}\nflags\t\t: {flags}\n\n");
        self.file("proc/cpuinfo", (0..cpus).map(cpu).collect::<String>())
    }

    pub(crate) fn dmi(&self, vendor: &str, product: &str) -> &Machine {
        self.file("sys/class/dmi/id/sys_vendor", format!("{vendor}\n"))
            .file("sys/class/dmi/id/product_name", format!("{product}\n"))
    }

    pub(crate) fn supply(&self, name: &str, files: &[(&str, &str)]) -> &Machine {
        for (file, text) in files {
            self.file(&format!("sys/class/power_supply/{name}/{file}"), format!("{text}\n"));
        }
        self
    }
}

/// One sentence each, of ordinary length.
pub(crate) fn assert_fit_to_print(finding: &Finding) {
    let remedy = finding.remedy.as_deref().unwrap_or("do it");
    for (text, longest) in [(finding.says.as_str(), 250), (&finding.why, 200), (remedy, 500)] {
        assert!(!text.is_empty() && text.chars().count() <= longest, "{finding:?}");
        assert!(!text.contains(char::is_control) && !text.ends_with('.'), "{finding:?}");
        // Commands are quoted.
        assert!(text.matches('`').count() % 2 == 0, "{finding:?}");
    }
    if finding.level == Level::Good {
        assert_eq!(finding.remedy, None, "{finding:?}");
    }
}
