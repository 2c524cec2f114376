//! Probes of real processes that do known things.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]
#![allow(unsafe_code, reason = "std neither forks nor maps memory")]

mod harness;
mod probe_fixture;

use fathom_sys::clock::monotonic;
use fathom_sys::probes::{ProcessTree, sources, trial};
use harness::{Case, eventually};
use probe_fixture::{Opened, Sample, open_files};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

fn main() {
    let cases: &[Case] = &[
        ("what_is_written_is_counted", writes),
        ("pages_that_are_touched_are_counted", faults),
        ("switches_of_all_threads_are_counted", switches),
        ("short_children_that_are_waited_for_are_counted_once", waited_children),
        ("children_that_are_ignored_stay_counted", ignored_children),
        ("threads_that_end_stay_counted", ending_threads),
        ("orphans_are_followed", orphans),
        ("two_thousand_threads_are_read_in_turn", two_thousand_threads),
        ("few_files_are_kept_open_where_few_may_be", few_files),
        ("a_program_that_executes_another_is_still_read", executes_another),
        ("a_program_that_ended_is_said_to_have", ended),
        ("every_source_works_here_or_says_why", every_source),
    ];
    harness::main(cases, play);
}

/// Commands that this program plays. They say "ready" and go on when there is input, or its end.
fn play(name: &str, arguments: &[String]) {
    let number = |n: usize| arguments[n].parse::<usize>().unwrap();
    match name {
        "write" => {
            let mut null = std::fs::OpenOptions::new().write(true).open("/dev/null").unwrap();
            for _ in 0..number(0) {
                null.write_all(&[0; 1000]).unwrap();
            }
            wait_for_the_end();
        }
        "touch" => {
            touch(number(0));
            wait_for_the_end();
        }
        "touch-and-end" => touch(number(0)),
        "doze-in-a-thread" => {
            let times = number(0);
            let doze = move || {
                (0..times).for_each(|_| std::thread::sleep(Duration::from_millis(1)));
                wait_for_the_end();
            };
            std::thread::spawn(doze).join().unwrap();
        }
        "wait-for-children" => {
            for _ in 0..number(0) {
                let child = [&"__play".to_string(), &"touch-and-end".to_string(), &arguments[1]];
                let status = Command::new("/proc/self/exe").args(child).status().unwrap();
                assert!(status.success());
            }
            wait_for_the_end();
        }
        "ignore-children" => {
            // SAFETY: children are forked from a process of one thread, and only touch memory.
            unsafe {
                libc::signal(libc::SIGCHLD, libc::SIG_IGN);
                for _ in 0..number(0) {
                    if libc::fork() == 0 {
                        touch(number(1));
                        // Until the first byte of the input, which each takes one of.
                        let mut byte = 0_u8;
                        libc::read(0, (&raw mut byte).cast(), 1);
                        libc::_exit(0);
                    }
                }
            }
            say_ready();
            std::thread::sleep(Duration::from_secs(60));
        }
        "threads-that-end" => {
            for _ in 0..number(0) {
                let work = || (0..200).for_each(|_| std::thread::sleep(Duration::from_micros(50)));
                std::thread::spawn(work).join().unwrap();
            }
            wait_for_the_end();
        }
        "fork-away" => {
            // Not before the tree was made, as a command that waits before its exec.
            wait_for_the_end();
            // SAFETY: as above.
            unsafe {
                if libc::fork() == 0 {
                    if libc::fork() == 0 {
                        touch(number(0));
                        wait_for_the_end();
                    }
                    libc::_exit(0);
                }
                libc::wait(std::ptr::null_mut());
            }
            wait_for_the_end();
        }
        "crowd" => {
            for _ in 0..number(0) {
                let forever = || std::thread::sleep(Duration::from_secs(120));
                std::thread::Builder::new().stack_size(16 << 10).spawn(forever).unwrap();
            }
            wait_for_the_end();
        }
        _ => panic!("{name}"),
    }
}

fn say_ready() {
    println!("ready");
    std::io::stdout().flush().unwrap();
}

fn wait_for_the_end() {
    say_ready();
    let _ = std::io::stdin().read(&mut [0]);
}

