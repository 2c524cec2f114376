//! One column of a table while it is read: numbers, text, or nothing.

use crate::number::NumberFlaw;

/// The cells of one column so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum TableColumn {
    /// No cell yet.
    #[default]
    New,
    Numbers(Vec<f64>),
    /// No cell is a number, and this one was not empty.
    Text {
        first: String,
        line: u64,
    },
    /// Every cell is empty.
    Empty {
        line: u64,
    },
}

/// A cell that does not fit the column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Misfit {
    pub(crate) text: String,
    pub(crate) line: u64,
    pub(crate) flaw: NumberFlaw,
}

impl TableColumn {
    /// Adds a cell. A column of only text or only empty cells is fine; a text or an empty cell
    /// among numbers is an error.
    pub(crate) fn add(
        &mut self,
        text: &str,
        line: u64,
        number: Result<f64, NumberFlaw>,
    ) -> Result<(), Misfit> {
        match (&mut *self, number) {
            (TableColumn::Numbers(values), Ok(value)) => values.push(value),
            (TableColumn::New, Ok(value)) => *self = TableColumn::Numbers(vec![value]),
            (TableColumn::Text { first, line }, Ok(_)) => {
                let (text, line) = (std::mem::take(first), *line);
                return Err(Misfit { text, line, flaw: NumberFlaw::Text });
            }
            (TableColumn::Empty { line }, Ok(_)) => {
                let (text, line) = (String::new(), *line);
                return Err(Misfit { text, line, flaw: NumberFlaw::Empty });
            }
            (TableColumn::New, Err(NumberFlaw::Empty)) => *self = TableColumn::Empty { line },
            (
                TableColumn::New | TableColumn::Empty { .. },
                Err(NumberFlaw::Text | NumberFlaw::OnlyUnit),
            ) => *self = TableColumn::Text { first: text.to_string(), line },
            (TableColumn::Empty { .. }, Err(NumberFlaw::Empty))
            | (TableColumn::Text { .. }, Err(_)) => {}
            (_, Err(flaw)) => return Err(Misfit { text: text.to_string(), line, flaw }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number;

    fn column(cells: &[&str]) -> Result<TableColumn, Misfit> {
        let mut column = TableColumn::default();
        for (cell, line) in cells.iter().zip(1..) {
            column.add(cell, line, number::parse(cell))?;
        }
        Ok(column)
    }

    #[test]
    fn columns_are_of_one_kind() {
        assert_eq!(column(&["1", "2"]), Ok(TableColumn::Numbers(vec![1.0, 2.0])));
        let text = TableColumn::Text { first: "a".into(), line: 2 };
        assert_eq!(column(&["", "a", "ms", "", "12ms", "inf"]), Ok(text));
        assert_eq!(column(&["", ""]), Ok(TableColumn::Empty { line: 1 }));
    }

    #[test]
    fn mixtures_are_refused_at_the_cell_that_is_no_number() {
        for (cells, line) in
            [(["1", "x"], 2), (["x", "1"], 1), (["", "1"], 1), (["1", ""], 2), (["nan", "x"], 1)]
        {
            assert_eq!(column(&cells).unwrap_err().line, line, "{cells:?}");
        }
    }
}
