//! "Did you mean": the names nearest to one that is not there.

use crate::error::listed;

/// A sentence part such as `, did you mean "time"`; empty when nothing is near.
pub(crate) fn did_you_mean<T: AsRef<str>>(wanted: &str, names: &[T]) -> String {
    let near = nearest(wanted, names);
    if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", listed(&near, 3)) }
}

/// At most three names: those a few letters away, else those that contain the wanted one.
fn nearest<'a, T: AsRef<str>>(wanted: &str, names: &'a [T]) -> Vec<&'a str> {
    const LONGEST: usize = 100;
    let wanted = wanted.to_lowercase();
    if wanted.is_empty() || wanted.len() > LONGEST {
        return Vec::new();
    }
    // A third of the letters may be wrong: enough for a slip, too little for another word.
    let most = (wanted.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in names.iter().map(AsRef::as_ref) {
        let lower = name.to_lowercase();
        if name.len() <= LONGEST {
            let distance = edits(&wanted, &lower);
            if distance <= most {
                near.push((distance, name));
                continue;
            }
        }
        if wanted.len() >= 2 && lower.contains(&wanted) {
            near.push((most + name.len(), name));
        }
    }
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters have to be inserted, deleted or replaced (Levenshtein's distance).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = Vec::with_capacity(row.len());
        next.push(left);
        for (other, &above) in b.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal + usize::from(letter != *other);
            left = replaced.min(above + 1).min(left + 1);
            diagonal = above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshteins() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", "abc"), 0);
        assert_eq!(edits("abc", ""), 3);
    }

    #[test]
    fn slips_and_parts_are_found_and_other_words_are_not() {
        assert_eq!(nearest("tiem", &["size", "Time"]), Vec::<&str>::new());
        assert_eq!(nearest("tme", &["size", "Time"]), ["Time"]);
        assert_eq!(nearest("ipc", &["system.cpu.ipc", "simTicks"]), ["system.cpu.ipc"]);
    }
}
