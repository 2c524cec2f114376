//! The user's settings for jobs: partition, time limit, memory, account, any other option of
//! sbatch.

use fathom_record::foreign_text::escaped;
use std::fmt;
use std::str::FromStr;

/// The user's settings for jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlurmOptions {
    /// Where jobs run; the cluster's default if it is not given.
    pub partition: Option<SlurmName>,
    /// How long a task may take; the partition's default if it is not given.
    pub time: Option<TimeLimit>,
    /// The memory of a task; the cluster's default if it is not given.
    pub memory: Option<MemorySize>,
    /// The account to charge.
    pub account: Option<SlurmName>,
    /// Any other options of sbatch. They come last, so that they win.
    pub extra: Vec<SbatchOption>,
    /// How many tasks may be under way at once; at least 1.
    pub width: usize,
}

impl Default for SlurmOptions {
    fn default() -> SlurmOptions {
        SlurmOptions {
            partition: None,
            time: None,
            memory: None,
            account: None,
            extra: Vec::new(),
            width: 64,
        }
    }
}

impl SlurmOptions {
    /// Them as arguments of sbatch.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        let mut add = |name: &str, value: Option<&str>| {
            arguments.extend(value.map(|value| format!("--{name}={value}")));
        };
        add("partition", self.partition.as_ref().map(|name| name.0.as_str()));
        add("time", self.time.as_ref().map(|time| time.0.as_str()));
        add("mem", self.memory.as_ref().map(|memory| memory.0.as_str()));
        add("account", self.account.as_ref().map(|name| name.0.as_str()));
        arguments.extend(self.extra.iter().map(|option| option.0.clone()));
        arguments
    }
}

/// Why Slurm does not accept a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SlurmOptionError {
    /// Not a time limit.
    #[error(
        "\"{}\" is not a Slurm time limit. Use minutes (10), minutes:seconds, \
         hours:minutes:seconds (1:30:00), days-hours (2-0) or days-hours:minutes:seconds.",
        escaped(.0)
    )]
    Time(String),
    /// Not a memory size.
    #[error(
        "\"{}\" is not a Slurm memory size. Use a whole number and K, M, G or T, as in 4G.",
        escaped(.0)
    )]
    Memory(String),
    /// Not a name.
    #[error("\"{}\" is not a name that Slurm accepts. Remove spaces and commas.", escaped(.0))]
    Name(String),
    /// Not an option.
    #[error(
        "\"{}\" is not an sbatch option. Write it as one word, as in --constraint=fast.",
        escaped(.0)
    )]
    NotAnOption(String),
    /// One that Fathom needs.
    #[error("cannot use {}: {why}", escaped(option))]
    Ours {
        /// The option.
        option: String,
        /// Why not.
        why: &'static str,
    },
}

/// A partition or an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlurmName(String);

impl FromStr for SlurmName {
    type Err = SlurmOptionError;

    fn from_str(text: &str) -> Result<SlurmName, SlurmOptionError> {
        let is_bad = |c: char| c.is_whitespace() || c.is_control();
        if text.is_empty() || text.contains(is_bad) {
            return Err(SlurmOptionError::Name(text.to_string()));
        }
        Ok(SlurmName(text.to_string()))
    }
}

/// A time limit as Slurm writes it: `10` minutes, `1:30:00`, `2-0`; `0` for none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeLimit(String);

impl FromStr for TimeLimit {
    type Err = SlurmOptionError;

    fn from_str(text: &str) -> Result<TimeLimit, SlurmOptionError> {
        let wrong = || SlurmOptionError::Time(text.to_string());
        let (days, clock) = match text.split_once('-') {
            Some((days, clock)) => (Some(days), clock),
            None => (None, text),
        };
        let fields: Vec<&str> = clock.split(':').collect();
        if fields.len() > 3 {
            return Err(wrong());
        }
        for field in days.into_iter().chain(fields) {
            // Slurm counts in 32 bits; more digits than that would wrap.
            if field.is_empty() || field.len() > 6 || !field.bytes().all(|b| b.is_ascii_digit()) {
                return Err(wrong());
            }
        }
        Ok(TimeLimit(text.to_string()))
    }
}

/// An amount of memory as Slurm writes it: `4G`, `500M`; without a letter megabytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemorySize(String);

impl FromStr for MemorySize {
    type Err = SlurmOptionError;

    fn from_str(text: &str) -> Result<MemorySize, SlurmOptionError> {
        let digits = text.strip_suffix(['K', 'M', 'G', 'T', 'k', 'm', 'g', 't']).unwrap_or(text);
        let is_number =
            !digits.is_empty() && digits.len() <= 12 && digits.bytes().all(|b| b.is_ascii_digit());
        // To Slurm 0 means all of a node's memory; use --slurm-option for that.
        if !is_number || digits.bytes().all(|b| b == b'0') {
            return Err(SlurmOptionError::Memory(text.to_string()));
        }
        Ok(MemorySize(text.to_string()))
    }
}

/// An option passed to sbatch unchanged: `--constraint=fast`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SbatchOption(String);

