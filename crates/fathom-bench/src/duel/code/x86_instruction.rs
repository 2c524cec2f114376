//! As much of an x86-64 instruction as it takes to know where a call through a register leads: its
//! length, the registers it may write, and whether it calls, jumps or loads an address.

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Instruction {
    pub(super) length: usize,
    /// One bit for each general register that it has as an operand other than in an address, which
    /// it may write.
    pub(super) operands: u16,
    pub(super) action: Action,
}

/// What it does that matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    CallRegister(u8),
    JumpRegister,
    /// Calls what an address in memory holds, or jumps there. With the place of the distance if the
    /// address counts from the instruction.
    ThroughMemory(Option<usize>),
    /// Loads an address that counts from the instruction, or what is there. With the register, and
    /// the place of the distance.
    Load(u8, usize),
    Pop(u8),
    Other,
}

/// What follows an opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    has_operand_byte: bool,
    immediate: usize,
    /// Of the registers in the operand byte, those that are general and may be written.
    reg: bool,
    rm: bool,
    /// The opcode's low three bits are a register.
    has_register: bool,
}

const NOTHING: Shape =
    Shape { has_operand_byte: false, immediate: 0, reg: false, rm: false, has_register: false };
const BOTH: Shape = Shape { has_operand_byte: true, reg: true, rm: true, ..NOTHING };
/// The operand byte's first register is part of the opcode.
const GROUP: Shape = Shape { reg: false, ..BOTH };
const FIRST: Shape = Shape { rm: false, ..BOTH };
/// Registers of another kind.
const VECTOR: Shape = Shape { reg: false, rm: false, ..BOTH };

impl Shape {
    const fn immediate(self, bytes: usize) -> Shape {
        Shape { immediate: bytes, ..self }
    }

    const fn with_register(self) -> Shape {
        Shape { has_register: true, ..self }
    }
}

const RBX: u8 = 3;
const RBP: u8 = 5;

/// The first instruction; `None` for the few kinds that are not known here.
pub(super) fn first(bytes: &[u8]) -> Option<Instruction> {
    let mut at = 0;
    let mut is_short = false;
    while let Some(
        prefix @ (0x66 | 0x67 | 0xf0 | 0xf2 | 0xf3 | 0x2e | 0x36 | 0x3e | 0x26 | 0x64 | 0x65),
    ) = bytes.get(at).copied()
    {
        is_short |= prefix == 0x66;
        at += 1;
    }
    let rex = bytes.get(at).copied().filter(|byte| byte & 0xf0 == 0x40);
    at += usize::from(rex.is_some());
    let bits = rex.unwrap_or(0);
    let opcode = *bytes.get(at)?;
    at += 1;
    let is_wide = bits & 8 != 0;
    let long = if is_short && !is_wide { 2 } else { 4 };
    let is_escape = opcode == 0x0f;
    let (opcode, shape) = if is_escape {
        let second = *bytes.get(at)?;
        at += 1;
        if matches!(second, 0x38 | 0x3a) {
            at += 1;
        }
        (second, of_escape(second)?)
    } else {
        (opcode, of_opcode(opcode, *bytes.get(at).unwrap_or(&0), long, is_wide)?)
    };
    let mut operands = Operands { mask: 0, has_rex: rex.is_some() };
    if shape.has_register {
        operands.add(opcode & 7 | (bits & 1) << 3);
    }
    // The registers that have no operand byte to name them.
    match (is_escape, opcode) {
        (true, 0xa2) => operands.add(RBX),
        (false, 0xc9) => operands.add(RBP),
        _ => (),
    }
    let mut action = match (is_escape, opcode) {
        (false, 0x58..=0x5f) => Action::Pop(opcode & 7 | (bits & 1) << 3),
        _ => Action::Other,
    };
    if shape.has_operand_byte {
        let byte = *bytes.get(at)?;
        at += 1;
        let (mode, rm) = (byte >> 6, byte & 7);
        let reg = byte >> 3 & 7;
        let (full_reg, full_rm) = (reg | (bits & 4) << 1, rm | (bits & 1) << 3);
        let is_relative = mode == 0 && rm == 5;
        let is_register = mode == 3;
        if shape.reg {
            operands.add(full_reg);
        }
        if shape.rm && is_register {
            operands.add(full_rm);
        }
        let distance_at = is_relative.then_some(at);
        action = match (is_escape, opcode, reg) {
            (false, 0xff, 2) if is_register => Action::CallRegister(full_rm),
            (false, 0xff, 4) if is_register => Action::JumpRegister,
            (false, 0xff, 2..=5) => Action::ThroughMemory(distance_at),
            (false, 0x8b | 0x8d, _) if is_wide && is_relative => Action::Load(full_reg, at),
            _ => action,
        };
        if !is_register && rm == 4 {
            let base = *bytes.get(at)? & 7;
            at += 1;
            at += if mode == 0 && base == 5 { 4 } else { 0 };
        }
        at += match mode {
            0 if is_relative => 4,
            1 => 1,
            2 => 4,
            _ => 0,
        };
    }
    let length = at + shape.immediate;
    (length <= bytes.len()).then_some(Instruction { length, operands: operands.mask, action })
}

