//! The file of `--study`: what varies, what runs, what is read and what is asked, in TOML.

use crate::failure::Failure;
use fathom_request::name_and_text;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a file of `--study` says, as it would be typed on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct StudyFile {
    /// The command, as one line.
    pub(super) command: Option<String>,
    /// Several commands by name.
    pub(super) systems: Vec<(String, String)>,
    pub(super) shell: Option<String>,
    /// `VAR` and `A,B`, one after the other.
    pub(super) lists: Vec<String>,
    pub(super) baseline: Option<String>,
    pub(super) shared_seeds: bool,
    pub(super) metrics: Vec<String>,
    pub(super) files: Vec<String>,
    /// Each with its place in the file, for errors.
    pub(super) properties: Vec<(String, String)>,
    pub(super) estimates: Vec<(String, String)>,
}

/// The keys of a study, with what each holds.
const KEYS: [(&str, &str); 10] = [
    ("command", "a text: the command of every execution"),
    ("systems", "a table: NAME = \"command\", instead of `command`"),
    ("shell", "a text: the shell that runs commands"),
    ("parameters", "a table: NAME = [values], which commands mention as {NAME}"),
    ("metrics", "a table: NAME = \"how\", as --metric has it"),
    ("read", "a list of files that executions write, as --read has them"),
    ("properties", "a table: NAME = \"property\""),
    ("estimates", "a table: NAME = \"expression\""),
    ("baseline", "a text: NAME=VALUE of the parameter that others are compared with"),
    ("shared_seeds", "true or false"),
];

/// Reads a file.
///
/// # Errors
/// It cannot be read or holds something else; with the file, the line and what is allowed.
pub(super) fn read(path: &Path) -> Result<StudyFile, Failure> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| {
        let message = format!("cannot read {name}: {error}. Give --study a file (docs/studies.md)");
        Failure::Error(fathom_engine::EngineError::file(message, error))
    })?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|_| Failure::input(format!("{name}: this is not UTF-8 text")))?;
    parse(&name, text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Where it goes wrong, and how.
struct Flaw {
    at: Range<usize>,
    what: String,
}

fn flaw(at: Range<usize>, what: impl Into<String>) -> Flaw {
    Flaw { at, what: what.into() }
}

fn parse(name: &str, text: &str) -> Result<StudyFile, Failure> {
    let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let place = |at: &Range<usize>| format!("{name}:{}", line(at.start));
    let refused = |flaw: Flaw| Failure::input(format!("{}: {}", place(&flaw.at), flaw.what));
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        refused(flaw(at, format!("this is not TOML: {}", error.message())))
    })?;
    let study = study(table.get_ref(), &place).map_err(refused)?;
    let wrong = |what: &str| Err(Failure::input(format!("{name}: {what}")));
    match (&study.command, study.systems.is_empty()) {
        (None, true) => {
            return wrong(
                "there is nothing to execute. Add command = \"...\", or a table [systems]",
            );
        }
        (Some(_), false) => return wrong("it has both command and [systems]. Keep one of them"),
        _ => {}
    }
    if study.properties.is_empty() && study.estimates.is_empty() {
        return wrong(
            "it asks nothing. Add a table [properties] with NAME = \"property\", or [estimates] with \
             NAME = \"expression\"",
        );
    }
    if study.lists.is_empty() {
        return wrong(
            "nothing varies. Add a table [parameters] with NAME = [values], and {NAME} in the command; \
             without one, `fathom check` needs no study",
        );
    }
    Ok(study)
}

type Place<'a> = dyn Fn(&Range<usize>) -> String + 'a;

