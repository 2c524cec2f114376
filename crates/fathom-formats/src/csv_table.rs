//! Tables: columns divided by commas, semicolons or tabs, a series per column.
//!
//! The header is optional: the first row is one when none of its cells was meant as a number. A
//! single row of numbers is one series. Blank lines, and lines that start with `#`, are comments.
//! Under a header, columns of text and empty columns are skipped with a note, unless they are asked
//! for.

use fathom_record::{Series, Unit};

use crate::contents::Contents;
use crate::csv_columns::Columns;
use crate::csv_notation::{self, DECIMAL_COMMAS, Notation, Remedy};
use crate::csv_records::{Record, Records};
use crate::decimal_mark::DecimalMark;
use crate::error::{ByOption, Flaw, listed, quoted};
use crate::number::{self, NumberFlaw};
use crate::read::Request;
use crate::table_column::{Misfit, TableColumn};

pub(crate) fn read(text: &str, request: &Request<'_>) -> Result<Contents, Flaw> {
    let notation = Notation::of(text, request.decimal);
    let mut records = Records::new(text, notation.delimiter);
    let mut record = Record::default();
    if !records.read(&mut record)? {
        return Err(Flaw::new(
            "the file contains only comments",
            "check that it is the right file",
        ));
    }
    let has_header = !record.cells.iter().any(|cell| number::is_meant_as_number(cell));
    if !has_header && notation.delimiter == ',' && request.decimal.is_none() && !request.has_columns
    {
        csv_notation::refuse_ambiguous_commas(text, Remedy::Options)?;
    }
    let mut table = if has_header {
        let columns = Columns::named(&record.cells);
        let table = Table::new(columns, true, record.line, request, notation)?;
        if !records.read(&mut record)? {
            return Err(Flaw::new(
                format!("the file has a header ({}) but no numbers", quoted(&record_text(&table))),
                "check that the command that writes it succeeded",
            )
            .at_line(table.first_line));
        }
        table
    } else if request.columns.is_empty() && records.is_at_end() {
        return one_line(&record, request, notation.decimal).map(Contents::from);
    } else {
        let columns = Columns::numbered(record.cells.len());
        Table::new(columns, false, record.line, request, notation)?
    };
    loop {
        table.add(&record)?;
        if !records.read(&mut record)? {
            break;
        }
    }
    table.into_contents(request)
}

