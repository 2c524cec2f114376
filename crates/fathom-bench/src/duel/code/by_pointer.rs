//! Where code goes on that no reference names: calls and jumps to addresses that it computes.

use super::x86_instruction::{self, Action, Instruction};
use object::Architecture;
use std::collections::BTreeSet;

/// What code does with addresses that it computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ByPointer {
    pub(super) calls: bool,
    /// To an address in a register, which tables of a `match` need as well.
    pub(super) jumps: bool,
}

/// Registers that a function leaves as they were for its caller: BX, BP, R12 to R15. Calls do not
/// change them either, and no argument comes in one.
const PRESERVED: u16 = 0b1111_0000_0010_1000;

impl ByPointer {
    /// Reads the code of a section. Every such instruction is found. Some that are none of them, or
    /// whose target is named elsewhere, may be taken for one, which costs an answer but never makes
    /// a wrong one. `relocated` are the places that the linker fills in.
    pub(super) fn of(
        architecture: Architecture,
        bytes: &[u8],
        relocated: &BTreeSet<u64>,
    ) -> ByPointer {
        match architecture {
            Architecture::X86_64 => {
                x86(bytes, relocated).unwrap_or_else(|| x86_bytes(bytes, relocated))
            }
            Architecture::Aarch64 => {
                let words = bytes.chunks_exact(4);
                let words: Vec<u32> = words
                    .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                    .collect();
                let is = |word: &u32, kind: u32| word & 0xffff_fc1f == kind;
                let calls = words.iter().any(|word| is(word, 0xd63f_0000));
                ByPointer { calls, jumps: words.iter().any(|word| is(word, 0xd61f_0000)) }
            }
            _ => ByPointer { calls: true, jumps: true },
        }
    }
}

/// Instruction by instruction; `None` if one is not known.
///
/// A loop that calls a function of another crate often loads its address once, from the linker's
/// table, and then calls through the register. The function is named where it is loaded, so such a
/// call counts as one by name.
fn x86(bytes: &[u8], relocated: &BTreeSet<u64>) -> Option<ByPointer> {
    let mut found = ByPointer::default();
    // The registers that are called; that hold an address by name; and that may hold another.
    let (mut called, mut named, mut other) = (0_u16, 0_u16, 0_u16);
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let Instruction { length, operands, action } = x86_instruction::first(rest)?;
        let is_named = |place: usize| relocated.contains(&((at + place) as u64));
        match action {
            Action::CallRegister(register) => called |= 1 << register,
            Action::JumpRegister => found.jumps = true,
            Action::ThroughMemory(place) => found.calls |= !place.is_some_and(is_named),
            Action::Load(register, place) if is_named(place) => named |= 1 << register,
            // It is given back to the caller.
            Action::Pop(_) => (),
            // What is saved for the caller is not written.
            _ if is_push(rest) => (),
            _ => other |= operands,
        }
        at += length;
    }
    let is_by_name = named & !other & PRESERVED;
    found.calls |= called & !is_by_name != 0;
    Some(found)
}

/// Whether the first instruction saves a register.
fn is_push(bytes: &[u8]) -> bool {
    match bytes {
        [first, second, ..] if first & 0xf0 == 0x40 => second & 0xf8 == 0x50,
        [first, ..] => first & 0xf8 == 0x50,
        [] => false,
    }
}

/// Bytes that look like such an instruction, wherever they are.
fn x86_bytes(bytes: &[u8], relocated: &BTreeSet<u64>) -> ByPointer {
    let (mut calls, mut jumps) = (false, false);
    for (at, pair) in bytes.windows(2).enumerate() {
        if pair[0] != 0xff {
            continue;
        }
        // Through the linker's table the target is named.
        if relocated.contains(&(at as u64 + 2)) && matches!(pair[1], 0x15 | 0x25) {
            continue;
        }
        match (pair[1] >> 3) & 7 {
            2 => calls = true,
            4 if pair[1] >= 0xc0 => jumps = true,
            4 => calls = true,
            _ => (),
        }
    }
    ByPointer { calls, jumps }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `code` in hexadecimal; `____` are four bytes that the linker fills in.
    fn calls(code: &str) -> bool {
        let mut bytes = Vec::new();
        let mut relocated = BTreeSet::new();
        for word in code.split_whitespace() {
            match word {
                "____" => {
                    relocated.insert(bytes.len() as u64);
                    bytes.extend([0; 4]);
                }
                byte => bytes.push(u8::from_str_radix(byte, 16).unwrap()),
            }
        }
        ByPointer::of(Architecture::X86_64, &bytes, &relocated).calls
    }

    #[test]
    fn a_function_that_a_loop_has_loaded_is_called_by_name() {
        // push r13; mov r13, [rip+f]; call r13; jne; pop r13; ret
        assert!(!calls("41 55 4c 8b 2d ____ 41 ff d5 75 fb 41 5d c3"));
        // push rbp; mov rbp, [rip+f]; call rbp; pop rbp; ret
        assert!(!calls("55 48 8b 2d ____ ff d5 5d c3"));
        // push rbx; lea rbx, [rip+f]; call rbx; pop rbx; ret
        assert!(!calls("53 48 8d 1d ____ ff d3 5b c3"));
        // call [rip+f]; ret
        assert!(!calls("ff 15 ____ c3"));
    }

    #[test]
    fn other_calls_through_a_register_are_not() {
        // mov r13, [rdi]; call r13; and r13 = rsi in another place
        assert!(calls("41 55 4c 8b 2f 41 ff d5 41 5d c3"));
        assert!(calls("41 55 4c 8b 2d ____ 49 89 f5 41 ff d5 41 5d c3"));
        // mov rbx, [rip+f]; mov bh, al; call rbx
        assert!(calls("53 48 8b 1d ____ 88 c7 ff d3 5b c3"));
        // mov rbp, [rip+f] but without a name; cmove rbp, rax
        assert!(calls("55 48 8b 2d 00 00 00 00 ff d5 5d c3"));
        assert!(calls("55 48 8b 2d ____ 48 0f 44 e8 ff d5 5d c3"));
        // An argument, and what any call may change.
        assert!(calls("ff d7 c3"));
        assert!(calls("48 8b 05 ____ e8 ____ ff d0 c3"));
        // Through memory.
        assert!(calls("ff 50 18 c3"));
        assert!(calls("41 ff 54 24 08 c3"));
    }

    #[test]
    fn what_is_not_known_is_looked_for_byte_by_byte() {
        // vmovq rax, xmm0
        assert!(calls("41 55 4c 8b 2d ____ c4 e1 f9 7e c0 41 ff d5 41 5d c3"));
        assert!(!calls("c4 e1 f9 7e c0 c3"));
    }
}
