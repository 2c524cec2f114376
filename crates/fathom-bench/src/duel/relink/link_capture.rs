//! How cargo's linker is overheard.
//!
//! `cargo rustc --bench NAME -- -C linker=SCRIPT` compiles the bench, as `cargo bench` does, and
//! calls the script instead of the linker. The script writes down what it is given and copies what
//! the compiler is about to delete. It links nothing: that is done later, in other orders.

use super::link_recipe::LinkRecipe;
use super::os_bytes;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Its folder is that of the capture. Object files and lists of symbols are temporary; libraries
/// stay where they are. Written for any POSIX shell.
const SCRIPT: &str = r#"#!/bin/sh
# Written by Fathom: notes what the linker is given instead of linking. See docs/benching.md.
set -e
here=${0%/*}
rm -rf "$here/files" "$here/arguments" "$here/complete"
mkdir -p "$here/files"
number=0
before=
for word do
  printf '%s\0' "$word" >> "$here/arguments"
  value=${word#*=}
  case $before in
    -o) : > "$word"; chmod +x "$word" ;;
    *)
      case $word in
        *.rlib | *.so | *.a) ;;
        *) if [ -f "$word" ]; then cp "$word" "$here/files/$number"
           elif [ "$value" != "$word" ] && [ -f "$value" ]; then cp "$value" "$here/files/$number"
           fi ;;
      esac ;;
  esac
  before=$word
  number=$((number + 1))
done
cat "/proc/$PPID/cmdline" > "$here/compiler"
printf '%s' "$PATH" > "$here/path"
pwd > "$here/folder"
: > "$here/complete"
"#;

/// A folder in which what a linker is given is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkCapture {
    folder: PathBuf,
}

/// Why what the linker was given is not known.
#[derive(Debug)]
pub(crate) enum CaptureError {
    /// The folder cannot be used.
    Folder {
        /// Which.
        folder: String,
        /// Why.
        error: io::Error,
    },
    /// The compiler did not call the script.
    NotCalled,
    /// The linker's words are in a file, which names others.
    ResponseFile,
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaptureError::Folder { folder, error } => write!(f, "{folder} cannot be used: {error}"),
            CaptureError::NotCalled => f.write_str("the compiler called no linker"),
            CaptureError::ResponseFile => f.write_str("the linker reads its options from a file"),
        }
    }
}

impl std::error::Error for CaptureError {}

impl LinkCapture {
    /// Prepares a folder, which may hold an earlier capture.
    pub(crate) fn new(folder: &Path) -> Result<LinkCapture, CaptureError> {
        let capture = LinkCapture { folder: folder.to_path_buf() };
        capture.prepare().map_err(|error| capture.broken(error))?;
        Ok(capture)
    }

    fn prepare(&self) -> io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let script = self.linker();
        // Cargo compiles nothing if the script is as it was, so it is not written twice.
        if std::fs::read(&script).is_ok_and(|text| text == SCRIPT.as_bytes()) {
            return Ok(());
        }
        std::fs::write(&script, SCRIPT)?;
        os_bytes::make_executable(&script)
    }

    /// The program that the compiler calls instead of its linker.
    pub(crate) fn linker(&self) -> PathBuf {
        self.folder.join("linker")
    }

    /// Whether something was captured.
    pub(crate) fn is_complete(&self) -> bool {
        self.folder.join("complete").is_file()
    }

    /// What was captured.
    pub(crate) fn recipe(&self) -> Result<LinkRecipe, CaptureError> {
        if !self.is_complete() {
            return Err(CaptureError::NotCalled);
        }
        let read =
            |name: &str| std::fs::read(self.folder.join(name)).map_err(|error| self.broken(error));
        let words = |bytes: Vec<u8>| -> Vec<OsString> {
            let bytes = bytes.strip_suffix(b"\0").unwrap_or(&bytes);
            bytes.split(|byte| *byte == 0).map(|word| os_bytes::word(word.to_vec())).collect()
        };
        let arguments = words(read("arguments")?);
        if arguments.iter().any(|word| word.as_encoded_bytes().starts_with(b"@")) {
            return Err(CaptureError::ResponseFile);
        }
        let mut folder = read("folder")?;
        if folder.ends_with(b"\n") {
            folder.pop();
        }
        Ok(LinkRecipe {
            linker: real_linker(&words(read("compiler")?), &self.linker()),
            arguments: self.with_copies(arguments),
            folder: PathBuf::from(os_bytes::word(folder)),
            path: os_bytes::word(read("path")?),
        })
    }

    /// The words, with the copies of files that the compiler has deleted.
    fn with_copies(&self, mut arguments: Vec<OsString>) -> Vec<OsString> {
        for (number, word) in arguments.iter_mut().enumerate() {
            let copy = self.folder.join("files").join(number.to_string());
            if !copy.is_file() {
                continue;
            }
            let bytes = word.as_encoded_bytes();
            let option = bytes.iter().position(|byte| *byte == b'=').filter(|_| bytes[0] == b'-');
            *word = match option {
                Some(end) => {
                    let mut option = os_bytes::word(bytes[..=end].to_vec());
                    option.push(&copy);
                    option
                }
                None => copy.into_os_string(),
            };
        }
        arguments
    }

    fn broken(&self, error: io::Error) -> CaptureError {
        CaptureError::Folder { folder: self.folder.display().to_string(), error }
    }
}

/// The linker that the compiler would have called: the last one that its command line names and
/// that is not ours, or the usual one.
fn real_linker(compiler: &[OsString], ours: &Path) -> OsString {
    const USUAL: &str = "cc";
    let mut found = OsString::from(USUAL);
    let mut before: &[u8] = b"";
    for word in compiler {
        let bytes = word.as_encoded_bytes();
        let option = match bytes.strip_prefix(b"-C").or(bytes.strip_prefix(b"--codegen=")) {
            Some(rest) if !rest.is_empty() => rest,
            _ if before == b"-C" || before == b"--codegen" => bytes,
            _ => b"",
        };
        if let Some(linker) = option.strip_prefix(b"linker=")
            && linker != ours.as_os_str().as_encoded_bytes()
        {
            found = os_bytes::word(linker.to_vec());
        }
        before = bytes;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn the_last_linker_that_is_not_ours_is_the_real_one() {
        let ours = Path::new("/capture/linker");
        let of = |text: &str| real_linker(&words(text), ours);
        assert_eq!(of("rustc -C opt-level=3 -C linker=/capture/linker"), "cc");
        assert_eq!(of("rustc -C linker=clang -Clinker=/capture/linker"), "clang");
        assert_eq!(of("rustc -Clinker=a --codegen linker=b -C linker=/capture/linker"), "b");
        assert_eq!(of("rustc -C link-arg=linker=x"), "cc");
    }

    #[test]
    fn the_script_writes_down_words_and_keeps_files() {
        let scratch = tempfile::tempdir().unwrap();
        let capture = LinkCapture::new(&scratch.path().join("a capture")).unwrap();
        assert!(matches!(capture.recipe(), Err(CaptureError::NotCalled)));
        let object = scratch.path().join("an object.o");
        let list = scratch.path().join("list");
        let library = scratch.path().join("liba.rlib");
        for file in [&object, &list, &library] {
            std::fs::write(file, file.to_str().unwrap()).unwrap();
        }
        let output = scratch.path().join("program");
        let script = Command::new(capture.linker())
            .arg(&object)
            .arg(format!("-Wl,--version-script={}", list.display()))
            .arg(&library)
            .args(["-lc", "two words", "-o"])
            .arg(&output)
            .current_dir(scratch.path())
            .status();
        assert!(script.unwrap().success());
        assert!(output.is_file(), "cargo looks for what was linked");
        std::fs::remove_file(&object).unwrap();
        std::fs::remove_file(&list).unwrap();

        let recipe = capture.recipe().unwrap();
        assert_eq!(recipe.folder, scratch.path().canonicalize().unwrap());
        let [kept, script, named, rest @ ..] = recipe.arguments.as_slice() else { panic!() };
        assert_eq!(std::fs::read_to_string(kept).unwrap(), object.to_str().unwrap());
        let script = script.to_str().unwrap().strip_prefix("-Wl,--version-script=").unwrap();
        assert_eq!(std::fs::read_to_string(script).unwrap(), list.to_str().unwrap());
        assert_eq!(named, library.as_os_str());
        let rest: Vec<&str> = rest.iter().map(|word| word.to_str().unwrap()).collect();
        assert_eq!(rest, ["-lc", "two words", "-o", output.to_str().unwrap()]);
    }
}
