//! Computing the cells of a region strip by strip, and keeping what is asked for.

use crate::WarpError;
use crate::codes::Codes;
use crate::kernel::{MOST_REGISTERS, Segment, Slot, Strip};
use crate::problem::Problem;
use std::ops::Range;

/// Some rows and columns of a problem, with the cells around them.
#[derive(Clone)]
pub(crate) struct Region {
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Range<usize>,
    /// The row above, beginning left of the first column.
    pub(crate) top: Vec<f64>,
    /// The column to the left.
    pub(crate) left: Vec<f64>,
}

/// What to keep of a sweep.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Columns, in rising order.
    pub(crate) columns: Vec<usize>,
    /// The last of every N rows, a multiple of the height of a strip.
    pub(crate) rows_every: Option<usize>,
    /// Where each cell came from.
    pub(crate) codes: bool,
    /// The last row.
    pub(crate) last_row: bool,
}

/// What was kept of a sweep.
pub(crate) struct SweepRecord {
    /// Cells of the columns, for every row of the region.
    pub(crate) columns: Vec<Vec<f64>>,
    /// Cells of the rows, beginning left of the region's first column.
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) codes: Codes,
    /// Cells of the last row, for every column of the region.
    pub(crate) last_row: Vec<f64>,
}

/// Computes all cells of a region.
pub(crate) fn sweep(
    problem: &Problem<'_>,
    region: &Region,
    wanted: &Wanted,
) -> Result<SweepRecord, WarpError> {
    let mut sweep = Sweep::new(problem, region, wanted);
    let height = problem.engine.height();
    let mut first = region.rows.start;
    while first < region.rows.end {
        let rows = first..(first + height).min(region.rows.end);
        let columns = sweep.columns_of(&rows);
        let cells = rows.len().saturating_mul(columns.len()) as u64;
        sweep.strip(&rows, &columns);
        first = rows.end;
        if wanted.rows_every.is_some_and(|every| (first - region.rows.start).is_multiple_of(every))
        {
            sweep.keep_row(&columns);
        }
        problem.watch.advance(cells)?;
    }
    Ok(sweep.kept)
}

/// A sweep under way.
struct Sweep<'a> {
    problem: &'a Problem<'a>,
    region: &'a Region,
    wanted: &'a Wanted,
    /// The row above the strip; the region's first column is at index `margin`.
    upper: Vec<f64>,
    /// The last row of the strip, alike.
    lower: Vec<f64>,
    /// As the last row of a strip is as many columns behind the first as the strip is high, both
    /// are read and written that far outside of the region.
    margin: usize,
    /// All cells of some steps.
    saved: Vec<Slot>,
    /// Register and lane of each row of a strip.
    places: Vec<(usize, usize)>,
    kept: SweepRecord,
}

impl<'a> Sweep<'a> {
    fn new(problem: &'a Problem<'a>, region: &'a Region, wanted: &'a Wanted) -> Self {
        let margin = problem.engine.height();
        let mut upper = vec![f64::INFINITY; margin + region.columns.len() + margin];
        let lower = upper.clone();
        for (cell, &top) in upper.iter_mut().skip(margin - 1).zip(&region.top) {
            *cell = top;
        }
        let column = || vec![f64::INFINITY; region.rows.len()];
        let last_row = if wanted.last_row { region.columns.len() } else { 0 };
        let (rows, columns) = match wanted.codes {
            true => (region.rows.len(), region.columns.len()),
            false => (0, 0),
        };
        let kept = SweepRecord {
            columns: wanted.columns.iter().map(|_| column()).collect(),
            rows: Vec::new(),
            codes: Codes::new(problem.engine, region.rows.start, rows, columns),
            last_row: vec![f64::INFINITY; last_row],
        };
        let saved = vec![[0.0; 8]; problem.engine.height() * problem.engine.registers()];
        let places = (0..margin).map(|q| problem.engine.place(q)).collect();
        Self { problem, region, wanted, upper, lower, margin, saved, places, kept }
    }

    /// The columns that any of some rows may use.
    fn columns_of(&self, rows: &Range<usize>) -> Range<usize> {
        let region = &self.region.columns;
        let first = self.problem.columns_of(rows.start).start.max(region.start);
        let end = self.problem.columns_of(rows.end.saturating_sub(1)).end.min(region.end);
        // The band may be left of the region.
        first.min(region.end)..end.max(first)
    }

    /// Where a column is in `upper` and `lower`.
    fn index(&self, column: usize) -> usize {
        self.margin + column - self.region.columns.start
    }

