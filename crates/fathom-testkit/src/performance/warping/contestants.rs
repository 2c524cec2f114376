//! The contestants: Fathom with each of its kernels, and its peers.

use super::super::peers::Peers;
use super::super::reading::{document, output_of};
use super::super::{Say, building};
use super::alone::{Aligned, COMMAND};
use crate::repository;
use fathom_dtw::Kernel;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The contestant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contestant {
    /// Fathom, within the usual memory.
    Fathom(Kernel),
    /// Fathom by its fastest kernel, within the least memory that suffices.
    Frugal,
    /// The crate `dtw_rs`.
    DtwRs,
    /// `dtw_path` of tslearn.
    Tslearn,
    /// `warping_path_fast` of dtaidistance.
    Dtaidistance,
    /// The same with `use_lowmem`.
    DtaidistanceLowMemory,
}

/// What the differences of samples are counted as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    Absolute,
    Squares,
}

impl Cost {
    pub(super) const BOTH: [Cost; 2] = [Cost::Absolute, Cost::Squares];

    /// Of one difference.
    pub(super) fn of(self) -> fn(f64) -> f64 {
        match self {
            Cost::Absolute => f64::abs,
            Cost::Squares => |gap| gap * gap,
        }
    }
}

impl Contestant {
    /// The peers; all are run.
    pub(super) const PEERS: [Contestant; 4] = [
        Contestant::DtwRs,
        Contestant::Tslearn,
        Contestant::Dtaidistance,
        Contestant::DtaidistanceLowMemory,
    ];

    /// Everyone that this machine can run, Fathom first.
    pub(super) fn all() -> Vec<Contestant> {
        let fathom = Kernel::available().map(Contestant::Fathom);
        fathom.chain([Contestant::Frugal]).chain(Contestant::PEERS).collect()
    }

    /// Fathom as it is used.
    pub(super) fn fathom() -> Contestant {
        Contestant::Fathom(Kernel::fastest())
    }

    pub(super) fn is_peer(self) -> bool {
        Contestant::PEERS.contains(&self)
    }

    /// Its name in tables.
    pub(super) fn name(self) -> String {
        match self {
            Contestant::Fathom(kernel) => format!("Fathom, `{kernel}`"),
            Contestant::Frugal => {
                format!("Fathom, `{}`, least memory", Kernel::fastest())
            }
            Contestant::DtwRs => "dtw_rs".to_string(),
            Contestant::Tslearn => "tslearn".to_string(),
            Contestant::Dtaidistance => "dtaidistance".to_string(),
            Contestant::DtaidistanceLowMemory => "dtaidistance with `use_lowmem`".to_string(),
        }
    }

    /// What its path has the least of.
    pub(super) fn cost(self) -> Cost {
        match self {
            Contestant::Fathom(_) | Contestant::Frugal | Contestant::DtwRs => Cost::Absolute,
            _ => Cost::Squares,
        }
    }

    /// The memory that it takes by its design, in bytes: the whole matrix, and some more.
    pub(super) fn needs(self, length: usize) -> f64 {
        let matrix = 8.0 * (length as f64).powi(2);
        match self {
            Contestant::DtwRs | Contestant::Tslearn | Contestant::Dtaidistance => 1.1 * matrix,
            _ => 0.0,
        }
    }
}

/// How contestants are started.
pub(super) struct Stage {
    fathom: PathBuf,
    dtw_rs: PathBuf,
    python: Peers,
}

impl Stage {
    /// Builds and installs what is not there yet.
    pub(super) fn set_up(say: Say<'_>) -> Result<Stage, String> {
        let fathom = std::env::current_exe().map_err(|error| error.to_string())?;
        say("building dtw_rs");
        let target = building::target()?.join("peers-warping");
        output_of(
            building::cargo()
                .args(["build", "--quiet", "--release", "--locked", "--manifest-path"])
                .arg(repository::top().join("peers/warping/Cargo.toml"))
                .arg("--target-dir")
                .arg(&target),
        )?;
        let dtw_rs = target.join("release/with-dtw-rs");
        say("installing tslearn and dtaidistance, unless they are there");
        Ok(Stage { fathom, dtw_rs, python: Peers::find()? })
    }

    /// "dtw_rs 0.10.0, tslearn 0.10.0 and dtaidistance 2.5.1".
    pub(super) fn versions(&self) -> Result<String, String> {
        let path = repository::top().join("peers/warping/Cargo.toml");
        let manifest = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let line = manifest.lines().find_map(|line| line.strip_prefix("dtw_rs = \"="));
        let of_crate = line.and_then(|line| line.strip_suffix('"'));
        let of_crate = of_crate.ok_or_else(|| format!("{}: no dtw_rs", path.display()))?;
        Ok(format!(
            "dtw_rs {of_crate}, tslearn {} and dtaidistance {}",
            self.python.version("tslearn")?,
            self.python.version("dtaidistance")?
        ))
    }

    /// Lets one align the pairs of a file, in a process of its own.
    pub(super) fn aligned(
        &self,
        contestant: Contestant,
        file: &Path,
        length: usize,
    ) -> Result<Aligned, String> {
        let length = length.to_string();
        let mut command = match contestant {
            Contestant::Fathom(kernel) => self.own(file, &length, kernel, "usual"),
            Contestant::Frugal => self.own(file, &length, Kernel::fastest(), "least"),
            Contestant::DtwRs => {
                let mut command = Command::new(&self.dtw_rs);
                command.arg(file).arg(&length);
                command
            }
            Contestant::Tslearn => self.in_python("tslearn", file, &length),
            Contestant::Dtaidistance => self.in_python("dtaidistance", file, &length),
            Contestant::DtaidistanceLowMemory => {
                self.in_python("dtaidistance-lowmem", file, &length)
            }
        };
        let printed = output_of(&mut command)?.text;
        serde_json::from_value(document(&printed)?)
            .map_err(|error| format!("{}: {error}: {printed}", contestant.name()))
    }

    fn own(&self, file: &Path, length: &str, kernel: Kernel, memory: &str) -> Command {
        let mut command = Command::new(&self.fathom);
        command.arg(COMMAND).arg(file).args([length, kernel.name(), memory]);
        command
    }

    fn in_python(&self, peer: &str, file: &Path, length: &str) -> Command {
        let mut command = self.python.script("warping.py");
        command.args(["--peer", peer, "--length", length, "--values"]).arg(file);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_is_there_once_with_a_name_of_its_own() {
        let all = Contestant::all();
        let mut names: Vec<String> = all.iter().map(|contestant| contestant.name()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all.len());
        assert_eq!(all.iter().filter(|one| one.is_peer()).count(), Contestant::PEERS.len());
        assert!(all.contains(&Contestant::fathom()));
        assert_eq!((Cost::Absolute.of()(-3.0), Cost::Squares.of()(-3.0)), (3.0, 9.0));
    }
}
