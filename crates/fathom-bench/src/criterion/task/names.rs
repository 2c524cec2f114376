//! The names of all functions of this program, before the first of them is reached.

use crate::criterion::words::NAMES;
use crate::executions::own_program;
use crate::selection::BenchFilters;
use serde_json::Value;
use std::process::{Command, Stdio};

/// Asks another process of this program: the functions of a bench are known only when it has come to
/// the last of them.
pub(super) fn of_this_program(selection: &BenchFilters) -> Result<Vec<String>, String> {
    let problem = |why: String| format!("cannot list the functions of this bench: {why}");
    let program = own_program().map_err(problem)?;
    let output = Command::new(program)
        .arg(NAMES)
        .args(selection.word_for_workers())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| problem(error.to_string()))?;
    if !output.status.success() {
        return Err(problem(format!("its process ended with {}", output.status)));
    }
    read(&String::from_utf8_lossy(&output.stdout)).map_err(problem)
}

fn read(lines: &str) -> Result<Vec<String>, String> {
    let name = |line: &str| match serde_json::from_str(line) {
        Ok(Value::String(name)) => Ok(name),
        _ => Err(format!("it wrote {line:?}")),
    };
    lines.lines().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_kind_are_read_back() {
        assert_eq!(read("\"a/b\"\n\"odd \\\"name\\\"\\n\"\n").unwrap(), ["a/b", "odd \"name\"\n"]);
        assert_eq!(read("").unwrap(), [""; 0]);
        assert_eq!(read("a").unwrap_err(), "it wrote \"a\"");
    }
}
