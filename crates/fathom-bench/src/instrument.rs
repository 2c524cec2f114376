//! What timing itself costs: the clock's readings and the loop around the calls.
//!
//! A loop around nothing takes a cycle or so per turn. Around something it takes nothing, because a
//! processor counts turns in parallel with the calls: the loop is a floor, not an addend. So two
//! figures are measured. The floor is what the loop takes around nothing; a function that takes no
//! longer was optimised away. The overhead is what the loop adds to work that each turn must wait
//! for; it is subtracted. Subtracting the floor instead would make a function of 5 ns 5% too fast.

use fathom_analyze::Harness;
use fathom_record::Span;
use fathom_sys::clock::{cost_ns, grain, monotonic};
use std::hint::black_box;

/// The clock's readings and its grain stay below this share of a batch.
const CLOCK_SHARE: f64 = 0.001;
/// Batches are not shorter than this, so that what the other function left in the caches and in
/// the branch predictor is lost in them.
const SHORTEST_NS: f64 = 20_000.0;
/// Before anything is calibrated.
const WARM_UP: Span = Span::from_milliseconds(5);
/// Below this multiple of the floor, calls cannot be told from nothing.
const ZERO: f64 = 1.5;

/// What timing costs here, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Instrument {
    grain: f64,
    cost: f64,
    floor: f64,
    overhead: f64,
}

impl Instrument {
    /// Measures it; takes some milliseconds.
    pub(crate) fn calibrated() -> Instrument {
        // A processor that was idle is not yet at its speed.
        let began = monotonic();
        while monotonic() - began < WARM_UP {
            black_box(chain::<8>(1000));
        }
        let grain = grain().nanoseconds_f64();
        let cost = cost_ns();
        let bare = Instrument { grain, cost, floor: 0.0, overhead: 0.0 };
        let floor = bare.median_turn(chain::<0>);
        let [one, eight] = [bare.median_turn(chain::<1>), bare.median_turn(chain::<8>)];
        // Eight steps and one differ by seven; what one turn takes besides its step is the loop's.
        let step = (eight - one) / 7.0;
        Instrument { floor, overhead: (one - step).clamp(0.0, floor), ..bare }
    }

    /// For another process of this machine.
    pub(crate) fn to_bits(self) -> [u64; 4] {
        [self.grain, self.cost, self.floor, self.overhead].map(f64::to_bits)
    }

    /// What another process found.
    pub(crate) fn from_bits(bits: [u64; 4]) -> Instrument {
        // Numbers that are none would make results that are none.
        let number = |bits| Some(f64::from_bits(bits)).filter(|number| number.is_finite());
        let [grain, cost, floor, overhead] = bits.map(|bits| number(bits).unwrap_or(0.0).max(0.0));
        Instrument { grain: grain.max(f64::MIN_POSITIVE), cost, floor, overhead }
    }

    /// The shortest time of a batch, in nanoseconds.
    pub(crate) fn batch_ns(&self) -> f64 {
        SHORTEST_NS.max(self.cost.max(self.grain) / CLOCK_SHARE)
    }

    /// The seconds a call took, if a batch of `calls` took `time`.
    pub(crate) fn per_call(&self, time: Span, calls: u64) -> f64 {
        let per_call = self.raw_per_call(time, calls) - self.overhead;
        // Positive, whatever the clock did: there are ratios to be taken.
        1e-9 * per_call.max(0.01 * self.grain / calls as f64)
    }

    /// Whether calls that take this many seconds can be told from nothing.
    pub(crate) fn is_zero(&self, per_call: f64) -> bool {
        1e9 * per_call + self.overhead <= ZERO * self.floor
    }

    /// The clock's grain as a share of a batch.
    pub(crate) fn tick(&self, batch_ns: f64) -> f64 {
        (self.grain / batch_ns.max(1.0)).min(1.0)
    }

