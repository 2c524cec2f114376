//! A heap that begins elsewhere: for benches that repeat executions to see what the place of their
//! data does to their speed.

use std::ffi::{OsStr, c_int};

/// The environment variable that says by how many bytes the heap is moved.
pub const VARIABLE: &str = "FATHOM_HEAP_OFFSET";

/// More than this would not be an offset within pages.
const MOST: usize = 1 << 20;

/// Runs before `main`: what a bench makes before it starts measuring must be moved as well.
#[used]
#[allow(unsafe_code, reason = "the linker puts it where functions to call before main are")]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn(c_int, *const *const u8, *const *const u8) = before_main;

extern "C" fn before_main(_: c_int, _: *const *const u8, _: *const *const u8) {
    if let Some(bytes) = std::env::var_os(VARIABLE).as_deref().and_then(asked) {
        // Never given back, so that everything that follows lies behind it.
        std::mem::forget(Vec::<u8>::with_capacity(bytes));
    }
}

fn asked(value: &OsStr) -> Option<usize> {
    value.to_str()?.parse().ok().filter(|bytes| (1..=MOST).contains(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sensible_offsets_are_taken() {
        assert_eq!(asked(OsStr::new("4080")), Some(4080));
        for text in ["", "0", "-1", "many", "99999999999", "2000000"] {
            assert_eq!(asked(OsStr::new(text)), None, "{text}");
        }
    }
}
