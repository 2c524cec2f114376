//! What goes wrong on clusters.

use crate::cluster::{
    Session, all, assert_complete, cluster, slurm, states, tickets, wait_for, wait_for_running, x,
};
use fathom_measure::experiment::Fleet;
use std::path::Path;
use std::time::{Duration, Instant};

fn count_files(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

pub(crate) fn cancelled_by_others() {
    let session = Session::new("test {seed} = 1007 && sleep 300; echo x: {seed}");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..3)).unwrap();
    let job = session.jobs()[0];
    wait_for("the task", || {
        let task = format!("--jobs={job}_1");
        slurm("squeue", &["--noheader", "--states=all", &task, "--format=%T"]).trim() == "RUNNING"
    });
    slurm("scancel", &[&format!("{job}_1")]);
    let mut performed = all(&mut fleet);
    let failure = performed.remove(&1).unwrap().outcome.unwrap_err();
    assert_eq!(failure.how, "was cancelled in Slurm, but not by Fathom");
    assert_eq!((x(&performed[&0]), x(&performed[&2])), (1000.0, 1014.0));
    assert!(fleet.losses().is_empty(), "{:?}", fleet.losses());
    // It stays a failure after a resume.
    drop(fleet);
    assert_eq!(all(&mut session.take_up(&[0, 2]))[&1].outcome, Err(failure));
}

/// Of such a task Slurm keeps no record.
pub(crate) fn cancelled_while_waiting() {
    let session = Session::new("echo x: {seed}").with_options(&["--hold"]);
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..3)).unwrap();
    let job = session.jobs()[0];
    let mut status = String::new();
    wait_for("a look at the queue", || {
        let soon = Some(Instant::now() + Duration::from_millis(300));
        assert_eq!(fleet.next(soon, &mut |text| status = text.to_string()).unwrap(), None);
        status.contains("JobHeldUser")
    });
    slurm("scancel", &[&format!("{job}_1")]);
    wait_for("its end", || states(job).len() == 2);
    slurm("scontrol", &["release", &job.to_string()]);
    let mut performed = all(&mut fleet);
    let failure = performed.remove(&1).unwrap().outcome.unwrap_err();
    assert_eq!(failure.how, "was cancelled in Slurm, but not by Fathom");
    assert_eq!((x(&performed[&0]), x(&performed[&2])), (1000.0, 1014.0));
    assert_eq!(session.jobs(), [job]);
}

pub(crate) fn preempted() {
    let session = Session::new("sleep 2; echo x: {seed}").with_options(&["--nodelist=node4"]);
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..2)).unwrap();
    wait_for_running(session.jobs()[0], 2);
    let urgent = [
        "--partition=urgent",
        "--exclusive",
        "--nodelist=node4",
        "--output=/dev/null",
        "--parsable",
        "--wrap=sleep 1",
    ];
    slurm("sbatch", &urgent);
    assert_complete(&all(&mut fleet), &tickets(0..2));
    assert_eq!(fleet.losses().len(), 2);
    assert!(fleet.losses()[0].why.contains("preempted node4"), "{:?}", fleet.losses());
    assert_eq!(fleet.losses()[0].attempt, 1);
}

pub(crate) fn requeued() {
    // Only the first turn is slow: it must not end before it is interrupted.
    let text = "test -e began-{seed} || { touch began-{seed}; sleep 8; }; echo x: {seed}";
    let session = Session::new(text).with_options(&["--requeue"]);
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..2)).unwrap();
    let job = session.jobs()[0];
    // Slurm calls a task running before its program has started. One that is interrupted so early
    // says nothing in its log.
    let began = session.top.path().join("began-1000");
    wait_for("the first turn's beginning", || began.exists());
    let task = format!("{job}_0");
    slurm("scontrol", &["requeue", &task]);
    let log = session.folder().join("logs/1-0.log");
    wait_for("the first turn's end", || {
        std::fs::read_to_string(&log).is_ok_and(|text| text.contains("interrupted"))
    });
    // Slurm would let it wait for two minutes, and if it starts it too early it fails to.
    std::thread::sleep(Duration::from_secs(1));
    wait_for("a second turn", || states(job).iter().any(|(state, _)| state == "PENDING"));
    slurm("scontrol", &["update", &format!("JobId={task}"), "StartTime=now"]);
    assert_complete(&all(&mut fleet), &tickets(0..2));
    assert!(fleet.losses().is_empty(), "{:?}", fleet.losses());
    assert_eq!(session.jobs(), [job]);
}

