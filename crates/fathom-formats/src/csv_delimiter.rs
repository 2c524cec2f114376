//! Which character divides the columns.

use crate::csv_records::{Record, Records};

/// Tab before semicolon before comma: a comma also occurs inside numbers and names, a tab hardly.
const CANDIDATES: [char; 3] = ['\t', ';', ','];

/// How many records are looked at.
const LOOK: usize = 20;

/// The first candidate that divides the first records into equally many cells; failing that, the
/// first that divides at all, so that the ragged row is what the error is about.
pub(crate) fn of(text: &str) -> char {
    let mut divides = None;
    for delimiter in CANDIDATES {
        let counts = cell_counts(text, delimiter);
        let Some(&first) = counts.first().filter(|&&count| count > 1) else {
            continue;
        };
        if counts.iter().all(|&count| count == first) {
            return delimiter;
        }
        divides = divides.or(Some(delimiter));
    }
    divides.unwrap_or(',')
}

/// What divides columns of numbers with decimal commas: a comma only where quotes keep it out of the
/// numbers.
pub(crate) fn beside_decimal_commas(text: &str) -> char {
    let divides = |delimiter: &char| cell_counts(text, *delimiter).first() > Some(&1);
    if let Some(delimiter) = ['\t', ';'].into_iter().find(divides) {
        return delimiter;
    }
    let mut records = Records::new(text, ',');
    let mut record = Record::default();
    while text.contains('"') && matches!(records.read(&mut record), Ok(true)) {
        if record.cells.iter().any(|cell| cell.contains(',')) {
            return ',';
        }
    }
    ';'
}

fn cell_counts(text: &str, delimiter: char) -> Vec<usize> {
    let mut records = Records::new(text, delimiter);
    let mut record = Record::default();
    let mut counts = Vec::new();
    // A flaw is reported when the text is read in earnest.
    while counts.len() < LOOK && matches!(records.read(&mut record), Ok(true)) {
        counts.push(record.cells.len());
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dividing_character_is_found() {
        for (text, delimiter) in [
            ("1,2\n3,4\n", ','),
            ("a;b\n1,5;2,5\n", ';'),
            ("a\tb, c\n1\t2\n", '\t'),
            ("\"a;b\",c\n1,2\n", ','),
            ("a;x,b\n1,2\n", ','),
            ("a,b,c\n1,2\n", ','),
            ("1\n2\n", ','),
        ] {
            assert_eq!(of(text), delimiter, "{text}");
        }
    }
}
