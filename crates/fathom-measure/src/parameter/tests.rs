use super::*;
use proptest::prelude::*;

fn scan(min: &str, max: &str, step: Option<&str>) -> Result<Vec<String>, String> {
    Parameter::scan("x", min, max, step)
        .map(|parameter| parameter.values)
        .map_err(|error| error.to_string())
}

#[test]
fn scans_are_exact() {
    for (min, max, step, expected) in [
        ("1", "3", None, "1 2 3"),
        ("-1", "+1", None, "-1 0 1"),
        ("0", "10", Some("3"), "0 3 6 9"),
        ("0.1", "0.5", Some("0.1"), "0.1 0.2 0.3 0.4 0.5"),
        ("1", "2", Some(".5"), "1 1.5 2.0"),
        ("0.25", "1", Some("0.5"), "0.25 0.75"),
        ("-0.1", "0.1", Some("0.1"), "-0.1 0.0 0.1"),
        ("-1.05", "-1", Some("0.05"), "-1.05 -1.00"),
        ("5", "5", Some("100"), "5"),
        ("5", "5.5", Some("1"), "5"),
        ("007", "8", None, "7 8"),
    ] {
        let expected: Vec<&str> = expected.split(' ').collect();
        assert_eq!(scan(min, max, step).unwrap(), expected, "{min} {max} {step:?}");
    }
    assert_eq!(scan("1", "100000", None).unwrap().len(), MOST_COMBINATIONS);
    let last = scan("0", "9999.9", Some("0.1")).unwrap().pop();
    assert_eq!(last.as_deref(), Some("9999.9"));
}

#[test]
fn bad_scans_say_what_to_do() {
    for (min, max, step, expected) in [
        ("3", "1", None, "parameter x: the range 3 to 1 is empty. Put the smaller value first."),
        (
            "1",
            "3",
            Some("0"),
            "parameter x: the step 0 is not above 0. Use a positive step with -D.",
        ),
        (
            "3",
            "1",
            Some("-1"),
            "parameter x: the step -1 is not above 0. Use a positive step with -D.",
        ),
        (
            "0.5",
            "3",
            None,
            "parameter x: the range 0.5 to 3 needs a step. Add one with -D, as in -D 0.1.",
        ),
        (
            "0",
            "100000",
            None,
            "parameter x has 100001 values, more than 100000. Use a larger step or a smaller \
             range.",
        ),
        (
            "a",
            "3",
            None,
            "parameter x: the minimum \"a\" is not a number. Use digits and a decimal point.",
        ),
        (
            "1",
            "1e3",
            None,
            "parameter x: the maximum \"1e3\" has an exponent. Write all its digits.",
        ),
        (
            "1",
            "2",
            Some("0,5"),
            "parameter x: the step \"0,5\" has a comma. Use a decimal point, and no thousands \
             separators.",
        ),
    ] {
        assert_eq!(scan(min, max, step).unwrap_err(), expected);
    }
    // A step that is longer than the range must not hide that it is empty.
    assert!(scan("3", "2", Some("2")).unwrap_err().contains("the range 3 to 2 is empty"));
    assert!(scan("0.2", "0.1", Some("5")).unwrap_err().contains("the range 0.2 to 0.1 is empty"));
    let huge = "9".repeat(18);
    let small = format!("0.{}1", "0".repeat(17));
    assert!(scan(&format!("-{huge}"), &huge, Some(&small)).unwrap_err().contains(" values"));
    assert!(scan("1", &"9".repeat(40), None).unwrap_err().contains("too many digits"));
}

