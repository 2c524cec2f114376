//! What a command cost is what it cost, and only that.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one has its own main"
)]
#![allow(unsafe_code, reason = "std cannot tell the processor time of a process")]

mod harness;

use fathom_record::{Ending, Span};
use fathom_sys::affinity;
use fathom_sys::counters::{self, CounterName};
use fathom_sys::spawner::{Spawner, Stream};
use harness::{Case, execute, played, script, spawner};
use std::hint::black_box;
use std::time::Duration;

const MB: u64 = 1024 * 1024;

fn main() {
    let cases: &[Case] = &[
        ("a_small_command_of_a_big_process_stays_small", small_stays_small),
        ("the_floor_is_low_and_holds", floor),
        ("a_command_that_holds_50_mb_reads_50_mb", fifty_megabytes),
        ("memory_of_one_command_is_not_the_next_ones", memory_is_not_inherited),
        ("processor_time_is_counted", processor_time),
        ("processor_time_of_children_is_counted", processor_time_of_children),
        ("page_faults_are_the_commands_own", page_faults),
        ("waiting_is_wall_time_only", waiting),
        ("switches_are_counted", switches),
        ("pinning", pinning),
        ("software_counters_count", software_counters),
        ("unavailable_counters_say_why_and_read_none", unavailable_counters),
        ("what_happens_before_exec_is_not_counted", before_exec),
        ("counters_see_descendants", counters_see_descendants),
    ];
    harness::main(cases, play);
}

