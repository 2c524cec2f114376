//! Which executions a property is about.

use super::super::catalogue::Catalogue;
use super::super::error::PropertyError;
use super::super::parser::Declaration;
use super::super::print;
use super::super::resolved::RunRole;
use super::super::text_span::TextSpan;
use super::super::tree::{Node, RunName};
use crate::formula::RunIndex;
use fathom_record::nearest;

type Systems = [(String, Catalogue)];
/// The executions, and the one that names without `@` are of.
type Roles = (Vec<RunRole>, Option<RunIndex>);

pub(super) fn roles(
    text: &str,
    declarations: &[Declaration],
    node: &Node,
    systems: &Systems,
) -> Result<Roles, PropertyError> {
    let mentioned = node.runs();
    if systems.is_empty() {
        let message = "the property has no system";
        return Err(PropertyError::new(text, node.place, message, "add a command or data"));
    }
    if !declarations.is_empty() {
        return declared(text, declarations, &mentioned, systems);
    }
    let is_system = |run: &&RunName| systems.iter().any(|(name, _)| *name == run.name);
    match mentioned.iter().find(|run| !is_system(run)) {
        None if mentioned.is_empty() => unnamed(text, node, systems),
        None => {
            let named = systems.iter().enumerate();
            let named =
                named.filter(|(_, (name, _))| mentioned.iter().any(|run| run.name == *name));
            let roles: Vec<RunRole> =
                named.map(|(system, (name, _))| RunRole { name: name.clone(), system }).collect();
            let is_only = systems.len() == 1;
            Ok((roles, is_only.then_some(0)))
        }
        Some(stranger) if systems.len() == 1 => numbered(text, &mentioned, stranger),
        Some(stranger) => Err(unknown_system(text, stranger, systems)),
    }
}

/// No execution is named.
fn unnamed(text: &str, node: &Node, systems: &Systems) -> Result<Roles, PropertyError> {
    match systems {
        [(name, _)] => Ok((vec![RunRole { name: name.clone(), system: 0 }], Some(0))),
        [(name, _), ..] => {
            let message =
                format!("there are {} systems, but the property does not name one", systems.len());
            let remedy = format!(
                "add @ and the name of a system to each metric, as in `runtime@{}`",
                print::run(name)
            );
            Err(PropertyError::new(text, node.place, message, remedy))
        }
        [] => Ok((Vec::new(), None)),
    }
}

/// `runtime@1`, `runtime@2`: executions of the only system.
fn numbered(
    text: &str,
    mentioned: &[&RunName],
    stranger: &RunName,
) -> Result<Roles, PropertyError> {
    let number = |run: &RunName| {
        let number = run.name.parse::<usize>().ok()?;
        (number > 0 && number.to_string() == run.name).then_some(number)
    };
    let mut numbers = Vec::new();
    for run in mentioned {
        match number(run) {
            Some(number) => numbers.push((number, run.place)),
            None => {
                let all = names_of(mentioned);
                let message = format!("the execution `{}` is not declared", stranger.name);
                let remedy = format!(
                    "number the executions of one system from 1, as in `runtime@1`, or name them \
                     first: `runs {}: ...`",
                    all.join(", ")
                );
                return Err(PropertyError::new(text, stranger.place, message, remedy));
            }
        }
    }
    numbers.sort_by_key(|&(number, _)| number);
    numbers.dedup_by_key(|&mut (number, _)| number);
    for (i, &(number, place)) in numbers.iter().enumerate() {
        if number != i + 1 {
            let message =
                format!("the property uses execution {number}, but not execution {}", i + 1);
            let remedy = "number the executions from 1, without gaps";
            return Err(PropertyError::new(text, place, message, remedy));
        }
    }
    let role = |&(number, _): &(usize, TextSpan)| RunRole { name: number.to_string(), system: 0 };
    let is_one = numbers.len() == 1;
    Ok((numbers.iter().map(role).collect(), is_one.then_some(0)))
}

fn names_of(mentioned: &[&RunName]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for run in mentioned {
        let name = print::run(&run.name);
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// The executions are named first.
fn declared(
    text: &str,
    declarations: &[Declaration],
    mentioned: &[&RunName],
    systems: &Systems,
) -> Result<Roles, PropertyError> {
    let system = |name: &RunName| systems.iter().position(|(system, _)| *system == name.name);
    let mut roles = Vec::new();
    for (place, Declaration { run, from }) in declarations.iter().enumerate() {
        // `a, b from old`: both are of old, unless the first is a system itself.
        let next = || declarations.iter().skip(place).find_map(|later| later.from.as_ref());
        let from = match (from, system(run), systems) {
            (Some(from), ..) => Some(from),
            (None, Some(_), _) | (None, _, [_]) => None,
            _ => next(),
        };
        let system = match from {
            Some(from) => system(from).ok_or_else(|| unknown_system(text, from, systems))?,
            None => match (system(run), systems) {
                (Some(system), _) => system,
                (None, [_]) => 0,
                (None, _) => {
                    let first = systems.first().map_or("base", |(name, _)| name);
                    let name = print::run(&run.name);
                    let message = format!("the execution `{name}` does not name its system");
                    let remedy = format!("write `{name} from {}`", print::run(first));
                    return Err(PropertyError::new(text, run.place, message, remedy));
                }
            },
        };
        roles.push(RunRole { name: run.name.clone(), system });
    }
    let names: Vec<&str> = roles.iter().map(|role| role.name.as_str()).collect();
    if let Some(stranger) = mentioned.iter().find(|run| !names.contains(&run.name.as_str())) {
        let message = format!("there is no execution `{}`", stranger.name);
        let remedy = format!("the property declares {}", names.join(", "));
        return Err(PropertyError::new(text, stranger.place, message, remedy));
    }
    let is_one = roles.len() == 1;
    let is_idle = |run: &RunName| !is_one && !mentioned.iter().any(|other| other.name == run.name);
    if let Some(idle) = declarations.iter().find(|declaration| is_idle(&declaration.run)) {
        let name = print::run(&idle.run.name);
        let message = format!("the execution `{name}` is declared but not used");
        let remedy = format!("use it, as in `runtime@{name}`, or remove it");
        return Err(PropertyError::new(text, idle.run.place, message, remedy));
    }
    Ok((roles, is_one.then_some(0)))
}

fn unknown_system(text: &str, run: &RunName, systems: &Systems) -> PropertyError {
    let names: Vec<&str> = systems.iter().map(|(name, _)| name.as_str()).collect();
    let near = match nearest(&run.name, &names).first() {
        Some(near) => format!("did you mean `{near}`? "),
        None => String::new(),
    };
    let message = format!("there is no system `{}`", run.name);
    let named: Vec<String> = names.iter().map(|name| format!("`{}`", print::run(name))).collect();
    let named = named.join(", ");
    let remedy = match (near.is_empty(), names.as_slice()) {
        (_, [""]) => "the only system has no name. Leave out `from`".to_string(),
        (true, [_]) => format!("the only system is {named}"),
        (false, [_]) => format!("{near}The only system is {named}"),
        (false, _) => format!("{near}The systems are {named}"),
        (true, _) => format!("the systems are {named}"),
    };
    PropertyError::new(text, run.place, message, remedy)
}
