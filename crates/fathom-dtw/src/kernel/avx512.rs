//! Eight rows per register, with AVX-512.
#![allow(
    clippy::incompatible_msrv,
    reason = "compiled only where the build script finds a compiler that has the instructions"
)]

use super::lanes::{Lanes, Slot};
use super::strip::{Segment, Strip, advance};
use core::arch::x86_64::{
    __m512d, __mmask8, _CMP_LE_OQ, _mm512_abs_pd, _mm512_add_pd, _mm512_alignr_epi64,
    _mm512_castpd_si512, _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_cvtsd_f64,
    _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_min_pd, _mm512_set1_pd, _mm512_storeu_pd,
    _mm512_sub_pd,
};

/// Registers per strip: as many as thirty-two names allow.
pub(super) const REGISTERS: usize = 6;

/// The strip kernel, compiled for AVX-512.
///
/// # Safety
/// The processor has AVX-512 F and DQ.
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) unsafe fn run<const GUARDED: bool, const CODES: bool, const PENALTY: bool>(
    strip: &mut Strip,
    segment: Segment<'_>,
) {
    // SAFETY: the caller promises the instructions.
    unsafe { advance::<Eight, REGISTERS, GUARDED, CODES, PENALTY>(strip, segment) }
}

#[derive(Clone, Copy)]
struct Eight(__m512d);

impl Lanes for Eight {
    const LANES: usize = 8;

    type Mask = __mmask8;

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        // SAFETY: the caller promises AVX-512.
        Self(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    unsafe fn read(slot: &Slot) -> Self {
        // SAFETY: the caller promises AVX-512; a slot has eight numbers.
        Self(unsafe { _mm512_loadu_pd(slot.as_ptr()) })
    }

    #[inline(always)]
    fn write(self, slot: &mut Slot) {
        // SAFETY: a value proves AVX-512; a slot has eight numbers.
        unsafe { _mm512_storeu_pd(slot.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn gap(self, other: Self) -> Self {
        // SAFETY: a value proves AVX-512.
        Self(unsafe { _mm512_abs_pd(_mm512_sub_pd(self.0, other.0)) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: a value proves AVX-512.
        Self(unsafe { _mm512_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        // SAFETY: a value proves AVX-512.
        Self(unsafe { _mm512_min_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> __mmask8 {
        // SAFETY: a value proves AVX-512.
        unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn choose(mask: __mmask8, yes: Self, no: Self) -> Self {
        // SAFETY: a value proves AVX-512.
        Self(unsafe { _mm512_mask_blend_pd(mask, no.0, yes.0) })
    }

    #[inline(always)]
    fn bits(mask: __mmask8) -> u8 {
        mask
    }

    #[inline(always)]
    fn rotated(self) -> Self {
        // SAFETY: a value proves AVX-512.
        unsafe {
            let bits = _mm512_castpd_si512(self.0);
            Self(_mm512_castsi512_pd(_mm512_alignr_epi64::<7>(bits, bits)))
        }
    }

    #[inline(always)]
    fn first(self) -> f64 {
        // SAFETY: a value proves AVX-512.
        unsafe { _mm512_cvtsd_f64(self.0) }
    }

    #[inline(always)]
    fn with_first(self, value: f64) -> Self {
        // SAFETY: a value proves AVX-512.
        Self(unsafe { _mm512_mask_blend_pd(1, self.0, _mm512_set1_pd(value)) })
    }
}
