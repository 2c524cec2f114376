//! Whole runs.

use super::*;
use crate::program::{Execution, Work, tasks};

fn configuration(seed: u64) -> Configuration {
    Configuration {
        seed,
        l2_bytes: 512 << 10,
        scheme: Scheme::Gshare,
        is_warm: false,
        dump_every: None,
    }
}

#[test]
fn a_run_follows_from_its_seed() {
    let first = run(&configuration(1), tasks(60_000));
    assert_eq!(first, run(&configuration(1), tasks(60_000)));
    let other = run(&configuration(2), tasks(60_000));
    assert_ne!(first.summary.cycles, other.summary.cycles);
    // The program is the same; only its timing differs.
    assert_eq!(first.summary.instructions, other.summary.instructions);
}

#[test]
fn every_instruction_retires_once() {
    let expected: usize = tasks(60_000).into_iter().map(|task| Execution::new(task).count()).sum();
    assert_eq!(run(&configuration(3), tasks(60_000)).summary.instructions, expected as u64);
}

#[test]
fn skipping_quiet_cycles_changes_nothing() {
    let configuration = Configuration { dump_every: Some(7_001), ..configuration(4) };
    let skipping = simulate(&configuration, tasks(60_000), true);
    assert_eq!(skipping, simulate(&configuration, tasks(60_000), false));
    assert!(skipping.dumps.len() > 3);
}

#[test]
fn dumps_add_up() {
    let whole = run(&configuration(5), tasks(60_000));
    let parts = run(&Configuration { dump_every: Some(5_000), ..configuration(5) }, tasks(60_000));
    assert_eq!(whole.summary, parts.summary);
    assert_eq!(whole.dumps.len(), 1);
    let misses = |run: &Run| run.dumps.iter().map(|dump| dump.memory.l2_misses).sum::<u64>();
    assert_eq!(misses(&whole), misses(&parts));
    let end = parts.dumps.iter().fold(0, |end, dump| {
        assert_eq!(dump.begin, end);
        dump.end
    });
    assert_eq!(end, whole.summary.cycles);
}

/// Rates of one long task, of which the other core has no part.
fn rate(work: Work, rounds: u64) -> Run {
    run(&configuration(1), vec![Task { number: 0, work, rounds }])
}

#[test]
fn without_misses_the_width_is_the_rate() {
    let run = rate(Work::Compute, 3_000);
    // Two instructions per cycle without a sprint. In a sprint there are slots for four, but each
    // round needs the one before by a chain of three multiplications and an addition: its 31
    // instructions take 3 * 3 + 1 = 10 cycles.
    let best = |sprinting: bool| {
        let rates = run.trace.intervals.iter().map(|interval| interval.ipc);
        rates.filter(|ipc| (*ipc > 2.01) == sprinting).fold(0.0, f64::max)
    };
    assert!((best(false) - 2.0).abs() < 0.01, "{}", best(false));
    // An interval may end within a round.
    assert!((best(true) - 3.1).abs() < 31.0 / 1_000.0, "{}", best(true));
}

#[test]
fn a_chain_of_loads_takes_the_latency_of_each() {
    // Longer than the ring: first misses of memory and TLB, then hits in the second level.
    let run = rate(Work::Chase, 8_192);
    let per_load = |interval: &Interval| 4.0 / interval.ipc;
    let first = per_load(&run.trace.intervals[1]);
    let last = per_load(&run.trace.intervals[run.trace.intervals.len() - 2]);
    // L1 3 + L2 12 + memory 110 to 114, and 60 for each page walk.
    assert!((125.0..195.0).contains(&first), "{first}");
    // L1 3 + L2 12 cycles; the ring has 64 pages, which the TLB holds.
    assert!((last - 15.0).abs() < 0.5, "{last}");
}

#[test]
fn events_are_in_order_and_within_the_run() {
    let run = run(&configuration(6), tasks(200_000));
    let trace = &run.trace;
    for times in [&trace.tlb_miss, &trace.error, &trace.alert] {
        assert!(!times.is_empty());
        assert!(times.is_sorted() && times.iter().all(|&time| time <= run.summary.cycles));
    }
}

#[test]
fn a_large_warm_cache_misses_only_what_is_written() {
    let large = Configuration { l2_bytes: 16 << 20, is_warm: true, ..configuration(1) };
    let misses = |configuration: &Configuration| {
        let run = run(configuration, tasks(200_000));
        run.dumps.iter().map(|dump| dump.memory.l2_misses).sum::<u64>()
    };
    // 32 kB of output in lines of 64 bytes.
    assert_eq!(misses(&large), 512);
    assert!(misses(&Configuration { is_warm: false, ..large }) > 5_000);
}

#[test]
fn history_helps_to_predict() {
    let share = |scheme| {
        let configuration = Configuration { scheme, ..configuration(1) };
        run(&configuration, tasks(200_000)).summary.misprediction_share
    };
    assert!(share(Scheme::Gshare) < 0.5 * share(Scheme::Bimodal));
}
