//! What the paper found, held against what is found here.

use super::found::{Found, Mean, short};
use super::methods::Method;
use super::shapes::{Category, Shape};
use crate::markdown::MarkdownTable;
use fathom_explain::Correlator::{
    self, BestSplits, Euclidean, Manhattan, ManualPattern, Pearson, SameSplits, Spearman, Warping,
};

/// A sentence of the paper's section 6.
pub(super) struct Finding {
    paper: &'static str,
    here: String,
    holds: bool,
}

/// The paper's eight.
pub(super) const PAPER: [Correlator; 8] =
    [Pearson, Spearman, Euclidean, Manhattan, Warping, SameSplits, BestSplits, ManualPattern];

fn of(category: Category) -> impl Iterator<Item = Shape> {
    Shape::ALL.into_iter().filter(move |shape| shape.category() == category)
}

/// Every finding, in the paper's order.
pub(super) fn all(found: &Found) -> Vec<Finding> {
    vec![
        manual_never_low(found),
        others_all_low_somewhere(found),
        manual_near_the_best(found),
        manual_above_pearson(found),
        euclidean_below_manhattan(found),
        distances_worst_when_distorted(found),
        same_beats_best(found),
        same_below_manual(found),
        five_good_when_continuous(found),
        best_splits_when_continuous(found),
        discontinuous_harder(found),
        spearman_when_distorted(found),
        windows_above_whole(found),
    ]
}

/// As a table, and how many hold.
pub(super) fn section(findings: &[Finding]) -> String {
    let held = findings.iter().filter(|finding| finding.holds).count();
    let mut table = MarkdownTable::new(["the paper", "here", "holds"]);
    for finding in findings {
        let holds = if finding.holds { "yes" } else { "**no**" };
        table.row([finding.paper, finding.here.as_str(), holds]);
    }
    format!("{held} of {} hold.\n\n{}", findings.len(), table.render())
}

fn mean(found: &Found, shape: Shape, correlator: Correlator) -> f64 {
    found.mean(shape, Method::Ours(correlator)).value
}

fn worst(found: &Found, correlator: Correlator) -> (Shape, f64) {
    found.worst(Method::Ours(correlator))
}

fn at_worst(found: &Found, correlator: Correlator) -> String {
    let (shape, lowest) = worst(found, correlator);
    format!("{correlator} {} ({})", short(lowest), shape.name())
}

fn manual_never_low(found: &Found) -> Finding {
    let (_, lowest) = worst(found, ManualPattern);
    Finding {
        paper: "The manual pattern is never below .83",
        here: format!("lowest: {}", at_worst(found, ManualPattern)),
        holds: lowest >= 0.83,
    }
}

fn others_all_low_somewhere(found: &Found) -> Finding {
    let others = || PAPER.into_iter().filter(|one| *one != ManualPattern);
    Finding {
        paper: "Every other correlator has a pattern at or below .60",
        here: others().map(|one| at_worst(found, one)).collect::<Vec<_>>().join(", "),
        holds: others().all(|one| worst(found, one).1 <= 0.6),
    }
}

fn manual_near_the_best(found: &Found) -> Finding {
    let behind = |shape: Shape| {
        let best = PAPER.map(|one| mean(found, shape, one)).into_iter().fold(0.0, f64::max);
        best - mean(found, shape, ManualPattern)
    };
    let behind = Shape::ALL.map(|shape| (shape, behind(shape)));
    let best = behind.iter().filter(|(_, by)| *by <= 0.0).count();
    let (shape, by) =
        behind.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((Shape::Wave, 0.0));
    Finding {
        paper: "The manual pattern is the best of the eight or close to it for all patterns",
        here: format!(
            "best in {best} of 7, at most {} behind the best ({}); close is taken as .05",
            short(by),
            shape.name()
        ),
        holds: by <= 0.05,
    }
}

fn manual_above_pearson(found: &Found) -> Finding {
    let ahead = Shape::ALL.map(|shape| (shape, found.ahead(shape, ManualPattern, Pearson)));
    // What twenty data sets can tell from 0 need not be worth the drawing.
    let matters = |by: &Mean| by.is_surely_positive() && by.value >= 0.02;
    let count = ahead.iter().filter(|(_, by)| matters(by)).count();
    let said = ahead.iter().map(|(shape, by)| format!("{} {}", shape.name(), short(by.value)));
    Finding {
        paper: "The manual pattern usually outperforms Pearson's coefficient significantly",
        here: format!(
            "ahead by {}; by .02 or more (a limit set after the results were seen), beyond \
             chance, in {count} of 7",
            said.collect::<Vec<_>>().join(", ")
        ),
        holds: count > 3,
    }
}

