//! The way in: from a path or bytes to series.

use std::borrow::Cow;
use std::path::Path;

use fathom_record::{Series, Unit};

use crate::contents::Contents;
use crate::decimal_mark::DecimalMark;
use crate::error::{ByOption, Flaw, quoted};
use crate::{
    Format, ReadError, criterion, criterion_folder, csv_table, decode, detect, fathom_json, gem5,
    google_benchmark, hyperfine, json_table, numbers, pyperf,
};

/// What the user asked for, apart from the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// The kind of file; detected from its content when absent.
    pub format: Option<Format>,
    /// Columns of a table, metrics of a tool's file, or statistics of gem5; see each format for
    /// what is read when there are none.
    pub columns: Vec<String>,
    /// The decimal mark of numbers in tables and plain text; detected from the content when absent.
    /// Ambiguous content is refused.
    pub decimal: Option<DecimalMark>,
    /// Whether the user says that tables have several columns, without naming those to read.
    pub has_columns: bool,
    /// The unit of series for which the file states none.
    pub unit: Option<Unit>,
}

/// What a format's reader needs to know.
#[derive(Clone, Copy, Default)]
pub(crate) struct Request<'a> {
    /// The file's name.
    pub(crate) source: &'a str,
    /// The columns or metrics asked for.
    pub(crate) columns: &'a [String],
    /// The decimal mark that the user chose.
    pub(crate) decimal: Option<DecimalMark>,
    /// Whether the user says that there are several columns.
    pub(crate) has_columns: bool,
}

impl Request<'_> {
    /// `--decimal` is for text; every other format has a notation of its own.
    fn refuse_decimal(&self, format: Format) -> Result<(), Flaw> {
        if self.decimal.is_none() || matches!(format, Format::Numbers | Format::Csv) {
            return Ok(());
        }
        Err(Flaw::new(
            format!("the decimal mark is fixed in {format} files"),
            ByOption("leave out --decimal"),
        ))
    }

    /// A name for what the file itself does not name: the file's, without folder and extensions.
    pub(crate) fn stem(&self) -> String {
        let name = self.source.strip_suffix(".gz").unwrap_or(self.source);
        let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str());
        stem.filter(|stem| !stem.is_empty()).unwrap_or(self.source).to_string()
    }
}

/// Reads a file, a gzip file, or a folder that criterion wrote.
///
/// A folder may be `target/criterion`, a group's or a benchmark's folder in it, or its `new/`.
/// Every `new/sample.json` below it is a series; `base/` and other saved baselines are left out.
///
/// ```no_run
/// use fathom_formats::{ReadOptions, read_path};
/// let contents = read_path("target/criterion".as_ref(), &ReadOptions::default())?;
/// println!("{} series", contents.series.len());
/// # Ok::<(), fathom_formats::ReadError>(())
/// ```
pub fn read_path(path: &Path, options: &ReadOptions) -> Result<Contents, ReadError> {
    let source = path.display().to_string();
    if path.is_dir() {
        let series = match options.format {
            None | Some(Format::Criterion) => criterion_folder::read(path, &options.columns)?,
            Some(other) => {
                let flaw = Flaw::new(
                    format!(
                        "this is a folder, and Fathom reads folders only from criterion, not from \
                         {other}"
                    ),
                    "name the files in it",
                );
                return Err(ReadError::new(&source, flaw, options.format));
            }
        };
        let attach = |flaw| ReadError::new(&source, flaw, options.format);
        return in_unit(series.into(), options).map_err(attach);
    }
    let bytes = file_bytes(path, options.format)?;
    let attach = |flaw| ReadError::new(&source, flaw, options.format);
    let (format, mut contents) = read(&source, &bytes, options).map_err(attach)?;
    // The file alone does not name the benchmark, and every one is called sample.json.
    if format == Format::Criterion
        && let Some(name) = criterion_folder::name_beside(path)?
    {
        let renamed = contents.series.into_iter().map(|series| series.renamed(name.clone()));
        contents.series = renamed.collect();
    }
    Ok(contents)
}

