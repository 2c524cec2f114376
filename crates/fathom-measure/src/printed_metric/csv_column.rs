//! A column of a table in a program's output: `csv:ipc`.

use super::error::{Flaw, quoted};
use super::number;
use std::borrow::Cow;

/// A column's name, never empty.
#[derive(Debug, Clone)]
pub(super) struct CsvColumn {
    name: String,
}

const DELIMITERS: [char; 3] = [',', ';', '\t'];

impl CsvColumn {
    pub(super) fn new(name: &str) -> Option<CsvColumn> {
        let name = name.trim();
        (!name.is_empty()).then(|| CsvColumn { name: name.to_string() })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The number in the last row. Lines before the header and lines with another number of cells
    /// are not the table's: programs say other things too.
    pub(super) fn number(&self, output: &[u8]) -> Result<f64, Flaw> {
        let text = String::from_utf8_lossy(output);
        let mut lines = text.lines();
        let Some(header) = lines.by_ref().find_map(|line| self.header(line)) else {
            let has = likely_header(&text);
            return Err(Flaw::NoColumn { column: quoted(&self.name), has });
        };
        let in_row = |line: &str| {
            let cells = cells(line, header.delimiter);
            (cells.len() == header.cells).then(|| cells.get(header.place).map(Cow::to_string))?
        };
        let last = lines.filter(|line| !line.trim().is_empty()).rev().find_map(in_row);
        number::parse(&last.ok_or_else(|| Flaw::NoRow(quoted(&self.name)))?)
    }

    fn header(&self, line: &str) -> Option<Header> {
        // Splitting every line of a long output three times would be slow.
        if !line.contains(&self.name) && !line.contains('"') {
            return None;
        }
        let with = |delimiter| {
            let cells = cells(line, delimiter);
            let place = cells.iter().position(|cell| *cell == self.name)?;
            Some(Header { delimiter, cells: cells.len(), place })
        };
        DELIMITERS.into_iter().filter_map(with).max_by_key(|header| header.cells)
    }
}

/// How the table is laid out.
struct Header {
    delimiter: char,
    cells: usize,
    place: usize,
}

/// The cells of a line without spaces around them. Those in quotes may have the delimiter in them,
/// and two quotes for one.
fn cells(line: &str, delimiter: char) -> Vec<Cow<'_, str>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let (cell, after) = match rest.trim_start_matches(' ').strip_prefix('"') {
            Some(inside) => quoted_cell(inside, delimiter),
            None => match rest.split_once(delimiter) {
                Some((cell, after)) => (Cow::Borrowed(cell.trim()), Some(after)),
                None => (Cow::Borrowed(rest.trim()), None),
            },
        };
        cells.push(cell);
        match after {
            Some(after) => rest = after,
            None => return cells,
        }
    }
}

/// A cell from behind its first quote on, and what follows the delimiter after it.
fn quoted_cell(inside: &str, delimiter: char) -> (Cow<'_, str>, Option<&str>) {
    let mut from = 0;
    while let Some(at) = inside.get(from..).and_then(|rest| rest.find('"')) {
        let quote = from + at;
        let after = inside.get(quote + 1..).unwrap_or_default();
        if after.starts_with('"') {
            from = quote + 2;
            continue;
        }
        let cell = inside.get(..quote).unwrap_or_default();
        let cell = match cell.contains('"') {
            true => Cow::Owned(cell.replace("\"\"", "\"")),
            false => Cow::Borrowed(cell),
        };
        return (cell, after.split_once(delimiter).map(|(_, rest)| rest));
    }
    (Cow::Borrowed(inside), None)
}

/// The cells of the first line that has several: suggestions for a misspelt column.
fn likely_header(text: &str) -> Vec<String> {
    let several = |line: &str| {
        let split = DELIMITERS.map(|delimiter| cells(line, delimiter));
        let most = split.into_iter().max_by_key(Vec::len)?;
        (most.len() > 1).then(|| most.iter().map(Cow::to_string).collect())
    };
    text.lines().find_map(several).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(column: &str, output: &str) -> Result<f64, Flaw> {
        CsvColumn::new(column).unwrap().number(output.as_bytes())
    }

    #[test]
    fn the_last_row_counts() {
        for (column, output, value) in [
            ("ipc", "time,ipc\n0,1\n1,2\n", 2.0),
            ("ipc", "starting\ntime;ipc\r\n0;1\r\n1;2.5\r\n\r\ndone, in 3 s, ok\n", 2.5),
            ("ipc", "time\tipc\tname\n0\t7\tx,y\n", 7.0),
            ("ipc", "ipc\n1\n3", 3.0),
            ("a,b", "x,\"a,b\"\n1,\"4\"\n", 4.0),
            ("a \"b\"", "x,\"a \"\"b\"\"\"\n1, \"5\" \n", 5.0),
            ("p 99", "t, p 99 ,q\n1, 6 ,7\n", 6.0),
            // A value that looks like the name is none.
            ("1", "1,2\n1,5\n", 1.0),
            ("ipc", "time,ipc\n0,1\ntime,ipc\n0,2\n", 2.0),
        ] {
            assert_eq!(read(column, output), Ok(value), "{output}");
        }
        assert_eq!(CsvColumn::new("a").unwrap().number(b"a,b\n\xff,1\n8,\xff\n"), Ok(8.0));
    }

    #[test]
    fn what_is_missing_is_told() {
        let owned = str::to_string;
        let has = vec![owned("time"), owned("ipc")];
        let column = owned("\"icp\"");
        assert_eq!(read("icp", "x\ntime,ipc\n0,1\n"), Err(Flaw::NoColumn { column, has }));
        let column = owned("\"a\"");
        assert_eq!(read("a", "1 2\n"), Err(Flaw::NoColumn { column, has: vec![] }));
        assert_eq!(read("a", "b,a\n\nx\n"), Err(Flaw::NoRow(owned("\"a\""))));
        assert_eq!(read("a", "b,a\n1,\n"), Err(Flaw::NotANumber(owned(""))));
        assert_eq!(read("a", "b;a\n1;2,5\n"), Err(Flaw::Separated(owned("2,5"))));
    }

    proptest! {
        #[test]
        fn no_output_panics(output in "[a,;\t\" \n1]{0,40}", column in "[a,;\" 1]{1,3}") {
            if let Some(column) = CsvColumn::new(&column) {
                let _ = column.number(output.as_bytes());
            }
        }

        #[test]
        fn written_cells_come_back(cells_in in proptest::collection::vec("[a-c,;\"]{0,4}", 1..5)) {
            let write = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
            let line = cells_in.iter().map(write).collect::<Vec<_>>().join(",");
            prop_assert_eq!(cells(&line, ','), cells_in);
        }
    }
}
