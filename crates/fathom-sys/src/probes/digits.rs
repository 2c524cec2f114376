//! Numbers and words in the kernel's text, read as bytes and without allocating.

/// An unsigned number that is nothing but digits; `None` if it is not, or does not fit.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |sum, byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        sum.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// A number with two decimals at most, such as "4.07", as the kernel writes percentages.
pub(crate) fn percentage(text: &[u8]) -> Option<f64> {
    let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    (0.0..=100.0).contains(&value).then_some(value)
}

/// The lines, without their ends.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

/// The words between blanks.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

/// The first word, and what follows it.
pub(crate) fn first_word(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii_start();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    line.split_at(end)
}

/// What stands before a colon, without blanks, and what follows it.
pub(crate) fn before_colon(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    Some((line.get(..colon)?.trim_ascii(), line.get(colon + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_digits_that_fit() {
        assert_eq!(number(b"0"), Some(0));
        assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
        for odd in [&b"18446744073709551616"[..], b"", b"-1", b"1 ", b"0x1", b"1k", b"\xff"] {
            assert_eq!(number(odd), None, "{odd:?}");
        }
        assert_eq!(percentage(b"4.07"), Some(4.07));
        assert_eq!(percentage(b"inf"), None);
        assert_eq!(percentage(b"nan"), None);
    }

    #[test]
    fn words_and_keys() {
        assert_eq!(first_word(b"  cpu  1 2"), (&b"cpu"[..], &b"  1 2"[..]));
        assert_eq!(first_word(b""), (&b""[..], &b""[..]));
        assert_eq!(before_colon(b" eth0: 1"), Some((&b"eth0"[..], &b" 1"[..])));
        assert_eq!(before_colon(b"none"), None);
        assert_eq!(words(b" a\tb  c ").collect::<Vec<_>>(), [b"a", b"b", b"c"]);
    }

    proptest! {
        #[test]
        fn any_number_is_read_as_std_reads_it(value: u64) {
            prop_assert_eq!(number(value.to_string().as_bytes()), Some(value));
        }

        #[test]
        fn any_bytes_are_harmless(bytes: Vec<u8>) {
            let _ = (number(&bytes), percentage(&bytes), first_word(&bytes), before_colon(&bytes));
            let all: usize = lines(&bytes).flat_map(words).map(<[u8]>::len).sum();
            prop_assert!(all <= bytes.len());
        }
    }
}
