//! Which known word a user may have meant.

/// The known word that is nearest to `written`, if it is near: at most a third of its letters off,
/// or two.
pub(crate) fn nearest(written: &str, known: &[&'static str]) -> Option<&'static str> {
    let off = |word: &&'static str| (distance(written, word), *word);
    let (distance, word) = known.iter().map(off).min_by_key(|(off, _)| *off)?;
    let allowed = (written.chars().count().max(word.len()) / 3).clamp(1, 2);
    (distance <= allowed).then_some(word)
}

/// How many letters must be put in, taken out, replaced or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=right.len()).collect()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["name", "args", "types", "threads", "executor", "ignore"];

    #[test]
    fn near_words_are_found() {
        for (written, meant) in [
            ("arg", "args"),
            ("agrs", "args"),
            ("type", "types"),
            ("thread", "threads"),
            ("executer", "executor"),
            ("ignored", "ignore"),
            ("igonred", "ignore"),
            ("nmae", "name"),
        ] {
            assert_eq!(nearest(written, KNOWN), Some(meant), "{written}");
        }
    }

    #[test]
    fn far_words_are_not() {
        for written in
            ["", "x", "tipez", "samples", "max_time", "émoji", "nnnnnnnnnnnnnnnnnnnnnnnnnnname"]
        {
            assert_eq!(nearest(written, KNOWN), None, "{written}");
        }
        assert_eq!(nearest("args", &[]), None);
    }

    #[test]
    fn distances_count_letters() {
        for (left, right, expected) in
            [("", "", 0), ("", "abc", 3), ("abc", "acb", 1), ("abcd", "xbcy", 2), ("ab", "ba", 1)]
        {
            assert_eq!(distance(left, right), expected, "{left} {right}");
            assert_eq!(distance(right, left), expected, "{right} {left}");
        }
    }
}
