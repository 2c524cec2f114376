//! The layout of gem5's `stats.txt`: dumps, and statistics in them.

use crate::error::{Flaw, quoted};

const BEGIN: &str = "---------- Begin Simulation Statistics";
const END: &str = "---------- End Simulation Statistics";

/// Whether a dump begins on this line.
pub(crate) fn is_begin(line: &str) -> bool {
    line.trim_ascii_start().starts_with(BEGIN)
}

fn is_end(line: &str) -> bool {
    line.trim_ascii_start().starts_with(END)
}

/// One value of one statistic in one dump.
pub(crate) struct Entry<'a> {
    /// The dump, from 0.
    pub(crate) dump: usize,
    pub(crate) line: u64,
    pub(crate) name: &'a str,
    /// In a vector on one line, the place in it.
    pub(crate) bucket: Option<usize>,
    /// As written; empty when the line has none.
    pub(crate) value: &'a str,
    pub(crate) description: &'a str,
}

impl Entry<'_> {
    /// The name that addresses it: vectors on one line are numbered like gem5's other vectors.
    pub(crate) fn full_name(&self) -> String {
        match self.bucket {
            Some(bucket) => format!("{}::{bucket}", self.name),
            None => self.name.to_string(),
        }
    }
}

/// Goes through all entries of all dumps; says how many dumps there are.
pub(crate) fn each<'a>(
    text: &'a str,
    mut visit: impl FnMut(Entry<'a>) -> Result<(), Flaw>,
) -> Result<usize, Flaw> {
    let mut dumps = 0;
    let mut open: Option<u64> = None;
    for (line, number) in text.split('\n').zip(1_u64..) {
        if is_begin(line) {
            if let Some(begun) = open {
                return Err(cut(dumps, begun, "the next dump begins here").at_line(number));
            }
            open = Some(number);
            dumps += 1;
        } else if is_end(line) {
            if open.take().is_none() {
                let what = "found the end of a dump that never began";
                return Err(
                    Flaw::new(what, "use the file exactly as gem5 wrote it").at_line(number)
                );
            }
        } else if !line.trim_ascii().is_empty() {
            if open.is_none() {
                return Err(Flaw::new(
                    format!("{} is outside any dump", quoted(line.trim_ascii())),
                    "use the file exactly as gem5 wrote it",
                )
                .at_line(number));
            }
            statistic(line, number, dumps - 1, &mut visit)?;
        }
    }
    match open {
        Some(begun) => Err(cut(dumps, begun, "the file ends first").at_line(begun)),
        None => Ok(dumps),
    }
}

fn cut(dump: usize, begun: u64, how: &str) -> Flaw {
    Flaw::new(
        format!("dump {dump} (from line {begun}) is cut off: {how}"),
        "the simulation was probably interrupted. Remove the unfinished dump, or simulate again",
    )
}

/// `name value [percent cumulative%] # description`, or on one line
/// `name | value percent cumulative% | value ... # description`.
fn statistic<'a>(
    line: &'a str,
    number: u64,
    dump: usize,
    visit: &mut impl FnMut(Entry<'a>) -> Result<(), Flaw>,
) -> Result<(), Flaw> {
    let (data, description) = line.split_once(" #").unwrap_or((line, ""));
    let data = data.trim_ascii();
    let (name, rest) = data.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((data, ""));
    let rest = rest.trim_ascii();
    let description = description.trim_ascii();
    let first_word = |part: &'a str| part.split_ascii_whitespace().next().unwrap_or("");
    let mut entry =
        |bucket, value| visit(Entry { dump, line: number, name, bucket, value, description });
    match rest.strip_prefix('|') {
        Some(vector) => vector
            .trim_end_matches(['|', ' '])
            .split('|')
            .enumerate()
            .try_for_each(|(bucket, part)| entry(Some(bucket), first_word(part))),
        None => entry(None, first_word(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_vectors_are_addressable() {
        let text = format!(
            "{BEGIN} ----------\na::x 3 50.00% 50.00% # d (Count)\nb | 1 2% 3% | 4 5% 6% # e\nc 7\n{END}   ----------\n"
        );
        let mut seen = Vec::new();
        let dumps = each(&text, |entry| {
            seen.push((entry.full_name(), entry.value, entry.description));
            Ok(())
        });
        assert_eq!(dumps, Ok(1));
        let expected =
            [("a::x", "3", "d (Count)"), ("b::0", "1", "e"), ("b::1", "4", "e"), ("c", "7", "")];
        let seen: Vec<_> =
            seen.iter().map(|(name, value, text)| (name.as_str(), *value, *text)).collect();
        assert_eq!(seen, expected);
    }
}
