//! Names of series that are as short as they can be and still differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Labels of a series, its name among them as `__name__`.
pub(super) type Labels = BTreeMap<String, String>;

pub(super) const NAME: &str = "__name__";

/// A name for each series: the metric's, with those labels that tell it from others of the same name.
///
/// Labels that all series of a name share are left out. Of the others, those are left out that nothing
/// depends on, the longest first: of a pod and its address one is enough. Which label is the longest is
/// decided over all series, so that the same label stays wherever it can. No two series have the same
/// labels, so no two have the same name.
pub(super) fn short_names(all: &[&Labels]) -> Vec<String> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (n, labels) in all.iter().enumerate() {
        by_name.entry(metric(labels)).or_default().push(n);
    }
    let order = longest_first(all);
    let mut names = vec![String::new(); all.len()];
    for (metric, members) in by_name {
        let of_members: Vec<&Labels> =
            members.iter().filter_map(|&n| all.get(n).copied()).collect();
        let kept = telling(&of_members, &order);
        for (&n, labels) in members.iter().zip(of_members) {
            if let Some(name) = names.get_mut(n) {
                *name = written(metric, labels, |label| kept.contains(label));
            }
        }
    }
    names
}

/// The whole name of a series, as Prometheus writes it.
pub(super) fn full_name(labels: &Labels) -> String {
    written(metric(labels), labels, |_| true)
}

fn metric(labels: &Labels) -> &str {
    labels.get(NAME).map_or("", String::as_str)
}

fn written(metric: &str, labels: &Labels, keeps: impl Fn(&str) -> bool) -> String {
    let mut name = metric.to_string();
    let mut open = '{';
    for (label, value) in labels.iter().filter(|(label, _)| *label != NAME && keeps(label)) {
        // Writing to a string cannot fail.
        let _ = write!(name, "{open}{label}={value:?}");
        open = ',';
    }
    if open == ',' {
        name.push('}');
    }
    if name.is_empty() { "value".to_string() } else { name }
}

/// Labels by the mean length of their values, the longest first; the bounds of buckets last.
fn longest_first(all: &[&Labels]) -> Vec<String> {
    let mut lengths: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (label, value) in all.iter().flat_map(|labels| labels.iter()) {
        let (length, count) = lengths.entry(label).or_default();
        *length += value.len();
        *count += 1;
    }
    let mut order: Vec<(usize, &str)> = lengths
        .into_iter()
        .filter(|(label, _)| *label != NAME && *label != "le" && *label != "quantile")
        .map(|(label, (length, count))| (length / count.max(1), label))
        .collect();
    order.sort_by(|(one, label), (other, next)| other.cmp(one).then_with(|| label.cmp(next)));
    order.into_iter().map(|(_, label)| label.to_string()).collect()
}

/// The labels that tell these series apart.
fn telling<'a>(members: &[&'a Labels], order: &[String]) -> BTreeSet<&'a str> {
    let Some(first) = members.first() else { return BTreeSet::new() };
    let names: BTreeSet<&'a str> =
        members.iter().flat_map(|labels| labels.keys().map(String::as_str)).collect();
    let differs =
        |label: &&str| members.iter().any(|labels| labels.get(*label) != first.get(*label));
    let mut kept: BTreeSet<&'a str> =
        names.into_iter().filter(|label| *label != NAME && differs(label)).collect();
    for label in order {
        if kept.len() < 2 {
            break;
        }
        if let Some(candidate) = kept.take(label.as_str()) {
            let values = |labels: &&'a Labels| -> Vec<Option<&'a String>> {
                kept.iter().map(|label| labels.get(*label)).collect()
            };
            let distinct: BTreeSet<Vec<Option<&String>>> = members.iter().map(values).collect();
            if distinct.len() < members.len() {
                kept.insert(candidate);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(text: &str) -> Labels {
        text.split(' ')
            .filter_map(|pair| pair.split_once('='))
            .map(|(label, value)| (label.to_string(), value.to_string()))
            .collect()
    }

    fn names(all: &[&str]) -> Vec<String> {
        let all: Vec<Labels> = all.iter().map(|text| labels(text)).collect();
        short_names(&all.iter().collect::<Vec<_>>())
    }

    #[test]
    fn names_have_the_labels_that_tell_them_apart() {
        assert_eq!(names(&["__name__=up job=a instance=h:1"]), ["up"]);
        assert_eq!(
            names(&[
                "__name__=cpu job=a instance=h:1 cpu=0 mode=idle",
                "__name__=cpu job=a instance=h:1 cpu=1 mode=idle",
                "__name__=cpu job=a instance=h:1 cpu=0 mode=user",
                "__name__=load job=a instance=h:1",
            ]),
            [
                r#"cpu{cpu="0",mode="idle"}"#,
                r#"cpu{cpu="1",mode="idle"}"#,
                r#"cpu{cpu="0",mode="user"}"#,
                "load"
            ]
        );
        // A pod and its address say the same.
        assert_eq!(
            names(&[
                "__name__=x pod=shop-1 instance=10.0.0.1:8080",
                "__name__=x pod=shop-2 instance=10.0.0.2:8080",
                "__name__=t_bucket le=+Inf pod=shop-1",
                "__name__=t_bucket le=0.5 pod=shop-1",
            ]),
            [
                r#"x{pod="shop-1"}"#,
                r#"x{pod="shop-2"}"#,
                r#"t_bucket{le="+Inf"}"#,
                r#"t_bucket{le="0.5"}"#
            ]
        );
        // A label that one of them lacks tells them apart.
        assert_eq!(names(&["__name__=x a=1", "__name__=x"]), [r#"x{a="1"}"#, "x"]);
        assert_eq!(names(&["", "a=1"]), ["value", r#"{a="1"}"#]);
        assert_eq!(full_name(&labels("__name__=x b=1 a=q")), r#"x{a="q",b="1"}"#);
    }

    proptest! {
        #[test]
        fn different_series_have_different_names(
            all in proptest::collection::btree_set(
                proptest::collection::btree_map("__name__|a|b|le|job", "[ab]{1,2}", 0..5),
                1..20,
            ),
        ) {
            let all: Vec<Labels> = all.into_iter().collect();
            let names = short_names(&all.iter().collect::<Vec<_>>());
            let distinct: BTreeSet<&String> = names.iter().collect();
            prop_assert_eq!(distinct.len(), all.len(), "{:?}", names);
        }
    }
}
