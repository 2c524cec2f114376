//! What several executions of one system have in common.

use super::NameMeaning;
use fathom_record::{Shape, Unit};
use std::collections::btree_map::Entry;

/// Why executions cannot be judged by one property.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// A name means different things.
    #[error(
        "\"{name}\" is {first} in one execution and {second} in another. Rename one of them, so \
         that each name has one meaning."
    )]
    TwoMeanings {
        /// The name.
        name: String,
        /// What it is in one.
        first: &'static str,
        /// What it is in the other.
        second: &'static str,
    },
    /// A name has different units.
    #[error("\"{name}\" is {first} in one execution and {second} in another. {remedy}.")]
    TwoUnits {
        /// The name.
        name: String,
        /// What it is in, in one.
        first: String,
        /// What it is in, in the other.
        second: String,
        /// What to do.
        remedy: String,
    },
}

pub(super) fn unite(
    name: &str,
    known: &mut NameMeaning,
    other: &NameMeaning,
) -> Result<(), CatalogueError> {
    match (known, other) {
        (NameMeaning::Scalar { unit: first }, NameMeaning::Scalar { unit: second }) => {
            same_unit(name, first, second)
        }
        (
            NameMeaning::Signal { unit: first, shape },
            NameMeaning::Signal { unit: second, shape: other_shape },
        ) => {
            // What holds for lines holds for steps as well.
            if *other_shape == Shape::Linear {
                *shape = Shape::Linear;
            }
            same_unit(name, first, second)
        }
        (NameMeaning::Event { attributes }, NameMeaning::Event { attributes: others }) => {
            for (attribute, unit) in others {
                match attributes.entry(attribute.clone()) {
                    Entry::Vacant(free) => {
                        free.insert(unit.clone());
                    }
                    Entry::Occupied(known) => {
                        same_unit(&format!("{name}.{attribute}"), known.get(), unit)?;
                    }
                }
            }
            Ok(())
        }
        (known, other) => Err(CatalogueError::TwoMeanings {
            name: name.to_string(),
            first: known.noun(),
            second: other.noun(),
        }),
    }
}

pub(super) fn same_unit(name: &str, first: &Unit, second: &Unit) -> Result<(), CatalogueError> {
    if first == second {
        return Ok(());
    }
    let shown = |unit: &Unit| match unit {
        Unit::Unknown => "without a unit".to_string(),
        known => format!("in {known}"),
    };
    // Only where the data say nothing can the user say it.
    let known = match (first, second) {
        (Unit::Unknown, known) | (known, Unit::Unknown) => Some(known),
        _ => None,
    };
    let remedy = match known {
        Some(unit) => format!(
            "Add the unit to all of them or, if all are in {unit}, set it with --unit {name}={unit}"
        ),
        None => "Use the same unit in all of them".to_string(),
    };
    Err(CatalogueError::TwoUnits {
        name: name.to_string(),
        first: shown(first),
        second: shown(second),
        remedy,
    })
}
