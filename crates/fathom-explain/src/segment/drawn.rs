//! The lines that the target is cut into, to be drawn over it.

use crate::correlate::lines_of_target;
use crate::{NoAnswer, Question};
use fathom_record::Timestamp;

/// A straight line over some rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnLine {
    /// When its first row starts, and how high it is there.
    pub from: (Timestamp, f64),
    /// The same of when its last row ends.
    pub to: (Timestamp, f64),
}

/// The target's lines in each window, as correlators cut it: into as many as are asked for, or as many
/// as are worth it. A window in which nothing was seen has none.
///
/// # Errors
/// If the number of lines is not given and all windows are too short to choose it.
pub fn drawn(question: &Question) -> Result<Vec<Vec<DrawnLine>>, NoAnswer> {
    let grid = &question.grid;
    let windows = lines_of_target(question)?;
    let drawn = windows.iter().map(|(points, lines)| {
        let line = |line: &super::Line| {
            let rows = points.rows();
            let (first, _) = grid.row(*rows.get(line.points.start)?)?;
            let (_, last) = grid.row(*rows.get(line.points.end.checked_sub(1)?)?)?;
            let knot = |time: Timestamp| {
                let seconds = time.nanoseconds_f64() * 1e-9;
                (time, line.at(seconds).clamp(f64::MIN, f64::MAX))
            };
            Some(DrawnLine { from: knot(first), to: knot(last) })
        };
        lines.lines.iter().filter_map(line).collect()
    });
    Ok(drawn.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, Segments, Sequence};

    const S: i64 = 1_000_000_000;

    fn at(nanoseconds: i64) -> Timestamp {
        Timestamp::from_nanoseconds(nanoseconds)
    }

    /// Rises by 1 a row up to row 30, then stays level at 5.
    fn question(segments: Segments) -> Question {
        let target = (0..60).map(|row| if row < 30 { f64::from(row) } else { 5.0 });
        Question {
            grid: Grid::new((0..=60).map(|n| at(n * S)).collect()).unwrap(),
            target: Sequence::from(target.collect::<Vec<_>>()),
            windows: vec![0..40, 50..60],
            baseline: None,
            segments,
            pattern: None,
        }
    }

    fn near(line: &DrawnLine, from: (i64, f64), to: (i64, f64)) {
        assert_eq!((line.from.0, line.to.0), (at(from.0 * S), at(to.0 * S)), "{line:?}");
        let off = (line.from.1 - from.1).abs().max((line.to.1 - to.1).abs());
        assert!(off < 1e-9, "{line:?}");
    }

    #[test]
    fn lines_go_from_the_start_of_a_row_to_the_end_of_one() {
        let windows = drawn(&question(Segments::Auto)).unwrap();
        assert_eq!(windows.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        // A row's value is that of its middle.
        near(&windows[0][0], (0, -0.5), (30, 29.5));
        near(&windows[0][1], (30, 5.0), (40, 5.0));
        near(&windows[1][0], (50, 5.0), (60, 5.0));
    }

    #[test]
    fn as_many_lines_as_are_asked_for() {
        let one = drawn(&question(Segments::Exactly(1))).unwrap();
        assert_eq!(one.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
        let two = drawn(&question(Segments::Exactly(2))).unwrap();
        near(&two[0][0], (0, -0.5), (30, 29.5));
        // Level is level: no second line is better than one.
        assert_eq!(two[1].len(), 1);
    }

    #[test]
    fn short_windows_say_what_to_do() {
        let mut short = question(Segments::Auto);
        short.windows = std::iter::once(0..10).collect();
        assert!(drawn(&short).unwrap_err().0.contains("--segments"));
        short.segments = Segments::Exactly(2);
        assert_eq!(drawn(&short).unwrap().len(), 1);
        short.target = Sequence::new(&[None; 60]);
        assert_eq!(drawn(&short).unwrap(), [vec![]]);
    }
}
