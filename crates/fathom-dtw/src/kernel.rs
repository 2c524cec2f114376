//! Which instructions compute the cells. The only unsafe code of the crate is here.
#![allow(unsafe_code, reason = "vector instructions exist only on some processors")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "x86_64", avx512_instructions))]
mod avx512;
mod engine;
mod lanes;
mod portable;
mod scalar;
mod strip;

pub(crate) use engine::Engine;
pub(crate) use lanes::Slot;
pub(crate) use strip::{MOST_REGISTERS, Segment, Strip};

use core::fmt;

/// Which instructions compute the cells. All give the same distance, bit for bit, and the same
/// path; they differ in speed alone.
///
/// ```
/// use fathom_dtw::Kernel;
///
/// assert!(Kernel::Scalar.is_available());
/// assert!(Kernel::available().any(|kernel| kernel == Kernel::fastest()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kernel {
    /// One cell at a time.
    Scalar,
    /// Vector instructions that every processor of its kind has, as the compiler finds them.
    Portable,
    /// Four cells at a time with AVX2.
    Avx2,
    /// Eight cells at a time with AVX-512.
    Avx512,
}

impl Kernel {
    /// All kernels, slower ones first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Portable, Self::Avx2, Self::Avx512];

    /// Whether this processor, and the compiler that built the program, has the instructions.
    #[must_use]
    pub fn is_available(self) -> bool {
        Engine::of(self).is_some()
    }

    /// The kernels that this processor can run, slower ones first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kernel| kernel.is_available())
    }

    /// The fastest that this processor can run: what is used unless another is asked for.
    #[must_use]
    pub fn fastest() -> Self {
        Self::available().last().unwrap_or(Self::Scalar)
    }

    /// Its name: `scalar`, `portable`, `avx2` or `avx512`.
    ///
    /// ```
    /// use fathom_dtw::Kernel;
    ///
    /// assert_eq!(Kernel::Avx2.name(), "avx2");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
