//! Which processors a process may run on.
#![allow(unsafe_code, reason = "std cannot ask for or set the affinity")]

use std::fmt;
use std::io;

/// Room for 8192 processors, the most that Linux can be built for; libc's own type ends at 1024.
const WORDS: usize = 128;

/// A set of processors, as the kernel wants it.
pub(crate) struct CpuSet([u64; WORDS]);

/// A processor that cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum AffinityError {
    /// The kernel did not say.
    Unknown(io::Error),
    /// It is not among those that may be used.
    NotAllowed {
        /// The one that was wished for.
        cpu: usize,
        /// Those that could be.
        allowed: Vec<usize>,
    },
}

impl fmt::Display for AffinityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AffinityError::Unknown(error) => {
                write!(f, "cannot ask the kernel which CPUs are available: {error}")
            }
            AffinityError::NotAllowed { cpu, allowed } => {
                write!(f, "CPU {cpu} is not available here. Use one of: {}.", ranges(allowed))
            }
        }
    }
}

impl std::error::Error for AffinityError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AffinityError::Unknown(error) => Some(error),
            AffinityError::NotAllowed { .. } => None,
        }
    }
}

impl From<io::Error> for AffinityError {
    fn from(error: io::Error) -> AffinityError {
        AffinityError::Unknown(error)
    }
}

impl CpuSet {
    /// The set of one; `None` if no Linux supports that many.
    pub(crate) fn only(cpu: usize) -> Option<CpuSet> {
        let mut words = [0; WORDS];
        *words.get_mut(cpu / 64)? = 1 << (cpu % 64);
        Some(CpuSet(words))
    }

    /// Confines the calling thread to it. Allocates nothing: it is called between fork and exec.
    pub(crate) fn confine_self(&self) -> io::Result<()> {
        // SAFETY: the pointer and the size describe the array.
        let result =
            unsafe { libc::sched_setaffinity(0, size_of_val(&self.0), self.0.as_ptr().cast()) };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

/// The processors that this process may use, ascending. A container, `taskset` or `isolcpus` may
/// leave fewer than the machine has.
pub fn allowed() -> Result<Vec<usize>, AffinityError> {
    let mut words = [0_u64; WORDS];
    // SAFETY: the pointer and the size describe the array.
    let result =
        unsafe { libc::sched_getaffinity(0, size_of_val(&words), words.as_mut_ptr().cast()) };
    if result != 0 {
        return Err(io::Error::last_os_error().into());
    }
    Ok((0..WORDS * 64).filter(|cpu| words[cpu / 64] >> (cpu % 64) & 1 == 1).collect())
}

/// Whether a command may be pinned to this processor.
pub fn check(cpu: usize) -> Result<(), AffinityError> {
    let allowed = allowed()?;
    if allowed.contains(&cpu) { Ok(()) } else { Err(AffinityError::NotAllowed { cpu, allowed }) }
}

/// Confines the calling thread, and those it starts from now on, to this processor.
pub fn pin(cpu: usize) -> Result<(), AffinityError> {
    check(cpu)?;
    // It is allowed, so it is not beyond what Linux can have.
    CpuSet::only(cpu).map_or(Ok(()), |set| set.confine_self()).map_err(AffinityError::Unknown)
}

/// Keeps the calling thread, and those it starts from now on, off this processor; whether there is
/// another one for it.
pub fn avoid(cpu: usize) -> Result<bool, AffinityError> {
    let mut words = [0; WORDS];
    for other in allowed()?.into_iter().filter(|&other| other != cpu) {
        words[other / 64] |= 1 << (other % 64);
    }
    if words.iter().all(|&word| word == 0) {
        return Ok(false);
    }
    CpuSet(words).confine_self()?;
    Ok(true)
}

/// "0-3, 6".
fn ranges(cpus: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &cpu in cpus {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == cpu => *last = cpu,
            _ => ranges.push((cpu, cpu)),
        }
    }
    let words = ranges.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_short() {
        assert_eq!(ranges(&[0, 1, 2, 3, 6, 8, 9]), "0-3, 6, 8-9");
        assert_eq!(ranges(&[]), "");
    }

    #[test]
    fn some_processor_is_allowed_and_the_last_thinkable_is_not() {
        let allowed = allowed().unwrap();
        assert!(!allowed.is_empty());
        check(allowed[0]).unwrap();
        let error = check(8191).unwrap_err().to_string();
        assert!(error.starts_with("CPU 8191 is not available here. Use one of: "), "{error}");
        assert!(error.contains(&allowed[0].to_string()), "{error}");
        assert!(check(usize::MAX).is_err());
        assert!(CpuSet::only(8192).is_none());
    }

    #[test]
    fn a_thread_leaves_a_processor_if_it_can() {
        // A thread of its own: the affinity is the thread's.
        let (before, avoided, after) = std::thread::spawn(|| {
            let before = allowed().unwrap();
            let avoided = avoid(before[0]).unwrap();
            (before, avoided, allowed().unwrap())
        })
        .join()
        .unwrap();
        assert_eq!(avoided, before.len() > 1);
        assert_eq!(after, if avoided { before[1..].to_vec() } else { before });
    }
}
