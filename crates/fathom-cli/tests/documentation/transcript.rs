//! A block of commands as a list of steps: a command, and the output that the page shows for it.

use fathom_testkit::markdown::pages::CodeBlock;

/// Languages of blocks with commands. Others would escape the test.
const OTHER_SHELLS: &[&str] = &["bash", "shell", "shell-session", "zsh", "terminal"];

/// One command and its output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// One command, which may span several lines, or the script of an `sh` block.
    pub(crate) command: String,
    /// The output that the page shows. A line `...` stands for any lines.
    pub(crate) shown: Vec<String>,
}

/// The steps of a block; none if it holds no commands.
pub(crate) fn steps(block: &CodeBlock) -> Result<Vec<Step>, String> {
    match block.language.as_str() {
        "console" => of_console(&block.lines),
        "sh" => {
            Ok(vec![Step { command: format!("set -e\n{}", block.lines.join("\n")), shown: vec![] }])
        }
        other if OTHER_SHELLS.contains(&other) => {
            Err(format!("a block of {other}: use `console` for commands with output, `sh` without"))
        }
        _ => Ok(Vec::new()),
    }
}

/// Commands begin with `$ ` and continue while lines end with a backslash.
fn of_console(lines: &[String]) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    let mut continues = false;
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_string(), shown: Vec::new() });
        } else if let Some(step) = steps.last_mut() {
            if continues {
                step.command = format!("{}\n{line}", step.command);
            } else {
                step.shown.push(line.clone());
                continue;
            }
        } else {
            return Err("a console block begins with a command: `$ fathom ...`".to_string());
        }
        continues = line.ends_with('\\');
    }
    if steps.is_empty() { Err("an empty console block".to_string()) } else { Ok(steps) }
}

#[test]
fn a_block_is_split_into_steps() {
    let block = |language: &str, text: &str| CodeBlock {
        line: 1,
        language: language.to_string(),
        comments: Vec::new(),
        lines: text.lines().map(String::from).collect(),
    };
    let step = |command: &str, shown: &[&str]| Step {
        command: command.to_string(),
        shown: shown.iter().map(ToString::to_string).collect(),
    };
    assert_eq!(
        steps(&block("console", "$ a \\\n    b\nc\\\n$ d\n")).unwrap(),
        [step("a \\\n    b", &["c\\"]), step("d", &[])]
    );
    assert_eq!(steps(&block("sh", "a\nb")).unwrap(), [step("set -e\na\nb", &[])]);
    assert_eq!(steps(&block("json", "{}")).unwrap(), []);
    assert!(steps(&block("bash", "a")).is_err());
    assert!(steps(&block("console", "a")).is_err());
    assert!(steps(&block("console", "")).is_err());
}
