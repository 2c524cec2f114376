//! Both builds, linked in one layout after the other.

use super::Program;
use super::relink::{Arrangement, LinkRecipe};
use fathom_analyze::compare::LayoutArrangement;
use fathom_stats::drawn_number;
use fathom_sys::signals::Interrupt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The executables of one layout of each build. They are removed when this is dropped.
#[derive(Debug)]
pub(super) struct LayoutPair {
    pub(super) executables: [PathBuf; 2],
}

impl Drop for LayoutPair {
    fn drop(&mut self) {
        for executable in &self.executables {
            let _ = std::fs::remove_file(executable);
        }
    }
}

/// Makes layouts of both builds.
#[derive(Debug)]
pub(super) struct LayoutPairs {
    recipes: [LinkRecipe; 2],
    arrangement: Arrangement,
    folder: PathBuf,
    seed: u64,
}

impl LayoutPairs {
    /// Finds out how both can be linked again; why they cannot, if they cannot. The folder is for
    /// the executables.
    pub(super) fn new(
        programs: [&Program; 2],
        seed: u64,
        interrupt: Option<Interrupt>,
    ) -> Result<LayoutPairs, String> {
        let recipe = |program: &Program| match &program.relinking {
            Ok(relinking) => Ok(relinking.clone()),
            Err(why) => Err(why.clone()),
        };
        let [old, new] = [recipe(programs[0])?, recipe(programs[1])?];
        let folder = new.folder.join("layouts");
        let unusable = |error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(&folder).map_err(unusable)?;
        remove_leftovers(&folder);
        let recipes = [old.recipe, new.recipe];
        let arrangement = common_arrangement(&recipes, &folder, interrupt);
        remove_leftovers(&folder);
        Ok(LayoutPairs { recipes, arrangement: arrangement?, folder, seed })
    }

    pub(super) fn arrangement(&self) -> LayoutArrangement {
        match self.arrangement {
            Arrangement::Sections | Arrangement::AllSections => LayoutArrangement::Shuffled,
            Arrangement::Padding => LayoutArrangement::Padded,
        }
    }

    /// What both are linked from.
    pub(super) fn recipes(&self) -> [&LinkRecipe; 2] {
        self.recipes.each_ref()
    }

    /// Links a layout of each build; how long that took.
    pub(super) fn link(&self, number: usize) -> Result<(LayoutPair, Duration), String> {
        let began = Instant::now();
        let of = |side: usize| {
            let name = format!("{}-{number}-{}", std::process::id(), ["old", "new"][side]);
            self.folder.join(name)
        };
        let pair = LayoutPair { executables: [of(0), of(1)] };
        let link = |side: usize| {
            let seed = layout_seed(self.seed, number, side);
            self.recipes[side].link(self.arrangement, seed, &pair.executables[side])
        };
        // Nothing is measured meanwhile, so both may be linked at once.
        let (old, new) = std::thread::scope(|scope| {
            let old = scope.spawn(|| link(0));
            let new = link(1);
            (old.join(), new)
        });
        let old = old.map_err(|_| "the linker's thread panicked".to_string())?;
        old.and(new).map_err(|error| error.to_string())?;
        Ok((pair, began.elapsed()))
    }
}

/// How both can be linked again: in the same way, or the way would be a difference.
fn common_arrangement(
    recipes: &[LinkRecipe; 2],
    scratch: &Path,
    interrupt: Option<Interrupt>,
) -> Result<Arrangement, String> {
    let mut arrangement = Arrangement::Sections;
    for recipe in recipes {
        let possible = recipe.arrangement(scratch, interrupt).map_err(|error| error.to_string())?;
        let place = |of| Arrangement::ALL.iter().position(|one| *one == of);
        if place(possible) > place(arrangement) {
            arrangement = possible;
        }
    }
    Ok(arrangement)
}

/// The layouts of both builds are drawn independently of each other: an order that suits the one
/// would otherwise be no chance for the other.
fn layout_seed(seed: u64, number: usize, side: usize) -> u64 {
    // A sequence that is not the coins' of the rounds.
    const LAYOUTS: u64 = 0x6c61_796f_7574;
    drawn_number(seed ^ LAYOUTS, 2 * number as u64 + side as u64)
}

/// Removes what processes that are gone have left, and what was tried out.
fn remove_leftovers(folder: &Path) {
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        let process = name.split('-').next().filter(|number| number.parse::<u32>().is_ok());
        let is_alive = process.is_some_and(|number| {
            number != std::process::id().to_string() && Path::new("/proc").join(number).exists()
        });
        if !is_alive {
            let _ = std::fs::remove_file(file.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_layout_has_a_seed_of_its_own() {
        let seeds: BTreeSet<u64> =
            (0..100).flat_map(|number| [0, 1].map(|side| layout_seed(7, number, side))).collect();
        assert_eq!(seeds.len(), 200);
        assert_eq!(layout_seed(7, 3, 1), layout_seed(7, 3, 1));
        assert_ne!(layout_seed(7, 3, 1), layout_seed(8, 3, 1));
    }

    #[test]
    fn leftovers_of_others_that_run_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            path
        };
        let alive = file("1-0-old");
        let gone = file(&format!("{}-3-new", u32::MAX));
        let own = file(&format!("{}-3-new", std::process::id()));
        remove_leftovers(folder.path());
        assert!(alive.exists() && !gone.exists() && !own.exists());
    }
}
