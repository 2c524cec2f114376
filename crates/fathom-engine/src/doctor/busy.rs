//! A program that does nothing but count, to be measured: this one, started again.

/// The hidden word that makes this program count.
pub(super) const BUSY: &str = "__fathom-busy";

/// Counts and exits, if this process was started to do that.
pub fn busy_if_asked() {
    // Words need not be text: `args` would panic.
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != BUSY) {
        return;
    }
    let steps = words.next().and_then(|steps| steps.to_str()?.parse().ok()).unwrap_or(0_u64);
    let mut state = 1_u64;
    for step in 0..steps {
        // A chain of dependent steps: its time follows from the clock speed alone.
        state = std::hint::black_box(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(step));
    }
    std::process::exit(i32::from(state == 0));
}
