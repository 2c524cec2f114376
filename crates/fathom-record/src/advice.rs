//! What is wrong, and what to do about it with the options that a front end has.
//!
//! The same finding reaches the program `fathom` and other people's benches, whose command lines
//! differ. So a finding is a value, and becomes a sentence only where the front end is known. The
//! name of an option comes from the [`FrontEnd`], or from a [`Remedy`] that needs it; a front end
//! that lacks the option leaves the remedy out.

use std::fmt;

/// An option that a sentence of several front ends may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdvisedOption {
    /// Makes a gate pass that is inconclusive.
    AllowInconclusive,
    /// Treats samples as independent.
    AssumeIndependent,
    /// Sets what counts as no difference.
    Margin,
    /// Limits the number of runs.
    MaxRuns,
    /// Limits the time.
    MaxTime,
    /// Chooses how an interval is made.
    Method,
    /// Fixes the number of runs.
    Runs,
    /// Chooses what is estimated.
    Statistic,
    /// Says where the steady state begins.
    SteadyState,
}

impl AdvisedOption {
    /// All of them.
    pub const ALL: [AdvisedOption; 9] = [
        AdvisedOption::AllowInconclusive,
        AdvisedOption::AssumeIndependent,
        AdvisedOption::Margin,
        AdvisedOption::MaxRuns,
        AdvisedOption::MaxTime,
        AdvisedOption::Method,
        AdvisedOption::Runs,
        AdvisedOption::Statistic,
        AdvisedOption::SteadyState,
    ];

    /// As you type it. Not public: a sentence gets the name from the front end that has the option.
    fn name(self) -> &'static str {
        match self {
            AdvisedOption::AllowInconclusive => "--allow-inconclusive",
            AdvisedOption::AssumeIndependent => "--assume-independent",
            AdvisedOption::Margin => "--margin",
            AdvisedOption::MaxRuns => "-M",
            AdvisedOption::MaxTime => "--max-time",
            AdvisedOption::Method => "--method",
            AdvisedOption::Runs => "-r",
            AdvisedOption::Statistic => "--statistic",
            AdvisedOption::SteadyState => "--steady-state",
        }
    }
}

/// Whose options sentences may name.
///
/// ```
/// use fathom_record::{AdvisedOption, FrontEnd};
/// let bench = FrontEnd::with(|name| name == "--margin");
/// assert_eq!(bench.option(AdvisedOption::Margin), Some("--margin"));
/// assert_eq!(bench.option(AdvisedOption::Method), None);
/// assert_eq!(FrontEnd::FATHOM.option(AdvisedOption::Method), Some("--method"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontEnd {
    /// In the order of [`AdvisedOption::ALL`].
    has: [bool; AdvisedOption::ALL.len()],
}

impl FrontEnd {
    /// The program `fathom`, which has every option.
    pub const FATHOM: FrontEnd = FrontEnd { has: [true; AdvisedOption::ALL.len()] };

    /// A front end with the options whose names `is_option` knows.
    #[must_use]
    pub fn with(is_option: impl Fn(&str) -> bool) -> FrontEnd {
        FrontEnd { has: AdvisedOption::ALL.map(|option| is_option(option.name())) }
    }

    /// The name of an option, if this front end has it.
    #[must_use]
    pub fn option(self, option: AdvisedOption) -> Option<&'static str> {
        // By its place: LLVM unrolls a search of a constant list everywhere that it is made, and takes
        // seconds for it.
        let place = option as usize;
        self.has.get(place).copied().unwrap_or(false).then(|| option.name())
    }
}

impl Default for FrontEnd {
    fn default() -> FrontEnd {
        FrontEnd::FATHOM
    }
}

/// One thing to do about a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Something that needs no option: "collect more samples".
    Do(String),
    /// Something that needs an option: "use", `--method`, "exact for full coverage".
    Option {
        /// What to do with it.
        verb: &'static str,
        /// Which.
        option: AdvisedOption,
        /// Its value and what else belongs to it; may be empty.
        rest: String,
    },
}

impl Remedy {
    /// A remedy that needs no option.
    pub fn new(text: impl Into<String>) -> Remedy {
        Remedy::Do(text.into())
    }

    /// A remedy that uses an option with this value.
    pub fn using(option: AdvisedOption, value: impl Into<String>) -> Remedy {
        Remedy::with("use", option, value)
    }

    /// A remedy that does something else with an option than use it.
    pub fn with(verb: &'static str, option: AdvisedOption, rest: impl Into<String>) -> Remedy {
        Remedy::Option { verb, option, rest: rest.into() }
    }

    /// The option it needs, if it needs one.
    #[must_use]
    pub fn needs(&self) -> Option<AdvisedOption> {
        match self {
            Remedy::Do(_) => None,
            Remedy::Option { option, .. } => Some(*option),
        }
    }

    /// Those of several that a front end can do: "use --statistic median, or --method bca". `None`
    /// if it can do none of them.
    #[must_use]
    pub fn said(remedies: &[Remedy], front_end: FrontEnd) -> Option<String> {
        let mut text = String::new();
        let mut last_verb = "";
        for remedy in remedies {
            let (verb, words) = match remedy {
                Remedy::Do(words) => ("", words.clone()),
                Remedy::Option { verb, option, rest } => match front_end.option(*option) {
                    Some(name) if rest.is_empty() => (*verb, name.to_string()),
                    Some(name) => (*verb, format!("{name} {rest}")),
                    None => continue,
                },
            };
            if !text.is_empty() {
                text.push_str(", or ");
            }
            // Two options with the same verb share it.
            if !verb.is_empty() && verb != last_verb {
                text.push_str(verb);
                text.push(' ');
            }
            text.push_str(&words);
            last_verb = verb;
        }
        (!text.is_empty()).then_some(text)
    }
}

