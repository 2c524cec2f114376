//! How the text of options becomes values: as requests read it, so that what was typed and what was
//! stored mean the same.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fathom_record::typed::{as_percentage, share};
use fathom_request::EffortPreset;
use fathom_request::value::{Named, OptionValue};

/// Reads a value.
pub(super) fn value<V: OptionValue>(text: &str) -> Result<V, String> {
    V::read(text)
}

/// Reads one of a few names, which help lists with what they mean.
pub(super) fn named_value<N: Named + Send + Sync>() -> impl TypedValueParser<Value = N> {
    let choice = |one: &N| PossibleValue::new(one.name()).help(one.summary());
    PossibleValuesParser::new(N::ALL.iter().map(choice)).try_map(|name| N::read(&name))
}

/// Reads an effort; help says in a line what each means for this command.
pub(super) fn effort(
    meaning: fn(EffortPreset) -> &'static str,
) -> impl TypedValueParser<Value = EffortPreset> {
    let choice = move |one: &EffortPreset| PossibleValue::new(one.name()).help(meaning(*one));
    PossibleValuesParser::new(EffortPreset::ALL.iter().map(choice))
        .try_map(|name| EffortPreset::read(&name))
}

/// Reads NAME=REST.
pub(super) fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, rest)) if !name.trim().is_empty() && !rest.trim().is_empty() => {
            Ok((name.trim().to_string(), rest.trim().to_string()))
        }
        _ => Err("use NAME=VALUE, with something on both sides of =".to_string()),
    }
}

/// Reads a share above 0 and below 1.
pub(super) fn share_of_one(text: &str) -> Result<f64, String> {
    let number = share(text)?;
    if number > 0.0 && number < 1.0 {
        Ok(number)
    } else {
        Err(format!("use a number above 0 and below 1{}", as_percentage(number)))
    }
}

pub(super) fn frequency(text: &str) -> Result<f64, String> {
    fathom_property::parse_frequency(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_measure::Tolerated;
    use fathom_stats::{Confidence, Probability};

    fn confidence(text: &str) -> Result<Confidence, String> {
        value(text)
    }

    #[test]
    fn percentages_are_exact() {
        assert_eq!(confidence("99.9%").unwrap(), Confidence::new(0.999).unwrap());
        assert_eq!(confidence("0.9").unwrap(), confidence("90%").unwrap());
    }

    #[test]
    fn ninety_five_is_taken_for_a_percentage_in_the_hint_only() {
        assert!(confidence("95").unwrap_err().contains("95%"));
        assert!(confidence("0.3").unwrap_err().contains("at least 0.5"));
        assert!(value::<Probability>("nan").is_err() && confidence("inf").is_err());
    }

    #[test]
    fn codes_are_listed() {
        let codes = |text: &str| value::<Tolerated>(text);
        assert_eq!(codes("all").unwrap(), Tolerated::Everything);
        assert_eq!(codes("1, 2").unwrap(), Tolerated::Codes(vec![1, 2]));
        assert!(codes("300").is_err() && codes("x").is_err() && codes("").is_err());
    }
}
