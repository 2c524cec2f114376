//! How long a user waits for a harness to be built from nothing.

use super::marked::Part;
use super::{Say, as_it_is, building, functions, machine};
use crate::markdown::MarkdownTable;
use crate::repository;
use std::path::Path;
use std::time::Instant;

/// The peers' workspace, seen from the top of the checkout.
const WORKSPACE: &str = "peers/inprocess/Cargo.toml";
/// Every build is made so often, in turns, so that other load meets all of them. The smallest numbers count,
/// because other programs only add to them.
const ROUNDS: usize = 3;

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
    let mut least = [[Cost::WORST; PROFILES.len()]; PACKAGES.len()];
    for round in 1..=ROUNDS {
        for (profile, (named, words)) in PROFILES.into_iter().enumerate() {
            for (package, (name, _)) in PACKAGES.into_iter().enumerate() {
                say(&format!("{name}, {named}, {round} of {ROUNDS}"));
                let least = &mut least[package][profile];
                *least = least.min(cost(name, words)?);
            }
        }
    }
    let columns =
        PROFILES.iter().flat_map(|(named, _)| [named.to_string(), "CPU time".to_string()]);
    let mut table = MarkdownTable::new(std::iter::once("harness".to_string()).chain(columns));
    for (version, costs) in versions.into_iter().zip(least) {
        let cells = costs.iter().flat_map(|cost| [cost.wall, cost.cpu]);
        let cells = cells.map(|seconds| format!("{seconds:.1} s"));
        table.row(std::iter::once(version).chain(cells));
    }
    let part = format!(
        "## Building a harness from nothing\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance builds` on {}{}. The time \
         to build a program that uses the harness, with all dependencies, in an empty target \
         folder and with everything downloaded, and the CPU time of all its processes; the least of \
         {ROUNDS} builds, made in turns. CPU time says more where other programs run. criterion is \
         built without its default features (no plots, no threads), which is its fastest build.\n\n\
         {}",
        machine::in_words(),
        load.in_words(),
        table.render()
    );
    Ok(Part::BUILDS.replaced(&as_it_is()?, &part))
}

/// What a build costs, in seconds.
#[derive(Debug, Clone, Copy)]
struct Cost {
    wall: f64,
    cpu: f64,
}

impl Cost {
    const WORST: Cost = Cost { wall: f64::INFINITY, cpu: f64::INFINITY };

    fn min(self, other: Cost) -> Cost {
        Cost { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }
}

/// One build in an empty folder.
fn cost(package: &str, words: &[&str]) -> Result<Cost, String> {
    let folder = building::target()?.join("cold-build");
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    remove(&folder).map_err(problem)?;
    let (began, before) = (Instant::now(), cpu_of_children()?);
    let built = building::cargo()
        .args(["build", "--quiet", "--locked", "--offline", "--package", package])
        .args(words)
        .arg("--manifest-path")
        .arg(repository::top().join(WORKSPACE))
        .arg("--target-dir")
        .arg(&folder)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    let wall = began.elapsed().as_secs_f64();
    let cpu = cpu_of_children()? - before;
    remove(&folder).map_err(problem)?;
    if built.success() {
        Ok(Cost { wall, cpu })
    } else {
        Err(format!("{package} cannot be built; scripts/peers-inprocess downloads what it needs"))
    }
}

/// The CPU seconds of all processes that were started here and have ended, and of those that they started.
fn cpu_of_children() -> Result<f64, String> {
    /// Linux shows programs such times in hundredths of a second, on every processor.
    const TICKS: f64 = 100.0;
    let file = "/proc/self/stat";
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    // Behind the program's name, which may hold spaces and brackets: the state, then numbers.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let times: Option<Vec<f64>> = fields.skip(13).take(2).map(|field| field.parse().ok()).collect();
    match times.as_deref() {
        Some([user, kernel]) => Ok((user + kernel) / TICKS),
        _ => Err(format!("{file} has no times of children")),
    }
}

fn remove(folder: &Path) -> std::io::Result<()> {
    if folder.exists() { std::fs::remove_dir_all(folder) } else { Ok(()) }
}
