//! Processes of simulated machines: which belong to the tree, and sums that never decrease.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod probe_fixture;

use fathom_sys::probes::{ProcessTree, Target, process_sources};
use probe_fixture::{Opened, Proc, Watched};

const TICK: i64 = 10_000_000;

fn open(proc: &Proc, name: &str) -> Opened {
    Opened::open(&process_sources(proc.path()), name, 10)
}

/// A root 10 with a child 11, which has a child 12.
fn family() -> Proc {
    let proc = Proc::new();
    proc.process(10, 1, 100, 50, 0);
    proc.process(11, 10, 101, 30, 0);
    proc.process(12, 11, 102, 7, 0);
    proc.children(10, "11 ");
    proc.children(11, "12 ");
    proc.children(12, "");
    proc
}

#[test]
fn descendants_are_found_by_lists_of_children() {
    let proc = family();
    proc.process(99, 1, 1, 1, 1);
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    assert_eq!(watched.tree.processes(), [10, 11, 12]);
    assert_eq!(watched.tree.root(), 10);
    // The middle one ends; the last one stays, although no process of the tree is its parent.
    proc.remove("11");
    proc.children(10, "");
    proc.process(12, 1, 102, 7, 0);
    watched.look();
    assert_eq!(watched.tree.processes(), [10, 12]);
    let parents: Vec<_> = watched.tree.members().map(|member| member.parent).collect();
    assert_eq!(parents, [None, None]);
    proc.remove("10");
    proc.remove("12");
    watched.look();
    assert!(watched.tree.processes().is_empty());
}

#[test]
fn descendants_are_found_by_asking_all_where_no_children_are_listed() {
    let proc = Proc::new();
    proc.process(10, 1, 100, 50, 0);
    // Its child has the smaller number, as after numbers started again.
    proc.process(7, 12, 102, 7, 0);
    proc.process(12, 10, 101, 7, 0);
    for stranger in 100..300 {
        proc.process(stranger, 1, 5, 1, 1);
    }
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    let mut processes = watched.tree.processes().to_vec();
    processes.sort_unstable();
    assert_eq!(processes, [7, 10, 12]);
    assert_eq!(watched.tree.processes()[0], 10);
    proc.remove("12");
    watched.look();
    assert_eq!(watched.tree.processes(), [10, 7]);
}

#[test]
fn orphans_that_the_spawner_takes_on_are_of_the_tree() {
    for lists_children in [true, false] {
        let proc = Proc::new();
        proc.process(5, 1, 1, 1, 1);
        proc.process(8, 5, 90, 1, 1);
        proc.process(10, 5, 100, 50, 0);
        if lists_children {
            proc.children(5, "8 10 ");
            proc.children(8, "");
            proc.children(10, "");
        }
        let mut watched = Watched::new(ProcessTree::spawned_below(proc.path(), 10));
        // Process 8 was there before: a service.
        assert_eq!(watched.tree.processes(), [10]);
        proc.process(20, 5, 101, 1, 1);
        if lists_children {
            proc.children(5, "8 10 20 ");
            proc.children(20, "");
        }
        watched.look();
        assert_eq!(watched.tree.processes(), [10, 20], "{lists_children}");
        // A tree that is not the spawner's does not take it on.
        let other = Watched::new(ProcessTree::below(proc.path(), 10));
        assert_eq!(other.tree.processes(), [10]);
    }
}

#[test]
fn a_number_that_is_used_again_is_another_process() {
    let proc = family();
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    let serial = |watched: &Watched| watched.tree.members().nth(1).unwrap().serial;
    let first = serial(&watched);
    let mut stat = open(&proc, "process.stat");
    assert_eq!(watched.sample(&mut stat).get("utime"), 87 * TICK);
    for process in ["11", "12"] {
        proc.remove(process);
    }
    proc.process(11, 10, 500, 1, 0);
    proc.children(11, "");
    let sample = watched.sample(&mut stat);
    assert_eq!(watched.tree.processes(), [10, 11]);
    assert_ne!(serial(&watched), first);
    // Nobody waited for the two that ended.
    assert_eq!(sample.get("utime"), 88 * TICK);
}