struct Operands {
    mask: u16,
    has_rex: bool,
}

impl Operands {
    fn add(&mut self, register: u8) {
        self.mask |= 1 << register;
        // Without a REX prefix, the seventh of eight bits may be the upper half of BX.
        if register == 7 && !self.has_rex {
            self.mask |= 1 << RBX;
        }
    }
}

/// `next` is the byte that follows, and `long` the length of a long immediate.
fn of_opcode(opcode: u8, next: u8, long: usize, is_wide: bool) -> Option<Shape> {
    let is_test = next >> 3 & 7 < 2;
    Some(match opcode {
        0x00..=0x3f => match opcode & 7 {
            0..=3 => BOTH,
            4 => NOTHING.immediate(1),
            5 => NOTHING.immediate(long),
            _ => return None,
        },
        0x50..=0x5f | 0x90..=0x97 => NOTHING.with_register(),
        0x63 | 0x84..=0x8b => BOTH,
        0x8d => FIRST,
        0x68 | 0xa9 => NOTHING.immediate(long),
        0x69 => BOTH.immediate(long),
        0x6b => BOTH.immediate(1),
        0x6a | 0x70..=0x7f | 0xa8 | 0xcd | 0xe0..=0xe3 | 0xeb => NOTHING.immediate(1),
        0x80 | 0x83 | 0xc0 | 0xc1 | 0xc6 => GROUP.immediate(1),
        0x81 | 0xc7 => GROUP.immediate(long),
        0x98 | 0x99 | 0x9b..=0x9f | 0xa4..=0xa7 | 0xaa..=0xaf | 0xc3 | 0xc9 | 0xcc => NOTHING,
        0xf4 | 0xf5 | 0xf8..=0xfd => NOTHING,
        0xb0..=0xb7 => NOTHING.immediate(1).with_register(),
        0xb8..=0xbf => NOTHING.immediate(if is_wide { 8 } else { long }).with_register(),
        0xc2 => NOTHING.immediate(2),
        0xd0..=0xd3 | 0xfe | 0xff => GROUP,
        0xd8..=0xdf => VECTOR,
        0xe8 | 0xe9 => NOTHING.immediate(4),
        0xf6 => GROUP.immediate(if is_test { 1 } else { 0 }),
        0xf7 => GROUP.immediate(if is_test { long } else { 0 }),
        // Among them the prefixes of AVX.
        _ => return None,
    })
}

