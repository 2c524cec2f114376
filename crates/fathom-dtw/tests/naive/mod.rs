//! Dynamic time warping as its definition says, on a full matrix, and series to try it on.
#![allow(dead_code, reason = "every test uses a part")]

use fathom_dtw::{Alignment, Warp, WarpError};

/// What is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(crate) band: Option<usize>,
    pub(crate) penalty: f64,
    pub(crate) free: bool,
}

impl Options {
    pub(crate) fn warp(self) -> Warp<'static> {
        let warp = Warp::new().penalty(self.penalty);
        self.band.map_or(warp, |radius| warp.band(radius))
    }

    pub(crate) fn align(
        self,
        warp: Warp<'_>,
        x: &[f64],
        y: &[f64],
    ) -> Result<Alignment, WarpError> {
        if self.free { warp.find(x, y) } else { warp.align(x, y) }
    }

    pub(crate) fn distance(self, warp: Warp<'_>, x: &[f64], y: &[f64]) -> Result<f64, WarpError> {
        if self.free { Ok(warp.find_distance(x, y)?.0) } else { warp.distance(x, y) }
    }
}

/// The distance and the path, by the definition; infinite where no path fits.
pub(crate) fn naive(x: &[f64], y: &[f64], options: Options) -> (f64, Vec<(usize, usize)>) {
    let (n, m) = (x.len(), y.len());
    let inside = |i: usize, j: usize| match options.band {
        None => true,
        Some(radius) => {
            (i * (m - 1)).abs_diff(j * (n - 1)) <= radius.min(n.max(m)) * (n.max(m) - 1)
        }
    };
    // Row and column 0 are what is before the first samples.
    let mut cells = vec![vec![f64::INFINITY; m + 1]; n + 1];
    cells[0][0] = 0.0;
    if options.free {
        cells[0].fill(0.0);
    }
    for i in 1..=n {
        for j in 1..=m {
            if inside(i - 1, j - 1) {
                let aside = cells[i - 1][j].min(cells[i][j - 1]) + options.penalty;
                let best = cells[i - 1][j - 1].min(aside);
                cells[i][j] = (x[i - 1] - y[j - 1]).abs() + best;
            }
        }
    }
    let mut j = m;
    if options.free {
        for other in (1..=m).rev() {
            if cells[n][other] <= cells[n][j] {
                j = other;
            }
        }
    }
    let mut i = n;
    let distance = cells[i][j];
    let mut path = Vec::new();
    while distance.is_finite() {
        path.push((i - 1, j - 1));
        let aside = cells[i - 1][j].min(cells[i][j - 1]) + options.penalty;
        if cells[i - 1][j - 1] <= aside {
            (i, j) = (i - 1, j - 1);
        } else if cells[i - 1][j] <= cells[i][j - 1] {
            i -= 1;
        } else {
            j -= 1;
        }
        if i == 0 || j == 0 {
            break;
        }
    }
    path.reverse();
    (distance, path)
}

/// Numbers that look random and are the same every time.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }
}

/// Kinds of series that go wrong in different ways.
pub(crate) const KINDS: [&str; 8] =
    ["noise", "walk", "ties", "constant", "steps", "denormal", "huge", "mixed"];

pub(crate) fn series(kind: &str, len: usize, chance: &mut Chance) -> Vec<f64> {
    let mut level = 0.0;
    let value = |i: usize, chance: &mut Chance| match kind {
        "noise" => chance.unit() * 20.0 - 10.0,
        "ties" => chance.below(3) as f64,
        "constant" => 4.25,
        "steps" => ((i * 5 / len.max(1)) % 2) as f64 + chance.unit() * 1e-3,
        "denormal" => {
            f64::from_bits(chance.bits() % 64) * if chance.below(2) == 0 { -1.0 } else { 1.0 }
        }
        "huge" => (chance.unit() - 0.5) * 1e300,
        "mixed" => (chance.unit() - 0.5) * 10_f64.powi(chance.below(30) as i32 - 15),
        _ => 0.0,
    };
    (0..len)
        .map(|i| {
            if kind == "walk" {
                level += chance.unit() - 0.5;
                level
            } else {
                value(i, chance)
            }
        })
        .collect()
}
