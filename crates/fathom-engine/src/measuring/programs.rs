//! What a session's commands execute, so that a session does not go on with another program.
//!
//! Next to the store, `programs/ID.json` lists these files and their content: the program, and the
//! scripts and programs among its arguments. Files of data are left out; a command may write them.

use crate::EngineError;
use crate::provenance::sha256_of_file;
use fathom_record::ProgramFile;
use fathom_sys::content_hash;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Files by what they are called on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Programs(BTreeMap<PathBuf, State>);

/// What a file was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    /// As it was written.
    word: String,
    /// What was in it; `None` if it could not be read.
    hash: Option<String>,
}

/// Languages whose scripts are named by these endings.
const SCRIPTS: [&str; 16] = [
    "py", "sh", "bash", "zsh", "rb", "pl", "js", "mjs", "lua", "r", "jl", "jar", "php", "awk",
    "tcl", "wasm",
];

impl Programs {
    /// The programs of these commands, which run in this folder.
    pub(crate) fn of<'a>(
        commands: impl IntoIterator<Item = &'a [String]>,
        folder: &Path,
    ) -> Programs {
        let mut all = BTreeMap::new();
        for words in commands {
            for (word, path) in files(words, folder) {
                let hash = sha256_of_file(&path);
                all.entry(path).or_insert(State { word, hash });
            }
        }
        Programs(all)
    }

    /// The files that have changed since, as they were written, and the files that are gone.
    pub(crate) fn changed(&self) -> Vec<String> {
        let is_other =
            |(path, state): &(&PathBuf, &State)| hash_like(state.hash.as_ref(), path) != state.hash;
        self.0.iter().filter(is_other).map(|(path, state)| shown(path, &state.word)).collect()
    }

    /// The same files as they are now.
    pub(crate) fn now(&self) -> Programs {
        let now = |(path, state): (&PathBuf, &State)| {
            let hash = hash_like(state.hash.as_ref(), path);
            (path.clone(), State { word: state.word.clone(), hash })
        };
        Programs(self.0.iter().map(now).collect())
    }

    /// For the record.
    pub(crate) fn files(&self) -> Vec<ProgramFile> {
        let shown = |hash: &String| match hash.starts_with(SHA256) {
            true => hash.clone(),
            false => format!("fnv1a:{hash}"),
        };
        let file = |(path, state): (&PathBuf, &State)| ProgramFile {
            name: state.word.clone(),
            path: path.display().to_string(),
            hash: state.hash.as_ref().map(shown),
        };
        self.0.iter().map(file).collect()
    }

    fn json(&self, after: usize) -> Value {
        let files: Vec<Value> = self
            .0
            .iter()
            .map(|(path, state)| {
                json!({ "path": path.to_string_lossy(), "word": state.word, "hash": state.hash })
            })
            .collect();
        json!({ "after": after, "files": files })
    }

    fn from_json(value: &Value) -> Programs {
        let text = |value: &Value| value.as_str().map(str::to_string);
        let files = value["files"].as_array().into_iter().flatten();
        let state = |file: &Value| {
            // Older versions wrote FNV-1a.
            let hash = text(&file["hash"]).or_else(|| text(&file["fnv1a"]));
            let state = State { word: text(&file["word"])?, hash };
            Some((PathBuf::from(text(&file["path"])?), state))
        };
        Programs(files.filter_map(state).collect())
    }
}

/// What a session's programs were, from its beginning on.
#[derive(Debug)]
pub(crate) struct History {
    file: PathBuf,
    states: Vec<Value>,
}

impl History {
    /// That of a session; empty if nothing is known, as of sessions of older versions.
    pub(crate) fn of(sessions: &Path, id: i64) -> History {
        let file = History::file_of(sessions, id);
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let found: Value = serde_json::from_str(&text).unwrap_or_default();
        let states = found["states"].as_array().cloned().unwrap_or_default();
        History { file, states }
    }

