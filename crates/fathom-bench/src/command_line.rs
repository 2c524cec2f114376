//! The command line of a bench executable.
//!
//! Cargo and nextest say what they want in the words of Rust's own test harness, so those words
//! are understood too: `--bench`, `--test`, `--list --format terse`, `--exact`, `--ignored`.

mod format;
mod help;
#[cfg(test)]
mod named_options;
mod reduced_mode;

pub(crate) use format::Format;
pub(crate) use help::{HELP, OPTIONS};

use crate::executions::WantedExecutions;
use crate::report_page::ReportPlace;
use fathom_analyze::compare::{ComparedStatistic, Gate, Margin};
use fathom_analyze::stopping::Precision;
use fathom_record::{FrontEnd, TimeUnit, nearest, typed};
use fathom_render::{Detail, View};
use fathom_stats::Confidence;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is wanted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CommandLine {
    pub(crate) mode: Mode,
    pub(crate) filters: Vec<String>,
    pub(crate) is_exact: bool,
    pub(crate) skip: Vec<String>,
    pub(crate) ignored: Ignored,
    pub(crate) max_time: Option<Duration>,
    pub(crate) precision: Option<Precision>,
    pub(crate) confidence: Confidence,
    pub(crate) margin: Option<Margin>,
    pub(crate) statistic: Option<ComparedStatistic>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) gate_unchanged: bool,
    pub(crate) allow_inconclusive: bool,
    pub(crate) layouts: Option<usize>,
    pub(crate) executions: Option<usize>,
    pub(crate) seed: Option<u64>,
    pub(crate) instructions: bool,
    pub(crate) profile_time: Option<Duration>,
    pub(crate) save: Option<String>,
    pub(crate) baseline: Option<String>,
    pub(crate) no_results: bool,
    pub(crate) format: Format,
    pub(crate) include_values: bool,
    pub(crate) export_json: Option<PathBuf>,
    pub(crate) report: Option<ReportPlace>,
    pub(crate) time_unit: Option<TimeUnit>,
    pub(crate) color: WithColor,
    pub(crate) is_quiet: bool,
    pub(crate) is_verbose: bool,
}

/// What kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Help,
    List,
    /// Call every function once.
    Test,
    /// Measure.
    Bench,
    /// Take orders from another process.
    Worker,
}

