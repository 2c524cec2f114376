//! Several Parquet files made into one.

use super::TraceError;
use super::column::Column;
use super::layout::{Layout, next_column};
use super::table::Table;
use super::{END, START};
use fathom_record::trace::Number;
use fathom_record::whole_file::NewFile;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Rows of a row group. Readers hold a column of one in memory, and so does merging: a megabyte.
const GROUP_ROWS: usize = 1 << 17;

/// Writes all rows of `sources`, in their order, as one file, and says how many there are. What a
/// source has no column for is missing. Memory is that of one column of one row group; a source is
/// only open while its rows are due.
pub(super) fn merge(
    sources: &[PathBuf],
    layout: &Layout,
    path: &Path,
    durably: bool,
) -> Result<u64, TraceError> {
    let refused = |error| TraceError::io("written", path, error);
    let new = NewFile::create(path).map_err(refused)?;
    let failed = |error| TraceError::writing(path, error);
    let mut target = &new;
    let mut writer = layout.writer(&mut target).map_err(failed)?;
    let mut pending = Pending { sources: sources.iter(), groups: VecDeque::new() };
    let mut rows = 0;
    while let Some(groups) = pending.next()? {
        let mut group = writer.next_row_group().map_err(failed)?;
        let mut integers = Column::new(Number::Integer);
        let mut reals = Column::new(Number::Real);
        for name in [START, END] {
            gather(&groups, name, &mut integers, Number::Integer)?;
            next_column(&mut group, |writer| Column::write_times(writer, integers.integers()))
                .map_err(failed)?;
        }
        for metric in layout.metrics().iter() {
            let column = match metric.number {
                Number::Integer => &mut integers,
                Number::Real => &mut reals,
            };
            gather(&groups, &metric.name, column, metric.number)?;
            next_column(&mut group, |writer| column.write(writer)).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        rows += groups.iter().map(|group| group.rows as u64).sum::<u64>();
    }
    writer.close().map_err(failed)?;
    new.complete(durably).map_err(refused)?;
    Ok(rows)
}

/// A row group of a source.
struct Group {
    table: Rc<Table>,
    number: usize,
    rows: usize,
}

/// A column of these row groups, one after the other.
fn gather(
    groups: &[Group],
    name: &str,
    column: &mut Column,
    number: Number,
) -> Result<(), TraceError> {
    column.clear();
    for group in groups {
        match group.table.cursor(group.number, name, number)? {
            Some(mut cursor) => cursor.read(group.rows, column)?,
            None => column.push_missing(group.rows),
        }
    }
    Ok(())
}

/// The row groups that are still to be written.
struct Pending<'a> {
    sources: std::slice::Iter<'a, PathBuf>,
    groups: VecDeque<Group>,
}

impl Pending<'_> {
    /// As many as fit into one row group, or one that is larger; `None` at the end. They are taken
    /// whole, so that no column is read in two goes.
    fn next(&mut self) -> Result<Option<Vec<Group>>, TraceError> {
        let (mut taken, mut rows) = (Vec::new(), 0);
        loop {
            while self.groups.is_empty() {
                let Some(source) = self.sources.next() else {
                    return Ok((!taken.is_empty()).then_some(taken));
                };
                let table = Rc::new(Table::open(source)?);
                let groups = table.groups().iter().enumerate();
                self.groups.extend(
                    groups.filter(|(_, rows)| **rows > 0).map(|(number, &rows)| Group {
                        table: Rc::clone(&table),
                        number,
                        rows,
                    }),
                );
            }
            match self.groups.pop_front() {
                Some(group) if taken.is_empty() || rows + group.rows <= GROUP_ROWS => {
                    rows += group.rows;
                    taken.push(group);
                }
                Some(group) => {
                    self.groups.push_front(group);
                    return Ok(Some(taken));
                }
                None => {}
            }
        }
    }
}
