//! Which bench of the one revision is which of the other.

use super::cargo::BuiltBench;

/// A bench that both have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) old: BuiltBench,
    pub(crate) new: BuiltBench,
}

/// All benches of both, by package and name.
#[derive(Debug, Default)]
pub(super) struct Paired {
    pub(super) pairs: Vec<Pair>,
    pub(super) only_old: Vec<BuiltBench>,
    pub(super) only_new: Vec<BuiltBench>,
}

pub(super) fn pair(old: Vec<BuiltBench>, new: Vec<BuiltBench>) -> Paired {
    let mut paired = Paired { only_new: new, ..Paired::default() };
    for old in old {
        let is_same = |new: &BuiltBench| new.package == old.package && new.target == old.target;
        match paired.only_new.iter().position(is_same) {
            Some(place) => {
                let new = paired.only_new.remove(place);
                paired.pairs.push(Pair { old, new });
            }
            None => paired.only_old.push(old),
        }
    }
    paired
}

/// `target of package, ...`
pub(super) fn listed(benches: &[BuiltBench]) -> String {
    let names: Vec<String> = benches.iter().map(ToString::to_string).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench(package: &str, target: &str, folder: &str) -> BuiltBench {
        BuiltBench {
            package: package.into(),
            target: target.into(),
            executable: format!("{folder}/{target}").into(),
            folder: folder.into(),
        }
    }

    #[test]
    fn benches_are_the_same_by_package_and_name() {
        let old = [("a", "x"), ("a", "y"), ("b", "x")].map(|(p, t)| bench(p, t, "old"));
        let new = [("b", "x"), ("a", "z"), ("a", "x")].map(|(p, t)| bench(p, t, "new"));
        let paired = pair(old.to_vec(), new.to_vec());
        let names: Vec<String> = paired.pairs.iter().map(|pair| pair.old.to_string()).collect();
        assert_eq!(names, ["x of a", "x of b"]);
        for Pair { old, new } in &paired.pairs {
            assert_eq!((&old.package, &old.target), (&new.package, &new.target));
            assert!(old.folder.starts_with("old") && new.folder.starts_with("new"));
        }
        assert_eq!(listed(&paired.only_old), "y of a");
        assert_eq!(listed(&paired.only_new), "z of a");
    }
}
