//! How a table writes its numbers: what divides the columns, and whether a comma is a decimal comma.
//!
//! A comma is a decimal comma when the user says so, or when commas stand inside cells, nothing
//! speaks against it, and it cannot separate thousands: `12,24;13,1`. Lines such as `12,24` alone
//! may be one number or two, so they are refused until the user chooses.

use crate::csv_delimiter;
use crate::csv_records::{Record, Records};
use crate::decimal_mark::DecimalMark;
use crate::error::{ByOption, FileRemedy, Flaw, quoted};
use crate::number;
use crate::numbers::significant_lines;

/// The note about a decimal mark that the user did not choose.
pub(crate) const DECIMAL_COMMAS: &str = "read commas in numbers as decimal commas";

/// How a table writes its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Notation {
    pub(crate) delimiter: char,
    pub(crate) decimal: DecimalMark,
}

impl Notation {
    /// The notation of `text`, with the decimal mark that the user chose if there is one.
    pub(crate) fn of(text: &str, chosen: Option<DecimalMark>) -> Notation {
        match chosen {
            Some(DecimalMark::Comma) => {
                let delimiter = csv_delimiter::beside_decimal_commas(text);
                Notation { delimiter, decimal: DecimalMark::Comma }
            }
            Some(DecimalMark::Point) => {
                Notation { delimiter: csv_delimiter::of(text), decimal: DecimalMark::Point }
            }
            None => {
                let delimiter = csv_delimiter::of(text);
                Notation { delimiter, decimal: mark_in_cells(text, delimiter) }
            }
        }
    }
}

/// The decimal mark that the cells themselves show.
fn mark_in_cells(text: &str, delimiter: char) -> DecimalMark {
    // Where a comma divides columns, only quotes can hide one in a cell.
    if !text.contains(',') || (delimiter == ',' && !text.contains('"')) {
        return DecimalMark::Point;
    }
    let mut records = Records::new(text, delimiter);
    let mut record = Record::default();
    let mut is_comma = false;
    // A flaw is reported when the text is read in earnest.
    while matches!(records.read(&mut record), Ok(true)) {
        for cell in &record.cells {
            if number::parse(cell).is_ok() {
                if cell.contains('.') {
                    return DecimalMark::Point;
                }
            } else if number::is_with_comma(cell) {
                let is_one_number = number::parse_in(cell, DecimalMark::Comma).is_ok();
                if !is_one_number {
                    return DecimalMark::Point;
                }
                is_comma |= !may_separate_thousands(cell);
            }
        }
    }
    if is_comma { DecimalMark::Comma } else { DecimalMark::Point }
}

/// What the user can do about commas that may be read in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// Choose with `--decimal` or `--column`.
    Options,
    /// Write the file in another way: the command has no such options.
    Rewriting,
}

/// Refuses a table without a header whose commas may be decimal commas or separate thousands, though
/// they would be read as delimiters.
pub(crate) fn refuse_ambiguous_commas(text: &str, remedy: Remedy) -> Result<(), Flaw> {
    let Some((first, line)) = significant_lines(text).next() else { return Ok(()) };
    let lines = || significant_lines(text).map(|(line, _)| line.trim_ascii());
    if let Some(words) = lines().find(|line| line.contains(char::is_whitespace))
        && lines().all(|line| line.split_ascii_whitespace().all(is_whole_or_decimal))
    {
        return Err(Flaw::new(
            format!(
                "cannot tell whether {} holds numbers with decimal commas or pairs of numbers",
                quoted(words)
            ),
            match remedy {
                Remedy::Options => {
                    FileRemedy::from(ByOption("if they are decimal commas, use --decimal comma"))
                }
                Remedy::Rewriting => "write the numbers with a decimal point".into(),
            },
        )
        .at_line(line));
    }
    let cells = first.matches(',').count() + 1;
    let is_decimal = match cells {
        1 => return Ok(()),
        2 => lines().all(is_whole_or_decimal),
        _ => has_decimal_columns(lines, cells),
    };
    let are_thousands = cells <= MOST_GROUPS && lines().all(may_separate_thousands);
    if !is_decimal && !are_thousands {
        return Ok(());
    }
    let example = quoted(first.trim_ascii());
    let readings = match (is_decimal, are_thousands) {
        (true, false) if cells == 2 => "one number with a decimal comma",
        (true, false) => "fewer numbers with decimal commas",
        (true, true) if cells == 2 => "one number with a decimal comma or a thousands separator",
        _ => "one number with thousands separators",
    };
    let numbers = if cells == 2 { "two numbers".to_string() } else { format!("{cells} numbers") };
    let what = format!("cannot tell whether {example} is {numbers} or {readings}");
    let text = match (remedy, is_decimal) {
        (Remedy::Options, true) if cells > 2 => {
            "if every comma separates columns, use --decimal point (and --column to choose one). \
             Otherwise separate the columns with semicolons, or write decimal points"
        }
        (Remedy::Options, true) => {
            "use --decimal comma for decimal commas, or --decimal point if the comma separates \
             columns (then choose one with --column)"
        }
        (Remedy::Options, false) => {
            "remove the separators. If the comma separates columns, use --decimal point (and \
             --column to choose one)"
        }
        (Remedy::Rewriting, _) => {
            "write the numbers with a decimal point and without thousands separators, or name the \
             columns in the first row"
        }
    };
    let remedy = match remedy {
        Remedy::Options => FileRemedy::from(ByOption(text)),
        Remedy::Rewriting => text.into(),
    };
    Err(Flaw::new(what, remedy).at_line(line))
}