fn study(table: &DeTable<'_>, place: &Place<'_>) -> Result<StudyFile, Flaw> {
    let mut study = StudyFile::default();
    let mut metric_names = Vec::new();
    let (mut properties, mut estimates) = (Vec::new(), Vec::new());
    let entries = in_order(table);
    for (key, value) in &entries {
        let is = |key: &str| KEYS.iter().find(|(known, _)| *known == key);
        let Some((_, holds)) = is(key.get_ref()) else {
            let all: Vec<String> =
                KEYS.iter().map(|(key, holds)| format!("  {key}: {holds}")).collect();
            return Err(flaw(
                key.span(),
                format!("there is no key {}. A study has:\n{}", key.get_ref(), all.join("\n")),
            ));
        };
        let expected = |value: &Spanned<DeValue<'_>>| {
            flaw(value.span(), format!("{} holds {holds}", key.get_ref()))
        };
        let text = || text(value).ok_or_else(|| expected(value));
        let texts = || {
            let DeValue::Table(table) = value.get_ref() else { return Err(expected(value)) };
            in_order(table)
                .into_iter()
                .map(|(name, value)| {
                    let text = self::text(value).ok_or_else(|| expected(value))?;
                    Ok((name.get_ref().to_string(), text, name.span()))
                })
                .collect::<Result<Vec<_>, Flaw>>()
        };
        match key.get_ref().as_ref() {
            "command" => study.command = Some(text()?),
            "shell" => study.shell = Some(text()?),
            "baseline" => study.baseline = Some(text()?),
            "systems" => {
                study.systems = texts()?.into_iter().map(|(name, text, _)| (name, text)).collect();
            }
            "metrics" => {
                for (name, how, _) in texts()? {
                    let bare = name.split('[').next().unwrap_or_default().trim().to_string();
                    metric_names.push(bare);
                    study.metrics.push(format!("{name}={how}"));
                }
            }
            "properties" => properties = texts()?,
            "estimates" => estimates = texts()?,
            "read" => study.files = list(value).ok_or_else(|| expected(value))?,
            "shared_seeds" => {
                let DeValue::Boolean(is_set) = value.get_ref() else { return Err(expected(value)) };
                study.shared_seeds = *is_set;
            }
            _ => {
                let DeValue::Table(table) = value.get_ref() else { return Err(expected(value)) };
                for (name, values) in in_order(table) {
                    let all = list(values).filter(|all| !all.is_empty());
                    let all = all.ok_or_else(|| {
                        flaw(
                            values.span(),
                            format!(
                                "parameter {} needs a list of values, such as [1, 2, \"both\"]",
                                name.get_ref()
                            ),
                        )
                    })?;
                    if all == [""] {
                        return Err(flaw(values.span(), "a single empty value varies nothing"));
                    }
                    study.lists.push(name.get_ref().to_string());
                    study.lists.push(escaped(&all));
                }
            }
        }
    }
    // Metrics may come after the properties that are asked of each of them.
    study.properties = questions(properties, &metric_names, place)?;
    study.estimates = questions(estimates, &metric_names, place)?;
    Ok(study)
}

/// The entries of a table, as they stand in the file.
fn in_order<'t, 'a>(
    table: &'t DeTable<'a>,
) -> Vec<(&'t Spanned<std::borrow::Cow<'a, str>>, &'t Spanned<DeValue<'a>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn text(value: &Spanned<DeValue<'_>>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// A list of texts and numbers, as they are written.
fn list(value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
    let DeValue::Array(values) = value.get_ref() else { return None };
    let written = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_string()),
        DeValue::Float(number) => Some(number.as_str().to_string()),
        DeValue::Boolean(is_set) => Some(is_set.to_string()),
        _ => None,
    };
    values.iter().map(written).collect()
}

/// Values as -L has them, where a comma parts them.
fn escaped(values: &[String]) -> String {
    let escaped = |value: &String| value.replace('\\', "\\\\").replace(',', "\\,");
    values.iter().map(escaped).collect::<Vec<_>>().join(",")
}

