//! `calibration/functions.md`: functions in one process, and in two builds.

mod batches;
mod executions;
mod layouts;
mod one_function;

/// How much to simulate.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Comparisons in one process, per machine and ratio.
    pub batches: usize,
    /// Comparisons of two builds, per kind of layout and ratio.
    pub executions: usize,
}

impl Effort {
    /// What the committed page was made with.
    pub const FULL: Effort = Effort { batches: 400, executions: 4000 };
}

/// Simulates and writes the page; an error names what breaks a promise.
pub fn page(effort: Effort) -> Result<String, String> {
    let sections = [
        batches::section(effort)?,
        executions::section(effort)?,
        layouts::section(effort)?,
        one_function::section(effort)?,
    ];
    Ok(head(effort) + &sections.concat())
}

fn head(effort: Effort) -> String {
    format!(
        "# Functions\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate functions` ({} comparisons in \
         one process and {} of two builds per row and ratio; 95% confidence).\n\n\
         All shares are in %. *False* is \"faster\" or \"slower\" at a true ratio of 1, over all \
         looks: at most 5. *Finds* is \"faster\" or \"slower\" at that true ratio. *Covers* is the \
         coverage of the interval at stopping, the worst of the true ratios: at least 95.\n",
        effort.batches, effort.executions,
    )
}

/// Three standard errors of a share of 5%: what chance may add to it.
fn chance(trials: u64) -> f64 {
    3.0 * (0.05 * 0.95 / trials as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_calibration_holds() {
        let page = page(Effort { batches: 8, executions: 64 }).unwrap();
        assert!(!page.contains("NaN"), "{page}");
    }
}
