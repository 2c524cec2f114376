//! Files of lines such as "VmSwap:       0 kB".

use crate::probes::digits;

/// The numbers of some keys, in bytes where the file says kB; what is not there stays `None`. Keys
/// are given in the order in which they are expected, which saves time and is not relied on.
pub(super) fn read<const N: usize>(text: &[u8], keys: &[&[u8]; N]) -> [Option<u64>; N] {
    let mut values = [None; N];
    let mut expected = 0;
    for line in digits::lines(text) {
        let is_of = |key: &&&[u8]| line.get(key.len()) == Some(&b':') && line.starts_with(key);
        let place = match keys.get(expected).as_ref() {
            Some(key) if is_of(key) => Some(expected),
            Some(_) => keys.iter().position(|key| is_of(&key)),
            None => break,
        };
        let Some(place) = place else { continue };
        expected = place + 1;
        let (Some(key), Some(value)) = (keys.get(place), values.get_mut(place)) else { continue };
        *value = number(line.get(key.len() + 1..).unwrap_or_default());
    }
    values
}

fn number(text: &[u8]) -> Option<u64> {
    let mut words = digits::words(text);
    let number = digits::number(words.next()?)?;
    match words.next() {
        Some(b"kB") => number.checked_mul(1024),
        Some(_) => None,
        None => Some(number),
    }
}

#[cfg(test)]
mod tests {

    #[test]
    fn keys_are_found_in_any_order() {
        let keys: [&[u8]; 3] = [b"VmHWM", b"VmSwap", b"Threads"];
        let read = |text: &str| super::read(text.as_bytes(), &keys);
        let all = [Some(3 << 10), Some(4 << 10), Some(7)];
        assert_eq!(read("Name:\tx\nVmHWM:\t   3 kB\nVmSwap:\t 4 kB\nThreads:\t7\nVm:\t1\n"), all);
        assert_eq!(read("VmSwap:\t 4 kB\nVmHWM:\t   3 kB\nThreads:\t7\n"), all);
        assert_eq!(read("VmSwapped: 1 kB\nVmSwa: 2 kB\nVmSwap 3 kB\nThreads: x\n"), [None; 3]);
        assert_eq!(read("VmSwap: 18446744073709551615 kB\n"), [None; 3]);
    }
}