/// Touches pages that are not there yet.
fn touch(pages: usize) {
    // SAFETY: the memory is our own, of that length, and written within it.
    unsafe {
        let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap();
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let memory = libc::mmap(std::ptr::null_mut(), pages * page, access, flags, -1, 0);
        assert_ne!(memory, libc::MAP_FAILED);
        // One huge page would be one fault.
        libc::madvise(memory, pages * page, libc::MADV_NOHUGEPAGE);
        for n in 0..pages {
            memory.cast::<u8>().add(n * page).write_volatile(1);
        }
    }
}

/// A played command, ended when it is dropped.
struct Played {
    child: Child,
    input: Option<ChildStdin>,
}

impl Played {
    fn start(arguments: &[&str]) -> Played {
        let mut command = Command::new("/proc/self/exe");
        command.arg("__play").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        Played { child, input }
    }

    /// Waits until this many processes of it are ready.
    fn ready(&mut self, many: usize) {
        let mut text = vec![0; 6 * many];
        self.child.stdout.as_mut().unwrap().read_exact(&mut text).unwrap();
        assert_eq!(text, b"ready\n".repeat(many));
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    fn end(&mut self) {
        drop(self.input.take());
        self.child.wait().unwrap();
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Probes of a program that are read together, and that no counter goes back in.
struct Watch {
    tree: ProcessTree,
    probes: Vec<Opened>,
    last: BTreeMap<(usize, String), i64>,
    /// Notes and faults.
    said: Vec<String>,
}

impl Watch {
    fn new(tree: ProcessTree, names: &[&str]) -> Watch {
        let sources = sources();
        let open = |name: &&str| Opened::open(&sources, name, tree.root());
        let probes = names.iter().map(open).collect();
        Watch { tree, probes, last: BTreeMap::new(), said: Vec::new() }
    }

    fn sample(&mut self) -> Vec<Sample> {
        let now = monotonic();
        self.tree.refresh(now);
        let mut samples = Vec::new();
        for (n, probe) in self.probes.iter_mut().enumerate() {
            let sample = probe.sample(&self.tree, now);
            self.said.extend(sample.fault.as_ref().map(ToString::to_string));
            for name in probe.counters() {
                let Some(value) = sample.values[&name].integer() else { continue };
                let before = self.last.insert((n, name.clone()), value);
                assert!(before.is_none_or(|before| before <= value), "{name}: {before:?} {value}");
            }
            samples.push(sample);
        }
        samples
    }

    /// Samples until it is so, as a recorder does.
    fn until(&mut self, what: &str, is_so: impl Fn(&[Sample]) -> bool) {
        eventually(what, || {
            let samples = self.sample();
            is_so(&samples)
        });
    }
}

fn has(sample: &Sample, name: &str, least: i64) -> bool {
    sample.values[name].integer().is_some_and(|value| value >= least)
}

fn writes() {
    let mut played = Played::start(&["write", "500"]);
    played.ready(1);
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &["process.io"]);
    let sample = &watch.sample()[0];
    assert!(sample.get("wchar") >= 500_000 && sample.get("syscw") >= 500, "{:?}", sample.values);
    assert!(sample.get("wchar") < 600_000, "{:?}", sample.values);
    assert_eq!(sample.fault, None);
}

fn faults() {
    let mut played = Played::start(&["touch", "3000"]);
    let names = ["process.stat", "process.statm", "process.status", "process.smaps"];
    played.ready(1);
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &names);
    let samples = watch.sample();
    assert!(samples[0].get("minflt") >= 3000, "{:?}", samples[0].values);
    let page = i64::from(u32::try_from(page_bytes()).unwrap());
    for (sample, name) in [(0, "rss"), (1, "resident"), (2, "rss_anon"), (3, "anonymous")] {
        // The kernel counts memory per CPU and adds it up now and then.
        assert!(samples[sample].get(name) >= 2500 * page, "{name} {:?}", samples[sample].values);
    }
    assert_eq!(samples[0].get("threads"), 1);
    assert_eq!(samples[0].get("processes"), 1);
}

fn page_bytes() -> i64 {
    // SAFETY: a plain call with a number.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) }
}

fn switches() {
    let mut played = Played::start(&["doze-in-a-thread", "300"]);
    played.ready(1);
    let names = ["process.status", "process.schedstat"];
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &names);
    // The main thread only waits for the other.
    watch.until("switches", |samples| {
        has(&samples[0], "voluntary_ctxt_switches", 300) && has(&samples[1], "timeslices", 300)
    });
}

