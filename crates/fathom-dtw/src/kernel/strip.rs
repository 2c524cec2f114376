//! The heart: a strip of rows is computed for all columns at once, each row one column behind the
//! row above it, so that no cell waits for another of the same step.
//!
//! With R registers of L lanes a strip has L times R rows. Row q is lane q / R of register q mod R:
//! what a row needs from the row above is then, for all registers but the first, simply the
//! register before it, and only one register per step has its lanes moved.

use super::lanes::{Lanes, Slot};

/// Room for the registers of the tallest strip.
pub(crate) const MOST_REGISTERS: usize = 8;

/// One number per row of a strip, arranged as the kernel wants them.
pub(crate) type Rows = [Slot; MOST_REGISTERS];

/// What a strip carries from one step to the next. Step t computes column t - q of row q.
pub(crate) struct Strip {
    /// The values of x, one per row.
    pub(crate) x: Rows,
    /// The value of y that each row met last.
    pub(crate) y: Rows,
    /// The cell that each row computed last, before its first the one left of the strip.
    pub(crate) now: Rows,
    /// The cell that each row computed before that.
    pub(crate) before: Rows,
    /// For the rows in the first register, the cell above the one they computed last.
    pub(crate) corner: Slot,
    /// The cell left of the first column, which guarded steps give to rows that wait.
    pub(crate) left: Rows,
    /// First step at which a row is inside.
    pub(crate) first: Rows,
    /// Last step at which a row is inside; later cells are infinite, in guarded steps.
    pub(crate) last: Rows,
}

/// Some steps of a strip. All but `saved` and `codes` have one item per step.
pub(crate) struct Segment<'a> {
    /// The first step.
    pub(crate) from: usize,
    /// The value of y that the first row meets.
    pub(crate) y: &'a [f64],
    /// The cell above the first row.
    pub(crate) above: &'a [f64],
    /// Receives the cell of the last row.
    pub(crate) below: &'a mut [f64],
    /// Receives all cells, one [`Slot`] per register and step, or has no room.
    pub(crate) saved: &'a mut [Slot],
    /// Receives two bits per cell: where it came from. Only if the kernel is told so.
    pub(crate) codes: &'a mut [u8],
    /// Added to a step that is not diagonal. Only if the kernel is told so.
    pub(crate) penalty: f64,
}

/// Repeats a block for each register from the last to the first, with its number a constant, so
/// that the compiler keeps every register of the strip in one of the processor's.
macro_rules! downwards {
    ($r:ident < $count:ident, $block:block) => {
        downwards!(@ $r $count $block 7 6 5 4 3 2 1 0)
    };
    (@ $r:ident $count:ident $block:block $($number:literal)*) => {
        $(if $number < $count {
            #[allow(non_upper_case_globals, reason = "reads like the loop that it stands for")]
            const $r: usize = $number;
            $block
        })*
    };
}

/// Steps between two tidyings of the values of y that rows have met. Even.
const CHUNK: usize = 64;

/// What stays the same in all steps.
struct Fixed<V, const R: usize> {
    x: [V; R],
    outside: [V; R],
    first: [V; R],
    last: [V; R],
    infinity: V,
    penalty: V,
}

/// Computes the steps of a segment.
///
/// `GUARDED` steps look which rows are inside, which only the first steps of a strip and strips
/// with a band need. `CODES` and `PENALTY` say whether those are wanted.
///
/// A cell comes from the diagonal if that is not worse, else from above if that is not worse, else
/// from the left.
///
/// # Safety
/// The processor has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn advance<
    V: Lanes,
    const R: usize,
    const GUARDED: bool,
    const CODES: bool,
    const PENALTY: bool,
