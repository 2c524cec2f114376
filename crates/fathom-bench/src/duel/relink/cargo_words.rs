//! Words of `cargo bench`, turned into words of another command for the same build.

/// An option of cargo's, and whether a value follows it.
type CargoOption = (&'static str, bool);

/// Options that choose targets or packages.
const CHOOSING: &[CargoOption] = &[
    ("--bench", true),
    ("--benches", false),
    ("--all-targets", false),
    ("--lib", false),
    ("--bin", true),
    ("--bins", false),
    ("--example", true),
    ("--examples", false),
    ("--test", true),
    ("--tests", false),
    ("--package", true),
    ("-p", true),
    ("--workspace", false),
    ("--all", false),
    ("--exclude", true),
    ("--no-fail-fast", false),
];

/// Options that Fathom gives itself. Cargo refuses some of them if they come twice.
const OWN: &[CargoOption] =
    &[("--no-run", false), ("--message-format", true), ("--quiet", false), ("-q", false)];

/// Other options whose value is a word of its own. A word that belongs to none of these is a filter
/// for the bench, which cargo passes on.
const WITH_VALUE: &[&str] = &[
    "--features",
    "-F",
    "--jobs",
    "-j",
    "--target",
    "--target-dir",
    "--manifest-path",
    "--lockfile-path",
    "--profile",
    "--config",
    "--color",
    "-C",
    "-Z",
];

/// Those that `cargo bench --no-run` needs to build the same benches.
pub(super) fn for_the_same_benches(words: &[String]) -> Vec<String> {
    without(words, &[OWN])
}

/// Those that are the same for one bench: features, profile, target folder and so on.
pub(super) fn for_one_bench(words: &[String]) -> Vec<String> {
    without(words, &[OWN, CHOOSING])
}

/// All but these options and the filters.
fn without(words: &[String], left_out: &[&[CargoOption]]) -> Vec<String> {
    let names_package = |word: &str| word.starts_with("-p") && !word.starts_with("--");
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
        let is_whole = !word.contains('=');
        let left = left_out.iter().copied().flatten().find(|(name, _)| *name == option);
        if let Some((_, takes_value)) = left {
            if *takes_value && is_whole {
                words.next();
            }
        } else if left_out.contains(&CHOOSING) && names_package(word) {
            // As in `-pname`.
        } else if word.starts_with('-') {
            kept.push(word.clone());
            let is_of_package = CHOOSING.iter().any(|(name, value)| *value && *name == option);
            if is_whole && (WITH_VALUE.contains(&option) || is_of_package) {
                kept.extend(words.next().cloned());
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_chooses_targets_and_packages_is_left_out() {
        let words = ["-p", "one", "--features", "simd", "--bench=speed", "--locked", "-pone"];
        assert_eq!(for_one_bench(&words.map(String::from)), ["--features", "simd", "--locked"]);
        let words = ["--bench", "*", "--profile", "fast", "--exclude=two", "--workspace"];
        assert_eq!(for_one_bench(&words.map(String::from)), ["--profile", "fast"]);
    }

    #[test]
    fn filters_and_what_may_not_come_twice_are_left_out() {
        let words = ["-q", "--bench", "speed", "-j", "2", "parse", "--message-format", "short"];
        let words = words.map(String::from);
        assert_eq!(for_the_same_benches(&words), ["--bench", "speed", "-j", "2"]);
        assert_eq!(for_one_bench(&words), ["-j", "2"]);
        let words = ["-pone", "--quiet", "-F", "simd", "a filter"].map(String::from);
        assert_eq!(for_the_same_benches(&words), ["-pone", "-F", "simd"]);
        assert_eq!(for_one_bench(&words), ["-F", "simd"]);
    }
}
