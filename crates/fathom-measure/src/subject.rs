//! A subject: a command with what belongs to it.

/// A command to measure, its name, and what runs around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSubject {
    /// What reports call it.
    pub name: String,
    /// What runs.
    pub command: CommandLine,
    /// Its parameters' values, for the record.
    pub parameters: Vec<(String, String)>,
    /// What runs around it.
    pub hooks: Hooks,
}

/// How a command is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandLine {
    /// Directly: the program and its arguments.
    Direct(Vec<String>),
    /// By a shell: the shell with its options, and the text it is given with `-c`.
    Shell {
        /// The shell and its options.
        shell: Vec<String>,
        /// What it runs.
        text: String,
    },
}

impl CommandLine {
    /// The words to execute.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        match self {
            CommandLine::Direct(words) => words.clone(),
            CommandLine::Shell { shell, text } => {
                let mut words = shell.clone();
                words.extend(["-c".to_string(), text.clone()]);
                words
            }
        }
    }
}

/// Commands that a shell runs around a subject's runs, outside the timing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hooks {
    /// Once before its first run.
    pub setup: Option<String>,
    /// Before every run.
    pub prepare: Option<String>,
    /// After every run.
    pub conclude: Option<String>,
    /// Once after its last run.
    pub cleanup: Option<String>,
}
