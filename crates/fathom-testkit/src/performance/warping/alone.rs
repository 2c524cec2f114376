//! Aligning in a process of its own, which does nothing else.

use super::super::memory::peak;
use super::super::reading::median;
use super::pairs::{Pair, read};
use fathom_dtw::{Alignment, Kernel, Warp, WarpError};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// The command of this program that a child process answers: FILE LENGTH KERNEL usual|least.
pub const COMMAND: &str = "align-alone";

/// Samples of the alignment that is not counted.
const WARM_UP: usize = 100;
/// Alignments are repeated until they took so long, in seconds.
const ENOUGH: f64 = 1.0;

/// What a process that aligned pairs of series says; peers say the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Aligned {
    /// The median time of aligning all pairs.
    pub(super) seconds: f64,
    /// Of how many times.
    pub(super) runs: usize,
    /// The sum of |x - y| along each path.
    pub(super) absolute: Vec<f64>,
    /// The sum of (x - y)² along each path.
    pub(super) squares: Vec<f64>,
    /// How many pairs of samples the last path has.
    pub(super) pairs: usize,
    /// The most memory the process held before, in bytes.
    pub(super) before: Option<f64>,
    /// The most memory the process held in the end, in bytes.
    pub(super) after: Option<f64>,
}

/// Aligns the pairs of a file by a kernel, and says how that was as one line of JSON.
///
/// # Errors
/// The file or a word makes no sense, or the alignment fails.
pub fn answer(words: &[&str]) -> Result<String, String> {
    let [file, length, kernel, memory] = words else {
        return Err(format!("usage: {COMMAND} FILE LENGTH KERNEL usual|least"));
    };
    let length = length.parse().map_err(|error| format!("{length}: {error}"))?;
    let kernel = Kernel::ALL.into_iter().find(|known| known.name() == *kernel);
    let kernel = kernel.ok_or("there is no such kernel")?;
    let pairs = read(Path::new(file), length)?;
    let is_frugal = match *memory {
        "usual" => false,
        "least" => true,
        other => return Err(format!("memory is {other:?}, not usual or least")),
    };
    let aligned = aligned(&pairs, kernel, is_frugal)?;
    serde_json::to_string(&aligned).map_err(|error| error.to_string())
}

fn aligned(pairs: &[Pair], kernel: Kernel, is_frugal: bool) -> Result<Aligned, String> {
    let problem = |error: WarpError| error.to_string();
    let warp = Warp::new().kernel(kernel);
    let first = pairs.first().ok_or("there is no pair of series")?;
    let start = |series: &[f64]| series.iter().copied().take(WARM_UP).collect::<Vec<f64>>();
    align(warp, &Pair { x: start(&first.x), y: start(&first.y) }, is_frugal).map_err(problem)?;
    let before = peak();
    let (mut taken, mut found) = (Vec::new(), Vec::new());
    while taken.iter().sum::<f64>() < ENOUGH {
        let mut seconds = 0.0;
        found.clear();
        for pair in pairs {
            let began = Instant::now();
            let alignment = black_box(align(warp, pair, is_frugal).map_err(problem)?);
            seconds += began.elapsed().as_secs_f64();
            found.push(alignment);
        }
        taken.push(seconds);
    }
    let after = peak();
    let along = |cost: fn(f64) -> f64| {
        let found = found.iter().zip(pairs);
        found.map(|(alignment, pair)| pair.cost(alignment.path.iter(), cost)).collect()
    };
    Ok(Aligned {
        seconds: median(&taken),
        runs: taken.len(),
        absolute: along(f64::abs),
        squares: along(|gap| gap * gap),
        pairs: found.last().map_or(0, |alignment| alignment.path.len()),
        before,
        after,
    })
}

fn align(warp: Warp<'_>, pair: &Pair, is_frugal: bool) -> Result<Alignment, WarpError> {
    if !is_frugal {
        return warp.align(&pair.x, &pair.y);
    }
    // Asked for a path within nothing, it says how little suffices.
    match warp.memory(0).align(&pair.x, &pair.y) {
        Err(WarpError::Memory { needed, .. }) => warp.memory(needed).align(&pair.x, &pair.y),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::{walks, written};
    use super::*;

    #[test]
    fn a_process_says_the_least_sum_and_how_it_was_found() {
        let pairs = walks(2, 700);
        let file = written("alone", &pairs).unwrap();
        let path = file.path().display().to_string();
        let said = |memory| answer(&[&path, "700", "scalar", memory]).unwrap();
        let [usual, frugal] = ["usual", "least"]
            .map(|memory| serde_json::from_str::<Aligned>(&said(memory)).unwrap());
        assert_eq!((&usual.absolute, &usual.squares), (&frugal.absolute, &frugal.squares));
        for (pair, absolute) in pairs.iter().zip(&usual.absolute) {
            let least = pair.least(f64::abs);
            assert!((absolute / least - 1.0).abs() < 1e-12, "{absolute} is not {least}");
        }
        assert!(usual.runs > 0 && usual.seconds > 0.0 && usual.pairs >= 700);
        assert!(answer(&[&path, "0", "scalar", "usual"]).is_err());
        assert!(answer(&[&path, "701", "scalar", "usual"]).is_err());
        assert!(answer(&[&path, "700", "quick", "usual"]).is_err());
        assert!(answer(&[&path, "700", "scalar", "more"]).is_err());
    }
}
