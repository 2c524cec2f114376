//! How long measuring will still take, for the line that shows progress.

use fathom_render::rough;

/// "at most 3 s left", "under 1 s left".
pub(crate) fn time_left(seconds: f64) -> String {
    let left = rough(seconds);
    if left.starts_with("under") { format!("{left} left") } else { format!("at most {left} left") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_a_limit() {
        assert_eq!(time_left(0.4), "under 1 s left");
        assert_eq!(time_left(3.2), "at most 3 s left");
        assert_eq!(time_left(200.0), "at most 3 min left");
    }
}