/// Whether lines of three or more cells hold numbers with decimal commas, as `printf` writes them
/// in some languages: `1,12,05`. Columns of whole numbers look the same, except that whole numbers
/// are not written as `05`.
///
/// One pass over all cells: a line may have a million of them.
fn has_decimal_columns<'a, I: Iterator<Item = &'a str>>(
    lines: impl Fn() -> I,
    cells: usize,
) -> bool {
    /// What is known of a comma's place.
    #[derive(Clone, Copy)]
    struct CommaPosition {
        fits: bool,
        has_zero: bool,
    }
    let mut places = vec![CommaPosition { fits: true, has_zero: false }; cells.saturating_sub(1)];
    for line in lines() {
        let fractions = line.split(',').skip(1);
        let mut pairs = line.split(',').zip(fractions);
        for place in &mut places {
            let Some((whole, fraction)) = pairs.next() else {
                place.fits = false;
                continue;
            };
            place.fits &= is_whole(whole) && is_fraction(fraction);
            place.has_zero |= fraction.len() > 1 && fraction.starts_with('0');
        }
        if !places.iter().any(|place| place.fits) {
            return false;
        }
    }
    places.iter().any(|place| place.fits && place.has_zero)
}

/// `12,24`: digits on both sides of the comma and nothing else.
pub(crate) fn is_decimal_pair(text: &str) -> bool {
    text.split_once(',').is_some_and(|(whole, fraction)| is_whole(whole) && is_fraction(fraction))
}

fn is_whole_or_decimal(text: &str) -> bool {
    is_whole(text) || is_decimal_pair(text)
}

fn is_whole(text: &str) -> bool {
    are_digits(text.strip_prefix(['-', '+']).unwrap_or(text))
}

/// Digits, and perhaps an exponent.
fn is_fraction(text: &str) -> bool {
    match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => are_digits(digits) && is_whole(exponent),
        None => are_digits(text),
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// More groups of three digits do not fit in a whole number of 64 bits.
const MOST_GROUPS: usize = 7;

/// `1,234` or `1,234,567`, which alone cannot be told from a number with three decimals.
fn may_separate_thousands(text: &str) -> bool {
    let mut groups = text.strip_prefix(['-', '+']).unwrap_or(text).split(',');
    let first = groups.next().unwrap_or_default();
    let is_first = are_digits(first) && first.len() <= 3 && !first.starts_with('0');
    let mut count = 0;
    let are_groups = groups.all(|group| {
        count += 1;
        are_digits(group) && group.len() == 3
    });
    is_first && are_groups && count > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_commas_in_cells_are_recognised_when_nothing_speaks_against_them() {
        for (text, decimal) in [
            ("12,24;13,1\n12,5;13\n", DecimalMark::Comma),
            ("a\tb\n1\t0,125\n", DecimalMark::Comma),
            ("a,b\n1,\"12,5\"\n", DecimalMark::Comma),
            ("a;b\n1,234;5,678\n", DecimalMark::Point),
            ("a;b\n12,5;1.5\n", DecimalMark::Point),
            ("a;b\n12,5;1,234,567\n", DecimalMark::Point),
            ("a;b\n1;2\n", DecimalMark::Point),
            ("name;b\nSmith, J;2\n", DecimalMark::Point),
            ("1,5\n", DecimalMark::Point),
        ] {
            assert_eq!(Notation::of(text, None).decimal, decimal, "{text}");
        }
    }

    #[test]
    fn the_users_mark_decides_what_divides() {
        for (text, delimiter) in
            [("12,24\n", ';'), ("1,5;2,5\n", ';'), ("1,5\t2,5\n", '\t'), ("a,b\n\"1,5\",2\n", ',')]
        {
            assert_eq!(Notation::of(text, Some(DecimalMark::Comma)).delimiter, delimiter, "{text}");
        }
    }

    #[test]
    fn lines_that_may_be_one_number_or_two_are_refused() {
        for text in [
            "12,24\n13,1\n",
            "12,24\n",
            "12,24\n5\n13,1\n",
            "12,24 13,1\n5 1,5\n",
            "# c\n\n-1,5\n+2,5e-3\n",
            "1,234\n5,678\n",
            "1,234,567\n2,345,678\n",
            "1,12,05\n2,12,24\n",
            "0,012,0,013,0,011\n",
            "alpha,12,04\nbeta,13,11\n",
        ] {
            assert!(refuse_ambiguous_commas(text, Remedy::Options).is_err(), "{text}");
        }
        for text in [
            "12,24\n13.5,1\n",
            "12, 24\n13, 1\n",
            "12,-24\n",
            "1.5,2\n",
            "1,2,3\n4,5,6\n",
            "0.101,0.102\n",
            "12,24,13,1,12,9\n",
            "12,24\n13,1,5\n",
            "1\n2\n",
            "# only\n",
        ] {
            assert!(refuse_ambiguous_commas(text, Remedy::Options).is_ok(), "{text}");
        }
    }
}
