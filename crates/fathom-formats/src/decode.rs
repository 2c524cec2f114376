//! From bytes to text: gzip, byte order mark, encoding, line ends.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::error::Flaw;

/// The most that a gzip file may expand to. A gibibyte is some 50 million numbers; beyond it the
/// file is more likely made to fill the memory.
const MOST_EXPANDED: u64 = 1 << 30;

/// The text in `bytes`, decompressed where needed, without byte order mark, lines ended by `\n`.
pub(crate) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, Flaw> {
    if bytes.starts_with(GZIP) {
        let expanded = expand(bytes, MOST_EXPANDED)?;
        if expanded.starts_with(GZIP) {
            return Err(Flaw::new(
                "this gzip file contains another gzip file",
                "decompress it once first",
            ));
        }
        return Ok(Cow::Owned(plain(&expanded)?.into_owned()));
    }
    plain(bytes)
}

const GZIP: &[u8] = &[0x1f, 0x8b];

fn expand(bytes: &[u8], most: u64) -> Result<Vec<u8>, Flaw> {
    let mut expanded = Vec::new();
    let mut reader = MultiGzDecoder::new(bytes).take(most.saturating_add(1));
    if let Err(error) = reader.read_to_end(&mut expanded) {
        return Err(if error.kind() == std::io::ErrorKind::UnexpectedEof {
            Flaw::new("the gzip file is truncated", "copy it again, or write it again")
        } else {
            Flaw::new(
                format!("the gzip data is damaged ({error})"),
                "copy it again, or write it again",
            )
        });
    }
    if expanded.len() as u64 > most {
        return Err(Flaw::new(
            format!("the gzip file expands to more than {} MiB", most >> 20),
            "decompress it yourself and check that it is what you expect",
        ));
    }
    Ok(expanded)
}

/// Compressed and binary kinds that users are likely to pass.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"\x28\xb5\x2f\xfd", "a zstd file", "decompress it first (zstd -d)"),
    (b"\xfd7zXZ\0", "an xz file", "decompress it first (xz -d)"),
    (b"BZh", "a bzip2 file", "decompress it first (bzip2 -d)"),
    (b"PK\x03\x04", "a zip file or spreadsheet", "unpack it, or save the sheet as CSV"),
    (b"PAR1", "a Parquet file", "export the columns as CSV"),
    (b"SQLite format 3\0", "an SQLite database", "export the table as CSV"),
];

fn plain(bytes: &[u8]) -> Result<Cow<'_, str>, Flaw> {
    for (magic, kind, remedy) in FOREIGN {
        if bytes.starts_with(magic) {
            return Err(Flaw::new(format!("Fathom cannot read {kind}"), *remedy));
        }
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Flaw::new(
            "the text is UTF-16",
            "convert it to UTF-8 (iconv -f UTF-16 -t UTF-8 FILE)",
        ));
    }
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        return Err(at_byte(bytes, offset, |offset| {
            Flaw::new(
                format!(
                    "the byte at offset {offset} is zero, so this is binary data or UTF-16, not \
                     text"
                ),
                "use a UTF-8 text file",
            )
        }));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        at_byte(bytes, error.valid_up_to(), |offset| {
            let byte = bytes.get(offset).copied().unwrap_or_default();
            Flaw::new(
                format!("the byte at offset {offset} (0x{byte:02x}) is not UTF-8"),
                "convert it to UTF-8 (for example iconv -f ISO-8859-1 -t UTF-8 FILE)",
            )
        })
    })?;
    Ok(with_unix_line_ends(text.strip_prefix('\u{feff}').unwrap_or(text)))
}

fn at_byte(bytes: &[u8], offset: usize, flaw: impl Fn(usize) -> Flaw) -> Flaw {
    let before = bytes.get(..offset).unwrap_or_default();
    let lines = before.iter().filter(|&&byte| byte == b'\n').count() as u64;
    flaw(offset).at_line(lines + 1)
}

/// Windows' `\r\n` and the lone `\r` of old spreadsheets both end a line.
fn with_unix_line_ends(text: &str) -> Cow<'_, str> {
    if !text.as_bytes().contains(&b'\r') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_members_are_all_read() {
        let mut two = gzip(b"1\n");
        two.extend(gzip(b"2\n"));
        assert_eq!(text(&two).unwrap(), "1\n2\n");
    }

    #[test]
    fn a_blown_up_gzip_is_stopped() {
        assert!(expand(&gzip(&[b'1'; 100]), 100).is_ok());
        assert!(expand(&gzip(&[b'1'; 101]), 100).is_err());
    }

    #[test]
    fn every_truncation_of_a_gzip_is_an_error() {
        let whole = gzip(b"1.5\n2.5\n3.5\n");
        for end in 2..whole.len() {
            assert!(text(&whole[..end]).is_err(), "{end} of {}", whole.len());
        }
    }

    #[test]
    fn byte_order_mark_and_line_ends_go() {
        assert_eq!(text(b"\xef\xbb\xbfa\r\nb\rc\n").unwrap(), "a\nb\nc\n");
    }
}
