//! The user's opinion of metrics, kept in a file that people can read.

use super::{Traces, Trouble};
use fathom_record::foreign_text::escaped;
use fathom_record::whole_file;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
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

/// By metric.
type OfMetrics = BTreeMap<String, Label>;

/// The labels of one selection: a label says that a metric has to do with the target there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WindowLabels {
    /// With which metric they have to do or not.
    pub target: String,
    /// Whose windows.
    pub run: String,
    /// In seconds; none: all of the target.
    pub windows: Vec<[f64; 2]>,
    /// By metric.
    pub labels: OfMetrics,
}

/// Labels as they are kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LabelTable {
    /// By target, then by metric: those of earlier versions, which knew no windows.
    pub labels: BTreeMap<String, OfMetrics>,
    /// By what was selected.
    #[serde(default)]
    pub of_windows: Vec<WindowLabels>,
}

/// All labels, and where they are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Labels {
    /// The labels.
    #[serde(flatten)]
    pub table: LabelTable,
    /// The file; `None` if they are in none.
    pub saved_in: Option<String>,
    /// Why they are in none.
    pub note: Option<String>,
}

/// A label for a metric, or none any more.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Marking {
    /// With which metric it has to do or not.
    pub target: String,
    /// In which run; `None`: one of those that know no windows.
    pub run: Option<String>,
    /// Where in it; none: all of the target.
    #[serde(default)]
    pub windows: Vec<[f64; 2]>,
    /// Which metric.
    pub metric: String,
    /// What is thought of it.
    pub label: Option<Label>,
}

const SCHEMA: &str = "fathom-labels/2";
/// It knew no windows, and is read.
const BEFORE: &str = "fathom-labels/1";

/// What the file holds.
#[derive(Debug, Serialize, Deserialize)]
struct LabelsFile {
    schema: String,
    #[serde(flatten)]
    table: LabelTable,
}

/// Labels, one change at a time.
#[derive(Debug)]
pub(super) struct LabelBook {
    file: Option<PathBuf>,
    /// Held while the file is changed; has the labels themselves if there is no file.
    unsaved: Mutex<LabelTable>,
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
                return Err(Trouble::Unknown(format!("no run has the metric {name:?}")));
            }
        }
        if let Some(run) = &marking.run
            && !self.source().runs().iter().any(|known| known.id == *run)
        {
            return Err(Trouble::Unknown(format!("these traces have no run {run:?}")));
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
                    Labels { table: LabelTable::default(), saved_in: None, note: Some(problem) }
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
        // Read again: the user may have changed it by hand.
        let mut table = read(file).map_err(Trouble::Failed)?;
        change(&mut table, marking);
        write(file, &table).map_err(|error| {
            Trouble::Failed(format!("cannot save the label: {}: {error}", file.display()))
        })?;
        Ok(saved(table, file))
    }
}

fn not_saved(table: LabelTable) -> Labels {
    let note = "labels are not saved: they last until Fathom exits";
    Labels { table, saved_in: None, note: Some(note.to_string()) }
}

fn saved(table: LabelTable, file: &Path) -> Labels {
    Labels { table, saved_in: Some(file.display().to_string()), note: None }
}

fn change(table: &mut LabelTable, marking: &Marking) {
    let Marking { target, run, windows, metric, label } = marking;
    let own = match run {
        None => table.labels.entry(target.clone()).or_default(),
        Some(run) => of_selection(table, target, run, windows),
    };
    match label {
        Some(label) => _ = own.insert(metric.clone(), *label),
        None => _ = own.remove(metric),
    }
    table.labels.retain(|_, metrics| !metrics.is_empty());
    table.of_windows.retain(|one| !one.labels.is_empty());
}

fn of_selection<'t>(
    table: &'t mut LabelTable,
    target: &str,
    run: &str,
    windows: &[[f64; 2]],
) -> &'t mut OfMetrics {
    let is_this = |one: &WindowLabels| {
        one.target == target && one.run == run && one.windows.as_slice() == windows
    };
    let all = &mut table.of_windows;
    let place = all.iter().position(is_this).unwrap_or_else(|| {
        let (target, run) = (target.to_string(), run.to_string());
        all.push(WindowLabels { target, run, windows: windows.to_vec(), labels: OfMetrics::new() });
        all.len() - 1
    });
    &mut all[place].labels
}

