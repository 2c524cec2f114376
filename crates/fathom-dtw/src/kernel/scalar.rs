//! One row per register: what every processor can do, and what the others are compared with.

use super::lanes::{Lanes, Slot};

impl Lanes for f64 {
    const LANES: usize = 1;

    type Mask = bool;

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    unsafe fn read(slot: &Slot) -> Self {
        slot[0]
    }

    #[inline(always)]
    fn write(self, slot: &mut Slot) {
        slot[0] = self;
    }

    #[inline(always)]
    fn gap(self, other: Self) -> Self {
        (self - other).abs()
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        // Not f64::min, which spends instructions on NaN.
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn choose(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn bits(mask: bool) -> u8 {
        u8::from(mask)
    }

    #[inline(always)]
    fn rotated(self) -> Self {
        self
    }

    #[inline(always)]
    fn first(self) -> f64 {
        self
    }

    #[inline(always)]
    fn with_first(self, value: f64) -> Self {
        value
    }
}
