//! A full disk, a limit on the size of files, a read-only folder: what was committed stays, and
//! the message says what to do.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod harness;

use fathom_record::Run;
use fathom_store::{SessionId, Store, StoreError};
use harness::{child, child_folder, fill, open, run, session};
use std::fs::{self, Permissions};
use std::io::{Write, stdout};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Output};

/// In a child: appends until it cannot, and says how that ended.
#[test]
fn child_that_appends_until_it_cannot() {
    let Some(folder) = child_folder() else { return };
    let mut store = open(&folder);
    let id = store.begin(&session(None)).unwrap();
    let mut out = stdout();
    for number in 1..100_000 {
        match store.append(id, &run(id.0, number)) {
            Ok(_) => writeln!(out, "\nkept {number}").unwrap(),
            Err(error) => {
                let full = matches!(error, StoreError::Full { .. });
                writeln!(out, "\nfull {full}: {error}").unwrap();
                return;
            }
        }
        out.flush().unwrap();
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The last number that a child acknowledged.
fn kept(output: &Output) -> u64 {
    let text = text(output);
    let last = text.lines().rev().find_map(|line| line.strip_prefix("kept "));
    last.map_or(0, |number| number.parse().unwrap())
}

fn assert_kept(folder: &Path, count: u64) {
    let store = open(folder);
    let runs = store.runs(SessionId(1)).unwrap();
    assert!(runs.len() as u64 >= count, "{} of {count}", runs.len());
    let written: Vec<Run> = (1..=runs.len() as u64).map(|number| run(1, number)).collect();
    assert_eq!(runs, written);
}

/// The child under a limit on the size of the files it writes, in kilobytes.
fn limited(folder: &Path, kilobytes: u32, before: &str) -> Output {
    let plain = child("child_that_appends_until_it_cannot", folder);
    let mut command = Command::new("bash");
    // Bash counts in units of 1024 bytes.
    command.arg("-c").arg(format!("{before} ulimit -f {kilobytes}; exec \"$0\" \"$@\""));
    command.arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap());
    }
    command.output().unwrap()
}

