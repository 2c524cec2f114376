//! p-values of many quantities with one error for all (Westfall and Young's step-down).

use super::sign_flips::SignFlips;
use super::studentized::Studentized;

/// What all outcomes of the coins say of the quantities.
pub(super) struct SteppedDown {
    /// For each quantity, the chance that, if nothing differed, any of the quantities that are no clearer
    /// than this one would be as clear as it is.
    pub(super) p_values: Vec<f64>,
    /// The largest statistic of each outcome.
    pub(super) largest: Vec<f64>,
}

pub(super) fn step_down(quantities: &[Studentized], flips: &SignFlips) -> SteppedDown {
    let mut signs = Vec::new();
    flips.write(0, &mut signs);
    let seen: Vec<f64> = quantities.iter().map(|quantity| quantity.statistic(&signs)).collect();
    let mut clearest_first: Vec<usize> = (0..quantities.len()).collect();
    clearest_first.sort_by(|one, other| seen[*other].total_cmp(&seen[*one]));

    let mut as_clear = vec![0_usize; quantities.len()];
    let mut largest_of_all = Vec::with_capacity(flips.count);
    for outcome in 0..flips.count {
        flips.write(outcome, &mut signs);
        let mut largest = 0.0_f64;
        for place in (0..clearest_first.len()).rev() {
            let quantity = clearest_first[place];
            largest = largest.max(quantities[quantity].statistic(&signs));
            // The outcome that happened must not lose against its own rounding.
            as_clear[place] += usize::from(largest >= seen[quantity] * (1.0 - 1e-12));
        }
        largest_of_all.push(largest);
    }

    let mut p_values = vec![1.0; quantities.len()];
    let mut before = 0.0_f64;
    for (place, quantity) in clearest_first.into_iter().enumerate() {
        // A quantity is at most as clear as those before it.
        before = before.max(as_clear[place] as f64 / flips.count as f64);
        p_values[quantity] = before;
    }
    SteppedDown { p_values, largest: largest_of_all }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(differences: &[&[f64]]) -> Vec<f64> {
        let quantities: Vec<Studentized> =
            differences.iter().map(|one| Studentized::of(one, 0.0)).collect();
        step_down(&quantities, &SignFlips::of(differences[0].len(), 1, 10_000)).p_values
    }

    #[test]
    fn one_quantity_that_is_always_larger_has_the_p_value_of_the_coins() {
        assert_eq!(of(&[&[1.0, 1.1, 0.9, 1.0, 1.2, 0.8]]), [2.0 / 64.0]);
    }

    #[test]
    fn a_clear_quantity_does_not_hide_the_next() {
        let clear = [5.0, 5.1, 4.9, 5.0, 5.2, 4.8, 5.1, 5.0];
        let next = [1.0, 0.8, 1.3, 0.7, 1.1, 0.9, 1.4, 0.6];
        let alone = of(&[&next])[0];
        let both = of(&[&clear, &next]);
        // Where the clear one is done with, the next is judged as if it were alone.
        assert_eq!(both, [alone, alone]);
        assert_eq!(alone, 2.0 / 256.0);
    }

    #[test]
    fn an_exact_copy_changes_nothing() {
        let one = [0.5, -0.2, 0.9, 0.4, -0.1, 0.7, 0.3];
        assert_eq!(of(&[&one, &one]), vec![of(&[&one])[0]; 2]);
    }
}
