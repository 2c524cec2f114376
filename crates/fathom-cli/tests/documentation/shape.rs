//! The shape of an output: its words without its numbers.
//!
//! Measurements differ from run to run and from machine to machine. What a page shows must still be what
//! Fathom prints: the first words of each shown line occur in the real output, in the same order. Of the
//! first line, which has the answer, the words around its first numbers count too.

/// Lines that Fathom prints only if the machine or the samples give a reason. A page may show them.
const MAY_BE_ABSENT: &[&str] = &[
    "warning:",
    "# of # blocks ran under",
    "# of # runs flagged",
    "dividing the medians",
    "median without the #",
    "median with all #",
];

/// Units, which differ with the size of a number.
const UNITS: &[&str] = &["ns", "µs", "us", "ms", "s", "min", "h", "B", "kB", "KiB", "MiB", "GiB"];

/// How many words of the first line are looked for: "sleep 0.2 is 99% slower" without its numbers.
const WORDS_OF_ANSWER: usize = 3;

/// The width of the output where there is no terminal.
const COLUMNS: usize = 80;

/// The words of a text. A number, with its unit, is `#`; bars and other drawings are left out.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_after_number = words.last().is_some_and(|last| last == "#");
        if word.contains(|c: char| c.is_ascii_digit()) {
            if !is_after_number {
                words.push("#".to_string());
            }
        } else if word.contains(char::is_alphanumeric) {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            if !(is_after_number && UNITS.contains(&bare)) {
                words.push(word.to_string());
            }
        }
    }
    words
}

/// The first words of a line: those before its first number, and after numbers at its beginning. Of the
/// answer, its first words wherever the numbers are. Nothing if it has only numbers.
fn label(line: &str, is_answer: bool) -> Vec<String> {
    let mut label: Vec<String> = Vec::new();
    let mut count = 0;
    for word in words(line) {
        let is_number = word == "#";
        if (is_number && count > 0 && !is_answer) || (is_answer && count == WORDS_OF_ANSWER) {
            break;
        }
        count += usize::from(!is_number);
        label.push(word);
    }
    while label.last().is_some_and(|word| word == "#") {
        label.pop();
    }
    label
}

/// The lines that begin something. Fathom indents what continues a line by two more, and breaks a line
/// only where the next word does not fit.
fn beginnings(lines: &[String]) -> Vec<&str> {
    let mut beginnings = Vec::new();
    let mut begun: Option<usize> = None;
    let mut width = 0;
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        let first = line.split_whitespace().next().unwrap_or_default();
        let fits = width + 1 + first.chars().count() <= COLUMNS;
        width = line.chars().count();
        if line.trim().is_empty() || line.trim() == "..." {
            begun = None;
        } else if fits || begun.is_none_or(|begun| indent != begun + 2) {
            beginnings.push(line.as_str());
            begun = Some(indent);
        }
    }
    beginnings
}

/// Whether the output has exactly the shown lines; `...` stands for any lines.
pub(crate) fn is_exact(shown: &[String], real: &str) -> bool {
    let real: Vec<&str> = real.trim_end().lines().collect();
    let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
    let parts: Vec<&[&str]> = shown.split(|line| *line == "...").collect();
    let mut from = 0;
    for (n, part) in parts.iter().enumerate() {
        let rest = &real[from..];
        let at = if n == 0 {
            rest.starts_with(part).then_some(0)
        } else if n + 1 == parts.len() {
            rest.ends_with(part).then_some(rest.len() - part.len())
        } else {
            rest.windows(part.len().max(1)).position(|window| window == *part)
        };
        match at {
            Some(at) => from += at + part.len(),
            None => return false,
        }
    }
    // Without `...` there is nothing after the only part.
    parts.len() > 1 || from == real.len()
}

/// The first shown line that the real output lacks, or has in another place.
pub(crate) fn first_missing(shown: &[String], real: &str) -> Option<String> {
    let real = words(real);
    let mut from = 0;
    for (n, line) in beginnings(shown).into_iter().enumerate() {
        let label = label(line, n == 0);
        let masked = words(line).join(" ");
        if label.is_empty() || MAY_BE_ABSENT.iter().any(|with| masked.starts_with(*with)) {
            continue;
        }
        let mut windows = real.get(from..).unwrap_or_default().windows(label.len());
        match windows.position(|window| window == label) {
            Some(at) => from += at + label.len(),
            None => return Some(line.to_string()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: &str = "warning: the machine is busy (load 8.1 on 2 CPUs).\n\n\
        sleep 0.012 is 17.76% slower than sleep 0.01 (95% CI 16.84% to\n  18.55%).\n\n  \
        ratio  1.1776  ┆   ├─●─┤\n                 1     1.1855\n\n  \
        66 pairs in 2.2 s in random ABBA/BAAB order\n";

    fn missing(shown: &str) -> Option<String> {
        let shown: Vec<String> = shown.lines().map(String::from).collect();
        first_missing(&shown, REAL)
    }

    #[test]
    fn exact_lines_may_be_left_out_where_the_page_says_so() {
        let shown = |text: &str| -> Vec<String> { text.lines().map(String::from).collect() };
        let real = "one\ntwo\nthree\nfour\n";
        for right in ["one\ntwo\nthree\nfour", "one\n...\nfour", "one\n...", "...\ntwo\n...\nfour"]
        {
            assert!(is_exact(&shown(right), real), "{right}");
        }
        for wrong in
            ["one\ntwo", "two\nthree\nfour", "one\n...\nthree", "...\n2\n...", "four\n...\none"]
        {
            assert!(!is_exact(&shown(wrong), real), "{wrong}");
        }
    }

    #[test]
    fn numbers_units_and_wrapping_may_differ() {
        assert_eq!(
            missing(
                "sleep 0.012 is 20% slower than sleep 0.01 (95% CI\n  19% to 21%).\n...\n  ratio 1.2\n\n  \
                 7 pairs in 900 ms in random ABBA/BAAB order\n  3 of 9 runs flagged as outliers (kept)"
            ),
            None
        );
    }

    #[test]
    fn other_words_and_another_order_are_noticed() {
        let faster = "sleep 0.012 is 17.76% faster than sleep 0.01";
        assert_eq!(missing(faster).as_deref(), Some(faster));
        assert_eq!(missing("  66 pairs in 2.2 s\n\n  ratio  1.1").as_deref(), Some("  ratio  1.1"));
        assert_eq!(missing("rates 4").as_deref(), Some("rates 4"));
    }

    #[test]
    fn a_label_is_what_is_before_the_numbers() {
        assert_eq!(label("  66 pairs in 2.2 s in random order", false).join(" "), "# pairs in");
        assert_eq!(label("  sleep 0.2  11.2 ms  (at least 10) █▁", false), ["sleep"]);
        assert_eq!(
            label("sleep 0.2 takes 3 ms (median, 95% CI", true).join(" "),
            "sleep # takes # (median,"
        );
        assert_eq!(label("   11.05     27.93 ms", false), [""; 0]);
    }

    #[test]
    fn what_continues_a_line_is_not_looked_for() {
        let long = "word ".repeat(15) + "end";
        let text = format!("{long}\n  continued {long}\n  more\n\n  {long}\n    continued\n  c");
        let lines: Vec<String> = text.lines().map(String::from).collect();
        let begins = [long.as_str(), &format!("  {long}"), "  c"];
        assert_eq!(beginnings(&lines), begins);
        let lines = ["a is slower.".to_string(), "  gate: FAILED".to_string()];
        assert_eq!(beginnings(&lines), ["a is slower.", "  gate: FAILED"]);
    }
}