/// Opcodes that begin with 0x0f.
fn of_escape(opcode: u8) -> Option<Shape> {
    Some(match opcode {
        0x05 | 0x0b | 0x31 | 0x77 | 0xa0..=0xa2 | 0xa8 | 0xa9 => NOTHING,
        0x01 | 0x0d | 0x18..=0x1f | 0xae => GROUP,
        0x10..=0x17 | 0x28..=0x2b | 0x2e | 0x2f | 0x51..=0x6f | 0x74..=0x76 | 0x7c..=0x7d => VECTOR,
        0x7f | 0xd0..=0xd6 | 0xd8..=0xfe => VECTOR,
        0x70..=0x73 | 0xc2 | 0xc4 | 0xc6 => VECTOR.immediate(1),
        0x2c | 0x2d | 0x50 | 0xd7 => FIRST,
        0xc5 => FIRST.immediate(1),
        0x7e => GROUP,
        0x38 => BOTH,
        0x3a => BOTH.immediate(1),
        0x40..=0x4f | 0x90..=0x9f => BOTH,
        0xa3 | 0xa5 | 0xab | 0xad | 0xaf | 0xb0 | 0xb1 | 0xb3 | 0xb6..=0xb8 | 0xbb..=0xbf => BOTH,
        0xc0 | 0xc1 | 0xc3 => BOTH,
        0xa4 | 0xac => BOTH.immediate(1),
        0xba => GROUP.immediate(1),
        0xc7 => GROUP,
        0x80..=0x8f => NOTHING.immediate(4),
        0xc8..=0xcf => NOTHING.with_register(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `objdump -d` shows them; it agrees with all 129,820 different instructions of a bench that
    /// are known here.
    const KNOWN: &[&str] = &[
        "c3",
        "90",
        "55",
        "41 5f",
        "f3 0f 1e fa",
        "66 2e 0f 1f 84 00 00 00 00 00",
        "48 89 e5",
        "48 83 ec 18",
        "81 fb 00 10 00 00",
        "66 81 fb 00 10",
        "48 b8 00 00 00 00 00 00 00 00",
        "41 be 01 00 00 00",
        "66 41 be 01 00",
        "48 8b 44 24 08",
        "48 8b 84 cd 00 01 00 00",
        "4c 8b 2d 00 00 00 00",
        "42 0f b6 04 25 00 00 00 00",
        "f6 c1 01",
        "f6 d9",
        "48 f7 c1 01 00 00 00",
        "48 f7 e1",
        "f2 0f 58 05 00 00 00 00",
        "66 0f 73 d8 08",
        "66 0f 3a 0f c1 08",
        "66 0f 38 00 c1",
        "f2 48 0f 38 f1 c1",
        "f0 48 0f c1 05 00 00 00 00",
        "0f 84 00 00 00 00",
        "ff 15 00 00 00 00",
        "41 ff d5",
        "3e ff e0",
    ];

    fn bytes(code: &str) -> Vec<u8> {
        code.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
    }

    #[test]
    fn lengths_are_those_of_the_processor() {
        for code in KNOWN {
            let code = bytes(code);
            let followed: Vec<u8> = code.iter().copied().chain([0; 16]).collect();
            assert_eq!(first(&followed).map(|one| one.length), Some(code.len()), "{code:x?}");
            // What is cut off is no instruction.
            for end in 0..code.len() {
                let cut = first(&code[..end]);
                assert!(cut.is_none_or(|one| one.length <= end), "{code:x?}");
            }
        }
        assert_eq!(first(&bytes("c4 e1 f9 7e c0")), None, "AVX");
    }

    #[test]
    fn what_may_be_written_is_noted() {
        let writes = |code: &str, register: u8| {
            first(&bytes(code)).is_some_and(|one| one.operands >> register & 1 == 1)
        };
        // mov r13, rax; mov rax, [r13]; xor ebx, ebx; bswap r12; cpuid; leave; pmovmskb ebp, xmm0
        assert!(writes("49 89 c5", 13) && !writes("49 8b 45 00", 13));
        assert!(writes("31 db", 3) && writes("49 0f cc", 12) && writes("0f a2", 3));
        assert!(writes("c9", 5) && writes("66 0f d7 e8", 5));
        // mov bh, al; and with a REX prefix it is dil
        assert!(writes("88 c7", 3) && !writes("40 88 c7", 3));
        // movaps xmm5, xmm3; sub rax, 1: no general register is number 5 there
        assert!(!writes("0f 28 eb", 5) && !writes("48 83 e8 01", 5));
    }
}