/// What happens to benches that are marked to be ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ignored {
    LeftOut,
    Only,
    Included,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WithColor {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

/// A smaller interval than the default of commands: functions can be timed that well.
const PRECISION: f64 = 0.005;
/// And compared that well.
const MARGIN: f64 = 0.005;

/// The word that makes an executable take orders.
pub(crate) const WORKER: &str = "--fathom-worker";

/// Whether the command line has an option of this name.
fn is_option(name: &str) -> bool {
    OPTIONS.contains(&name)
}

/// Whose options sentences may name here. The crates that make them serve `fathom` as well.
pub(crate) fn front_end() -> FrontEnd {
    FrontEnd::with(is_option)
}

impl CommandLine {
    /// Refuses options that would have no effect together with others, or on this system.
    fn check(&self) -> Result<(), String> {
        if fathom_sys::IS_REDUCED {
            reduced_mode::check(self)?;
        }
        if self.no_results && self.save.is_some() {
            return Err("--save and --no-results contradict each other; use one of them".into());
        }
        if self.no_results && self.report.is_some() {
            return Err("--report shows saved results, and --no-results saves none; use one of \
                        them"
                .into());
        }
        if self.baseline.is_some() && self.precision.is_some() {
            return Err(
                "--precision applies to single benches; a comparison with --baseline stops by \
                        --margin and --max-time"
                    .into(),
            );
        }
        if self.baseline.is_some() && self.executions.is_some() {
            return Err(
                "--executions applies to single benches; a comparison with --baseline has \
                        executions of its own, as many as --layouts and --max-time say"
                    .into(),
            );
        }
        if self.baseline.is_some() && self.statistic() == ComparedStatistic::Quantiles {
            return Err("--statistic quantiles compares batches side by side. Two builds are \
                        compared by layouts, one number of each, so name it: --statistic p99"
                .into());
        }
        if self.baseline.is_none() && (self.layouts.is_some() || self.gate_unchanged) {
            let option = if self.layouts.is_some() { "--layouts" } else { "--gate-unchanged" };
            return Err(format!(
                "{option} applies to comparisons of two builds; add --baseline NAME"
            ));
        }
        if let Some(format) = self.format.of_one_build().filter(|_| self.baseline.is_some()) {
            return Err(format!(
                "--format {format} writes the results of one build; leave out --baseline, or use \
                 --format json"
            ));
        }
        self.check_instead_of_time()
    }

    /// Refuses what has no meaning where no time is measured.
    fn check_instead_of_time(&self) -> Result<(), String> {
        let refused = [
            ("--max-time", self.max_time.is_some()),
            ("--precision", self.precision.is_some()),
            ("--executions", self.executions.is_some()),
            ("--layouts", self.layouts.is_some()),
            ("--statistic", self.statistic.is_some()),
            ("--gate-unchanged", self.gate_unchanged),
            ("--profile-time", self.profile_time.is_some()),
            ("--format csv", self.format == Format::Csv),
            ("--format libtest", self.format == Format::Libtest),
        ];
        let refused = refused.iter().find(|(_, is_given)| *is_given);
        if let Some((option, _)) = refused.filter(|_| self.instructions) {
            return Err(format!(
                "{option} does not go with --instructions, which counts and measures no time; \
                 leave out one of them"
            ));
        }
        let refused = [
            ("--save", self.save.is_some()),
            ("--baseline", self.baseline.is_some()),
            ("--export-json", self.export_json.is_some()),
            ("--format", self.format != Format::Human),
            ("--report", self.report.is_some()),
            ("--executions", self.executions.is_some()),
            // A gate that compares nothing must not pass.
            ("--fail-if-slower", self.gates.iter().any(|gate| matches!(gate, Gate::NotSlower(_)))),
            (
                "--require-equivalent",
                self.gates.iter().any(|gate| matches!(gate, Gate::Equivalent(_))),
            ),
        ];
        let refused = refused.iter().find(|(_, is_given)| *is_given);
        if let Some((option, _)) = refused.filter(|_| self.profile_time.is_some()) {
            return Err(format!(
                "{option} does not go with --profile-time, which measures nothing; leave out one of \
                 them"
            ));
        }
        Ok(())
    }

    /// How narrow the interval of a single bench must be.
    pub(crate) fn precision(&self) -> Precision {
        self.precision.or(Precision::new(PRECISION).ok()).unwrap_or(Precision::DEFAULT)
    }

    /// Over how many executions single benches are measured; `None` if in this one only.
    pub(crate) fn executions(&self) -> Option<WantedExecutions> {
        match self.executions {
            Some(1) => None,
            Some(count) => Some(WantedExecutions::Exactly(count)),
            None => Some(WantedExecutions::AsTimeAllows),
        }
    }

    /// What counts as no difference: the user's word, or what a gate allows. Two builds differ by
    /// where their code lies, so more of it is allowed for there.
    pub(crate) fn margin(&self) -> Margin {
        let usual = if self.baseline.is_some() { None } else { Margin::new(MARGIN).ok() };
        let of_gates = self.gates.iter().map(|gate| gate.margin());
        let of_gate = of_gates
            .filter(|margin| margin.get() > 0.0)
            .min_by(|one, other| one.get().total_cmp(&other.get()));
        self.margin.or(of_gate).or(usual).unwrap_or(Margin::DEFAULT)
    }

    /// What comparisons compare.
    pub(crate) fn statistic(&self) -> ComparedStatistic {
        self.statistic.unwrap_or_default()
    }

    /// Whether a program is to read standard output.
    pub(crate) fn is_for_programs(&self) -> bool {
        self.format != Format::Human || self.export_json.as_deref() == Some(Path::new("-"))
    }

    /// How much people want to see.
    pub(crate) fn view(&self) -> View {
        View {
            detail: Detail::of(self.is_quiet, self.is_verbose),
            time_unit: self.time_unit,
            front_end: front_end(),
            ..View::default()
        }
    }

    /// Reads the words after the program's name; what is wrong with them, if something is.
    pub(crate) fn parse(words: Vec<OsString>) -> Result<CommandLine, String> {
        let mut line = CommandLine {
            mode: Mode::Test,
            filters: Vec::new(),
            is_exact: false,
            skip: Vec::new(),
            ignored: Ignored::LeftOut,
            max_time: None,
            precision: None,
            confidence: Confidence::DEFAULT,
            margin: None,
            statistic: None,
            gates: Vec::new(),
            gate_unchanged: false,
            allow_inconclusive: false,
            layouts: None,
            executions: None,
            seed: None,
            instructions: false,
            profile_time: None,
            save: None,
            baseline: None,
            no_results: false,
            format: Format::Human,
            include_values: false,
            export_json: None,
            report: None,
            time_unit: None,
            color: WithColor::Auto,
            is_quiet: false,
            is_verbose: false,
        };
        let mut words = words.into_iter().map(|word| {
            word.into_string()
                .map_err(|word| format!("{} is not valid UTF-8", word.to_string_lossy()))
        });
        let (mut is_bench, mut is_test) = (false, false);
        while let Some(word) = words.next() {
            let word = word?;
            // "--seed=1" is "--seed 1".
            let (name, given) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
                _ => (word.as_str(), None),
            };
            let mut value = || -> Result<String, String> {
                match given.clone() {
                    Some(value) => Ok(value),
                    None => words.next().unwrap_or_else(|| Err(format!("{name} needs a value"))),
                }
            };
            let typed = |text: &str, error: String| format!("{name} {text}: {error}");
            match name {
                "--help" | "-h" => line.mode = Mode::Help,
                "--bench" => is_bench = true,
                "--test" => is_test = true,
                "--list" => line.mode = Mode::List,
                WORKER => line.mode = Mode::Worker,
                "--exact" => line.is_exact = true,
                "--skip" => line.skip.push(value()?),
                "--ignored" => line.ignored = Ignored::Only,
                "--include-ignored" => line.ignored = Ignored::Included,
                "--max-time" => line.max_time = Some(time(name, &value()?)?),
                "--instructions" => line.instructions = true,
                "--profile-time" => line.profile_time = Some(time(name, &value()?)?),
                "--precision" => {
                    let text = value()?;
                    let share = typed::share(&text).map_err(|error| typed(&text, error))?;
                    let precision = Precision::new(share);
                    line.precision =
                        Some(precision.map_err(|error| typed(&text, error.to_string()))?);
                }
                "--confidence" => {
                    let text = value()?;
                    let share = typed::share(&text).map_err(|error| typed(&text, error))?;
                    line.confidence = Confidence::new(share).map_err(|_| {
                        let hint = typed::as_percentage(share);
                        typed(
                            &text,
                            format!("the confidence must be at least 0.5 and below 1{hint}"),
                        )
                    })?;
                }
                "--statistic" => line.statistic = Some(statistic(name, &value()?, &line)?),
                "--margin" => line.margin = Some(margin(name, &value()?)?),
                "--fail-if-slower" => {
                    line.gates.push(Gate::NotSlower(margin(name, &value()?)?));
                }
                "--require-equivalent" => {
                    line.gates.push(Gate::Equivalent(margin(name, &value()?)?));
                }
                "--allow-inconclusive" => line.allow_inconclusive = true,
                "--gate-unchanged" => line.gate_unchanged = true,
                "--executions" => line.executions = Some(count(name, &value()?)?),
                "--layouts" => line.layouts = Some(count(name, &value()?)?),
                "--seed" => {
                    let text = value()?;
                    let seed = text.parse().map_err(|_| {
                        typed(&text, "the seed must be a whole number, 0 or larger".to_string())
                    })?;
                    line.seed = Some(seed);
                }
                "--save" => line.save = Some(kept_name(name, value()?)?),
                "--baseline" => line.baseline = Some(kept_name(name, value()?)?),
                "--no-results" => line.no_results = true,
                "--include-values" => line.include_values = true,
                "--export-json" => line.export_json = Some(PathBuf::from(value()?)),
                "--report" => {
                    let file = given.clone().filter(|file| !file.is_empty()).map(PathBuf::from);
                    line.report = Some(file.map_or(ReportPlace::Target, ReportPlace::File));
                }
                "--format" => line.format = Format::parse(&value()?)?,
                "--time-unit" | "-u" => {
                    let text = value()?;
                    let unit = TimeUnit::parse(&text);
                    line.time_unit =
                        Some(unit.ok_or_else(|| {
                            typed(&text, "use ns, us, ms, s, min or h".to_string())
                        })?);
                }
                "--color" => {
                    let text = value()?;
                    line.color = match text.as_str() {
                        "auto" => WithColor::Auto,
                        "always" => WithColor::Always,
                        "never" => WithColor::Never,
                        _ => return Err(typed(&text, "use auto, always or never".to_string())),
                    };
                }
                "--quiet" | "-q" => line.is_quiet = true,
                "--verbose" | "-v" => line.is_verbose = true,
                // Of the test harness, and without a meaning here: benches run one at a time and
                // may print.
                "--nocapture" | "--no-capture" | "--show-output" => (),
                "--test-threads" => drop(value()?),
                "--" => line.filters.extend(words.by_ref().collect::<Result<Vec<_>, _>>()?),
                _ if name.starts_with('-') && name.len() > 1 => return Err(unknown(name)),
                _ => line.filters.push(word),
            }
        }
        // Cargo adds --bench behind whatever the user wrote.
        if line.mode == Mode::Test && is_bench && !is_test {
            line.mode = Mode::Bench;
        }
        line.check()?;
        Ok(line)
    }
}

