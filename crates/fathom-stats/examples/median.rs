//! The median of numbers, one a line on standard input, with its 95% confidence interval:
//!
//!     seq 1 100 | cargo run -p fathom-stats --example median
#![allow(clippy::print_stdout, reason = "it prints its result")]

use fathom_stats::{Confidence, Probability, Sides, quantile};
use std::error::Error;
use std::io;

fn main() -> Result<(), Box<dyn Error>> {
    let mut values = Vec::new();
    for line in io::stdin().lines() {
        values.push(line?.trim().parse::<f64>()?);
    }
    values.sort_by(f64::total_cmp);
    let (half, confidence) = (Probability::new(0.5)?, Confidence::new(0.95)?);
    let Some(median) = quantile::of_sorted(&values, half) else {
        return Err("there are no numbers on standard input".into());
    };
    let ranks = quantile::exact(values.len(), half, confidence, Sides::Both);
    let interval = ranks.of_sorted(&values);
    println!("{median} (95% CI {} to {})", interval.lower, interval.upper);
    Ok(())
}
