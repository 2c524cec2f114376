//! Running the peers that are written in Python.

use crate::repository;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a peer prints, one JSON object a line.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Measured {
    /// What was measured.
    pub(super) peer: String,
    /// The best run.
    pub(super) seconds: f64,
    /// The batch size of the best run.
    pub(super) batch: Option<usize>,
    /// The best run of each batch size, "0" for none given.
    #[serde(default)]
    pub(super) by_batch: BTreeMap<String, f64>,
    /// How many thresholds were timed, where the rest was not.
    pub(super) timed_thresholds: Option<usize>,
    /// How many values were timed, where the rest was not.
    pub(super) timed_values: Option<usize>,
    /// How many runs there were.
    pub(super) runs: usize,
    /// How many outliers or change points there are.
    pub(super) found: Option<usize>,
    /// What the parts of the best run took.
    #[serde(default)]
    pub(super) parts: BTreeMap<String, f64>,
}

/// A Python that has what the peers need.
pub(super) struct Peers {
    python: PathBuf,
}

impl Peers {
    /// The Python of the environment in `FATHOM_VENV`, or of one made in the temporary folder.
    pub(super) fn find() -> Result<Peers, String> {
        if let Some(environment) = std::env::var_os("FATHOM_VENV") {
            let python = python_in(Path::new(&environment));
            return if python.exists() {
                Ok(Peers { python })
            } else {
                Err(format!("FATHOM_VENV: there is no {}", python.display()))
            };
        }
        let environment = std::env::temp_dir().join("fathom-peers");
        let python = python_in(&environment);
        let help = |error| {
            format!(
                "{error}\nThe peers need scipy and more: set FATHOM_VENV to a virtual environment that has \
                 scripts/peers/requirements.txt installed."
            )
        };
        if !python.exists() {
            run(Command::new("python3").args(["-m", "venv"]).arg(&environment)).map_err(help)?;
        }
        let requirements = folder().join("requirements.txt");
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "-r"])
            .arg(requirements))
        .map_err(help)?;
        Ok(Peers { python })
    }

    /// Runs a script of `scripts/peers`.
    pub(super) fn measure(
        &self,
        script: &str,
        arguments: &[&str],
    ) -> Result<Vec<Measured>, String> {
        let text = run(self.script(script).args(arguments))?;
        text.lines()
            .map(|line| serde_json::from_str(line).map_err(|e| format!("{script}: {e}: {line}")))
            .collect()
    }

    /// A script of `scripts/peers`, to be given arguments.
    pub(super) fn script(&self, script: &str) -> Command {
        let mut command = Command::new(&self.python);
        // -B: no __pycache__ in the checkout.
        command.arg("-B").arg(folder().join(script));
        command
    }

    /// The version of an installed package.
    pub(super) fn version(&self, package: &str) -> Result<String, String> {
        let code = format!("from importlib.metadata import version; print(version('{package}'))");
        Ok(run(Command::new(&self.python).args(["-c", &code]))?.trim().to_string())
    }

    /// Runs a script of `scripts/peers` on these values.
    pub(super) fn measure_on(
        &self,
        values: &[f64],
        script: &str,
        arguments: &[&str],
    ) -> Result<Vec<Measured>, String> {
        let file = std::env::temp_dir().join(format!("fathom-{}-{script}.txt", std::process::id()));
        // As many digits as it takes to read the same values back.
        let text: String = values.iter().map(|value| format!("{value}\n")).collect();
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        let path = file.display().to_string();
        let measured = self.measure(script, &[&["--values", &path], arguments].concat());
        // What is left behind in the temporary folder does no harm.
        let _ = std::fs::remove_file(&file);
        measured
    }

    /// "scipy 1.17.1, ... and ruptures 1.1.10 with numpy 2.4.6".
    pub(super) fn versions(&self) -> Result<String, String> {
        let code = "from importlib.metadata import version; \
                    name = lambda package: f'{package} {version(package)}'; \
                    print(', '.join(map(name, ['scipy', 'scikit-learn', 'fastcluster'])), \
                          'and', name('ruptures'), 'with', name('numpy'))";
        Ok(run(Command::new(&self.python).args(["-c", code]))?.trim().to_string())
    }
}

fn folder() -> PathBuf {
    repository::top().join("scripts/peers")
}

fn python_in(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// What a command prints, or why it failed.
fn run(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{shown}: {error}"))?;
    if output.status.success() {
        String::from_utf8(output.stdout).map_err(|error| format!("{shown}: {error}"))
    } else {
        let said = String::from_utf8_lossy(&output.stderr);
        Err(format!("{shown}: {}\n{}", output.status, said.trim_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_says_what_it_was_and_what_it_said() {
        let error = run(Command::new("cargo").arg("no-such-command")).unwrap_err();
        assert!(error.contains("no-such-command\": exit"), "{error}");
        assert!(run(&mut Command::new("no-such-program-at-all")).is_err());
    }

    #[test]
    fn lines_of_the_scripts_are_understood() {
        let line = r#"{"peer": "a", "version": "1", "numpy": "2", "n": 5, "seconds": 0.5,
            "runs": 5, "batch": 100, "by_batch": {"0": 0.7, "100": 0.5}}"#;
        let measured: Measured = serde_json::from_str(line).unwrap();
        assert_eq!((measured.batch, measured.by_batch["0"]), (Some(100), 0.7));
        let line = r#"{"peer": "a", "version": "1", "numpy": "2", "seconds": 9.0, "runs": 1,
            "scaled": true, "timed_thresholds": 2}"#;
        let measured: Measured = serde_json::from_str(line).unwrap();
        assert_eq!(measured.timed_thresholds, Some(2));
        let line = r#"{"peer": "a", "version": "1", "numpy": "2", "seconds": 9.0, "runs": 2,
            "scaled": true, "timed_values": 1000, "found": 4, "parts": {"linkage": 0.3}}"#;
        let measured: Measured = serde_json::from_str(line).unwrap();
        assert_eq!((measured.timed_values, measured.found), (Some(1000), Some(4)));
        assert_eq!((measured.runs, measured.parts["linkage"]), (2, 0.3));
    }
}
