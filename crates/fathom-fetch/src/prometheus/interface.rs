//! Requests to a store, each until it is answered or there is no hope.

use super::answers::{Envelope, Labels, Matrix, MetadataEntry};
use super::error::PrometheusError;
use super::refusal::{Asked, NARROW, error_of};
use crate::http::{AnswerError, Client, FetchError, HttpAnswer, form, shown};
use fathom_record::Timestamp;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often it is asked when an answer is cut off or the store is busy.
const ATTEMPTS: u32 = 3;

/// The largest answer with samples, in bytes of JSON. A slice is halved when it has more.
const LARGEST_MATRIX: usize = 256 << 20;

/// The largest list of series or of metadata.
const LARGEST_LIST: usize = 256 << 20;

/// A store that can be asked.
pub struct Prometheus {
    client: Client,
    address: String,
    has_credentials: bool,
}

/// Told how many bytes of an answer came; says whether to keep on.
pub(super) type KeepOn<'a> = &'a dyn Fn(usize) -> bool;

impl Prometheus {
    /// A store. Its credentials, if there are any, are in the client's headers.
    #[must_use]
    pub fn new(client: Client, has_credentials: bool) -> Prometheus {
        let address = client.address().to_string();
        Prometheus { client, address, has_credentials }
    }

    /// Its address, without secrets.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What time it is there. This also shows whether it is a store that answers.
    ///
    /// # Errors
    /// It is missing, refuses, or is something else.
    pub fn time(&self, keep_on: &dyn Fn() -> bool) -> Result<Timestamp, PrometheusError> {
        let parameters = [("query", "time()")];
        let keep_on = |_: usize| keep_on();
        let found: serde_json::Value =
            self.ask("/api/v1/query", &parameters, Asked::Fixed, 1 << 20, &keep_on)?.0;
        // Prometheus gives a scalar, VictoriaMetrics a vector of one.
        let result = &found["result"];
        let text = result[1].as_str().or_else(|| result[0]["value"][1].as_str());
        let seconds: Option<f64> = text.and_then(|text| text.parse().ok());
        match seconds.filter(|seconds| (0.0..9e9).contains(seconds)) {
            // More than milliseconds no store knows.
            Some(seconds) => {
                let now = Timestamp::from_seconds(seconds).nanoseconds() / 1_000_000;
                Ok(Timestamp::from_nanoseconds(now * 1_000_000))
            }
            None => Err(PrometheusError::mistake(format!(
                "{} answers in JSON, but not as Prometheus does. Check the address",
                self.address
            ))),
        }
    }

    /// Samples of a selector or an expression, and warnings about them.
    pub(super) fn matrix(
        &self,
        path: &'static str,
        parameters: &[(&str, &str)],
        asked: Asked,
        keep_on: KeepOn<'_>,
    ) -> Result<(Matrix, Vec<String>), PrometheusError> {
        let (found, warnings): (Matrix, _) =
            self.ask(path, parameters, asked, LARGEST_MATRIX, keep_on)?;
        if found.result_type != "matrix" {
            return Err(PrometheusError::mistake(format!(
                "{} answers with a {}, not with series over time. --match takes a series selector, \
                 --query an expression whose value is a number or a series",
                self.address,
                shown(&found.result_type)
            )));
        }
        Ok((found, warnings))
    }

    /// The labels of series that match.
    pub(super) fn series(
        &self,
        parameters: &[(&str, &str)],
        keep_on: KeepOn<'_>,
    ) -> Result<Vec<Labels>, PrometheusError> {
        Ok(self.ask("/api/v1/series", parameters, Asked::Match, LARGEST_LIST, keep_on)?.0)
    }

    /// The values of the label `job`.
    pub(super) fn jobs(&self, keep_on: KeepOn<'_>) -> Result<Vec<String>, PrometheusError> {
        Ok(self.ask("/api/v1/label/job/values", &[], Asked::Fixed, 4 << 20, keep_on)?.0)
    }

    /// What is known of names.
    pub(super) fn metadata(
        &self,
        keep_on: KeepOn<'_>,
    ) -> Result<BTreeMap<String, Vec<MetadataEntry>>, PrometheusError> {
        Ok(self.ask("/api/v1/metadata", &[], Asked::Fixed, LARGEST_LIST, keep_on)?.0)
    }

