//! Pairs of series to align, and what an alignment of them costs by the definition.

use super::super::reading::in_file;
use crate::population::generator;
use rand_distr::{Distribution, Open01, StandardNormal};
use std::f64::consts::PI;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Two series of the same length.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
}

/// Periods with noise, a level that changes, and time that does not run evenly: two runs of the same
/// work.
pub(super) fn made(length: usize) -> Pair {
    let series = |stream| {
        let mut rng = generator(8, stream);
        let mut unit = || -> f64 { Open01.sample(&mut rng) };
        let mut time = 0.0;
        let mut times = Vec::with_capacity(length);
        for _ in 0..length {
            time += 0.5 + unit();
            times.push(time);
        }
        let value = |at: &f64| {
            let at = at / time;
            (40.0 * PI * at).sin() + f64::from(u8::from(at > 0.5)) + 0.2 * unit()
        };
        times.iter().map(value).collect()
    };
    Pair { x: series(0), y: series(1) }
}

/// Random walks, where many paths cost nearly the same.
pub(super) fn walks(count: u64, length: usize) -> Vec<Pair> {
    let series = |stream| {
        let mut rng = generator(9, stream);
        let mut level = 0.0;
        let step = |_| {
            let step: f64 = StandardNormal.sample(&mut rng);
            level += step;
            level
        };
        (0..length).map(step).collect()
    };
    (0..count).map(|pair| Pair { x: series(2 * pair), y: series(2 * pair + 1) }).collect()
}

impl Pair {
    /// What a path costs.
    pub(super) fn cost(
        &self,
        path: impl Iterator<Item = (usize, usize)>,
        cost: fn(f64) -> f64,
    ) -> f64 {
        let gap = |(i, j): (usize, usize)| Some(self.x.get(i)? - self.y.get(j)?);
        path.map(|pair| gap(pair).map_or(f64::NAN, cost)).sum()
    }

    /// The least that a path costs, by the definition, cell by cell.
    pub(super) fn least(&self, cost: fn(f64) -> f64) -> f64 {
        // What is before the first samples: a path starts from a zero.
        let mut above = vec![f64::INFINITY; self.y.len() + 1];
        if let Some(corner) = above.first_mut() {
            *corner = 0.0;
        }
        for x in &self.x {
            let (mut left, mut diagonal) = (f64::INFINITY, f64::INFINITY);
            for (j, cell) in above.iter_mut().enumerate() {
                let up = *cell;
                let y = j.checked_sub(1).and_then(|j| self.y.get(j));
                *cell = y.map_or(f64::INFINITY, |y| cost(x - y) + diagonal.min(up).min(left));
                (left, diagonal) = (*cell, up);
            }
        }
        above.last().copied().unwrap_or(f64::NAN)
    }
}

/// A file that is there as long as this is.
#[derive(Debug)]
pub(super) struct Written(PathBuf);

impl Written {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // What is left behind in the temporary folder does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes pairs to a temporary file, one value a line, with as many digits as it takes to read the
/// same values back.
pub(super) fn written(name: &str, pairs: &[Pair]) -> Result<Written, String> {
    let name = format!("fathom-{}-{name}.txt", std::process::id());
    let file = Written(std::env::temp_dir().join(name));
    let mut text = String::new();
    for value in pairs.iter().flat_map(|pair| pair.x.iter().chain(&pair.y)) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{value}");
    }
    std::fs::write(file.path(), text).map_err(|error| in_file(file.path(), &error))?;
    Ok(file)
}

/// The pairs of series of such a length in a file.
pub(super) fn read(file: &Path, length: usize) -> Result<Vec<Pair>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| in_file(file, &error))?;
    let number = |line: &str| line.parse().map_err(|error| format!("{line:?}: {error}"));
    let values: Vec<f64> = text.lines().map(number).collect::<Result<_, String>>()?;
    if length == 0 || !values.len().is_multiple_of(2 * length) {
        return Err(format!(
            "{}: {} values are no pairs of series of {length}",
            file.display(),
            values.len()
        ));
    }
    let pair = |values: &[f64]| {
        let (x, y) = values.split_at(length);
        Pair { x: x.to_vec(), y: y.to_vec() }
    };
    Ok(values.chunks_exact(2 * length).map(pair).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_cost_is_that_of_the_best_path() {
        let pair = Pair { x: vec![1.0, 1.0, 5.0, 2.0], y: vec![1.0, 5.0, 5.0, 3.0] };
        assert_eq!(pair.least(f64::abs), 1.0);
        let (x, y) = (vec![0.0, 3.0], vec![2.0, 2.0, 2.0]);
        // By hand: the first of x meets one, the second the others.
        assert_eq!(Pair { x: x.clone(), y: y.clone() }.least(f64::abs), 4.0);
        assert_eq!(Pair { x, y }.least(|gap| gap * gap), 6.0);
        let path = [(0, 0), (1, 0), (2, 1), (2, 2), (3, 3)];
        assert_eq!(pair.cost(path.into_iter(), f64::abs), 1.0);
        assert!(pair.cost([(9, 0)].into_iter(), f64::abs).is_nan());
    }

    #[test]
    fn a_file_gives_back_what_was_written() {
        let pairs = [made(150), walks(1, 150).remove(0)];
        let file = written("pairs", &pairs).unwrap();
        assert_eq!(read(file.path(), 150).unwrap(), pairs);
        assert!(read(file.path(), 0).is_err() && read(file.path(), 149).is_err());
        let path = file.path().to_path_buf();
        drop(file);
        assert!(!path.exists());
    }
}
