//! Periods, by hand and against the plain definitions.

use super::*;

fn wave(rows: usize, period: f64) -> Vec<f64> {
    let turn = std::f64::consts::TAU / period;
    let jitter = |row: usize| ((row * 7919 + row * row * 104_729) % 1009) as f64 / 10_090.0;
    (0..rows).map(|row| (row as f64 * turn).sin() + jitter(row)).collect()
}

#[test]
fn a_correlation_is_that_of_its_pairs() {
    let values = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 1.0];
    for later in [0, 1, 3] {
        let (one, two) = (&values[..values.len() - later], &values[later..]);
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (a, b) = (mean(one), mean(two));
        let product: f64 = one.iter().zip(two).map(|(x, y)| (x - a) * (y - b)).sum();
        let square = |part: &[f64], mean: f64| part.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        let expected = product / (square(one, a) * square(two, b)).sqrt();
        let found = correlation(&values, later).unwrap();
        assert!((found - expected).abs() < 1e-12, "{later}: {found} {expected}");
    }
    assert_eq!(correlation(&values, 4), None, "of fewer than four pairs there is none");
    assert_eq!(correlation(&values, 8), None);
    assert_eq!(correlation(&[2.0; 9], 1), None);
    assert!((agreement_of(&values, &values) - 1.0).abs() < 1e-12);
    let upside_down: Vec<f64> = values.iter().map(|value| -value).collect();
    assert!((agreement_of(&values, &upside_down) + 1.0).abs() < 1e-12);
    assert_eq!(agreement_of(&[1.0; 9], &values), 0.0);
}

#[test]
fn a_periodogram_is_the_square_of_a_tapered_transform() {
    let values = wave(24, 6.0);
    let power = periodogram(&values);
    assert_eq!(power.len(), 16, "half of the next power of two");
    for place in [0, 1, 4, 5, 15] {
        let (mut re, mut im) = (0.0, 0.0);
        for (row, value) in values.iter().enumerate() {
            let taper = (std::f64::consts::PI * (row as f64 + 0.5) / 24.0).sin().powi(2);
            let turn = std::f64::consts::TAU * (place * row) as f64 / 32.0;
            re += taper * value * turn.cos();
            im -= taper * value * turn.sin();
        }
        let expected = re * re + im * im;
        assert!((power[place] - expected).abs() < 1e-9 * (1.0 + expected), "{place}");
    }
}

#[test]
fn dependence_is_evened_out() {
    // Of lag-1 correlation 1/2: |1 − e^{iω}/2|².
    let values = [1.0, 1.0, 0.0, 0.0];
    let gain = against_dependence(&values, 4).unwrap();
    for (place, gain) in gain.iter().enumerate() {
        let turn = std::f64::consts::PI * place as f64 / 4.0;
        assert!((gain - (1.25 - turn.cos())).abs() < 1e-12, "{place}: {gain}");
    }
    assert_eq!(gain.len(), 4);
    // What alternates counts as independent, and a walk is not evened out to nothing.
    assert_eq!(against_dependence(&[1.0, -1.0, 1.0], 2), Some(vec![1.0, 1.0]));
    let close = against_dependence(&[1.0; 1000], 2).unwrap();
    assert!((close[0] - 0.0004).abs() < 1e-12, "{close:?}");
    assert_eq!(against_dependence(&[0.0; 9], 4), None);
}

#[test]
fn what_is_usual_is_around_the_peak_without_it() {
    let mut level = vec![2.0; 400];
    level[60] = 1000.0;
    level[0] = 9000.0;
    let usual = Around::new(&level).usual(60, 2);
    assert!((usual - 2.0 / std::f64::consts::LN_2).abs() < 1e-12);
    // From a third of the place to three times.
    let stairs: Vec<f64> = (0..400).map(f64::from).collect();
    let others: Vec<f64> =
        (10..98).filter(|other| u32::abs_diff(*other, 30) > 3).map(f64::from).collect();
    let expected = others[others.len() / 2] / std::f64::consts::LN_2;
    assert!((Around::new(&stairs).usual(30, 3) - expected).abs() < 1e-12);
    assert_eq!(Around::new(&[1.0, 2.0]).usual(1, 5), f64::INFINITY);
}

#[test]
fn a_band_is_neither_slower_nor_much_faster_than_its_period() {
    let values: Vec<f64> = (0..30_u32).map(|row| f64::from(row * row % 13)).collect();
    let sums = Sums::of(&values);
    let band = Band::new(&sums, 30, 8.0);
    assert_eq!((band.eighth, band.inner()), (2, 4..26));
    let mean = |range: Range<usize>| values[range.clone()].iter().sum::<f64>() / range.len() as f64;
    for place in [4, 10, 25] {
        // A whole period in the middle: seven values and half of one on each side.
        let whole = (7.0 * mean(place - 3..place + 4)
            + 0.5 * (values[place - 4] + values[place + 4]))
            / 8.0;
        let expected = mean(place - 1..place + 1) - whole;
        assert!((band.at(place) - expected).abs() < 1e-12, "{place}");
    }
    let short = Band::new(&sums, 30, 1.0);
    assert_eq!(short.eighth, 0);
    let whole = 0.5 * values[9] + 0.25 * (values[8] + values[10]);
    assert!((short.at(9) - (values[9] - whole)).abs() < 1e-12);
    // Of a period between whole numbers, too: 4.2 values on each side of the middle of one.
    let between = Band::new(&sums, 30, 8.4);
    assert_eq!(between.inner(), 4..26);
    let whole = (7.0 * mean(7..14) + 0.7 * (values[6] + values[14])) / 8.4;
    assert!((between.at(10) - (mean(9..11) - whole)).abs() < 1e-12);
    assert_eq!(Band::new(&sums, 30, 9.4).inner(), 5..25);
    assert_eq!(Band::new(&sums, 3, 8.0).inner(), 4..4);
}

