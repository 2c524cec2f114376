//! Suggestions as they are, with every number: the same data give the same bytes, and a change of the
//! method shows here.

use super::*;

/// A name, how many rows, and the values without noise.
type Planted<'a> = (&'a str, usize, &'a dyn Fn(usize) -> f64);

fn lines(rows: usize, seed: u64, shape: impl Fn(usize) -> f64) -> String {
    let found = of(series(rows, seed, shape));
    let line = |suggestion: &Suggestion| {
        let Suggestion { kind, windows, strength, level, reached, times, seconds, .. } = suggestion;
        let windows: Vec<String> =
            windows.iter().map(|window| format!("{}-{}", window.start, window.end)).collect();
        format!(
            "{kind:?} {}; strength {strength:.6}; {level:.6} to {reached:.6}; {times} times {seconds:.3} s\n    {}",
            windows.join(" "),
            suggestion.about
        )
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_number_is_the_same() {
    let wave = |row: usize, period: f64| 8.0 * (row as f64 * std::f64::consts::TAU / period).sin();
    let shapes: [Planted<'_>; 8] = [
        ("a step down", 300, &|row| -5.0 * within(row, &(120..300))),
        ("stairs", 500, &|row| 4.0 * within(row, &(150..500)) + 6.0 * within(row, &(330..500))),
        ("a slow rise between levels", 500, &|row| 0.06 * row.clamp(150, 350) as f64),
        ("a wave with a dip", 700, &|row| wave(row, 41.0) - 60.0 * within(row, &(333..345))),
        ("short waves and a step", 640, &|row| wave(row, 9.0) + 20.0 * within(row, &(400..640))),
        ("spikes of two sizes", 600, &|row| {
            let small = within(row, &(80..84)) + within(row, &(400..403));
            30.0 * small + 200.0 * (within(row, &(200..201)) + within(row, &(500..501)))
        }),
        ("a long dip and a fall", 800, &|row| {
            -8.0 * within(row, &(150..260)) - 0.05 * row.clamp(450, 600) as f64
        }),
        ("levels of other sizes", 400, &|row| if row < 200 { 50.0 } else { 50_000.0 }),
    ];
    let all = shapes
        .iter()
        .zip(40..)
        .map(|((name, rows, shape), seed)| format!("{name}:\n{}\n", lines(*rows, seed, shape)));
    insta::assert_snapshot!(all.collect::<String>());
}
