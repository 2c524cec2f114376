//! The columns of a table: their names and units, and which of them are asked for.

use std::collections::HashMap;

use fathom_record::{TimeUnit, Unit};

use crate::error::{ByOption, FileRemedy, Flaw, listed, quoted};
use crate::nearest::did_you_mean;

/// How many columns a message lists.
const LISTED: usize = 12;

/// The columns of a table, in order.
pub(crate) struct Columns {
    names: Vec<Name>,
}

struct Name {
    text: String,
    /// Written in the file, not made here.
    is_own: bool,
    /// Another column has it too.
    is_shared: bool,
}

impl Columns {
    /// Columns with the names of a header; an empty one is called by its number.
    pub(crate) fn named<T: AsRef<str>>(header: &[T]) -> Columns {
        let mut names: Vec<Name> = Vec::with_capacity(header.len());
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (text, number) in header.iter().map(AsRef::as_ref).zip(1..) {
            let is_own = !text.is_empty();
            let text = if is_own { text.to_string() } else { format!("column {number}") };
            *counts.entry(text.clone()).or_default() += 1;
            names.push(Name { text, is_own, is_shared: false });
        }
        for name in &mut names {
            name.is_shared = counts.get(&name.text).is_some_and(|&count| count > 1);
        }
        Columns { names }
    }

    /// Columns without a header.
    pub(crate) fn numbered(count: usize) -> Columns {
        Columns::named(&vec![""; count])
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The column's name in messages, and the series' name.
    pub(crate) fn name(&self, column: usize) -> &str {
        self.names.get(column).map_or("", |name| &name.text)
    }

    /// Whether the file names the column.
    pub(crate) fn is_named(&self, column: usize) -> bool {
        self.names.get(column).is_some_and(|name| name.is_own)
    }

    /// The series' name: with the number where two columns have one name.
    pub(crate) fn series_name(&self, column: usize) -> String {
        match self.names.get(column) {
            Some(name) if name.is_shared => format!("{} (column {})", name.text, column + 1),
            _ => self.name(column).to_string(),
        }
    }

    pub(crate) fn unit(&self, column: usize) -> Unit {
        match self.names.get(column) {
            Some(name) if name.is_own => unit_in(&name.text),
            _ => Unit::Unknown,
        }
    }

    /// The columns asked for: all of them when nothing is, else by name, else by number from 1.
    pub(crate) fn chosen(&self, asked: &[String]) -> Result<Vec<usize>, Flaw> {
        if asked.is_empty() {
            if let Some(name) = self.names.iter().find(|name| name.is_shared) {
                self.refuse_shared(&name.text)?;
            }
            return Ok((0..self.names.len()).collect());
        }
        asked.iter().map(|column| self.find(column)).collect()
    }

    fn find(&self, asked: &str) -> Result<usize, Flaw> {
        let asked = asked.trim();
        self.refuse_shared(asked)?;
        if let Some(&place) = self.places(asked).first() {
            return Ok(place);
        }
        let number = asked.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        if let Some(place) = number.filter(|&place| place < self.names.len()) {
            return Ok(place);
        }
        let near = did_you_mean(asked, &self.texts());
        Err(Flaw::new(format!("there is no column {}{near}", quoted(asked)), self.remedy()))
    }

    /// One name for two columns: only their numbers tell them apart.
    fn refuse_shared(&self, name: &str) -> Result<(), Flaw> {
        let places = self.places(name);
        if places.len() < 2 {
            return Ok(());
        }
        let flags: Vec<String> =
            places.iter().take(4).map(|place| format!("--column {}", place + 1)).collect();
        Err(Flaw::new(
            format!("{} columns are named {}", places.len(), quoted(name)),
            ByOption(format!("choose one by number: {}", flags.join(" or "))),
        ))
    }

    fn places(&self, name: &str) -> Vec<usize> {
        (0..self.names.len()).filter(|&place| self.name(place) == name).collect()
    }

    fn texts(&self) -> Vec<&str> {
        self.names.iter().map(|name| name.text.as_str()).collect()
    }

    /// What to do about a column: the list to pick from.
    pub(crate) fn remedy(&self) -> FileRemedy {
        ByOption(format!("choose with --column: {}", listed(&self.texts(), LISTED))).into()
    }
}

/// The unit that a header names: `time_ns`, `latency [ms]`, `runtime (s)`.
///
/// After an underscore only the four usual symbols count: `batch_h` and `queue_min` are names.
pub(crate) fn unit_in(header: &str) -> Unit {
    if let Some((name, suffix)) = header.rsplit_once('_')
        && !name.is_empty()
        && ["ns", "us", "ms", "s"].contains(&suffix)
    {
        return TimeUnit::parse(suffix).map_or(Unit::Unknown, Unit::Time);
    }
    for (open, close) in [('[', ']'), ('(', ')')] {
        let bracketed = header.strip_suffix(close).and_then(|rest| rest.rsplit_once(open));
        if let Some((_, unit)) = bracketed {
            return Unit::parse(unit);
        }
    }
    Unit::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_from_headers() {
        let ms = Unit::Time(TimeUnit::Milliseconds);
        for (header, unit) in [
            ("time_ns", Unit::Time(TimeUnit::Nanoseconds)),
            ("time_us", Unit::Time(TimeUnit::Microseconds)),
            ("latency [ms]", ms.clone()),
            ("p99(ms)", ms.clone()),
            ("a (b) [ms]", ms),
            ("runtime (s)", Unit::SECONDS),
            ("size (bytes)", Unit::Bytes),
            ("cache [misses]", Unit::Other("misses".into())),
            ("batch_h", Unit::Unknown),
            ("queue_min", Unit::Unknown),
            ("_s", Unit::Unknown),
            ("ms", Unit::Unknown),
            ("time [] ", Unit::Unknown),
            ("x []", Unit::Unknown),
            ("units", Unit::Unknown),
        ] {
            assert_eq!(unit_in(header), unit, "{header}");
        }
    }

    #[test]
    fn a_name_that_is_a_number_comes_before_the_number() {
        let columns = Columns::named(&["2", "b", ""]);
        assert_eq!(columns.find("2").unwrap(), 0);
        assert_eq!(columns.find("3").unwrap(), 2);
        assert_eq!(columns.find("column 3").unwrap(), 2);
        assert!(columns.find("0").is_err());
        assert!(columns.find("4").is_err());
    }

    #[test]
    fn shared_names_are_picked_by_number() {
        let columns = Columns::named(&["x", "y", "x"]);
        assert!(columns.find("x").is_err());
        assert!(columns.chosen(&[]).is_err());
        assert_eq!(columns.chosen(&["3".into()]).unwrap(), [2]);
        assert_eq!(columns.series_name(2), "x (column 3)");
        assert_eq!(columns.series_name(1), "y");
    }
}
