//! Series by whatever names them: the short name, the whole name, or some of its labels.

use crate::EngineError;
use fathom_formats::trace_imports::ImportedRun;
use fathom_record::listed;
use std::collections::BTreeMap;

type Labels = BTreeMap<String, String>;

/// The series of a run, by what they can be called.
#[derive(Debug, Default)]
pub(crate) struct SeriesNames(Vec<(String, Labels)>);

impl SeriesNames {
    /// Of the series of a run.
    pub(super) fn new(all: Vec<Labels>) -> SeriesNames {
        let names = ImportedRun::store_names(&all);
        SeriesNames(names.into_iter().zip(all).collect())
    }

    /// The short name of the one series that `word` names; the word itself if it names none.
    pub(crate) fn resolve(&self, word: &str) -> Result<String, EngineError> {
        if self.0.iter().any(|(name, _)| name == word) {
            return Ok(word.to_string());
        }
        let Some((metric, wanted)) = selector(word) else { return Ok(word.to_string()) };
        let fits = |labels: &Labels| {
            let is_named =
                metric.is_empty() || labels.get("__name__").is_some_and(|own| own == metric);
            is_named && wanted.iter().all(|(label, value)| labels.get(label) == Some(value))
        };
        let found: Vec<&str> = self
            .0
            .iter()
            .filter(|(_, labels)| fits(labels))
            .map(|(name, _)| name.as_str())
            .collect();
        match found.as_slice() {
            [] => Ok(word.to_string()),
            [one] => Ok((*one).to_string()),
            several => {
                const SHOWN: usize = 8;
                let shown = several.get(..SHOWN).unwrap_or(several);
                let more = several.len() - shown.len();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                Err(EngineError::usage(format!(
                    "{word} names {} series: {}{more}. Name one of them, or sum them up: --query \
                     'total=sum({word})' --target total",
                    several.len(),
                    listed(shown)
                )))
            }
        }
    }
}

/// `name{label="value",...}`, with labels in any order; only equality.
fn selector(text: &str) -> Option<(&str, Labels)> {
    let text = text.trim();
    let Some((metric, rest)) = text.split_once('{') else { return Some((text, Labels::new())) };
    let mut rest = rest.strip_suffix('}')?.trim();
    let mut labels = Labels::new();
    while !rest.is_empty() {
        let (label, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        // A value is quoted as in JSON.
        let mut values = serde_json::Deserializer::from_str(behind).into_iter::<String>();
        let value = values.next()?.ok()?;
        let end = values.byte_offset();
        labels.insert(label.trim().to_string(), value);
        rest = behind.get(end..)?.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    Some((metric.trim(), labels))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> SeriesNames {
        let labels = |cpu: &str, mode: &str| -> Labels {
            [("__name__", "cpu"), ("job", "node"), ("cpu", cpu), ("mode", mode)]
                .map(|(label, value)| (label.to_string(), value.to_string()))
                .into()
        };
        let all = vec![labels("0", "idle"), labels("1", "idle"), labels("0", "a\"b,c}")];
        let names = ImportedRun::store_names(&all);
        SeriesNames(names.into_iter().zip(all).collect())
    }

    #[test]
    fn a_series_has_many_names() {
        for (word, name) in [
            (r#"cpu{cpu="1",mode="idle"}"#, r#"cpu{cpu="1",mode="idle"}"#),
            (r#"cpu{mode="idle", cpu="1"}"#, r#"cpu{cpu="1",mode="idle"}"#),
            (r#"cpu{job="node",cpu="1"}"#, r#"cpu{cpu="1",mode="idle"}"#),
            (r#"{cpu="1"}"#, r#"cpu{cpu="1",mode="idle"}"#),
            (r#"cpu{mode="a\"b,c}"}"#, r#"cpu{cpu="0",mode="a\"b,c}"}"#),
            ("nothing", "nothing"),
            (r#"cpu{cpu="7"}"#, r#"cpu{cpu="7"}"#),
            ("cpu{", "cpu{"),
        ] {
            assert_eq!(names().resolve(word).unwrap(), name, "{word}");
        }
        let error = names().resolve("cpu").unwrap_err().to_string();
        assert!(error.starts_with("cpu names 3 series: cpu{cpu="), "{error}");
    }
}
