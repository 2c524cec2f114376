//! `docs/performance.md`: what things cost, as ratios to peers measured in the same run.

mod bootstrap;
mod building;
pub mod builds;
mod change_points;
pub mod checks;
pub mod commands;
mod confined;
mod dependence;
pub mod explain;
pub mod explorer;
mod figures;
pub mod functions;
mod machine;
mod marked;
mod median_interval;
pub mod memory;
pub mod monitor;
mod neighbour;
mod outliers;
mod peers;
mod reading;
pub mod recording;
mod said;
mod share;
mod spa_interval;
mod stopwatch;
mod trials;
pub mod warping;
mod watched;

use crate::population::{Population, generator};
use crate::repository;
use peers::Peers;
use std::io::ErrorKind;

/// How often everything is measured, Fathom and peers alike.
const RUNS: usize = 20;

/// The page, seen from the top of the checkout.
pub const PAGE: &str = "docs/performance.md";

/// Shows a line that tells how far it is.
type Say<'a> = &'a dyn Fn(&str);

/// Measures and writes the page. Its parts about commands and functions stay as they are.
pub fn page() -> Result<String, String> {
    let peers = Peers::find()?;
    let versions = peers.versions()?;
    let median = median_interval::section()?;
    let bootstrap = bootstrap::section(&peers)?;
    let spa = spa_interval::section(&peers)?;
    let outliers = outliers::section(&peers)?;
    let change_points = change_points::section(&peers)?;
    let dependence = dependence::section()?;
    let kept = marked::kept_from(&as_it_is()?);
    let gap = if kept.is_empty() { "" } else { "\n" };
    Ok(format!(
        "# Performance\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance`, which measures Fathom \
         and its peers in one run, here on {}. Peers: the sort of Rust's standard library, and \
         {versions} (`scripts/peers`). Every time is the best of {RUNS} runs, after one that does \
         not count, unless a row says otherwise. Ratios are the peer's time divided by Fathom's: \
         above 1 Fathom is faster. Other commands make the parts about commands, effort, functions, \
         builds, layouts, temporal formulas, many executions, recording, time warping, explaining and looking, which name \
         them.\n\n\
         {median}\n\
         {bootstrap}\n\
         {spa}\n\
         {outliers}\n\
         {change_points}\n\
         {dependence}{gap}{kept}",
        machine::in_words(),
    ))
}

/// The page as it is now; only its title if there is none.
fn as_it_is() -> Result<String, String> {
    let path = repository::top().join(PAGE);
    match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok("# Performance\n".to_string()),
        page => page.map_err(|error| format!("{}: {error}", path.display())),
    }
}

/// Lognormal values around 1, the populations of the peers: exp of a normal with this deviation.
fn lognormal(n: usize, sigma: f64) -> Vec<f64> {
    let mut values = vec![0.0; n];
    Population::Lognormal.fill(&mut values, &mut generator(1, 0));
    values.iter_mut().for_each(|value| *value = value.powf(sigma));
    values
}
