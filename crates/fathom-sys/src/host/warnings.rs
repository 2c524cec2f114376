//! The short version of the findings, for `fathom run` and `fathom compare`: one line each, the
//! warning and what to do.

use super::Brief;
use super::cpu_times::CpuTimes;
use super::power::Power;
use fathom_record::{Advice, Remedy};

/// What to know before measuring. Only what is likely to affect the result: users who see a warning
/// on every machine stop reading them.
#[must_use]
pub fn warnings_before(host: &Brief) -> Vec<Advice> {
    let of_doctor = || Remedy::new("`fathom doctor` shows how to change it");
    let mut warnings = Vec::new();
    if let Some(complaint) = host.governor.complaint() {
        warnings.push(Advice::new(complaint).or(of_doctor()));
    }
    if let Some(load) = host.load.filter(|load| load.is_busy(host.processor.cpus)) {
        let (load, cpus) = (load.one_minute, host.processor.counted());
        warnings.push(
            Advice::new(format!("the machine is busy (load {load:.1} on {cpus})"))
                .or(Remedy::new("close what `top` shows"))
                .or(Remedy::new("wait")),
        );
    }
    if let Power::Battery { .. } = host.power {
        warnings.push(Advice::new("the machine runs on battery").or(Remedy::new("plug it in")));
    }
    if let Some(complaint) = host.cpu_quota.complaint() {
        let what = format!("{complaint} and stops programs that use it up");
        warnings.push(Advice::new(what).or(of_doctor()));
    }
    warnings.into_iter().map(Advice::in_two_sentences).collect()
}

/// What happened while measuring, from readings before and after. `own_cpu_seconds` is the CPU
/// time of Fathom and of the measured commands in between; they run on the same machine and are
/// not what disturbed them.
#[must_use]
pub fn warnings_between(before: &CpuTimes, after: &CpuTimes, own_cpu_seconds: f64) -> Vec<Advice> {
    let mut warnings = Vec::new();
    let Some(shares) = after.since(before) else { return warnings };
    if let Some(others) = shares.others(own_cpu_seconds).filter(|&others| others >= 0.1) {
        let percent = others * 100.0;
        let what = format!("other programs used {percent:.0}% of the CPU time while measuring");
        let remedy = Remedy::new("close what `top` shows and measure again");
        warnings.push(Advice::new(what).or(remedy));
    }
    if let Some(stolen) = shares.stolen().filter(|&stolen| stolen >= 0.02) {
        let percent = stolen * 100.0;
        let what = format!("the hypervisor took {percent:.0}% of the CPU time while measuring");
        let remedy = Remedy::new("measure longer, or on a dedicated machine");
        warnings.push(Advice::new(what).or(remedy));
    }
    // A few stops at the edge of a quota are lost in the noise.
    if let Some(throttled) = shares.throttled.map(|time| time.as_secs_f64())
        && throttled >= 0.01 * shares.seconds
    {
        let what = format!("a CPU quota stopped programs for {throttled:.2} s while measuring");
        let remedy = Remedy::new("`fathom doctor` shows how to lift it");
        warnings.push(Advice::new(what).or(remedy));
    }
    warnings.into_iter().map(Advice::in_two_sentences).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn times(busy: u64, idle: u64, steal: u64, throttled_ms: u64) -> CpuTimes {
        CpuTimes {
            cpus: 2,
            busy,
            idle,
            steal: Some(steal),
            throttled: Some(Duration::from_millis(throttled_ms)),
        }
    }

    #[test]
    fn a_quiet_measurement_gives_no_warning() {
        // Ten seconds on two CPUs, one of them ours.
        let before = times(0, 0, 0, 0);
        assert!(warnings_between(&before, &times(1_050, 950, 0, 0), 10.0).is_empty());
        assert!(warnings_between(&before, &before, 0.0).is_empty());
    }

    #[test]
    fn what_disturbed_is_named() {
        let warnings = warnings_between(&times(0, 0, 0, 0), &times(1_500, 400, 100, 1_250), 10.0);
        let said: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "other programs used 25% of the CPU time while measuring. Close what `top` shows \
                 and measure again.",
                "the hypervisor took 5% of the CPU time while measuring. Measure longer, or on a \
                 dedicated machine.",
                "a CPU quota stopped programs for 1.25 s while measuring. `fathom doctor` shows \
                 how to lift it.",
            ]
        );
    }
}