#[test]
fn the_length_of_a_period_is_found() {
    for (rows, period) in [(120, 8.0), (300, 22.5), (400, 50.0), (500, 10.0)] {
        let found = find(&wave(rows, period)).unwrap();
        assert!((found.length / period - 1.0).abs() < 0.03, "{period}: {found:?}");
        let periods = (12.0 / found.length).ceil().max(1.0);
        let window = found.clearest.len() as f64;
        assert!((window - periods * found.length).abs() <= 1.5, "{period}: {found:?}");
        assert!(found.extent.0 < -0.6 && found.extent.1 > 0.6 && found.extent.1 < 1.2, "{found:?}");
        assert!(found.strength > 1.0 && found.strength <= STRONGEST);
        // From low to low, where that can be told from single values.
        if period < 20.0 {
            continue;
        }
        let values = wave(rows, period);
        let at = |row: usize| values[row.min(rows - 1)];
        assert!(at(found.clearest.start) < -0.3 && at(found.clearest.end) < -0.3, "{found:?}");
    }
    // Fewer than three and a half periods are not called one.
    assert!(find(&wave(100, 25.0)).is_some());
    assert_eq!(find(&wave(100, 34.0)), None);
    assert_eq!(find(&wave(13, 4.0)), None);
}

#[test]
fn agreement_is_the_smaller_of_one_and_two_periods() {
    let values = wave(400, 20.0);
    let sums = Sums::of(&values);
    let (length, agreement) = super::agreement(&sums, 400, 20.4).unwrap();
    assert!((length - 20.0).abs() <= 0.5 && agreement > 0.98, "{length} {agreement}");
    let (_, half) = super::agreement(&sums, 400, 10.0).unwrap();
    assert!(half < 0.5, "half a period later it is upside down: {half}");
    assert!(super::agreement(&sums, 400, 115.0).is_none());
}

#[test]
fn a_wave_has_its_height_whatever_its_length() {
    for (rows, period) in
        [(2000, 4.3), (2000, 7.3), (3000, 10.24), (3000, 12.1), (5000, 40.21), (30_000, 501.7)]
    {
        for height in [1.0, 30.0] {
            let turn = std::f64::consts::TAU / period;
            let jitter = |row: usize| ((row * 7919 + row * row * 104_729) % 1009) as f64 / 10_090.0;
            let wave = |row: usize| height * ((row as f64 * turn).sin() + jitter(row));
            let found = find(&(0..rows).map(wave).collect::<Vec<f64>>()).unwrap();
            let cycles = rows as f64 / period;
            let off = (found.length / period - 1.0) * cycles;
            assert!(
                off.abs() < 0.1,
                "{period}: after {rows} rows it is {off} periods off: {found:?}"
            );
            // A mean of a quarter of a wave is lower than its top.
            let quarter = (period / 4.0_f64).round();
            let expected = height * (quarter * turn / 2.0).sin() / (quarter * (turn / 2.0).sin());
            let (low, high) = found.extent;
            assert!((high / expected - 1.0).abs() < 0.06, "{period}: {high} for {expected}");
            assert!((low / expected + 1.0).abs() < 0.06, "{period}: {low} for {expected}");
        }
    }
}

#[test]
fn a_summit_is_found_between_two_values() {
    let wave = |period: f64| -> Vec<f64> {
        (0..3000).map(|row| (f64::from(row) * std::f64::consts::TAU / period).sin()).collect()
    };
    let (later, agreement) = summit(&wave(300.4), 310.0, 25.0);
    assert!((later - 300.4).abs() < 0.02 && agreement > 0.999, "{later} {agreement}");
    let (later, _) = summit(&wave(10.3), 10.0, 0.8);
    assert!((later - 10.3).abs() < 0.02, "{later}");
    let (later, _) = summit(&wave(10.3), 41.0, 0.8);
    assert!((later - 41.2).abs() < 0.02, "{later}");
    // Not further away than asked for.
    assert!((summit(&wave(300.4), 250.0, 25.0).0 - 275.0).abs() <= 0.5);
    // There is none in what is too short or level.
    assert_eq!(summit(&[1.0, 2.0], 1.0, 1.0), (1.0, -1.0));
    assert_eq!(summit(&[1.0; 50], 10.0, 1.0), (10.0, -1.0));
}
