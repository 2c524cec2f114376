//! Several executions at a time: their order, and how they are stopped.

use crate::harness::{
    Case, all, children, eventually, fleet, once, recipe, runs, this_program, ticket,
};
use fathom_measure::experiment::{
    Fleet, FleetError, InOrder, LocalFleet, Performed, Scratch, Ticket, seed_of,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

pub(crate) const CASES: &[Case] = &[
    ("results_by_number_do_not_favour_the_fast", no_bias),
    ("tickets_beyond_the_width_wait_in_line", line),
    ("several_run_at_the_same_time", at_the_same_time),
    ("cancelling_leaves_nothing_and_the_fleet_goes_on", cancelling),
    ("dropping_leaves_nothing", dropping),
    ("what_ended_before_cancelling_is_not_lost", ended_before),
    ("a_deadline_is_kept", deadline),
    ("an_interruption_ends_it", interruption),
    ("failures_are_results_and_broken_is_an_error", broken),
    ("files_that_all_share_are_refused", shared_files),
];

fn tickets(count: u64) -> Vec<Ticket> {
    (0..count).map(ticket).collect()
}

fn ok(performed: &Performed) -> f64 {
    performed.outcome.as_ref().unwrap().scalars()["ok"].value
}

fn no_bias() {
    // The property is true of odd seeds, whose executions are fast: the others wait until four of
    // those have ended. By the order of their ends it would be true too often.
    let of = tempfile::tempdir().unwrap();
    let text = "if [ $(({seed} % 2)) = 0 ]; then \
                while [ $(ls | grep -c fast) -lt 4 ]; do sleep 0.01; done; echo ok 0; \
                else touch fast-{run}; echo ok 1; fi";
    let mut recipe = recipe(of.path(), text);
    recipe.metrics = vec!["ok=ok ([01])".to_string()];
    // Seeds that begin with three slow ones, which leave room for the fast ones.
    let begin = [0, 0, 0, 1, 1, 1, 1];
    let parities = |master| (0..7).map(move |n| seed_of(master, n) % 2);
    let master = (0..).find(|&master| parities(master).eq(begin)).unwrap();
    let ticket = |number| Ticket { number, system: 0, seed: seed_of(master, number) };
    let mut fleet = fleet(&recipe, 4);
    let mut order = InOrder::new();
    let (mut by_end, mut by_number) = (Vec::new(), Vec::new());
    let mut started = 0;
    while by_number.len() < 20 {
        // As a check does it: always as many under way as the fleet likes.
        let room = fleet.width() as u64 - (started - by_end.len() as u64);
        let more: Vec<Ticket> = (started..started + room).map(ticket).collect();
        started += room;
        fleet.start(&more).unwrap();
        let performed = fleet.next(None, &mut |_| {}).unwrap().unwrap();
        by_end.push(ok(&performed));
        assert!(order.insert(performed));
        by_number.extend(std::iter::from_fn(|| order.next_in_order()).map(|one| ok(&one)));
    }
    let expected = (0..by_number.len() as u64).map(|n| f64::from(ticket(n).seed % 2));
    assert_eq!(by_number, expected.collect::<Vec<_>>());
    // The test can tell the two apart: the first to end were all fast, and the first by number slow.
    assert_eq!((&by_end[..3], &by_number[..3]), (&[1.0; 3][..], &[0.0; 3][..]));
}

fn line() {
    let of = tempfile::tempdir().unwrap();
    // Each says how many run with it.
    let text = "mkdir busy || exit 9; sleep 0.05; rmdir busy; echo ok {run}";
    let mut recipe = recipe(of.path(), text);
    recipe.metrics = vec!["ok=ok (.*)".to_string()];
    let mut one = fleet(&recipe, 1);
    assert_eq!(one.width(), 1);
    assert!(one.next(None, &mut |_| {}).unwrap().is_none(), "nothing is under way");
    one.start(&tickets(4)).unwrap();
    let mut said = Vec::new();
    let first = one.next(None, &mut |text| said.push(text.to_string())).unwrap().unwrap();
    assert_eq!(ok(&first), 1.0);
    let known = ["1 running, 3 waiting", "0 running, 4 waiting", "1 running, 2 waiting"];
    assert!(!said.is_empty() && said.iter().all(|text| known.contains(&&**text)), "{said:?}");
    one.start(&[ticket(4)]).unwrap();
    let rest = all(&mut one);
    let runs: Vec<f64> = rest.iter().map(ok).collect();
    assert_eq!(runs, [2.0, 3.0, 4.0, 5.0], "one at a time they also end in order");
    drop(one);
    assert!(!of.path().join("scratch").exists(), "the folder of folders goes too");
}

fn at_the_same_time() {
    let of = tempfile::tempdir().unwrap();
    // None ends before all have begun.
    let text = "touch began-{run}; while [ $(ls | grep -c began) -lt 3 ]; do sleep 0.01; done";
    let mut three = fleet(&recipe(of.path(), text), 3);
    three.start(&tickets(3)).unwrap();
    let performed = all(&mut three);
    assert!(performed.iter().all(|one| one.outcome.is_ok()));
    let numbers: BTreeSet<u64> = performed.iter().map(|one| one.ticket.number).collect();
    assert_eq!(numbers, BTreeSet::from([0, 1, 2]));
}

/// Starts executions that last, and says which processes they are.
fn lasting(of: &Path, width: usize) -> (LocalFleet, Vec<String>) {
    // One that does not heed SIGTERM, with one in the background that left its group.
    let text = "trap '' TERM; setsid sleep 300 & echo $$ $! > pids-{run}; sleep 300; sleep 300";
    let mut fleet = fleet(&recipe(of, text), width);
    fleet.start(&tickets(width as u64 + 2)).unwrap();
    let mut pids = Vec::new();
    for run in 1..=width {
        let file = of.join(format!("pids-{run}"));
        eventually("its processes", || fs::read_to_string(&file).is_ok_and(|t| t.ends_with('\n')));
        let text = fs::read_to_string(&file).unwrap();
        pids.extend(text.split_whitespace().map(str::to_string));
    }
    assert!(pids.len() == 2 * width && pids.iter().all(|pid| runs(pid)), "{pids:?}");
    (fleet, pids)
}

fn assert_gone(of: &Path, pids: &[String]) {
    eventually("all are gone", || !pids.iter().any(|pid| runs(pid)));
    let folders = of.join("scratch");
    assert!(!folders.exists() || fs::read_dir(folders).unwrap().count() == 0);
}

fn cancelling() {
    let of = tempfile::tempdir().unwrap();
    let (mut fleet, pids) = lasting(of.path(), 2);
    assert_eq!(fleet.cancel(), Ok(4));
    assert_gone(of.path(), &pids);
    assert!(fleet.next(None, &mut |_| {}).unwrap().is_none());
    assert_eq!(fleet.cancel(), Ok(0));
    // The same spawners take new tickets.
    let before = children();
    fleet.start(&[ticket(7)]).unwrap();
    eventually("a new one", || of.path().join("pids-8").exists());
    assert_eq!(children(), before);
    assert_eq!(fleet.cancel(), Ok(1));
    drop(fleet);
    assert_eq!(children(), [""; 0], "no spawner is left, dead or alive");
}

fn dropping() {
    let of = tempfile::tempdir().unwrap();
    let (fleet, pids) = lasting(of.path(), 2);
    drop(fleet);
    assert_gone(of.path(), &pids);
    assert_eq!(children(), [""; 0]);
    assert!(!of.path().join("pids-3").exists(), "those in line never begin");
}

fn ended_before() {
    let of = tempfile::tempdir().unwrap();
    let text = "echo ok {run}; test {run} = 1 || sleep 300";
    let mut recipe = recipe(of.path(), text);
    recipe.metrics = vec!["ok=ok (.*)".to_string()];
    let mut fleet = fleet(&recipe, 2);
    fleet.start(&tickets(2)).unwrap();
    // Its folder goes when it was read; a moment later it is reported.
    let folder = of.path().join("scratch/run-000001");
    eventually("the second runs", || of.path().join("scratch/run-000002").exists());
    eventually("the first is done", || !folder.exists());
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(fleet.cancel(), Ok(1));
    let performed = fleet.next(None, &mut |_| {}).unwrap().unwrap();
    assert_eq!((performed.ticket, ok(&performed)), (ticket(0), 1.0));
    assert!(fleet.next(None, &mut |_| {}).unwrap().is_none());
}

fn deadline() {
    let of = tempfile::tempdir().unwrap();
    let mut fleet = fleet(&recipe(of.path(), "sleep 300"), 2);
    fleet.start(&tickets(2)).unwrap();
    let deadline = Instant::now() + Duration::from_millis(50);
    assert!(fleet.next(Some(deadline), &mut |_| {}).unwrap().is_none());
    assert!(Instant::now() >= deadline);
    assert_eq!(fleet.cancel(), Ok(2), "they were still under way");
}

/// Commands that this program plays: a check that is interrupted.
pub(crate) fn play(arguments: &[String]) {
    let [folder, ..] = arguments else { panic!("no folder") };
    let of = Path::new(folder);
    let text = "test $FATHOM_RUN = {run} || exit 9; test {run} = 1 && exit 0; \
                echo $$ > pid-{run}; sleep 300; sleep 300";
    // Shells hide that there are two variables of one name; other programs take the first.
    let mut variables = recipe(of, "");
    variables.systems[0].words = vec!["env".to_string()];
    variables.metrics = vec!["outer=^FATHOM_RUN=outer()$".to_string()];
    let performed = once(&variables, &Scratch::temporary(of.join("scratch")));
    assert!(performed.outcome.unwrap_err().how.contains("no match"));
    let mut fleet = fleet(&recipe(of, text), 3);
    fleet.start(&tickets(5)).unwrap();
    let mut numbers = Vec::new();
    let error = loop {
        match fleet.next(None, &mut |_| {}) {
            Ok(performed) => {
                let performed = performed.unwrap();
                assert!(performed.outcome.is_ok(), "{performed:?}");
                numbers.push(performed.ticket.number);
            }
            Err(error) => break error,
        }
    };
    assert_eq!(error, FleetError::Interrupted);
    assert_eq!(numbers, [0]);
    // What is started now does not begin, and it stays so.
    fleet.start(&[ticket(9)]).unwrap();
    assert!(matches!(fleet.next(None, &mut |_| {}), Err(FleetError::Interrupted)));
    assert_eq!(fleet.cancel(), Ok(0));
    drop(fleet);
    assert_eq!(children(), [""; 0]);
    fs::write(of.join("good"), "").unwrap();
}

fn interruption() {
    for signal in ["INT", "TERM"] {
        let of = tempfile::tempdir().unwrap();
        let mut command = Command::new(this_program());
        // Where a script started us with `&`, SIGINT is ignored here, but not there.
        let mut child = fathom_sys::signals::at_default(&mut command)
            .arg("__play")
            .arg(of.path())
            // As if in an execution of another check.
            .env("FATHOM_RUN", "outer")
            .spawn()
            .unwrap();
        let pids: Vec<String> = (2..5)
            .map(|run| {
                let file = of.path().join(format!("pid-{run}"));
                let read = || fs::read_to_string(&file).unwrap_or_default();
                eventually("its process", || read().ends_with('\n'));
                read().trim().to_string()
            })
            .collect();
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("/bin/sh").args(["-c", &kill]).status().unwrap().success());
        let mut end = None;
        eventually("its end", || {
            end = child.try_wait().unwrap();
            end.is_some()
        });
        assert!(end.unwrap().success());
        assert!(of.path().join("good").exists());
        assert_gone(of.path(), &pids);
        assert!(!of.path().join("pid-5").exists() && !of.path().join("pid-10").exists());
    }
}

