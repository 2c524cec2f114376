//! "Did you mean": the names nearest to one that was mistyped.

/// At most three names: those a few slips away, then those that contain it, as `origin/topic` does
/// `topic`.
///
/// ```
/// assert_eq!(fathom_record::nearest("mian", &["main", "topic"]), ["main"]);
/// ```
#[must_use]
pub fn nearest<'a, T: AsRef<str>>(wanted: &str, names: &'a [T]) -> Vec<&'a str> {
    of_all(wanted, &names.iter().map(AsRef::as_ref).collect::<Vec<&str>>())
}

/// Names as a list: `a, b, c`.
///
/// ```
/// assert_eq!(fathom_record::listed(&["a", "b"]), "a, b");
/// ```
// Never inlined: where the number of names is a constant, LLVM unrolls `join`, and one of its passes then
// takes fifteen seconds for a list of eighteen.
#[must_use]
#[inline(never)]
pub fn listed(names: &[&str]) -> String {
    names.join(", ")
}

/// Compiled once, whatever holds the names.
fn of_all<'a>(wanted: &str, names: &[&'a str]) -> Vec<&'a str> {
    const LONGEST: usize = 100;
    let wanted = wanted.to_lowercase();
    if wanted.is_empty() || wanted.len() > LONGEST {
        return Vec::new();
    }
    // A third of the letters may be wrong: enough for slips, too little for another word.
    let most = (wanted.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for &name in names {
        let lower = name.to_lowercase();
        let slips = if name.len() <= LONGEST { slips(&wanted, &lower) } else { usize::MAX };
        if slips <= most {
            near.push((slips, name));
        } else if wanted.len() >= 2 && lower.contains(&wanted) {
            near.push((most + name.len(), name));
        }
    }
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters have to be inserted, deleted, replaced, or exchanged with their neighbour.
fn slips(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let fewest = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped { fewest.min(rows[i - 2][j - 2] + 1) } else { fewest }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (a, b, count) in
            [("mian", "main", 1), ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "abc", 0)]
        {
            assert_eq!((slips(a, b), slips(b, a)), (count, count), "{a} {b}");
        }
    }

    #[test]
    fn near_names_come_first_and_others_not_at_all() {
        let names: Vec<String> =
            ["v1.0", "v1.1", "origin/topic", "main", "origin/main"].map(String::from).to_vec();
        assert_eq!(nearest("mian", &names), ["main"]);
        assert_eq!(nearest("Main", &names), ["main", "origin/main"]);
        assert_eq!(nearest("topic", &names), ["origin/topic"]);
        assert_eq!(nearest("v1.2", &names), ["v1.0", "v1.1"]);
        assert_eq!(nearest("unrelated", &names), Vec::<&str>::new());
        assert_eq!(nearest("", &names), Vec::<&str>::new());
        assert_eq!(nearest(&"x".repeat(1000), &names), Vec::<&str>::new());
    }
}
