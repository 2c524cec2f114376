//! Commands that a shell runs, and its start-up time.

use super::harness::*;

/// What a shell adds is subtracted: by one that sleeps first, `true` takes less than that sleep.
#[test]
fn a_shells_start_up_is_subtracted() {
    use std::os::unix::fs::PermissionsExt;
    let shell = scratch("slow-shell").join("slow-shell");
    std::fs::write(&shell, "#!/bin/sh\nsleep 0.1\nexec /bin/sh \"$@\"\n").unwrap();
    std::fs::set_permissions(&shell, std::fs::Permissions::from_mode(0o755)).unwrap();
    let words = ["run", "--no-save", "--format", "json", "-r", "10", "true", "-S"];
    let found = document(&run(&[&words, &[shell.to_str().unwrap()][..]].concat()));
    let estimate = &found["subjects"][0]["estimates"][0]["value"];
    assert!(estimate.as_f64().is_some_and(|seconds| seconds < 0.1), "{estimate}");
    let (code, text) = errors(&["run", "--no-save", "-S", "no-such-shell", "true"]);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("no-such-shell"), "{text}");
}

/// A command that takes nothing is said to, also with -q, and never with a time of its own. At 95%,
/// one interval in twenty would exclude zero by chance, and the test would fail.
#[test]
fn what_cannot_be_told_from_the_shell_is_said() {
    for words in [&["-r", "40"][..], &["-r", "40", "-q"]] {
        let run_true = ["run", "--no-save", "-S", "sh", "true", "--confidence", "99.999%"];
        let output = run(&[&run_true, words].concat());
        let text = String::from_utf8_lossy(&output.stdout).replace("\n  ", " ");
        assert!(text.contains("true is too fast to separate from the shell's start-up"), "{text}");
        assert!(!text.contains("true takes"), "{text}");
    }
}
