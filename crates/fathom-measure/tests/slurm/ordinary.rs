//! What happens every day.

use crate::cluster::{Session, all, assert_complete, slurm, states, tickets, wait_for, x};
use fathom_measure::experiment::{Fleet, FleetError};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

pub(crate) fn every_ticket_has_one_result() {
    // One of them fails on its own.
    let text = "test {seed} = 1021 && { echo no >&2; exit 3; }; echo x: {seed} $SLURM_JOB_NAME";
    let session = Session::new(text).with_options(&["--comment=a b"]);
    let mut fleet = session.fleet().unwrap();
    let wanted = tickets(0..25);
    fleet.start(&wanted).unwrap();
    // 11 tasks are the most that this cluster allows in an array.
    let jobs = session.jobs();
    assert_eq!(jobs.len(), 3);
    let job = format!("--jobs={}", jobs[0]);
    assert!(slurm("squeue", &["--states=all", &job, "--format=%k"]).contains("a b"));
    let mut performed = all(&mut fleet);
    let failed = performed.remove(&3).unwrap();
    let failure = failed.outcome.unwrap_err();
    assert_eq!(
        (failure.how.as_str(), failure.said),
        ("exited with status 3", vec!["no".to_string()])
    );
    let rest: Vec<_> = wanted.into_iter().filter(|ticket| ticket.number != 3).collect();
    assert_complete(&performed, &rest);
    let hosts: BTreeSet<&str> = performed.values().map(|one| one.host.as_str()).collect();
    assert!(hosts.iter().all(|host| host.starts_with("node")), "{hosts:?}");
    assert!(fleet.losses().is_empty());
    // A result counts once, and nothing is submitted for it again.
    fleet.start(&tickets(0..25)).unwrap();
    assert_eq!(fleet.next(None, &mut |_| {}).unwrap(), None);
    assert_eq!(session.jobs(), jobs);
    assert_eq!(fleet.cancel().unwrap(), 0);
}

pub(crate) fn cancel() {
    let session = Session::new("sleep 300");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..10)).unwrap();
    fleet.start(&tickets(10..12)).unwrap();
    assert_eq!(session.jobs().len(), 2);
    assert_eq!(fleet.cancel().unwrap(), 12);
    for job in session.jobs() {
        let is_gone = |(state, _): &(String, String)| state == "CANCELLED" || state == "COMPLETING";
        assert!(states(job).iter().all(is_gone), "{:?}", states(job));
    }
    assert_eq!(fleet.next(None, &mut |_| {}).unwrap(), None);
    assert_eq!(fleet.cancel().unwrap(), 0);
}

pub(crate) fn deadline() {
    let session = Session::new("sleep 300");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..6)).unwrap();
    let job = session.jobs()[0];
    let mut first = None;
    let mut last = String::new();
    wait_for("running tasks", || {
        let soon = Some(Instant::now() + Duration::from_millis(300));
        let mut watch = |status: &str| {
            first.get_or_insert_with(|| status.to_string());
            last = status.to_string();
        };
        assert_eq!(fleet.next(soon, &mut watch).unwrap(), None);
        last.starts_with(&format!("job {job}: ")) && !last.contains(" 0 running")
    });
    assert_eq!(first, Some(format!("job {job}: 0 running, 6 waiting")));
    assert_eq!(fleet.under_way(), tickets(0..6));
    assert_eq!(fleet.cancel().unwrap(), 6);
}

pub(crate) fn refusal() {
    let mut session = Session::new("true");
    session.options.partition = Some("nowhere".parse().unwrap());
    let mut fleet = session.fleet().unwrap();
    let Err(FleetError::Broken(text)) = fleet.start(&tickets(0..2)) else { panic!("accepted") };
    assert!(text.contains("nowhere") && text.contains("--slurm-partition"), "{text}");
    assert!(session.jobs().is_empty() && fleet.under_way().is_empty());
    assert_eq!(fleet.cancel().unwrap(), 0);
    let session = Session::new("true").with_options(&["--no-such-option=1"]);
    let error = session.fleet().unwrap().start(&tickets(0..1)).unwrap_err().to_string();
    assert!(error.contains("--no-such-option") && error.contains("--slurm-option"), "{error}");
    let mut session = Session::new("true");
    session.options.memory = Some("90T".parse().unwrap());
    let error = session.fleet().unwrap().start(&tickets(0..1)).unwrap_err().to_string();
    assert!(error.contains("--slurm-memory"), "{error}");
}

pub(crate) fn missing_program() {
    let mut session = Session::new("true");
    session.program = session.top.path().join("not installed");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..3)).unwrap();
    let error = fleet.next(None, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("cannot run on node") && error.contains("not found"), "{error}");
    fleet.cancel().unwrap();
}

/// One machine has one file system, so the folder goes away while the job is held.
pub(crate) fn missing_folder() {
    let session = Session::new("echo x: {seed}").with_options(&["--hold"]);
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..1)).unwrap();
    let job = session.jobs()[0];
    std::fs::remove_dir(session.folder().join("logs")).unwrap();
    slurm("scontrol", &["release", &job.to_string()]);
    let error = fleet.next(None, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("seems not to see the session folder"), "{error}");
    fleet.cancel().unwrap();
    // The folder in which commands run.
    let mut session = Session::new("echo x: {seed}");
    session.recipe.folder = session.top.path().join("elsewhere");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..1)).unwrap();
    let error = fleet.next(None, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("elsewhere is not a folder"), "{error}");
    // Once nodes are known to see everything, it is a failure of one execution.
    std::fs::create_dir(session.top.path().join("elsewhere")).unwrap();
    fleet.start(&tickets(1..2)).unwrap();
    fleet.cancel().unwrap();
    drop(fleet);
    let mut fleet = session.take_up(&[]);
    fleet.start(&tickets(0..2)).unwrap();
    let one = fleet.next(None, &mut |_| {}).unwrap().unwrap();
    assert!(x(&one) >= 1000.0);
    wait_for("the other", || fleet.next(None, &mut |_| {}).unwrap().is_some());
    std::fs::remove_dir(session.top.path().join("elsewhere")).unwrap();
    fleet.start(&tickets(2..3)).unwrap();
    let failure = fleet.next(None, &mut |_| {}).unwrap().unwrap().outcome.unwrap_err();
    assert!(failure.hint.unwrap().contains("--exclude"), "{}", failure.how);
}
