//! A level that was left and came back is an excursion, not two steps.

use super::excursions::Excursion;
use super::pieces::Piece;

/// The level has come back if it differs by at most this share of how far it was left.
const NEAR: f64 = 0.35;
/// An excursion lasts at most as long as the levels around it, together.
const LONGEST: f64 = 1.0;

/// The pieces without excursions, and the excursions, in the same places.
pub(super) fn split(pieces: Vec<Piece>) -> (Vec<Piece>, Vec<Excursion>) {
    let mut kept: Vec<Piece> = Vec::new();
    let mut excursions = Vec::new();
    for piece in pieces {
        kept.push(piece);
        while let Some(excursion) = last_return(&kept) {
            excursions.push(excursion);
            let after = kept.pop();
            kept.pop();
            if let (Some(before), Some(after)) = (kept.last_mut(), after) {
                before.join(&after);
            }
        }
    }
    (kept, excursions)
}

/// Whether the last level is where it was before the last but one.
fn last_return(kept: &[Piece]) -> Option<Excursion> {
    let [.., before, away, after] = kept else { return None };
    if before.slopes || away.slopes || after.slopes {
        return None;
    }
    let level = f64::midpoint(before.to, after.to);
    let depth = away.to - level;
    let longest = LONGEST * (before.range.len() + after.range.len()) as f64;
    let is_back = (after.to - before.to).abs() <= NEAR * depth.abs();
    let is_short = away.range.len() as f64 <= longest;
    (is_back && is_short).then(|| Excursion {
        range: away.range.clone(),
        level,
        reached: away.to,
        strength: away.strength.hypot(after.strength),
        is_still: false,
    })
}