    /// As it is reported.
    pub(crate) fn harness(&self) -> Harness {
        Harness {
            clock_grain: 1e-9 * self.grain,
            clock_cost: 1e-9 * self.cost,
            loop_floor: 1e-9 * self.floor,
            loop_overhead: 1e-9 * self.overhead,
        }
    }

    fn raw_per_call(&self, time: Span, calls: u64) -> f64 {
        (time.nanoseconds_f64() - self.cost) / calls.max(1) as f64
    }

    /// What a turn of a loop takes: the middle of the quicker half of many batches, because what
    /// else runs only ever makes them longer.
    fn median_turn(&self, batch: impl Fn(u64) -> Span) -> f64 {
        const BATCHES: usize = 60;
        const TURNS: u64 = 20_000;
        let mut turns: Vec<f64> =
            (0..BATCHES).map(|_| self.raw_per_call(batch(TURNS), TURNS)).collect();
        turns.sort_by(f64::total_cmp);
        turns[BATCHES / 4].max(0.0)
    }
}

/// A loop of turns with this many steps in each; every step waits for the one before.
#[inline(never)]
fn chain<const STEPS: u32>(turns: u64) -> Span {
    let mut state = black_box(1_u64);
    let began = monotonic();
    for _ in 0..turns {
        for _ in 0..STEPS {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state ^= state >> 29;
        }
        black_box(());
    }
    let ended = monotonic();
    black_box(state);
    ended - began
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSTRUMENT: Instrument =
        Instrument { grain: 10.0, cost: 20.0, floor: 0.3, overhead: 0.01 };

    #[test]
    fn the_clock_is_lost_in_a_batch() {
        assert_eq!(INSTRUMENT.batch_ns(), 20_000.0);
        let coarse = Instrument { grain: 1000.0, ..INSTRUMENT };
        assert_eq!(coarse.batch_ns(), 1_000_000.0);
        assert!(coarse.tick(coarse.batch_ns()) <= 0.001 + 1e-15);
    }

    #[test]
    fn costs_are_subtracted() {
        let per_call = INSTRUMENT.per_call(Span::from_nanoseconds(5_030), 1000);
        assert!((1e9 * per_call - 5.0).abs() < 1e-12, "{per_call}");
        assert!(INSTRUMENT.per_call(Span::ZERO, 1000) > 0.0);
    }

    #[test]
    fn another_process_uses_the_same_costs() {
        assert_eq!(Instrument::from_bits(INSTRUMENT.to_bits()), INSTRUMENT);
        let nonsense =
            Instrument::from_bits([f64::NAN, -1.0, f64::INFINITY, 0.5].map(f64::to_bits));
        assert!(nonsense.per_call(Span::from_nanoseconds(100), 10).is_finite());
    }

    #[test]
    fn nothing_is_recognised_and_a_nanosecond_is_not_nothing() {
        assert!(INSTRUMENT.is_zero(INSTRUMENT.per_call(Span::from_nanoseconds(320), 1000)));
        assert!(!INSTRUMENT.is_zero(INSTRUMENT.per_call(Span::from_nanoseconds(1_020), 1000)));
    }

    #[test]
    fn calibration_finds_a_loop_that_takes_time() {
        let found = Instrument::calibrated();
        assert!(found.grain > 0.0 && found.cost > 0.0, "{found:?}");
        assert!(found.floor > 0.0 && found.overhead <= found.floor, "{found:?}");
    }

    #[test]
    fn costs_are_reported_in_seconds() {
        let Harness { clock_grain, clock_cost, loop_floor, loop_overhead } = INSTRUMENT.harness();
        let reported = [clock_grain, clock_cost, loop_floor, loop_overhead];
        for (seconds, nanoseconds) in reported.into_iter().zip([10.0, 20.0, 0.3, 0.01]) {
            assert!((1e9 * seconds - nanoseconds).abs() < 1e-12, "{reported:?}");
        }
    }
}
