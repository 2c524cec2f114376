//! Any bytes are a question of the page, which is answered or refused, or none.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/http.rs`.

use fathom_explain::{RunEntry, SourceError, TraceSource};
use fathom_record::trace::{Kind, Layer, Number, Samples, TraceMetric, Values};
use fathom_record::{Span, TimeUnit, Timestamp, Unit};
use fathom_request::TraceFiles;
use fathom_ui::OpenedTraces;
use fathom_ui::session::SessionOptions;
use fathom_ui::traces::{PageQuestion, Traces, Trouble, ViewQuery, WarpQuery};
use serde::Serialize;
use std::sync::LazyLock;

static TRACES: LazyLock<Traces> = LazyLock::new(|| Traces::new(opened()));

pub(crate) fn check(bytes: &[u8]) {
    if let Ok(question) = serde_json::from_slice(bytes) {
        answers(&question);
    }
    if let Ok(view) = serde_json::from_slice::<ViewQuery>(bytes) {
        is_answered(TRACES.commands(&view));
    }
    if let Ok(query) = serde_json::from_slice::<WarpQuery>(bytes) {
        let each = |ribbon| is_answered(Ok(ribbon));
        is_answered(TRACES.ribbons(&query, &|_| Ok(()), &each));
    }
    if let Ok(options) = serde_json::from_slice::<SessionOptions>(bytes) {
        let text = serde_json::to_string(&options).expect("options are JSON");
        assert_eq!(serde_json::from_str::<SessionOptions>(&text).expect("our own JSON"), options);
    }
}

fn answers(question: &PageQuestion) {
    is_answered(TRACES.segmentation(question));
    is_answered(TRACES.context(question));
    let mut each = |ranking| {
        is_answered(Ok(ranking));
        Ok(())
    };
    is_answered(TRACES.explain(question, &|_| Ok(()), &mut each));
    is_answered(TRACES.suggestions(&question.run, &question.target));
    let span = question.windows.first().map(|&[start, end]| (start, end));
    is_answered(TRACES.series(&question.run, &question.target, 20, span));
}

/// What the page is told is JSON, or words.
fn is_answered(answer: Result<impl Serialize, Trouble>) {
    match answer {
        Ok(answer) => assert!(!serde_json::to_string(&answer).expect("it is JSON").is_empty()),
        Err(trouble) => assert!(!trouble.to_string().is_empty()),
    }
}

/// Two runs of two metrics, with a row a second.
struct TwoRuns([RunEntry; 2]);

const ROWS: usize = 40;

impl TraceSource for TwoRuns {
    fn runs(&self) -> &[RunEntry] {
        &self.0
    }

    fn common(&self) -> Option<&str> {
        Some("cpu")
    }

    fn samples(&self, run: &str, metric: &str) -> Result<Samples, SourceError> {
        let second = Span::from_milliseconds(1_000);
        let ends = || (0..ROWS as u64).map(|n| Timestamp::ZERO + second.times(n));
        let shift = if run == "run-1" { 0.0 } else { 3.0 };
        let value = |n: usize| match (metric, n) {
            ("ipc", 10..15) => Some(9.0 + shift),
            ("ipc", 20) => None,
            (_, n) => Some(((n as f64 + shift) * 0.7).sin()),
        };
        Ok(Samples {
            metric: gauge(metric),
            starts: ends().map(|end| (end - second).max(Timestamp::ZERO)).collect(),
            ends: ends().collect(),
            values: Values::Reals((0..ROWS).map(value).collect()),
        })
    }
}

fn gauge(name: &str) -> TraceMetric {
    TraceMetric {
        name: name.to_string(),
        layer: Layer::Os,
        unit: Unit::Unknown,
        kind: Kind::Gauge,
        number: Number::Real,
        probe: "made up".to_string(),
        about: String::new(),
    }
}

fn opened() -> OpenedTraces {
    let run = |id: &str| RunEntry { id: id.to_string(), metrics: ["ipc", "cpu"].map(gauge).into() };
    OpenedTraces {
        title: "traces".to_string(),
        source: Box::new(TwoRuns([run("run-1"), run("run-2")])),
        files: TraceFiles { paths: vec!["traces".into()], ..TraceFiles::default() },
        time_unit: TimeUnit::Seconds,
        clocks: vec![None, None],
        has_wall_times: false,
        notes: Vec::new(),
        asked: None,
        labels_file: None,
    }
}