    /// Where that of a session is.
    pub(crate) fn file_of(sessions: &Path, id: i64) -> PathBuf {
        sessions.join("programs").join(format!("{id}.json"))
    }

    /// What was executed as the session began.
    pub(crate) fn first(&self) -> Option<Programs> {
        self.states.first().map(Programs::from_json)
    }

    /// A session begins.
    pub(crate) fn begin(sessions: &Path, id: i64, programs: &Programs) -> Result<(), EngineError> {
        let mut history = History { states: Vec::new(), ..History::of(sessions, id) };
        history.add(programs, 0)
    }

    /// From here on, after this many executions, the programs are these.
    pub(crate) fn add(&mut self, programs: &Programs, after: usize) -> Result<(), EngineError> {
        self.states.push(programs.json(after));
        let failed = |error: std::io::Error| EngineError::writing(&self.file, error);
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let text = serde_json::to_string(&json!({ "states": self.states }));
        let text = text? + "\n";
        let new = self.file.with_extension("json.part");
        std::fs::write(&new, text).map_err(failed)?;
        std::fs::rename(&new, &self.file).map_err(failed)
    }

    /// What is known to be executed now.
    pub(crate) fn latest(&self) -> Option<Programs> {
        self.states.last().map(Programs::from_json)
    }

    /// Whether the session's executions all ran these programs, as they are now. Of sessions of older
    /// versions that is not known.
    pub(crate) fn ran(&self, programs: &Programs) -> bool {
        let states: Vec<Programs> = self.states.iter().map(Programs::from_json).collect();
        let is_in = |state: &Programs, (path, now): (&PathBuf, &State)| {
            now.hash.is_some() && state.0.get(path).is_some_and(|then| then.hash == now.hash)
        };
        !states.is_empty()
            && states.iter().all(|state| programs.0.iter().all(|program| is_in(state, program)))
    }

    /// After how many executions the programs changed, the first time.
    pub(crate) fn changed_after(&self) -> Option<(usize, Vec<String>)> {
        let states: Vec<Programs> = self.states.iter().map(Programs::from_json).collect();
        let (first, place) = (states.first()?, states.windows(2).position(|two| two[0] != two[1])?);
        let after = self.states.get(place + 1).and_then(|state| state["after"].as_u64());
        let other = states.get(place + 1)?;
        let is_other = |(path, state): &(&PathBuf, &State)| {
            other.0.get(*path).is_none_or(|other| other.hash != state.hash)
        };
        let names = first.0.iter().filter(is_other).map(|(path, state)| shown(path, &state.word));
        Some((usize::try_from(after.unwrap_or(0)).unwrap_or(0), names.collect()))
    }

    /// Refuses to go on with other programs, unless the user allows it; then that is kept.
    pub(crate) fn go_on(
        &mut self,
        id: i64,
        is_allowed: bool,
        executions: usize,
    ) -> Result<(), EngineError> {
        let Some(before) = self.latest() else { return Ok(()) };
        let changed = before.changed();
        if changed.is_empty() {
            return Ok(());
        }
        if is_allowed {
            return self.add(&before.now(), executions);
        }
        Err(EngineError::usage(format!(
            "the program changed since session {id} ran: {}. Executions of two programs give no \
             answer about either; start anew, or, if the change does not matter, go on with \
             --allow-changed-program",
            changed.join(", ")
        )))
    }
}

fn shown(path: &Path, word: &str) -> String {
    let path = path.to_string_lossy();
    if path == word { word.to_string() } else { format!("{word} ({path})") }
}

