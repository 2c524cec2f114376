//! Where no room is left, the error says so and everything before it stays readable.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it says what it skips")]

mod trace_kit;

use fathom_formats::trace::TraceError;
use std::path::Path;
use std::process::Command;
use trace_kit::{begin, checked_rows, metrics, names, rows};

/// Set for the process that runs out of room: its folder.
const FOLDER: &str = "FATHOM_TEST_FULL_FOLDER";
/// Set to let it append rows that fit and then fill the disk before it finishes.
const AT_THE_END: &str = "FATHOM_TEST_FULL_AT_THE_END";

/// The process that runs out of room: not a test of its own.
#[test]
fn writes_until_no_room_is_left() {
    let Ok(path) = std::env::var(FOLDER) else { return };
    let path = Path::new(&path);
    let (folder, mut writer) = begin(path, "run-1.fast.parquet");
    let metrics = metrics();
    let mut saved = 0;
    if std::env::var_os(AT_THE_END).is_some() {
        for _ in 0..20 {
            writer.append(&rows(&metrics, saved, 500)).unwrap();
            saved += 500;
        }
        let filler = path.join("filler");
        let mut size = 1 << 20;
        while size > 0 {
            if std::fs::write(&filler, vec![1; size]).is_ok() {
                break;
            }
            size -= 1024;
        }
        refused(writer.finish().map(|_| ()).unwrap_err());
    } else {
        let mut count = 10;
        let error = loop {
            match writer.append(&rows(&metrics, saved, count)) {
                Ok(()) => saved += count,
                Err(error) => break error,
            }
            count += 200;
        };
        refused(error);
        // Smaller rows fit in again, and are numbered as if nothing had happened.
        if writer.append(&rows(&metrics, saved, 1)).is_ok() {
            saved += 1;
        }
    }
    assert!(names(path).iter().all(|name| !name.ends_with(".tmp")), "{:?}", names(path));
    assert_eq!(checked_rows(path, "run-1"), saved);
    assert!(folder.manifest().runs.len() == 1 && saved > 0);
    println!("room ended after {saved} rows");
}

fn refused(error: TraceError) {
    let text = error.to_string();
    assert!(error.is_full(), "{text}");
    assert!(text.contains("run-1.fast.") && text.contains("no space left to write it"), "{text}");
}

/// Runs it by a shell command in which `"$0" ARGUMENTS` is the process; `None` if the shell's first
/// steps are not permitted.
fn run(shell: &str, folder: &Path, at_the_end: bool) -> Option<String> {
    let arguments = "--exact writes_until_no_room_is_left --nocapture";
    let script = shell.replace("ARGUMENTS", arguments);
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(std::env::current_exe().unwrap()).env(FOLDER, folder);
    if at_the_end {
        command.env(AT_THE_END, "1");
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.code() == Some(77) {
        return None;
    }
    assert!(
        output.status.success() && text.contains("room ended"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(text)
}

#[test]
fn a_limit_of_the_size_of_files_is_an_error_and_no_loss() {
    let place = tempfile::tempdir().unwrap();
    // Without the trap the signal would end the process.
    let shell = r#"trap "" XFSZ; ulimit -f 24 || exit 77; exec "$0" ARGUMENTS"#;
    if run(shell, &place.path().join("trace"), false).is_none() {
        eprintln!("skipped: the shell cannot limit the size of files");
    }
}

#[test]
fn a_full_disk_is_an_error_and_no_loss() {
    let shell = r#"unshare -rm true 2>/dev/null || exit 77
        exec unshare -rm sh -c 'mount -t tmpfs -o size=256k none "$1" || exit 77; exec "$0" ARGUMENTS' "$0" "$(dirname "$FATHOM_TEST_FULL_FOLDER")""#;
    for at_the_end in [false, true] {
        let place = tempfile::tempdir().unwrap();
        if run(shell, &place.path().join("trace"), at_the_end).is_none() {
            eprintln!("skipped: no small disk can be mounted here (unshare -rm is not permitted)");
        }
    }
}