fn euclidean_below_manhattan(found: &Found) -> Finding {
    let ahead = found.ahead(Shape::Distorted, Manhattan, Euclidean);
    Finding {
        paper: "Euclidean distance is below Manhattan distance on D D",
        here: format!("by {}", ahead.said()),
        holds: ahead.is_surely_positive(),
    }
}

fn distances_worst_when_distorted(found: &Found) -> Finding {
    let of = |one: Correlator| mean(found, Shape::Distorted, one);
    let statistical = of(Pearson).min(of(Spearman));
    let distances = [Euclidean, Manhattan, Warping];
    let said = [Pearson, Spearman, Euclidean, Manhattan, Warping]
        .map(|one| format!("{one} {}", short(of(one))));
    Finding {
        paper: "On D D the distances are far worse than Pearson and Spearman",
        here: said.join(", "),
        holds: distances.iter().all(|&one| of(one) < statistical - 0.05),
    }
}

fn same_beats_best(found: &Found) -> Finding {
    let ahead = Shape::ALL.map(|shape| (shape, found.ahead(shape, SameSplits, BestSplits)));
    let wins = ahead.iter().filter(|(_, by)| by.value > 0.0).count();
    let said = ahead.iter().map(|(shape, by)| format!("{} {}", shape.name(), short(by.value)));
    Finding {
        paper: "Same splits beats best splits on six of seven",
        here: format!("on {wins}; ahead by {}", said.collect::<Vec<_>>().join(", ")),
        holds: wins >= 6,
    }
}

fn same_below_manual(found: &Found) -> Finding {
    let (same, manual) = (
        found.overall(Method::Ours(SameSplits)).value,
        found.overall(Method::Ours(ManualPattern)).value,
    );
    Finding {
        paper: "Same splits performs much worse than the manual pattern",
        here: format!("mean of seven {} against {}", short(same), short(manual)),
        holds: same < manual - 0.05,
    }
}

fn five_good_when_continuous(found: &Found) -> Finding {
    let five = [Pearson, Euclidean, Manhattan, Warping, ManualPattern];
    let lowest = |one: Correlator| {
        of(Category::Continuous).map(|shape| mean(found, shape, one)).fold(f64::INFINITY, f64::min)
    };
    Finding {
        paper: "On continuous patterns five correlators reach .88 (Pearson, Euclid, Manhattan, DTW, \
                manual pattern)",
        here: format!(
            "lowest of the three: {}",
            five.map(|one| format!("{one} {}", short(lowest(one)))).join(", ")
        ),
        holds: five.into_iter().all(|one| lowest(one) >= 0.88),
    }
}

fn best_splits_when_continuous(found: &Found) -> Finding {
    let all: Vec<(Shape, f64)> =
        of(Category::Continuous).map(|shape| (shape, mean(found, shape, BestSplits))).collect();
    let said = all.iter().map(|(shape, mean)| format!("{} {}", shape.name(), short(*mean)));
    Finding {
        paper: "Best splits is never better than .70 on continuous patterns",
        here: said.collect::<Vec<_>>().join(", "),
        holds: all.iter().all(|(_, mean)| *mean <= 0.7),
    }
}

fn discontinuous_harder(found: &Found) -> Finding {
    let level = |category: Category| {
        let shapes: Vec<Shape> = of(category).collect();
        let sum: f64 = shapes.iter().map(|&shape| mean(found, shape, Pearson)).sum();
        sum / shapes.len() as f64
    };
    let (smooth, sharp) = (level(Category::Continuous), level(Category::Discontinuous));
    Finding {
        paper: "Pearson's coefficient does worse on discontinuous patterns than on continuous ones",
        here: format!("{} against {}", short(sharp), short(smooth)),
        holds: sharp < smooth,
    }
}

fn spearman_when_distorted(found: &Found) -> Finding {
    let ahead: Vec<_> = of(Category::Distorted)
        .map(|shape| (shape, found.ahead(shape, Spearman, Pearson)))
        .collect();
    let said = ahead.iter().map(|(shape, by)| format!("{} by {}", shape.name(), by.said()));
    Finding {
        paper: "Spearman's coefficient beats Pearson's on both distorted patterns",
        here: said.collect::<Vec<_>>().join(", "),
        holds: ahead.iter().all(|(_, by)| by.is_surely_positive()),
    }
}

fn windows_above_whole(found: &Found) -> Finding {
    let pairs = [Pearson, Manhattan, Warping, ManualPattern].map(|one| {
        (one, mean(found, Shape::GrowthWhole, one), mean(found, Shape::GrowthTwice, one))
    });
    let said = pairs
        .iter()
        .map(|(one, whole, windows)| format!("{one} {} to {}", short(*whole), short(*windows)));
    Finding {
        paper: "Two clean windows (J GI 2) are better than the whole metric (J GI 1)",
        here: said.collect::<Vec<_>>().join(", "),
        holds: pairs.iter().all(|(_, whole, windows)| windows > whole),
    }
}
