//! `calibration/compare.md`: comparisons under noise that changes with time.

mod assumptions;
mod count;
mod families;
mod gates;
mod in_step;
mod limits;
mod machines;
mod saved;
mod session;
mod slow;

pub(super) use count::{Count, percent};
pub(super) use session::Said;

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Comparisons of two seconds per machine and ratio.
    pub short: usize,
    /// Comparisons of nineteen seconds per machine and ratio.
    pub long: usize,
    /// Families per row.
    pub families: usize,
    /// Pairs of saved results per cell.
    pub saved: usize,
}

impl Effort {
    /// What the committed page was made with.
    pub const FULL: Effort = Effort { short: 4000, long: 1000, families: 2000, saved: 2000 };
}

/// Simulates and writes the page; an error names what breaks a promise.
pub fn page(effort: Effort) -> Result<String, String> {
    let sections = [
        machines::section(effort)?,
        slow::section(effort)?,
        families::section(effort)?,
        gates::section(effort)?,
        limits::section(effort),
        assumptions::section(effort)?,
        saved::section(effort)?,
    ];
    Ok(head(effort) + &sections.concat())
}

fn head(effort: Effort) -> String {
    format!(
        "# Comparisons under noise\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate compare` ({} comparisons of \
         two seconds and {} of nineteen per machine and ratio; 95% confidence, margin 1%).\n\n\
         The machines are those of `fathom-testkit/src/noise.rs`, after the model of bench_diff: \
         a run takes λ·α(t)·β, where α(t) is smooth in time and β is random. Under other load the \
         processor runs at half speed, or the load takes slices of 4 ms. A run is 11.6 ms of \
         work, .2 ms pass between runs, and time advances by the duration of the runs. *Wave* is \
         ±5% with that period. Each comparison is the one that `fathom compare` runs: blocks of \
         ABBA or BAAB by a fair coin, the planned looks, the choice of quiet blocks, the guard, \
         and the clock, which ends it early where other load takes time.\n\n\
         All shares are in %. *False* is \"faster\" or \"slower\" at a true ratio of 1, over all \
         looks: at most 5. *Finds* is \"faster\" or \"slower\" at that true ratio. *Covers* is \
         the coverage of the interval at stopping, the worst of the true ratios 1, 1.005, 1.01, \
         1.02 and 1.05: at least 95. Two other designs are shown for comparison. *A then B* is \
         hyperfine's: all runs of the one, then all of the other, in the same time on the same \
         machine, and Welch's t test. *Fixed ABBA* is Fathom's without the coin. Their numbers \
         are the worst of the true ratios 1 and 1.01.\n",
        effort.short, effort.long,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let page = page(Effort { short: 64, long: 8, families: 32, saved: 12 }).unwrap();
        assert!(!page.contains("NaN"), "{page}");
    }
}
