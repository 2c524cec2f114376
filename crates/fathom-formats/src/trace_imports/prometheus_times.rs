//! Series that share their times go into one sampler.

use fathom_record::Timestamp;
use std::collections::BTreeMap;

/// Series by their times: each group has the times of its longest member, in which those of the
/// others are contained. Groups are in the order of their first series.
///
/// A range query looks at all series at the same times and leaves out those at which one had no
/// value. So a series with fewer times than another has gaps; it is not a different sampler.
pub(super) fn groups(times: &[Vec<Timestamp>]) -> Vec<Group<'_>> {
    let mut by_times: BTreeMap<&[Timestamp], Vec<usize>> = BTreeMap::new();
    for (series, times) in times.iter().enumerate() {
        by_times.entry(times).or_default().push(series);
    }
    let mut sorted: Vec<(&[Timestamp], Vec<usize>)> = by_times.into_iter().collect();
    sorted.sort_by_key(|(times, series)| (std::cmp::Reverse(times.len()), series.first().copied()));
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (times, series) in sorted {
        match groups.iter_mut().find(|group| contains(group.times, times)) {
            Some(group) => group.series.extend(series),
            None => groups.push(Group { times, series }),
        }
    }
    groups.iter_mut().for_each(|group| group.series.sort_unstable());
    groups.sort_by_key(|group| group.series.first().copied());
    groups
}

/// Series of one sampler.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group<'a> {
    pub(super) times: &'a [Timestamp],
    pub(super) series: Vec<usize>,
}

/// Whether all of `some` are among `all`; both increase.
fn contains(all: &[Timestamp], some: &[Timestamp]) -> bool {
    let mut rest = all;
    some.iter().all(|time| match rest.binary_search(time) {
        Ok(place) => {
            rest = rest.get(place + 1..).unwrap_or_default();
            true
        }
        Err(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_do_not_part_series_and_other_times_do() {
        let at = Timestamp::from_nanoseconds;
        let times = [vec![1, 3], vec![2, 4], vec![1, 2, 3], vec![2, 4], vec![], vec![4]]
            .map(|times| times.into_iter().map(at).collect::<Vec<_>>());
        let found = groups(&times);
        assert_eq!(
            found,
            [
                Group { times: &[1, 2, 3].map(at), series: vec![0, 2, 4] },
                Group { times: &[2, 4].map(at), series: vec![1, 3, 5] },
            ]
        );
    }
}
