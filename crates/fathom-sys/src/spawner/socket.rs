//! Packets of words between two processes, with open files in them.
#![allow(unsafe_code, reason = "std cannot send open files")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

/// Standard input, output, error, and the shared memory.
pub(crate) const FILES: usize = 4;

/// Room for the control message of [`FILES`] descriptors, aligned as it must be.
#[repr(C, align(8))]
struct Control([u8; 64]);

/// Two connected ends, both closed at exec. A packet arrives whole or not at all.
pub(crate) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends: [RawFd; 2] = [-1; 2];
    let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
    // SAFETY: the kernel writes two descriptors into the array.
    if unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just gave us these; nobody else has them.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

fn again<T: PartialOrd + From<i8>>(mut call: impl FnMut() -> T) -> io::Result<T> {
    loop {
        let result = call();
        if result >= T::from(0) {
            return Ok(result);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Sends words, and files if there are any.
pub(crate) fn send(
    socket: BorrowedFd<'_>,
    words: &[u64],
    files: Option<[RawFd; FILES]>,
) -> io::Result<()> {
    let mut part =
        libc::iovec { iov_base: words.as_ptr().cast_mut().cast(), iov_len: size_of_val(words) };
    let mut control = Control([0; 64]);
    // SAFETY: all pointers are to locals that outlive the call, with their true sizes; the control
    // message fits (checked by a test) and is written only through the macros made for it.
    again(|| unsafe {
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        if let Some(files) = files {
            let size = size_of_val(&files) as libc::c_uint;
            message.msg_control = control.0.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(size) as _;
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size) as _;
            libc::CMSG_DATA(header).cast::<[RawFd; FILES]>().write_unaligned(files);
        }
        libc::sendmsg(socket.as_raw_fd(), &raw const message, libc::MSG_NOSIGNAL)
    })
    .map(|_| ())
}

/// What came.
pub(crate) enum Packet<const N: usize> {
    /// This many words, and perhaps files.
    Whole([u64; N], Option<[OwnedFd; FILES]>),
    /// The other end is closed.
    End,
}

/// Waits for a packet of `N` words.
pub(crate) fn receive<const N: usize>(socket: BorrowedFd<'_>) -> io::Result<Packet<N>> {
    let mut words = [0_u64; N];
    match receive_into(socket, &mut words)? {
        (0, _) => Ok(Packet::End),
        (length, files) if length == N => Ok(Packet::Whole(words, files)),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// A packet of one of two lengths.
pub(crate) enum Either<const N: usize, const M: usize> {
    /// Of the shorter.
    First([u64; N]),
    /// Of the longer.
    Second([u64; M]),
    /// The other end is closed.
    End,
}

/// Waits for a packet of `N` words or of `M`, which is more.
pub(crate) fn receive_either<const N: usize, const M: usize>(
    socket: BorrowedFd<'_>,
) -> io::Result<Either<N, M>> {
    let mut words = [0_u64; M];
    match receive_into(socket, &mut words)? {
        (0, _) => Ok(Either::End),
        (length, _) if length == M => Ok(Either::Second(words)),
        (length, _) if length == N => {
            Ok(Either::First(std::array::from_fn(|n| words.get(n).copied().unwrap_or(0))))
        }
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Waits for a packet of at most this many words: how many came, and the files in it.
fn receive_into(
    socket: BorrowedFd<'_>,
    words: &mut [u64],
) -> io::Result<(usize, Option<[OwnedFd; FILES]>)> {
    let mut part = libc::iovec { iov_base: words.as_mut_ptr().cast(), iov_len: size_of_val(words) };
    let mut control = Control([0; 64]);
    // SAFETY: all-zero is a valid msghdr; the pointers in it are set below, to memory that outlives
    // its uses, with their true sizes.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    let length = again(|| {
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.0.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(&control.0) as _;
        // SAFETY: see above.
        unsafe { libc::recvmsg(socket.as_raw_fd(), &raw mut message, libc::MSG_CMSG_CLOEXEC) }
    })?;
    if length == 0 {
        return Ok((0, None));
    }
    // SAFETY: the kernel filled the control buffer; the descriptors in it are new and ours.
    let files = unsafe {
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        let size = size_of::<[RawFd; FILES]>() as libc::c_uint;
        if !header.is_null()
            && (*header).cmsg_level == libc::SOL_SOCKET
            && (*header).cmsg_type == libc::SCM_RIGHTS
            && (*header).cmsg_len as usize == libc::CMSG_LEN(size) as usize
        {
            let files = libc::CMSG_DATA(header).cast::<[RawFd; FILES]>().read_unaligned();
            Some(files.map(|file| OwnedFd::from_raw_fd(file)))
        } else {
            None
        }
    };
    let length = usize::try_from(length).unwrap_or(0);
    if length % size_of::<u64>() != 0 || message.msg_flags & libc::MSG_TRUNC != 0 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok((length / size_of::<u64>(), files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn the_control_message_fits() {
        // SAFETY: plain arithmetic.
        let space = unsafe { libc::CMSG_SPACE(size_of::<[RawFd; FILES]>() as libc::c_uint) };
        assert!(space as usize <= size_of::<Control>());
    }

    #[test]
    fn packets_arrive_with_their_files_until_the_end() {
        let (here, there) = pair().unwrap();
        let file = std::fs::File::open("/dev/null").unwrap();
        send(here.as_fd(), &[1, 2], Some([file.as_raw_fd(); FILES])).unwrap();
        send(here.as_fd(), &[3], None).unwrap();
        let Packet::Whole(words, Some(files)) = receive::<2>(there.as_fd()).unwrap() else {
            panic!("no files")
        };
        assert_eq!(words, [1, 2]);
        assert!(files.iter().all(|got| got.as_raw_fd() != file.as_raw_fd()));
        // A packet of another size is not taken for ours.
        assert!(receive::<2>(there.as_fd()).is_err());
        drop(here);
        assert!(matches!(receive::<2>(there.as_fd()), Ok(Packet::End)));
    }
}
