//! Both builds, put together: which benches they share, and how these are linked again.

use super::Builds;
use super::cargo::Cargo;
use super::package_list::PackageList;
use super::pairing::{Paired, listed};
use super::relinking::relinking;
use crate::EngineError;
use std::path::Path;

/// How one of the two was built.
#[derive(Debug)]
pub(super) struct Side<'a> {
    pub(super) cargo: Cargo<'a>,
    pub(super) packages: &'a PackageList,
    /// Where it was built, if not in cargo's usual folder.
    pub(super) target_folder: Option<&'a Path>,
}

/// The benches that both have. Those that only one has are named in a warning.
pub(super) fn put_together(
    sides: [Side<'_>; 2],
    labels: [String; 2],
    paired: Paired,
    in_layouts: bool,
    say: &mut dyn FnMut(&str),
) -> Result<Builds, EngineError> {
    let [old, new] = &sides;
    let [old_name, new_name] = [old.cargo.what, new.cargo.what];
    if paired.pairs.is_empty() {
        return Err(EngineError::usage(format!(
            "{old_name} and {new_name} have no bench in common: {old_name} has {}; {new_name} has {}",
            listed(&paired.only_old),
            listed(&paired.only_new)
        )));
    }
    let mut warnings = Vec::new();
    for (benches, who) in [(&paired.only_old, old_name), (&paired.only_new, new_name)] {
        if !benches.is_empty() {
            warnings.push(format!("only {who} has {}", listed(benches)));
        }
    }
    let mut relinkings = Vec::new();
    if in_layouts {
        say("compiling the benches for other layouts");
        for pair in &paired.pairs {
            relinkings.push([(old, &pair.old), (new, &pair.new)].map(|(side, bench)| {
                let own = side.packages.target_folder.join("fathom");
                let place = side.target_folder.unwrap_or(&own);
                relinking(&side.cargo, bench, side.target_folder, place)
            }));
        }
    }
    Ok(Builds { labels, pairs: paired.pairs, relinkings, warnings, _tree: None })
}
