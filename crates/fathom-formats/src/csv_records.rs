//! Lines of a table, split into cells.
//!
//! Why not the csv crate: it takes a quote that is never closed for a closed one, so a truncated
//! file would pass, and its line numbers count from before the blank lines and comments that it
//! skips. It is the oracle of the tests instead.

use std::borrow::Cow;

use crate::error::Flaw;
use crate::numbers::is_blank_or_comment;

/// Reads records one after the other.
pub(crate) struct Records<'a> {
    rest: &'a str,
    line: u64,
    delimiter: char,
}

/// The cells of one record, without surrounding white space or quotes.
#[derive(Default)]
pub(crate) struct Record<'a> {
    pub(crate) cells: Vec<Cow<'a, str>>,
    /// Where it starts, from 1.
    pub(crate) line: u64,
}

impl Record<'_> {
    /// Refuses a row that has not as many fields as the first one.
    pub(crate) fn expect(&self, fields: usize, first_line: u64) -> Result<(), Flaw> {
        let found = self.cells.len();
        if found == fields {
            return Ok(());
        }
        Err(Flaw::new(
            format!(
                "found {found} field{}, but line {first_line} has {fields}",
                if found == 1 { "" } else { "s" },
            ),
            "complete the row or remove it. Quote fields that contain the delimiter, including \
             numbers with a decimal comma",
        )
        .at_line(self.line))
    }
}

impl<'a> Records<'a> {
    /// The records of a text whose lines end with `\n`.
    pub(crate) fn new(text: &'a str, delimiter: char) -> Records<'a> {
        Records { rest: text, line: 1, delimiter }
    }

    /// Puts the next record into `record`; `false` at the end. Blank lines and lines that start
    /// with `#` are not records.
    pub(crate) fn read(&mut self, record: &mut Record<'a>) -> Result<bool, Flaw> {
        record.cells.clear();
        loop {
            if self.rest.is_empty() {
                return Ok(false);
            }
            let (line, after) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
            record.line = self.line;
            // A line of tabs alone is a row of empty cells, not a blank line.
            let is_row_of_nothing = self.delimiter == '\t' && line.contains('\t');
            if is_blank_or_comment(line) && (!is_row_of_nothing || line.contains('#')) {
                self.rest = after;
                self.line += 1;
            } else if line.contains('"') {
                return self.read_quoted(record).map(|()| true);
            } else {
                let cells = line.split(self.delimiter);
                record.cells.extend(cells.map(|cell| Cow::Borrowed(cell.trim_ascii())));
                self.rest = after;
                self.line += 1;
                return Ok(true);
            }
        }
    }

    /// Whether no record follows.
    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.split('\n').all(is_blank_or_comment)
    }

    /// A record with quotes somewhere: cell by cell, since a quoted cell may hold line ends.
    fn read_quoted(&mut self, record: &mut Record<'a>) -> Result<(), Flaw> {
        loop {
            let cell = match self.after_opening_quote() {
                Some(after) => {
                    self.rest = after;
                    self.quoted_cell()?
                }
                None => {
                    let end = self.rest.find([self.delimiter, '\n']).unwrap_or(self.rest.len());
                    let (cell, after) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
                    self.rest = after;
                    Cow::Borrowed(cell.trim_ascii())
                }
            };
            record.cells.push(cell);
            if let Some(after) = self.rest.strip_prefix(self.delimiter) {
                self.rest = after;
                continue;
            }
            self.rest = self.rest.strip_prefix('\n').unwrap_or(self.rest);
            self.line += 1;
            return Ok(());
        }
    }

