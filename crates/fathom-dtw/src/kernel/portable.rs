//! Plain Rust on small arrays, which the compiler turns into vector instructions of any processor.

use super::lanes::{Lanes, Slot};

/// Two rows, the width that the least of the processors with vectors have.
#[derive(Clone, Copy)]
pub(super) struct Pair([f64; 2]);

impl Lanes for Pair {
    const LANES: usize = 2;

    type Mask = [bool; 2];

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        Self([value; 2])
    }

    #[inline(always)]
    unsafe fn read(slot: &Slot) -> Self {
        Self([slot[0], slot[1]])
    }

    #[inline(always)]
    fn write(self, slot: &mut Slot) {
        slot[0] = self.0[0];
        slot[1] = self.0[1];
    }

    #[inline(always)]
    fn gap(self, other: Self) -> Self {
        Self([(self.0[0] - other.0[0]).abs(), (self.0[1] - other.0[1]).abs()])
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        // Not f64::min, which spends instructions on NaN.
        let least = |one: f64, two: f64| if one < two { one } else { two };
        Self([least(self.0[0], other.0[0]), least(self.0[1], other.0[1])])
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> [bool; 2] {
        [self.0[0] <= other.0[0], self.0[1] <= other.0[1]]
    }

    #[inline(always)]
    fn choose(mask: [bool; 2], yes: Self, no: Self) -> Self {
        let choose = |mask, yes, no| if mask { yes } else { no };
        Self([choose(mask[0], yes.0[0], no.0[0]), choose(mask[1], yes.0[1], no.0[1])])
    }

    #[inline(always)]
    fn bits(mask: [bool; 2]) -> u8 {
        u8::from(mask[0]) | u8::from(mask[1]) << 1
    }

    #[inline(always)]
    fn rotated(self) -> Self {
        Self([self.0[1], self.0[0]])
    }

    #[inline(always)]
    fn first(self) -> f64 {
        self.0[0]
    }

    #[inline(always)]
    fn with_first(self, value: f64) -> Self {
        Self([value, self.0[1]])
    }
}