fn broken() {
    let of = tempfile::tempdir().unwrap();
    let mut failing = fleet(&recipe(of.path(), "exit {run}"), 2);
    failing.start(&tickets(4)).unwrap();
    let performed = all(&mut failing);
    assert_eq!(performed.len(), 4);
    assert!(performed.iter().all(|one| one.outcome.is_err()));
    drop(failing);
    // The folder of folders is taken away while it runs.
    let recipe = recipe(of.path(), "exit 0");
    let scratch = Scratch::temporary(of.path().join("taken"));
    let mut fleet = LocalFleet::new(recipe.clone(), this_program(), 2, scratch).unwrap();
    fs::remove_dir(of.path().join("taken")).unwrap();
    fs::write(of.path().join("taken"), "").unwrap();
    fleet.start(&tickets(1)).unwrap();
    let error = fleet.next(None, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("cannot be created"), "{error}");
    assert_eq!(fleet.cancel(), Ok(0));
    let scratch = Scratch::temporary(of.path().join("taken"));
    assert!(LocalFleet::new(recipe.clone(), this_program(), 1, scratch).is_err());
    let scratch = Scratch::temporary(of.path().join("other"));
    let mut fleet = LocalFleet::new(recipe, Path::new("/bin/true"), 1, scratch).unwrap();
    let error = fleet.start(&tickets(1)).unwrap_err();
    assert!(error.to_string().contains("did not respond"), "{error}");
}

fn shared_files() {
    let of = tempfile::tempdir().unwrap();
    let mut recipe = recipe(of.path(), "exit 0");
    let new = |recipe: &_, width| {
        let scratch = Scratch::temporary(of.path().join("scratch"));
        LocalFleet::new(Clone::clone(recipe), this_program(), width, scratch)
    };
    recipe.files = vec!["-".to_string(), "m5out/stats.txt".to_string()];
    assert!(new(&recipe, 1).is_ok());
    let error = new(&recipe, 2).unwrap_err().to_string();
    assert!(error.starts_with("all executions write to m5out/stats.txt, so executions"), "{error}");
    assert!(error.contains("and read {dir}/stats.txt; or run one execution at a time"), "{error}");
    recipe.files = vec!["{dir}/stats.txt".to_string()];
    assert!(new(&recipe, 2).is_ok());
    recipe.metrics = vec!["x=in:out:last-number".to_string()];
    assert!(new(&recipe, 2).is_err());
}