/// A file of one row and no header: one series, not as many as it has numbers.
fn one_line(
    record: &Record<'_>,
    request: &Request<'_>,
    decimal: DecimalMark,
) -> Result<Vec<Series>, Flaw> {
    let mut values = Vec::with_capacity(record.cells.len());
    for (cell, number) in record.cells.iter().zip(1..) {
        values.push(number::parse_in(cell, decimal).map_err(|flaw| {
            let flaw = flaw.about_choosing(cell, "correct it or remove it").at_line(record.line);
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
    /// Whether the decimal mark was detected from the content.
    is_guessed: bool,
    notation: Notation,
    chosen: Vec<usize>,
    /// By chosen column.
    cells: Vec<TableColumn>,
}

impl Table {
    fn new(
        columns: Columns,
        has_header: bool,
        first_line: u64,
        request: &Request<'_>,
        notation: Notation,
    ) -> Result<Table, Flaw> {
        let chosen = columns.chosen(request.columns).map_err(|flaw| flaw.at_line(first_line))?;
        let cells = vec![TableColumn::New; chosen.len()];
        let is_picked = !request.columns.is_empty();
        let is_guessed = request.decimal.is_none();
        Ok(Table {
            columns,
            has_header,
            first_line,
            is_picked,
            is_guessed,
            notation,
            chosen,
            cells,
        })
    }

    fn add(&mut self, record: &Record<'_>) -> Result<(), Flaw> {
        self.expect_fields(record)?;
        for place in 0..self.chosen.len() {
            let column = self.chosen.get(place).copied().unwrap_or_default();
            let text = record.cells.get(column).map_or("", |cell| cell.as_ref());
            let number = number::parse_in(text, self.notation.decimal);
            let may_skip = self.may_skip(column);
            let Some(cells) = self.cells.get_mut(place) else { continue };
            let is_first = *cells == TableColumn::New;
            let added = match number {
                Err(flaw) if !may_skip => {
                    Err(Misfit { text: text.to_string(), line: record.line, flaw })
                }
                number => cells.add(text, record.line, number),
            };
            added.map_err(|misfit| self.refuse(column, &misfit, is_first))?;
        }
        Ok(())
    }

    /// Whether a column without numbers is fine. Without a header the first row may be a header
    /// with numbers for names, so text is refused there.
    fn may_skip(&self, column: usize) -> bool {
        let columns = self.columns.len();
        !self.is_picked && columns > 1 && (self.has_header || column + 1 == columns)
    }

    fn expect_fields(&self, record: &Record<'_>) -> Result<(), Flaw> {
        let is_decimal = self.columns.len() == 1
            && self.notation.delimiter == ','
            && csv_notation::is_decimal_pair(&record.cells.join(","));
        if !is_decimal {
            return record.expect(self.columns.len(), self.first_line);
        }
        Err(Flaw::new(
            format!(
                "{} has two fields, but line {} has one",
                quoted(&record.cells.join(",")),
                self.first_line
            ),
            ByOption(
                "if the comma is a decimal comma, use --decimal comma. Otherwise name both columns",
            ),
        )
        .at_line(record.line))
    }

    fn refuse(&self, column: usize, misfit: &Misfit, is_first: bool) -> Flaw {
        let Misfit { text, line, flaw } = misfit;
        if self.columns.len() == 1 {
            return flaw.about_choosing(text, "correct it or remove the row").at_line(*line);
        }
        let place = if self.has_header {
            format!("column {}", quoted(self.columns.name(column)))
        } else {
            format!("column {}", column + 1)
        };
        let remedy = if self.is_picked {
            ByOption("correct it, remove the row, or choose another column with --column").into()
        } else if is_first && *flaw == NumberFlaw::Text {
            // From the first row on: a column of text, which is not a mistake.
            self.columns.remedy()
        } else {
            self.columns.remedy().after("correct it or remove the row, or ")
        };
        flaw.about_choosing(text, remedy).within(place).at_line(*line)
    }

    fn into_contents(self, request: &Request<'_>) -> Result<Contents, Flaw> {
        self.refuse_no_numbers()?;
        let mut series = Vec::with_capacity(self.chosen.len());
        let (mut texts, mut empty) = (Vec::new(), Vec::new());
        for (cells, &column) in self.cells.into_iter().zip(&self.chosen) {
            let name = if self.columns.len() == 1 && !self.has_header {
                request.stem()
            } else {
                self.columns.series_name(column)
            };
            match cells {
                TableColumn::Numbers(values) => {
                    series.push(make(name, self.columns.unit(column), values)?);
                }
                TableColumn::Text { .. } => texts.push(name),
                // A delimiter at the end of every line makes a column without a name.
                TableColumn::Empty { .. } if !self.columns.is_named(column) => {}
                TableColumn::Empty { .. } | TableColumn::New => empty.push(name),
            }
        }
        let mut notes = Vec::new();
        notes.extend(skipped("with text", &texts));
        notes.extend(skipped("without values", &empty));
        if self.is_guessed && self.notation.decimal == DecimalMark::Comma {
            notes.push(DECIMAL_COMMAS.to_string());
        }
        Ok(Contents { series, notes })
    }

    /// Refuses a table without any numbers; the message is about its first column.
    fn refuse_no_numbers(&self) -> Result<(), Flaw> {
        if self.cells.iter().any(|cells| matches!(cells, TableColumn::Numbers(_))) {
            return Ok(());
        }
        let mut misfits = self.cells.iter().zip(&self.chosen).filter_map(|(cells, &column)| {
            let (text, line, flaw) = match cells {
                TableColumn::Text { first, line } => (first.clone(), *line, NumberFlaw::Text),
                TableColumn::Empty { line } => (String::new(), *line, NumberFlaw::Empty),
                _ => return None,
            };
            Some((column, Misfit { text, line, flaw }))
        });
        match misfits.next() {
            Some((column, misfit)) if self.columns.len() == 1 => {
                Err(self.refuse(column, &misfit, true))
            }
            Some((_, misfit)) => Err(Flaw::new(
                "no column contains numbers",
                "check that it is the right file, and that commas, semicolons or tabs separate \
                 its columns",
            )
            .at_line(misfit.line)),
            None => Ok(()),
        }
    }
}

/// The note about columns that were skipped.
pub(crate) fn skipped(kind: &str, names: &[String]) -> Option<String> {
    let columns = if names.len() == 1 { "column" } else { "columns" };
    (!names.is_empty()).then(|| format!("skipped {columns} {kind}: {}", listed(names, 12)))
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
        let has_columns = !columns.is_empty();
        let request =
            Request { source: "x.csv", columns: &columns, has_columns, ..Request::default() };
        let series = read(text, &request).unwrap().series;
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
        let two = [pair("column 1", &[1.5, 3.0]), pair("column 2", &[2.0, 4.0])];
        assert_eq!(read_text("1.5,2\n3,4\n", &[]), two);
        assert_eq!(read_text("1.5,2,\n3,4,\n", &[]), two, "a delimiter at the end");
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
    #[test]
    fn decimal_commas_are_read_where_they_are_sure_or_chosen() {
        let read_in = |text, decimal| {
            let request = Request { source: "x.csv", decimal, ..Request::default() };
            let contents = read(text, &request).unwrap();
            let values = contents.series.iter().map(|series| series.values().to_vec()).collect();
            (values, contents.notes.len())
        };
        let chosen = Some(DecimalMark::Comma);
        let one: (Vec<Vec<f64>>, usize) = (vec![vec![12.24, 13.1]], 0);
        assert_eq!(read_in("12,24\n13,1\n", chosen), one);
        assert_eq!(read_in("t\n12,24\n13,1\n", chosen), one);
        assert_eq!(read_in("12.24\n13.1\n", None), one);
        let two = vec![vec![12.0, 13.0], vec![24.0, 1.0]];
        assert_eq!(read_in("12,24\n13,1\n", Some(DecimalMark::Point)), (two, 0));
        let wide = vec![vec![12.24, 1.5], vec![13.1, 2.0]];
        assert_eq!(read_in("12,24;13,1\n1,5;2\n", None), (wide.clone(), 1));
        assert_eq!(read_in("12,24;13,1\n1,5;2\n", chosen), (wide.clone(), 0));
        assert_eq!(read_in("a,b\n\"12,24\",\"13,1\"\n\"1,5\",2\n", None), (wide.clone(), 1));
        assert_eq!(read_in("a\tb\n12,24\t13,1\n1,5\t2\n", None), (wide, 1));
    }

    #[test]
    fn text_and_empty_columns_are_skipped_with_a_note() {
        let text = "host;t_ms;comment;when;\na;1,5;;10:15;\nb;2;;10:16;\n";
        let contents = read(text, &Request { source: "x.csv", ..Request::default() }).unwrap();
        assert_eq!(contents.series.len(), 1);
        assert_eq!(
            contents.notes,
            [
                "skipped columns with text: \"host\", \"when\"",
                "skipped column without values: \"comment\"",
                DECIMAL_COMMAS,
            ]
        );
    }
}
