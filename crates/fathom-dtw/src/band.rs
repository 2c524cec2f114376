//! The cells that a Sakoe-Chiba band leaves.

use crate::WarpError;
use std::ops::Range;

/// Cells near the straight line from the first to the last samples of both series.
///
/// Of n by m cells, (i, j) is inside if |i (m - 1) - j (n - 1)| <= radius (max(n, m) - 1): it is at
/// most `radius` samples of the shorter series away from the line. For equal lengths this is the
/// usual |i - j| <= radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Band {
    /// Last index of x.
    x_last: u128,
    /// Last index of y.
    y_last: u128,
    slack: u128,
}

impl Band {
    /// The band of a radius, if any path fits.
    pub(crate) fn new(radius: usize, x_len: usize, y_len: usize) -> Result<Self, WarpError> {
        // Exactly on a line that is not the diagonal, cells do not touch.
        if radius == 0 && x_len != y_len && x_len > 1 && y_len > 1 {
            return Err(WarpError::NoPath { radius, x_len, y_len });
        }
        let (x_last, y_last) = (x_len.saturating_sub(1) as u128, y_len.saturating_sub(1) as u128);
        let longer = x_last.max(y_last);
        Ok(Self { x_last, y_last, slack: (radius as u128).min(longer) * longer })
    }

    /// The columns of a row.
    pub(crate) fn columns(&self, row: usize) -> Range<usize> {
        if self.x_last == 0 {
            return 0..index(self.y_last) + 1;
        }
        let line = row as u128 * self.y_last;
        let first = line.saturating_sub(self.slack).div_ceil(self.x_last);
        let last = (line.saturating_add(self.slack) / self.x_last).min(self.y_last);
        index(first)..index(last) + 1
    }
}

/// An index that is known to be at most that of the last sample.
fn index(number: u128) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::Band;

    #[test]
    fn columns_are_those_of_the_definition() {
        for x_len in 1..9_usize {
            for y_len in 1..9_usize {
                for radius in 0..10 {
                    let Ok(band) = Band::new(radius, x_len, y_len) else { continue };
                    for i in 0..x_len {
                        let inside = |&j: &usize| {
                            (i * (y_len - 1)).abs_diff(j * (x_len - 1))
                                <= radius * (x_len.max(y_len) - 1)
                        };
                        let expected: Vec<usize> = (0..y_len).filter(inside).collect();
                        assert_eq!(band.columns(i).collect::<Vec<_>>(), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn a_path_fits_exactly_if_rows_touch() {
        for x_len in 1..12_usize {
            for y_len in 1..12_usize {
                for radius in 0..4 {
                    let slack = radius * (x_len.max(y_len) - 1);
                    let inside =
                        |i: usize, j: usize| (i * (y_len - 1)).abs_diff(j * (x_len - 1)) <= slack;
                    let mut reached = vec![vec![false; y_len]; x_len];
                    for i in 0..x_len {
                        for j in 0..y_len {
                            let from = (i > 0 && reached[i - 1][j])
                                || (j > 0 && reached[i][j - 1])
                                || (i > 0 && j > 0 && reached[i - 1][j - 1])
                                || i + j == 0;
                            reached[i][j] = from && inside(i, j);
                        }
                    }
                    let fits = reached[x_len - 1][y_len - 1];
                    assert_eq!(Band::new(radius, x_len, y_len).is_ok(), fits);
                }
            }
        }
    }

    #[test]
    fn huge_radius_and_lengths_do_not_overflow() {
        let band = Band::new(usize::MAX, usize::MAX, 1 << 62).unwrap();
        assert_eq!(band.columns(usize::MAX - 1), 0..1 << 62);
    }
}
