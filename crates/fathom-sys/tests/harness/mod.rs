//! A `main` for tests whose own program is the spawner, and the commands that it plays.

#![allow(dead_code, reason = "no test needs all of it")]
#![allow(clippy::print_stdout, reason = "the names of the cases are to be seen")]

use fathom_sys::spawner::{ExecuteError, Finished, Order, Spawner, Wait, serve_if_asked};
pub(crate) use fathom_testkit::cases::{self, Case};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs the cases that were asked for, unless the program plays a command.
pub(crate) fn main(all: &[Case], play: fn(&str, &[String])) {
    serve_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("__play", rest)) = arguments.split_first().map(|(first, rest)| (&**first, rest)) {
        play(&rest[0], &rest[1..]);
        return;
    }
    cases::run(all, &arguments);
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

/// Whether a process runs. A zombie does not.
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
