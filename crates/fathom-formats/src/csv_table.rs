//! Tables: columns divided by commas, semicolons or tabs, a series per column.
//!
//! The header is optional: the first row is one when none of its cells was meant as a number. A
//! single row of numbers is one series. Blank lines, and lines that start with `#`, are comments.

use fathom_record::{Series, Unit};

use crate::csv_columns::Columns;
use crate::csv_records::{Record, Records};
use crate::error::{Flaw, quoted};
use crate::read::Request;
use crate::{csv_delimiter, number};

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    let mut records = Records::new(text, csv_delimiter::of(text));
    let mut record = Record::default();
    if !records.read(&mut record)? {
        return Err(Flaw::new("it holds only comments", "check that it is the right file"));
    }
    let has_header = !record.cells.iter().any(|cell| number::is_meant_as_number(cell));
    let mut table = if has_header {
        let table = Table::new(Columns::named(&record.cells), true, record.line, request.columns)?;
        if !records.read(&mut record)? {
            return Err(Flaw::new(
                format!("it has a header ({}) but no numbers", quoted(&record_text(&table))),
                "check that the command that should have written it succeeded",
            )
            .at_line(table.first_line));
        }
        table
    } else if request.columns.is_empty() && records.is_at_end() {
        return one_line(&record, request);
    } else {
        Table::new(Columns::numbered(record.cells.len()), false, record.line, request.columns)?
    };
    loop {
        table.add(&record)?;
        if !records.read(&mut record)? {
            break;
        }
    }
    table.into_series(request)
}

/// A file of one row and no header: one series, not as many as it has numbers.
fn one_line(record: &Record<'_>, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
    let mut values = Vec::with_capacity(record.cells.len());
    for (cell, number) in record.cells.iter().zip(1..) {
        values.push(number::parse(cell).map_err(|flaw| {
            let flaw = flaw.about(cell, "correct it or remove it").at_line(record.line);
            if record.cells.len() == 1 { flaw } else { flaw.within(format!("field {number}")) }
        })?);
    }
    Ok(vec![make(request.stem(), Unit::Unknown, values)?])
}

fn record_text(table: &Table) -> String {
    let names: Vec<&str> = (0..table.columns.len()).map(|i| table.columns.name(i)).collect();
    names.join(", ")
}

struct Table {
    columns: Columns,
    has_header: bool,
    /// The line that says how many columns there are.
    first_line: u64,
    /// Whether the user picked the columns.
    is_picked: bool,
    chosen: Vec<usize>,
    /// A vector per chosen column.
    values: Vec<Vec<f64>>,
}

impl Table {
    fn new(
        columns: Columns,
        has_header: bool,
        first_line: u64,
        asked: &[String],
    ) -> Result<Table, Flaw> {
        let chosen = columns.chosen(asked).map_err(|flaw| flaw.at_line(first_line))?;
        let values = vec![Vec::new(); chosen.len()];
        Ok(Table { columns, has_header, first_line, is_picked: !asked.is_empty(), chosen, values })
    }

    fn add(&mut self, record: &Record<'_>) -> Result<(), Flaw> {
        record.expect(self.columns.len(), self.first_line)?;
        for (values, &column) in self.values.iter_mut().zip(&self.chosen) {
            let cell = record.cells.get(column).map_or("", |cell| cell.as_ref());
            match number::parse(cell) {
                Ok(value) => values.push(value),
                Err(flaw) => {
                    let is_first = values.is_empty();
                    return Err(self.refuse(column, cell, &flaw, is_first).at_line(record.line));
                }
            }
        }
        Ok(())
    }

    fn refuse(&self, column: usize, cell: &str, flaw: &number::NumberFlaw, is_first: bool) -> Flaw {
        if self.columns.len() == 1 {
            return flaw.about(cell, "correct it or remove the row");
        }
        let place = if self.has_header {
            format!("column {}", quoted(self.columns.name(column)))
        } else {
            format!("column {}", column + 1)
        };
        let remedy = if self.is_picked {
            "correct it or remove the row, or pick another column with --column".to_string()
        } else if is_first && *flaw == number::NumberFlaw::Text {
            // From the first row on: a column of text, which is no mistake.
            self.columns.remedy()
        } else {
            format!("correct it or remove the row, or {}", self.columns.remedy())
        };
        flaw.about(cell, &remedy).within(place)
    }

    fn into_series(self, request: &Request<'_>) -> Result<Vec<Series>, Flaw> {
        let mut series = Vec::with_capacity(self.chosen.len());
        for (values, &column) in self.values.into_iter().zip(&self.chosen) {
            let name = if self.columns.len() == 1 && !self.has_header {
                request.stem()
            } else {
                self.columns.series_name(column)
            };
            series.push(make(name, self.columns.unit(column), values)?);
        }
        Ok(series)
    }
}

fn make(name: String, unit: Unit, values: Vec<f64>) -> Result<Series, Flaw> {
    Series::new(name, unit, values)
        .map_err(|error| Flaw::new(error.to_string(), "check that it is the right file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, columns: &[&str]) -> Vec<(String, Vec<f64>)> {
        let columns: Vec<String> = columns.iter().map(ToString::to_string).collect();
        let series = read(text, &Request { source: "x.csv", columns: &columns }).unwrap();
        series.iter().map(|series| (series.name().to_string(), series.values().to_vec())).collect()
    }

    fn pair(name: &str, values: &[f64]) -> (String, Vec<f64>) {
        (name.to_string(), values.to_vec())
    }

    #[test]
    fn every_shape_is_read() {
        assert_eq!(read_text("1\n2\n", &[]), [pair("x", &[1.0, 2.0])]);
        assert_eq!(read_text("t\n1\n2\n", &[]), [pair("t", &[1.0, 2.0])]);
        assert_eq!(read_text("1,2,3\n", &[]), [pair("x", &[1.0, 2.0, 3.0])]);
        let two = [pair("column 1", &[1.0, 3.0]), pair("column 2", &[2.0, 4.0])];
        assert_eq!(read_text("1,2\n3,4\n", &[]), two);
        let named = [pair("a", &[1.0, 3.0]), pair("b", &[2.0, 4.0])];
        assert_eq!(read_text("a;b\n1;2\n\n# c\n3;4", &[]), named);
        assert_eq!(read_text("a,b\n1,2\n", &[]), [pair("a", &[1.0]), pair("b", &[2.0])]);
        assert_eq!(read_text("\"1.5\"\n\"2\"\n", &[]), [pair("x", &[1.5, 2.0])]);
    }

    #[test]
    fn columns_are_picked_in_the_order_asked() {
        let text = "who,a,b\nme,1,2\nyou,3,4\n";
        let picked = [pair("b", &[2.0, 4.0]), pair("a", &[1.0, 3.0])];
        assert_eq!(read_text(text, &["3", "a"]), picked);
        assert_eq!(read_text("1,2\n", &["2"]), [pair("column 2", &[2.0])]);
    }
}
