//! Which bench of the one build is which of the other.

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

impl Paired {
    /// Also pairs what is left by the bench's name alone, if both have one of that name left: the
    /// package of one may have another name.
    pub(super) fn also_by_target(mut self) -> Paired {
        let is_alone = |benches: &[BuiltBench], target: &str| {
            benches.iter().filter(|bench| bench.target == target).count() == 1
        };
        let left = std::mem::take(&mut self.only_old);
        for old in &left {
            let same = self.only_new.iter().position(|new| new.target == old.target);
            let are_alone = is_alone(&left, &old.target) && is_alone(&self.only_new, &old.target);
            match same.filter(|_| are_alone) {
                Some(place) => {
                    let new = self.only_new.remove(place);
                    self.pairs.push(Pair { old: old.clone(), new });
                }
                None => self.only_old.push(old.clone()),
            }
        }
        self
    }
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

    #[test]
    fn packages_may_have_other_names_where_the_bench_is_the_only_one() {
        let of = |names: &[(&str, &str)]| {
            names.iter().map(|(package, target)| bench(package, target, "")).collect::<Vec<_>>()
        };
        let old = of(&[("a", "x"), ("a", "y"), ("b", "y"), ("c", "z")]);
        let new = of(&[("d", "x"), ("d", "y"), ("c", "z"), ("d", "w")]);
        let paired = pair(old, new).also_by_target();
        let of = |pair: &Pair| format!("{} and {}", pair.old, pair.new);
        let found: Vec<String> = paired.pairs.iter().map(of).collect();
        assert_eq!(found, ["z of c and z of c", "x of a and x of d"]);
        assert_eq!(listed(&paired.only_old), "y of a, y of b");
        assert_eq!(listed(&paired.only_new), "y of d, w of d");
    }
}
