//! Why a store gave no series.

use std::fmt;

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrometheusErrorKind {
    /// What was asked is wrong, or too much: the user can mend it.
    Mistake,
    /// The store is missing, slow, or fails.
    Unavailable,
    /// The user ended it.
    Stopped,
}

/// Why a store gave no series: what happened, where, and what to do. It repeats no credentials.
#[derive(Debug)]
pub struct PrometheusError {
    kind: PrometheusErrorKind,
    text: String,
    /// Less at a time may work.
    pub(super) is_too_much: bool,
}

impl PrometheusError {
    pub(super) fn mistake(text: impl Into<String>) -> PrometheusError {
        PrometheusError {
            kind: PrometheusErrorKind::Mistake,
            text: text.into(),
            is_too_much: false,
        }
    }

    pub(super) fn unavailable(text: impl Into<String>) -> PrometheusError {
        PrometheusError {
            kind: PrometheusErrorKind::Unavailable,
            text: text.into(),
            is_too_much: false,
        }
    }

    pub(super) fn stopped() -> PrometheusError {
        let text = "interrupted".to_string();
        PrometheusError { kind: PrometheusErrorKind::Stopped, text, is_too_much: false }
    }

    pub(super) fn too_much(self) -> PrometheusError {
        PrometheusError { is_too_much: true, ..self }
    }

    /// What kind it is.
    #[must_use]
    pub fn kind(&self) -> PrometheusErrorKind {
        self.kind
    }
}

impl fmt::Display for PrometheusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for PrometheusError {}
