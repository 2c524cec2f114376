//! `docs/performance.md`: what things cost, as ratios to peers measured in the same run.

/// Measures and writes the page.
pub fn page() -> Result<String, String> {
    Err("not yet".to_string())
}
