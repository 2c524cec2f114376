//! A module that none of the six functions uses: 64 functions and a table.

/// Not a multiple of a page, so that all that follows it lies elsewhere.
static TABLE: [u64; 5003] = table();

const fn table() -> [u64; 5003] {
    let mut table = [0; 5003];
    let mut place = 0;
    while place < table.len() {
        table[place] = (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place as u64) >> 3;
        place += 1;
    }
    table
}

/// A function for every `K`, none of which is like another.
#[inline(never)]
fn step<const K: u64>(mut value: u64) -> u64 {
    for round in 0..(3 + K % 5) {
        value = value.rotate_left((K % 61) as u32) ^ TABLE[((value ^ round) % 5003) as usize];
        if value % (K + 2) == 0 {
            value = value.wrapping_mul(2 * K + 1).wrapping_add(K << (K % 17));
        }
    }
    value
}

macro_rules! in_turn {
    ($value:ident: $($k:literal)*) => { $($value = step::<$k>($value);)* };
}

/// Goes through all of them. Nothing takes the address of a function: the code that a pointer could lead
/// to is the same as before.
#[inline(never)]
pub fn run(seed: u64) -> u64 {
    let mut value = seed;
    in_turn!(value:
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61
        62 63
    );
    value
}
