//! Asks a server for its metrics again and again.

use super::exposition::{self, Exhibit};
use super::heard::{Example, Heard, counted, now};
use super::http::{FetchError, HttpBody, fetch};
use super::line_search::{Outlet, note_left_out};
use super::listening::Bell;
use super::registry::Row;
use super::{ApplicationRow, Endpoint, PROBE};
use fathom_record::Span;
use fathom_record::trace::{Layer, TraceMetric};
use std::time::Duration;

/// Answers of one server, each a row.
#[derive(Debug)]
pub(super) struct Scraper {
    endpoint: Endpoint,
    row: Row,
    outlet: Outlet,
    requests: u64,
    answers: u64,
    rows: u64,
    unreadable: u64,
    first_unreadable: Option<Example>,
    failures: u64,
    first_failure: Option<String>,
    /// Requests that were not made because the one before took too long.
    skipped: u64,
    slowest: Duration,
    /// How long a request had waited when the program ended.
    unanswered: Option<Duration>,
}

impl Scraper {
    pub(super) fn new(endpoint: Endpoint, row: Row, outlet: Outlet) -> Scraper {
        Scraper {
            endpoint,
            row,
            outlet,
            requests: 0,
            answers: 0,
            rows: 0,
            unreadable: 0,
            first_unreadable: None,
            failures: 0,
            first_failure: None,
            skipped: 0,
            slowest: Duration::ZERO,
            unanswered: None,
        }
    }

    /// Asks in such intervals until the bell rings.
    pub(super) fn listen(mut self, bell: &Bell, interval: Duration) -> Heard {
        let interval = Span::from(interval).max(Span::from_nanoseconds(1));
        let mut due = now();
        let mut wait = Duration::ZERO;
        while !bell.rings_within(wait) {
            self.ask(bell);
            // No drift; what a slow answer made late is left out.
            let now = now();
            due += interval;
            if due <= now {
                let passed = (now - due).whole_times(interval) + 1;
                self.skipped += passed;
                due += interval.times(passed);
            }
            wait = Duration::from(due - now);
        }
        self.tell()
    }

    fn ask(&mut self, bell: &Bell) {
        self.requests += 1;
        let asked = now();
        match fetch(&self.endpoint, bell) {
            Ok(answer) => {
                let took = Duration::from(now() - asked);
                self.slowest = self.slowest.max(took);
                self.take(&answer);
            }
            // Not there yet, or no longer: the program is starting, or has ended.
            Err(FetchError::Refused) => {}
            // Given up on because the program has ended.
            Err(_) if bell.rings_within(Duration::ZERO) => {
                self.unanswered = Some(Duration::from(now() - asked));
            }
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn take(&mut self, answer: &HttpBody) {
        let at = now();
        let exposed = exposition::read(&String::from_utf8_lossy(&answer.body));
        if answer.is_openmetrics && !exposed.has_end {
            return self
                .fail("an answer does not end with \"# EOF\" and may be cut off".to_string());
        }
        self.answers += 1;
        self.unreadable += exposed.unreadable;
        self.first_unreadable = self.first_unreadable.take().or(exposed.first_unreadable);
        let mut name = String::new();
        for Exhibit { series, kind, unit, value, about } in exposed.samples {
            name.clear();
            name.extend([PROBE, ".", &series]);
            self.row.add(&name, value, &|| {
                let layer = Layer::Application;
                TraceMetric::real(PROBE, &series, layer, kind, unit.clone()).about(&about)
            });
        }
        if self.row.len() > 0 {
            self.rows += 1;
            let readings = self.row.take();
            self.outlet.send(ApplicationRow { at, readings });
        }
    }

    fn fail(&mut self, why: String) {
        self.failures += 1;
        self.first_failure.get_or_insert(why);
    }

    fn tell(self) -> Heard {
        let mut heard = Heard {
            source: self.endpoint.to_string(),
            lines: self.answers,
            matched: self.rows,
            unparsable: self.unreadable,
            dropped: self.outlet.dropped(),
            ..Heard::default()
        };
        heard.note_counts();
        if let Some(Example { line, text, why }) = &self.first_unreadable {
            let count = counted(self.unreadable, "line", "lines");
            heard.note(format!(
                "{count} of its answers could not be read, first line {line}, {text:?}: {why}"
            ));
        }
        heard.first_unparsable = self.first_unreadable;
        match self.first_failure {
            Some(first) => {
                let requests = counted(self.requests, "request", "requests");
                let failures = self.failures;
                heard.note(format!("{failures} of {requests} failed, the first because {first}"));
            }
            None if self.answers == 0 && self.unanswered.is_some() => {
                let waited = self.unanswered.unwrap_or_default().as_secs_f64();
                heard.note(format!(
                    "it accepted a request but had not answered after {waited:.1} s, when the \
                     program ended. Let the program run longer, or make it answer faster."
                ));
            }
            None if self.answers == 0 => {
                heard.note("it never answered: nothing listened there while the program ran");
            }
            None if self.rows == 0 => heard.note("its answers contained no metrics"),
            None => {}
        }
        if self.skipped > 0 && self.answers > 0 {
            heard.note(format!(
                "it took up to {:.0} ms to answer, longer than the interval, so {} skipped",
                1e3 * self.slowest.as_secs_f64(),
                counted(self.skipped, "request was", "requests were"),
            ));
        }
        note_left_out(&self.row, &mut heard);
        heard
    }
}
