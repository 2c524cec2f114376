//! What the clock reads, and its smallest step.

use std::time::Duration;

use super::tree::{Tree, is_plain_word};
use fathom_record::finding::{Finding, Level, Topic};

const FOLDER: &str = "/sys/devices/system/clocksource/clocksource0";

/// The kernel's time source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockSource {
    /// "tsc", "arch_sys_counter".
    pub current: Option<String>,
    /// Those it could be switched to.
    pub available: Vec<String>,
}

impl ClockSource {
    pub(crate) fn read(tree: Tree<'_>) -> ClockSource {
        let available = tree.text(&format!("{FOLDER}/available_clocksource")).unwrap_or_default();
        let words = available.split_whitespace().filter(|word| is_plain_word(word));
        ClockSource {
            current: tree.word(&format!("{FOLDER}/current_clocksource")),
            // The kernel has a handful.
            available: words.take(16).map(str::to_string).collect(),
        }
    }

    pub(crate) fn finding(&self) -> Finding {
        let topic = Topic::ClockSource;
        let Some(current) = &self.current else {
            return Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell which clock source is in use",
                "reading a slow source takes a microsecond, which is added to every time",
            );
        };
        let says = format!("the clock source is \"{current}\"");
        let (level, why) = match current.as_str() {
            "tsc"
            | "tsc-early"
            | "kvm-clock"
            | "hyperv_clocksource_tsc_page"
            | "arch_sys_counter"
            | "riscv_clocksource"
            | "timebase"
            | "tod" => {
                let why = "reading it takes some tens of nanoseconds";
                return Finding::new(topic, Level::Good, says, why);
            }
            "hpet" | "acpi_pm" | "xen" | "hyperv_clocksource_msr" => {
                (Level::Note, "reading it takes about a microsecond, which is added to every time")
            }
            "jiffies" | "refined-jiffies" | "pit" => {
                (Level::Spoils, "it counts in milliseconds, so short times are rounded away")
            }
            _ => {
                let why =
                    "Fathom does not know the resolution of this source; see the clock resolution";
                return Finding::new(topic, Level::Unknown, says, why);
            }
        };
        let finding = Finding::new(topic, level, says, why);
        if self.available.iter().any(|name| name == "tsc") {
            finding.remedy(format!(
                "`echo tsc | sudo tee {FOLDER}/current_clocksource`; undo with `echo {current} | \
                 sudo tee {FOLDER}/current_clocksource`"
            ))
        } else {
            finding.remedy(
                "run `sudo dmesg | grep -i -e tsc -e clocksource` to see why the processor's \
                 counter is not used",
            )
        }
    }
}

/// Judges the clock's smallest step, as the caller saw it.
pub(crate) fn grain_finding(grain: Option<Duration>) -> Finding {
    let topic = Topic::ClockGrain;
    let Some(grain) = grain.filter(|grain| !grain.is_zero() && *grain < Duration::from_secs(1))
    else {
        return Finding::new(
            topic,
            Level::Unknown,
            "Fathom could not determine the clock resolution",
            "smaller differences are invisible",
        );
    };
    let says = format!("the clock resolution is {grain:?}");
    // The shortest command takes some 300 us.
    let (level, why) = if grain <= Duration::from_micros(1) {
        (Level::Good, "far below the time it takes to start a command")
    } else if grain <= Duration::from_micros(50) {
        (Level::Note, "times of short commands are rounded to it")
    } else {
        (Level::Spoils, "times are rounded to it, so all short commands look the same")
    };
    let finding = Finding::new(topic, level, says, why);
    if level == Level::Good {
        finding
    } else {
        finding.remedy("check the clock source, or measure commands that take longer")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(current: &str, available: &[&str]) -> Finding {
        let available = available.iter().map(|name| (*name).to_string()).collect();
        ClockSource { current: Some(current.to_string()), available }.finding()
    }

    #[test]
    fn a_slow_source_is_exchanged_only_for_one_that_is_there() {
        assert_eq!(source("tsc", &["tsc", "hpet"]).level, Level::Good);
        let slow = source("hpet", &["tsc", "hpet"]);
        assert_eq!(slow.level, Level::Note);
        assert!(slow.remedy.unwrap().starts_with("`echo tsc | sudo tee /sys/"));
        let stuck = source("hpet", &["hpet", "acpi_pm"]);
        assert!(stuck.remedy.unwrap().starts_with("run `sudo dmesg"));
        assert_eq!(source("jiffies", &[]).level, Level::Spoils);
        assert_eq!(source("sundial", &[]).level, Level::Unknown);
    }

    #[test]
    fn grain_is_judged_by_short_commands() {
        let level = |nanos| grain_finding(Some(Duration::from_nanos(nanos))).level;
        assert_eq!(level(1), Level::Good);
        assert_eq!(level(1_001), Level::Note);
        assert_eq!(level(4_000_000), Level::Spoils);
        // Never seen to step.
        assert_eq!(level(0), Level::Unknown);
        assert_eq!(level(u64::MAX), Level::Unknown);
        assert_eq!(grain_finding(None).level, Level::Unknown);
        let says = grain_finding(Some(Duration::from_millis(4))).says;
        assert_eq!(says, "the clock resolution is 4ms");
    }
}
