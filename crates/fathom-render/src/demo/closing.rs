//! The end of the tour: what it left behind, and what to try next.

use super::push_paragraph;
use crate::layout::{STRONG, Side, columns, padded, push_wrapped, styled};
use crate::{plural, rough};
use anstyle::Style;
use fathom_record::shell::quoted;
use std::fmt::Write;
use std::time::Duration;

/// What is known at the end of the tour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DemoClosing<'a> {
    /// How this program is called.
    pub program: &'a str,
    /// How long the tour took.
    pub took: Duration,
    /// How many steps could not be taken.
    pub skipped: usize,
    /// Whether a measurement came with a warning about the machine.
    pub is_noisy: bool,
    /// Whether metrics can be recorded here.
    pub can_record: bool,
    /// Whether this build has the explorer's web page.
    pub has_page: bool,
}

pub(super) fn page(closing: &DemoClosing<'_>, width: usize) -> String {
    let mut text = format!("\n{}\n\n", styled("The tour is over", STRONG));
    let skipped = match closing.skipped {
        0 => String::new(),
        n => format!(", with {} skipped", plural(n, "step")),
    };
    let took = rough(closing.took.as_secs_f64());
    let line = format!(
        "It took {took}{skipped}. It left nothing behind: no session was saved, and the temporary \
         files are removed. The commands above save their session when you type them, unless you \
         add --no-save."
    );
    push_paragraph(&mut text, &line, Style::new(), width);
    text.push_str("\nThree things to try:\n\n");
    let things = things(closing);
    let widest = things.iter().map(|(command, _)| columns(command)).max().unwrap_or(0);
    let is_wide = things.iter().any(|(_, why)| 2 + widest + 2 + columns(why) > width);
    for (command, why) in things {
        if is_wide {
            let _ = writeln!(text, "  {command}");
            push_wrapped(&mut text, why, "      ", Style::new(), width);
        } else {
            let _ = writeln!(text, "  {}  {why}", padded(&command, widest, Side::Left));
        }
    }
    text
}

fn things(closing: &DemoClosing<'_>) -> [(String, &'static str); 3] {
    let program = quoted(closing.program);
    let compare = format!("{program} compare 'your command' 'the other one'");
    let doctor = format!("{program} doctor");
    let about_doctor = match closing.is_noisy {
        true => "find out what disturbed the measurements above",
        false => "see how small a difference this machine can detect",
    };
    let last = match (closing.can_record, closing.has_page) {
        (true, true) => (
            format!("{program} record -o traces -- your-program; {program} ui traces"),
            "record your own program and explore it in the browser",
        ),
        (true, false) => (
            format!("{program} record -o traces -- your-program; {program} show traces"),
            "record your own program and see its metrics",
        ),
        (false, _) => (
            format!("{program} check 'runtime < 2 s' -- your-program"),
            "check what your own program promises",
        ),
    };
    [(compare, "decide which one is faster"), (doctor, about_doctor), (last.0, last.1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::plain;

    const CLOSING: DemoClosing<'_> = DemoClosing {
        program: "fathom",
        took: Duration::from_secs(48),
        skipped: 0,
        is_noisy: false,
        can_record: true,
        has_page: true,
    };

    #[test]
    fn what_to_try_fits_what_is_here() {
        let page = |closing: DemoClosing<'_>| plain(&page(&closing, 80));
        let usual = page(CLOSING);
        assert!(usual.contains("It took 48 s. It left nothing behind"), "{usual}");
        assert!(usual.contains("fathom ui traces"), "{usual}");
        assert!(usual.contains("how small a difference"), "{usual}");
        let plain_build = page(DemoClosing { has_page: false, ..CLOSING });
        assert!(plain_build.contains("fathom show traces") && !plain_build.contains("fathom ui"));
        let bare = page(DemoClosing { can_record: false, skipped: 1, is_noisy: true, ..CLOSING });
        assert!(!bare.contains("record -o"), "{bare}");
        assert!(bare.contains("with 1 step skipped"), "{bare}");
        assert!(bare.contains("what disturbed the measurements"), "{bare}");
        for text in [usual, plain_build, bare] {
            assert!(text.lines().all(|line| columns(line) <= 80), "{text}");
        }
    }

    #[test]
    fn a_program_elsewhere_is_called_by_its_path() {
        let text = page(&DemoClosing { program: "./my tools/fathom", ..CLOSING }, 80);
        assert!(text.contains("'./my tools/fathom' doctor"), "{text}");
    }
}
