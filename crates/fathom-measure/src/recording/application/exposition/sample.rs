//! One line of an exposition: a series and its value.

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(in super::super) struct SampleError(pub(super) &'static str);

/// A series and its value. Its own time and its exemplar are passed over.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    pub(super) name: String,
    labels: Vec<(String, String)>,
    pub(super) value: f64,
}

impl Sample {
    /// The name with its labels, which tell series of one name apart.
    pub(super) fn series(&self) -> String {
        if self.labels.is_empty() {
            return self.name.clone();
        }
        let escaped =
            |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let labels = self.labels.iter();
        let labels: Vec<String> =
            labels.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        format!("{}{{{}}}", self.name, labels.join(","))
    }
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Reads `name{label="value"} 1.5 1700000000 # {trace="x"} 0.5`; labels, time and exemplar may be
/// absent.
pub(super) fn read(line: &str) -> Result<Sample, SampleError> {
    let end = line.find(|letter| letter == '{' || BLANKS.contains(&letter)).unwrap_or(line.len());
    let (name, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    if !name.is_empty() && !is_name(name, true) {
        return Err(SampleError("a name with invalid characters"));
    }
    let rest = rest.trim_start_matches(BLANKS);
    let (mut labels, mut name, mut rest) = (Vec::new(), name.to_string(), rest);
    if let Some(inside) = rest.strip_prefix('{') {
        rest = read_labels(inside, &mut name, &mut labels)?;
    }
    if name.is_empty() {
        return Err(SampleError("a value without a name"));
    }
    labels.sort();
    if labels.windows(2).any(|pair| matches!(pair, [a, b] if a.0 == b.0)) {
        return Err(SampleError("a duplicate label"));
    }
    Ok(Sample { name, labels, value: read_value(rest)? })
}

/// Reads labels up to their closing brace; what comes after it. A name in quotes is that of the
/// series itself, if it has letters that are not allowed before the brace.
fn read_labels<'a>(
    mut rest: &'a str,
    name: &mut String,
    labels: &mut Vec<(String, String)>,
) -> Result<&'a str, SampleError> {
    const UNCLOSED: SampleError = SampleError("labels without a closing brace");
    loop {
        rest = rest.trim_start_matches(BLANKS);
        if let Some(after) = rest.strip_prefix('}') {
            return Ok(after);
        }
        let (label, after) = if rest.starts_with('"') {
            quoted(rest)?
        } else {
            let end = rest.find(['=', ',', '}']).ok_or(UNCLOSED)?;
            let (label, after) = rest.split_at_checked(end).ok_or(UNCLOSED)?;
            let label = label.trim_end_matches(BLANKS);
            if !is_name(label, false) {
                return Err(SampleError("a label with invalid characters"));
            }
            (label.to_string(), after)
        };
        let is_quoted = rest.starts_with('"');
        rest = after.trim_start_matches(BLANKS);
        if let Some(after) = rest.strip_prefix('=') {
            let (value, after) = quoted(after.trim_start_matches(BLANKS))?;
            labels.push((label, value));
            rest = after.trim_start_matches(BLANKS);
        } else if is_quoted && name.is_empty() && labels.is_empty() {
            *name = label;
        } else {
            return Err(SampleError("a label without a value"));
        }
        rest = match rest.strip_prefix(',') {
            Some(after) => after,
            None if rest.starts_with('}') => rest,
            None if rest.is_empty() => return Err(UNCLOSED),
            None => return Err(SampleError("labels without a comma between them")),
        };
    }
}

/// A text in quotes, and what comes after it. `\\`, `\"` and `\n` mean single letters; any other
/// letter after a backslash means both.
pub(super) fn quoted(text: &str) -> Result<(String, &str), SampleError> {
    const UNCLOSED: SampleError = SampleError("a text without a closing quote");
    let inside = text.strip_prefix('"').ok_or(SampleError("a label value without quotes"))?;
    let mut value = String::new();
    let mut letters = inside.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Ok((value, inside.get(at + 1..).unwrap_or_default())),
            '\\' => match letters.next().ok_or(UNCLOSED)?.1 {
                'n' => value.push('\n'),
                other @ ('\\' | '"') => value.push(other),
                other => value.extend(['\\', other]),
            },
            letter => value.push(letter),
        }
    }
    Err(UNCLOSED)
}

/// The value at the beginning; after it may come a time, and an exemplar.
fn read_value(text: &str) -> Result<f64, SampleError> {
    let numbers = text.split_once('#').map_or(text, |(numbers, _)| numbers);
    let mut words = numbers.split_ascii_whitespace();
    let value = words.next().ok_or(SampleError("a series without a value"))?;
    let value = value.parse().map_err(|_| SampleError("a value that is not a number"))?;
    if words.next().is_some_and(|time| time.parse::<f64>().is_err()) {
        return Err(SampleError("a time that is not a number"));
    }
    if words.next().is_some() {
        return Err(SampleError("more than a value and a time"));
    }
    Ok(value)
}

/// Colons are for names of metrics only.
fn is_name(text: &str, may_have_colons: bool) -> bool {
    let is_letter = |letter: char| {
        letter.is_ascii_alphabetic() || letter == '_' || (may_have_colons && letter == ':')
    };
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}
