//! A probe's values for a program, as a table.

use crate::probes::kept_open::{Buffer, Extent, is_gone, read_once};
use crate::probes::{Target, Unavailable};
use fathom_record::trace::{Kind, Layer, TraceMetric};
use fathom_record::{TimeUnit, Unit};
use std::io;
use std::path::Path;

/// What a column counts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of {
    Bytes,
    Nanoseconds,
    Things(&'static str),
}

impl Of {
    fn unit(self) -> Unit {
        match self {
            Of::Bytes => Unit::Bytes,
            Of::Nanoseconds => Unit::Time(TimeUnit::Nanoseconds),
            Of::Things(what) => Unit::Other(what.to_string()),
        }
    }
}

/// A column: its name, what it counts, how, and in words.
pub(super) type Column = (&'static str, Of, Kind, &'static str);

pub(super) fn metrics(probe: &str, columns: &[Column]) -> Vec<TraceMetric> {
    let metric = |&(name, of, kind, about): &Column| {
        TraceMetric::integer(probe, name, Layer::Os, kind, of.unit()).about(about)
    };
    columns.iter().map(metric).collect()
}

/// Looks whether a file of the program can be read at all, and says what to do if not.
pub(super) fn check(
    proc: &Path,
    target: Target,
    file: &str,
    is_understood: impl Fn(&[u8]) -> bool,
) -> Result<(), Unavailable> {
    let pid = target.pid();
    let path = proc.join(format!("{pid}/{file}"));
    let shown = path.display();
    match read_once(&path, &mut Buffer::new(), Extent::OneRecord) {
        Ok(text) if is_understood(text) => Ok(()),
        Ok(_) => Err(Unavailable(format!(
            "{shown} has unexpected contents; please report it with the text of the file and \
             `uname -r`"
        ))),
        Err(error) if is_gone(&error) && !proc.join(pid.to_string()).exists() => {
            Err(Unavailable(format!("process {pid} has ended")))
        }
        Err(error) if is_gone(&error) => {
            Err(Unavailable(format!("{shown} does not exist: this kernel was built without it")))
        }
        Err(error) => Err(Unavailable(format!("{shown}: {}", why(&error)))),
    }
}

/// Why a file cannot be read, and what to do.
pub(super) fn why(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::PermissionDenied {
        return "no permission: the program belongs to another user, or changed its user; record \
                it as that user or as root"
            .to_string();
    }
    error.to_string()
}