>(
    strip: &mut Strip,
    segment: Segment<'_>,
) {
    // SAFETY: the caller promises the instructions of V.
    let read = |rows: &Rows| unsafe { read::<V, R>(rows) };
    // SAFETY: as above.
    let splat = |value: f64| unsafe { V::splat(value) };
    let fixed = Fixed {
        x: read(&strip.x),
        outside: read(&strip.left),
        first: read(&strip.first),
        last: read(&strip.last),
        infinity: splat(f64::INFINITY),
        penalty: splat(segment.penalty),
    };
    let (mut now, mut before) = (read(&strip.now), read(&strip.before));
    // SAFETY: as above.
    let mut corner = unsafe { V::read(&strip.corner) };
    let mut turned = now[R - 1].rotated();
    // What register r meets is what the first met r steps ago. The last R of these come first, the
    // latest last. They are not kept in registers, because there are too few.
    let mut met = [fixed.infinity; MOST_REGISTERS + CHUNK];
    for (met, y) in met.iter_mut().zip(read(&strip.y).into_iter().rev()) {
        *met = y;
    }

    let mut saved = segment.saved.chunks_exact_mut(R);
    let mut codes = segment.codes.chunks_exact_mut(V::LANES * R / 4);
    // One step, from cells `$now` and those before, which the new ones replace.
    macro_rules! step {
        ($now:ident, $before:ident, $s:expr, $at:expr, $y:ident, $above:ident, $below:ident) => {{
            met[R + $s] = met[$s].rotated().with_first($y[$s]);
            let above = turned.with_first($above[$s]);
            #[allow(clippy::cast_precision_loss, reason = "far below 2^53 steps")]
            let time = if GUARDED { splat(($at + $s) as f64) } else { fixed.infinity };
            let codes = if CODES { codes.next().unwrap_or_default() } else { &mut [] };
            let edge = (above, corner);
            cells::<V, R, GUARDED, CODES, PENALTY>(
                &fixed,
                &met[$s + 1..],
                edge,
                &$now,
                &mut $before,
                time,
                codes,
            );
            corner = above;
            turned = $before[R - 1].rotated();
            $below[$s] = turned.first();
            if let Some(saved) = saved.next() {
                for (slot, cell) in saved.iter_mut().zip($before) {
                    cell.write(slot);
                }
            }
        }};
    }
    let chunks = segment.y.chunks(CHUNK).zip(segment.above.chunks(CHUNK));
    let chunks = chunks.zip(segment.below.chunks_mut(CHUNK));
    for (((y, above), below), at) in chunks.zip((segment.from..).step_by(CHUNK)) {
        let count = y.len().min(above.len()).min(below.len()).min(CHUNK);
        let (y, above, below) = (&y[..count], &above[..count], &mut below[..count]);
        let mut s = 0;
        while s + 1 < count {
            step!(now, before, s, at, y, above, below);
            step!(before, now, s + 1, at, y, above, below);
            s += 2;
        }
        if s < count {
            step!(now, before, s, at, y, above, below);
            core::mem::swap(&mut now, &mut before);
        }
        met.copy_within(count..count + R, 0);
    }

    for (y, met) in strip.y.iter_mut().zip(met[..R].iter().rev()) {
        met.write(y);
    }
    for r in 0..R {
        now[r].write(&mut strip.now[r]);
        before[r].write(&mut strip.before[r]);
    }
    corner.write(&mut strip.corner);
}

/// The registers of some rows.
///
/// # Safety
/// The processor has the instructions of `V`.
#[inline(always)]
unsafe fn read<V: Lanes, const R: usize>(rows: &Rows) -> [V; R] {
    // SAFETY: the caller promises the instructions of V.
    let mut registers = [unsafe { V::splat(0.0) }; R];
    for (register, slot) in registers.iter_mut().zip(rows) {
        // SAFETY: as above.
        *register = unsafe { V::read(slot) };
    }
    registers
}

/// Computes the cells of a step, which replace those `before` the ones of `now`. `met` are the
/// values of y, that of the last register first; `edge` is what is above and diagonally above the
/// first register.
#[inline(always)]
fn cells<V: Lanes, const R: usize, const GUARDED: bool, const CODES: bool, const PENALTY: bool>(
    fixed: &Fixed<V, R>,
    met: &[V],
    edge: (V, V),
    now: &[V; R],
    before: &mut [V; R],
    time: V,
    codes: &mut [u8],
) {
    let Some(met) = met.first_chunk::<R>() else { return };
    let codes = codes.get_mut(..V::LANES * R / 4).unwrap_or_default();
    let mut code = 0;
    // Downwards: a register's old cells make room when the next register has read them.
    downwards!(r < R, {
        let (up, diagonal) = match r {
            0 => edge,
            _ => (now[r.saturating_sub(1)], before[r.saturating_sub(1)]),
        };
        let mut aside = up.least(now[r]);
        if PENALTY {
            aside = aside.plus(fixed.penalty);
        }
        let mut cell = fixed.x[r].gap(met[R - 1 - r]).plus(diagonal.least(aside));
        if GUARDED {
            cell = V::choose(time.at_most(fixed.last[r]), cell, fixed.infinity);
            cell = V::choose(fixed.first[r].at_most(time), cell, fixed.outside[r]);
        }
        if CODES {
            let diagonal = V::bits(diagonal.at_most(aside));
            let above = V::bits(up.at_most(now[r]));
            write_code::<V>(codes, &mut code, r, diagonal, above);
        }
        before[r] = cell;
    });
}

/// Two bits per row: eight lanes fill two bytes of their own, fewer share a byte with the next
/// registers. Registers come in falling order.
#[inline(always)]
fn write_code<V: Lanes>(codes: &mut [u8], code: &mut u8, r: usize, diagonal: u8, above: u8) {
    if V::LANES == 8 {
        if let Some([first, second]) = codes.get_mut(2 * r..2 * r + 2) {
            *first = diagonal;
            *second = above;
        }
    } else {
        let sharing = 4 / V::LANES;
        *code |= (diagonal | above << V::LANES) << (r % sharing * 2 * V::LANES);
        if r.is_multiple_of(sharing) {
            if let Some(place) = codes.get_mut(r / sharing) {
                *place = *code;
            }
            *code = 0;
        }
    }
}
