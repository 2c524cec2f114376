//! What the study is asked for.

use super::tools::Tool;
use std::path::PathBuf;

/// Trials of one function against itself, for each tool, size and condition.
const TRIALS: usize = 30;

/// The options of `performance functions`.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Where the programs are that `scripts/peers-inprocess` builds.
    pub(super) peers: PathBuf,
    pub(super) what: What,
    /// Whether the page stays as it is.
    pub rehearse: bool,
}

/// A new study, or the rest of one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    New { trials: usize, tools: Vec<Tool> },
    Rest(PathBuf),
}

impl Options {
    /// Of the words of a command line.
    pub fn read(words: &[&str]) -> Result<Options, String> {
        let (mut peers, mut trials, mut tools, mut file) = (None, None, None, None);
        let mut rehearse = false;
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if word == "--rehearse" {
                rehearse = true;
                continue;
            }
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word {
                "--peers" => peers = Some(PathBuf::from(value()?)),
                "--trials" => trials = Some(count(value()?)?),
                "--tools" => tools = Some(named(value()?)?),
                "--resume" => file = Some(PathBuf::from(value()?)),
                _ => {
                    return Err(format!(
                        "there is no option {word:?}; see scripts/peers-inprocess --help"
                    ));
                }
            }
        }
        let peers = peers.ok_or("--peers is missing: scripts/peers-inprocess gives it")?;
        let what = match file {
            Some(_) if trials.is_some() || tools.is_some() => {
                return Err(
                    "--resume takes trials and tools from its file: leave them out".to_string()
                );
            }
            Some(file) => What::Rest(file),
            None => What::New {
                trials: trials.unwrap_or(TRIALS),
                tools: tools.unwrap_or_else(|| Tool::ALL.to_vec()),
            },
        };
        Ok(Options { peers, what, rehearse })
    }
}

fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|&count| (1..=10_000).contains(&count));
    count.ok_or_else(|| format!("--trials {text:?}: a number from 1 to 10000"))
}

/// In the order of the tables, each once.
fn named(text: &str) -> Result<Vec<Tool>, String> {
    let named: Vec<Tool> = text.split(',').map(Tool::named).collect::<Result<_, _>>()?;
    Ok(Tool::ALL.into_iter().filter(|tool| named.contains(tool)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_is_new_or_the_rest_of_one() {
        let options = Options::read(&["--peers", "a"]).unwrap();
        assert_eq!(options.what, What::New { trials: TRIALS, tools: Tool::ALL.to_vec() });
        assert!(!options.rehearse);
        let words =
            ["--tools", "divan,fathom-bench", "--rehearse", "--trials", "3", "--peers", "a"];
        let options = Options::read(&words).unwrap();
        assert_eq!(options.what, What::New { trials: 3, tools: vec![Tool::Fathom, Tool::Divan] });
        assert!(options.rehearse);
        let options = Options::read(&["--peers", "a", "--resume", "b"]).unwrap();
        assert_eq!(options.what, What::Rest(PathBuf::from("b")));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error =
            |words: &[&str]| Options::read(&[&["--peers", "a"], words].concat()).unwrap_err();
        assert!(error(&["--tools", "divan,none"]).contains("\"none\""));
        assert!(error(&["--trials", "0"]).contains("\"0\""));
        assert!(error(&["--trials"]).contains("--trials"));
        assert!(error(&["--trails", "3"]).contains("--trails"));
        assert!(error(&["--resume", "b", "--trials", "3"]).contains("--resume"));
        assert!(Options::read(&[]).unwrap_err().contains("--peers"));
    }
}
