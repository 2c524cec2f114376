//! Six functions of about 100 to 500 ns, and what they work on.
//!
//! `scripts/bench-layouts` makes revisions of this package: in one, `ROUNDS` is 2% more; in another, an
//! unrelated module is added and [`set_up`] uses it.

use std::hint::black_box;

/// The rounds of [`digest`].
const ROUNDS: u32 = 150;

/// What every bench calls once before it measures.
pub fn set_up() -> u64 {
    0
}

/// Mixes bytes. Each round waits for the one before, so the time grows with the number of rounds.
#[inline(never)]
pub fn digest(bytes: &[u8; 64]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for round in 0..black_box(ROUNDS) {
        state = (state ^ u64::from(bytes[(round & 63) as usize])).wrapping_mul(0x0100_0000_01b3);
        state ^= state >> 29;
    }
    state
}

/// The number of words.
#[inline(never)]
pub fn count_words(text: &str) -> usize {
    let mut words = 0;
    let mut is_inside = false;
    for byte in text.bytes() {
        let is_letter = byte.is_ascii_alphabetic();
        words += usize::from(is_letter && !is_inside);
        is_inside = is_letter;
    }
    words
}

/// The sum of numbers with commas between them.
#[inline(never)]
pub fn sum_of_numbers(text: &str) -> u64 {
    let mut sum = 0_u64;
    let mut number = 0_u64;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => number = 10 * number + u64::from(byte - b'0'),
            _ => {
                sum = sum.wrapping_add(number);
                number = 0;
            }
        }
    }
    sum.wrapping_add(number)
}

/// How many of the keys a sorted list has.
#[inline(never)]
pub fn found(sorted: &[u32], keys: &[u32]) -> usize {
    keys.iter().filter(|key| sorted.binary_search(key).is_ok()).count()
}

/// The median of a few numbers, by insertion.
#[inline(never)]
pub fn median(numbers: &[u32; 36]) -> u32 {
    let mut sorted = *numbers;
    for end in 1..sorted.len() {
        let mut place = end;
        while place > 0 && sorted[place - 1] > sorted[place] {
            sorted.swap(place - 1, place);
            place -= 1;
        }
    }
    sorted[sorted.len() / 2]
}

/// The distance of two words in edits.
#[inline(never)]
pub fn distance(one: &[u8; 10], other: &[u8; 12]) -> usize {
    let mut row: [usize; 13] = std::array::from_fn(|column| column);
    for (line, a) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, b) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[12]
}

/// Inputs for all of them.
pub struct Inputs {
    pub bytes: [u8; 64],
    pub text: String,
    pub numbers: String,
    pub sorted: Vec<u32>,
    pub keys: Vec<u32>,
    pub few: [u32; 36],
    pub words: ([u8; 10], [u8; 12]),
}

impl Inputs {
    /// The same every time.
    pub fn new() -> Inputs {
        let mut state = 88_172_645_463_325_252_u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u32
        };
        let sorted: Vec<u32> = (0..512).map(|number| 3 * number).collect();
        Inputs {
            bytes: std::array::from_fn(|_| random() as u8),
            text: "the quick brown fox jumps over the lazy dog; ".repeat(4),
            numbers: (0..60)
                .map(|_| (random() % 100_000).to_string())
                .collect::<Vec<_>>()
                .join(","),
            keys: (0..20).map(|_| random() % 1536).collect(),
            few: std::array::from_fn(|_| random() % 1000),
            words: (*b"benchmarks", *b"measurements"),
            sorted,
        }
    }
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs::new()
    }
}
