//! Levels as people say them.

/// 0.95 as "95%", 0.999 as "99.9%".
#[must_use]
pub fn percent(level: f64) -> String {
    format!("{}%", (level * 1e12).round() / 1e10)
}
