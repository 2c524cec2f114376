//! The JSON contract, generated from the types that write it: `docs/json.md` for people and
//! `docs/fathom.schema.json` for programs.

mod outline;
mod page;
mod schema;
mod wording;

pub use page::page;
pub use schema::schema;

use fathom_analyze::Document;
use fathom_engine::doctor::CheckupDocument;
use fathom_engine::explain::SuggestionsDocument;
use fathom_engine::record::{PlanDocument, RecordingDocument};
use fathom_engine::traces::TracesDocument;
use fathom_engine::{CheckPlanDocument, SessionListDocument};
use fathom_explain::contrast::ContrastDocument;
use fathom_explain::document::ExplanationDocument;
use fathom_property::CheckDocument;
use fathom_request::Request;
use schemars::{Schema, SchemaGenerator};

/// The page, from the top of the repository.
pub const PAGE: &str = "docs/json.md";

/// The JSON Schema, from the top of the repository.
pub const SCHEMA: &str = "docs/fathom.schema.json";

/// A document of the contract.
struct Contracted {
    /// The heading of its section.
    title: &'static str,
    /// What writes it.
    written_by: &'static str,
    /// Adds its schema and refers to it.
    schema: fn(&mut SchemaGenerator) -> Schema,
}

/// Every document, in the order of the page.
const DOCUMENTS: &[Contracted] = &[
    Contracted {
        title: "Runs and comparisons",
        written_by: "`fathom run`, `compare`, `analyze`, `show` of their sessions, and benches write it. \
                     `fathom analyze` reads it again if it has `values`.",
        schema: SchemaGenerator::subschema_for::<Document<'static>>,
    },
    Contracted {
        title: "Checks",
        written_by: "`fathom check` and `show` of its sessions write it.",
        schema: SchemaGenerator::subschema_for::<CheckDocument<'static>>,
    },
    Contracted {
        title: "Check plans",
        written_by: "`fathom check --dry-run` writes it.",
        schema: SchemaGenerator::subschema_for::<CheckPlanDocument<'static>>,
    },
    Contracted {
        title: "Explanations",
        written_by: "`fathom explain` writes it. `fathom ui` and `fathom report` open it again.",
        schema: SchemaGenerator::subschema_for::<ExplanationDocument<'static>>,
    },
    Contracted {
        title: "Contrasts",
        written_by: "`fathom explain` writes it for two groups of runs: `--against TRACES` and \
                     `--runs-where`.",
        schema: SchemaGenerator::subschema_for::<ContrastDocument<'static>>,
    },
    Contracted {
        title: "Suggested windows",
        written_by: "`fathom explain --suggest` writes it.",
        schema: SchemaGenerator::subschema_for::<SuggestionsDocument<'static>>,
    },
    Contracted {
        title: "Recording plans",
        written_by: "`fathom record --dry-run` writes it.",
        schema: SchemaGenerator::subschema_for::<PlanDocument<'static>>,
    },
    Contracted {
        title: "Recordings",
        written_by: "`fathom record` writes it.",
        schema: SchemaGenerator::subschema_for::<RecordingDocument<'static>>,
    },
    Contracted {
        title: "Trace folders",
        written_by: "`fathom show` of a trace folder writes it.",
        schema: SchemaGenerator::subschema_for::<TracesDocument<'static>>,
    },
    Contracted {
        title: "Saved sessions",
        written_by: "`fathom list` writes it.",
        schema: SchemaGenerator::subschema_for::<SessionListDocument<'static>>,
    },
    Contracted {
        title: "The machine",
        written_by: "`fathom doctor` writes it.",
        schema: SchemaGenerator::subschema_for::<CheckupDocument<'static>>,
    },
    Contracted {
        title: "Requests",
        written_by: "A request is a question as data: `request` in explanations, and what a session \
                     stores. Options are written as on the command line.",
        schema: SchemaGenerator::subschema_for::<Request>,
    },
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::json_schema::Validator;
    use crate::repository;

    fn committed(path: &str) -> String {
        std::fs::read_to_string(repository::top().join(path)).unwrap()
    }

    #[test]
    fn what_is_committed_is_what_is_generated() {
        let again = "run `cargo run --release -p fathom-testkit -- json` and commit what it writes";
        assert!(committed(SCHEMA) == schema().unwrap(), "{SCHEMA} is out of date: {again}");
        assert!(committed(PAGE) == page().unwrap(), "{PAGE} is out of date: {again}");
    }

    #[test]
    fn every_field_says_what_it_means() {
        let schema: serde_json::Value = serde_json::from_str(&schema().unwrap()).unwrap();
        for (name, one) in schema["$defs"].as_object().unwrap() {
            for (field, of) in one["properties"].as_object().into_iter().flatten() {
                assert!(of["description"].is_string(), "{name}.{field} has no description");
            }
        }
    }

    #[test]
    fn requests_of_every_kind_are_in_the_contract() {
        let schema: serde_json::Value = serde_json::from_str(&schema().unwrap()).unwrap();
        let validator = Validator::new(&schema);
        let requests: [Request; 5] = [
            fathom_request::RecordRequest::default().into(),
            fathom_request::ExplainRequest::default().into(),
            fathom_request::ContrastRequest::default().into(),
            fathom_request::SuggestRequest::default().into(),
            fathom_request::AnalyzeRequest::default().into(),
        ];
        let boxed = [
            Request::Run(Box::default()),
            Request::Compare(Box::default()),
            Request::Check(Box::default()),
        ];
        for request in requests.into_iter().chain(boxed) {
            assert_eq!(validator.check("Request", &request.to_value()), Ok(()));
        }
    }
}
