//! The time zone of this machine.
#![allow(unsafe_code, reason = "std does not know time zones")]

/// How many minutes this machine's clock is ahead of UTC at a moment, given in seconds since 1970; 0 if
/// that cannot be told.
#[must_use]
pub fn minutes_ahead_of_utc(seconds: i64) -> i64 {
    // SAFETY: `tm` is plain data, for which zeros are valid. localtime_r reads the number and writes the
    // structure, both of which live here, and keeps no pointer to them.
    let ahead = unsafe {
        let mut broken_down: libc::tm = std::mem::zeroed();
        let time: libc::time_t = seconds;
        if libc::localtime_r(&raw const time, &raw mut broken_down).is_null() {
            return 0;
        }
        broken_down.tm_gmtoff
    };
    ahead / 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_place_is_a_day_ahead() {
        for seconds in [0, 1_794_793_200, -1, i64::MAX] {
            assert!(minutes_ahead_of_utc(seconds).abs() <= 26 * 60);
        }
    }
}