/// Long options of sbatch that would break what Fathom does with jobs, their letters, and why.
const OURS: &[(&str, Option<char>, &str)] = &[
    ("array", Some('a'), "Fathom numbers the tasks itself"),
    ("output", Some('o'), "Fathom reads errors from there"),
    ("error", Some('e'), "Fathom reads errors from there"),
    ("input", Some('i'), "executions have no input"),
    ("job-name", Some('J'), "Fathom finds its jobs by name"),
    ("chdir", Some('D'), "executions run in the folder where Fathom was started"),
    ("clusters", Some('M'), "set SLURM_CLUSTERS for Fathom instead, which squeue uses too"),
    ("wait", Some('W'), "Fathom waits for the jobs itself"),
    ("parsable", None, "Fathom sets it itself"),
    ("wrap", None, "Fathom writes the script"),
    ("test-only", None, "nothing would be executed"),
    ("help", Some('h'), "it does not apply to a job"),
    ("usage", None, "it does not apply to a job"),
    ("version", Some('V'), "it does not apply to a job"),
];

/// Letters of sbatch that take no value and may stand before others.
const FLAGS: &str = "HIkOQsv";

impl FromStr for SbatchOption {
    type Err = SlurmOptionError;

    fn from_str(text: &str) -> Result<SbatchOption, SlurmOptionError> {
        let ours = |why| SlurmOptionError::Ours { option: text.to_string(), why };
        let name = text.split('=').next().unwrap_or_default();
        let is_one_piece = !name.contains(char::is_whitespace) && !text.contains('\0');
        if let Some(long) = name.strip_prefix("--").filter(|long| !long.is_empty()) {
            if !is_one_piece {
                return Err(SlurmOptionError::NotAnOption(text.to_string()));
            }
            // sbatch takes any beginning of a name for the name.
            if let Some((_, _, why)) = OURS.iter().find(|(our, _, _)| our.starts_with(long)) {
                return Err(ours(why));
            }
            return Ok(SbatchOption(text.to_string()));
        }
        let letters = text.strip_prefix('-').unwrap_or_default();
        let letter = letters.chars().find(|&c| !FLAGS.contains(c)).or(letters.chars().next());
        match letter {
            Some(letter) if letter.is_ascii_alphabetic() && is_one_piece => {
                match OURS.iter().find(|(_, our, _)| *our == Some(letter)) {
                    Some((_, _, why)) => Err(ours(why)),
                    None => Ok(SbatchOption(text.to_string())),
                }
            }
            _ => Err(SlurmOptionError::NotAnOption(text.to_string())),
        }
    }
}

impl fmt::Display for SbatchOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for SlurmName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_slurm_takes_them() {
        for good in ["10", "5:30", "1:30:00", "2-0", "2-0:30", "2-1:30:15", "0:30", "0"] {
            assert_eq!(good.parse::<TimeLimit>().unwrap().to_string(), good);
        }
        for bad in ["", "ten", "10m", "1:2:3:4", "-1", "1-", "1--2", "1:", "1.5", "9999999", "１"]
        {
            assert!(matches!(bad.parse::<TimeLimit>(), Err(SlurmOptionError::Time(_))), "{bad}");
        }
    }

    #[test]
    fn memory_as_slurm_takes_it() {
        for good in ["4G", "500", "500M", "2t", "10K"] {
            assert_eq!(good.parse::<MemorySize>().unwrap().to_string(), good);
        }
        for bad in ["", "G", "4GB", "1.5G", "-4G", "0", "0G", "4 G", "9999999999999"] {
            assert!(bad.parse::<MemorySize>().is_err(), "{bad}");
        }
    }

    #[test]
    fn options_that_fathom_needs_are_refused_in_every_spelling() {
        let taken = [
            "--array=1-3",
            "--arr=1",
            "-a1-3",
            "--output=x",
            "-ox",
            "--job-name=x",
            "-Jx",
            "--wait",
            "-W",
            "-HW",
            "--wrap=ls",
            "--clusters=b",
            "-Mb",
            "--test-only",
            "-D/",
            "--parsable",
            "--error=e",
            "--chdir=/",
            "-V",
        ];
        for text in taken {
            let error = text.parse::<SbatchOption>().unwrap_err();
            assert!(matches!(error, SlurmOptionError::Ours { .. }), "{text}: {error}");
        }
        for text in ["", "-", "--", "constraint=x", "--constraint x", "-C x", "-=", "--a b=c"] {
            let error = text.parse::<SbatchOption>().unwrap_err();
            assert!(matches!(error, SlurmOptionError::NotAnOption(_)), "{text}: {error}");
        }
        for text in [
            "--constraint=x",
            "-Cx",
            "--exclusive",
            "--qos=a b",
            "--wckey=w",
            "--export=NONE",
            "-H",
        ] {
            assert_eq!(text.parse::<SbatchOption>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn all_that_was_said_reaches_sbatch_and_the_extra_options_last() {
        let options = SlurmOptions {
            partition: Some("main".parse().unwrap()),
            time: Some("10".parse().unwrap()),
            memory: Some("2G".parse().unwrap()),
            account: Some("physics".parse().unwrap()),
            extra: vec!["--mem=3G".parse().unwrap(), "-Cfast".parse().unwrap()],
            width: 3,
        };
        let expected = [
            "--partition=main",
            "--time=10",
            "--mem=2G",
            "--account=physics",
            "--mem=3G",
            "-Cfast",
        ];
        assert_eq!(options.arguments(), expected);
        assert!(SlurmOptions::default().arguments().is_empty());
    }
}
