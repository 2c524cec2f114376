//! Power from what happened, temperature from power, and sprinting: running wider than the cooling
//! can bear for long (Raghavan and others 2012).

use crate::counts::Counts;
use crate::memory::MemoryCounts;

/// The clock, which never changes: a sprint switches on the dark half of the issue slots instead.
pub const CLOCK_HZ: f64 = 2e9;
/// How often power is averaged and sprinting decided, in cycles.
pub const INTERVAL: u64 = 1_000;

// Joules of each event.
const PER_INSTRUCTION: f64 = 0.7e-9;
const PER_L1_ACCESS: f64 = 0.1e-9;
const PER_L2_ACCESS: f64 = 0.6e-9;
const PER_MEMORY_ACCESS: f64 = 6e-9;
const PER_WALK: f64 = 1.5e-9;
/// The work on the wrong path, which is not simulated.
const PER_MISPREDICTION: f64 = 6e-9;
/// Watts that are always there, and those of the switched-on half.
const STATIC: f64 = 2.5;
const STATIC_SPRINTING: f64 = 3.0;

const AMBIENT: f64 = 45.0;
/// Kelvin per watt in the long run.
const RESISTANCE: f64 = 4.0;
/// A real chip takes milliseconds; a run is shorter than that, so this one heats up faster.
const TIME_CONSTANT_CYCLES: f64 = 5_000.0;
/// A sprint ends with an alert here.
pub const LIMIT: f64 = 78.0;
/// A sprint begins only below this.
const COOL: f64 = 68.0;
/// Instructions per cycle of both cores from which more width is worth it, and below which it is not.
const BUSY: f64 = 1.5;
const SLACK: f64 = 1.2;

/// The energy of these events in joules, without the static part.
pub fn energy(cores: &[Counts], memory: &MemoryCounts) -> f64 {
    let of_core = |core: &Counts| {
        PER_INSTRUCTION * core.instructions as f64
            + PER_L1_ACCESS * core.accesses as f64
            + PER_WALK * core.tlb_misses as f64
            + PER_MISPREDICTION * core.mispredictions as f64
    };
    cores.iter().map(of_core).sum::<f64>()
        + PER_L2_ACCESS * memory.l2_accesses as f64
        + PER_MEMORY_ACCESS * memory.l2_misses as f64
}

/// What changed at the end of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// A sprint begins.
    Begin,
    /// There is too little to do for a sprint.
    End,
    /// It became too hot.
    Alert,
}

/// The temperature, and whether the processor sprints.
#[derive(Debug, Clone)]
pub struct Governor {
    /// In degrees Celsius.
    pub temperature: f64,
    pub is_sprinting: bool,
}

impl Governor {
    /// An idle processor.
    pub fn new() -> Governor {
        Governor { temperature: AMBIENT + RESISTANCE * STATIC, is_sprinting: false }
    }

    /// How many instructions a core retires, issues and fetches in a cycle.
    pub fn width(&self) -> usize {
        if self.is_sprinting { 4 } else { 2 }
    }

    /// The power in watts that is there without any event.
    pub fn static_power(&self) -> f64 {
        STATIC + if self.is_sprinting { STATIC_SPRINTING } else { 0.0 }
    }

    /// An interval of so many cycles passed with this power and this rate of instructions.
    pub fn pass(&mut self, cycles: f64, power: f64, ipc: f64) -> Change {
        let settled = AMBIENT + RESISTANCE * power;
        let share = 1.0 - (-cycles / TIME_CONSTANT_CYCLES).exp();
        self.temperature += (settled - self.temperature) * share;
        let change = match self.is_sprinting {
            true if self.temperature >= LIMIT => Change::Alert,
            true if ipc < SLACK => Change::End,
            false if ipc >= BUSY && self.temperature < COOL => Change::Begin,
            _ => Change::None,
        };
        match change {
            Change::Begin => self.is_sprinting = true,
            Change::End | Change::Alert => self.is_sprinting = false,
            Change::None => {}
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_temperature_settles_where_the_resistance_says() {
        let mut governor = Governor::new();
        (0..1_000).for_each(|_| _ = governor.pass(1_000.0, 5.0, 0.0));
        assert!((governor.temperature - (AMBIENT + 5.0 * RESISTANCE)).abs() < 1e-9);
        // After one time constant 63.2% of a step are gone.
        let before = governor.temperature;
        governor.pass(TIME_CONSTANT_CYCLES, 6.0, 0.0);
        assert!(((governor.temperature - before) / RESISTANCE - 0.632_12).abs() < 1e-4);
    }

    #[test]
    fn a_sprint_ends_by_heat_or_for_lack_of_work() {
        let mut governor = Governor::new();
        assert_eq!(governor.pass(1_000.0, 5.0, 1.0), Change::None);
        assert_eq!(governor.pass(1_000.0, 5.0, 2.0), Change::Begin);
        assert_eq!(governor.width(), 4);
        assert_eq!(governor.pass(1_000.0, 5.0, 0.5), Change::End);
        assert_eq!(governor.width(), 2);
        assert_eq!(governor.pass(1_000.0, 5.0, 2.0), Change::Begin);
        assert_eq!(governor.pass(100_000.0, 20.0, 3.0), Change::Alert);
        // Too hot to begin again.
        assert_eq!(governor.pass(1.0, 20.0, 3.0), Change::None);
    }
}
