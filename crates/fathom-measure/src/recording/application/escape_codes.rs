//! What steers a terminal and is not text.

use std::borrow::Cow;

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;

/// The line as text: without colours, with a space where the cursor was moved, since what was
/// before and after it need not stand side by side.
pub(super) fn plain_text(line: &[u8]) -> Cow<'_, str> {
    if !line.contains(&ESCAPE) {
        return String::from_utf8_lossy(line);
    }
    let mut plain = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.iter().position(|&byte| byte == ESCAPE) {
        let (before, sequence) = rest.split_at_checked(at).unwrap_or_default();
        plain.extend_from_slice(before);
        let (length, is_colour) = measure(sequence);
        if !is_colour {
            plain.push(b' ');
        }
        rest = sequence.get(length..).unwrap_or_default();
    }
    plain.extend_from_slice(rest);
    Cow::Owned(String::from_utf8_lossy(&plain).into_owned())
}

/// How long the sequence at the beginning is, and whether it leaves the cursor where it is.
fn measure(sequence: &[u8]) -> (usize, bool) {
    let end_of = |is_inside: &dyn Fn(u8) -> bool| {
        let rest = sequence.get(2..).unwrap_or_default();
        2 + rest.iter().take_while(|&&byte| is_inside(byte)).count()
    };
    match sequence.get(1) {
        // Control sequences end with a letter; that of colours is m.
        Some(b'[') => {
            let end = end_of(&|byte| matches!(byte, b' '..=b'?'));
            match sequence.get(end) {
                Some(letter @ b'@'..=b'~') => (end + 1, *letter == b'm'),
                _ => (end, false),
            }
        }
        // Titles and links end with a bell, or with an escape and a backslash.
        Some(b']') => {
            let end = end_of(&|byte| !matches!(byte, BELL | ESCAPE));
            match sequence.get(end..) {
                Some([ESCAPE, b'\\', ..]) => (end + 2, true),
                Some([BELL, ..]) => (end + 1, true),
                _ => (end, true),
            }
        }
        // A character set: one more letter.
        Some(b'(' | b')') => (3, true),
        // A lone letter, but not half of one, and not another sequence.
        Some(b' '..=b'~') => (2, false),
        _ => (1, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_and_moves_become_spaces() {
        for (line, expected) in [
            ("plain", "plain"),
            ("rps: \u{1b}[1;32m120\u{1b}[0m/s", "rps: 120/s"),
            ("1\u{1b}[2K\u{1b}[1G2", "1  2"),
            ("\u{1b}]0;title 5\u{7}x", "x"),
            ("\u{1b}]8;;http://a\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}(B7", "7"),
            ("a\u{1b}", "a "),
            ("a\u{1b}[", "a "),
            ("a\u{1b}[31", "a "),
            ("a\u{1b}]0;x", "a"),
            ("a\u{1b}7b", "a b"),
        ] {
            assert_eq!(plain_text(line.as_bytes()), expected, "{line:?}");
        }
        assert_eq!(plain_text(b"\xff 5"), "\u{fffd} 5");
        assert_eq!(plain_text(b"\x1b[\xff 5"), " \u{fffd} 5");
        assert_eq!(plain_text("\u{1b}ü\u{1b}\u{1b}[1m5".as_bytes()), " ü 5");
    }
}