#[test]
fn a_limit_on_the_size_of_files_is_reported_and_loses_nothing() {
    for kilobytes in [100, 300, 1000] {
        let folder = tempfile::tempdir().unwrap();
        // The signal that comes with the limit kills unless it is ignored.
        let output = limited(folder.path(), kilobytes, "trap '' XFSZ;");
        assert!(text(&output).contains("full true: cannot write"), "{}", text(&output));
        assert!(text(&output).contains("--session-dir DIR"));
        assert!(kept(&output) > 10);
        assert_kept(folder.path(), kept(&output));

        let folder = tempfile::tempdir().unwrap();
        let output = limited(folder.path(), kilobytes, "");
        assert!(output.status.signal().is_some(), "{:?}", output.status);
        assert!(kept(&output) > 10);
        assert_kept(folder.path(), kept(&output));
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// A small file system of its own, if we may mount one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(kilobytes: u32) -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let size = format!("size={kilobytes}k");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "none"])
            .arg(folder.path())
            .output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        if !mounted {
            eprintln!("skipped: a small disk cannot be mounted here");
        }
        mounted.then_some(SmallDisk(folder))
    }

    fn remount(&self, options: &str) {
        let status = Command::new("mount")
            .args(["-o", &format!("remount,{options}")])
            .arg(self.0.path())
            .status();
        assert!(status.unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    for kilobytes in [256, 400, 1000] {
        let Some(disk) = SmallDisk::mount(kilobytes) else { return };
        let folder = disk.0.path().join("sessions");
        let output = child("child_that_appends_until_it_cannot", &folder).output().unwrap();
        assert!(text(&output).contains("full true: cannot write"), "{}", text(&output));
        let count = kept(&output);
        assert!(count > 10);
        // Still full: reading works, writing says why not.
        let store = Store::open_existing(&folder).unwrap().unwrap().store;
        assert_eq!(store.runs(SessionId(1)).unwrap().len() as u64, count);
        drop(store);
        disk.remount("size=20m");
        assert_kept(&folder, count);
        let mut store = open(&folder);
        store.claim(SessionId(1)).unwrap();
        assert_eq!(store.append(SessionId(1), &run(1, count + 1)).unwrap().0, count + 1);
    }
}

#[test]
fn a_disk_without_any_room_is_said_to_be_full() {
    let Some(disk) = SmallDisk::mount(16) else { return };
    fs::write(disk.0.path().join("ballast"), vec![1; 32 << 10]).unwrap_err();
    let error = Store::open(&disk.0.path().join("sessions")).unwrap_err();
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
}

#[test]
fn a_disk_mounted_read_only_can_be_read() {
    let Some(disk) = SmallDisk::mount(4000) else { return };
    let folder = disk.0.path().join("sessions");
    let mut store = open(&folder);
    let id = store.begin(&session(None)).unwrap();
    fill(&mut store, id, 30);
    drop(store);
    disk.remount("ro");
    let store = Store::open_existing(&folder).unwrap().unwrap().store;
    assert_eq!(store.runs(id).unwrap().len(), 30);
    let error = Store::open(&folder).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    let error = Store::open(&disk.0.path().join("other")).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
}

/// In a child without the right to write: reads, and fails to write.
#[test]
fn child_that_may_only_read() {
    let Some(folder) = child_folder() else { return };
    let mut store = Store::open_existing(&folder).unwrap().unwrap().store;
    assert_eq!(store.list().unwrap().len(), 1);
    assert_eq!(store.runs(SessionId(1)).unwrap().len(), 30);
    for refused in [store.begin(&session(None)).unwrap_err(), Store::open(&folder).unwrap_err()] {
        assert!(matches!(refused, StoreError::ReadOnly { .. }), "{refused}");
        assert!(refused.to_string().contains("sessions.db"), "{refused}");
        assert!(refused.to_string().contains("--no-save"), "{refused}");
    }
    writeln!(stdout(), "\nread it").unwrap();
}

/// In a child without the right to write: a damaged store is reported as one.
#[test]
fn child_that_may_only_read_a_damaged_store() {
    let Some(folder) = child_folder() else { return };
    let error = Store::open_existing(&folder).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("copy it"), "{error}");
    writeln!(stdout(), "\nread it").unwrap();
}

/// Runs a child as a user without write permission: root may write anything.
fn as_stranger(test: &str, folder: &Path) -> Output {
    let mut command = child(test, folder);
    if is_root() {
        command.uid(65_534).gid(65_534);
    }
    command.output().unwrap()
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Takes away the right to write.
fn seal(folder: &Path) {
    for file in fs::read_dir(folder).unwrap() {
        set_mode(&file.unwrap().path(), 0o444);
    }
    set_mode(folder, 0o555);
}

#[test]
fn a_read_only_folder_can_be_read() {
    let top = tempfile::tempdir().unwrap();
    set_mode(top.path(), 0o755);
    // A name that an address would take apart.
    let folder = top.path().join("50% of? it#");
    let mut store = open(&folder);
    let id = store.begin(&session(None)).unwrap();
    fill(&mut store, id, 30);
    // A folder copied while Fathom was at work has a log.
    let killed = top.path().join("killed");
    fs::create_dir(&killed).unwrap();
    for name in ["sessions.db", "sessions.db-wal", "sessions.db-shm", "sessions.lock"] {
        fs::copy(folder.join(name), killed.join(name)).unwrap();
    }
    drop(store);
    for folder in [&folder, &killed] {
        seal(folder);
        let before = fs::read_dir(folder).unwrap().count();
        let output = as_stranger("child_that_may_only_read", folder);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text(&output).contains("read it"), "{folder:?}: {} {errors}", text(&output));
        assert_eq!(fs::read_dir(folder).unwrap().count(), before, "{folder:?}");
        set_mode(folder, 0o755);
    }
    // Without its index the log cannot be read in place; leaving it out would lose runs.
    set_mode(&killed.join("sessions.db-shm"), 0o644);
    fs::remove_file(killed.join("sessions.db-shm")).unwrap();
    seal(&killed);
    let output = as_stranger("child_that_may_only_read", &killed);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned() + &text(&output);
    assert!(errors.contains("ReadOnlyLog"), "{errors}");
    set_mode(&killed, 0o755);
}

#[test]
fn damage_in_a_read_only_folder_is_called_damage() {
    let top = tempfile::tempdir().unwrap();
    set_mode(top.path(), 0o755);
    let folder = top.path().join("sessions");
    let mut store = open(&folder);
    store.begin(&session(None)).unwrap();
    drop(store);
    let path = folder.join("sessions.db");
    let mut bytes = fs::read(&path).unwrap();
    bytes[4096..].fill(3);
    fs::write(&path, bytes).unwrap();
    seal(&folder);
    let output = as_stranger("child_that_may_only_read_a_damaged_store", &folder);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text(&output).contains("read it"), "{} {errors}", text(&output));
    set_mode(&folder, 0o755);
}

#[test]
fn a_file_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"x").unwrap();
    let error = Store::open(&file).unwrap_err().to_string();
    assert!(error.contains(&file.display().to_string()), "{error}");
    assert!(error.contains("--session-dir"), "{error}");
    assert!(Store::open_existing(&file.join("deeper")).is_err());
}
