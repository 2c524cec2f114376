//! Any bytes are a label file, which takes another label, or are left alone with a note that says
//! why.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/labels.rs`.

use fathom_explain::{RunEntry, SourceError, TraceSource};
use fathom_record::foreign_text::is_steering;
use fathom_record::trace::{Kind, Layer, Samples, TraceMetric};
use fathom_record::{TimeUnit, Unit};
use fathom_request::TraceFiles;
use fathom_ui::OpenedTraces;
use fathom_ui::traces::{Label, Marking, Traces};
use std::fs;

pub(crate) fn check(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let file = folder.path().join("labels.json");
    fs::write(&file, bytes).expect("room for the file");
    let traces = traces(&file);
    let found = traces.labels();
    let changed = traces.label(&marking(bytes));
    match found.note {
        None => {
            let changed = changed.expect("what can be read can be changed");
            assert_eq!(traces.labels(), changed, "labels change on the way through the file");
        }
        Some(note) => {
            assert!(!note.is_empty() && !note.contains(is_steering), "{note:?}");
            assert!(changed.is_err(), "a file that cannot be read was replaced");
            assert_eq!(fs::read(&file).expect("the file"), bytes);
        }
    }
}

/// What the page sends: the bytes, if they are that, or something usual.
fn marking(bytes: &[u8]) -> Marking {
    let sent: Option<Marking> = serde_json::from_slice(bytes).ok();
    let name = "ipc".to_string();
    Marking {
        target: name.clone(),
        run: Some("run-1".to_string()),
        windows: sent.map(|sent| sent.windows).unwrap_or_default(),
        metric: name,
        label: Some(Label::Maybe),
    }
}

/// Traces of one metric, whose samples are never asked for.
struct OneMetric([RunEntry; 1]);

impl TraceSource for OneMetric {
    fn runs(&self) -> &[RunEntry] {
        &self.0
    }

    fn common(&self) -> Option<&str> {
        None
    }

    fn samples(&self, _: &str, _: &str) -> Result<Samples, SourceError> {
        unreachable!("labels need no samples")
    }
}

fn traces(file: &std::path::Path) -> Traces {
    let metric = TraceMetric::real("made up", "ipc", Layer::Os, Kind::Gauge, Unit::Unknown);
    let metric = TraceMetric { name: "ipc".to_string(), ..metric };
    let run = RunEntry { id: "run-1".to_string(), metrics: vec![metric] };
    Traces::new(OpenedTraces {
        title: "traces".to_string(),
        source: Box::new(OneMetric([run])),
        files: TraceFiles::default(),
        time_unit: TimeUnit::Seconds,
        clocks: vec![None],
        has_wall_times: false,
        notes: Vec::new(),
        asked: None,
        labels_file: Some(file.to_path_buf()),
    })
}
