//! Options for series of a metric store.

use super::values::value;
use clap::Args;
use fathom_request::{NamedQuery, TypedSpan};
use std::path::PathBuf;
use std::time::Duration;

/// Where series are read from instead of files. The address and secrets are checked later: an error of
/// the command line would repeat what was typed.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Metric store")]
pub(crate) struct MetricStoreArguments {
    /// Read series from Prometheus, Mimir, Thanos or VictoriaMetrics: http://HOST:9090/PREFIX
    #[arg(long = "from", value_name = "URL")]
    pub(crate) address: Option<String>,

    /// Read these series (repeatable): '{job="shop"}', up, 'http_requests_total{code="500"}'
    #[arg(long = "match", value_name = "SELECTOR")]
    pub(crate) matches: Vec<String>,

    /// Read the value of an expression, too (repeatable): 'p99=histogram_quantile(0.99, ...)'
    #[arg(long = "query", value_name = "NAME=EXPR", value_parser = value::<NamedQuery>)]
    pub(crate) queries: Vec<NamedQuery>,

    /// Read this range: 13:00..15:00, 2026-11-16T13:00..15:00, -2h.. [default: around the
    /// windows; without one, the last 6 hours]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = value::<TypedSpan>)]
    pub(crate) range: Option<TypedSpan>,

    /// Read this much before the windows [default: 60 times their length, 1 to 24 hours]
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>)]
    pub(crate) history: Option<Duration>,

    /// Read one sample so often: 1m [default: every sample; for --query, as often as series have one]
    #[arg(long, value_name = "TIME", value_parser = value::<Duration>)]
    pub(crate) step: Option<Duration>,

    /// Send the token in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// Send the token in this environment variable
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) token_env: Option<String>,

    /// Send this user name with a password
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,

    /// Send the password in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) password_file: Option<PathBuf>,

    /// Send the password in this environment variable
    #[arg(long, value_name = "VARIABLE")]
    pub(crate) password_env: Option<String>,

    /// Send this header (repeatable): 'X-Scope-OrgID: TENANT'; it is shown and stored
    #[arg(long = "header", value_name = "HEADER")]
    pub(crate) headers: Vec<String>,

    /// Send the headers in this file, a line each; they are secrets
    #[arg(long, value_name = "FILE")]
    pub(crate) header_file: Option<PathBuf>,
}
