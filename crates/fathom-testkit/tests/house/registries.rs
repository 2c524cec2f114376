//! What is one of a few has one list of them, `ALL`, from which options, schemas and readers follow.
//! No list forgets a variant.

use fathom_testkit::repository;
use std::fs;

/// A list of all values of a type.
struct Registry {
    of_type: String,
    /// Between `=` and `;`.
    list: String,
    /// "crates/fathom-stats/src/interval.rs"
    place: String,
}

/// The lists in a file.
fn registries(text: &str, place: &str) -> Vec<Registry> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("const ALL: ") {
        let implemented = text[..at].lines().rev().find(|line| line.starts_with("impl"));
        let of_type =
            implemented.and_then(|line| line.trim_end_matches(" {").split(' ').next_back());
        let list = text[at..].split_once(" =").and_then(|(_, rest)| rest.split_once(';'));
        if let (Some(of_type), Some((list, _))) = (of_type, list) {
            let (of_type, list) = (of_type.to_string(), list.to_string());
            found.push(Registry { of_type, list, place: place.to_string() });
        }
    }
    found
}

/// The names of an enum's variants, if the text defines it.
fn variants(text: &str, name: &str) -> Option<Vec<String>> {
    let body = text.split_once(&format!("enum {name} {{"))?.1;
    let (mut depth, mut names, mut is_new) = (0_usize, Vec::new(), true);
    for line in body.lines().map(str::trim) {
        let code = line.split("//").next().unwrap_or_default();
        if code.starts_with('#') {
            continue;
        }
        for part in code.split_inclusive(['(', ')', '{', '}', ',']) {
            let word: String = part.trim().chars().take_while(|c| c.is_alphanumeric()).collect();
            if depth == 0 && is_new && !word.is_empty() {
                names.push(word);
                is_new = false;
            }
            match part.chars().next_back() {
                Some('(' | '{') => depth += 1,
                Some('}') if depth == 0 => return Some(names),
                Some(')' | '}') => depth -= 1,
                Some(',') if depth == 0 => is_new = true,
                _ => {}
            }
        }
    }
    None
}

/// Whether a list names a variant, after its type.
fn has(list: &str, of_type: &str, variant: &str) -> bool {
    let words = list.split(|c: char| !c.is_alphanumeric() && c != ':' && c != '_');
    let [long, short] = [of_type, "Self"].map(|owner| format!("{owner}::{variant}"));
    words.into_iter().any(|word| word == long || word == short)
}

#[test]
fn every_list_of_all_has_every_variant() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for (_, folder) in repository::crates().unwrap() {
        let files = repository::rust_files(&folder.join("src")).unwrap();
        let texts: Vec<String> =
            files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
        for (text, path) in texts.iter().zip(&files) {
            let place = path.strip_prefix(repository::top()).unwrap().display().to_string();
            for Registry { of_type, list, place } in registries(text, &place) {
                // A list of another crate's type is looked at there, and a struct has no variants.
                if list.contains("::ALL") || text.contains(&format!("struct {of_type}")) {
                    continue;
                }
                let own = variants(text, &of_type);
                let own = own.or_else(|| texts.iter().find_map(|text| variants(text, &of_type)));
                let Some(own) = own else { continue };
                seen += 1;
                let missing: Vec<&String> =
                    own.iter().filter(|variant| !has(&list, &of_type, variant)).collect();
                if !missing.is_empty() {
                    wrong.push(format!("{place}: {of_type}::ALL lacks {missing:?}"));
                }
            }
        }
    }
    assert!(seen > 40, "only {seen} lists: they are not where they were");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lists_and_variants_are_recognized() {
    let text = "/// Doc.\nenum Side {\n    /// Left, right.\n    #[default]\n    Left,\n    \
                Right(u8, (u8, u8)),\n    Both {\n        // No.\n        a: u8,\n    },\n}\n\
                impl Side {\n    const ALL: [Side; 2] =\n        [Side::Left, Self::Both];\n}\n";
    assert_eq!(variants(text, "Side").unwrap(), ["Left", "Right", "Both"]);
    assert!(variants("enum A { B, C }\n", "A").unwrap() == ["B", "C"]);
    let [one] = registries(text, "x").try_into().unwrap_or_else(|_| panic!("one list"));
    assert_eq!(one.of_type, "Side");
    let missing = |variant| !has(&one.list, &one.of_type, variant);
    assert_eq!(["Left", "Right", "Both"].map(missing), [false, true, false]);
}
