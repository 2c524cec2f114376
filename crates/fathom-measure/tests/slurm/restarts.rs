//! The controlling process ends and another takes up its session.

use crate::cluster::{Session, all, assert_complete, slurm, states, tickets, wait_for};
use fathom_measure::experiment::Fleet;
use serde_json::Value;
use std::time::{Duration, Instant};

pub(crate) fn resume() {
    let mut session = Session::new("test {seed} -gt 1007 && sleep 3; echo x: {seed}");
    let mut fleet = session.fleet().unwrap();
    let wanted = tickets(0..8);
    fleet.start(&wanted).unwrap();
    let first = fleet.next(None, &mut |_| {}).unwrap().unwrap();
    // Handed out, but the caller had no time to keep it.
    let second = fleet.next(None, &mut |_| {}).unwrap().unwrap();
    let jobs = session.jobs();
    drop(fleet);
    let mut fleet = session.take_up(&[first.ticket.number]);
    assert_eq!(fleet.under_way().len(), 7);
    fleet.start(&wanted).unwrap();
    let mut performed = all(&mut fleet);
    assert_eq!(performed[&second.ticket.number], second);
    assert_eq!(session.jobs(), jobs);
    drop(fleet);
    // Everything ended while Fathom was not running.
    let mut fleet = session.take_up(&[]);
    performed.insert(first.ticket.number, first);
    let again = all(&mut fleet);
    assert_eq!(again, performed);
    assert_complete(&again, &wanted);
    assert_eq!(session.jobs(), jobs);
    drop(fleet);
    session.recipe.metrics.clear();
    wait_for("the lock", || {
        session.resume(&[]).unwrap_err().to_string().contains("other commands")
    });
}

fn set_job(session: &Session, job: Value) {
    let mut ledger = session.ledger();
    ledger["batches"][0]["job"] = job;
    std::fs::write(session.folder().join("slurm.json"), ledger.to_string()).unwrap();
}

/// The jobs that have the name of the session's first batch.
fn jobs_by_name(session: &Session) -> usize {
    let name = format!("--name={}1", session.ledger()["name"].as_str().unwrap());
    let text = slurm("squeue", &["--noheader", "--states=all", "--format=%F", &name]);
    text.lines().collect::<std::collections::BTreeSet<&str>>().len()
}

/// The process died after sbatch accepted the job and before that was written.
pub(crate) fn submission_found() {
    let session = Session::new("sleep 2; echo x: {seed}");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..3)).unwrap();
    let jobs = session.jobs();
    drop(fleet);
    set_job(&session, Value::Null);
    let mut fleet = session.take_up(&[]);
    assert_complete(&all(&mut fleet), &tickets(0..3));
    assert_eq!(session.jobs(), jobs);
    assert_eq!(jobs_by_name(&session), 1);
}

/// The process died before it asked sbatch.
pub(crate) fn submission_made() {
    let session = Session::new("echo x: {seed}").with_options(&["--hold"]);
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..3)).unwrap();
    let job = session.jobs()[0];
    drop(fleet);
    set_job(&session, Value::Null);
    slurm("scontrol", &["update", &format!("JobId={job}"), "JobName=another"]);
    let session = session.with_options(&[]);
    let mut fleet = session.take_up(&[]);
    assert_complete(&all(&mut fleet), &tickets(0..3));
    assert_ne!(session.jobs(), [job]);
    assert_eq!(jobs_by_name(&session), 1);
    slurm("scancel", &[&job.to_string()]);
}

pub(crate) fn after_cancel() {
    let session = Session::new("test {seed} -gt 1000 && sleep 2; echo x: {seed}");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..4)).unwrap();
    let first = fleet.next(None, &mut |_| {}).unwrap().unwrap();
    assert_eq!(first.ticket.number, 0);
    assert_eq!(fleet.cancel().unwrap(), 3);
    drop(fleet);
    let mut fleet = session.take_up(&[]);
    assert!(fleet.under_way().is_empty());
    fleet.start(&tickets(0..4)).unwrap();
    assert_complete(&all(&mut fleet), &tickets(0..4));
    assert_eq!(session.jobs().len(), 2);
}

/// The process died between writing that it cancels and cancelling.
pub(crate) fn amid_cancel() {
    let session = Session::new("sleep 60; echo x: {seed}");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..2)).unwrap();
    drop(fleet);
    let mut ledger = session.ledger();
    ledger["batches"][0]["is_cancelled"] = true.into();
    std::fs::write(session.folder().join("slurm.json"), ledger.to_string()).unwrap();
    let mut fleet = session.take_up(&[]);
    fleet.start(&tickets(2..3)).unwrap();
    let old = session.jobs()[0];
    wait_for("the old job's end", || {
        let soon = Instant::now() + Duration::from_millis(300);
        assert_eq!(fleet.next(Some(soon), &mut |_| {}).unwrap(), None);
        states(old).iter().all(|(state, _)| state == "CANCELLED" || state == "COMPLETING")
    });
    assert_eq!(fleet.cancel().unwrap(), 1);
}

pub(crate) fn lock() {
    let session = Session::new("true");
    let fleet = session.fleet().unwrap();
    let error = session.resume(&[]).unwrap_err().to_string();
    assert!(error.contains("another Fathom process"), "{error}");
    drop(fleet);
    // Commands that other tests are about to start hold the lock for a moment.
    wait_for("the lock", || {
        session.fleet().unwrap_err().to_string().contains("already contains a session")
    });
    wait_for("the lock", || session.resume(&[]).is_ok());
}
