//! What this machine is called, and what kernel it runs: `None` where that is not known.

/// The name of the machine.
#[must_use]
pub fn host_name() -> Option<String> {
    first_line("/proc/sys/kernel/hostname")
}

/// The release of the kernel, as `uname -r` prints it.
#[must_use]
pub fn kernel_release() -> Option<String> {
    first_line("/proc/sys/kernel/osrelease")
}

fn first_line(file: &str) -> Option<String> {
    let text = std::fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next().unwrap_or_default().trim();
    (!line.is_empty()).then(|| line.to_string())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn they_are_as_uname_says() {
        let uname = |option: &str| {
            let output = std::process::Command::new("uname").arg(option).output().unwrap();
            Some(String::from_utf8(output.stdout).unwrap().trim().to_string())
        };
        assert_eq!(host_name(), uname("-n"));
        assert_eq!(kernel_release(), uname("-r"));
        assert_eq!(first_line("/missing"), None);
        assert_eq!(first_line("/dev/null"), None);
    }
}
