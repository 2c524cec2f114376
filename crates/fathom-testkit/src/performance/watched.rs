//! A command in a process of its own: how long it takes and how much memory it holds.

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often the system is asked how much memory there was at most.
const LOOK: Duration = Duration::from_millis(2);

/// What a command printed, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Watched {
    pub(super) text: String,
    pub(super) seconds: f64,
    /// The most memory it held, in bytes, where Linux says so.
    pub(super) peak: Option<f64>,
    /// How long its first thread ran on a processor, where Linux says so: the whole time of a program
    /// with one thread on a machine without other load.
    pub(super) running: Option<f64>,
}

/// Runs it to its end.
pub(super) fn watched(command: &mut Command) -> Result<Watched, String> {
    let shown = format!("{command:?}");
    let problem = |error: std::io::Error| format!("{shown}: {error}");
    let began = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(problem)?;
    let (said, complained) = (child.stdout.take(), child.stderr.take());
    let (status, seconds, (peak, running), text, complaint) = thread::scope(|scope| {
        // Both are read as they come: a full pipe would stop it.
        let said = scope.spawn(move || all_of(said));
        let complained = scope.spawn(move || all_of(complained));
        let (mut peak, mut running) = (None, None);
        let status = loop {
            // Both only grow, so the last answers count.
            peak = peak_of(child.id()).or(peak);
            running = running_of(&child.id().to_string()).or(running);
            match child.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) => thread::sleep(LOOK),
                Err(error) => break Err(error),
            }
        };
        let seconds = began.elapsed().as_secs_f64();
        (status, seconds, (peak, running), said.join(), complained.join())
    });
    let status = status.map_err(problem)?;
    let text = text.map_err(|_| format!("{shown}: its output cannot be read"))?;
    if !status.success() {
        let complaint = complaint.unwrap_or_default();
        return Err(format!("{shown}: {status}\n{}", complaint.trim_end()));
    }
    Ok(Watched { text, seconds, peak, running })
}

fn all_of(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // What was read before an error is still worth showing.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The most memory a process has held so far, in bytes.
fn peak_of(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kibibytes)
}

/// How many seconds a thread has run on a processor so far; `thread-self` is the one that asks.
pub(super) fn running_of(thread: &str) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{thread}/schedstat")).ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<Watched, String> {
        watched(Command::new("sh").args(["-c", script]))
    }

    #[test]
    fn long_output_does_not_stop_it_and_memory_is_seen() {
        let script = "i=0; while [ $i -lt 4000 ]; do echo 'a line that fills the pipe soon'; \
                      i=$((i+1)); done; sleep 0.05";
        let found = shell(script).unwrap();
        assert_eq!(found.text.lines().count(), 4000);
        assert!(found.seconds > 0.0, "{}", found.seconds);
        if std::fs::exists("/proc/self/status").unwrap() {
            assert!(found.peak.unwrap() > 1e5, "{:?}", found.peak);
        }
    }

    #[test]
    fn a_failure_says_what_was_said() {
        let error = shell("echo no >&2; exit 3").unwrap_err();
        assert!(error.contains("exit status: 3") && error.ends_with("no"), "{error}");
    }
}
