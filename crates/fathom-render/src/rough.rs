//! Durations that are guesses.

/// "3 s", "2 min": rough, because it is a guess.
///
/// ```
/// assert_eq!(fathom_render::rough(210.0), "4 min");
/// ```
#[must_use]
pub fn rough(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "under 1 s".to_string(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rough() {
        assert_eq!(rough(0.2), "under 1 s");
        assert_eq!(rough(42.4), "42 s");
        assert_eq!(rough(210.0), "4 min");
    }
}
