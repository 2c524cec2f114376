//! Names of a list in few columns, cut where they are alike and not where they differ.

use crate::layout::{columns, shortened};
use std::collections::HashMap;

/// The names of a list, each in at most `most` columns. Where two would be cut to the same text, they
/// keep what tells them apart, and some of their beginning and end around it.
///
/// ```
/// use fathom_render::short_names::shortened_apart;
/// let names = ["disk.nvme0n1.queue.seconds_total", "disk.nvme0n2.queue.seconds_total"].map(String::from);
/// assert_eq!(shortened_apart(&names, 20), ["disk.nvme…1…ds_total", "disk.nvme…2…ds_total"]);
/// ```
#[must_use]
pub fn shortened_apart(names: &[String], most: usize) -> Vec<String> {
    let mut short: Vec<String> = names.iter().map(|name| shortened(name, most)).collect();
    let mut alike: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, text) in short.iter().enumerate() {
        alike.entry(text.as_str()).or_default().push(place);
    }
    let groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
    for group in groups {
        let letters: Vec<Vec<char>> = group
            .iter()
            .filter_map(|&place| names.get(place))
            .map(|name| name.chars().collect())
            .collect();
        let (before, after) = shared(&letters);
        for (&place, letters) in group.iter().zip(&letters) {
            if let Some(slot) = short.get_mut(place) {
                *slot = around(letters, before, after, most);
            }
        }
    }
    short
}

/// How many letters all of them begin with and end with; equal names share all at their beginning.
fn shared(names: &[Vec<char>]) -> (usize, usize) {
    let Some((first, others)) = names.split_first() else { return (0, 0) };
    let shortest = names.iter().map(Vec::len).min().unwrap_or(0);
    let agree =
        |at: &dyn Fn(&Vec<char>) -> Option<char>| others.iter().all(|name| at(name) == at(first));
    let before = (0..shortest).take_while(|&n| agree(&|name| name.get(n).copied())).count();
    let back = |n: usize| agree(&|name: &Vec<char>| name.iter().rev().nth(n).copied());
    let after = (0..shortest - before).take_while(|&n| back(n)).count();
    (before, after)
}

/// What differs, and as much around it as there is room for.
fn around(letters: &[char], before: usize, after: usize, most: usize) -> String {
    let text = |letters: &[char]| letters.iter().collect::<String>();
    let differs = letters.get(before..letters.len() - after).unwrap_or_default();
    let room = most.saturating_sub(columns(&text(differs)) + 2);
    if differs.is_empty() || room == 0 {
        // Equal names, or ones that differ in more than there is room for.
        return match differs.is_empty() {
            true => shortened(&text(letters), most),
            false => shortened(&text(differs), most),
        };
    }
    let tail = (room / 2).min(after);
    let head = (room - tail).min(before);
    let tail = (room - head).min(after);
    let start = fitted(letters.get(..before).unwrap_or_default().iter().copied(), head, before);
    let end = letters.iter().rev().copied().take(after);
    let end: String = fitted(end, tail, after).chars().rev().collect();
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    let is_cut = |kept: &str, all: usize| kept.chars().count() < all;
    format!(
        "{start}{}{}{}{end}",
        dots(is_cut(&start, before)),
        text(differs),
        dots(is_cut(&end, after))
    )
}

/// As many letters as fit into the columns, of this many.
fn fitted(letters: impl Iterator<Item = char>, most: usize, of: usize) -> String {
    let mut kept = String::new();
    for letter in letters.take(of) {
        kept.push(letter);
        if columns(&kept) > most {
            kept.pop();
            break;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn short(names: &[&str], most: usize) -> Vec<String> {
        shortened_apart(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), most)
    }

    #[test]
    fn they_stay_apart() {
        let names = [
            "service.checkout.instance-001.http.requests.seconds_total",
            "service.checkout.instance-002.http.requests.seconds_total",
            "service.checkout.instance-002.grpc.requests.seconds_total",
            "short",
        ];
        let found = short(&names, 28);
        assert!(found.iter().all(|name| columns(name) <= 28), "{found:?}");
        let distinct: std::collections::BTreeSet<&String> = found.iter().collect();
        assert_eq!(distinct.len(), 4, "{found:?}");
        assert!(found[0].contains("1.http") && found[2].contains("2.grpc"), "{found:?}");
    }

    #[test]
    fn where_nothing_collides_nothing_changes() {
        let names = ["./build/old/sort", "./build/new/grep"];
        assert_eq!(short(&names, 9), ["./bu…sort", "./bu…grep"]);
        assert_eq!(short(&["a", "a"], 9), ["a", "a"]);
        assert!(short(&[], 9).is_empty());
    }

    proptest! {
        #[test]
        fn they_fit_and_differ_in_one_place(
            prefix in "[a-z漢.]{0,40}", suffix in "[a-z.]{0,40}", most in 12_usize..40,
        ) {
            let names: Vec<String> = (0..10).map(|n| format!("{prefix}{n}{suffix}")).collect();
            let found = shortened_apart(&names, most);
            prop_assert!(found.iter().all(|name| columns(name) <= most), "{found:?}");
            let distinct: std::collections::BTreeSet<&String> = found.iter().collect();
            prop_assert_eq!(distinct.len(), 10, "{:?}", found);
        }
    }
}