/// What is wrong, and what to do about it.
///
/// Its text is that of the program `fathom`; [`Advice::said`] is the text of another front end.
///
/// ```
/// use fathom_record::{Advice, AdvisedOption, FrontEnd, Remedy};
/// let advice = Advice::new("3 samples are too few")
///     .or(Remedy::new("collect at least 20"))
///     .or(Remedy::using(AdvisedOption::AssumeIndependent, ""));
/// assert_eq!(
///     advice.to_string(),
///     "3 samples are too few; collect at least 20, or use --assume-independent"
/// );
/// let bench = FrontEnd::with(|_| false);
/// assert_eq!(advice.said(bench), "3 samples are too few; collect at least 20");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    what: String,
    remedies: Vec<Remedy>,
    /// Whether the remedies are a sentence of their own.
    has_two_sentences: bool,
}

impl Advice {
    /// What is wrong, before it is said what to do.
    pub fn new(what: impl Into<String>) -> Advice {
        Advice { what: what.into(), remedies: Vec::new(), has_two_sentences: false }
    }

    /// The same, with the remedies in a sentence of their own.
    #[must_use]
    pub fn in_two_sentences(self) -> Advice {
        Advice { has_two_sentences: true, ..self }
    }

    /// The same with one more thing to do, or with the first.
    #[must_use]
    pub fn or(mut self, remedy: Remedy) -> Advice {
        self.remedies.push(remedy);
        self
    }

    /// The same of something that is named first: "for the shell's start-up time, ".
    #[must_use]
    pub fn about(self, subject: &str) -> Advice {
        Advice { what: format!("{subject}{}", self.what), ..self }
    }

    /// What is wrong, without what to do.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What can be done.
    #[must_use]
    pub fn remedies(&self) -> &[Remedy] {
        &self.remedies
    }

    /// The text for a front end: it names no option that the front end lacks.
    #[must_use]
    pub fn said(&self, front_end: FrontEnd) -> String {
        let what = &self.what;
        match Remedy::said(&self.remedies, front_end) {
            None => what.clone(),
            Some(remedies) if self.has_two_sentences => {
                let mut letters = remedies.chars();
                let first = letters.next().map(|letter| letter.to_ascii_uppercase());
                let sentence: String = first.into_iter().chain(letters).collect();
                format!("{what}. {sentence}.")
            }
            Some(remedies) => format!("{what}; {remedies}"),
        }
    }
}

/// A text that was written before, with its remedies in it.
impl From<String> for Advice {
    fn from(text: String) -> Advice {
        Advice::new(text)
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(FrontEnd::FATHOM))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_listed_once_and_named_apart() {
        let place = |option| AdvisedOption::ALL.into_iter().position(|one| one == option);
        for (index, option) in AdvisedOption::ALL.into_iter().enumerate() {
            assert_eq!((place(option), option as usize), (Some(index), index));
            let same = AdvisedOption::ALL.into_iter().filter(|one| one.name() == option.name());
            assert_eq!(same.count(), 1);
            assert_eq!(FrontEnd::FATHOM.option(option), Some(option.name()));
        }
    }

    #[test]
    fn a_front_end_has_what_it_says() {
        let front_end = FrontEnd::with(|name| ["--margin", "-r"].contains(&name));
        for option in AdvisedOption::ALL {
            let is_had = matches!(option, AdvisedOption::Margin | AdvisedOption::Runs);
            assert_eq!(front_end.option(option), is_had.then(|| option.name()));
        }
    }

    #[test]
    fn remedies_that_need_a_missing_option_are_left_out() {
        let advice = Advice::new("skewed")
            .or(Remedy::using(AdvisedOption::Statistic, "median"))
            .or(Remedy::using(AdvisedOption::Method, "bca"));
        let with = |names: &'static [&str]| FrontEnd::with(|name| names.contains(&name));
        assert_eq!(advice.to_string(), "skewed; use --statistic median, or --method bca");
        assert_eq!(advice.said(with(&["--method"])), "skewed; use --method bca");
        assert_eq!(advice.said(with(&["--statistic"])), "skewed; use --statistic median");
        assert_eq!(advice.said(with(&[])), "skewed");
        assert_eq!(advice.remedies()[1].needs(), Some(AdvisedOption::Method));
    }

    #[test]
    fn verbs_are_shared_only_by_neighbours() {
        let remedies = [
            Remedy::using(AdvisedOption::Method, "exact"),
            Remedy::new("collect more"),
            Remedy::using(AdvisedOption::Method, "t"),
            Remedy::with("accept a wider", AdvisedOption::Margin, ""),
        ];
        assert_eq!(
            Remedy::said(&remedies, FrontEnd::FATHOM).unwrap(),
            "use --method exact, or collect more, or use --method t, or accept a wider --margin"
        );
        assert_eq!(Remedy::said(&[], FrontEnd::FATHOM), None);
    }

    #[test]
    fn two_sentences_and_what_was_written_before() {
        let busy = Advice::new("the machine is busy").in_two_sentences();
        assert_eq!(busy.to_string(), "the machine is busy");
        let busy = busy.or(Remedy::new("close programs")).or(Remedy::new("wait"));
        assert_eq!(busy.to_string(), "the machine is busy. Close programs, or wait.");
        assert_eq!(busy.about("now ").what(), "now the machine is busy");
        let read = Advice::from("busy; use --x. Or wait.".to_string());
        assert_eq!(read.said(FrontEnd::with(|_| false)), "busy; use --x. Or wait.");
    }
}
