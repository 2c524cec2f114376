//! Other load on the core: it alternates between work and sleep.

use super::confined::{compile, on_core};
use super::reading::milliseconds;
use super::trials::Condition;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// How long it works, and how long it then sleeps.
pub(super) const TURN: Duration = Duration::from_millis(300);
/// It ends on its own after this time; no trial takes as long.
const LIFE: Duration = Duration::from_secs(60);
const NAME: &str = "neighbour";

/// The compiled program.
#[derive(Debug)]
pub(super) struct Neighbourhood {
    folder: PathBuf,
}

/// Keeps the core busy half of the time until it is dropped.
#[derive(Debug)]
pub(super) struct Neighbour(Child);

impl Neighbourhood {
    /// Compiles the program.
    pub(super) fn set_up(folder: &Path) -> Result<Neighbourhood, String> {
        compile(folder, NAME, include_str!("neighbour.c"))?;
        Ok(Neighbourhood { folder: folder.to_path_buf() })
    }

    /// The load, this far into its period, if there is one.
    pub(super) fn under(
        &self,
        condition: Condition,
        phase: f64,
    ) -> Result<Option<Neighbour>, String> {
        if condition == Condition::Quiet {
            return Ok(None);
        }
        let into = TURN.mul_f64(2.0 * phase);
        let mut command = on_core(format!("./{NAME}"));
        command
            .args([TURN, TURN, into].map(milliseconds))
            .arg(LIFE.as_secs().to_string())
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        let child = command.spawn().map_err(|error| format!("{NAME}: {error}"))?;
        // It is there before anything is measured.
        std::thread::sleep(Duration::from_millis(20));
        Ok(Some(Neighbour(child)))
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        // If it has ended already, there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
