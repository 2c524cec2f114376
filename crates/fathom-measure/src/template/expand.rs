//! Commands times combinations of parameters, each with a name of its own.

use super::Template;
use crate::parameter::{Assignment, MOST_COMBINATIONS, Parameter, ParameterError, combinations};
use std::collections::{HashMap, HashSet};

/// A command with a value for every parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// Which command, from 0.
    pub command: usize,
    /// The values.
    pub assignment: Assignment,
    /// The command with the values in it, to be shown.
    pub line: String,
    /// What it is called; no two are called the same.
    pub name: String,
}

/// Why commands, names and parameters do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpandError {
    /// The parameters themselves.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// More names than commands.
    #[error(
        "there are {names} names (-n) but {}. Use at most one name per command.",
        counted(*commands)
    )]
    TooManyNames {
        /// How many names.
        names: usize,
        /// How many commands.
        commands: usize,
    },
    /// It is not clear which name is whose.
    #[error(
        "there are {names} names (-n) for {} with {combinations} combinations of parameters. Use \
         one name for all, one per command, or {total} names; {{VAR}} in a name is replaced.",
        counted(*commands)
    )]
    NameCount {
        /// How many names.
        names: usize,
        /// How many commands.
        commands: usize,
        /// How many combinations of the parameters.
        combinations: usize,
        /// How many subjects there are.
        total: usize,
    },
    /// A name without a letter.
    #[error("name (-n) number {number} is empty")]
    EmptyName {
        /// Which, from 1.
        number: usize,
    },
}

fn counted(commands: usize) -> String {
    format!("{commands} command{}", if commands == 1 { "" } else { "s" })
}

/// Every command with every combination of the parameters' values. As in hyperfine the command
/// varies fastest, then the first parameter: `-L x 1,2 'a {x}' 'b {x}'` gives a 1, b 1, a 2, b 2.
///
/// Names go to commands in order, and a command without one is called by its line. With parameters
/// there may be one name for all, one per command, or one for each subject in the order of the
/// result. Where two would be called the same, the values that the name does not show are added,
/// "make (x = 1)", and where that does not help a number, "make #2".
///
/// # Errors
/// Bad parameters, too many subjects, names that do not go with the commands.
pub fn expand<T: AsRef<str>>(
    commands: &[T],
    names: &[T],
    parameters: &[Parameter],
) -> Result<Vec<Expanded>, ExpandError> {
    let combinations = combinations(parameters)?;
    let total = combinations
        .len()
        .checked_mul(commands.len())
        .filter(|&total| total <= MOST_COMBINATIONS)
        .ok_or(ParameterError::TooManyCombinations)?;
    check_names(names, commands.len(), combinations.len(), !parameters.is_empty())?;

    let mut expanded = Vec::with_capacity(total);
    let mut templates = Vec::with_capacity(total);
    for assignment in combinations {
        for (command, text) in commands.iter().enumerate() {
            let text = Template::new(text.as_ref());
            let number = match names.len() {
                all if all == total => expanded.len(),
                1 if !parameters.is_empty() => 0,
                _ => command,
            };
            let template = names.get(number).map(|name| Template::new(name.as_ref()));
            let template = template.unwrap_or_else(|| text.clone());
            let (line, name) = (text.fill(&assignment), template.fill(&assignment));
            expanded.push(Expanded { command, assignment: assignment.clone(), line, name });
            templates.push(template);
        }
    }
    make_distinct(&mut expanded, &templates);
    Ok(expanded)
}

fn check_names<T: AsRef<str>>(
    names: &[T],
    commands: usize,
    combinations: usize,
    has_parameters: bool,
) -> Result<(), ExpandError> {
    let total = commands.saturating_mul(combinations);
    let count = names.len();
    if let Some(empty) = names.iter().position(|name| name.as_ref().trim().is_empty()) {
        return Err(ExpandError::EmptyName { number: empty + 1 });
    }
    if has_parameters && ![0, 1, commands, total].contains(&count) {
        return Err(ExpandError::NameCount { names: count, commands, combinations, total });
    }
    if !has_parameters && count > commands {
        return Err(ExpandError::TooManyNames { names: count, commands });
    }
    Ok(())
}

/// Adds to names what tells them apart.
fn make_distinct(expanded: &mut [Expanded], templates: &[Template]) {
    let repeated = repeated_names(expanded);
    for (subject, template) in expanded.iter_mut().zip(templates) {
        if !repeated.contains(&subject.name) {
            continue;
        }
        let hidden: Vec<String> = subject
            .assignment
            .iter()
            .filter(|(name, _)| !template.mentions(name))
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if !hidden.is_empty() {
            subject.name = format!("{} ({})", subject.name, hidden.join(", "));
        }
    }
    // The number goes up from where it was, or many equal names would take quadratic time.
    let repeated = repeated_names(expanded);
    let mut taken: HashSet<String> = expanded.iter().map(|subject| subject.name.clone()).collect();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for subject in expanded.iter_mut().filter(|subject| repeated.contains(&subject.name)) {
        let Some(number) = numbers.get_mut(&subject.name) else {
            numbers.insert(subject.name.clone(), 1);
            continue;
        };
        subject.name = loop {
            *number += 1;
            let name = format!("{} #{number}", subject.name);
            if taken.insert(name.clone()) {
                break name;
            }
        };
    }
}