#[test]
fn times_and_sizes_are_summed_over_the_tree() {
    let proc = family();
    proc.file("10/statm", "10 9 8 7 0 6 0\n");
    proc.file("11/statm", "1 1 1 1 0 1 0\n");
    proc.file("12/statm", "0 0 0 0 0 0 0\n");
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    let sample = watched.sample(&mut open(&proc, "process.stat"));
    assert_eq!(sample.fault, None);
    assert_eq!(sample.get("utime"), 87 * TICK);
    assert_eq!(sample.get("minflt"), 87);
    for (name, value) in [("processes", 3), ("sleeping", 3), ("running", 0), ("threads", 3)] {
        assert_eq!(sample.get(name), value, "{name}");
    }
    assert_eq!(sample.get("vsize"), 3 * 8192);
    let page = sample.get("rss") / 6;
    let sample = watched.sample(&mut open(&proc, "process.statm"));
    for (name, pages) in [("size", 11), ("resident", 10), ("shared", 9), ("text", 8), ("data", 7)] {
        assert_eq!(sample.get(name), pages * page, "{name}");
    }
}

#[test]
fn what_a_parent_waited_for_is_counted_once() {
    let proc = family();
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    let mut stat = open(&proc, "process.stat");
    assert_eq!(watched.sample(&mut stat).get("utime"), 87 * TICK);
    // 12 ends with 9 ticks and 11 waits, then 11 ends and 10 waits, all between two samples.
    proc.remove("12");
    proc.remove("11");
    proc.children(10, "");
    proc.process(10, 1, 100, 50, 30 + 9);
    let sample = watched.sample(&mut stat);
    assert_eq!(sample.get("utime"), (50 + 39) * TICK);
    assert_eq!(sample.get("processes"), 1);
}

#[test]
fn what_nobody_waited_for_is_kept() {
    let proc = family();
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    let mut stat = open(&proc, "process.stat");
    watched.sample(&mut stat);
    // 11 ends without 12, and its parent waits.
    proc.remove("11");
    proc.children(10, "");
    proc.process(10, 1, 100, 50, 30);
    proc.process(12, 1, 102, 8, 0);
    assert_eq!(watched.sample(&mut stat).get("utime"), (50 + 30 + 8) * TICK);
    // Then 12, for which another process waits; 10 waits for one that was never seen.
    proc.remove("12");
    proc.process(10, 1, 100, 50, 30 + 4);
    assert_eq!(watched.sample(&mut stat).get("utime"), (50 + 30 + 4 + 8) * TICK);
    // When all are dead there is nothing to tell.
    proc.remove("10");
    let sample = watched.sample(&mut stat);
    assert!(sample.is_missing("utime"));
    assert!(sample.fault.unwrap().why.contains("ended"));
}

#[test]
fn of_children_that_are_ignored_what_was_seen_is_kept() {
    let proc = family();
    proc.io(10, 1000);
    proc.io(11, 500);
    proc.io(12, 20);
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    let (mut stat, mut io) = (open(&proc, "process.stat"), open(&proc, "process.io"));
    watched.sample(&mut stat);
    assert_eq!(watched.sample(&mut io).get("rchar"), 1520);
    proc.remove("12");
    proc.children(11, "");
    assert_eq!(watched.sample(&mut stat).get("utime"), 87 * TICK);
    assert_eq!(watched.sample(&mut io).get("rchar"), 1520);
    // 11 is waited for: what it read is its parent's now.
    proc.remove("11");
    proc.children(10, "");
    proc.io(10, 1500);
    let sample = watched.sample(&mut io);
    assert_eq!(sample.get("rchar"), 1520);
    assert_eq!(sample.get("syscr"), 9);
}

