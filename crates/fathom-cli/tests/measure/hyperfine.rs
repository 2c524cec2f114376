//! What hyperfine's users type, and its JSON.

use super::harness::*;
use super::values;
use serde_json::Value;

/// Parameters may have values that look like options.
#[test]
fn values_of_a_list_may_begin_with_a_hyphen() {
    let found = json(&[
        "run",
        "--no-save",
        "-r",
        "2",
        "-L",
        "how",
        "-a,--b,c",
        "-L",
        "n",
        "-1,2",
        "echo {how} {n}",
    ]);
    let names: Vec<&str> = found["subjects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    let expected =
        ["echo -a -1", "echo --b -1", "echo c -1", "echo -a 2", "echo --b 2", "echo c 2"];
    assert_eq!(names, expected);
}

/// The names and kinds of the fields of hyperfine's JSON.
fn fields(result: &Value) -> Vec<(String, &'static str)> {
    let kind = |value: &Value| match value {
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "integer",
        Value::String(_) => "text",
        Value::Array(all) if all.iter().all(Value::is_f64) => "floats",
        Value::Array(all) if all.iter().all(Value::is_i64) => "integers",
        Value::Object(all) if all.values().all(Value::is_string) => "texts",
        _ => "another",
    };
    let mut fields: Vec<_> = result
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.clone(), kind(value)))
        .collect();
    fields.sort();
    fields
}

/// What hyperfine writes has the same fields, and the importer reads the same numbers.
#[test]
fn hyperfines_json_is_written_as_hyperfine_writes_it() {
    let folder = scratch("hyperfine-json");
    let file = folder.join("out.json");
    let file = file.to_str().unwrap();
    let real = top().join("testdata/formats/hyperfine");
    let read = |path: &std::path::Path| -> Value {
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let sessions = folder.join("sessions");
    let words = ["run", "-r", "3", "-L", "seconds", "0.001,0.003", "sleep {seconds}"];
    let words = [&words[..], &["--export-hyperfine-json", file, "--include-values"]].concat();
    let measured =
        document(&run(&in_folder(&sessions, &[&words[..], &["--format", "json"]].concat())));
    let written = read(file.as_ref());
    let original = read(&real.join("v1-parameters.json"));
    for (place, result) in written["results"].as_array().unwrap().iter().enumerate() {
        assert_eq!(fields(result), fields(&original["results"][place]), "{result}");
        assert_eq!(result["command"], original["results"][place]["command"]);
        assert_eq!(result["parameters"], original["results"][place]["parameters"]);
        assert_eq!(result["times"], measured["subjects"][place]["values"]);
        assert_eq!(result["exit_codes"], serde_json::json!([0, 0, 0]));
    }
    let again = json(&["analyze", file, "--include-values"]);
    for place in 0..2 {
        assert_eq!(values(&again, place), values(&measured, place));
    }
    // A saved session has the same.
    let shown = folder.join("shown.json");
    let shown = shown.to_str().unwrap();
    run(&in_folder(&sessions, &["show", "-q", "--export-hyperfine-json", shown]));
    assert_eq!(read(shown.as_ref()), written);

    // Names, failures, another metric, standard output.
    let words = [
        "compare",
        "--no-save",
        "-i",
        "-r",
        "2",
        "-n",
        "good",
        "-n",
        "bad",
        "--on",
        "peak-memory",
        "--style",
        "none",
        "--export-hyperfine-json",
        "-",
        "-S",
        "sh",
        "true",
        "exit 3",
    ];
    let written: Value = serde_json::from_str(&stdout(&words)).unwrap();
    let original = read(&real.join("v1-two-commands.json"));
    for (place, name, code) in [(0, "good", 0), (1, "bad", 3)] {
        let result = &written["results"][place];
        assert_eq!(fields(result), fields(&original["results"][place]), "{result}");
        assert_eq!(
            (&result["command"], &result["exit_codes"]),
            (&name.into(), &serde_json::json!([code, code]))
        );
    }
    // Nothing is written where no command ran.
    let (code, text) = errors(&["show", "testdata/traces/shop", "--export-hyperfine-json", "-"]);
    assert!(code == Some(2) && text.contains("runs of commands"), "{text}");
}

/// Commands without a subcommand are timed, or compared.
#[test]
fn commands_need_no_subcommand() {
    let options = ["--no-save", "-r", "2", "--format", "json"];
    let found = document(&run(&[&options[..], &["sh -c :"]].concat()));
    assert!(found["comparisons"].is_null() && found["subjects"][0]["n"] == 2, "{found}");
    let found = document(&run(&[&["sh -c :", "true"], &options[..]].concat()));
    assert_eq!(found["comparisons"][0]["pairs"], 2);
    let (code, text) = errors(&["true"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("fathom run true"), "{text}");
    // A session of such a command can be shown.
    let folder = scratch("implied");
    let dir = folder.to_str().unwrap();
    assert!(run(&["-q", "-r", "2", "--session-dir", dir, "sh -c :"]).status.success());
    assert_eq!(
        document(&run(&["show", "--session-dir", dir, "--format", "json"]))["subjects"][0]["n"],
        2
    );
}