/// A time above 0.
fn time(name: &str, text: &str) -> Result<Duration, String> {
    let time = typed::duration(text).map_err(|error| format!("{name} {text}: {error}"))?;
    if time.is_zero() {
        return Err(format!("{name} {text}: the time must be above 0"));
    }
    Ok(time)
}

/// How many of something, one at least.
fn count(name: &str, text: &str) -> Result<usize, String> {
    const MOST: usize = 1000;
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| format!("{name} {text}: use a whole number from 1 to {MOST}"))
}

/// What comparisons compare: one thing.
fn statistic(name: &str, text: &str, line: &CommandLine) -> Result<ComparedStatistic, String> {
    let problem = |error: String| format!("{name} {text}: {error}");
    if line.statistic.is_some() {
        return Err(problem("a comparison has one statistic; give it once".to_string()));
    }
    ComparedStatistic::parse(text).map_err(|error| problem(error.to_string()))
}

fn margin(name: &str, text: &str) -> Result<Margin, String> {
    let problem = |error: String| format!("{name} {text}: {error}");
    let share = typed::share(text).map_err(problem)?;
    Margin::new(share).map_err(|error| problem(error.to_string()))
}

/// Names become file names.
fn kept_name(option: &str, name: String) -> Result<String, String> {
    if !crate::results::is_plain_name(&name) {
        return Err(format!(
            "{option} \"{name}\": use only letters, digits and - _ . + in a name, such as main or v1.2"
        ));
    }
    if name == crate::results::LATEST {
        return Err(format!(
            "{option} {name}: this name is reserved for the last results; choose another"
        ));
    }
    Ok(name)
}