/// Those of the file, none if it is not there, or what is wrong with it.
fn read(file: &Path) -> Result<LabelTable, String> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(LabelTable::default()),
        Err(error) => return Err(format!("cannot read the labels: {}: {error}", file.display())),
    };
    let problem = match serde_json::from_str::<LabelsFile>(&text) {
        Ok(kept) if [SCHEMA, BEFORE].contains(&kept.schema.as_str()) => return Ok(kept.table),
        Ok(kept) => format!(
            "its schema is {:?}, but this version of Fathom supports {SCHEMA:?}",
            kept.schema
        ),
        Err(error) => error.to_string(),
    };
    Err(format!(
        "{} is not a valid label file: {}. It was not changed, and labels are not saved: \
         repair it, or move it away",
        file.display(),
        escaped(&problem)
    ))
}

/// All or nothing: a new file replaces it.
fn write(file: &Path, table: &LabelTable) -> io::Result<()> {
    let kept = LabelsFile { schema: SCHEMA.to_string(), table: table.clone() };
    let text = serde_json::to_string_pretty(&kept)? + "\n";
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    whole_file::write(file, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marking(metric: &str, label: Option<Label>) -> Marking {
        let (target, metric) = ("ipc".to_string(), metric.to_string());
        Marking { target, run: None, windows: Vec::new(), metric, label }
    }

    #[test]
    fn labels_belong_to_what_was_selected() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("labels.json");
        // As the version before wrote it.
        let before = "{\"schema\":\"fathom-labels/1\",\"labels\":{\"ipc\":{\"gc\":\"maybe\"}}}";
        fs::write(&file, before).unwrap();
        let book = LabelBook::new(Some(file.clone()));
        let at = |run: &str, window: [f64; 2], label| Marking {
            run: Some(run.to_string()),
            windows: vec![window],
            ..marking("gc", label)
        };
        book.label(&at("run-1", [1.0, 2.5], Some(Label::Yes))).unwrap();
        book.label(&at("run-1", [7.0, 9.0], Some(Label::No))).unwrap();
        let all = book.label(&at("run-2", [1.0, 2.5], Some(Label::Maybe))).unwrap().table;
        assert_eq!(all.of_windows.len(), 3);
        assert_eq!(all.of_windows[0].labels["gc"], Label::Yes);
        assert_eq!(all.of_windows[1].labels["gc"], Label::No);
        assert_eq!(all.labels["ipc"]["gc"], Label::Maybe, "old ones stay");
        assert_eq!(LabelBook::new(Some(file)).labels().table, all);
        let fewer = book.label(&at("run-1", [7.0, 9.0], None)).unwrap().table;
        assert_eq!(fewer.of_windows.len(), 2);
    }

    #[test]
    fn labels_are_kept_as_they_are_changed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new folder").join("labels.json");
        let book = LabelBook::new(Some(file.clone()));
        assert_eq!(book.labels().table, LabelTable::default());
        book.label(&marking("gc \"<b>\n", Some(Label::Yes))).unwrap();
        book.label(&marking("cpu", Some(Label::Maybe))).unwrap();
        let found = book.label(&marking("cpu", Some(Label::No))).unwrap();
        assert_eq!(found.saved_in, Some(file.display().to_string()));
        let again = LabelBook::new(Some(file.clone())).labels();
        assert_eq!(again, found);
        assert_eq!(again.table.labels["ipc"]["gc \"<b>\n"], Label::Yes);
        assert_eq!(again.table.labels["ipc"]["cpu"], Label::No);
        for metric in ["cpu", "gc \"<b>\n", "never there"] {
            book.label(&marking(metric, None)).unwrap();
        }
        assert_eq!(book.labels().table, LabelTable::default());
        assert!(fs::read_to_string(&file).unwrap().contains("\n  \"labels\": {},\n"));
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
        assert_eq!(book.labels().table.labels["ipc"].len(), 40);
    }

    #[test]
    fn what_is_no_list_of_labels_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("labels.json");
        for text in ["{ not JSON", "{\"schema\":\"fathom-labels/3\",\"labels\":{}}"] {
            fs::write(&file, text).unwrap();
            let book = LabelBook::new(Some(file.clone()));
            let found = book.labels();
            assert_eq!(found.saved_in, None);
            assert!(found.note.unwrap().contains("was not changed"));
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
        assert_eq!(found.table.labels["ipc"]["cpu"], Label::Yes);
        assert!(found.note.unwrap().contains("not saved"));
    }
}
