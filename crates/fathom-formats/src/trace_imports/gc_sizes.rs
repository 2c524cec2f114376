//! Sizes before and after a collection: `6M->2M(18M)`, `4096K(4608K)->512K(4608K)`, `6->0(4)`.

/// How something changed, in bytes, or in regions if `is_bytes` is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) before: i64,
    pub(super) after: i64,
    /// What there is room for, or was committed, after it.
    pub(super) capacity: Option<i64>,
    pub(super) is_bytes: bool,
}

impl Change {
    pub(super) fn parse(text: &str) -> Option<Change> {
        let (before, after) = text.split_once("->")?;
        let (before, _) = with_capacity(before)?;
        let (after, capacity) = with_capacity(after)?;
        let is_bytes = before.is_bytes || after.is_bytes;
        let capacity = capacity.map(|size| size.amount);
        Some(Change { before: before.amount, after: after.amount, capacity, is_bytes })
    }
}

#[derive(Debug, Clone, Copy)]
struct Size {
    amount: i64,
    is_bytes: bool,
}

/// `4096K(4608K)` or `48M(100%)`; the share adds nothing new.
fn with_capacity(text: &str) -> Option<(Size, Option<Size>)> {
    let Some((amount, inside)) = text.split_once('(') else { return Some((size(text)?, None)) };
    let inside = inside.strip_suffix(')')?;
    let capacity = if inside.ends_with('%') { None } else { Some(size(inside)?) };
    Some((size(amount)?, capacity))
}

fn size(text: &str) -> Option<Size> {
    let end = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
    let (number, unit) = text.split_at_checked(end)?;
    let factor: i64 = match unit {
        "" | "B" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return None,
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let amount = is_number.then(|| number.parse::<i64>().ok()).flatten()?.checked_mul(factor)?;
    Some(Size { amount, is_bytes: !unit.is_empty() })
}

/// A size with its unit, in bytes.
pub(super) fn bytes(text: &str) -> Option<i64> {
    size(text).filter(|size| size.is_bytes).map(|size| size.amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_in_bytes_or_regions() {
        let change =
            |before, after, capacity, is_bytes| Some(Change { before, after, capacity, is_bytes });
        for (text, expected) in [
            ("6M->2M(18M)", change(6_291_456, 2_097_152, Some(18_874_368), true)),
            ("4096K(4608K)->512K(4608K)", change(4_194_304, 524_288, Some(4_718_592), true)),
            ("48M(100%)->16M(33%)", change(50_331_648, 16_777_216, None, true)),
            ("6->0(4)", change(6, 0, Some(4), false)),
            ("0->1", change(0, 1, None, false)),
            ("0B->1G", change(0, 1 << 30, None, true)),
            ("6M->", None),
            ("x->2M", None),
            ("6M->2M(", None),
            ("6M->-2M", None),
            ("99999999999999999999M->1M", None),
            ("9999999999999999T->1M", None),
        ] {
            assert_eq!(Change::parse(text), expected, "{text}");
        }
        assert_eq!(bytes("1088M"), Some(1_140_850_688));
        assert_eq!(bytes("1088"), None);
    }
}
