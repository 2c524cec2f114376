//! Every mistake is answered by what is wrong, where, and what to write instead.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod language_data;

use fathom_property::Property;
use language_data::{X, Y, base_and_new, only};

/// Properties and the whole message each gets: a line `@@ DATA PROPERTY` and then the message.
/// The data are X or Y, or 2 for two systems like Y; `\n` and `\t` are what they usually mean.
const TABLE: &str = include_str!("language_errors.txt");

fn cases() -> Vec<(&'static str, String, &'static str)> {
    let mut cases = Vec::new();
    for part in TABLE.trim_end().split("@@ ").skip(1) {
        let (head, message) = part.split_once('\n').unwrap();
        let (data, property) = head.split_once(' ').unwrap();
        let property = property.replace("\\n", "\n").replace("\\t", "\t");
        cases.push((data, property, message.trim_end_matches('\n')));
    }
    cases
}

#[test]
fn every_mistake_is_answered() {
    let cases = cases();
    assert!(cases.len() >= 150, "{}", cases.len());
    for (data, property, expected) in cases {
        let systems = match data {
            "X" => only(X),
            "Y" => only(Y),
            _ => base_and_new(Y),
        };
        let answer = Property::parse(&property).and_then(|parsed| parsed.resolve(&systems));
        let Err(error) = answer else { panic!("{property} is right") };
        assert_eq!(error.to_string(), expected, "{property}");
    }
}

#[test]
fn the_shown_property_fits_a_terminal() {
    for (_, property, message) in cases() {
        for line in message.lines().filter(|line| line.starts_with("    ")) {
            assert!(line.chars().count() <= 80, "{property}");
        }
    }
}

#[test]
fn the_mark_is_under_what_is_wrong() {
    let error = |text: &str| Property::parse(text).unwrap().resolve(&only(Y)).unwrap_err();
    let text = "runtime < 1s and wrong > 3";
    assert_eq!(&text[error(text).span()], "wrong");
    // Whatever stands before it, however wide.
    let wide = "\"F\" > 1 and \"漢字µ\" > 3";
    assert_eq!(&wide[error(wide).span()], "\"漢字µ\"");
    let long = format!("{} and wrong > 3", vec!["runtime < 1s"; 50].join(" and "));
    let shown = error(&long).to_string();
    let lines: Vec<&str> = shown.lines().collect();
    let from = lines[2].find('^').unwrap();
    let under: String = lines[1].chars().skip(from).take(5).collect();
    assert_eq!(under, "wrong");
}