fn repeated_names(expanded: &[Expanded]) -> HashSet<String> {
    let mut seen = HashSet::new();
    let names = expanded.iter().map(|subject| subject.name.as_str());
    names.filter(|&name| !seen.insert(name)).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parameters(lists: &[(&str, &str)]) -> Vec<Parameter> {
        lists.iter().map(|(name, list)| Parameter::list(name, list).unwrap()).collect()
    }

    fn names(commands: &[&str], names: &[&str], lists: &[(&str, &str)]) -> Vec<String> {
        let expanded = expand(commands, names, &parameters(lists)).unwrap();
        expanded.into_iter().map(|subject| subject.name).collect()
    }

    #[test]
    fn the_command_varies_fastest() {
        let expanded =
            expand(&["a {x} {y}", "b {x}"], &[], &parameters(&[("x", "1,2"), ("y", "u,v")]));
        let lines: Vec<(usize, String)> =
            expanded.unwrap().into_iter().map(|subject| (subject.command, subject.line)).collect();
        let expected = [
            (0, "a 1 u"),
            (1, "b 1"),
            (0, "a 2 u"),
            (1, "b 2"),
            (0, "a 1 v"),
            (1, "b 1"),
            (0, "a 2 v"),
            (1, "b 2"),
        ];
        assert_eq!(lines, expected.map(|(command, line)| (command, line.to_string())));
    }

    #[test]
    fn names_go_to_commands_in_order() {
        assert_eq!(names(&["a", "b"], &[], &[]), ["a", "b"]);
        assert_eq!(names(&["a", "b"], &["one"], &[]), ["one", "b"]);
        let x = [("x", "1,2")];
        assert_eq!(names(&["a {x}"], &["n{x}"], &x), ["n1", "n2"]);
        assert_eq!(names(&["a {x}", "b {x}"], &["A{x}", "B"], &x), {
            ["A1", "B (x = 1)", "A2", "B (x = 2)"]
        });
        assert_eq!(names(&["a {x}", "b"], &["p", "q", "r", "s"], &x), ["p", "q", "r", "s"]);
        assert_eq!(names(&["a {x}", "b {x}"], &["n{x}"], &x), ["n1", "n1 #2", "n2", "n2 #2"]);
    }

    #[test]
    fn equal_names_are_told_apart() {
        let x = [("x", "1,2")];
        assert_eq!(names(&["sleep 0.1"], &[], &x), ["sleep 0.1 (x = 1)", "sleep 0.1 (x = 2)"]);
        assert_eq!(names(&["a", "b {x}"], &[], &x), ["a (x = 1)", "b 1", "a (x = 2)", "b 2"]);
        assert_eq!(names(&["a {y}"], &[], &[("x", "1,2"), ("y", "u")]), {
            ["a u (x = 1)", "a u (x = 2)"]
        });
        assert_eq!(names(&["a", "a", "a #2", "a"], &[], &[]), ["a", "a #3", "a #2", "a #4"]);
        assert_eq!(names(&["a {x}"], &[], &[("x", "1,1")]), ["a 1", "a 1 #2"]);
    }

    #[test]
    fn names_that_do_not_fit_are_errors() {
        let error = |commands: &[&str], names: &[&str], lists: &[(&str, &str)]| {
            expand(commands, names, &parameters(lists)).unwrap_err().to_string()
        };
        assert_eq!(
            error(&["a"], &["x", "y"], &[]),
            "there are 2 names (-n) but 1 command. Use at most one name per command."
        );
        assert_eq!(
            error(&["a", "b"], &["x", "y", "z"], &[("v", "1,2,3")]),
            "there are 3 names (-n) for 2 commands with 3 combinations of parameters. Use one \
             name for all, one per command, or 6 names; {VAR} in a name is replaced."
        );
        assert_eq!(error(&["a", "b"], &["x", " "], &[]), "name (-n) number 2 is empty");
        assert!(error(&["a"], &[], &[("v", "1"), ("v", "2")]).contains("defined twice"));
        let many = vec!["a"; 51];
        let lists = [Parameter::scan("x", "1", "2000", None).unwrap()];
        assert_eq!(
            expand(&many, &[], &lists),
            Err(ExpandError::Parameter(ParameterError::TooManyCombinations))
        );
    }

    proptest! {
        #[test]
        fn no_two_names_are_equal(
            commands in proptest::collection::vec("[ab]( #[23])?( \\{x\\})?( \\(x = 1\\))?", 1..8),
            list in "[12](,[12]){0,3}"
        ) {
            let lists = parameters(&[("x", &list)]);
            let expanded = expand(&commands, &[], &lists).unwrap();
            let distinct: HashSet<&str> =
                expanded.iter().map(|subject| subject.name.as_str()).collect();
            prop_assert_eq!(distinct.len(), expanded.len(), "{:?}", expanded);
        }
    }
}
