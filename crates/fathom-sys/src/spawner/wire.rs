//! What the client and the server say to each other: packets of a fixed number of words, and the
//! order's strings in memory that both see.
#![allow(unsafe_code, reason = "memory that processes share")]

use crate::counters::CounterName;
use fathom_record::{Span, Timestamp};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The first argument that makes the program serve. Not an option: users never type it.
pub(crate) const SERVE: &str = "__fathom-spawner";

/// What the server says once it serves: this, and its floor under every peak memory.
pub(crate) const HELLO_WORDS: usize = 2;
pub(crate) const HELLO: u64 = 0x6661_7468_6f6d_0001;

/// An order's numbers; its strings are in shared memory.
pub(crate) const ASK_WORDS: usize = 7;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(crate) length: u64,
    pub(crate) arguments: u64,
    pub(crate) variables: u64,
    pub(crate) cpu: Option<u64>,
    /// A bit per counter, in the order of [`CounterName::ALL`].
    pub(crate) counters: u64,
    /// Whether the child leads a process group of its own.
    pub(crate) own_group: bool,
    /// Whether the client wants to know the child before its exec, and to say when it may go on.
    pub(crate) announce: bool,
}

/// The server's message about a child that waits before its exec: this, and its pid. Whatever
/// packet the client answers with lets it go on.
pub(crate) const ANNOUNCE_WORDS: usize = 2;
pub(crate) const ANNOUNCE: u64 = HELLO ^ u64::MAX;

impl Ask {
    pub(crate) fn to_words(self) -> [u64; ASK_WORDS] {
        [
            self.length,
            self.arguments,
            self.variables,
            self.cpu.unwrap_or(u64::MAX),
            self.counters,
            u64::from(self.own_group),
            u64::from(self.announce),
        ]
    }

    pub(crate) fn from_words(words: [u64; ASK_WORDS]) -> Ask {
        let [length, arguments, variables, cpu, counters, own_group, announce] = words;
        let cpu = Some(cpu).filter(|&cpu| cpu != u64::MAX);
        let (own_group, announce) = (own_group != 0, announce != 0);
        Ask { length, arguments, variables, cpu, counters, own_group, announce }
    }
}

const COUNTERS: usize = CounterName::ALL.len();

/// What an execution cost, or why it did not begin.
pub(crate) const REPLY_WORDS: usize = 12 + COUNTERS;
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Reply {
    /// A [`super::SpawnStep`] that failed; 0 if none did.
    pub(crate) step: u64,
    pub(crate) errno: u64,
    pub(crate) status: u64,
    pub(crate) wall: Span,
    pub(crate) cost: Cost,
    pub(crate) peak_memory: u64,
    /// By [`CounterName::ALL`].
    pub(crate) counters: [Option<f64>; COUNTERS],
}

/// What the kernel adds up for a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cost {
    pub(crate) user: Span,
    pub(crate) system: Span,
    pub(crate) minor_faults: u64,
    pub(crate) major_faults: u64,
    pub(crate) voluntary: u64,
    pub(crate) involuntary: u64,
}

impl Cost {
    const WORDS: usize = 6;

    fn to_words(self) -> [u64; Cost::WORDS] {
        [
            self.user.nanoseconds(),
            self.system.nanoseconds(),
            self.minor_faults,
            self.major_faults,
            self.voluntary,
            self.involuntary,
        ]
    }

    fn from_words(words: [u64; Cost::WORDS]) -> Cost {
        let [user, system, minor_faults, major_faults, voluntary, involuntary] = words;
        let [user, system] = [user, system].map(Span::from_nanoseconds);
        Cost { user, system, minor_faults, major_faults, voluntary, involuntary }
    }

    pub(crate) fn of(usage: &libc::rusage) -> Cost {
        let count = |value: libc::c_long| u64::try_from(value).unwrap_or(0);
        let span = |time: libc::timeval| {
            Span::from_nanoseconds(
                u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000
                    + u64::try_from(time.tv_usec).unwrap_or(0) * 1_000,
            )
        };
        Cost {
            user: span(usage.ru_utime),
            system: span(usage.ru_stime),
            minor_faults: count(usage.ru_minflt),
            major_faults: count(usage.ru_majflt),
            voluntary: count(usage.ru_nvcsw),
            involuntary: count(usage.ru_nivcsw),
        }
    }

    /// What was added since; the kernel never lets one of these go back.
    pub(crate) fn since(self, earlier: Cost) -> Cost {
        let mut words = self.to_words();
        for (word, earlier) in words.iter_mut().zip(earlier.to_words()) {
            *word = word.saturating_sub(earlier);
        }
        Cost::from_words(words)
    }
}