fn waited_children() {
    let mut played = Played::start(&["wait-for-children", "30", "2000"]);
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &["process.stat", "process.io"]);
    watch.until("30 children", |samples| has(&samples[0], "minflt", 60_000));
    played.ready(1);
    watch.until("the parent alone", |samples| samples[0].get("processes") == 1);
    let sample = &watch.sample()[0];
    // Now only the parent is left, so the kernel's own sum is the truth.
    let text = std::fs::read_to_string(format!("/proc/{}/stat", played.pid())).unwrap();
    let words: Vec<i64> = text
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .filter_map(|w| w.parse().ok())
        .collect();
    // The state is not a number, so "minflt" (10) and "cminflt" (11) are at 6 and 7.
    let truth = words[6] + words[7];
    let told = sample.get("minflt");
    // What was seen of a child between being waited for and being gone counted twice for a moment.
    assert!(told >= truth && told <= truth + truth / 10, "{told} {truth}");
}

fn ignored_children() {
    let mut played = Played::start(&["ignore-children", "5", "4000"]);
    played.ready(1);
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &["process.stat", "process.status"]);
    watch.until("5 children", |samples| {
        samples[0].get("processes") == 6 && has(&samples[0], "minflt", 20_000)
    });
    let before = watch.sample()[0].get("minflt");
    played.input.as_mut().unwrap().write_all(&[1; 5]).unwrap();
    watch.until("no children", |samples| samples[0].get("processes") == 1);
    let after = watch.sample()[0].get("minflt");
    assert!(after >= before && before >= 20_000, "{before} {after}");
}

fn ending_threads() {
    let mut played = Played::start(&["threads-that-end", "40"]);
    let names = ["process.schedstat", "process.status", "process.stat"];
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &names);
    // Each is seen for the most part, and stays counted.
    watch.until("switches of threads that ended", |samples| {
        has(&samples[1], "voluntary_ctxt_switches", 40)
    });
    played.ready(1);
    watch.until("one thread", |samples| samples[2].get("threads") == 1);
    assert!(watch.sample()[0].get("timeslices") > 40);
    assert_eq!(watch.said, Vec::<String>::new());
}

fn orphans() {
    // SAFETY: a plain system call with numbers. As Fathom's spawner, this process takes on orphans.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
    let mut stranger = Played::start(&["touch", "1"]);
    stranger.ready(1);
    let mut played = Played::start(&["fork-away", "5000"]);
    played.ready(1);
    let mut watch = Watch::new(ProcessTree::spawned(played.pid()), &["process.stat"]);
    played.input.as_mut().unwrap().write_all(b"1").unwrap();
    played.ready(2);
    watch.until("both", |samples| samples[0].get("processes") == 2);
    assert!(watch.sample()[0].get("minflt") >= 5000);
    assert!(!watch.tree.processes().contains(&stranger.pid()));
    // The orphan ends, and we, outside of the tree, wait for it.
    let orphan = *watch.tree.processes().last().unwrap();
    let before = watch.sample()[0].get("minflt");
    // SAFETY: plain system calls; the orphan is our child.
    unsafe {
        libc::kill(orphan.cast_signed(), libc::SIGKILL);
        libc::waitpid(orphan.cast_signed(), std::ptr::null_mut(), 0);
    }
    watch.until("one", |samples| samples[0].get("processes") == 1);
    assert!(watch.sample()[0].get("minflt") >= before);
    // SAFETY: as above.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 0) };
}

