//! How long a user waits for a harness to be built from nothing.

use super::marked::Part;
use super::{Say, as_it_is, building, functions, machine};
use crate::markdown::MarkdownTable;
use crate::repository;
use std::path::Path;
use std::time::Instant;

/// The peers' workspace, seen from the top of the checkout.
const WORKSPACE: &str = "peers/inprocess/Cargo.toml";
/// Every build is made so often; the quickest counts, because other programs only add to it.
const BUILDS: usize = 2;

/// A package of that workspace, and the crate it is built for.
const PACKAGES: [(&str, &str); 3] =
    [("with-fathom", "fathom-bench"), ("with-criterion", "criterion"), ("with-divan", "divan")];

/// How it is built.
const PROFILES: [(&str, &[&str]); 2] =
    [("`cargo build`, `cargo test`", &[]), ("`cargo bench`", &["--release"])];

/// Builds everything from nothing and writes the part of the page.
pub fn page(say: Say<'_>) -> Result<String, String> {
    let versions = functions::versions_of(&PACKAGES.map(|(_, name)| name))?;
    let load = machine::Load::now();
    let mut table =
        MarkdownTable::new(std::iter::once("harness").chain(PROFILES.map(|(profile, _)| profile)));
    for ((package, _), version) in PACKAGES.into_iter().zip(versions) {
        let mut row = vec![version];
        for (profile, words) in PROFILES {
            say(&format!("{package}, {profile}"));
            let mut quickest = f64::INFINITY;
            for _ in 0..BUILDS {
                quickest = quickest.min(seconds(package, words)?);
            }
            row.push(format!("{quickest:.1} s"));
        }
        table.row(row);
    }
    let part = format!(
        "## Building a harness from nothing\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance builds` on {}{}. The time \
         to build a program that uses the harness, with all dependencies, in an empty target \
         folder and with everything downloaded; the faster of {BUILDS} builds. criterion is built \
         without its default features (no plots, no threads), which is its fastest build.\n\n\
         {}",
        machine::in_words(),
        load.in_words(),
        table.render()
    );
    Ok(Part::BUILDS.replaced(&as_it_is()?, &part))
}

/// The seconds of one build in an empty folder.
fn seconds(package: &str, words: &[&str]) -> Result<f64, String> {
    let folder = building::target()?.join("cold-build");
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    remove(&folder).map_err(problem)?;
    let began = Instant::now();
    let built = building::cargo()
        .args(["build", "--quiet", "--locked", "--offline", "--package", package])
        .args(words)
        .arg("--manifest-path")
        .arg(repository::top().join(WORKSPACE))
        .arg("--target-dir")
        .arg(&folder)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    let took = began.elapsed().as_secs_f64();
    remove(&folder).map_err(problem)?;
    if built.success() {
        Ok(took)
    } else {
        Err(format!("{package} cannot be built; scripts/peers-inprocess downloads what it needs"))
    }
}

fn remove(folder: &Path) -> std::io::Result<()> {
    if folder.exists() { std::fs::remove_dir_all(folder) } else { Ok(()) }
}
