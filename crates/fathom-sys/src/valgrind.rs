//! What a program that runs under valgrind can ask of its tool callgrind: to count from here, and to
//! write down what it counted.
//!
//! valgrind looks for a sequence of instructions that do nothing on a processor. Elsewhere the
//! requests are therefore without effect, and cost a few instructions.
#![allow(unsafe_code, reason = "valgrind's requests are sequences of machine instructions")]

/// RUNNING_ON_VALGRIND.
const IS_RUNNING: usize = 0x1001;
/// The requests of callgrind begin here: its letters are C and T.
const CALLGRIND: usize = (b'C' as usize) << 24 | (b'T' as usize) << 16;

/// Whether valgrind runs this program.
#[must_use]
pub fn is_running() -> bool {
    request(IS_RUNNING, 0) != 0
}

/// Whether requests are known for this processor.
#[must_use]
pub const fn is_supported() -> bool {
    cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
}

/// Begins to look at instructions, if callgrind was started with `--instr-atstart=no`.
pub fn start_instrumentation() {
    request(CALLGRIND + 4, 0);
}

/// Counts from 0 again.
pub fn zero_counts() {
    request(CALLGRIND + 1, 0);
}

/// Writes what was counted to the next file, and counts from 0 again.
pub fn write_counts() {
    request(CALLGRIND, 0);
}

/// Asks valgrind; 0 if there is none.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn request(code: usize, argument: usize) -> usize {
    let words = [code, argument, 0, 0, 0, 0];
    let mut answer = 0_usize;
    // SAFETY: the rotations add up to 128 bits, so nothing changes on a processor. valgrind reads
    // `words`, which outlive the sequence, and writes the answer to rdx.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}

/// Asks valgrind; 0 if there is none.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn request(code: usize, argument: usize) -> usize {
    let words = [code, argument, 0, 0, 0, 0];
    let mut answer = 0_usize;
    // SAFETY: the rotations add up to 128 bits, so nothing changes on a processor. valgrind reads
    // `words`, which outlive the sequence, and writes the answer to x3.
    unsafe {
        std::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            in("x4") words.as_ptr(),
            inout("x3") answer,
            out("x12") _,
            options(nostack),
        );
    }
    answer
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn request(_code: usize, _argument: usize) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_without_effect_on_a_processor() {
        // Under valgrind this is another test.
        if !is_running() {
            start_instrumentation();
            zero_counts();
            write_counts();
            assert!(!is_running());
        }
    }
}
