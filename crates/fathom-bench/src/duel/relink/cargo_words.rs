//! Words of `cargo bench`, turned into words of `cargo rustc` for one bench.

/// Options that choose targets or packages, with whether a value follows.
const CHOOSING: &[(&str, bool)] = &[
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
    ("--no-run", false),
    ("--no-fail-fast", false),
    ("--message-format", true),
    ("--quiet", false),
    ("-q", false),
];

/// Those that are the same for one bench: features, profile, target folder and so on.
pub(super) fn for_one_bench(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut is_value = false;
    for word in words {
        if std::mem::replace(&mut is_value, false) {
            continue;
        }
        let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
        match CHOOSING.iter().find(|(name, _)| *name == option) {
            Some((_, takes_value)) => is_value = *takes_value && !word.contains('='),
            // As in `-pname`.
            None if word.starts_with("-p") && !word.starts_with("--") => (),
            None => kept.push(word.clone()),
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
}