fn unknown(name: &str) -> String {
    let hint = match nearest(name, OPTIONS).first() {
        Some(option) => format!("did you mean {option}?"),
        None => "see --help for all options".to_string(),
    };
    format!("unknown option {name}; {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<CommandLine, String> {
        CommandLine::parse(words.split_whitespace().map(OsString::from).collect())
    }

    #[test]
    fn cargo_and_nextest_are_understood() {
        assert_eq!(parse("").unwrap().mode, Mode::Test);
        assert_eq!(parse("--bench").unwrap().mode, Mode::Bench);
        assert_eq!(parse("--bench --test").unwrap().mode, Mode::Test);
        assert_eq!(parse("--list --format terse").unwrap().mode, Mode::List);
        assert_eq!(parse("--list --format terse --ignored").unwrap().ignored, Ignored::Only);
        let one = parse("sort/std --exact --nocapture").unwrap();
        assert_eq!((one.mode, one.is_exact), (Mode::Test, true));
        assert_eq!(one.filters, ["sort/std"]);
        assert_eq!(parse("--test-threads 2 x").unwrap().filters, ["x"]);
    }

    #[test]
    fn values_may_follow_an_equals_sign() {
        let line = parse("--max-time=2s --seed 7 --margin=1% --bench a=b").unwrap();
        assert_eq!((line.max_time, line.seed), (Some(Duration::from_secs(2)), Some(7)));
        assert_eq!(line.margin(), Margin::DEFAULT);
        assert_eq!(parse("").unwrap().margin().get(), 0.005);
        assert_eq!(parse("--baseline x").unwrap().margin(), Margin::DEFAULT);
        assert_eq!(line.filters, ["a=b"]);
        let line = parse("--report sort").unwrap();
        assert_eq!((line.report, line.filters), (Some(ReportPlace::Target), vec!["sort".into()]));
        let file = ReportPlace::File(PathBuf::from("a.html"));
        assert_eq!(parse("--report=a.html").unwrap().report, Some(file));
    }

    #[test]
    fn what_is_wrong_is_said_with_what_to_do() {
        let error = |words| parse(words).unwrap_err();
        assert_eq!(error("--max-tme 2s"), "unknown option --max-tme; did you mean --max-time?");
        assert_eq!(
            error("--frobnicate"),
            "unknown option --frobnicate; see --help for all options"
        );
        assert_eq!(error("--seed"), "--seed needs a value");
        assert!(error("--seed x").contains("whole number"));
        assert!(error("--max-time 5parsecs").contains("500ms"));
        assert!(error("--max-time 0s").contains("above 0"));
        assert!(error("--profile-time 0").contains("above 0"));
        assert!(error("--profile-time 1 --save x").contains("measures nothing"));
        assert!(error("--instructions --layouts 2 --baseline x").contains("measures no time"));
        assert!(error("--format bencher --baseline x").contains("one build"));
        assert!(error("--confidence 95").contains("Did you mean 95%?"));
        assert!(error("--margin -1%").contains("at least 0"));
        assert!(error("--statistic nonsense").contains("a percentile such as p90"));
        assert!(error("--statistic p99 --statistic p90").contains("give it once"));
        assert!(error("--baseline x --statistic quantiles").contains("--statistic p99"));
        assert!(error("--instructions --statistic p99").contains("measures no time"));
        assert!(error("--precision 0").contains("above 0"));
        assert!(error("--save x --no-results").contains("one of them"));
        assert!(error("--report --no-results").contains("saves none"));
        assert!(error("--baseline x --precision 1%").contains("--margin and --max-time"));
        assert!(error("--baseline x --executions 3").contains("of its own"));
        assert!(error("--executions 0").contains("from 1 to 1000"));
        assert!(error("--format xml").contains("human, json"));
        assert!(error("--save ../x").contains("letters"));
        assert!(error("--save latest").contains("last results"));
        assert!(error("--color red").contains("never"));
        assert!(error("-u parsec").contains("ns, us"));
    }

    #[test]
    fn help_names_every_option_within_80_columns() {
        for option in OPTIONS {
            assert!(HELP.contains(option), "{option}");
        }
        assert!(HELP.lines().all(|line| line.chars().count() <= 80));
    }
}
