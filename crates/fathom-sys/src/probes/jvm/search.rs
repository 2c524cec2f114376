//! Finding the files of the machines in a program.

use fathom_record::{Span, Timestamp};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A process may become a machine long after it began: a shell script that ends with `exec java`.
const OFTEN: Span = Span::from_milliseconds(20);
const SELDOM: Span = Span::from_milliseconds(250);
/// After this many looks at a process it is looked at seldom.
const LOOKS_OFTEN: u32 = 50;
/// A program of thousands of processes is not looked through at once.
const LOOKS_AT_ONCE: usize = 64;

/// Looks at the processes of a program from time to time.
#[derive(Debug)]
pub(super) struct Search {
    proc: PathBuf,
    next: Timestamp,
    looked: BTreeMap<u32, Looked>,
    folders: Vec<Folders>,
}

#[derive(Debug, Default)]
struct Looked {
    looks: u32,
    next: Timestamp,
    /// What the process may be called in file names.
    numbers: Vec<u32>,
}

/// The folders of machines in one `/tmp`; containers have their own.
#[derive(Debug)]
struct Folders {
    device: u64,
    inode: u64,
    /// `None` if that is not sure.
    unchanged_since: Option<SystemTime>,
    names: Vec<String>,
}

impl Search {
    pub(super) fn new(proc: PathBuf) -> Search {
        Search { proc, next: Timestamp::ZERO, looked: BTreeMap::new(), folders: Vec::new() }
    }

    /// The files of machines that were not known, with their processes.
    pub(super) fn look(
        &mut self,
        now: Timestamp,
        processes: &[u32],
        is_known: impl Fn(u32) -> bool,
    ) -> Vec<(u32, File)> {
        if now < self.next {
            return Vec::new();
        }
        self.next = now + OFTEN;
        let mut before = std::mem::take(&mut self.looked);
        self.looked =
            processes.iter().map(|&pid| (pid, before.remove(&pid).unwrap_or_default())).collect();
        let is_due =
            |pid: &u32| !is_known(*pid) && self.looked.get(pid).is_some_and(|one| now >= one.next);
        let mut due: Vec<u32> = processes.iter().copied().filter(is_due).collect();
        // New ones first, or they would wait for all that are not machines.
        due.sort_by_key(|pid| self.looked.get(pid).map(|one| one.looks));
        let mut found = Vec::new();
        for pid in due.into_iter().take(LOOKS_AT_ONCE) {
            let mut looked = self.looked.remove(&pid).unwrap_or_default();
            looked.looks = looked.looks.saturating_add(1);
            let wait = if looked.looks <= LOOKS_OFTEN { OFTEN } else { SELDOM };
            looked.next = now + wait;
            found.extend(self.file_of(pid, &mut looked).map(|file| (pid, file)));
            self.looked.insert(pid, looked);
        }
        found
    }

    fn file_of(&mut self, pid: u32, looked: &mut Looked) -> Option<File> {
        let process = self.proc.join(pid.to_string());
        let tmp = process.join("root/tmp");
        let folders = self.folders(&tmp)?.to_vec();
        if folders.is_empty() {
            return None;
        }
        if looked.numbers.is_empty() {
            looked.numbers = numbers(&process, pid);
        }
        let mut files = folders.iter().flat_map(|folder| {
            looked.numbers.iter().map(move |number| format!("{folder}/{number}"))
        });
        files.find_map(|name| {
            let file = open(&tmp.join(&name))?;
            // A machine that was killed leaves its file, and its number may be another's by now.
            has_mapped(&process, &name).then_some(file)
        })
    }

