//! Another revision, checked out next to the user's work tree and removed afterwards.

use super::git::Git;
use super::revision::Revision;
use super::times;
use crate::EngineError;
use fathom_sys::file_lock;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A checked-out revision. It is removed when this is dropped; if this process is killed before,
/// the next one removes it.
#[derive(Debug)]
pub(crate) struct Worktree {
    tree: PathBuf,
    /// The folder in it that is the user's folder in the user's work tree.
    folder: PathBuf,
    git: Git,
    /// What did not go well and may explain more.
    pub(crate) warnings: Vec<String>,
    /// Held as long as the tree is in use.
    _lock: File,
}

impl Worktree {
    /// Checks the revision out under `place`, a folder for this repository alone. The path is the
    /// same for every revision, because cargo rebuilds what has moved.
    pub(crate) fn at(revision: &Revision, place: &Path) -> Result<Worktree, EngineError> {
        let (place, lock) = lock(place, &revision.top)?;
        let git = Git::in_folder(&revision.top);
        let tree = place.join("tree");
        remove(&git, &tree);
        let mut worktree = Worktree {
            folder: tree.join(&revision.prefix),
            tree,
            git,
            warnings: vec![],
            _lock: lock,
        };
        let words = ["worktree", "add", "--quiet", "--force", "--detach"].map(AsRef::as_ref);
        let mut words = words.to_vec();
        words.extend([worktree.tree.as_os_str(), revision.commit.as_ref()]);
        worktree.git.ask(&words).map_err(|error| {
            error.failure(&format!(
                "{revision} cannot be checked out in {}",
                worktree.tree.display()
            ))
        })?;
        if !worktree.folder.is_dir() {
            return Err(EngineError::usage(format!(
                "{revision} has no folder {}; start in the top folder of the repository, or choose \
                 another revision",
                revision.prefix.display()
            )));
        }
        if worktree.tree.join(".gitmodules").exists() {
            worktree.fetch_submodules(revision);
        }
        times::restore(&worktree.tree, &place.join("times"));
        Ok(worktree)
    }

    /// The top folder of the tree.
    pub(super) fn top(&self) -> &Path {
        &self.tree
    }

    /// The folder to build in.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn fetch_submodules(&mut self, revision: &Revision) {
        let before = self.known_submodules();
        let tree = Git::in_folder(&self.tree);
        let words = ["submodule", "--quiet", "update", "--init", "--recursive"];
        if let Err(error) = tree.ask(&words) {
            let failure = error.failure(&format!("submodules of {revision} could not be fetched"));
            self.warnings.push(failure.to_string());
        }
        // Git notes them in the configuration that all work trees share; the user's own did not
        // ask for them.
        for section in self.known_submodules() {
            if !before.contains(&section) {
                let _ = self.git.ask(&["config", "--local", "--remove-section", &section]);
            }
        }
    }

    /// The sections of submodules in the repository's configuration, such as `submodule.name`.
    fn known_submodules(&self) -> Vec<String> {
        let words = ["config", "--local", "-z", "--name-only", "--get-regexp", r"^submodule\..+\."];
        // Without any it fails.
        let text = self.git.ask_text(&words).unwrap_or_default();
        let keys = text.split('\0').filter_map(|key| key.rsplit_once('.'));
        let mut sections: Vec<String> = keys.map(|(section, _)| section.to_string()).collect();
        sections.dedup();
        sections
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        remove(&self.git, &self.tree);
    }
}

/// The place as git will name it, and the lock on it.
fn lock(place: &Path, top: &Path) -> Result<(PathBuf, File), EngineError> {
    let broken = |error: std::io::Error| {
        EngineError::usage(format!(
            "{} cannot be used to check out another revision: {error}",
            place.display()
        ))
    };
    std::fs::create_dir_all(place).map_err(broken)?;
    let place = place.canonicalize().map_err(broken)?;
    let lock = File::create(place.join("lock")).map_err(broken)?;
    if !file_lock::try_lock(&lock).map_err(broken)? {
        return Err(EngineError::usage(format!(
            "another comparison with a revision of {} is under way; wait until it is done, because \
             they would disturb each other",
            top.display()
        )));
    }
    Ok((place, lock))
}

/// Removes a tree and git's memory of it, whatever there is of both.
fn remove(git: &Git, tree: &Path) {
    let path = tree.as_os_str();
    // Forced twice: also if it is locked.
    let words = ["worktree", "remove", "--force", "--force"].map(AsRef::as_ref);
    let mut words = words.to_vec();
    words.push(path);
    let _ = git.ask(&words);
    if tree.exists() {
        let _ = std::fs::remove_dir_all(tree);
    }
    // Pruning also forgets trees of the user's that are out of reach for the moment, so it is done
    // only if ours is one of them.
    if is_known(git, tree) {
        let _ = git.ask(&["worktree", "prune"]);
    }
}

fn is_known(git: &Git, tree: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let list = git.ask(&["worktree", "list", "--porcelain", "-z"]).unwrap_or_default();
    list.split(|byte| *byte == 0)
        .filter_map(|line| line.strip_prefix(b"worktree "))
        .any(|path| path == tree.as_os_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_known_until_git_forgets_it() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let git = Git::in_folder(&top);
        git.ask(&["init", "--quiet"]).unwrap();
        let name = ["-c", "user.name=x", "-c", "user.email=x@localhost"];
        let commit = ["commit", "--quiet", "--allow-empty", "--no-gpg-sign", "-m", "first"];
        git.ask(&[&name[..], &commit].concat()).unwrap();
        let tree = top.join("other tree");
        assert!(!is_known(&git, &tree));
        git.ask(&["worktree", "add", "--quiet", "--detach", &tree.to_string_lossy()]).unwrap();
        assert!(is_known(&git, &tree) && !is_known(&git, &top.join("other")));
        // Somebody deleted its files: git remembers it, and it is forgotten with it.
        std::fs::remove_dir_all(&tree).unwrap();
        assert!(is_known(&git, &tree));
        remove(&git, &tree);
        assert!(!is_known(&git, &tree));
    }
}
