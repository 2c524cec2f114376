//! `calibration/bands.md`: bands that have all of a distribution at once.

mod cache;
mod coverage;
mod shifts;
mod source;
mod widths;

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Series per cell.
    pub trials: usize,
    /// Samples per series.
    pub sizes: &'static [usize],
}

impl Effort {
    /// What the committed page was made with.
    pub const FULL: Effort = Effort { trials: 4000, sizes: &[20, 50, 200, 1000] };
}

const SEED: u64 = 20_261_116;

/// Work is split so that all cores stay busy to the end.
const CHUNKS: usize = 8;

/// Simulates and writes the page; an error names what breaks a promise.
pub fn page(effort: Effort) -> Result<String, String> {
    let sections =
        [coverage::section(effort)?, shifts::section(effort)?, widths::section(effort.sizes)];
    Ok(head(effort) + &sections.concat())
}

fn head(effort: Effort) -> String {
    format!(
        "# Bands\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate bands` (seed {SEED}, {} \
         series per cell, 95% confidence). The method: `docs/methods/bands.md`.\n\n\
         A band covers if the whole true distribution function lies within it: one place outside \
         is a miss. The Monte-Carlo standard error of a coverage of 95% is {:.2} points, and \
         larger where few bands are drawn.\n",
        effort.trials,
        100.0 * (0.95 * 0.05 / effort.trials as f64).sqrt(),
    )
}

/// How often something was drawn, and how often it was right.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    trials: u64,
    drawn: u64,
    covered: u64,
    /// The sum of what the samples were worth.
    worth: f64,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.trials += other.trials;
        self.drawn += other.drawn;
        self.covered += other.covered;
        self.worth += other.worth;
    }

    fn drawn_share(&self) -> f64 {
        self.drawn as f64 / self.trials as f64
    }

    fn coverage(&self) -> f64 {
        self.covered as f64 / self.drawn as f64
    }

    /// The share of all series that were drawn and wrong.
    fn wrong(&self) -> f64 {
        (self.drawn - self.covered) as f64 / self.trials as f64
    }

    /// Three standard errors of a coverage of 95%: what chance may take from it.
    fn chance(&self) -> f64 {
        3.0 * (0.95 * 0.05 / self.drawn.max(1) as f64).sqrt()
    }

    /// "98.1 / 3", coverage and declined in %.
    fn entry(&self) -> String {
        if self.drawn == 0 {
            return "- / 100".to_string();
        }
        format!("{:.1} / {:.0}", 100.0 * self.coverage(), 100.0 * (1.0 - self.drawn_share()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let page = page(Effort { trials: 160, sizes: &[20, 50] }).unwrap();
        assert!(!page.contains("NaN"), "{page}");
    }
}
