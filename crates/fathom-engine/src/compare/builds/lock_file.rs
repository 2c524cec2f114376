//! Which packages of a `Cargo.lock` have sources that differ from tree to tree.

use std::collections::{BTreeMap, BTreeSet};

/// The names of packages that are compiled from a folder, and of all packages that use one of
/// them; nothing if the text is not a lock file.
///
/// Names suffice: two packages of one name make the answer larger, and a package too many in it
/// only costs the time to compile it.
pub(super) fn of_folders(text: &str) -> Option<BTreeSet<String>> {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    let packages = text.split("[[package]]").skip(1);
    for package in packages {
        let name = value(package, "name")?;
        let used = uses.entry(name.to_string()).or_default();
        used.extend(dependencies(package));
        // Cargo writes no source for a package in a folder.
        if value(package, "source").is_none() {
            found.insert(name.to_string());
        }
    }
    if uses.is_empty() {
        return None;
    }
    loop {
        let is_new = |(name, used): &(&String, &BTreeSet<String>)| {
            !found.contains(*name) && used.iter().any(|one| found.contains(one))
        };
        let more: Vec<String> = uses.iter().filter(is_new).map(|(name, _)| name.clone()).collect();
        if more.is_empty() {
            return Some(found);
        }
        found.extend(more);
    }
}

/// The text of `key = "text"`.
fn value<'t>(package: &'t str, key: &str) -> Option<&'t str> {
    package.lines().find_map(|line| {
        let rest = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
        rest.trim().strip_prefix('"')?.strip_suffix('"')
    })
}

/// The names in ` "name",`, ` "name version",` or ` "name version (source)",`.
fn dependencies(package: &str) -> impl Iterator<Item = String> + '_ {
    package.lines().filter_map(|line| {
        let entry = line.trim().strip_prefix('"')?.trim_end_matches(',').strip_suffix('"')?;
        entry.split(' ').next().map(String::from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_uses_a_folder_is_found_through_others() {
        let text = "# made by cargo\nversion = 4\n\n\
            [[package]]\nname = \"tool\"\nversion = \"0.1.0\"\ndependencies = [\n \"far\",\n \"near 1.0.0\",\n]\n\n\
            [[package]]\nname = \"far\"\nversion = \"1.0.0\"\nsource = \"registry+https://x\"\nchecksum = \"00\"\n\n\
            [[package]]\nname = \"near\"\nversion = \"1.0.0\"\nsource = \"registry+https://x\"\ndependencies = [\n \"between 2.0.0 (git+https://y)\",\n]\n\n\
            [[package]]\nname = \"between\"\nversion = \"2.0.0\"\nsource = \"git+https://y#00\"\ndependencies = [\n \"patched\",\n]\n\n\
            [[package]]\nname = \"patched\"\nversion = \"1.0.0\"\n";
        let found: Vec<String> = of_folders(text).unwrap().into_iter().collect();
        assert_eq!(found, ["between", "near", "patched", "tool"]);
    }

    #[test]
    fn another_text_is_no_lock_file() {
        assert_eq!(of_folders(""), None);
        assert_eq!(of_folders("version = 4\n"), None);
        assert_eq!(of_folders("[[package]]\nversion = \"1.0.0\"\n"), None);
    }
}
