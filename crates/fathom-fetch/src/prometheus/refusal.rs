//! What a store's refusals mean, and what to do about them.

use super::answers::Envelope;
use super::error::PrometheusError;
use crate::http::{HttpAnswer, shown};
use fathom_record::foreign_text::is_steering;
use serde::de::IgnoredAny;

/// What the user can set right in a request that the store does not understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Nothing: it is the same for everyone.
    Fixed,
    /// Series by `--match`.
    Match,
    /// An expression of `--query`.
    Query,
}

/// What the store says: the message in its JSON, or the beginning of its text.
pub(super) fn message(answer: &HttpAnswer) -> String {
    const LONGEST: usize = 400;
    let found: Option<Envelope<IgnoredAny>> = serde_json::from_slice(&answer.body).ok();
    match found.and_then(|found| found.error) {
        Some(error) => error.chars().filter(|&c| !is_steering(c)).take(LONGEST).collect(),
        None if answer.head.content_type.contains("html") => String::new(),
        None => {
            let text = String::from_utf8_lossy(&answer.body);
            text.lines().next().map(shown).unwrap_or_default()
        }
    }
}

/// An answer that is no success, as an error.
pub(super) fn error_of(
    address: &str,
    path: &str,
    answer: &HttpAnswer,
    asked: Asked,
    has_credentials: bool,
) -> PrometheusError {
    let code = answer.head.code;
    let status = match answer.head.reason.as_str() {
        "" => format!("status {code}"),
        reason => format!("status {code}, {reason}"),
    };
    let message = message(answer);
    let said = if message.is_empty() { status.clone() } else { format!("{status}: {message}") };
    let lower = message.to_ascii_lowercase();
    match code {
        300..400 => PrometheusError::mistake(redirect(address, &answer.head.location, &status)),
        _ if lower.contains("org id") || lower.contains("orgid") => {
            PrometheusError::mistake(format!(
                "{address} wants to know the tenant ({said}). Name it: --header 'X-Scope-OrgID: TENANT'"
            ))
        }
        401 if has_credentials => PrometheusError::mistake(format!(
            "{address} refused the credentials ({said}). Check the token or the password, and \
             whether it has expired"
        )),
        401 => PrometheusError::mistake(format!(
            "{address} asks for credentials ({said}). Use --token-file FILE or --token-env VARIABLE, \
             or --user NAME with --password-file FILE or --password-env VARIABLE"
        )),
        403 => PrometheusError::mistake(format!(
            "{address} does not allow this ({said}). Use credentials that may read these series, or \
             the header that it expects: --header 'NAME: VALUE'"
        )),
        404 => PrometheusError::mistake(format!(
            "{address} has no Prometheus interface: there is no {path} ({status}). Check the path in \
             the address: Mimir has /prometheus, VictoriaMetrics' cluster /select/0/prometheus, \
             Grafana Cloud /api/prom"
        )),
        400 if lower.contains("https server") => PrometheusError::mistake(format!(
            "{address} speaks https ({message}). Fathom has no TLS: write https:// in the address, \
             and Fathom says how to tunnel"
        )),
        405 => PrometheusError::mistake(format!(
            "{address} does not accept this request ({said}). Something between may allow only GET: \
             use shorter selectors"
        )),
        400 | 422 => {
            let error = PrometheusError::mistake(format!(
                "{address} cannot answer ({said}). {}",
                match asked {
                    Asked::Match if is_too_much(&lower) => NARROW,
                    Asked::Query if is_too_much(&lower) => NARROW_QUERY,
                    Asked::Match =>
                        "Correct --match: it takes a series selector such as \
                         '{job=\"shop\"}'. For an expression use --query NAME=EXPRESSION",
                    Asked::Query => "Correct the expression in --query",
                    Asked::Fixed => "Check whether this is the interface of Prometheus",
                }
            ));
            if is_too_much(&lower) { error.too_much() } else { error }
        }
        413 | 414 | 431 => PrometheusError::mistake(format!(
            "{address} refused a long request ({said}). Use shorter or fewer --match"
        )),
        429 => PrometheusError::unavailable(format!(
            "{address} gets too many requests ({said}). Try again later, or ask for less: {NARROW}"
        ))
        .too_much(),
        500..600 => {
            let error = PrometheusError::unavailable(format!(
                "{address} failed ({said}). Look at the store's log, or ask for less: {NARROW}"
            ));
            let is_long = is_too_much(&lower) || matches!(code, 503 | 504);
            if is_long { error.too_much() } else { error }
        }
        _ => PrometheusError::unavailable(format!(
            "{address} gave an answer that Fathom does not know ({said})"
        )),
    }
}

/// How to ask for less.
pub(super) const NARROW: &str =
    "Narrow --match, shorten --history or --range, or set a --step such as 1m";

const NARROW_QUERY: &str =
    "Simplify the expression, shorten --history or --range, or set a longer --step";

/// Whether asking for less may help.
fn is_too_much(message: &str) -> bool {
    ["too many", "too large", "too long", "limit", "exceed", "memory", "timed out", "timeout"]
        .iter()
        .any(|sign| message.contains(sign))
}

fn redirect(address: &str, location: &Option<String>, status: &str) -> String {
    let Some(location) = location.as_deref().filter(|location| !location.is_empty()) else {
        return format!("{address} redirects without saying where ({status}). Check the address");
    };
    let base = location.split("/api/v1").next().unwrap_or(location);
    if location.contains("/api/v1") && base.starts_with("http") {
        return format!(
            "{address} redirects ({status}), which Fathom does not follow. Ask there: --from {base}"
        );
    }
    format!(
        "{address} redirects to {location} ({status}), which Fathom does not follow. If that is a \
         page to log in, use credentials (--token-file, --user) or an address behind the log-in"
    )
}
