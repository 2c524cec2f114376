//! What people write first when a bench borrows its data. That it compiles is most of the test; the
//! guide shows parts of this file.

use fathom_bench::{Bencher, Suite, Throughput};
use std::cell::RefCell;
use std::collections::HashMap;

/// Something that borrows.
struct Index<'t> {
    words: HashMap<&'t str, usize>,
}

impl<'t> Index<'t> {
    fn new(text: &'t str) -> Index<'t> {
        Index { words: text.split(' ').map(|word| (word, word.len())).collect() }
    }

    fn get(&self, word: &str) -> Option<usize> {
        self.words.get(word).copied()
    }
}

/// A way to measure a text.
type Way = fn(&str) -> usize;

fn load() -> String {
    "one two three".to_string()
}

/// Takes the suite, as `run` does.
fn names(suite: Suite<'_>) -> Vec<String> {
    suite.names()
}

#[test]
fn data_made_before_the_suite() {
    let text = load();
    let mut suite = Suite::new();
    suite.bench("words", || text.split(' ').collect::<Vec<_>>());
    let index = Index::new(&text);
    suite.bench("index", || index.get("two"));
    assert_eq!(names(suite), ["words", "index"]);
}

#[test]
fn data_made_after_the_suite() {
    let mut suite = Suite::new();
    let text = load();
    suite.bench("bytes", || text.len());
    assert_eq!(names(suite), ["bytes"]);
}

fn add_parser(suite: &mut Suite<'_>, lines: usize) {
    let text = suite.keep("one two\n".repeat(lines));
    suite.bench(format!("lines/{lines}"), || text.lines().count());
    suite.bench(format!("words/{lines}"), || text.split_whitespace().count());
}

fn add_lookups<'b>(suite: &mut Suite<'b>, text: &'b str) {
    suite.bench("find", || text.find("three"));
    suite.bench("rfind", || text.rfind("one"));
}

#[test]
fn a_function_that_adds_to_the_suite() {
    let text = load();
    let mut suite = Suite::new();
    add_parser(&mut suite, 10);
    add_lookups(&mut suite, &text);
    assert_eq!(names(suite), ["lines/10", "words/10", "find", "rfind"]);
}

fn lookup(bencher: &mut Bencher<'_>) {
    let text = bencher.keep(load());
    let index = Index::new(text);
    bencher.iter(move || index.get("two"));
}

#[test]
fn a_fixture_that_a_bench_makes_and_borrows_from() {
    let mut suite = Suite::new();
    suite.bench_with("index", lookup);
    suite.bench_with("closure", |bencher| {
        let index = Index::new(bencher.keep(load()));
        bencher.iter(move || index.get("two"));
    });
    assert_eq!(names(suite).len(), 2);
}

#[test]
fn inputs_that_borrow_from_a_fixture() {
    let text = load();
    let mut suite = Suite::new();
    suite.bench_with_setup("get", || Index::new(&text), |index| index.get("two"));
    suite.bench_consuming("consume", || Index::new(&text), |index| index.words.into_keys().max());
    assert_eq!(names(suite).len(), 2);
}

#[test]
fn arguments_from_which_results_borrow() {
    let numbers: Vec<u64> = (0..1000).collect();
    let mut suite = Suite::new();
    suite.bench_args("trim", [String::from(" a "), String::from("b")], |text| text.trim());
    suite
        .bench_inputs("sum", [("short", &numbers[..10]), ("long", &numbers[..])], |numbers| {
            numbers.iter().sum::<u64>()
        })
        .throughput(|numbers| Throughput::Items(numbers.len() as u64));
    suite.bench_inputs("max", [("all", numbers.clone())], |numbers| numbers.iter().max());
    suite.bench_args_with("index", ["one two", "three"], |bencher, text| {
        let index = Index::new(text);
        bencher.iter(move || index.get("two"));
    });
    assert_eq!(names(suite).len(), 7);
}

#[test]
fn data_of_a_group() {
    let mut suite = Suite::new();
    suite.group("text", |suite| {
        let text = suite.keep(load());
        suite.bench("words", || text.split(' ').count());
        suite.bench("bytes", || text.bytes().max());
    });
    assert_eq!(names(suite), ["text/words", "text/bytes"]);
}

#[test]
fn a_comparison_over_one_fixture() {
    let text = load();
    let index = Index::new(&text);
    let mut suite = Suite::new();
    suite
        .compare("lookup")
        .with("index", || index.get("two"))
        .with("search", || text.split(' ').find(|word| *word == "two"))
        .with_setup("fresh index", || Index::new(&text), |index| index.get("two"));
    let ways = [("bytes", str::len as Way), ("chars", |text| text.chars().count())];
    let text = &text;
    for (name, way) in ways {
        suite.compare("length").with(name, move || way(text));
    }
    assert_eq!(names(suite), ["lookup", "length"]);
}

#[test]
fn data_that_several_benches_change() {
    let cache = RefCell::new(HashMap::new());
    let mut suite = Suite::new();
    suite.bench("insert", || cache.borrow_mut().insert(1, "one"));
    suite.bench("get", || cache.borrow().get(&1).copied());
    assert_eq!(names(suite).len(), 2);
}

/// The Rust code of the guide's section is in this file, line by line.
#[test]
fn the_guide_shows_what_is_compiled_here() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/benching.md");
    let guide = std::fs::read_to_string(folder).unwrap();
    let section = guide.split("\n## ").find(|part| part.starts_with("Borrowed data")).unwrap();
    let code = section.split("```").skip(1).step_by(2).filter_map(|code| code.strip_prefix("rust"));
    let lines: Vec<&str> = code.flat_map(str::lines).map(str::trim).collect();
    assert!(lines.len() > 20, "{lines:?}");
    let here: Vec<&str> = include_str!("borrowed_data.rs").lines().map(str::trim).collect();
    for line in lines.into_iter().filter(|line| !line.is_empty()) {
        assert!(here.contains(&line), "{line}");
    }
}