/// Commands that this program plays.
fn play(name: &str, arguments: &[String]) {
    match name {
        "nothing" => {}
        "hold" => {
            let megabytes: u64 = arguments[0].parse().unwrap();
            black_box(filled(megabytes * MB));
        }
        "busy" => {
            let wanted: u64 = arguments[0].parse().unwrap();
            let mut x = 1_u64;
            while own_cpu_ms() < wanted {
                for _ in 0..10_000 {
                    x = black_box(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
                }
            }
        }
        "doze" => {
            for _ in 0..100 {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        _ => panic!("unknown play {name}"),
    }
}

/// However busy the machine is, this is what the command really had.
fn own_cpu_ms() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place to write to.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    u64::try_from(time.tv_sec * 1000 + time.tv_nsec / 1_000_000).unwrap()
}

/// Every page of it is really there.
fn filled(bytes: u64) -> Vec<u8> {
    let mut memory = vec![0; usize::try_from(bytes).unwrap()];
    memory.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    memory
}

fn peak(spawner: &mut Spawner, arguments: &[&str]) -> u64 {
    execute(spawner, &played(arguments)).unwrap().usage.peak_memory
}

fn small_stays_small() {
    let memory = black_box(filled(200 * MB));
    let mut spawner = spawner();
    let small = peak(&mut spawner, &["nothing"]);
    assert!(small > 0 && small < 20 * MB, "{small}");
    drop(memory);
}

fn floor() {
    let spawner = spawner();
    let floor = spawner.peak_memory_floor();
    println!("floor under peak memory: {} KiB", floor / 1024);
    assert!(floor > 0 && floor < 4 * MB, "{floor}");
    // Even when much was held before it was started.
    let memory = black_box(filled(100 * MB));
    let again = harness::spawner().peak_memory_floor();
    assert!(again < 4 * MB, "{again}");
    drop(memory);
}

fn fifty_megabytes() {
    let mut spawner = spawner();
    let base = peak(&mut spawner, &["nothing"]);
    let held = peak(&mut spawner, &["hold", "50"]) - base;
    // The kernel counts per CPU and adds up now and then, so it is not exact to the page.
    assert!((48 * MB..=53 * MB).contains(&held), "{held}");
}

fn memory_is_not_inherited() {
    let mut spawner = spawner();
    peak(&mut spawner, &["hold", "100"]);
    let mut order = played(&["nothing"]);
    order.environment = vec![("LARGE".into(), "x".repeat(100_000).into()); 10];
    execute(&mut spawner, &order).unwrap();
    let small = peak(&mut spawner, &["nothing"]);
    assert!(small < 20 * MB, "{small}");
}

fn processor_time() {
    let mut spawner = spawner();
    let usage = execute(&mut spawner, &played(&["busy", "200"])).unwrap().usage;
    let cpu = usage.user + usage.system;
    // The clock of the process began at its fork, so a little of the 200 ms is not the command's.
    assert!(cpu > Span::from_milliseconds(150), "{usage:?}");
    assert!(usage.user > usage.system, "{usage:?}");
    // One thread cannot use more than there was; ticks and microseconds are rounded.
    assert!(cpu <= usage.wall + Span::from_milliseconds(1), "{usage:?}");
}

fn processor_time_of_children() {
    let mut spawner = spawner();
    let program = harness::this_program();
    let mut order = script("\"$PROGRAM\" __play busy 200; :");
    order.environment.push(("PROGRAM".into(), program.into()));
    let usage = execute(&mut spawner, &order).unwrap().usage;
    assert!(usage.user > Span::from_milliseconds(100), "{usage:?}");
}

fn page_faults() {
    let mut spawner = spawner();
    let mut faults =
        |arguments: &[&str]| execute(&mut spawner, &played(arguments)).unwrap().usage.minor_faults;
    let base = faults(&["nothing"]);
    let held = faults(&["hold", "16"]);
    assert!(base > 0);
    // Pages may come in larger pieces where the system is set to use huge ones.
    assert!(held > base && held <= base + 4096 + 200, "{base} {held}");
}

fn waiting() {
    let mut spawner = spawner();
    let usage = execute(&mut spawner, &script("exec sleep 0.3")).unwrap().usage;
    assert!(usage.wall >= Span::from_milliseconds(300), "{usage:?}");
    assert!(usage.user + usage.system < usage.wall.divided_by(2), "{usage:?}");
}

fn switches() {
    let mut spawner = spawner();
    let usage = execute(&mut spawner, &played(&["doze"])).unwrap().usage;
    assert!(usage.voluntary_switches >= 100, "{usage:?}");
}

fn pinning() {
    let mut spawner = spawner();
    let allowed = affinity::allowed().unwrap();
    for cpu in allowed.iter().copied().take(4) {
        let mut order = script("grep Cpus_allowed_list /proc/self/status");
        order.cpu = Some(cpu);
        order.output = Stream::Capture;
        let text = String::from_utf8(execute(&mut spawner, &order).unwrap().stdout).unwrap();
        assert_eq!(text.trim(), format!("Cpus_allowed_list:\t{cpu}"));
    }
    // Neither we nor the server are pinned by that.
    assert_eq!(affinity::allowed().unwrap(), allowed);
    let status = |pid: &str| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        status.lines().find(|line| line.starts_with("Cpus_allowed:")).unwrap().to_string()
    };
    assert_eq!(status(&spawner.pid().to_string()), status("self"));
}

/// The value of each counter for a command, if this machine has it.
fn count(names: &[CounterName], arguments: &[&str]) -> Vec<(CounterName, Option<f64>)> {
    let mut order = played(arguments);
    order.counters = names.to_vec();
    let finished = execute(&mut spawner(), &order).unwrap();
    assert_eq!(finished.ending, Ending::Exited(0));
    assert_eq!(finished.counters.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    finished.counters
}

fn software_counters() {
    let names = [CounterName::PageFaults, CounterName::TaskClock];
    let few = count(&names, &["nothing"]);
    let many = count(&names, &["hold", "16"]);
    let busy = count(&names, &["busy", "100"]);
    for ((name, available), n) in counters::available(&names).into_iter().zip(0..) {
        match available {
            Ok(_) => {
                assert!(few[n].1.unwrap() > 0.0, "{name}");
                assert!(many[n].1.unwrap() > few[n].1.unwrap() || n == 1, "{name}");
                // In seconds.
                assert!(n == 0 || (0.05..1.0).contains(&busy[n].1.unwrap()), "{busy:?}");
            }
            Err(reason) => {
                println!("not tested: {reason}");
                assert_eq!(few[n].1, None);
            }
        }
    }
}

fn unavailable_counters() {
    let values = count(&CounterName::ALL, &["busy", "50"]);
    for ((name, available), (_, value)) in counters::available(&CounterName::ALL).iter().zip(values)
    {
        match available {
            // Present but crowded out by others is possible; then there is no number either.
            Ok(_) if name.is_hardware() => assert!(value.is_none_or(f64::is_finite)),
            Ok(_) => assert!(value.is_some_and(|value| value >= 0.0), "{name}: {value:?}"),
            Err(reason) => {
                assert_eq!(value, None, "{name}");
                let reason = reason.to_string();
                assert!(reason.contains(name.as_str()) && reason.len() > 30, "{reason}");
            }
        }
    }
}

/// The kernel's counters begin at exec; so must what we make of its accounts, which begin at fork.
fn before_exec() {
    let names = [CounterName::PageFaults, CounterName::TaskClock];
    if let Some(reason) = counters::available(&names).into_iter().find_map(|(_, is)| is.err()) {
        println!("not tested: {reason}");
        return;
    }
    let mut spawner = spawner();
    let mut order = played(&["nothing"]);
    order.counters = names.to_vec();
    let mut differences: Vec<[f64; 2]> = (0..51)
        .map(|_| {
            let finished = execute(&mut spawner, &order).unwrap();
            let usage = finished.usage;
            let counted = |n: usize| finished.counters[n].1.unwrap();
            let faults = (usage.minor_faults + usage.major_faults) as f64;
            let cpu_us = (usage.user + usage.system).nanoseconds_f64() / 1000.0;
            [faults - counted(0), cpu_us - counted(1) * 1e6]
        })
        .collect();
    let mut median = |n: usize| {
        differences.sort_by(|a, b| a[n].total_cmp(&b[n]));
        differences[25][n]
    };
    println!("beyond the counters: {} faults, {:.1} us", median(0), median(1));
    assert!(median(0).abs() <= 5.0);
}

fn counters_see_descendants() {
    let name = CounterName::TaskClock;
    if let Err(reason) = &counters::available(&[name])[0].1 {
        println!("not tested: {reason}");
        return;
    }
    let mut order = script("\"$PROGRAM\" __play busy 200; :");
    order.environment.push(("PROGRAM".into(), harness::this_program().into()));
    order.counters = vec![name];
    let finished = execute(&mut spawner(), &order).unwrap();
    assert!(finished.counters[0].1.unwrap() > 0.1, "{finished:?}");
}
