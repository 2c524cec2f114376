//! How much memory this process has.

/// The bytes of memory that this process has in RAM; `None` where the system does not tell.
#[must_use]
#[cfg(not(any(target_os = "macos", windows)))]
pub fn resident_bytes() -> Option<u64> {
    None
}

/// The bytes of memory that this process has in RAM; `None` where the system does not tell.
#[must_use]
#[cfg(target_os = "macos")]
#[allow(unsafe_code, reason = "std does not ask for the memory of a process")]
pub fn resident_bytes() -> Option<u64> {
    // SAFETY: zeros are a valid proc_taskinfo, which holds numbers only.
    let mut info: libc::proc_taskinfo = unsafe { std::mem::zeroed() };
    let size = libc::c_int::try_from(size_of_val(&info)).ok()?;
    // SAFETY: the pointer and the size describe `info`.
    let written = unsafe {
        let info = (&raw mut info).cast();
        libc::proc_pidinfo(libc::getpid(), libc::PROC_PIDTASKINFO, 0, info, size)
    };
    (written == size).then_some(info.pti_resident_size)
}

/// The bytes of memory that this process has in RAM; `None` where the system does not tell.
#[must_use]
#[cfg(windows)]
#[allow(unsafe_code, reason = "std does not ask for the memory of a process")]
pub fn resident_bytes() -> Option<u64> {
    use std::ffi::c_void;

    /// Windows' `PROCESS_MEMORY_COUNTERS`.
    #[repr(C)]
    struct MemoryCounters {
        size: u32,
        page_faults: u32,
        peak_working_set: usize,
        working_set: usize,
        quota_and_pagefile: [usize; 6],
    }

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetCurrentProcess() -> *mut c_void;
        fn K32GetProcessMemoryInfo(
            process: *mut c_void,
            counters: *mut MemoryCounters,
            size: u32,
        ) -> i32;
    }

    let size = u32::try_from(size_of::<MemoryCounters>()).ok()?;
    let mut counters = MemoryCounters {
        size,
        page_faults: 0,
        peak_working_set: 0,
        working_set: 0,
        quota_and_pagefile: [0; 6],
    };
    // SAFETY: the pointer and the size describe `counters`; the handle of this process needs no closing.
    let is_told =
        unsafe { K32GetProcessMemoryInfo(GetCurrentProcess(), &raw mut counters, size) } != 0;
    is_told.then_some(counters.working_set as u64)
}
