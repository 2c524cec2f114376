//! What a linker was given, and how it links that in other orders.

use super::{Arrangement, os_bytes};
use fathom_sys::signals::Interrupt;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// All that is needed to link one executable again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkRecipe {
    pub(super) linker: OsString,
    pub(super) arguments: Vec<OsString>,
    /// Where the linker runs.
    pub(super) folder: PathBuf,
    /// Where it finds its programs.
    pub(super) path: OsString,
}

/// Why an executable cannot be linked again.
#[derive(Debug)]
pub(crate) enum RelinkError {
    /// The linker cannot be started.
    NotStarted {
        /// Which.
        linker: String,
        /// Why.
        error: std::io::Error,
    },
    /// It failed.
    Failed {
        /// Which.
        linker: String,
        /// What it said.
        said: String,
    },
    /// A file cannot be written.
    NotWritten {
        /// Which.
        file: String,
        /// Why.
        error: std::io::Error,
    },
}

impl fmt::Display for RelinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelinkError::NotStarted { linker, error } => {
                write!(f, "{linker} cannot be started: {error}")
            }
            RelinkError::Failed { linker, said } => {
                write!(f, "{linker} cannot link it again: {said}")
            }
            RelinkError::NotWritten { file, error } => {
                write!(f, "{file} cannot be written: {error}")
            }
        }
    }
}

impl std::error::Error for RelinkError {}

impl LinkRecipe {
    /// The files that are linked: objects and libraries, in order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let mut is_output = false;
        self.arguments.iter().filter_map(move |word| {
            let skip = std::mem::replace(&mut is_output, word == "-o");
            let is_option = word.as_encoded_bytes().starts_with(b"-");
            let path = self.folder.join(word);
            (!skip && !is_option && path.is_file()).then_some(path)
        })
    }

    /// Copies every input into a folder, so that later builds cannot change what is linked.
    /// Libraries of the compiler are left where they are: they do not change.
    pub(crate) fn keep_in(&self, folder: &Path) -> std::io::Result<LinkRecipe> {
        std::fs::create_dir_all(folder)?;
        let inputs: std::collections::BTreeSet<PathBuf> = self.inputs().collect();
        let mut kept = self.clone();
        for (number, word) in kept.arguments.iter_mut().enumerate() {
            let path = self.folder.join(&*word);
            if !inputs.contains(&path) || is_of_compiler(&path) {
                continue;
            }
            let name = path.file_name().unwrap_or_default();
            let copy = folder.join(format!("{number}-{}", name.to_string_lossy()));
            std::fs::copy(&path, &copy)?;
            *word = copy.into_os_string();
        }
        Ok(kept)
    }

    /// Writes it down, for [`LinkRecipe::read`].
    pub(crate) fn write(&self, file: &Path) -> std::io::Result<()> {
        let words = [self.linker.as_os_str(), self.folder.as_os_str(), self.path.as_os_str()];
        let words = words.into_iter().chain(self.arguments.iter().map(OsString::as_os_str));
        // No word has a zero byte in it.
        let bytes: Vec<&[u8]> = words.map(os_bytes::bytes).collect();
        std::fs::write(file, bytes.join(&0))
    }

    /// Reads what was written down.
    pub(crate) fn read(file: &Path) -> std::io::Result<LinkRecipe> {
        let bytes = std::fs::read(file)?;
        let mut words = bytes.split(|byte| *byte == 0).map(|word| os_bytes::word(word.to_vec()));
        let incomplete = || std::io::Error::other("it is incomplete");
        Ok(LinkRecipe {
            linker: words.next().ok_or_else(incomplete)?,
            folder: PathBuf::from(words.next().ok_or_else(incomplete)?),
            path: words.next().ok_or_else(incomplete)?,
            arguments: words.collect(),
        })
    }

    /// The first arrangement that this linker can make, tried out in a scratch folder; `None` if
    /// it can make none. After an interruption nothing more is tried.
    pub(crate) fn arrangement(
        &self,
        scratch: &Path,
        interrupt: Option<Interrupt>,
    ) -> Result<Arrangement, RelinkError> {
        let mut problem = None;
        for arrangement in Arrangement::ALL {
            match self.link(arrangement, 1, &scratch.join("trial")) {
                Ok(()) => return Ok(arrangement),
                // The first says most: the linker that is there cannot do what is asked.
                Err(error) => problem = problem.or(Some(error)),
            }
            if interrupt.is_some_and(Interrupt::requested) {
                break;
            }
        }
        Err(problem.unwrap_or_else(|| RelinkError::Failed {
            linker: self.linker.to_string_lossy().into_owned(),
            said: "no way to arrange it is known".to_string(),
        }))
    }

    /// Links it in the layout that a seed draws.
    pub(crate) fn link(
        &self,
        arrangement: Arrangement,
        seed: u64,
        output: &Path,
    ) -> Result<(), RelinkError> {
        let linker = self.linker.to_string_lossy().into_owned();
        let mut command = Command::new(&self.linker);
        command.current_dir(&self.folder).env("PATH", &self.path).env("LC_ALL", "C");
        let padding = match arrangement.padding(seed) {
            Some(bytes) => Some(self.padding(bytes, output)?),
            None => None,
        };
        command.args(padding.iter().flat_map(PaddingFiles::words));
        let mut is_output = false;
        for word in &self.arguments {
            let is_stripping = word == "-s" || word == "-Wl,--strip-all" || word == "--strip-all";
            if std::mem::replace(&mut is_output, word == "-o") {
                command.arg(output);
            } else if !is_stripping {
                // The names of functions say whether their code has changed.
                command.arg(word);
            }
        }
        command.args(arrangement.words(seed, self.is_driver()));
        let ended = command
            .stdin(Stdio::null())
            .output()
            .map_err(|error| RelinkError::NotStarted { linker: linker.clone(), error })?;
        if ended.status.success() {
            return Ok(());
        }
        Err(RelinkError::Failed { linker, said: last_line(&ended.stderr) })
    }

    /// Whether the linker is called through a compiler.
    fn is_driver(&self) -> bool {
        self.arguments.iter().any(|word| word.as_encoded_bytes().starts_with(b"-Wl,"))
    }

    /// Assembles an object of nothing but space, which comes first and so moves all that follows.
    fn padding(&self, bytes: u64, output: &Path) -> Result<PaddingFiles, RelinkError> {
        let files = PaddingFiles::next_to(output);
        let PaddingFiles { source, object } = &files;
        let text = format!(
            ".section .text.{PADDING},\"ax\",%progbits\n.globl {PADDING}\n{PADDING}:\n.skip {bytes}, 0x90\n\
             .section .note.GNU-stack,\"\",%progbits\n"
        );
        std::fs::write(source, text).map_err(|error| {
            let file = source.display().to_string();
            RelinkError::NotWritten { file, error }
        })?;
        let assembled = Command::new(&self.linker)
            .env("PATH", &self.path)
            .args([OsStr::new("-c"), source.as_os_str(), OsStr::new("-o"), object.as_os_str()])
            .stdin(Stdio::null())
            .output();
        let linker = self.linker.to_string_lossy().into_owned();
        match assembled {
            Ok(ended) if ended.status.success() => Ok(files),
            Ok(ended) => Err(RelinkError::Failed { linker, said: last_line(&ended.stderr) }),
            Err(error) => Err(RelinkError::NotStarted { linker, error }),
        }
    }
}

