//! A folder that criterion wrote: every `new/sample.json` below it.

use std::path::{Path, PathBuf};

use fathom_record::Series;
use serde::Deserialize;

use crate::error::Flaw;
use crate::read::{Request, file_bytes};
use crate::{ReadError, criterion, decode, json};

const SAMPLE: &str = "sample.json";

/// The series of a folder, sorted by name.
pub(crate) fn read(folder: &Path, columns: &[String]) -> Result<Vec<Series>, ReadError> {
    let mut found = SampleFolders::default();
    if folder.join(SAMPLE).is_file() {
        // Given alone, any sample folder counts, a saved baseline too.
        found.samples.push(folder.to_path_buf());
    } else {
        found.search(folder)?;
    }
    if found.samples.is_empty() {
        return Err(ReadError::new(&folder.display().to_string(), found.nothing(), None));
    }
    let mut all = Vec::new();
    for sample in &found.samples {
        let file = sample.join(SAMPLE);
        let bytes = file_bytes(&file, None)?;
        let name = match name_beside(&file)? {
            Some(name) => name,
            None => name_of_folder(sample, folder),
        };
        let source = file.display().to_string();
        let request = Request { source: &source, columns, ..Request::default() };
        let series = decode::text(&bytes)
            .and_then(|text| criterion::read(&text, &request))
            .map_err(|flaw| ReadError::new(&source, flaw, None))?;
        all.extend(series.into_iter().map(|series| series.renamed(name.clone())));
    }
    all.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(all)
}

/// Sample folders below a folder.
#[derive(Default)]
struct SampleFolders {
    samples: Vec<PathBuf>,
    /// Whether there are baselines, to say so when there is nothing else.
    baselines: bool,
}

impl SampleFolders {
    /// A folder that holds a sample is recognized by that sample and not by its name,
    /// since a benchmark may itself be called "new", "base" or "report". Links are not followed:
    /// they could lead in a circle.
    fn search(&mut self, folder: &Path) -> Result<(), ReadError> {
        let attach = |error: std::io::Error| {
            let flaw = Flaw::new(
                format!("cannot read the folder ({error})"),
                "check its path and permissions",
            );
            ReadError::new(&folder.display().to_string(), flaw, None)
        };
        for entry in std::fs::read_dir(folder).map_err(attach)? {
            let entry = entry.map_err(attach)?;
            if !entry.file_type().map_err(attach)?.is_dir() {
                continue;
            }
            let path = entry.path();
            if !path.join(SAMPLE).is_file() {
                self.search(&path)?;
            } else if entry.file_name() == "new" {
                self.samples.push(path);
            } else {
                self.baselines = true;
            }
        }
        Ok(())
    }

    fn nothing(&self) -> Flaw {
        if self.baselines {
            Flaw::new(
                "the folder has saved criterion baselines, but no new/sample.json",
                "name the folder of one baseline, or run cargo bench first",
            )
        } else {
            Flaw::new(
                "there is no new/sample.json from criterion in this folder",
                "use target/criterion, or a file",
            )
        }
    }
}

#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
}

/// The benchmark's name from the `benchmark.json` next to a sample, where there is one.
pub(crate) fn name_beside(sample: &Path) -> Result<Option<String>, ReadError> {
    let file = sample.with_file_name("benchmark.json");
    if !file.is_file() {
        return Ok(None);
    }
    let attach = |flaw| ReadError::new(&file.display().to_string(), flaw, None);
    let bytes = file_bytes(&file, None)?;
    let text = decode::text(&bytes).map_err(attach)?;
    let benchmark: Benchmark = json::parse(&text).map_err(attach)?;
    Ok(Some(benchmark.full_id))
}

/// Without a `benchmark.json`: the path of the benchmark's folder from where the user pointed.
fn name_of_folder(sample: &Path, root: &Path) -> String {
    let benchmark = sample.parent().unwrap_or(sample);
    let relative = benchmark.strip_prefix(root).unwrap_or(benchmark);
    let parts: Vec<String> =
        relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let last = benchmark.file_name().map(|name| name.to_string_lossy().into_owned());
    if parts.is_empty() || sample == root {
        last.unwrap_or_else(|| "criterion".to_string())
    } else {
        parts.join("/")
    }
}
