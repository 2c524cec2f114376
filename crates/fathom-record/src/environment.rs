//! What a result depends on besides the data.

use serde::{Deserialize, Serialize};

/// Where and with what a result was made.
///
/// No clock and no host name: the same data and seed must give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Environment {
    /// The version of Fathom.
    pub fathom: String,
    /// The operating system.
    pub os: String,
    /// The processor architecture.
    pub arch: String,
}

impl Environment {
    /// The environment of this build.
    #[must_use]
    pub fn of_this_build() -> Environment {
        Environment {
            fathom: env!("CARGO_PKG_VERSION").to_string(),
            os: std::env::consts::OS.to_string(),
            arch: std::env::consts::ARCH.to_string(),
        }
    }
}
