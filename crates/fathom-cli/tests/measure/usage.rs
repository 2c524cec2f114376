//! Commands that fail, and command lines that are refused.

use super::harness::*;

/// Exit 4, with the name, how it ended, and what it said last.
#[test]
fn commands_that_fail() {
    let folder = scratch("failing");
    let script = folder.join("script");
    std::fs::write(&script, "#!/bin/sh\nexit 0\n").unwrap();
    let script = script.to_str().unwrap();
    let cases: [(&[&str], &[&str]); 8] = [
        (&["no-such-program x"], &["no-such-program", "PATH"]),
        (&["./no-such-program"], &["no-such-program", "spelling"]),
        (&[script], &["is not executable", "chmod +x"]),
        (&["crates"], &["crates"]),
        (
            &["-S", "sh", "echo first >&2; echo the reason >&2; exit 3"],
            &["status 3", "| the reason", "-i=3"],
        ),
        (&["-S", "sh", "kill -SEGV $$"], &["signal 11 (SIGSEGV)"]),
        (&["--timeout", "50ms", "sleep 5"], &["50ms", "--timeout"]),
        (&["-p", "exit 5", "true"], &["prepare", "status 5", "|| true"]),
    ];
    for command in ["run", "compare"] {
        for (words, wanted) in &cases {
            let mut arguments = vec![command, "--no-save"];
            arguments.extend(*words);
            if command == "compare" {
                arguments.push(words.last().unwrap());
            }
            let (code, text) = errors(&arguments);
            assert_eq!(code, Some(4), "{arguments:?}: {text}");
            for part in *wanted {
                assert!(text.contains(part), "{arguments:?}: no {part:?} in {text}");
            }
        }
    }
}

#[test]
fn what_only_a_shell_understands_is_refused_with_a_hint() {
    for command in ["ls | wc", "ls > x", "true && true", "ls *.rs", "echo $HOME", "A=1 true"] {
        let (code, text) = errors(&["run", "--no-save", command]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("-S"), "{text}");
    }
    let output = run(&["run", "--no-save", "-r", "2", "-S", "sh", "true | true && true"]);
    assert!(output.status.success());
}

#[test]
fn wrong_usage_of_run_and_compare() {
    let mut text = String::new();
    for arguments in [
        &["run"][..],
        &["run", "--no-save", "-m", "5", "-M", "3", "true"],
        &["run", "--no-save", "-L", "x", "1,2", "true"],
        &["run", "--no-save", "-P", "x", "5", "1", "true {x}"],
        &["run", "--no-save", "--precision", "0", "true"],
        &["run", "--no-save", "--max-time", "soon", "true"],
        &["run", "--no-save", "--on", "speed", "true"],
        &["run", "--no-save", "--on", "metric:x", "true"],
        &["run", "--no-save", "--metric", "x=(", "true"],
        &["run", "--no-save", "--counters=sheep", "true"],
        &["run", "--no-save", "-n", "a", "-n", "b", "true"],
        &["run", "--no-save", "-p", "true", "-p", "true", "-p", "true", "true", "true"],
        &["run", "--no-save", "-i=x", "true"],
        &["run", "--no-save", "'true"],
        &["run", "--no-save", "--save", "x", "true"],
        &["compare", "--no-save", "true"],
        &["compare", "--no-save", "--margin", "-1%", "true", "true"],
        &["compare", "--no-save", "--on", "wall-time", "--on", "user-time", "true", "true"],
        &["compare", "--files", "Cargo.toml"],
        &["compare", "--files", "no such file", "nor this"],
        &["compare", "--baseline", "nobody", "--session-dir", "no such folder", "true"],
        &["show", "--session-dir", "no such folder"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", transcript(arguments, &output));
        text += &transcript(arguments, &output);
    }
    // A folder that cannot be made is not wrong usage.
    let (code, unusable) = errors(&["run", "--session-dir", "Cargo.toml/x", "-r", "1", "true"]);
    assert_eq!(code, Some(5), "{unusable}");
    assert!(unusable.contains("cannot use Cargo.toml/x for sessions"), "{unusable}");
    // Which there are depends on the machine.
    let (code, text_of_cpu) = errors(&["run", "--no-save", "--cpu", "4096", "true"]);
    assert_eq!(code, Some(2));
    assert!(text_of_cpu.contains("CPU 4096"), "{text_of_cpu}");
    let top = top().display().to_string();
    insta::assert_snapshot!(text.replace(&top, "[TOP]"));
}
