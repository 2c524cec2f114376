//! How much memory outliers take, seen by a process that does nothing else.

use super::lognormal;
use fathom_stats::outliers::{self, Method, OutlierGrid};
use std::process::Command;

/// The command of this program that a child process answers: by how many bytes it grew.
pub const COMMAND: &str = "memory-of-outliers";

/// The bytes per value by which a process grows at its peak, the values not included.
///
/// `None` where the system does not say, which takes Linux's `/proc`.
pub(super) fn of_full_outliers(n: usize) -> Result<Option<f64>, String> {
    if peak().is_none() {
        return Ok(None);
    }
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let child = Command::new(program)
        .args([COMMAND, &n.to_string()])
        .output()
        .map_err(|error| format!("measuring memory: {error}"))?;
    let text = String::from_utf8_lossy(&child.stdout);
    let bytes: f64 = text.trim().parse().map_err(|_| {
        let said = String::from_utf8_lossy(&child.stderr);
        format!("measuring memory: {}: {text} {said}", child.status)
    })?;
    Ok(Some(bytes / n as f64))
}

/// Looks for outliers among n values and returns by how many bytes that made the process grow.
pub fn grown_by_outliers(n: usize) -> Result<f64, String> {
    let values = lognormal(n, 1.0);
    let before = peak();
    let found = std::hint::black_box(outliers::find(&values, Method::Full, OutlierGrid::Off));
    let grown = before.zip(peak()).map(|(before, after)| after - before);
    drop(found);
    grown.ok_or_else(|| "the system does not say how large a process is".to_string())
}

/// The largest resident size so far, in bytes.
pub(super) fn peak() -> Option<f64> {
    std::fs::read_to_string("/proc/self/status").ok().and_then(|text| peak_in(&text))
}

fn peak_in(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kibibytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_peak_is_in_kibibytes() {
        assert_eq!(
            super::peak_in("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 9 kB\n"),
            Some(2_097_152.0)
        );
        assert_eq!(super::peak_in("Name:\tx\n"), None);
    }
}
