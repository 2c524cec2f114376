//! Series of a metric store, instead of files.

use crate::TypedSpan;
use crate::command_line::CommandLine;
use crate::value::{OptionValue, as_texts, as_texts_or_none};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// A metric store with Prometheus' interface, and which series are read from it. It says where secrets
/// are, and never holds one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct MetricStore {
    /// Its address, such as `http://localhost:9090`.
    pub address: String,
    /// Selectors of series.
    pub matches: Vec<String>,
    /// Expressions whose values are series: NAME=EXPRESSION.
    #[serde(with = "as_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub queries: Vec<NamedQuery>,
    /// The range of time; around the windows if it is not set.
    pub range: Option<TypedSpan>,
    /// How much before the windows is read; as much as they need if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub history: Option<Duration>,
    /// One sample so often; every sample if it is not set.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub step: Option<Duration>,
    /// How it is asked.
    pub access: StoreAccess,
}

/// With which credentials and headers a store is asked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct StoreAccess {
    /// The file with the token.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub token_file: Option<PathBuf>,
    /// The environment variable with the token.
    pub token_env: Option<String>,
    /// The user of a password.
    pub user: Option<String>,
    /// The file with the password.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub password_file: Option<PathBuf>,
    /// The environment variable with the password.
    pub password_env: Option<String>,
    /// Headers that are no secrets: `NAME: VALUE`.
    pub headers: Vec<String>,
    /// The file with headers that are.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub header_file: Option<PathBuf>,
}

/// An expression, and what its value is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedQuery {
    name: String,
    expression: String,
}

impl NamedQuery {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The expression.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.expression
    }
}

impl OptionValue for NamedQuery {
    fn text(&self) -> String {
        format!("{}={}", self.name, self.expression)
    }

    fn read(text: &str) -> Result<NamedQuery, String> {
        const FORM: &str =
            "write NAME=EXPRESSION, such as 'rate=sum(rate(http_requests_total[1m]))'";
        let (name, expression) = text.split_once('=').ok_or(FORM)?;
        let (name, expression) = (name.trim(), expression.trim());
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '%');
        if name.is_empty() || !name.chars().all(is_plain) || expression.is_empty() {
            return Err(FORM.to_string());
        }
        Ok(NamedQuery { name: name.to_string(), expression: expression.to_string() })
    }
}

impl MetricStore {
    pub(crate) fn write(&self, line: &mut CommandLine) {
        line.optional("--from", Some(&self.address));
        line.repeated("--match", &self.matches);
        line.repeated("--query", &self.queries);
        line.optional("--range", self.range.as_ref());
        line.optional("--history", self.history.as_ref());
        line.optional("--step", self.step.as_ref());
        let access = &self.access;
        line.optional("--token-file", access.token_file.as_ref());
        line.optional("--token-env", access.token_env.as_ref());
        line.optional("--user", access.user.as_ref());
        line.optional("--password-file", access.password_file.as_ref());
        line.optional("--password-env", access.password_env.as_ref());
        line.repeated("--header", &access.headers);
        line.optional("--header-file", access.header_file.as_ref());
    }
}
