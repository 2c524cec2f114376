//! A number that every execution prints or writes: `--metric`.

use super::recipe::NAMES;
use crate::printed_metric::{self, MetricOptionError, PrintedMetric};
use crate::template::Template;

/// A number that is read from what an execution prints, or from a file that it writes.
#[derive(Debug, Clone)]
pub struct ExecutionMetric {
    metric: PrintedMetric,
    file: Option<Template>,
}

impl ExecutionMetric {
    /// Reads what [`PrintedMetric::parse`] reads, and `NAME[UNIT]=in:FILE:HOW`, where HOW is any of
    /// those and applies to a file. FILE ends at the first `:`; `{dir}`, `{run}` and `{seed}` in it
    /// are those of the execution, and it is relative to the folder in which commands run.
    ///
    /// ```
    /// use fathom_measure::experiment::ExecutionMetric;
    /// let metric = ExecutionMetric::parse("ipc=in:{dir}/stats.json:json:cpu.ipc")?;
    /// assert_eq!(metric.file().map(|file| file.text()), Some("{dir}/stats.json"));
    /// assert_eq!(metric.metric().read(br#"{"cpu": {"ipc": 1.5}}"#), Ok(1.5));
    /// # Ok::<(), fathom_measure::MetricOptionError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the option.
    pub fn parse(option: &str) -> Result<ExecutionMetric, MetricOptionError> {
        let (name, _, source) = printed_metric::split(option)?;
        let Some(place) = source.strip_prefix("in:") else {
            return Ok(ExecutionMetric { metric: PrintedMetric::parse(option)?, file: None });
        };
        let (file, how) = place
            .split_once(':')
            .filter(|(file, _)| !file.trim().is_empty())
            .ok_or_else(|| MetricOptionError::File { name: name.to_string() })?;
        let head = option.strip_suffix(source).unwrap_or_default();
        let metric = PrintedMetric::parse(&format!("{head}{how}"))?;
        Ok(ExecutionMetric { metric, file: Some(Template::new(file)) })
    }

    /// Reads all of a recipe's.
    ///
    /// # Errors
    /// What is wrong with an option, or two have the same name.
    pub fn parse_all(options: &[String]) -> Result<Vec<ExecutionMetric>, MetricOptionError> {
        let metrics = options.iter().map(|option| ExecutionMetric::parse(option));
        let metrics = metrics.collect::<Result<Vec<_>, _>>()?;
        for (n, metric) in metrics.iter().enumerate() {
            let name = metric.metric.name();
            if metrics.iter().take(n).any(|earlier| earlier.metric.name() == name) {
                return Err(MetricOptionError::Duplicate { name: name.to_string() });
            }
        }
        Ok(metrics)
    }

    /// What is read.
    #[must_use]
    pub fn metric(&self) -> &PrintedMetric {
        &self.metric
    }

    /// The file in which it is; `None` for the standard output.
    #[must_use]
    pub fn file(&self) -> Option<&Template> {
        self.file.as_ref()
    }
}

/// Whether a file has the same name in every execution, so that one may read what another wrote.
pub(super) fn is_shared(file: &Template) -> bool {
    !NAMES.iter().any(|name| file.mentions(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_end_at_the_first_colon() {
        let parse = |option: &str| ExecutionMetric::parse(option).unwrap();
        for (option, file, text, value) in [
            ("a=in:x.txt:last-number", "x.txt", "1 2", 2.0),
            ("a[ms]=in:{dir}/o:v: ([0-9]+)", "{dir}/o", "v: 7", 7.0),
            ("a=in:o:json:/x/0", "o", "{\"x\": [3]}", 3.0),
            ("a=in:o:csv:x:y", "o", "t,x:y\n0,4\n", 4.0),
            // A file in a file is a regex again.
            ("a=in:o:in:(.)", "o", "in:5", 5.0),
        ] {
            let metric = parse(option);
            assert_eq!(metric.file().unwrap().text(), file, "{option}");
            assert_eq!(metric.metric().read(text.as_bytes()), Ok(value), "{option}");
            assert_eq!(metric.metric().name(), "a");
        }
        assert_eq!(parse("a[ms]=in:o:x").metric().unit().symbol(), "ms");
        assert!(parse("a=last-number").file().is_none());
        assert_eq!(parse("a=(?:in:)(.)").metric().read(b"in:6"), Ok(6.0));
    }

    #[test]
    fn bad_options_say_what_to_write() {
        let error = |option: &str| ExecutionMetric::parse(option).unwrap_err().to_string();
        for bad in ["a=in:", "a=in:x", "a=in::x", "a=in: ([0-9.]+)"] {
            assert_eq!(
                error(bad),
                "metric a: expected a file, \":\" and what to search for after \"in:\", as in \
                 a=in:{dir}/out.json:json:a. For a regex that begins with \"in:\", write (?:in:)."
            );
        }
        assert!(error("a=in:x:").contains("nothing follows"));
        assert!(error("a=in:x:(").contains("unclosed group"));
        let two = ["a=x", "a=in:y:z"].map(str::to_string);
        let error = ExecutionMetric::parse_all(&two).unwrap_err().to_string();
        assert_eq!(error, "metric a is defined twice. Use a different name for each --metric.");
    }

    #[test]
    fn shared_files_are_known() {
        for (file, shared) in
            [("out", true), ("{dir}/out", false), ("o{seed}", false), ("{x}", true)]
        {
            assert_eq!(is_shared(&Template::new(file)), shared, "{file}");
        }
    }
}
