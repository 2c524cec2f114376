//! Any text is a property, which is printed, read again and judged, or an error that says what is
//! wrong.
//!
//! Used by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/property.rs`.

use fathom_property::{
    Bounds, Catalogue, Expression, Property, PropertyError, judge, parse_frequency, value,
};
use fathom_record::Observation;
use fathom_record::foreign_text::is_steering;
use std::sync::LazyLock;

/// Small executions with all that a property can name: numbers, signals, events, odd values.
static EXECUTIONS: LazyLock<Vec<Observation>> = LazyLock::new(|| {
    let texts = [
        r#"{"schema":"fathom-execution/1","time_unit":"ms","end":10,
            "scalars":{"runtime":{"value":12.5,"unit":"s"},"x":{"value":3},"y":{"value":-1e300}},
            "signals":{"ipc":{"times":[0,2,5],"values":[1.5,0.25,null]},
                       "power":{"unit":"W","times":[0,1,1.5,9],"values":[10,12,9,1e308]}},
            "events":{"request":{"times":[1,2,2,7],"attributes":{"latency":{"unit":"ms","values":[3,4,null,5]}}},
                      "error":{"times":[]}}}"#,
        r#"{"schema":"fathom-execution/1","end":0,
            "scalars":{"runtime":{"value":0,"unit":"s"},"x":{"value":1.7976931348623157e308}},
            "signals":{"ipc":{"times":[0],"values":[0]}},
            "events":{"request":{"times":[0],"attributes":{"latency":{"unit":"ms","values":[0]}}}}}"#,
    ];
    texts.map(|text| serde_json::from_str(text).expect("an execution")).into()
});

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(why) = parse_frequency(text) {
        assert!(!why.is_empty());
    }
    match Property::parse(text) {
        Ok(property) => {
            reads_back(&property);
            is_judged(&property);
        }
        Err(error) => is_fit(&error, text),
    }
    if let Ok(expression) = Expression::parse(text) {
        is_evaluated(&expression);
    }
}

/// Printing adds parentheses, which are levels too: what is almost too deep may then be too deep.
fn reads_back(property: &Property) {
    let printed = property.to_string();
    match Property::parse(&printed) {
        Ok(again) => {
            assert_eq!(again.to_string(), printed);
            assert_eq!(property.conditions().len(), again.conditions().len());
        }
        Err(error) => assert!(error.message().contains("levels deep"), "{error}"),
    }
}

/// One system or two, each execution alone and both together.
fn systems() -> [Vec<(String, Catalogue)>; 2] {
    let [first, second] = [&EXECUTIONS[0], &EXECUTIONS[1]].map(Catalogue::of);
    let one = vec![("base".to_string(), first.clone())];
    [one, vec![("base".to_string(), first), ("new".to_string(), second)]]
}

fn runs(count: usize) -> Vec<&'static Observation> {
    EXECUTIONS.iter().cycle().take(count.max(1)).collect()
}

fn is_judged(property: &Property) {
    for systems in systems() {
        match property.resolve(&systems) {
            Ok(resolved) => {
                let mut runs = runs(resolved.runs.len());
                for _ in 0..2 {
                    let judgement = judge(&resolved.formula, &runs);
                    is_in_order(judgement.robustness, property);
                    runs.rotate_left(1);
                    if let [one] = &mut runs[..] {
                        *one = &EXECUTIONS[1];
                    }
                }
            }
            Err(error) => is_fit(&error, property.text()),
        }
    }
}

fn is_evaluated(expression: &Expression) {
    for systems in systems() {
        match expression.resolve(&systems) {
            Ok(resolved) => {
                let seen = value(&resolved.term, &runs(resolved.runs.len()));
                is_in_order(seen.bounds, expression);
            }
            Err(error) => is_fit(&error, expression.text()),
        }
    }
}

fn is_in_order(bounds: Bounds, what: &dyn std::fmt::Display) {
    let text = format!("{bounds:?}");
    assert!(!text.contains("NaN"), "{text} of {what}");
}

/// The message has lines of its own, but nothing else that steers.
fn is_fit(error: &PropertyError, text: &str) {
    assert!(!error.message().is_empty());
    for line in error.to_string().lines() {
        assert!(!line.contains(is_steering), "{line:?}");
    }
    let span = error.span();
    assert!(span.start <= span.end && span.end <= text.len(), "{span:?}");
}