/// Reads bytes, from standard input for example; `source` is their name in messages, and the
/// series' name where the content has none.
pub fn read_bytes(
    source: &str,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Contents, ReadError> {
    let attach = |flaw| ReadError::new(source, flaw, options.format);
    read(source, bytes, options).map(|(_, contents)| contents).map_err(attach)
}

pub(crate) fn file_bytes(path: &Path, forced: Option<Format>) -> Result<Vec<u8>, ReadError> {
    std::fs::read(path).map_err(|error| {
        let remedy = match error.kind() {
            std::io::ErrorKind::NotFound => "check the path",
            std::io::ErrorKind::PermissionDenied => "get permission to read it",
            _ => "check the file and its disk",
        };
        let flaw = Flaw::new(format!("cannot read it ({error})"), remedy);
        ReadError::new(&path.display().to_string(), flaw, forced)
    })
}

fn read(source: &str, bytes: &[u8], options: &ReadOptions) -> Result<(Format, Contents), Flaw> {
    let text = text_of(bytes)?;
    let format = match options.format {
        Some(format) => format,
        None => detect::of_text(&text, options.decimal)?,
    };
    let request = Request {
        source,
        columns: &options.columns,
        decimal: options.decimal,
        has_columns: options.has_columns || !options.columns.is_empty(),
    };
    request.refuse_decimal(format)?;
    Ok((format, in_unit(text_as(format, &text, &request)?, options)?))
}

/// The text in a file that must say something.
pub(crate) fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, Flaw> {
    let text = decode::text(bytes)?;
    if text.trim_ascii().is_empty() {
        return Err(Flaw::new(
            "the file is empty",
            "check that the command that writes it succeeded",
        ));
    }
    Ok(text)
}

/// Reads a text of a known kind.
pub(crate) fn text_as(format: Format, text: &str, request: &Request<'_>) -> Result<Contents, Flaw> {
    let series = match format {
        Format::Csv => return csv_table::read(text, request),
        Format::Json => return json_table::read(text, request),
        Format::Numbers => numbers::read(text, request),
        Format::Hyperfine => hyperfine::read(text, request),
        Format::Pyperf => pyperf::read(text, request),
        Format::GoogleBenchmark => google_benchmark::read(text, request),
        Format::Criterion => criterion::read(text, request),
        Format::Fathom => fathom_json::read(text, request),
        Format::Gem5 => gem5::read(text, request),
    };
    series.map(Contents::from)
}

/// Says the unit of series whose file states none. A unit that the file states is neither replaced,
/// which would change every value, nor converted.
fn in_unit(mut contents: Contents, options: &ReadOptions) -> Result<Contents, Flaw> {
    let Some(unit) = &options.unit else { return Ok(contents) };
    let series = &contents.series;
    let is_open = |series: &Series| *series.unit() == Unit::Unknown;
    if !series.iter().any(is_open)
        && let Some(other) = series.iter().find(|series| series.unit() != unit)
    {
        return Err(Flaw::new(
            format!(
                "the file gives {} in {}, which does not convert to --unit {unit}",
                quoted(other.name()),
                other.unit()
            ),
            ByOption(
                "leave out --unit (-u shows times in another unit). If the file has the wrong \
                 unit, correct it there",
            ),
        ));
    }
    let said = |one: Series| if is_open(&one) { one.with_unit(unit.clone()) } else { one };
    contents.series = contents.series.into_iter().map(said).collect();
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stem_loses_folder_and_extensions() {
        let stem = |source| Request { source, ..Request::default() }.stem();
        assert_eq!(stem("a/b/runs.csv"), "runs");
        assert_eq!(stem("runs.json.gz"), "runs");
        assert_eq!(stem("standard input"), "standard input");
        assert_eq!(stem(".csv"), ".csv");
        assert_eq!(stem("/"), "/");
    }

    #[test]
    fn the_user_says_a_unit_only_where_the_file_does_not() {
        let options = ReadOptions { unit: Some(Unit::Bytes), ..ReadOptions::default() };
        let read = |text: &str| read_bytes("x", text.as_bytes(), &options);
        assert_eq!(read("a\n1\n").unwrap().series[0].unit(), &Unit::Bytes);
        let both = read("a_ms,b\n1,2\n").unwrap().series;
        assert_eq!(both[0].unit(), &Unit::parse("ms"));
        assert_eq!(both[1].unit(), &Unit::Bytes);
        let error = read("a_ms\n1\n").unwrap_err().to_string();
        assert!(
            error.starts_with(
                "x: the file gives \"a_ms\" in ms, which does not convert to --unit B"
            ),
            "{error}"
        );
        assert!(read("a [B]\n1\n").is_ok());
    }
}
