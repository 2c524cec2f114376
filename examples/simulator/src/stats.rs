//! Statistics, written in the format of gem5's `stats.txt`, so that what reads gem5's reads these.
//! They are toycore's all the same: the names are those gem5 has for the like.

use crate::counts::Counts;
use crate::machine::Dump;
use crate::memory::{LATENCY_STEP, LATENCY_STEPS};
use crate::thermal::CLOCK_HZ;
use std::fmt::Write as _;

const TICKS_PER_SECOND: f64 = 1e12;
const TICKS_PER_CYCLE: u64 = (TICKS_PER_SECOND / CLOCK_HZ) as u64;

/// All dumps; each holds what happened since the one before.
pub fn to_text(dumps: &[Dump]) -> String {
    let mut text = String::new();
    for dump in dumps {
        text.push_str("\n---------- Begin Simulation Statistics ----------\n");
        write_dump(dump, &mut text);
        text.push_str("\n---------- End Simulation Statistics   ----------\n");
    }
    text
}

fn line(text: &mut String, name: &str, value: &str, description: &str) {
    _ = writeln!(text, "{name:<44} {value:>12}                       # {description}");
}

/// As gem5 writes numbers that are not whole; what nothing happened for is "nan" there too.
fn ratio(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.6}", part / whole) } else { "nan".to_string() }
}

fn write_dump(dump: &Dump, text: &mut String) {
    let cycles = dump.end - dump.begin;
    let ticks = cycles * TICKS_PER_CYCLE;
    let instructions: u64 = dump.cores.iter().map(|core| core.instructions).sum();
    let mut add = |name: &str, value: String, about: &str| line(text, name, &value, about);
    let seconds = format!("{:.9}", ticks as f64 / TICKS_PER_SECOND);
    add("simSeconds", seconds, "Number of seconds simulated (Second)");
    add("simTicks", ticks.to_string(), "Number of ticks simulated (Tick)");
    let about = "Number of ticks from beginning of simulation (Tick)";
    add("finalTick", (dump.end * TICKS_PER_CYCLE).to_string(), about);
    let about = "The number of ticks per simulated second ((Tick/Second))";
    add("simFreq", format!("{TICKS_PER_SECOND}"), about);
    add("simInsts", instructions.to_string(), "Number of instructions simulated (Count)");
    add("system.clk_domain.clock", TICKS_PER_CYCLE.to_string(), "Clock period in ticks (Tick)");
    for (number, core) in dump.cores.iter().enumerate() {
        write_core(&format!("system.cpu{number}"), core, cycles, text);
    }
    write_memory(dump, text);
}

fn write_core(name: &str, core: &Counts, cycles: u64, text: &mut String) {
    let mut add = |rest: &str, value: String, about: &str| {
        line(text, &format!("{name}.{rest}"), &value, about)
    };
    add("numCycles", cycles.to_string(), "Number of cpu cycles simulated (Cycle)");
    let about = "Number of instructions committed (Count)";
    add("committedInsts", core.instructions.to_string(), about);
    let about = "IPC: instructions per cycle ((Count/Cycle))";
    add("ipc", ratio(core.instructions as f64, cycles as f64), about);
    let about = "Number of conditional branches predicted (Count)";
    add("branchPred.condPredicted", core.branches.to_string(), about);
    let about = "Number of conditional branches incorrect (Count)";
    add("branchPred.condIncorrect", core.mispredictions.to_string(), about);
    let about = "number of overall (read+write) accesses (Count)";
    add("dcache.overallAccesses::total", core.accesses.to_string(), about);
    let about = "number of overall misses (Count)";
    add("dcache.overallMisses::total", core.l1_misses.to_string(), about);
    let about = "miss rate for overall accesses (Ratio)";
    let share = ratio(core.l1_misses as f64, core.accesses as f64);
    add("dcache.overallMissRate::total", share, about);
    add("mmu.dtb.misses", core.tlb_misses.to_string(), "Number of TLB misses (Count)");
    let about = "Attempts to take the lock of the queue (Count)";
    add("lockAttempts", core.lock_attempts.to_string(), about);
}

fn write_memory(dump: &Dump, text: &mut String) {
    let memory = &dump.memory;
    let (accesses, misses) = (memory.l2_accesses as f64, memory.l2_misses as f64);
    let mut add = |name: &str, value: String, about: &str| line(text, name, &value, about);
    let about = "number of overall (read+write) accesses (Count)";
    add("system.l2.overallAccesses::total", memory.l2_accesses.to_string(), about);
    let about = "number of overall misses (Count)";
    add("system.l2.overallMisses::total", memory.l2_misses.to_string(), about);
    let about = "miss rate for overall accesses (Ratio)";
    add("system.l2.overallMissRate::total", ratio(misses, accesses), about);
    let about = "Errors that were corrected (Count)";
    add("system.mem_ctrls.correctedErrors", memory.errors.to_string(), about);
    let about = "Latency of accesses to memory (Cycle)";
    let name = "system.mem_ctrls.latency";
    add(&format!("{name}::samples"), memory.l2_misses.to_string(), about);
    add(&format!("{name}::mean"), ratio(memory.latency_sum as f64, misses), about);
    let mut below = 0;
    for (step, &count) in memory.latencies.iter().enumerate() {
        below += count;
        let from = step as u64 * LATENCY_STEP;
        let bucket = match step {
            _ if step + 1 == LATENCY_STEPS => "overflows".to_string(),
            _ => format!("{from}-{}", from + LATENCY_STEP - 1),
        };
        let percent = |part: u64| match memory.l2_misses {
            0 => "nan%".to_string(),
            all => format!("{:.2}%", 100.0 * part as f64 / all as f64),
        };
        let value = format!("{count:>12} {:>10} {:>10}", percent(count), percent(below));
        add(&format!("{name}::{bucket}"), value, about);
    }
    add(&format!("{name}::total"), memory.l2_misses.to_string(), about);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryCounts;

    #[test]
    fn statistics_stand_as_in_gem5() {
        let core = Counts { instructions: 500, accesses: 4, l1_misses: 1, ..Counts::default() };
        let mut memory = MemoryCounts { l2_accesses: 4, l2_misses: 2, ..MemoryCounts::default() };
        memory.latencies[2] = 2;
        memory.latency_sum = 250;
        let dump = Dump { begin: 1_000, end: 2_000, cores: vec![core, Counts::default()], memory };
        let text = to_text(&[dump.clone(), dump]);
        let words: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        let values = |name: &str| -> Vec<&str> {
            words.iter().filter(|line| line.first() == Some(&name)).map(|line| line[1]).collect()
        };
        assert_eq!(values("finalTick"), ["1000000", "1000000"]);
        assert_eq!(values("simTicks"), ["500000", "500000"]);
        assert_eq!(values("system.cpu0.ipc"), ["0.500000", "0.500000"]);
        assert_eq!(values("system.cpu1.dcache.overallMissRate::total"), ["nan", "nan"]);
        assert_eq!(values("system.mem_ctrls.latency::mean")[0], "125.000000");
        assert_eq!(values("system.mem_ctrls.latency::100-149")[0], "2");
        assert_eq!(text.matches("Begin Simulation").count(), 2);
        assert_eq!(text.matches("End Simulation").count(), 2);
    }
}
