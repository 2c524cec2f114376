//! `calibration/check.md`: how often verdicts on properties are wrong, exactly, and what they cost.

mod comparisons;
mod dependence;
mod errors;
mod order;
mod several;
mod unknown;
mod wald;
mod widths;

use fathom_stats::proportion::Claim;
use fathom_stats::{Confidence, LevelError, Probability};

const SEED: u64 = 19_390_704;

const CONFIDENCES: [f64; 3] = [0.9, 0.95, 0.99];

/// How much to compute.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The samples that rules are followed for.
    pub horizon: usize,
    /// Simulated checks per cell.
    pub trials: usize,
}

impl Effort {
    /// What the committed page was made with.
    pub const FULL: Effort = Effort { horizon: 100_000, trials: 4000 };
}

/// What is asked, and what is shown of it.
struct Scene {
    proportion: f64,
    /// For Wald's test.
    indifference: f64,
    /// True shares, around F.
    shares: &'static [f64],
}

const SCENES: [Scene; 3] = [
    Scene {
        proportion: 0.5,
        indifference: 0.05,
        shares: &[0.3, 0.4, 0.45, 0.48, 0.49, 0.499, 0.5, 0.501, 0.51, 0.52, 0.55, 0.6, 0.7],
    },
    Scene {
        proportion: 0.9,
        indifference: 0.02,
        shares: &[0.5, 0.8, 0.85, 0.88, 0.89, 0.899, 0.9, 0.901, 0.91, 0.92, 0.95, 0.98, 1.0],
    },
    Scene {
        proportion: 0.99,
        indifference: 0.005,
        shares: &[0.9, 0.95, 0.97, 0.98, 0.985, 0.989, 0.99, 0.991, 0.995, 0.997, 0.999, 1.0],
    },
];

fn claim(f: f64, c: f64) -> Result<Claim, String> {
    let claim = || -> Result<Claim, LevelError> {
        Ok(Claim { proportion: Probability::new(f)?, confidence: Confidence::new(c)? })
    };
    claim().map_err(|error| error.to_string())
}

/// In percent.
fn percent(probability: f64) -> String {
    let value = 100.0 * probability;
    if value > 0.0 && value < 0.005 { "<.01".to_string() } else { format!("{value:.2}") }
}

/// Computes and simulates; an error says where a promise is broken.
pub fn page(effort: Effort) -> Result<String, String> {
    let followed = errors::followed(effort)?;
    let parts = [
        errors::worst(effort, &followed)?,
        errors::around(effort, &followed)?,
        wald::section(effort)?,
        widths::section()?,
        unknown::section(effort)?,
        order::section(effort)?,
        dependence::section(effort)?,
        several::section(effort)?,
        comparisons::section(effort)?,
    ];
    Ok(head(effort) + &parts.concat())
}

fn head(effort: Effort) -> String {
    format!(
        "# Verdicts on properties: how often they are wrong\n\n\
         Made by `cargo run --release -p fathom-testkit -- calibrate check` (seed {SEED}). The \
         question is whether at least F of all executions satisfy a property, at confidence C; p \
         is the share that really does. An error is \"true\" although p < F, or \"false\" \
         although p ≥ F; its probability, in %, should be at most 100(1 − C). Unless stated \
         otherwise it is exact: the sum over all sequences of outcomes, by dynamic programming up \
         to {} samples. Errors after that are bounded: for the default by Ville's inequality from \
         the sample's current state, for the paper's rule by everything still undecided.\n\n\
         - **default**: the beta-mixture e-value, a look after every sample.\n\
         - **paper**: Algorithm 1 of the SPA paper, stop as soon as C_CP ≥ C.\n\
         - **exact**: one look at n samples, by Clopper and Pearson.\n\
         - **Wald**: the sequential probability ratio test of F − D against F + D.\n",
        effort.horizon
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page itself refuses to be written if a promise is broken.
    #[test]
    fn a_small_page_keeps_all_promises() {
        let page = page(Effort { horizon: 2000, trials: 300 });
        assert!(page.is_ok(), "{page:?}");
    }
}
