//! How much the level of a metric usually changes from one stretch to the next.

use super::sum_of_products;

/// A window, as it is put at other places: this many rows after the stretch it is compared with,
/// and this many rows long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placed {
    pub(super) gap: usize,
    pub(super) rows: usize,
    /// What it counts for; those of all windows are 1 together.
    pub(super) weight: f64,
}

/// The usual size of a change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Usual {
    /// The root of the mean square of the changes at all places.
    pub(super) size: f64,
    /// How many independent changes that rests on, by how alike those of near places are.
    pub(super) independent: f64,
}

impl Usual {
    /// The changes in a history, at every place where as many rows as `before` precede the windows;
    /// `None` if there is no such place. The history's mean should be close to 0.
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
    pub(super) fn of(history: &[f64], before: usize, windows: &[Placed]) -> Option<Usual> {
        let reach = windows.iter().map(|window| window.gap + window.rows).max()?;
        let last = history.len().checked_sub(reach)?;
        let mut sums = Vec::with_capacity(history.len() + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for value in history {
            sum += value;
            sums.push(sum);
        }
        let mean = |from: usize, rows: usize| {
            let sum =
                sums.get(from + rows).copied().unwrap_or(sum) - sums.get(from).unwrap_or(&sum);
            sum / rows as f64
        };
        let mut changes: Vec<f64> =
            (before..=last).map(|place| -mean(place - before, before)).collect();
        for window in windows {
            for (change, place) in changes.iter_mut().zip(before..) {
                *change += window.weight * mean(place + window.gap, window.rows);
            }
        }
        if changes.is_empty() {
            return None;
        }
        let square = sum_of_products(&changes, &changes) / changes.len() as f64;
        let rows = windows.iter().map(|window| window.rows).min().unwrap_or(1);
        let alike = alike(&changes, square, (rows / 4).max(1), before + reach);
        Some(Usual { size: square.sqrt(), independent: changes.len() as f64 / alike })
    }
}

/// By how many times more there are changes than independent ones, as far as their mean square is
/// concerned: 1 + 2 sum of squared autocorrelations, up to the lag from which on they have no row in
/// common, at every `stride`-th lag: neighbours differ little.
#[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
fn alike(changes: &[f64], square: f64, stride: usize, reach: usize) -> f64 {
    if square <= 0.0 {
        return changes.len() as f64;
    }
    // Less than half of the changes have no pair at longer lags.
    let lags = (stride..reach.min(changes.len() / 2)).step_by(stride);
    let squared = lags.map(|lag| {
        let later = changes.get(lag..).unwrap_or_default();
        let products = sum_of_products(changes, later);
        (products / later.len() as f64 / square).powi(2)
    });
    1.0 + 2.0 * stride as f64 * squared.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjacent(rows: usize) -> [Placed; 1] {
        [Placed { gap: 0, rows, weight: 1.0 }]
    }

    #[test]
    fn changes_at_every_place() {
        // 1 - 0, 3 - 1, 2 - 3
        let usual = Usual::of(&[0.0, 1.0, 3.0, 2.0], 1, &adjacent(1)).unwrap();
        assert!((usual.size - 2.0_f64.sqrt()).abs() < 1e-15);
        // (3 + 2) / 2 - (0 + 1) / 2
        let usual = Usual::of(&[0.0, 1.0, 3.0, 2.0], 2, &adjacent(2)).unwrap();
        assert!((usual.size - 2.0).abs() < 1e-15);
        assert_eq!(Usual::of(&[0.0, 1.0, 3.0, 2.0], 3, &adjacent(2)), None);
        assert_eq!(Usual::of(&[0.0], 1, &adjacent(2)), None);
        assert_eq!(Usual::of(&[0.0, 1.0], 1, &[]), None);
    }

    #[test]
    fn several_windows_are_placed_together() {
        let windows =
            [Placed { gap: 0, rows: 1, weight: 0.25 }, Placed { gap: 1, rows: 2, weight: 0.75 }];
        // 4 / 4 + 3 (8 + 0) / 2 / 4 - 2
        let usual = Usual::of(&[2.0, 4.0, 8.0, 0.0], 1, &windows).unwrap();
        assert!((usual.size - 2.0).abs() < 1e-15);
    }

    #[test]
    fn slow_changes_are_few() {
        let slow: Vec<f64> = (0..400).map(|n| (f64::from(n) / 30.0).sin()).collect();
        let fast: Vec<f64> = (0..400_i32).map(|n| f64::from((n * n * 37) % 101) - 50.0).collect();
        let slow = Usual::of(&slow, 40, &adjacent(10)).unwrap().independent;
        let fast = Usual::of(&fast, 40, &adjacent(10)).unwrap().independent;
        assert!(slow < 10.0 && fast > 20.0, "{slow} {fast}");
    }
}
