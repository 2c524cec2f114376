//! A `main` for tests whose own program is the spawner, and the commands that it plays.

#![allow(dead_code, reason = "no test needs all of it")]
#![allow(clippy::print_stdout, reason = "the names of the cases are to be seen")]

use fathom_sys::spawner::{ExecuteError, Finished, Order, Spawner, Wait, serve_if_asked};
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A name and what it tests.
pub(crate) type Case = (&'static str, fn());

/// Runs the cases whose name contains an argument, or all; knows enough of libtest's command line
/// for cargo and nextest.
pub(crate) fn main(cases: &[Case], play: fn(&str, &[String])) {
    serve_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("__play", rest)) = arguments.split_first().map(|(first, rest)| (&**first, rest)) {
        play(&rest[0], &rest[1..]);
        return;
    }
    if arguments.iter().any(|argument| argument == "--list") {
        if !arguments.iter().any(|argument| argument == "--ignored") {
            cases.iter().for_each(|(name, _)| println!("{name}: test"));
        }
        return;
    }
    let exact = arguments.iter().any(|argument| argument == "--exact");
    let filters: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| {
        filters.is_empty()
            || filters.iter().any(|f| if exact { name == *f } else { name.contains(f.as_str()) })
    };
    let mut failed = Vec::new();
    let mut passed = 0;
    for (name, case) in cases.iter().filter(|(name, _)| wanted(name)) {
        match catch_unwind(AssertUnwindSafe(case)) {
            Ok(()) => {
                println!("test {name} ... ok");
                passed += 1;
            }
            Err(_) => {
                println!("test {name} ... FAILED");
                failed.push(name);
            }
        }
    }
    println!("\n{passed} passed, {} failed {failed:?}", failed.len());
    std::process::exit(i32::from(!failed.is_empty()));
}

pub(crate) fn this_program() -> PathBuf {
    std::env::current_exe().unwrap()
}

pub(crate) fn spawner() -> Spawner {
    Spawner::start(Path::new("/proc/self/exe")).unwrap()
}

/// This program, playing a command.
pub(crate) fn played(arguments: &[&str]) -> Order {
    let mut all: Vec<OsString> = vec!["played".into(), "__play".into()];
    all.extend(arguments.iter().map(OsString::from));
    Order::new(this_program(), all)
}

/// A shell script.
pub(crate) fn script(text: &str) -> Order {
    Order::new("/bin/sh", vec!["sh".into(), "-c".into(), text.into()])
}

pub(crate) fn execute(spawner: &mut Spawner, order: &Order) -> Result<Finished, ExecuteError> {
    spawner.execute(order, None, &mut |_| Wait::Continue)
}

/// Waits until it is so; tests never assert how long something takes, but must end.
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(20), "not within 20 s: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process runs. One that is dead, but that nobody waited for, does not.
pub(crate) fn runs(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat.rsplit(')').next().unwrap().trim().chars().next();
        !matches!(state, Some('Z' | 'X'))
    })
}

/// A folder of the test's own, removed with what is in it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("fathom-sys-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file with these permissions.
    pub(crate) fn write(&self, name: &str, text: &str, mode: u32) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.file(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Words of a file, once it has that many.
pub(crate) fn words(file: &Path, count: usize) -> Vec<String> {
    let mut words = Vec::new();
    eventually("words in a file", || {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        words = text.split_whitespace().map(str::to_string).collect();
        words.len() >= count && text.ends_with('\n')
    });
    words
}