    /// Blanks may stand before a quote, except those that are the delimiter.
    fn after_opening_quote(&self) -> Option<&'a str> {
        let blank = |c: char| c != self.delimiter && matches!(c, ' ' | '\t');
        self.rest.trim_start_matches(blank).strip_prefix('"')
    }

    /// The cell up to its closing quote; two quotes mean one.
    fn quoted_cell(&mut self) -> Result<Cow<'a, str>, Flaw> {
        let opened = self.line;
        let mut cell: Cow<'a, str> = Cow::Borrowed("");
        loop {
            let Some((part, after)) = self.rest.split_once('"') else {
                return Err(Flaw::new(
                    "the quoted field that starts here is never closed",
                    "close the quote. If the file is cut off, write it again",
                )
                .at_line(opened));
            };
            self.line += part.bytes().filter(|&byte| byte == b'\n').count() as u64;
            self.rest = after;
            if cell.is_empty() {
                cell = Cow::Borrowed(part)
            } else {
                cell.to_mut().push_str(part)
            }
            let Some(after) = after.strip_prefix('"') else { break };
            cell.to_mut().push('"');
            self.rest = after;
        }
        let blank = |c: char| c != self.delimiter && matches!(c, ' ' | '\t');
        self.rest = self.rest.trim_start_matches(blank);
        let ends = self.rest.is_empty() || self.rest.starts_with([self.delimiter, '\n']);
        if !ends {
            return Err(Flaw::new(
                "found text after a closing quote",
                "double a quote inside a quoted field: \"\"",
            )
            .at_line(self.line));
        }
        Ok(match cell {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_ascii()),
            Cow::Owned(text) => Cow::Owned(text.trim_ascii().to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn records(text: &str, delimiter: char) -> Result<Vec<(u64, Vec<String>)>, Flaw> {
        let mut reader = Records::new(text, delimiter);
        let mut record = Record::default();
        let mut all = Vec::new();
        while reader.read(&mut record)? {
            all.push((record.line, record.cells.iter().map(ToString::to_string).collect()));
        }
        Ok(all)
    }

    fn cells(text: &str, delimiter: char) -> Vec<Vec<String>> {
        records(text, delimiter).unwrap().into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn lines_are_counted_through_comments_blanks_and_quoted_line_ends() {
        let text = "# c\n\na,\"b\nb\"\n\n1,2\n";
        let lines: Vec<u64> = records(text, ',').unwrap().iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [3, 6]);
    }

    #[test]
    fn quotes_protect_delimiters_and_double_for_themselves() {
        assert_eq!(cells("\"a, \"\"b\"\"\", c\n", ','), [["a, \"b\"", "c"]]);
        assert_eq!(cells("\"\"\"x\"\n", ','), [["\"x"]]);
        assert_eq!(cells("a,5\"\n", ','), [["a", "5\""]]);
    }

    #[test]
    fn empty_cells_are_cells() {
        assert_eq!(cells(",\n\"\"\n", ','), [vec!["", ""], vec![""]]);
        assert_eq!(cells("\t\n", '\t'), [["", ""]]);
        assert_eq!(cells("\"a\",\n", ','), [["a", ""]]);
    }

    #[test]
    fn open_quotes_and_text_after_quotes_are_errors() {
        assert!(records("a\n\"b,1\n2,3\n", ',').is_err());
        assert!(records("\"a\"b\n", ',').is_err());
    }

    proptest! {
        /// What the csv crate writes is read as the csv crate reads it.
        #[test]
        fn agrees_with_the_csv_crate(
            table in prop::collection::vec(prop::collection::vec("[ab,;\"\n1.]{1,6}", 2..4), 1..5),
            delimiter in prop::sample::select(vec![',', ';', '\t']),
        ) {
            let mut writer = csv::WriterBuilder::new()
                .delimiter(delimiter as u8).flexible(true).from_writer(Vec::new());
            for row in &table {
                writer.write_record(row).unwrap();
            }
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            let trimmed: Vec<Vec<&str>> = table
                .iter()
                .map(|row| row.iter().map(|cell| cell.trim_ascii()).collect())
                .collect();
            prop_assert_eq!(cells(&text, delimiter), trimmed);
        }
    }
}
