//! What must hold of any answer of a server, and of any lines that a program prints.
#![allow(clippy::expect_used, reason = "a check fails by panicking")]

use super::escape_codes::plain_text;
use super::exposition;
use super::heard::Heard;
use super::http::read_answer;
use super::line_search::{LineSearch, Outlet};
use super::lines::LineSplitter;
use super::{AppMetric, Endpoint};
use crate::PrintedMetric;
use fathom_record::Timestamp;
use fathom_record::foreign_text::is_steering;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

/// Panics if something does not hold of an answer, of metrics in it, or of an address.
pub(crate) fn check_answer(bytes: &[u8]) {
    let text = match read_answer(bytes) {
        Ok(answer) => {
            assert!(answer.body.len() <= bytes.len());
            String::from_utf8_lossy(&answer.body).into_owned()
        }
        Err(error) => {
            is_fit(&error);
            String::from_utf8_lossy(bytes).into_owned()
        }
    };
    let exposed = exposition::read(&text);
    assert!(exposed.samples.len() as u64 + exposed.unreadable <= text.lines().count() as u64);
    assert_eq!(exposed.first_unreadable.is_some(), exposed.unreadable > 0);
    for exhibit in exposed.samples {
        assert!(!exhibit.series.is_empty());
        assert!(exhibit.value.real().is_none_or(f64::is_finite), "{exhibit:?}");
    }
    match Endpoint::parse(&text) {
        Ok(endpoint) => {
            assert!(endpoint.addresses().iter().all(|address| address.ip().is_loopback()));
            assert_eq!(endpoint.request().matches("\r\n\r\n").count(), 1);
        }
        Err(error) => is_typed(&error),
    }
}

/// Panics if something does not hold of printed lines, or of an option that says what to look for: the
/// first line.
pub(crate) fn check_lines(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (option, rest) = bytes.split_at(end);
    let option = String::from_utf8_lossy(option);
    let usual = ["a=a(.*)", "b[ms]=[0-9.e-]+", "c=json:x[0].a", "d[event]=last-number", "e=csv:e"];
    let options: Vec<&str> = std::iter::once(&*option).chain(usual).collect();
    for option in &options {
        match PrintedMetric::parse(option) {
            Ok(metric) => match metric.read(rest) {
                Ok(value) => assert!(value.is_finite()),
                Err(error) => is_fit(&error),
            },
            Err(error) => is_typed(&error),
        }
        if let Err(error) = AppMetric::parse(option) {
            is_typed(&error);
        }
    }
    let parsed = AppMetric::parse_all(&options).or_else(|_| AppMetric::parse_all(&usual[..4]));
    is_searched(&parsed.expect("the usual options are right"), rest);
}

fn is_searched(metrics: &[AppMetric], bytes: &[u8]) {
    let (sender, said) = sync_channel(100);
    let mut search = LineSearch::new(metrics, true, Arc::default(), Outlet::new(sender));
    let mut splitter = LineSplitter::new();
    let mut line = |line: &[u8]| {
        assert!(!plain_text(line).as_bytes().contains(&27));
        search.line(line, Timestamp::ZERO);
    };
    splitter.push(bytes, &mut line);
    splitter.finish(&mut line);
    for row in said.try_iter() {
        assert!(!row.readings.is_empty());
        let names: BTreeSet<&str> =
            row.readings.iter().map(|(metric, _)| metric.name.as_str()).collect();
        assert_eq!(names.len(), row.readings.len(), "a metric is there twice");
        for (metric, value) in &row.readings {
            assert!(value.real().is_some_and(f64::is_finite), "{metric:?}");
        }
    }
    let mut heard = Heard::default();
    search.tell(&mut heard);
    assert!(heard.notes.iter().all(|note| !note.is_empty()));
}

/// An error about what the user typed.
fn is_typed(error: &dyn Display) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains(char::is_control), "{text:?}");
}

fn is_fit(error: &dyn Display) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains(is_steering), "{text:?}");
}
