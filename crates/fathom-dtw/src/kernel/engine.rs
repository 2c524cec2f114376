//! A kernel that is known to run on this processor.

use super::Kernel;
use super::portable::Pair;
use super::strip::{Segment, Strip, advance};

/// A kernel that is known to run on this processor.
#[derive(Clone, Copy)]
pub(crate) struct Engine {
    lanes: usize,
    registers: usize,
    runs: Runs,
}

/// By whether steps are guarded, codes are wanted, and there is a penalty.
type Runs = [[[Run; 2]; 2]; 2];
type Run = unsafe fn(&mut Strip, Segment<'_>);

/// All eight variants of a kernel.
macro_rules! runs {
    ($run:ident $(:: $part:ident)?) => {
        [
            [
                [$run$(::$part)?::<false, false, false>, $run$(::$part)?::<false, false, true>],
                [$run$(::$part)?::<false, true, false>, $run$(::$part)?::<false, true, true>],
            ],
            [
                [$run$(::$part)?::<true, false, false>, $run$(::$part)?::<true, false, true>],
                [$run$(::$part)?::<true, true, false>, $run$(::$part)?::<true, true, true>],
            ],
        ]
    };
}

const SCALAR_REGISTERS: usize = 4;
const PORTABLE_REGISTERS: usize = 4;

fn scalar<const GUARDED: bool, const CODES: bool, const PENALTY: bool>(
    strip: &mut Strip,
    segment: Segment<'_>,
) {
    // SAFETY: every processor can add numbers.
    unsafe { advance::<f64, SCALAR_REGISTERS, GUARDED, CODES, PENALTY>(strip, segment) }
}

fn portable<const GUARDED: bool, const CODES: bool, const PENALTY: bool>(
    strip: &mut Strip,
    segment: Segment<'_>,
) {
    // SAFETY: every processor can add numbers.
    unsafe { advance::<Pair, PORTABLE_REGISTERS, GUARDED, CODES, PENALTY>(strip, segment) }
}

impl Engine {
    /// The engine of a kernel, if this processor can run it.
    pub(crate) fn of(kernel: Kernel) -> Option<Self> {
        match kernel {
            Kernel::Scalar => {
                Some(Self { lanes: 1, registers: SCALAR_REGISTERS, runs: runs!(scalar) })
            }
            Kernel::Portable => {
                Some(Self { lanes: 2, registers: PORTABLE_REGISTERS, runs: runs!(portable) })
            }
            Kernel::Avx2 => Self::avx2(),
            Kernel::Avx512 => Self::avx512(),
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn avx2() -> Option<Self> {
        use super::avx2;
        std::arch::is_x86_feature_detected!("avx2").then_some(Self {
            lanes: 4,
            registers: avx2::REGISTERS,
            runs: runs!(avx2::run),
        })
    }

    #[cfg(all(target_arch = "x86_64", avx512_instructions))]
    #[allow(clippy::incompatible_msrv, reason = "the build script found a compiler that has them")]
    fn avx512() -> Option<Self> {
        use super::avx512;
        (std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512dq"))
        .then_some(Self { lanes: 8, registers: avx512::REGISTERS, runs: runs!(avx512::run) })
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn avx2() -> Option<Self> {
        None
    }

    #[cfg(not(all(target_arch = "x86_64", avx512_instructions)))]
    fn avx512() -> Option<Self> {
        None
    }

    /// Rows of a strip.
    pub(crate) fn height(&self) -> usize {
        self.lanes * self.registers
    }

    /// Registers of a strip.
    pub(crate) fn registers(&self) -> usize {
        self.registers
    }

    /// Where row q of a strip stands: its register and its lane.
    pub(crate) fn place(&self, q: usize) -> (usize, usize) {
        (q % self.registers, q / self.registers)
    }

    /// Bytes of codes per step.
    pub(crate) fn code_bytes(&self) -> usize {
        self.height() / 4
    }

    /// From the codes of a step, what row q says: whether it came from the diagonal, and if not,
    /// whether from above.
    pub(crate) fn decode(&self, codes: &[u8], q: usize) -> (bool, bool) {
        let (register, lane) = self.place(q);
        let byte = |index: usize| codes.get(index).copied().unwrap_or(0);
        let (diagonal, above) = if self.lanes == 8 {
            (byte(2 * register), byte(2 * register + 1))
        } else {
            let sharing = 4 / self.lanes;
            let both = byte(register / sharing) >> (register % sharing * 2 * self.lanes);
            (both, both >> self.lanes)
        };
        (diagonal >> lane & 1 == 1, above >> lane & 1 == 1)
    }

    /// Computes the steps of a segment; guarded or not, with codes if there is room for them.
    pub(crate) fn run(&self, strip: &mut Strip, segment: Segment<'_>, guarded: bool) {
        let codes = usize::from(!segment.codes.is_empty());
        let penalty = usize::from(segment.penalty > 0.0);
        let run = self.runs[usize::from(guarded)][codes][penalty];
        // SAFETY: `of` makes an engine only where the processor has its instructions.
        unsafe { run(strip, segment) }
    }
}
