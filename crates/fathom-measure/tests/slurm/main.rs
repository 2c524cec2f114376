//! Executions on a real Slurm: `scripts/slurm-loopback run cargo test -p fathom-measure --test slurm`.
//!
//! The program is its own worker: jobs execute it as `slurm perform-execution FOLDER BATCH INDEX`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test's output is for people")]

mod cluster;
mod faults;
mod ordinary;
mod restarts;

use fathom_measure::Local;
use fathom_measure::slurm::perform_task;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

type Test = (&'static str, fn());

/// Side by side, each with jobs of its own.
const TOGETHER: &[Test] = &[
    ("a_batch_is_split_and_every_ticket_has_one_result", ordinary::every_ticket_has_one_result),
    ("what_is_no_longer_needed_is_cancelled", ordinary::cancel),
    ("the_deadline_ends_waiting", ordinary::deadline),
    ("a_refused_job_says_which_option_to_change", ordinary::refusal),
    ("a_program_that_nodes_do_not_have", ordinary::missing_program),
    ("a_folder_that_nodes_do_not_see", ordinary::missing_folder),
    ("a_new_process_takes_up_what_runs_and_what_ended", restarts::resume),
    ("a_submission_without_a_noted_job_is_found_again", restarts::submission_found),
    ("a_submission_that_never_happened_is_made", restarts::submission_made),
    ("a_cancelled_session_goes_on_with_new_jobs", restarts::after_cancel),
    ("a_process_that_died_while_cancelling", restarts::amid_cancel),
    ("two_processes_cannot_share_a_session", restarts::lock),
    ("a_task_cancelled_by_others_is_a_failure", faults::cancelled_by_others),
    ("a_waiting_task_cancelled_by_others_is_a_failure", faults::cancelled_while_waiting),
    ("a_task_that_slurm_requeues_is_waited_for", faults::requeued),
    ("an_execution_that_is_lost_too_often_is_a_failure", faults::lost_too_often),
];

/// They take nodes away, but not the same.
const LOSING_NODES: &[Test] = &[
    ("a_killed_node_loses_nothing", faults::node_killed),
    ("a_task_that_was_thought_lost_counts_once", faults::node_frozen),
    ("a_preempted_task_is_tried_again", faults::preempted),
];

/// Separate from those: Slurm checks time limits only twice a minute.
const SLOW: &[Test] = &[("a_time_limit_of_slurm_is_a_failure", faults::time_limit)];

const LOSING_THE_CONTROLLER: &[Test] =
    &[("a_controller_that_restarts_loses_nothing", faults::controller_restarts)];

fn main() -> ExitCode {
    fathom_sys::spawner::serve_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, folder, batch, index] = arguments.as_slice()
        && word == "perform-execution"
    {
        return work(Path::new(folder), batch.parse().unwrap(), index.parse().unwrap());
    }
    if arguments.iter().any(|word| word == "--list") {
        return ExitCode::SUCCESS;
    }
    if std::env::var_os("FATHOM_SLURM").is_none() {
        eprintln!(
            "\nSKIPPED: all {} tests of Slurm, because FATHOM_SLURM names no cluster; run\n  \
             scripts/slurm-loopback run cargo test -p fathom-measure --test slurm\n",
            [TOGETHER, LOSING_NODES, SLOW, LOSING_THE_CONTROLLER].concat().len()
        );
        return ExitCode::SUCCESS;
    }
    let filters: Vec<&String> = arguments.iter().filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| filters.is_empty() || filters.iter().any(|f| name.contains(*f));
    let run = |group: &[Test]| {
        thread::scope(|scope| {
            let wanted = group.iter().filter(|(name, _)| is_wanted(name));
            let threads: Vec<_> =
                wanted.map(|(name, test)| scope.spawn(|| has_passed(name, *test))).collect();
            // All of them, not only until one failed.
            let passed = threads.into_iter().map(|one| one.join().unwrap()).collect::<Vec<bool>>();
            passed.into_iter().all(|has_passed| has_passed)
        })
    };
    let is_well = thread::scope(|scope| {
        let slow = scope.spawn(|| run(SLOW));
        let rest = [run(TOGETHER), run(LOSING_NODES)];
        slow.join().unwrap() && rest == [true, true]
    });
    let is_well = run(LOSING_THE_CONTROLLER) && is_well;
    if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn has_passed(name: &str, test: fn()) -> bool {
    let began = Instant::now();
    let is_ok = std::panic::catch_unwind(test).is_ok();
    let word = if is_ok { "ok" } else { "FAILED" };
    println!("test {name} ... {word} ({:.1} s)", began.elapsed().as_secs_f64());
    is_ok
}

/// What a node does.
fn work(folder: &Path, batch: u32, index: usize) -> ExitCode {
    let program = std::env::current_exe().unwrap();
    match perform_task(folder, batch, index, |folder| Local::start(&program, folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(error.exit_status())
        }
    }
}
