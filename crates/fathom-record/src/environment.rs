//! What a result depends on besides the request.

use crate::{InputFile, Provenance};
use fathom_derive::Serialize;

/// With what a result was made: by which build, from which measurement or which files.
///
/// Nothing in it says when or where the document was written: the same data and seed must give the same
/// bytes. When and where something was *measured* belongs to the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "commands", derive(serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Environment {
    /// The version of Fathom.
    pub fathom: String,
    /// The operating system.
    pub os: String,
    /// The processor architecture.
    pub arch: String,
    /// When, where and with which programs the data were measured. Absent if Fathom did not measure
    /// them, or does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Box<Provenance>>,
    /// The files that the data were read from. Absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<InputFile>>,
}

impl Environment {
    /// The environment of this build.
    #[must_use]
    pub fn of_this_build() -> Environment {
        Environment {
            fathom: env!("CARGO_PKG_VERSION").to_string(),
            os: std::env::consts::OS.to_string(),
            arch: std::env::consts::ARCH.to_string(),
            measured: None,
            inputs: None,
        }
    }

    /// This build, with data that were measured so.
    #[must_use]
    pub fn of_measurement(measured: Provenance) -> Environment {
        Environment { measured: Some(Box::new(measured)), ..Environment::of_this_build() }
    }

    /// This build, with data from files.
    #[must_use]
    pub fn of_files(files: Vec<InputFile>) -> Environment {
        Environment { inputs: Some(files), ..Environment::of_this_build() }
    }
}
