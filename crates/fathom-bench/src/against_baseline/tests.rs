//! What is said of a saved executable that is missing, or does not run.

use super::*;
use crate::results::Results;

#[test]
fn a_name_that_was_not_saved_is_refused_with_those_that_were() {
    let made = tempfile::tempdir().unwrap();
    std::fs::write(made.path().join("CACHEDIR.TAG"), "").unwrap();
    let executable = made.path().join("release/deps/sorting-0123456789abcdef");
    let results = Results::of_executable(&executable).unwrap();
    let suite = "sorting".to_string();
    let place = BenchExecutable { executable, suite, results: Some(results.clone()) };
    let said = |name: &str| saved_executable(&place, name).unwrap_err();
    assert_eq!(
        said("main"),
        "sorting has no baseline main; nothing is saved yet; save it with --save main"
    );
    let save = |suite: &str, name: &str, has_executable: bool| {
        std::fs::create_dir_all(results.folder().join(suite)).unwrap();
        std::fs::write(results.file(suite, name), "{}").unwrap();
        if has_executable {
            std::fs::write(results.executable(suite, name), "").unwrap();
        }
    };
    save("parsing", "main", true);
    save("sorting", "latest", false);
    assert_eq!(
        said("main"),
        "sorting has no baseline main; nothing is saved yet; save it with --save main"
    );
    save("sorting", "v1", true);
    assert_eq!(said("main"), "sorting has no baseline main; the saved ones are v1");
    let kept = saved_executable(&place, "v1").unwrap();
    assert_eq!(kept, results.executable("sorting", "v1"));
    // A folder of that name is not an executable.
    std::fs::create_dir(results.executable("sorting", "main")).unwrap();
    assert_eq!(said("main"), "sorting has no baseline main; the saved ones are v1");
    let nowhere = BenchExecutable { results: None, ..place };
    let said = saved_executable(&nowhere, "v1").unwrap_err();
    assert!(said.contains("is not in a cargo target folder"), "{said}");
}

#[test]
fn a_saved_executable_that_does_not_run_is_to_be_saved_again() {
    let old = Program {
        executable: PathBuf::from("/kept/v1.bench"),
        folder: None,
        label: "v1".to_string(),
        relinking: Err(String::new()),
    };
    let started = |executable: &str| DuelError::NotStarted {
        executable: executable.to_string(),
        error: std::io::Error::other("no permission"),
    };
    let said = |why: &str| {
        format!(
            "the saved executable /kept/v1.bench does not run as a bench: {why}; save it again with \
             `cargo bench -- --save v1`"
        )
    };
    assert_eq!(of_saved(&old, &started("/kept/v1.bench")), Some(said("no permission")));
    let executable = "/kept/v1.bench".to_string();
    let no_bench = DuelError::NoBench { executable, why: "it wrote nothing".to_string() };
    assert_eq!(of_saved(&old, &no_bench), Some(said("it wrote nothing")));
    assert_eq!(of_saved(&old, &started("/now")), None, "this one is not saved");
    assert_eq!(of_saved(&old, &DuelError::Interrupted), None);
}
