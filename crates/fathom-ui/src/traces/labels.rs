//! What somebody thinks of metrics, kept in a file that can be read by people.

use super::{Traces, Trouble};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Whether a metric has to do with the anomaly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// It has.
    Yes,
    /// Perhaps.
    Maybe,
    /// It has not.
    No,
}

/// By target, then by metric.
type Table = BTreeMap<String, BTreeMap<String, Label>>;

/// All labels, and where they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Labels {
    /// By target, then by metric.
    pub labels: Table,
    /// The file; `None` if they are in none.
    pub saved_in: Option<String>,
    /// Why they are in none.
    pub note: Option<String>,
}

/// A label for a metric, or none any more.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Marking {
    /// With which metric it has to do or not.
    pub target: String,
    /// Which metric.
    pub metric: String,
    /// What is thought of it.
    pub label: Option<Label>,
}

const SCHEMA: &str = "fathom-labels/1";

/// What the file holds.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    schema: String,
    labels: Table,
}

/// Labels, one change at a time.
#[derive(Debug)]
pub(super) struct LabelBook {
    file: Option<PathBuf>,
    /// Held while the file is changed; has the labels themselves if there is no file.
    unsaved: Mutex<Table>,
}

impl Traces {
    /// The labels.
    #[must_use]
    pub fn labels(&self) -> Labels {
        self.labels.labels()
    }

    /// Changes one label and saves them.
    pub fn label(&self, marking: &Marking) -> Result<Labels, Trouble> {
        for name in [&marking.target, &marking.metric] {
            let mut metrics = self.source().runs().iter().flat_map(|run| &run.metrics);
            if !metrics.any(|metric| metric.name == *name) {
                return Err(Trouble::Unknown(format!("no run has a metric {name:?}")));
            }
        }
        self.labels.label(marking)
    }
}

impl LabelBook {
    pub(super) fn new(file: Option<PathBuf>) -> LabelBook {
        LabelBook { file, unsaved: Mutex::default() }
    }

    fn labels(&self) -> Labels {
        let unsaved = self.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
        match &self.file {
            None => not_saved(unsaved.clone()),
            Some(file) => match read(file) {
                Ok(labels) => saved(labels, file),
                Err(problem) => {
                    Labels { labels: Table::new(), saved_in: None, note: Some(problem) }
                }
            },
        }
    }

    fn label(&self, marking: &Marking) -> Result<Labels, Trouble> {
        let mut unsaved = self.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &self.file else {
            change(&mut unsaved, marking);
            return Ok(not_saved(unsaved.clone()));
        };
        // Read anew: somebody may have changed it by hand.
        let mut labels = read(file).map_err(Trouble::Failed)?;
        change(&mut labels, marking);
        write(file, &labels).map_err(|error| {
            Trouble::Failed(format!("the label is not saved: {}: {error}", file.display()))
        })?;
        Ok(saved(labels, file))
    }
}

fn not_saved(labels: Table) -> Labels {
    let note = "labels are not saved: they are kept until the program ends";
    Labels { labels, saved_in: None, note: Some(note.to_string()) }
}

fn saved(labels: Table, file: &Path) -> Labels {
    Labels { labels, saved_in: Some(file.display().to_string()), note: None }
}

fn change(labels: &mut Table, marking: &Marking) {
    let of_target = labels.entry(marking.target.clone()).or_default();
    match marking.label {
        Some(label) => _ = of_target.insert(marking.metric.clone(), label),
        None => _ = of_target.remove(&marking.metric),
    }
    labels.retain(|_, metrics| !metrics.is_empty());
}

/// Those of the file, none if it is not there, or what is wrong with it.
fn read(file: &Path) -> Result<Table, String> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Table::new()),
        Err(error) => return Err(format!("labels cannot be read: {}: {error}", file.display())),
    };
    let problem = match serde_json::from_str::<Kept>(&text) {
        Ok(kept) if kept.schema == SCHEMA => return Ok(kept.labels),
        Ok(kept) => format!("its schema is {:?}, and this program knows {SCHEMA:?}", kept.schema),
        Err(error) => error.to_string(),
    };
    Err(format!(
        "{} does not hold labels: {problem}. It is left as it is and labels are not saved: repair \
         it, or move it away",
        file.display()
    ))
}

/// All or nothing: a file beside it takes its place.
fn write(file: &Path, labels: &Table) -> io::Result<()> {
    let kept = Kept { schema: SCHEMA.to_string(), labels: labels.clone() };
    let text = serde_json::to_string_pretty(&kept)? + "\n";
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = file.as_os_str().to_os_string();
    name.push(".new");
    let beside = PathBuf::from(name);
    let written = File::create(&beside).and_then(|mut new| {
        new.write_all(text.as_bytes())?;
        new.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, file)).inspect_err(|_| {
        // What is half written is of no use; that it failed is told already.
        let _ = fs::remove_file(&beside);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marking(metric: &str, label: Option<Label>) -> Marking {
        Marking { target: "ipc".to_string(), metric: metric.to_string(), label }
    }

    #[test]
    fn labels_are_kept_as_they_are_changed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new folder").join("labels.json");
        let book = LabelBook::new(Some(file.clone()));
        assert_eq!(book.labels().labels, Table::new());
        book.label(&marking("gc \"<b>\n", Some(Label::Yes))).unwrap();
        book.label(&marking("cpu", Some(Label::Maybe))).unwrap();
        let found = book.label(&marking("cpu", Some(Label::No))).unwrap();
        assert_eq!(found.saved_in, Some(file.display().to_string()));
        let again = LabelBook::new(Some(file.clone())).labels();
        assert_eq!(again, found);
        assert_eq!(again.labels["ipc"]["gc \"<b>\n"], Label::Yes);
        assert_eq!(again.labels["ipc"]["cpu"], Label::No);
        for metric in ["cpu", "gc \"<b>\n", "never there"] {
            book.label(&marking(metric, None)).unwrap();
        }
        assert_eq!(book.labels().labels, Table::new());
        assert!(fs::read_to_string(&file).unwrap().contains("\n  \"labels\": {}\n"));
        let files = fs::read_dir(file.parent().unwrap()).unwrap().count();
        assert_eq!(files, 1, "nothing is left beside it");
    }

    #[test]
    fn changes_at_once_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let book = LabelBook::new(Some(folder.path().join("labels.json")));
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let book = &book;
                scope.spawn(move || {
                    for n in 0..5 {
                        let metric = format!("{thread}-{n}");
                        book.label(&marking(&metric, Some(Label::Yes))).unwrap();
                    }
                });
            }
        });
        assert_eq!(book.labels().labels["ipc"].len(), 40);
    }

    #[test]
    fn what_is_no_list_of_labels_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("labels.json");
        for text in ["{ not JSON", "{\"schema\":\"fathom-labels/2\",\"labels\":{}}"] {
            fs::write(&file, text).unwrap();
            let book = LabelBook::new(Some(file.clone()));
            let found = book.labels();
            assert_eq!(found.saved_in, None);
            assert!(found.note.unwrap().contains("left as it is"));
            let refused = book.label(&marking("cpu", Some(Label::Yes))).unwrap_err();
            assert!(refused.to_string().contains("move it away"), "{refused}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
    }

    #[test]
    fn without_a_file_they_last_as_long_as_the_program() {
        let book = LabelBook::new(None);
        let found = book.label(&marking("cpu", Some(Label::Yes))).unwrap();
        assert_eq!(found, book.labels());
        assert_eq!(found.labels["ipc"]["cpu"], Label::Yes);
        assert!(found.note.unwrap().contains("not saved"));
    }
}
