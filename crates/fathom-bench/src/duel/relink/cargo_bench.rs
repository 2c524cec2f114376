//! Cargo's part: it compiles a bench once more, for a linker that only takes notes.

use super::super::Relinking;
use super::cargo_words::{for_one_bench, for_the_same_benches};
use super::{LinkCapture, LinkRecipe, os_bytes};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A bench as cargo knows it, and how it was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CargoBench {
    /// The program, with a toolchain if one was chosen.
    pub cargo: Vec<OsString>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Cargo's name for the package, which has its place in it.
    pub package: String,
    /// The bench's name.
    pub target: String,
    /// What else `cargo bench` was told.
    pub words: Vec<String>,
    /// Where it builds, if not in its usual place.
    pub target_folder: Option<PathBuf>,
}

impl CargoBench {
    /// The bench that is this process, as the `cargo bench` that started it built it.
    pub(crate) fn of_this_process() -> Result<CargoBench, String> {
        let parent = Path::new("/proc").join(os_bytes::parent_id().to_string());
        let words = std::fs::read(parent.join("cmdline")).unwrap_or_default();
        let words: Vec<String> = words
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        let words = bench_words(&words).ok_or("it was not started by `cargo bench`")?;
        let cargo = std::env::var_os("CARGO").ok_or("it was not started by cargo")?;
        let folder = std::fs::read_link(parent.join("cwd"))
            .map_err(|error| format!("the folder of cargo is not known: {error}"))?;
        let bench = CargoBench {
            cargo: vec![cargo],
            folder,
            package: String::new(),
            target: String::new(),
            words,
            target_folder: None,
        };
        bench.found_by(&std::env::current_exe().map_err(|error| error.to_string())?)
    }

    /// The same with the package and the target whose executable this is.
    fn found_by(self, executable: &Path) -> Result<CargoBench, String> {
        let written = || std::fs::metadata(executable).and_then(|about| about.modified()).ok();
        let before = written();
        let mut command = self.command();
        command.args(["bench", "--no-run", "--quiet", "--message-format=json"]);
        command.args(for_the_same_benches(&self.words));
        let output = run(&mut command)?;
        if written() != before {
            return Err("its sources changed since it was built".to_string());
        }
        let is_this = |artifact: &Artifact| artifact.executable == executable;
        match artifacts(&output.stdout).find(is_this) {
            Some(artifact) => {
                Ok(CargoBench { package: artifact.package, target: artifact.target, ..self })
            }
            None => Err("cargo, asked again, builds another executable".to_string()),
        }
    }

    /// What it takes to link it again; why that is not known, if it is not. The folder is this
    /// bench's own.
    pub fn relinking(&self, folder: &Path) -> Result<Relinking, String> {
        let recipe = self.capture(folder)?;
        Ok(Relinking { recipe, folder: folder.to_path_buf() })
    }

    /// Compiles the bench and notes what the linker is given, in a folder of this bench's own.
    pub(crate) fn capture(&self, folder: &Path) -> Result<LinkRecipe, String> {
        let capture = LinkCapture::new(folder).map_err(|error| error.to_string())?;
        let output = self.compile(&capture)?;
        if !capture.is_complete() {
            // Cargo has nothing to do, since it was done before; but what was noted then is gone.
            for artifact in artifacts(&output.stdout) {
                let _ = std::fs::remove_file(&artifact.executable);
            }
            self.compile(&capture)?;
        }
        capture.recipe().map_err(|error| error.to_string())
    }

    fn compile(&self, capture: &LinkCapture) -> Result<Output, String> {
        let mut command = self.command();
        command.args(["rustc", "--quiet", "--message-format=json", "--package", &self.package]);
        command.args(["--bench", &self.target]);
        let words = for_one_bench(&self.words);
        if !words.iter().any(|word| word.starts_with("--profile")) {
            command.args(["--profile", "bench"]);
        }
        command.args(words);
        if let Some(folder) = &self.target_folder {
            command.arg("--target-dir").arg(folder);
        }
        let mut linker = OsString::from("linker=");
        linker.push(capture.linker());
        command.args(["--", "-C"]).arg(linker);
        run(&mut command)
    }

    fn command(&self) -> Command {
        let mut words = self.cargo.iter();
        let mut command = Command::new(words.next().cloned().unwrap_or_else(|| "cargo".into()));
        command.args(words).current_dir(&self.folder).stdin(Stdio::null());
        command
    }
}

fn run(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| line.starts_with("error")).unwrap_or("it said nothing");
    Err(format!("cargo cannot build it for other layouts: {line}"))
}

/// What `cargo bench` was told, if that is what these words are.
fn bench_words(words: &[String]) -> Option<Vec<String>> {
    let at = words.iter().position(|word| word == "bench")?;
    let mine = words[at + 1..].iter().take_while(|word| *word != "--");
    // Options before the command hold for it too.
    let before = words[1..at].iter().filter(|word| !word.starts_with('+'));
    Some(before.chain(mine).filter(|word| !word.is_empty()).cloned().collect())
}

/// An executable that cargo has built.
struct Artifact {
    package: String,
    target: String,
    executable: PathBuf,
}

fn artifacts(messages: &[u8]) -> impl Iterator<Item = Artifact> + '_ {
    messages.split(|byte| *byte == b'\n').filter_map(|line| {
        let message: Value = serde_json::from_slice(line).ok()?;
        let executable = message["executable"].as_str()?.as_bytes().to_vec();
        Some(Artifact {
            package: message["package_id"].as_str()?.to_string(),
            target: message["target"]["name"].as_str()?.to_string(),
            executable: PathBuf::from(os_bytes::word(executable)),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_cargo_bench_are_found() {
        let of = |text: &str| {
            bench_words(&text.split(' ').map(String::from).collect::<Vec<_>>())
                .map(|words| words.join(" "))
        };
        assert_eq!(
            of("cargo bench -p a --features x -- --baseline main").unwrap(),
            "-p a --features x"
        );
        assert_eq!(of("/bin/cargo +nightly --locked bench").unwrap(), "--locked");
        assert_eq!(of("bash -c true"), None);
    }
}