/// The files that a command executes.
fn files(words: &[String], folder: &Path) -> Vec<(String, PathBuf)> {
    let path = std::env::var_os("PATH");
    let resolved = |word: &str| {
        let found = fathom_sys::resolve::resolve(OsStr::new(word), path.as_deref(), folder).ok()?;
        Some((word.to_string(), found.canonicalize().unwrap_or(found)))
    };
    let Some((program, arguments)) = words.split_first() else { return Vec::new() };
    let mut files: Vec<(String, PathBuf)> = resolved(program).into_iter().collect();
    // What a shell is given is a text of words.
    let texts: Vec<String> = match arguments {
        [option, text] if option == "-c" => shlex::split(text)
            .unwrap_or_else(|| text.split_whitespace().map(str::to_string).collect()),
        _ => arguments.to_vec(),
    };
    if arguments.first().is_some_and(|option| option == "-c") {
        files.extend(texts.first().and_then(|word| resolved(word)));
    }
    let is_output = |place: usize| place > 0 && texts[place - 1] == "-o";
    for (place, word) in texts.iter().enumerate().filter(|(place, _)| !is_output(*place)) {
        let path = folder.join(word);
        if !word.is_empty() && is_program(&path) {
            let path = path.canonicalize().unwrap_or(path);
            if !files.iter().any(|(_, known)| *known == path) {
                files.push((texts[place].clone(), path));
            }
        }
    }
    files
}

/// Whether a file is one that is executed, not one that is read or written.
fn is_program(path: &Path) -> bool {
    let Ok(about) = path.metadata() else { return false };
    if !about.is_file() {
        return false;
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    about.permissions().mode() & 0o111 != 0
        || ending.is_some_and(|ending| SCRIPTS.contains(&ending.as_str()))
        || begins_as_script(path)
}

fn begins_as_script(path: &Path) -> bool {
    let mut start = [0_u8; 2];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && &start == b"#!"
}

/// What is in a file now, in the same kind of hash: sessions of older versions have FNV-1a.
fn hash_like(known: Option<&String>, path: &Path) -> Option<String> {
    match known.is_some_and(|known| !known.starts_with(SHA256)) {
        true => content_hash::fnv1a(path),
        false => sha256_of_file(path),
    }
}

/// How hashes begin that say what they are.
const SHA256: &str = "sha256:";

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn programs_and_scripts_are_known_and_data_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("sim.py", "print(1)");
        write("step", "#!/bin/sh\necho 1\n");
        write("input.txt", "1 2 3");
        let named = |words: &[String]| {
            let files = files(words, folder.path());
            files.into_iter().map(|(word, _)| word).collect::<Vec<_>>()
        };
        assert_eq!(named(&words("sh sim.py step input.txt {seed}")), ["sh", "sim.py", "step"]);
        assert_eq!(named(&words("sh -o step input.txt")), ["sh"]);
        let shell = ["sh", "-c", "cat input.txt; sh sim.py '{seed}'"].map(str::to_string);
        assert_eq!(named(&shell), ["sh", "cat", "sim.py"]);
        assert_eq!(named(&words("{dir}/sim {seed}")), Vec::<String>::new());
    }

    #[test]
    fn changes_are_seen_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("sim.sh");
        std::fs::write(&script, "echo 1").unwrap();
        let command = [words("sh sim.sh")];
        let before = Programs::of(command.iter().map(Vec::as_slice), folder.path());
        History::begin(folder.path(), 7, &before).unwrap();
        let history = || History::of(folder.path(), 7);
        assert_eq!(history().latest(), Some(before.clone()));
        history().go_on(7, false, 3).unwrap();
        // Written again, the same.
        std::fs::write(&script, "echo 1").unwrap();
        assert_eq!(before.changed(), Vec::<String>::new());
        std::fs::write(&script, "echo 2").unwrap();
        let refused = history().go_on(7, false, 3).unwrap_err().to_string();
        assert!(refused.contains("since session 7 ran: sim.sh"), "{refused}");
        assert_eq!(history().changed_after(), None);
        history().go_on(7, true, 3).unwrap();
        history().go_on(7, false, 5).unwrap();
        let (after, names) = history().changed_after().unwrap();
        assert_eq!((after, names.len()), (3, 1));
        std::fs::remove_file(&script).unwrap();
        assert!(history().go_on(7, false, 5).is_err());
        // A session of an older version says nothing.
        History::of(folder.path(), 8).go_on(8, false, 5).unwrap();
    }
}