    /// Cells left of the region, of some rows.
    fn left_of(&self, rows: &Range<usize>) -> &'a [f64] {
        let start = self.region.rows.start;
        self.region.left.get(rows.start - start..rows.end - start).unwrap_or_default()
    }

    /// Computes a strip; afterwards its last row is `upper`.
    fn strip(&mut self, rows: &Range<usize>, columns: &Range<usize>) {
        let engine = self.problem.engine;
        let steps = if columns.is_empty() { 0 } else { columns.len() + rows.len() - 1 };
        if steps == 0 {
            self.lower.fill(f64::INFINITY);
            let corner = self.left_of(rows).last().copied().unwrap_or(f64::INFINITY);
            if let Some(cell) = self.lower.get_mut(self.margin - 1) {
                *cell = corner;
            }
        }
        let mut strip = self.begin(rows, columns);
        let code_bytes = if self.wanted.codes { engine.code_bytes() } else { 0 };
        if self.wanted.codes {
            self.kept.codes.strip(columns.start, steps);
        }
        let above = self.index(columns.start);
        let below = above + 1 - engine.height();
        let mut taps = 0;
        let mut from = 0;
        while from < steps {
            let (to, saving) = self.part(from..steps, rows, columns, &mut taps);
            let count = to - from;
            let saved = if saving { count * engine.registers() } else { 0 };
            let segment = Segment {
                from,
                y: self.problem.met(columns.start + from..columns.start + to),
                above: self.upper.get(above + from..above + to).unwrap_or_default(),
                below: self.lower.get_mut(below + from..below + to).unwrap_or_default(),
                saved: self.saved.get_mut(..saved).unwrap_or_default(),
                codes: self.kept.codes.last_strip(from * code_bytes..to * code_bytes),
                penalty: self.problem.penalty,
            };
            let guarded = self.problem.band.is_some() || from < engine.height();
            engine.run(&mut strip, segment, guarded);
            if saving {
                self.keep_saved(from..to, rows, columns, taps);
            }
            from = to;
        }
        std::mem::swap(&mut self.upper, &mut self.lower);
    }

    /// The state before the first step.
    fn begin(&self, rows: &Range<usize>, columns: &Range<usize>) -> Strip {
        const ZERO: [Slot; MOST_REGISTERS] = [[0.0; 8]; MOST_REGISTERS];
        const NEVER: [Slot; MOST_REGISTERS] = [[f64::INFINITY; 8]; MOST_REGISTERS];
        let mut strip = Strip {
            x: ZERO,
            y: ZERO,
            now: NEVER,
            before: NEVER,
            corner: [f64::INFINITY; 8],
            left: NEVER,
            first: NEVER,
            last: NEVER,
        };
        let corner = self.index(columns.start) - 1;
        strip.corner[0] = self.upper.get(corner).copied().unwrap_or(f64::INFINITY);
        let lefts = self.left_of(rows);
        for (q, row) in rows.clone().enumerate() {
            let (register, lane) = self.problem.engine.place(q);
            let own = self.problem.columns_of(row);
            // Where a band begins further right, this is infinite too.
            let left = lefts.get(q).copied().unwrap_or(f64::INFINITY);
            strip.x[register][lane] = self.problem.x.get(row).copied().unwrap_or(0.0);
            strip.now[register][lane] = left;
            strip.left[register][lane] = left;
            #[allow(clippy::cast_precision_loss, reason = "far below 2^53 steps")]
            {
                let late = own.start.saturating_sub(columns.start);
                strip.first[register][lane] = (q + late) as f64;
                if self.problem.band.is_some() {
                    let end = (q + own.end) as f64 - columns.start as f64;
                    strip.last[register][lane] = end - 1.0;
                }
            }
        }
        strip
    }

    /// Up to where steps are alike, and whether their cells must be saved. `taps` counts the
    /// wanted columns that are behind.
    fn part(
        &self,
        steps: Range<usize>,
        rows: &Range<usize>,
        columns: &Range<usize>,
        taps: &mut usize,
    ) -> (usize, bool) {
        let height = self.problem.engine.height();
        let mut to = steps.end;
        if steps.start < height {
            to = to.min(height);
        }
        let mut saving = self.wanted.last_row && rows.end == self.region.rows.end;
        let behind = |column: usize| column + rows.len() <= columns.start + steps.start;
        while self.wanted.columns.get(*taps).is_some_and(|&column| behind(column)) {
            *taps += 1;
        }
        for &column in self.wanted.columns.iter().skip(*taps) {
            // A column outside of the band has no cells in this strip.
            let Some(first) = column.checked_sub(columns.start) else { continue };
            if first >= to || column >= columns.end {
                break;
            }
            if first > steps.start {
                to = first;
            } else {
                to = to.min(first + rows.len());
                saving = true;
            }
        }
        if saving {
            to = to.min(steps.start + height);
        }
        (to, saving)
    }

    /// Takes what is wanted out of the cells of some steps.
    fn keep_saved(
        &mut self,
        steps: Range<usize>,
        rows: &Range<usize>,
        columns: &Range<usize>,
        taps: usize,
    ) {
        let engine = self.problem.engine;
        let (saved, places, registers) = (&self.saved, &self.places, engine.registers());
        let cell = |q: usize, step: usize| {
            let &(register, lane) = places.get(q)?;
            saved.get((step - steps.start) * registers + register)?.get(lane).copied()
        };
        let first_row = rows.start - self.region.rows.start;
        let wanted = self.wanted.columns.iter().zip(&mut self.kept.columns).skip(taps);
        for (&column, kept) in wanted {
            let Some(first) = column.checked_sub(columns.start) else { continue };
            if first >= steps.end || column >= columns.end {
                break;
            }
            for (q, kept) in kept.iter_mut().skip(first_row).take(rows.len()).enumerate() {
                if steps.contains(&(first + q)) {
                    *kept = cell(q, first + q).unwrap_or(f64::INFINITY);
                }
            }
        }
        if self.wanted.last_row && rows.end == self.region.rows.end {
            let q = rows.len() - 1;
            let region = self.region.columns.start;
            for step in steps.clone() {
                let Some(column) = (columns.start + step).checked_sub(q) else { continue };
                if columns.contains(&column)
                    && let Some(kept) = self.kept.last_row.get_mut(column - region)
                {
                    *kept = cell(q, step).unwrap_or(f64::INFINITY);
                }
            }
        }
    }

    /// Keeps the last row of the strip that was computed last.
    fn keep_row(&mut self, columns: &Range<usize>) {
        let mut row = vec![f64::INFINITY; self.region.columns.len() + 1];
        // Left of the strip it has what it was told is there.
        let (from, to) = (self.index(columns.start) - 1, self.index(columns.end));
        let place = row.iter_mut().skip(from + 1 - self.margin);
        for (kept, &cell) in place.zip(self.upper.get(from..to).unwrap_or_default()) {
            *kept = cell;
        }
        self.kept.rows.push(row);
    }
}
