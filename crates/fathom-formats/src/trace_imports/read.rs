//! The way in: from a file or bytes to a run.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use fathom_record::TimeUnit;

use super::run::{self, Content};
use super::{
    ImportFormat, ImportOptions, ImportedRun, detect, exported, gc_log, netdata, perf_stat,
    prometheus, table,
};
use crate::ReadError;
use crate::error::Flaw;
use crate::read::{file_bytes, text_of};
use crate::trace::{ParquetOptions, read_parquet_table};

/// Reads a file that another tool wrote; it may be compressed with gzip.
pub fn read_trace_file(path: &Path, options: &ImportOptions) -> Result<ImportedRun, ReadError> {
    let source = path.display().to_string();
    if path.is_dir() {
        let flaw = Flaw::new("this is a folder", "name the files in it");
        return Err(ReadError::of_import(&source, flaw, options.format));
    }
    if options.format == Some(ImportFormat::Parquet)
        || (options.format.is_none() && is_parquet(path))
    {
        return Ok(exported::restored(read_parquet(path, &source, options)?, path, &[]));
    }
    let bytes = file_bytes(path, None)?;
    let run = read_trace_bytes(&source, &bytes, options)?;
    Ok(exported::restored(run, path, &bytes))
}

/// Whether it begins like a Parquet file. The reader reports a file that cannot be read.
fn is_parquet(path: &Path) -> bool {
    let mut start = [0_u8; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *b"PAR1"
}

/// Parquet is read from the file itself: its columns are not all in memory at once.
fn read_parquet(
    path: &Path,
    source: &str,
    options: &ImportOptions,
) -> Result<ImportedRun, ReadError> {
    let is_counter = |name: &str| options.is_counter(name);
    let wanted = ParquetOptions { time_unit: options.time_unit, is_counter: &is_counter };
    let table = read_parquet_table(path, &wanted).map_err(|error| {
        let otherwise = || "use a Parquet file with a time column".to_string();
        let flaw = Flaw::new(error.what(), error.remedy().unwrap_or_else(otherwise));
        ReadError::of_import(source, flaw, options.format)
    })?;
    Ok(ImportedRun {
        id: run::id(source),
        format: ImportFormat::Parquet,
        clock: table.clock,
        time_unit: options.time_unit.unwrap_or(TimeUnit::Seconds),
        samplers: vec![("parquet".to_string(), table.rows)],
        notes: table.notes,
    })
}

/// Reads bytes, from standard input for example; `source` is their name in messages, and the run's.
pub fn read_trace_bytes(
    source: &str,
    bytes: &[u8],
    options: &ImportOptions,
) -> Result<ImportedRun, ReadError> {
    read(source, bytes, options).map_err(|flaw| ReadError::of_import(source, flaw, options.format))
}

fn read(source: &str, bytes: &[u8], options: &ImportOptions) -> Result<ImportedRun, Flaw> {
    let text = text_of(bytes)?;
    let format = match options.format {
        Some(format) => format,
        None => detect::of_text(&text)?,
    };
    if let Some(unit) = options.time_unit
        && format != ImportFormat::Csv
    {
        return Err(Flaw::new(
            format!(
                "--time-unit {} works only with tables; {format} has its own unit",
                unit.symbol()
            ),
            "leave out --time-unit",
        ));
    }
    let Content { clock, time_unit, samplers, notes } = match format {
        ImportFormat::Parquet => {
            return Err(Flaw::new("Fathom reads Parquet only from files", "use a file name"));
        }
        ImportFormat::Csv => table::read(&text, table::Style::Plain, options)?,
        ImportFormat::PerfStat => perf_stat::read(&text)?,
        ImportFormat::Prometheus => prometheus::read(&text, options)?,
        ImportFormat::Netdata => netdata::read(&text, options)?,
        ImportFormat::GcLog => gc_log::read(&text)?,
    };
    Ok(ImportedRun { id: run::id(source), format, clock, time_unit, samplers, notes })
}
