//! Four rows per register, with AVX2.

use super::lanes::{Lanes, Slot};
use super::strip::{Segment, Strip, advance};
use core::arch::x86_64::{
    __m256d, _CMP_LE_OQ, _mm256_add_pd, _mm256_andnot_pd, _mm256_blend_pd, _mm256_blendv_pd,
    _mm256_cmp_pd, _mm256_cvtsd_f64, _mm256_loadu_pd, _mm256_min_pd, _mm256_movemask_pd,
    _mm256_permute4x64_pd, _mm256_set1_pd, _mm256_storeu_pd, _mm256_sub_pd,
};

/// Registers per strip: as many as sixteen names allow.
pub(super) const REGISTERS: usize = 6;

/// The strip kernel, compiled for AVX2.
///
/// # Safety
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn run<const GUARDED: bool, const CODES: bool, const PENALTY: bool>(
    strip: &mut Strip,
    segment: Segment<'_>,
) {
    // SAFETY: the caller promises AVX2.
    unsafe { advance::<Four, REGISTERS, GUARDED, CODES, PENALTY>(strip, segment) }
}

#[derive(Clone, Copy)]
struct Four(__m256d);

impl Lanes for Four {
    const LANES: usize = 4;

    type Mask = __m256d;

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        // SAFETY: the caller promises AVX2.
        Self(unsafe { _mm256_set1_pd(value) })
    }

    #[inline(always)]
    unsafe fn read(slot: &Slot) -> Self {
        // SAFETY: the caller promises AVX2; a slot has eight numbers, and four are read.
        Self(unsafe { _mm256_loadu_pd(slot.as_ptr()) })
    }

    #[inline(always)]
    fn write(self, slot: &mut Slot) {
        // SAFETY: a value proves AVX2; a slot has eight numbers, and four are written.
        unsafe { _mm256_storeu_pd(slot.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn gap(self, other: Self) -> Self {
        // SAFETY: a value proves AVX2.
        Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_sub_pd(self.0, other.0)) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: a value proves AVX2.
        Self(unsafe { _mm256_add_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        // SAFETY: a value proves AVX2.
        Self(unsafe { _mm256_min_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> __m256d {
        // SAFETY: a value proves AVX2.
        unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn choose(mask: __m256d, yes: Self, no: Self) -> Self {
        // SAFETY: a value proves AVX2.
        Self(unsafe { _mm256_blendv_pd(no.0, yes.0, mask) })
    }

    #[inline(always)]
    #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "only four bits")]
    fn bits(mask: __m256d) -> u8 {
        // SAFETY: a mask comes from values, which prove AVX2.
        unsafe { _mm256_movemask_pd(mask) as u8 }
    }

    #[inline(always)]
    fn rotated(self) -> Self {
        // SAFETY: a value proves AVX2.
        Self(unsafe { _mm256_permute4x64_pd::<0b10_01_00_11>(self.0) })
    }

    #[inline(always)]
    fn first(self) -> f64 {
        // SAFETY: a value proves AVX2.
        unsafe { _mm256_cvtsd_f64(self.0) }
    }

    #[inline(always)]
    fn with_first(self, value: f64) -> Self {
        // SAFETY: a value proves AVX2.
        Self(unsafe { _mm256_blend_pd::<0b0001>(self.0, _mm256_set1_pd(value)) })
    }
}
