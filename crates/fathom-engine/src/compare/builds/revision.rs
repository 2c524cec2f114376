//! The commit that the user means, and where in its tree the user works.

use super::git::{Git, GitError, not_started};
use crate::EngineError;
use fathom_record::nearest;
use std::fmt;
use std::path::{Path, PathBuf};

/// A commit of the repository that a folder is in.
#[derive(Debug, Clone)]
pub(crate) struct Revision {
    /// As the user named it.
    pub(crate) name: String,
    /// All digits of its hash.
    pub(crate) commit: String,
    /// As many as tell it from others.
    pub(crate) short: String,
    /// The top folder of the user's work tree.
    pub(super) top: PathBuf,
    /// The user's folder, seen from there.
    pub(super) prefix: PathBuf,
}

/// `main (1a2b3c4)`, or the hash alone if that is what the user gave.
impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.commit.starts_with(&self.name) {
            return f.write_str(&self.short);
        }
        write!(f, "{} ({})", self.name, self.short)
    }
}

impl Revision {
    /// What `name` means in the repository of `folder`.
    pub(crate) fn resolve(folder: &Path, name: &str) -> Result<Revision, EngineError> {
        let git = Git::in_folder(folder);
        let top = git.ask_path(&["rev-parse", "--show-toplevel"]).map_err(|error| match error {
            GitError::NotStarted(error) => not_started(&error),
            GitError::Refused(said) => EngineError::usage(format!(
                "--rev needs the work tree of a git repository, and {} is in none; git says:\n\
                     {said}",
                folder.display()
            )),
        })?;
        let prefix = git
            .ask_path(&["rev-parse", "--show-prefix"])
            .map_err(|error| error.failure("the folder's place in the repository is not known"))?;
        let commit = commit(&git, folder, name)?;
        let short = git
            .ask_text(&["rev-parse", "--short", &commit])
            .map_err(|error| error.failure(&format!("{commit} cannot be read")))?;
        Ok(Revision { name: name.to_string(), commit, short, top, prefix })
    }
}

fn commit(git: &Git, folder: &Path, name: &str) -> Result<String, EngineError> {
    const TAKES: &str = "--rev takes a branch, tag or commit, such as main or HEAD~1";
    if name.trim().is_empty() {
        return Err(EngineError::usage(format!("the revision is empty; {TAKES}")));
    }
    // Git would take it for an option.
    if name.starts_with('-') {
        return Err(EngineError::usage(format!("\"{name}\" is no revision; {TAKES}")));
    }
    let said = match git.ask_text(&["rev-parse", "--verify", &format!("{name}^{{commit}}")]) {
        Ok(commit) => return Ok(commit),
        Err(GitError::NotStarted(error)) => return Err(not_started(&error)),
        Err(GitError::Refused(said)) => said,
    };
    if name.contains("..") {
        return Err(EngineError::usage(format!(
            "\"{name}\" is a range; give the one revision that this work tree is compared with"
        )));
    }
    if git.ask(&["rev-parse", "--verify", "--quiet", "HEAD"]).is_err() {
        return Err(EngineError::usage(
            "the repository has no commit yet, so there is nothing to compare with; commit first",
        ));
    }
    if let Ok(kind) = git.ask_text(&["cat-file", "-t", name]) {
        return Err(EngineError::usage(format!(
            "\"{name}\" is a {kind} and not a commit; {TAKES}"
        )));
    }
    Err(EngineError::usage(format!(
        "there is no revision \"{name}\"{}",
        hint(git, folder, name, &said)
    )))
}

/// What may have been meant.
fn hint(git: &Git, folder: &Path, name: &str, said: &str) -> String {
    let path = folder.join(name);
    if path.exists() {
        let kind = if path.is_dir() { "folder" } else { "file" };
        return format!("; it is a {kind}, and --rev takes a branch, tag or commit");
    }
    // Git explains, where there is more to say than that it does not know: as for an ambiguous
    // hash.
    if let Some(first) = said.lines().next().filter(|_| said.lines().count() > 1) {
        return format!("; git says: {}", first.trim_start_matches("error: "));
    }
    let names = names(git, &["refs/heads", "refs/tags", "refs/remotes"]);
    let near = nearest(name, &names);
    if !near.is_empty() {
        return format!("; did you mean {}?", near.join(" or "));
    }
    let is_shallow = git
        .ask_text(&["rev-parse", "--is-shallow-repository"])
        .is_ok_and(|answer| answer == "true");
    if is_shallow {
        return "; this clone has only the latest history: `git fetch --unshallow` fetches the rest"
            .to_string();
    }
    match &names[..] {
        [] => String::new(),
        names => format!("; there are {}", listed(names)),
    }
}

/// Branches, tags and branches of others, latest first.
fn names(git: &Git, kinds: &[&str]) -> Vec<String> {
    let mut words = vec!["for-each-ref", "--sort=-committerdate", "--format=%(refname:short)"];
    words.extend(kinds);
    let text = git.ask_text(&words).unwrap_or_default();
    text.lines().map(str::to_string).collect()
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 5;
    let mut text = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST {
        text.push_str(&format!(" and {} more", names.len() - MOST));
    }
    text
}