impl Reply {
    pub(crate) fn to_words(self) -> [u64; REPLY_WORDS] {
        let mut words = [0; REPLY_WORDS];
        let wall = self.wall.nanoseconds();
        words[..4].copy_from_slice(&[self.step, self.errno, self.status, wall]);
        words[4..10].copy_from_slice(&self.cost.to_words());
        words[10] = self.peak_memory;
        for (n, value) in self.counters.iter().enumerate() {
            if let Some(value) = value {
                words[11] |= 1 << n;
                words[12 + n] = value.to_bits();
            }
        }
        words
    }

    pub(crate) fn from_words(words: [u64; REPLY_WORDS]) -> Reply {
        let [step, errno, status, wall, ..] = words;
        let mut cost = [0; Cost::WORDS];
        cost.copy_from_slice(&words[4..10]);
        let counter = |n: usize| {
            let value = (words[11] >> n & 1 == 1).then(|| f64::from_bits(words[12 + n]));
            value.filter(|value| value.is_finite())
        };
        Reply {
            step,
            errno,
            status,
            wall: Span::from_nanoseconds(wall),
            cost: Cost::from_words(cost),
            peak_memory: words[10],
            counters: std::array::from_fn(counter),
        }
    }
}

/// Where the shared memory has what: the child's note, the pointers that exec wants, the strings.
/// The pointers are filled in by the server, so that it need not allocate for them.
pub(crate) const NOTE_BYTES: usize = 128;

/// The bytes for `arguments` and `variables` pointers and a null behind each kind.
pub(crate) fn pointer_bytes(arguments: usize, variables: usize) -> Option<usize> {
    arguments.checked_add(variables)?.checked_add(2)?.checked_mul(size_of::<usize>())
}

/// The order's shared memory as the server and the child see it.
pub(crate) struct Shared {
    address: *mut u8,
    length: usize,
}

impl Shared {
    /// Maps the memory behind the file.
    pub(crate) fn map(file: &File, length: u64) -> io::Result<Shared> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        // Beyond the end of the file there would be SIGBUS.
        if length < NOTE_BYTES || file.metadata()?.len() < length as u64 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        // SAFETY: a new mapping at an address of the kernel's choice.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Shared { address: address.cast(), length })
    }

    fn note(&self, n: usize) -> &AtomicU64 {
        debug_assert!(n < NOTE_BYTES / 8);
        // SAFETY: the mapping is page-aligned, lives as long as `self`, and has NOTE_BYTES.
        unsafe { &*self.address.cast::<AtomicU64>().add(n) }
    }

    /// The child notes what it has cost so far, which is ours and not the command's.
    pub(crate) fn note_cost(&self, cost: Cost) {
        for (n, word) in cost.to_words().into_iter().enumerate() {
            self.note(3 + n).store(word, Ordering::Relaxed);
        }
    }

    /// The child notes the moment of exec.
    pub(crate) fn note_began(&self, moment: Timestamp) {
        self.note(0).store(moment.nanoseconds().cast_unsigned(), Ordering::Relaxed);
    }

    /// The child notes why it could not go on.
    pub(crate) fn note_failure(&self, step: u64, errno: i32) {
        self.note(1).store(step, Ordering::Relaxed);
        self.note(2).store(u64::try_from(errno).unwrap_or(0), Ordering::Relaxed);
    }

    pub(crate) fn cost(&self) -> Cost {
        Cost::from_words(std::array::from_fn(|n| self.note(3 + n).load(Ordering::Relaxed)))
    }

    /// The moment of exec; `None` if the child did not get there.
    pub(crate) fn began(&self) -> Option<Timestamp> {
        let noted = self.note(0).load(Ordering::Relaxed);
        (noted != 0).then(|| Timestamp::from_nanoseconds(noted.cast_signed()))
    }

    pub(crate) fn failure(&self) -> (u64, u64) {
        (self.note(1).load(Ordering::Relaxed), self.note(2).load(Ordering::Relaxed))
    }

    /// Fills in the pointers; `None` if the strings are not as many as was said.
    pub(crate) fn strings(&self, ask: &Ask) -> Option<Strings> {
        let arguments = usize::try_from(ask.arguments).ok()?;
        let variables = usize::try_from(ask.variables).ok()?;
        let mut next = NOTE_BYTES.checked_add(pointer_bytes(arguments, variables)?)?;
        let mut string = || {
            let rest = self.length.checked_sub(next).filter(|&rest| rest > 0)?;
            // SAFETY: `next` and the `rest` bytes behind it are in the mapping.
            let (start, nul) = unsafe {
                let start = self.address.add(next);
                (start, libc::memchr(start.cast(), 0, rest))
            };
            if nul.is_null() {
                return None;
            }
            next = nul as usize - self.address as usize + 1;
            Some(start.cast_const().cast::<libc::c_char>())
        };
        let program = string()?;
        let folder = string()?;
        // SAFETY: `pointer_bytes` behind the note are in the mapping (`string` found bytes behind
        // them), and NOTE_BYTES is a multiple of a pointer's size.
        let slot =
            |n: usize| unsafe { &*self.address.add(NOTE_BYTES).cast::<AtomicUsize>().add(n) };
        for n in 0..arguments {
            slot(n).store(string()? as usize, Ordering::Relaxed);
        }
        for n in 0..variables {
            slot(arguments + 1 + n).store(string()? as usize, Ordering::Relaxed);
        }
        slot(arguments).store(0, Ordering::Relaxed);
        slot(arguments + 1 + variables).store(0, Ordering::Relaxed);
        Some(Strings {
            program,
            folder,
            arguments: std::ptr::from_ref(slot(0)).cast(),
            variables: std::ptr::from_ref(slot(arguments + 1)).cast(),
        })
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and what borrows from it borrows from `self`.
        unsafe { libc::munmap(self.address.cast(), self.length) };
    }
}

