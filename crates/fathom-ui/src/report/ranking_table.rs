//! The ranked metrics, and those that take no part.

use super::html::Html;
use super::picture;
use super::table::{Column, cell, number, table};
use super::time_words::time_words;
use fathom_explain::{Explanation, Ranked, Sign};
use fathom_render::explanation::{q_words, says};

const RANKED: &[Column] = &[
    Column::Numbers("#"),
    Column::Name("metric"),
    Column::Words("layer"),
    Column::Picture("shape"),
    Column::Words("says"),
    Column::Words("sign"),
    Column::Numbers("lag"),
    Column::Numbers("q"),
    Column::Numbers("score"),
];

/// Every metric, near copies included.
pub(super) fn ranking(html: &mut Html, explanation: &Explanation) {
    let head = [
        Html::default(),
        cell(&explanation.target.metric.name),
        cell(explanation.target.metric.layer.as_str()),
        picture::outline(&explanation.target.outline, explanation.outline),
        cell("the target"),
    ];
    let rest = || std::iter::repeat_with(Html::default);
    let head = head.into_iter().chain(rest()).take(RANKED.len()).collect();
    let rows = explanation.ranking.iter().enumerate();
    let rows = rows.map(|(place, metric)| row(explanation, place, metric));
    let caption = "Metrics, best-ranked first; the shaded part is the window";
    table(html, caption, RANKED, std::iter::once(head).chain(rows));
}

fn row(explanation: &Explanation, place: usize, metric: &Ranked) -> Vec<Html> {
    let mut name = cell(&metric.metric.name);
    let first = metric.copy_of.and_then(|first| explanation.ranking.get(first));
    if let Some(first) = first {
        name.markup(" <small>near copy of <bdi>").text(&first.metric.name).markup("</bdi></small>");
    }
    let sign = match metric.sign {
        Sign::With => "with",
        Sign::Against => "against",
        Sign::Unsaid => "",
    };
    vec![
        number(&(place + 1).to_string()),
        name,
        cell(metric.metric.layer.as_str()),
        picture::outline(&metric.outline, explanation.outline),
        cell(&says(metric, explanation, None)),
        cell(sign),
        number(&metric.lag.map_or(String::new(), |lag| time_words(lag.nanoseconds_f64()))),
        number(&q_words(metric.q_value)),
        number(&metric.score.map_or(String::new(), score_words)),
    ]
}

/// Four digits: what comes behind them is not a reason to look at one before the other.
fn score_words(score: f64) -> String {
    match score {
        score if score.is_infinite() => if score > 0.0 { "∞" } else { "−∞" }.to_string(),
        score if score.abs() >= 1000.0 => format!("{score:.0}"),
        score if score.abs() >= 10.0 => format!("{score:.1}"),
        score => format!("{score:.3}"),
    }
}

/// Metrics excluded from the ranking, and why.
pub(super) fn excluded(html: &mut Html, explanation: &Explanation) {
    if explanation.excluded.is_empty() {
        return;
    }
    html.heading("Excluded");
    let columns = [Column::Name("metric"), Column::Words("layer"), Column::Words("reason")];
    let row = |one: &fathom_explain::Excluded| {
        vec![cell(&one.metric.name), cell(one.metric.layer.as_str()), cell(&one.reason.to_string())]
    };
    table(
        html,
        "Metrics excluded from the ranking",
        &columns,
        explanation.excluded.iter().map(row),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_short() {
        let scores = [0.912_34, 12.345, 12345.6, f64::INFINITY, -0.5].map(score_words);
        assert_eq!(scores, ["0.912", "12.3", "12346", "∞", "-0.500"]);
    }
}
