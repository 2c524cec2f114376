//! What to type in a terminal for what the page shows.

use super::command::explain_request;
use super::{PageQuestion, Traces, Trouble};
use fathom_render::shell::line;
use fathom_request::{Request, TypedSpan};
use serde::{Deserialize, Serialize};

/// A view of the page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ViewQuery {
    /// What it asks.
    pub question: PageQuestion,
    /// Whether its windows were chosen; otherwise only its target was.
    pub selects: bool,
}

/// The commands for a view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Commands {
    /// `fathom explain ...`, which gives the same ranking.
    pub explain: String,
    /// `fathom ui ...`, which opens the same view.
    pub ui: String,
}

impl Traces {
    /// The commands for a view.
    pub fn commands(&self, view: &ViewQuery) -> Result<Commands, Trouble> {
        let mut request = explain_request(&self.opened, &view.question.request()?);
        let explain = Request::from(request.clone()).command_line();
        // `fathom ui` selects nothing on its own.
        if view.selects && request.windows.is_empty() {
            request.windows.push(TypedSpan::Whole);
        }
        let words = request.ui_words();
        let ui = line(std::iter::once("fathom").chain(words.iter().map(String::as_str)));
        Ok(Commands { explain, ui })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traces::made_up::{MadeUp, gauge};
    use serde_json::json;

    #[test]
    fn a_view_is_opened_as_it_is() {
        let run = |id: &str| (id.to_string(), vec![gauge("ipc", &[1.0, 2.0])]);
        let traces = Traces::new(MadeUp::new(vec![run("run-1"), run("run-2")]).opened());
        let commands = |windows: serde_json::Value, selects: bool| {
            let question = json!({
                "target": "ipc", "run": "run-2", "windows": windows, "baseline": null,
                "segments": "auto", "pattern": null, "common": null, "normalise": false,
                "penalty": 0, "correlator": "pearson", "score_in": "every",
            });
            let view = serde_json::from_value(json!({ "question": question, "selects": selects }));
            traces.commands(&view.unwrap()).unwrap()
        };
        let asked = "traces --target ipc --run run-2";
        let chosen = commands(json!([[0.5, 1.0]]), true);
        let options = "--window 0.5..1 --correlator pearson";
        assert_eq!(chosen.explain, format!("fathom explain {asked} {options}"));
        assert_eq!(chosen.ui, format!("fathom ui {asked} {options}"));
        let whole = commands(json!([]), true);
        assert_eq!(whole.explain, format!("fathom explain {asked} --correlator pearson"));
        assert_eq!(whole.ui, format!("fathom ui {asked} --window all --correlator pearson"));
        assert_eq!(
            commands(json!([]), false).ui,
            format!("fathom ui {asked} --correlator pearson")
        );
    }
}
