//! Counterexamples to bench_diff's derivation of its noise model, as docs/methods/assumptions.md
//! tells them; and what holds instead.

/// A machine that goes from half speed to full speed in ten units of time, in a straight line.
fn slowness(t: f64) -> f64 {
    2.0 - 0.1 * t
}

/// Its bounds, in the names of the derivation.
const LEAST: f64 = 1.0;
const STEEPEST: f64 = 0.1;

/// Step 4: 1/α(tₚ) − 1/α(t₁) = −α'(t_q)/α(t₁)². The derivative is the same everywhere, so the right
/// side is .025 whatever tₚ is; the left side goes to 0 with tₚ − t₁, which the step drops.
#[test]
fn step_four_drops_the_distance() {
    let claimed = STEEPEST / slowness(0.0).powi(2);
    let true_of = |later: f64| 1.0 / slowness(later) - 1.0 / slowness(0.0);
    assert!((claimed - 0.025).abs() < 1e-15);
    assert!(true_of(0.01) < 0.011 * claimed, "{}", true_of(0.01));
    assert!(true_of(10.0) > 19.0 * claimed, "{}", true_of(10.0));
    // With the distance, and α at t_q too, the mean value theorem holds: t_q lies in between.
    for later in [0.01, 1.0, 5.0, 10.0] {
        let square = later * STEEPEST / true_of(later);
        assert!(slowness(later).powi(2) < square && square < slowness(0.0).powi(2), "{later}");
    }
}

/// So the bound that follows from it, |ε| ≤ A_D (1 + A_D / A_L), is exceeded.
#[test]
fn the_bound_of_step_four_is_exceeded() {
    let elapsed = 10.0;
    let change = (slowness(elapsed) / slowness(0.0)).ln();
    let epsilon = change * slowness(0.0) / elapsed;
    let bound = STEEPEST * (1.0 + STEEPEST / LEAST);
    assert!(epsilon.abs() > 1.2 * bound, "{epsilon} {bound}");
    // What holds: a logarithm changes by at most A_D / A_L per unit of time.
    assert!(change.abs() <= elapsed * STEEPEST / LEAST);
}

/// Step 9: |E(ε L)| ≤ E(|ε|) E(|L|). A run that takes longer reaches farther into what the machine
/// does next, so ε grows with L where the machine begins to slow down; and then it is the other way
/// round.
#[test]
fn step_nine_needs_what_is_not_given() {
    let slowness = |t: f64| 1.0 + 0.5 * (t - 1.0_f64).max(0.0).powi(2);
    let epsilon = |length: f64| slowness(length).ln() * slowness(0.0) / length;
    let lengths = [0.5, 1.5];
    let mean = |of: &dyn Fn(f64) -> f64| 0.5 * (of(lengths[0]) + of(lengths[1]));
    let of_product = mean(&|length| epsilon(length) * length);
    let product = mean(&epsilon) * mean(&|length| length);
    assert!(of_product > 1.4 * product, "{of_product} {product}");
    // What holds, and is all that the derivation goes on with: the largest ε instead of its mean.
    assert!(of_product <= epsilon(1.5) * mean(&|length| length));
}

/// Steps 15 and 16 give the bias of pairs in either order, and not that of both together: they
/// nearly cancel, to half the drift over the difference of the two times.
#[test]
fn alternating_pairs_are_nearly_unbiased() {
    let rate: f64 = 0.01;
    let [first, second] = [1.0, 1.5];
    // ln α grows by `rate` per unit of time, and a run has the speed of its start.
    let pair = |earlier: f64| rate * earlier;
    let ratio = f64::ln(first / second);
    let of_both = 0.5 * ((ratio - pair(first)) + (ratio + pair(second)));
    let bias = of_both - ratio;
    assert!((bias - 0.5 * rate * (second - first)).abs() < 1e-15, "{bias}");
    assert!(bias.abs() < 0.51 * (pair(second) - pair(first)));
    // The same in blocks of ABBA and BAAB, whichever the coin says.
    for order in [[0, 1, 1, 0], [1, 0, 0, 1]] {
        let (mut clock, mut logs) = (0.0, [0.0; 2]);
        for who in order {
            let work = [first, second][who];
            logs[who] += f64::ln(work) + rate * clock;
            clock += work;
        }
        let found = 0.5 * (logs[0] - logs[1]) - ratio;
        assert!((found - bias).abs() < 1e-12, "{order:?}: {found} {bias}");
    }
}