pub(crate) fn controller_restarts() {
    let session = Session::new("sleep 3; echo x: {seed}");
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..2)).unwrap();
    wait_for_running(session.jobs()[0], 2);
    cluster("stop-controller", &[]);
    // Submitted into the void: it is kept until the controller is back.
    fleet.start(&tickets(2..4)).unwrap();
    let mut first = std::collections::BTreeMap::new();
    for _ in 0..2 {
        let one = fleet.next(None, &mut |_| {}).unwrap().unwrap();
        first.insert(one.ticket.number, one);
    }
    assert_complete(&first, &tickets(0..2));
    let mut has_told = false;
    wait_for("a word about it", || {
        let soon = Some(Instant::now() + Duration::from_millis(300));
        let mut watch = |status: &str| has_told |= status.starts_with("Slurm does not answer");
        assert_eq!(fleet.next(soon, &mut watch).unwrap(), None);
        has_told
    });
    cluster("start-controller", &[]);
    assert_complete(&all(&mut fleet), &tickets(2..4));
    assert!(fleet.losses().is_empty());
    assert_eq!(session.jobs().len(), 2);
}

pub(crate) fn node_killed() {
    // Only the first attempt is slow.
    let text = "test -e began-{seed} || { touch began-{seed}; sleep 10; }; echo x: {seed}";
    let session = Session::new(text).with_options(&["--exclude=node2,node4"]);
    let mut fleet = session.fleet().unwrap();
    let wanted = tickets(0..8);
    fleet.start(&wanted).unwrap();
    let job = session.jobs()[0];
    wait_for("tasks on node1", || {
        states(job).contains(&("RUNNING".to_string(), "node1".to_string()))
    });
    cluster("kill-node", &["node1"]);
    let performed = all(&mut fleet);
    assert_complete(&performed, &wanted);
    assert!(!fleet.losses().is_empty());
    let is_explained = |why: &str| why == "node1 failed";
    assert!(fleet.losses().iter().all(|loss| is_explained(&loss.why)), "{:?}", fleet.losses());
    for loss in fleet.losses() {
        assert_eq!(performed[&loss.ticket.number].host, "node3");
    }
    cluster("start-node", &["node1"]);
    assert_eq!(count_files(&session.folder().join("results")), 8);
}

/// The node is out of reach, but what it does goes on, and its result arrives.
pub(crate) fn node_frozen() {
    let session = Session::new("echo >> attempt-{seed}; sleep 20; echo x: {seed}")
        .with_options(&["--exclude=node1,node3,node4"]);
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..1)).unwrap();
    let job = session.jobs()[0];
    wait_for_running(job, 1);
    wait_for("the execution", || session.top.path().join("attempt-1000").exists());
    // Its next attempt may run elsewhere.
    let session = session.with_options(&["--exclude=node1,node2,node4"]);
    drop(fleet);
    let mut fleet = session.take_up(&[]);
    cluster("freeze-node", &["node2"]);
    let performed = all(&mut fleet);
    assert_complete(&performed, &tickets(0..1));
    assert_eq!(fleet.losses().len(), 1, "{:?}", fleet.losses());
    // It began twice, and the first to end was the one that was thought lost.
    let began = std::fs::read_to_string(session.top.path().join("attempt-1000")).unwrap();
    assert_eq!((began.lines().count(), performed[&0].host.as_str()), (2, "node2"));
    fleet.cancel().unwrap();
    cluster("kill-node", &["node2"]);
    cluster("start-node", &["node2"]);
    assert_eq!(count_files(&session.folder().join("results")), 1);
}

/// Each attempt is ended as by a node that shuts down.
pub(crate) fn lost_too_often() {
    // What started the command is a child of the task.
    let text = "echo >> attempts; kill -TERM $(cut -d' ' -f4 /proc/$PPID/stat); sleep 300";
    let mut session = Session::new(text);
    session.pace.retries = 2;
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..1)).unwrap();
    let failure = all(&mut fleet).remove(&0).unwrap().outcome.unwrap_err();
    assert!(failure.how.starts_with("was lost 3 times"), "{}", failure.how);
    assert_eq!((fleet.losses().len(), session.jobs().len()), (2, 3));
    let attempts = std::fs::read_to_string(session.top.path().join("attempts")).unwrap();
    assert_eq!(attempts.lines().count(), 3);
}

pub(crate) fn time_limit() {
    // On the node that no test loses.
    let mut session = Session::new("sleep 300; echo x: {seed}").with_options(&["--nodelist=node3"]);
    session.options.time = Some("1".parse().unwrap());
    session.options.memory = Some("100M".parse().unwrap());
    let mut fleet = session.fleet().unwrap();
    fleet.start(&tickets(0..1)).unwrap();
    let job = session.jobs()[0];
    wait_for_running(job, 1);
    // A limit is a minute at least, which is too long for a test.
    slurm("scontrol", &["update", &format!("JobId={job}"), "EndTime=now+1"]);
    let failure = all(&mut fleet).remove(&0).unwrap().outcome.unwrap_err();
    assert!(failure.how.starts_with("exceeded its job's time limit on node"));
    assert!(failure.hint.unwrap().contains("--slurm-time"));
    assert_eq!(session.jobs().len(), 1);
}