/// Questions as they are typed, with their places. One that mentions {metric} is asked of every metric.
fn questions(
    named: Vec<(String, String, Range<usize>)>,
    metrics: &[String],
    place: &Place<'_>,
) -> Result<Vec<(String, String)>, Flaw> {
    const METRIC: &str = "{metric}";
    let mut questions = Vec::new();
    for (name, text, at) in named {
        if text.contains(METRIC) && metrics.is_empty() {
            return Err(flaw(at, "{metric} stands for each of [metrics], and there is none"));
        }
        let each: Vec<(String, String)> = match text.contains(METRIC) {
            false => vec![(name, text)],
            true => metrics
                .iter()
                .map(|metric| {
                    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    let plain = metric.replace(|c: char| !is_plain(c), "_");
                    (format!("{name}-{plain}"), text.replace(METRIC, metric))
                })
                .collect(),
        };
        for (name, text) in each {
            let typed = format!("{name}: {text}");
            if name_and_text(&typed) != (Some(name.as_str()), text.trim()) {
                return Err(flaw(
                    at,
                    format!(
                        "a question cannot be called {name:?}. Use letters, digits, _ and -, with a \
                         letter first"
                    ),
                ));
            }
            questions.push((typed, place(&at)));
        }
    }
    Ok(questions)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = r#"# What varies.
command = "./sim {benchmark} --l2 {l2} --seed {seed}"
baseline = "l2=512"

[parameters]
benchmark = ["ferret", "a, b"]
l2 = [512, 1024]

[metrics]
"power[W]" = "power: ([0-9.]+)"
ipc = "last-number"

[properties]
fast = "runtime < 1.5 s"
low = "{metric} < 20"

[estimates]
tail = "runtime"
"#;

    #[test]
    fn a_study_is_what_would_be_typed() {
        let study = parse("study.toml", STUDY).unwrap();
        assert_eq!(study.command.as_deref(), Some("./sim {benchmark} --l2 {l2} --seed {seed}"));
        assert_eq!(study.lists, ["benchmark", r"ferret,a\, b", "l2", "512,1024"]);
        assert_eq!(study.metrics, ["power[W]=power: ([0-9.]+)", "ipc=last-number"]);
        let typed = |(typed, place): &(String, String)| format!("{place} {typed}");
        let properties: Vec<String> = study.properties.iter().map(typed).collect();
        assert_eq!(
            properties,
            [
                "study.toml:14 fast: runtime < 1.5 s",
                "study.toml:15 low-power: power < 20",
                "study.toml:15 low-ipc: ipc < 20",
            ]
        );
        assert_eq!(study.estimates.len(), 1);
        assert_eq!(study.baseline.as_deref(), Some("l2=512"));
    }

    #[test]
    fn mistakes_have_their_line_and_what_is_allowed() {
        for (from, to, why) in [
            (
                "baseline =",
                "base =",
                "study.toml:3: there is no key base. A study has:\n  command: a",
            ),
            (
                "[512, 1024]",
                "512",
                "study.toml:7: parameter l2 needs a list of values, such as [1, 2",
            ),
            ("[512, 1024]", "[]", "study.toml:7: parameter l2 needs a list of values"),
            ("[512, 1024]", "[[1], 2]", "study.toml:7: parameter l2 needs a list of values"),
            ("\"last-number\"", "3", "study.toml:11: metrics holds a table: NAME"),
            ("fast = ", "\"so fast\" = ", "study.toml:14: a question cannot be called \"so fast\""),
            ("command = ", "command = 1 #", "study.toml:2: command holds a text"),
            ("command = ", "shell = ", "study.toml: there is nothing to execute. Add command"),
            (
                "[parameters]",
                "[systems]\na = \"x\"\n[parameters]",
                "study.toml: it has both command",
            ),
            ("[parameters]", "[parameters", "study.toml:5: this is not TOML: "),
            (
                "l2 = [512, 1024]",
                "l2 = [512]\nl2 = [3]",
                "study.toml:8: this is not TOML: duplicate key",
            ),
        ] {
            let refused =
                parse("study.toml", &STUDY.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(refused.starts_with(why), "{refused}");
        }
        let nothing = "command = \"true\"\n[parameters]\na = [1]\n";
        let refused = parse("s.toml", nothing).unwrap_err().to_string();
        assert!(refused.starts_with("s.toml: it asks nothing."), "{refused}");
        let fixed = "command = \"true\"\n[properties]\na = \"runtime < 1 s\"\n";
        let refused = parse("s.toml", fixed).unwrap_err().to_string();
        assert!(refused.starts_with("s.toml: nothing varies."), "{refused}");
    }
}