    /// The folders in a `/tmp`, listed again only when it changed.
    fn folders(&mut self, tmp: &Path) -> Option<&[String]> {
        let status = fs::metadata(tmp).ok()?;
        let (device, inode) = (status.dev(), status.ino());
        let is_it = |one: &Folders| (one.device, one.inode) == (device, inode);
        let place = self.folders.iter().position(is_it).unwrap_or(self.folders.len());
        let changed = status.modified().ok()?;
        if self.folders.get(place).is_none_or(|one| one.unchanged_since != Some(changed)) {
            // The time is coarse: what was changed just now may change again without a trace.
            let is_long_ago = changed.elapsed().is_ok_and(|age| age >= Duration::from_millis(100));
            let unchanged_since = is_long_ago.then_some(changed);
            let names = list(tmp);
            let folders = Folders { device, inode, unchanged_since, names };
            match self.folders.get_mut(place) {
                Some(one) => *one = folders,
                None => self.folders.push(folders),
            }
        }
        self.folders.iter().find(|one| is_it(one)).map(|one| one.names.as_slice())
    }
}

/// What HotSpot calls the folders of its users.
fn list(tmp: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(tmp) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("hsperfdata_"))
        .collect();
    names.sort_unstable();
    names
}

/// The process's number where it lives, which in a container is another one, and ours for it.
fn numbers(process: &Path, pid: u32) -> Vec<u32> {
    let status = fs::read_to_string(process.join("status")).unwrap_or_default();
    let inner = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:")?.split_whitespace().next_back()?.parse().ok());
    match inner {
        Some(inner) if inner != pid => vec![inner, pid],
        _ => vec![pid],
    }
}

/// Opens a plain file. The owner of the folder may have put anything there.
fn open(path: &Path) -> Option<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    file.metadata().ok()?.is_file().then_some(file)
}

