//! How to find the path within the memory that is allowed.

use crate::WarpError;
use crate::codes::Codes;
use crate::kernel::{Engine, Slot};

/// Regions whose codes take at most this many bytes are kept whole: they stay in a core's own
/// cache, and are not worth dividing.
const WHOLE: usize = 1 << 20;

/// Blocks are not made smaller than this: the path then visits few of them again.
const SMALLEST_PITCH: usize = 1024;

/// Nor are more rows or columns kept than this, as more saves nothing.
const MOST_KEPT: usize = 64;

/// How to find the path within the memory that is allowed.
///
/// A region that is small enough is computed with two bits per cell that say where it came from. A
/// larger one is computed without; instead, some rows and columns are kept at regular distances.
/// Then, from the end backwards, only those blocks between kept rows and columns through which the
/// path goes are computed again, in the same way. That is about one part in [`MOST_KEPT`] of the
/// cells.
pub(crate) struct PathPlan {
    /// Distance between kept rows and columns, of the whole, of its blocks, of theirs, ...
    pitches: Vec<usize>,
}

impl PathPlan {
    /// A plan for this many rows and columns that needs at most this many bytes.
    pub(crate) fn new(
        engine: &Engine,
        rows: usize,
        columns: usize,
        limit: usize,
    ) -> Result<Self, WarpError> {
        if let Some(plan) = Self::within(engine, rows, columns, limit) {
            return Ok(plan);
        }
        let mut needed = limit.max(1);
        while Self::within(engine, rows, columns, needed).is_none() {
            needed = match needed.checked_add(needed / 8 + 1) {
                Some(more) => more,
                None => break,
            };
        }
        Err(WarpError::Memory { x_len: rows, y_len: columns, needed, limit })
    }

    fn within(engine: &Engine, rows: usize, columns: usize, limit: usize) -> Option<Self> {
        // The second series once more; the last row or column; and a path that at worst has no two
        // equal steps in a row, while it moves to where it has more room.
        let lengths = rows.checked_add(columns)?;
        let mut left = limit.checked_sub(lengths.checked_mul(8 + 8 + 3 * 8)?)?;
        let (mut rows, mut columns) = (rows, columns);
        let mut pitches = Vec::new();
        loop {
            // The row above, the column to the left, and two rows of a sweep ...
            let edges = rows.checked_add(columns.checked_mul(3)?)?.checked_mul(8)?;
            // ... with their margins, and the cells that it saves.
            let saved = engine.height() * (engine.registers() * size_of::<Slot>() + 64);
            left = left.checked_sub(edges.checked_add(saved + 1024)?)?;
            let whole = Codes::size(engine, rows, columns);
            if whole <= WHOLE.min(left) {
                return Some(Self { pitches });
            }
            let pitch = Self::pitch(engine, rows, columns, left)?;
            left = left.checked_sub(Self::kept(rows, columns, pitch)?)?;
            pitches.push(pitch);
            rows = rows.min(pitch);
            columns = columns.min(pitch);
        }
    }

    /// A distance between kept rows and columns such that these take at most half of the memory.
    fn pitch(engine: &Engine, rows: usize, columns: usize, left: usize) -> Option<usize> {
        let longer = rows.max(columns);
        let mut pitch = SMALLEST_PITCH.max(longer / MOST_KEPT);
        // Small regions are divided only where memory is scarce.
        if longer <= 2 * SMALLEST_PITCH {
            pitch = longer / 4;
        }
        loop {
            pitch = pitch.max(1).checked_next_multiple_of(engine.height())?;
            if pitch >= longer {
                return None;
            }
            if Self::kept(rows, columns, pitch)? <= left / 2 {
                return Some(pitch);
            }
            pitch = pitch.checked_add(pitch / 4 + 1)?;
        }
    }

    /// Bytes of the kept rows and columns.
    fn kept(rows: usize, columns: usize, pitch: usize) -> Option<usize> {
        let cells = (rows / pitch).checked_mul(columns + 1)?;
        cells.checked_add((columns / pitch).checked_mul(rows)?)?.checked_mul(8)
    }

    /// How far kept rows and columns are apart at a level, or none if it is kept whole.
    pub(crate) fn pitch_at(&self, level: usize) -> Option<usize> {
        self.pitches.get(level).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::PathPlan;
    use crate::kernel::{Engine, Kernel};

    #[test]
    fn levels_follow_from_size_and_memory() {
        let engine = Engine::of(Kernel::Scalar).unwrap();
        let levels = |n, limit| PathPlan::new(&engine, n, n, limit).map(|plan| plan.pitches.len());
        assert_eq!(levels(1000, 1 << 30), Ok(0));
        assert_eq!(levels(10_000, 1 << 30), Ok(1));
        assert_eq!(levels(200_000, 1 << 30), Ok(2));
        assert!(levels(200_000, 100 << 20).is_ok_and(|levels| levels >= 2));
        assert!(levels(200_000, 1 << 20).is_err());
        assert!(levels(usize::MAX, 1 << 30).is_err());
        assert!(levels(1, 0).is_err());
    }

    #[test]
    fn what_is_kept_takes_its_bytes() {
        // Two rows of 21 numbers, with what is left of them, and four columns of 10.
        assert_eq!(PathPlan::kept(10, 20, 5), Some(8 * (2 * 21 + 4 * 10)));
        assert_eq!(PathPlan::kept(usize::MAX, 20, 5), None);
    }

    #[test]
    fn the_path_and_the_edges_count_against_the_limit() {
        let engine = Engine::of(Kernel::Scalar).unwrap();
        let rows = 1 << 20;
        // A number of the second series again, one of the last row and a step: 40 bytes a place. The
        // column to the left has 8 more.
        let least = (rows + 1) * 40 + rows * 8;
        assert!(PathPlan::new(&engine, rows, 1, least).is_err());
        assert!(PathPlan::new(&engine, rows, 1, 2 * least).is_ok());
    }
}