#[test]
fn threads_that_ended_stay_counted() {
    let proc = Proc::new();
    proc.process(10, 1, 100, 50, 0);
    proc.children(10, "");
    for thread in [10, 11, 12] {
        proc.schedstat(10, thread, 100);
        proc.status(10, thread, 5);
    }
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    let mut schedstat = open(&proc, "process.schedstat");
    let mut status = open(&proc, "process.status");
    assert_eq!(watched.sample(&mut schedstat).get("run"), 300);
    let sample = watched.sample(&mut status);
    assert_eq!(sample.get("voluntary_ctxt_switches"), 15);
    assert_eq!(sample.get("vm_hwm"), 8 << 10);
    assert!(!sample.values.contains_key("rss_file"), "an old kernel has no such line");
    proc.remove("10/task/11");
    proc.schedstat(10, 13, 1);
    proc.status(10, 13, 1);
    let sample = watched.sample(&mut schedstat);
    assert_eq!((sample.get("run"), sample.get("timeslices")), (301, 12));
    assert_eq!(watched.sample(&mut status).get("voluntary_ctxt_switches"), 16);
    // A thread that ran has other switches.
    proc.schedstat(10, 13, 2);
    proc.status(10, 13, 6);
    assert_eq!(watched.sample(&mut status).get("voluntary_ctxt_switches"), 21);
    // A thread whose numbers start again, because another executed a program.
    proc.schedstat(10, 12, 40);
    assert_eq!(watched.sample(&mut schedstat).get("run"), 342);
}

#[test]
fn of_many_threads_some_are_read_each_time() {
    let proc = Proc::new();
    proc.process(10, 1, 100, 50, 0);
    proc.children(10, "");
    for thread in 10..510 {
        proc.schedstat(10, thread, 100);
    }
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    assert_eq!(watched.tree.members().next().unwrap().threads.len(), 500);
    let mut schedstat = open(&proc, "process.schedstat");
    let sample = watched.sample(&mut schedstat);
    assert_eq!(sample.get("run"), 64 * 100);
    let fault = sample.fault.unwrap().to_string();
    assert!(fault.contains("500 threads") && fault.contains("at most 64"), "{fault}");
    for samples in 2..=8 {
        let sample = watched.sample(&mut schedstat);
        assert_eq!(sample.get("run"), (samples * 64).min(500) * 100);
        assert_eq!(sample.fault, None, "it is said once");
    }
}

#[test]
fn what_cannot_be_opened_says_why() {
    let proc = family();
    for source in process_sources(proc.path()) {
        let gone = source.open(Target::Running(77)).err().unwrap().to_string();
        assert!(gone.contains("process 77 has ended"), "{gone}");
        if source.name() != "process.stat" {
            let missing = source.open(Target::Running(10)).err().unwrap().to_string();
            assert!(missing.contains("/10/") && missing.contains("built without"), "{missing}");
        }
    }
    proc.file("10/stat", "10 (x) S\n");
    let source = &process_sources(proc.path())[0];
    let odd = source.open(Target::Running(10)).err().unwrap().to_string();
    assert!(odd.contains("unexpected contents"), "{odd}");
}

#[test]
fn a_file_that_is_odd_is_complained_of_once_and_the_others_count() {
    let proc = family();
    proc.file("11/stat", "11 (x) S\n");
    let mut watched = Watched::new(ProcessTree::below(proc.path(), 10));
    // It has no start when it is found, so it is ignored; one that turns odd later is not.
    assert_eq!(watched.tree.processes(), [10]);
    proc.process(11, 10, 101, 30, 0);
    let mut stat = open(&proc, "process.stat");
    assert_eq!(watched.sample(&mut stat).get("utime"), 87 * TICK);
    proc.file("12/stat", "\n");
    let sample = watched.sample(&mut stat);
    assert!(sample.fault.as_ref().unwrap().what.ends_with("12/stat"));
    assert_eq!(sample.get("utime"), 87 * TICK);
    assert_eq!(watched.sample(&mut stat).fault, None);
}
