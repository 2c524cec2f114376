//! Where numbers come from: enough to repeat what gave them.

use fathom_derive::Serialize;

/// When, where and with which programs something was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "commands", derive(serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provenance {
    /// When measuring began, in UTC: `2026-11-19T17:49:28Z`.
    pub at: String,
    /// The name of the machine; on a cluster, of the machine that submitted the jobs. `null` if it is
    /// not known.
    pub host: Option<String>,
    /// The release of the kernel, as `uname -r` prints it. `null` if it is not known.
    pub kernel: Option<String>,
    /// The folder in which the commands ran.
    pub folder: String,
    /// The version of Fathom that measured.
    pub fathom: String,
    /// What the commands execute: the programs, and the scripts and programs among their arguments.
    pub programs: Vec<ProgramFile>,
}

/// A file that a command executes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "commands", derive(serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramFile {
    /// The program as the command names it.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// The hash of its content when measuring began: `sha256:` and the digits that `sha256sum`
    /// prints. Benches, and sessions of older versions, have `fnv1a:`, 64 bits of FNV-1a and the length.
    /// `null` if the file could not be read.
    pub hash: Option<String>,
}

/// A file that data were read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "commands", derive(serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InputFile {
    /// The file as it was named; `-` for standard input.
    pub file: String,
    /// The hash of its content: `sha256:` and the digits that `sha256sum` prints. `null` if it is not
    /// known.
    pub hash: Option<String>,
}
