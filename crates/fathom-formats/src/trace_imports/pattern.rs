//! Patterns of names: `*` for any text, `?` for one letter, anything else for itself.

/// Whether the whole name fits.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut seen) = (0, 0);
    // Where the last star stands, and how much of the name it has taken.
    let mut star: Option<(usize, usize)> = None;
    while let Some(&letter) = name.get(seen) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == letter => {
                at += 1;
                seen += 1;
            }
            _ => match star.as_mut() {
                // The last star takes one letter more; earlier ones need not.
                Some((place, taken)) => {
                    *taken += 1;
                    (at, seen) = (*place + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|&rest| rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_fit_and_nothing_else_does() {
        for (pattern, name) in [
            ("a", "a"),
            ("*", ""),
            ("*_total", "requests_total"),
            ("*a*b*", "xxaybzb"),
            ("a?c", "a\u{e9}c"),
            ("**x", "x"),
            ("node_*", "node_load1{job=\"a*b\"}"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("a", "ab"), ("", "a"), ("?", ""), ("*_total", "total"), ("a*b", "abc"), ("A", "a")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_take_no_long_time() {
        assert!(!matches(&"*a".repeat(200), &"a".repeat(190)));
    }
}