    fn ask<Data: DeserializeOwned>(
        &self,
        path: &'static str,
        parameters: &[(&str, &str)],
        asked: Asked,
        largest: usize,
        keep_on: KeepOn<'_>,
    ) -> Result<(Data, Vec<String>), PrometheusError> {
        let answer = self.answer(path, &form(parameters), asked, largest, keep_on)?;
        let address = &self.address;
        let found: Envelope<Data> = serde_json::from_slice(&answer.body).map_err(|error| {
            let begins = String::from_utf8_lossy(answer.body.get(..200).unwrap_or(&answer.body));
            if begins.trim_start().starts_with('{') {
                PrometheusError::unavailable(format!(
                    "{address}{path} gave JSON that Fathom cannot read ({error}). Check whether this \
                     is the interface of Prometheus"
                ))
            } else {
                PrometheusError::mistake(format!(
                    "{address}{path} gave no JSON; it begins with {:?}. This may be a page to log in, or \
                     another program. Check the address and the credentials",
                    shown(begins.lines().next().unwrap_or_default())
                ))
            }
        })?;
        match found.data {
            Some(data) if found.status == "success" => {
                Ok((data, found.warnings.unwrap_or_default()))
            }
            _ => {
                let kind = found.error_type.as_deref().map(shown).unwrap_or_default();
                let error = found.error.as_deref().map(shown).unwrap_or_default();
                Err(PrometheusError::unavailable(format!(
                    "{address}{path} gave no data ({kind} {error}). Check the address"
                )))
            }
        }
    }

    /// Asks until there is an answer that says success.
    fn answer(
        &self,
        path: &'static str,
        parameters: &str,
        asked: Asked,
        largest: usize,
        keep_on: KeepOn<'_>,
    ) -> Result<HttpAnswer, PrometheusError> {
        let mut attempt = 1;
        loop {
            let (error, pause) = match self.client.ask(path, parameters, largest, keep_on) {
                Ok(answer) if answer.head.code == 200 => return Ok(answer),
                Ok(answer) => {
                    let (address, has) = (&self.address, self.has_credentials);
                    let error = error_of(address, path, &answer, asked, has);
                    if !matches!(answer.head.code, 429 | 502..=504) || error_is_final(&answer) {
                        return Err(error);
                    }
                    (error, answer.head.retry_after.unwrap_or(1).min(30))
                }
                Err(FetchError::Stopped) => return Err(PrometheusError::stopped()),
                Err(error) => {
                    let is_cut = matches!(error, FetchError::Answer(AnswerError::Closed { .. }));
                    let error = self.failed(&error, attempt);
                    if !is_cut {
                        return Err(error);
                    }
                    (error, 1)
                }
            };
            if attempt == ATTEMPTS {
                return Err(error);
            }
            attempt += 1;
            let until = Instant::now() + Duration::from_secs(pause);
            while Instant::now() < until {
                if !keep_on(0) {
                    return Err(PrometheusError::stopped());
                }
                sleep(Duration::from_millis(50));
            }
        }
    }

    /// Why there is no answer, with what to do.
    fn failed(&self, error: &FetchError, attempt: u32) -> PrometheusError {
        let address = &self.address;
        match error {
            FetchError::UnknownHost(_) => {
                PrometheusError::mistake(format!("{address}: {error}. Check the address"))
            }
            FetchError::Refused => PrometheusError::unavailable(format!(
                "{address}: {error}. Check the port, and whether the store runs (or the tunnel to it)"
            )),
            FetchError::Unreachable(_) => PrometheusError::unavailable(format!(
                "{address}: {error}. Check the address and the network"
            )),
            FetchError::TimedOut(_) => PrometheusError::unavailable(format!(
                "{address}: {error}. Try again when the store has less to do, or ask for less: {NARROW}"
            ))
            .too_much(),
            FetchError::Answer(AnswerError::TooLarge(_)) => {
                PrometheusError::mistake(format!("{address}: {error}. {NARROW}")).too_much()
            }
            FetchError::Answer(AnswerError::Closed { .. }) => {
                let often = if attempt > 1 { format!(" {attempt} times") } else { String::new() };
                PrometheusError::unavailable(format!(
                    "{address}: {error}{often}. The store or something between may have run out of \
                     memory or time: look at its log, or ask for less. {NARROW}"
                ))
                .too_much()
            }
            FetchError::Answer(AnswerError::NotHttp(_)) => {
                PrometheusError::mistake(format!("{address}: {error}. Check the port"))
            }
            _ => PrometheusError::unavailable(format!("{address}: {error}")),
        }
    }
}

/// A store that says in its own words why it gave up would do so again.
fn error_is_final(answer: &HttpAnswer) -> bool {
    answer.head.code != 429 && answer.head.content_type.contains("json")
}