/// Pointers into [`Shared`], as exec takes them; good for as long as that is.
#[derive(Clone, Copy)]
pub(crate) struct Strings {
    pub(crate) program: *const libc::c_char,
    /// Empty for none.
    pub(crate) folder: *const libc::c_char,
    pub(crate) arguments: *const *const libc::c_char,
    pub(crate) variables: *const *const libc::c_char,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_read_back() {
        for cpu in [None, Some(0), Some(63)] {
            for (own_group, announce) in [(true, false), (false, true)] {
                let (length, arguments, variables, counters) = (9, 1, 2, 5);
                let ask = Ask { length, arguments, variables, cpu, counters, own_group, announce };
                assert_eq!(Ask::from_words(ask.to_words()), ask);
            }
        }
        let cost = Cost {
            user: Span::from_nanoseconds(1),
            system: Span::from_nanoseconds(2),
            minor_faults: 3,
            major_faults: 4,
            voluntary: 5,
            involuntary: 6,
        };
        let wall = Span::from_nanoseconds(10);
        let mut reply = Reply { step: 7, errno: 8, status: 9, wall, cost, ..Reply::default() };
        reply.peak_memory = 11;
        reply.counters[0] = Some(0.5);
        reply.counters[13] = Some(2.0);
        assert_eq!(Reply::from_words(reply.to_words()), reply);
        // What a server of another version understands: the order of the words, in nanoseconds.
        assert_eq!(reply.to_words()[..11], [7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 11]);
    }

    #[test]
    fn costs_are_differences_and_never_negative() {
        let cost = |user, voluntary| Cost {
            user: Span::from_nanoseconds(user),
            voluntary,
            ..Cost::default()
        };
        assert_eq!(cost(10, 1).since(cost(4, 3)), cost(6, 0));
    }

    fn memory(bytes: &[u8]) -> File {
        use std::io::Write;
        use std::os::fd::FromRawFd;
        // SAFETY: a fresh descriptor that nobody else has.
        let mut file = unsafe { File::from_raw_fd(libc::memfd_create(c"test".as_ptr(), 0)) };
        file.write_all(bytes).unwrap();
        file
    }

    /// Orders that do not hold what they say must not lead out of the memory.
    #[test]
    fn strings_stay_within_the_memory() {
        let head = NOTE_BYTES + pointer_bytes(1, 1).unwrap();
        let mut bytes = vec![0; head];
        bytes.extend_from_slice(b"/p\0\0arg\0A=1\0");
        let file = memory(&bytes);
        let length = bytes.len() as u64;
        let ask = |arguments, variables| Ask {
            length,
            arguments,
            variables,
            cpu: None,
            counters: 0,
            own_group: false,
            announce: false,
        };
        let shared = Shared::map(&file, length).unwrap();
        assert!(shared.strings(&ask(1, 1)).is_some());
        assert!(shared.strings(&ask(1, 2)).is_none());
        assert!(shared.strings(&ask(100, 100)).is_none());
        assert!(shared.strings(&ask(u64::MAX, 1)).is_none());
        assert!(shared.strings(&ask(u64::MAX / 16, 1)).is_none());
        assert!(Shared::map(&file, length + 1).is_err());
        assert!(Shared::map(&file, 8).is_err());
        let open_ended = Shared::map(&file, length - 1).unwrap();
        assert!(open_ended.strings(&ask(1, 1)).is_none());
    }
}