/// Whether the process has the file in its memory.
fn has_mapped(process: &Path, name: &str) -> bool {
    let maps = fs::read(process.join("maps")).unwrap_or_default();
    let name = format!("/{name}");
    maps.split(|&byte| byte == b'\n').any(|line| line.ends_with(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// A made-up `/proc` with one `/tmp` for all processes.
    struct Made(tempfile::TempDir);

    impl Made {
        fn new() -> Made {
            let made = Made(tempfile::tempdir().unwrap());
            fs::create_dir(made.0.path().join("tmp")).unwrap();
            made
        }

        fn process(&self, pid: u32, inner: u32) {
            let folder = self.0.path().join(pid.to_string());
            fs::create_dir_all(folder.join("root")).unwrap();
            std::os::unix::fs::symlink(self.0.path().join("tmp"), folder.join("root/tmp")).unwrap();
            let status = format!("Name:\tjava\nNSpid:\t{pid}\t{inner}\nThreads:\t1\n");
            fs::write(folder.join("status"), status).unwrap();
        }

        fn file(&self, user: &str, name: u32) -> PathBuf {
            let folder = self.0.path().join("tmp").join(format!("hsperfdata_{user}"));
            fs::create_dir_all(&folder).unwrap();
            folder.join(name.to_string())
        }

        fn maps(&self, pid: u32, user: &str, name: u32) {
            let line = format!(
                "7f00-7f08 r-xp 0 fe:00 1 /usr/lib/libc.so\n\
                 7f78dffb0000-7f78dffb8000 rw-s 00000000 fe:00 10018820    \
                 /tmp/hsperfdata_{user}/{name}\n"
            );
            fs::write(self.0.path().join(pid.to_string()).join("maps"), line).unwrap();
        }

        fn search(&self) -> Search {
            Search::new(self.0.path().to_path_buf())
        }
    }

    const ZERO: Timestamp = Timestamp::ZERO;

    fn found(search: &mut Search, now: Timestamp, processes: &[u32]) -> Vec<(u32, String)> {
        let files = search.look(now, processes, |_| false).into_iter();
        let text = |mut file: File| {
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            text
        };
        files.map(|(pid, file)| (pid, text(file))).collect()
    }

    #[test]
    fn files_are_found_when_they_appear_also_in_containers() {
        let made = Made::new();
        made.process(70, 70);
        made.process(71, 1);
        let mut search = made.search();
        assert_eq!(found(&mut search, ZERO, &[70, 71]), []);
        // The folder of /tmp changes, which is seen by its time.
        fs::write(made.file("alice", 70), "first").unwrap();
        fs::write(made.file("root", 1), "second").unwrap();
        made.maps(70, "alice", 70);
        made.maps(71, "root", 1);
        assert_eq!(
            found(&mut search, Timestamp::from_nanoseconds(1), &[70, 71]),
            [],
            "it was looked just now"
        );
        let both = [(70, "first".to_string()), (71, "second".to_string())];
        assert_eq!(found(&mut search, ZERO + OFTEN, &[70, 71]), both);
        let others = search.look(ZERO + OFTEN.times(2), &[70, 71], |pid| pid == 70);
        assert_eq!(others.len(), 1, "what is known is not looked for");
    }

    #[test]
    fn a_file_that_a_dead_machine_left_is_not_its_successors() {
        let made = Made::new();
        made.process(70, 70);
        fs::write(made.file("alice", 70), "stale").unwrap();
        let mut search = made.search();
        assert_eq!(found(&mut search, ZERO, &[70]), []);
        made.maps(70, "alice", 71);
        assert_eq!(found(&mut search, ZERO + OFTEN, &[70]), []);
        made.maps(70, "alice", 70);
        assert_eq!(found(&mut search, ZERO + OFTEN.times(2), &[70]).len(), 1);
    }

    #[test]
    fn a_folder_that_may_have_changed_is_listed_again() {
        let now = SystemTime::now();
        let hour = Duration::from_secs(3600);
        for (changed, is_seen) in [(now + hour, true), (now - hour, false)] {
            let made = Made::new();
            made.process(70, 70);
            let tmp = File::open(made.0.path().join("tmp")).unwrap();
            tmp.set_modified(changed).unwrap();
            let mut search = made.search();
            assert_eq!(found(&mut search, ZERO, &[70]), []);
            fs::write(made.file("alice", 70), "first").unwrap();
            made.maps(70, "alice", 70);
            // As if it had changed within the same tick of the clock of files.
            tmp.set_modified(changed).unwrap();
            assert_eq!(found(&mut search, ZERO + OFTEN, &[70]).len(), usize::from(is_seen));
        }
    }

    #[test]
    fn links_and_folders_are_no_files() {
        let made = Made::new();
        for pid in [70, 71] {
            made.process(pid, pid);
            made.maps(pid, "alice", pid);
        }
        let elsewhere = made.0.path().join("elsewhere");
        fs::write(&elsewhere, "secret").unwrap();
        std::os::unix::fs::symlink(&elsewhere, made.file("alice", 70)).unwrap();
        fs::create_dir(made.file("alice", 71)).unwrap();
        assert_eq!(found(&mut made.search(), ZERO, &[70, 71, 72]), []);
    }

    #[test]
    fn many_processes_are_looked_through_in_turn() {
        let made = Made::new();
        let mut search = made.search();
        let processes: Vec<u32> = (1..=150).collect();
        let looks = |search: &Search| search.looked.values().map(|one| one.looks).sum::<u32>();
        found(&mut search, ZERO, &processes);
        assert_eq!(looks(&search), 64);
        found(&mut search, ZERO + OFTEN, &processes[..50]);
        assert_eq!(search.looked.len(), 50, "who is gone is forgotten");
        let mut search = made.search();
        found(&mut search, ZERO, &processes[..100]);
        found(&mut search, ZERO + OFTEN, &processes[..101]);
        assert_eq!(search.looked[&101].looks, 1, "new ones come first");
    }

    #[test]
    fn what_is_no_machine_is_looked_at_seldom() {
        let made = Made::new();
        let mut search = made.search();
        let mut now = ZERO;
        for _ in 0..200 {
            found(&mut search, now, &[1]);
            now += OFTEN;
        }
        // Fifty at 20 ms, and the other 3 seconds at 250 ms, which is 13 times 20 ms.
        assert_eq!(search.looked[&1].looks, LOOKS_OFTEN + 150_u32.div_ceil(13));
    }
}