fn two_thousand_threads() {
    let mut played = Played::start(&["crowd", "2000"]);
    played.ready(1);
    let names = ["process.schedstat", "process.status", "process.stat"];
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &names);
    watch.until("all threads", |samples| {
        samples[2].get("threads") == 2001
            && has(&samples[0], "timeslices", 2001)
            && has(&samples[1], "voluntary_ctxt_switches", 2000)
    });
    assert_eq!(watch.tree.members().next().unwrap().threads.len(), 2001);
    let notes: Vec<_> = watch.said.iter().filter(|said| said.contains("threads")).collect();
    assert_eq!(notes.len(), 2, "{:?}", watch.said);
    played.end();
    watch.until("the end", |samples| samples[0].fault.is_some());
}

fn few_files() {
    let mut played = Played::start(&["crowd", "300"]);
    played.ready(1);
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid place to write to.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    let low = libc::rlimit { rlim_cur: limit.rlim_max.min(100), ..limit };
    // SAFETY: `low` is valid to read.
    unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const low) };
    let before = open_files();
    let names = ["process.schedstat", "process.status", "process.stat", "process.io"];
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &names);
    watch.until("all threads", |samples| {
        has(&samples[0], "timeslices", 301) && has(&samples[1], "voluntary_ctxt_switches", 300)
    });
    let kept = open_files() - before;
    // SAFETY: as above.
    unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
    assert!(kept <= 50, "{kept}");
    drop(watch);
    assert!(open_files() <= before);
}

fn executes_another() {
    let script = "read line; exec \"$0\" __play touch 3000";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).arg(harness::this_program());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let input = child.stdin.take();
    let mut played = Played { child, input };
    let names = ["process.stat", "process.smaps", "process.io", "process.status"];
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &names);
    watch.sample();
    played.input.as_mut().unwrap().write_all(b"go\n").unwrap();
    played.ready(1);
    let samples = watch.sample();
    assert!(samples[0].get("minflt") >= 3000);
    assert!(samples[1].get("anonymous") >= 3000 * page_bytes(), "{:?}", samples[1].values);
    assert_eq!(watch.said, Vec::<String>::new());
}

fn ended() {
    let names = [
        "process.stat",
        "process.statm",
        "process.status",
        "process.io",
        "process.schedstat",
        "process.smaps",
        "system.network",
        "system.stat",
    ];
    let mut played = Played::start(&["touch", "1"]);
    played.ready(1);
    let mut watch = Watch::new(ProcessTree::new(played.pid()), &names);
    for sample in watch.sample() {
        assert_eq!(sample.fault, None);
    }
    played.end();
    for _ in 0..3 {
        for (sample, name) in watch.sample().iter().zip(names) {
            if name.starts_with("process") {
                let fault = sample.fault.as_ref().unwrap_or_else(|| panic!("{name}"));
                assert!(fault.why.contains("ended"), "{fault}");
                assert!(fault.what.contains(&played.pid().to_string()), "{fault}");
                assert!(sample.values.values().all(|value| value.real().is_none()), "{name}");
            } else {
                assert_eq!(sample.fault, None);
                assert!(sample.values.values().any(|value| value.real().is_some()), "{name}");
            }
        }
    }
    eventually("an empty tree", || {
        watch.sample();
        watch.tree.processes().is_empty()
    });
}

fn every_source() {
    let mut names = Vec::new();
    for source in sources() {
        match trial(&*source) {
            Ok(tried) => {
                for metric in &tried.metrics {
                    assert_eq!(metric.layer, source.layer(), "{}", metric.name);
                    assert_eq!(metric.probe, source.name());
                    assert!(metric.name.starts_with(source.name()), "{}", metric.name);
                    names.push(metric.name.clone());
                }
            }
            Err(why) => assert!(!why.to_string().is_empty()),
        }
        assert!(!source.about().is_empty());
    }
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
    let family: Vec<String> = sources().iter().map(|source| source.name().to_string()).collect();
    let process = family.iter().position(|name| name == "process.stat").unwrap();
    let system = family.iter().position(|name| name == "system.stat").unwrap();
    assert!(process < system);
    // Whatever is missing on a machine, these are there.
    assert!(names.iter().any(|name| name == "process.stat.utime"), "{names:?}");
    assert!(names.iter().any(|name| name == "system.stat.user"));
}