#[test]
fn lists_are_split_by_bare_commas() {
    for (list, expected) in [
        ("foo", vec!["foo"]),
        (" ", vec![" "]),
        (r"hello\, world!,b", vec!["hello, world!", "b"]),
        (r"\,\,", vec![",,"]),
        (r"\n", vec![r"\n"]),
        (r"\\,a", vec![r"\", "a"]),
        (r"\\\,", vec![r"\,"]),
        (r"a\", vec![r"a\"]),
        ("foo,,bar", vec!["foo", "", "bar"]),
        (",", vec!["", ""]),
    ] {
        assert_eq!(Parameter::list("x", list).unwrap().values(), expected, "{list}");
    }
    assert_eq!(
        Parameter::list("x", "").unwrap_err().to_string(),
        "parameter x: the list is empty. Separate its values with commas, as in a,b,c."
    );
    let many = ",".repeat(MOST_COMBINATIONS);
    assert!(matches!(
        Parameter::list("x", &many),
        Err(ParameterError::TooManyValues { count: 100_001, .. })
    ));
    assert_eq!(
        Parameter::list("{x}", "a").unwrap_err().to_string(),
        "invalid parameter name: \"{x}\" has braces. Use x here, and {x} in the command."
    );
}

#[test]
fn the_first_parameter_varies_fastest() {
    let parameters =
        [Parameter::list("x", "1,2").unwrap(), Parameter::scan("y", "7", "8", None).unwrap()];
    let joined: Vec<String> = combinations(&parameters)
        .unwrap()
        .iter()
        .map(|assignment| {
            let values: Vec<String> =
                assignment.iter().map(|(name, value)| format!("{name}{value}")).collect();
            values.join(" ")
        })
        .collect();
    assert_eq!(joined, ["x1 y7", "x2 y7", "x1 y8", "x2 y8"]);
    assert_eq!(combinations(&[]).unwrap(), [Assignment::new()]);
}

#[test]
fn combinations_are_limited_and_names_are_unique() {
    let of = |name: &str, max: &str| Parameter::scan(name, "1", max, None).unwrap();
    let whole = combinations(&[of("a", "100"), of("b", "1000")]).unwrap();
    assert_eq!(whole.len(), MOST_COMBINATIONS);
    let more = [of("a", "101"), of("b", "1000")];
    assert_eq!(combinations(&more), Err(ParameterError::TooManyCombinations));
    let overflowing: Vec<Parameter> = (0..5).map(|i| of(&format!("p{i}"), "100000")).collect();
    assert_eq!(combinations(&overflowing), Err(ParameterError::TooManyCombinations));
    assert_eq!(
        combinations(&[of("a", "2"), of("b", "2"), of("a", "3")]).unwrap_err().to_string(),
        "parameter a is defined twice. Use a different name for each -P and -L."
    );
}

proptest! {
    #[test]
    fn every_value_of_a_scan_is_the_minimum_and_whole_steps(
        from in -10_000_i64..10_000, steps in 0_i64..50, by in 1_i64..500, beyond in 0_i64..500,
        digits in 0_u32..4
    ) {
        let unit = 10_i64.pow(digits);
        let text = |scaled: i64| {
            let sign = if scaled < 0 { "-" } else { "" };
            let (whole, part) = (scaled.abs() / unit, scaled.abs() % unit);
            if digits == 0 {
                format!("{sign}{whole}")
            } else {
                format!("{sign}{whole}.{part:0width$}", width = digits as usize)
            }
        };
        let to = from + steps * by + beyond % by;
        let scan = Parameter::scan("x", &text(from), &text(to), Some(&text(by))).unwrap();
        let expected: Vec<String> = (0..=steps).map(|i| text(from + i * by)).collect();
        prop_assert_eq!(scan.values(), expected);
    }

    #[test]
    fn escaped_values_come_back(values in proptest::collection::vec(r"[a,\\ ä]{0,6}", 1..6)) {
        let escaped: Vec<String> = values
            .iter()
            .map(|value| value.replace('\\', r"\\").replace(',', r"\,"))
            .collect();
        let list = escaped.join(",");
        prop_assume!(!list.is_empty());
        let parameter = Parameter::list("x", &list).unwrap();
        prop_assert_eq!(parameter.values(), values);
    }

    #[test]
    fn nothing_panics(
        name in any::<String>(), min in "[-+.0-9e, ]{0,45}", max in "[-+.0-9]{0,45}",
        step in proptest::option::of("[-+.0-9]{0,45}"), list in any::<String>()
    ) {
        let _ = Parameter::scan("x", &min, &max, step.as_deref());
        let _ = Parameter::scan(&name, "1", "2", None);
        let _ = Parameter::list("x", &list);
    }

    #[test]
    fn combinations_are_all_different(sizes in proptest::collection::vec(1_usize..5, 0..5)) {
        let parameters: Vec<Parameter> = sizes
            .iter()
            .enumerate()
            .map(|(i, size)| Parameter::scan(&format!("p{i}"), "1", &size.to_string(), None).unwrap())
            .collect();
        let mut all = combinations(&parameters).unwrap();
        prop_assert_eq!(all.len(), sizes.iter().product::<usize>());
        all.sort();
        all.dedup();
        prop_assert_eq!(all.len(), sizes.iter().product::<usize>());
    }
}
