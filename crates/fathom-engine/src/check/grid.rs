//! The cells of a study: every combination of the parameters' values.

use crate::EngineError;
use crate::measuring::subjects::parameters;
use fathom_measure::{Assignment, Parameter, combinations};
use fathom_property::StudyAxis;
use fathom_request::{GridOptions, SubjectOptions};

/// More cells than this are a slip: each is asked every question, and all share one error.
const MOST_CELLS: usize = 1000;

/// What an execution itself is given, by these names.
const OF_EXECUTIONS: [&str; 4] = ["seed", "run", "dir", "metric"];

/// Parameters and their combinations.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) parameters: Vec<Parameter>,
    pub(super) cells: Vec<GridCell>,
    pub(super) baseline: Option<GridBaseline>,
}

/// One combination.
#[derive(Debug, Clone)]
pub(super) struct GridCell {
    /// What it is called: `benchmark=ferret l2=1MB`.
    pub(super) name: String,
    /// The place of its value on each axis.
    pub(super) values: Vec<usize>,
    pub(super) assignment: Assignment,
}

/// The value of a parameter that the others are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) struct GridBaseline {
    pub(super) axis: usize,
    pub(super) value: usize,
}

impl Grid {
    /// The grid of these options; `None` without parameters.
    pub(super) fn of(options: &GridOptions) -> Result<Option<Grid>, EngineError> {
        if options.is_empty() {
            let needs = [
                ("--baseline", options.baseline.is_some()),
                ("--parameter-step-size", !options.steps.is_empty()),
            ];
            return match needs.into_iter().find(|(_, is_given)| *is_given) {
                Some((option, _)) => Err(EngineError::usage(format!(
                    "{option} needs parameters of the command: -L VAR A,B or -P VAR MIN MAX"
                ))),
                None => Ok(None),
            };
        }
        let GridOptions { scans, steps, lists, baseline } = options.clone();
        let subjects = SubjectOptions { scans, steps, lists, ..SubjectOptions::default() };
        let mut parameters = parameters(&subjects)?;
        for parameter in &parameters {
            check(parameter)?;
        }
        // The last parameter changes first, as the digits of a number do.
        parameters.reverse();
        let mut all = combinations(&parameters)?;
        parameters.reverse();
        all.iter_mut().for_each(|assignment| assignment.reverse());
        if all.len() > MOST_CELLS {
            return Err(EngineError::usage(format!(
                "the parameters have {} combinations, more than {MOST_CELLS}. Use fewer values or \
                 fewer parameters",
                all.len()
            )));
        }
        let cells = all.into_iter().map(|assignment| GridCell::of(&parameters, assignment));
        let cells: Vec<GridCell> = cells.collect();
        let baseline = baseline.map(|text| GridBaseline::of(&text, &parameters)).transpose()?;
        Ok(Some(Grid { parameters, cells, baseline }))
    }

    /// The axes, as reports have them.
    pub(super) fn axes(&self) -> Vec<StudyAxis> {
        let axis = |parameter: &Parameter| StudyAxis {
            name: parameter.name().to_string(),
            values: parameter.values().to_vec(),
        };
        self.parameters.iter().map(axis).collect()
    }
}

impl GridCell {
    fn of(parameters: &[Parameter], assignment: Assignment) -> GridCell {
        let place = |(parameter, (_, value)): (&Parameter, &(String, String))| {
            parameter.values().iter().position(|other| other == value).unwrap_or(0)
        };
        let named = |(name, value): &(String, String)| format!("{name}={value}");
        let names: Vec<String> = assignment.iter().map(named).collect();
        GridCell {
            name: names.join(" "),
            values: parameters.iter().zip(&assignment).map(place).collect(),
            assignment,
        }
    }
}

impl GridBaseline {
    fn of(text: &str, parameters: &[Parameter]) -> Result<GridBaseline, EngineError> {
        let names: Vec<&str> = parameters.iter().map(Parameter::name).collect();
        let Some((name, value)) = text.split_once('=') else {
            return Err(EngineError::usage(format!(
                "--baseline {text}: write VAR=VALUE, such as {}={}",
                names.first().copied().unwrap_or("VAR"),
                parameters.first().and_then(|first| first.values().first()).map_or("", |v| v)
            )));
        };
        let Some(axis) = names.iter().position(|other| *other == name) else {
            return Err(EngineError::usage(format!(
                "--baseline {text}: there is no parameter {name}. The parameters are {}",
                names.join(", ")
            )));
        };
        let values = parameters.get(axis).map(Parameter::values).unwrap_or_default();
        let Some(place) = values.iter().position(|other| other == value) else {
            return Err(EngineError::usage(format!(
                "--baseline {text}: {name} does not take that value. Its values are {}",
                values.join(", ")
            )));
        };
        if values.len() < 2 {
            return Err(EngineError::usage(format!(
                "--baseline {text}: {name} has no other value to compare with it"
            )));
        }
        Ok(GridBaseline { axis, value: place })
    }
}

fn check(parameter: &Parameter) -> Result<(), EngineError> {
    let name = parameter.name();
    if OF_EXECUTIONS.contains(&name) {
        return Err(EngineError::usage(format!(
            "parameter {name}: {{{name}}} already has a meaning in commands of `check`. Give the \
             parameter another name"
        )));
    }
    let values = parameter.values();
    let twice = values.iter().enumerate().find(|(place, value)| values[..*place].contains(value));
    match twice {
        Some((_, value)) => Err(EngineError::usage(format!(
            "parameter {name} has the value {value} twice. Name each value once"
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_request::ParameterList;

    fn options(lists: &[(&str, &str)], baseline: Option<&str>) -> GridOptions {
        let list = |&(name, values): &(&str, &str)| ParameterList {
            name: name.to_string(),
            values: values.to_string(),
        };
        GridOptions {
            lists: lists.iter().map(list).collect(),
            baseline: baseline.map(str::to_string),
            ..GridOptions::default()
        }
    }

    #[test]
    fn the_last_parameter_changes_first() {
        let grid = Grid::of(&options(&[("b", "x,y"), ("l2", "1,2,4")], Some("l2=2")));
        let grid = grid.unwrap().unwrap();
        let names: Vec<&str> = grid.cells.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names[..4], ["b=x l2=1", "b=x l2=2", "b=x l2=4", "b=y l2=1"]);
        assert_eq!(grid.cells[5].values, [1, 2]);
        let baseline = grid.baseline.unwrap();
        assert_eq!((baseline.axis, baseline.value), (1, 1));
    }

    #[test]
    fn what_makes_no_grid_is_refused() {
        for (lists, baseline, why) in [
            (vec![("seed", "1,2")], None, "parameter seed: {seed} already has a meaning"),
            (vec![("a", "1,2,1")], None, "parameter a has the value 1 twice"),
            (vec![("a", "1,2")], Some("b=1"), "--baseline b=1: there is no parameter b. The para"),
            (vec![("a", "1,2")], Some("a=3"), "--baseline a=3: a does not take that value. Its"),
            (vec![("a", "1,2")], Some("1"), "--baseline 1: write VAR=VALUE, such as a=1"),
            (vec![("a", "1")], Some("a=1"), "--baseline a=1: a has no other value"),
            (vec![], Some("a=1"), "--baseline needs parameters of the command"),
            (vec![("a", "1"), ("a", "2")], None, "parameter a is defined twice"),
        ] {
            let refused = Grid::of(&options(&lists, baseline)).unwrap_err().to_string();
            assert!(refused.starts_with(why), "{refused}");
        }
        assert!(Grid::of(&GridOptions::default()).unwrap().is_none());
    }
}