/// The symbol of the space.
const PADDING: &str = "fathom_padding";

/// What is assembled for one layout. Both files are removed when this is dropped.
struct PaddingFiles {
    source: PathBuf,
    object: PathBuf,
}

impl PaddingFiles {
    fn next_to(output: &Path) -> PaddingFiles {
        let named = |extension: &str| output.with_extension(extension);
        PaddingFiles { source: named("padding.s"), object: named("padding.o") }
    }

    /// What the linker is told.
    fn words(&self) -> [OsString; 2] {
        // Nothing refers to it, and what nothing refers to is left out.
        [self.object.clone().into_os_string(), format!("-Wl,--undefined={PADDING}").into()]
    }
}

impl Drop for PaddingFiles {
    fn drop(&mut self) {
        for file in [&self.source, &self.object] {
            let _ = std::fs::remove_file(file);
        }
    }
}

/// Whether a library came with the compiler.
pub(crate) fn is_of_compiler(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "rustlib")
}

/// What a program said last that is not about another program's end.
fn last_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling =
        lines.clone().find(|line| line.contains("error") || line.contains("unrecognized"));
    telling.or(lines.next_back()).unwrap_or("it said nothing").chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_linker_is_quoted_where_it_says_why() {
        assert_eq!(
            last_line(b"warning: x\nld: error: no such file\n\nstopped\n"),
            "ld: error: no such file"
        );
        assert_eq!(last_line(b"one\n  two  \n\n"), "two");
        assert_eq!(last_line(b" \n"), "it said nothing");
    }
}
