//! The small process that starts commands. It allocates little and has one thread: what it holds is
//! the floor under every command's peak memory.
#![allow(unsafe_code, reason = "std can neither fork nor wait with accounting")]

use super::child::ChildPlan;
use super::error::SpawnStep;
use super::orphans;
use super::socket::{FILES, Packet, receive, send};
use super::wire::{ANNOUNCE, ASK_WORDS, Ask, Cost, HELLO, Reply, SERVE, Shared};
use crate::affinity::CpuSet;
use crate::clock::monotonic;
use crate::counters::CounterName;
use crate::perf_event::{self, Target};
use fathom_record::{Span, Timestamp};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// The command that runs, for the signal handler; 0 if none does.
static COMMAND: AtomicI32 = AtomicI32::new(0);
/// Whether it leads a process group.
static LEADS: AtomicBool = AtomicBool::new(false);
/// Whether it was asked to end.
static KILLED: AtomicBool = AtomicBool::new(false);
/// The client.
static CLIENT: AtomicI32 = AtomicI32::new(0);

/// The client asks for the command to be ended by signals, since the server waits for the command
/// and not for it. Only the server knows for sure that the pid is still the command's.
pub(crate) fn end_signal() -> libc::c_int {
    libc::SIGRTMIN() + 4
}
pub(crate) fn kill_signal() -> libc::c_int {
    libc::SIGRTMIN() + 5
}
/// The kernel sends this when the client dies.
fn orphaned_signal() -> libc::c_int {
    libc::SIGRTMIN() + 6
}

/// Serves, and never returns, if this process was started by [`super::Spawner::start`]. Call it
/// before anything else in `main`: what is allocated before counts for every command.
pub fn serve_if_asked() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != SERVE) {
        return;
    }
    let fd = arguments.next().and_then(|fd| fd.to_str()?.parse::<RawFd>().ok());
    let Some(fd) = fd.filter(|&fd| is_open(fd)) else { std::process::exit(2) };
    // SAFETY: it is open, and our parent gave it to us to own.
    let socket = unsafe { OwnedFd::from_raw_fd(fd) };
    prepare();
    let done = serve(socket.as_fd());
    std::process::exit(i32::from(done.is_err()));
}

fn is_open(fd: RawFd) -> bool {
    // SAFETY: a plain system call with numbers.
    fd >= 0 && unsafe { libc::fcntl(fd, libc::F_GETFD) } >= 0
}

/// Signals, name, and the bond to the client.
fn prepare() {
    // SAFETY: system calls with numbers and with structures that outlive them; the handler does
    // only what a signal handler may: atomics and kill.
    unsafe {
        CLIENT.store(libc::getppid(), Ordering::Relaxed);
        let mut action: libc::sigaction = std::mem::zeroed();
        // Had our parent ignored it, the kernel would not keep dead children for us.
        libc::sigaction(libc::SIGCHLD, &raw const action, std::ptr::null_mut());
        action.sa_sigaction = libc::SIG_IGN;
        // What a terminal sends to the group. Even when Fathom is stopped by Ctrl-Z the command
        // goes on, and its end must be seen when it happens.
        let from_terminal = [
            libc::SIGINT,
            libc::SIGTERM,
            libc::SIGHUP,
            libc::SIGQUIT,
            libc::SIGTSTP,
            libc::SIGTTIN,
            libc::SIGTTOU,
            libc::SIGPIPE,
        ];
        for signal in from_terminal {
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
        action.sa_sigaction = end_command as extern "C" fn(libc::c_int) as usize;
        action.sa_flags = libc::SA_RESTART;
        for signal in [end_signal(), kill_signal(), orphaned_signal()] {
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        // If the client is dead already its socket is closed, and we end anyway.
        libc::prctl(libc::PR_SET_PDEATHSIG, orphaned_signal());
        libc::prctl(libc::PR_SET_NAME, c"fathom-spawner".as_ptr());
    }
    orphans::adopt();
}

extern "C" fn end_command(signal: libc::c_int) {
    // SAFETY: plain system calls that a handler may make. The pid is not yet waited for while
    // COMMAND has it, so it is nobody else's.
    unsafe {
        // The kernel also tells when merely the thread that started us ended.
        if signal == orphaned_signal() && libc::getppid() == CLIENT.load(Ordering::Relaxed) {
            return;
        }
        let pid = COMMAND.load(Ordering::Relaxed);
        if pid == 0 {
            return;
        }
        KILLED.store(true, Ordering::Relaxed);
        let errno = libc::__errno_location();
        let before = *errno;
        let how = if signal == end_signal() { libc::SIGTERM } else { libc::SIGKILL };
        // The group does not exist until the child made it.
        if !LEADS.load(Ordering::Relaxed) || libc::kill(-pid, how) != 0 {
            libc::kill(pid, how);
        }
        *errno = before;
    }
}

fn serve(socket: BorrowedFd<'_>) -> io::Result<()> {
    send(socket, &[HELLO, floor()], None)?;
    // What lived before the last order.
    let mut kept = Vec::new();
    loop {
        let reply = match receive::<ASK_WORDS>(socket)? {
            Packet::End => return Ok(()),
            // Without files it is not an order, but the wish that nothing of the last one lives on.
            Packet::Whole(_, None) => {
                orphans::kill_all_but(&kept);
                Reply::default()
            }
            Packet::Whole(words, Some(files)) => {
                kept = orphans::living();
                execute(socket, &Ask::from_words(words), files, &kept)
            }
        };
        send(socket, &reply.to_words(), None)?;
    }
}

/// The peak memory of a child that does nothing, in bytes: no command can read less.
fn floor() -> u64 {
    // SAFETY: one thread, so the child may do anything; it only ends.
    let pid = unsafe { libc::fork() };
    match pid {
        // SAFETY: ends the child without running what was registered in the server.
        0 => unsafe { libc::_exit(0) },
        -1 => 0,
        pid => peak_memory(&wait(pid).1),
    }
}

fn peak_memory(usage: &libc::rusage) -> u64 {
    u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024
}

fn failed(step: SpawnStep, error: &io::Error) -> Reply {
    let errno = error.raw_os_error().unwrap_or(libc::EPROTO);
    Reply { step: step.number(), errno: u64::try_from(errno).unwrap_or(0), ..Reply::default() }
}

fn execute(
    socket: BorrowedFd<'_>,
    ask: &Ask,
    files: [OwnedFd; FILES],
    kept: &[libc::pid_t],
) -> Reply {
    let [stdin, stdout, stderr, memory] = files;
    let streams = [stdin, stdout, stderr];
    let shared = match Shared::map(&File::from(memory), ask.length) {
        Ok(shared) => shared,
        Err(error) => return failed(SpawnStep::Order, &error),
    };
    let Some(strings) = shared.strings(ask) else {
        return failed(SpawnStep::Order, &io::ErrorKind::InvalidData.into());
    };
    let cpu = match ask.cpu.map(|cpu| CpuSet::only(usize::try_from(cpu).unwrap_or(usize::MAX))) {
        Some(None) => return failed(SpawnStep::Pin, &io::Error::from_raw_os_error(libc::EINVAL)),
        cpu => cpu.flatten(),
    };
    let gate = match (ask.counters != 0 || ask.announce).then(io::pipe).transpose() {
        Ok(gate) => gate,
        Err(error) => return failed(SpawnStep::Fork, &error),
    };
    let plan = ChildPlan {
        shared: &shared,
        strings,
        cpu,
        own_group: ask.own_group,
        streams: [0, 1, 2].map(|n: usize| streams[n].as_raw_fd()),
        gate: gate.as_ref().map(|(read, _)| read.as_raw_fd()),
        server: i32::try_from(std::process::id()).unwrap_or(0),
    };
    KILLED.store(false, Ordering::Relaxed);
    LEADS.store(ask.own_group, Ordering::Relaxed);
    // A plain fork, not vfork: the child then has only our few pages that are not a file's, not our
    // whole history. Measured in a release build that is 128 to 260 KiB (the kernel's count is not
    // exact), where `true` reads 1 MB: only tiny static programs are below it.
    // SAFETY: one thread, so the child may do anything.
    let pid = unsafe { libc::fork() };
    match pid {
        0 => plan.carry_out(),
        -1 => return failed(SpawnStep::Fork, &io::Error::last_os_error()),
        _ => {}
    }
    COMMAND.store(pid, Ordering::Relaxed);
    let mut counters = open_counters(ask.counters, pid);
    if ask.announce && !announce(socket, pid) {
        // SAFETY: a plain system call; the pid was not yet waited for.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
    if let Some((_, mut gate)) = gate {
        // A byte, since the child holds a copy of this end: it would never see the pipe's end. If
        // the child is dead there is nobody to tell.
        let _ = gate.write_all(&[1]);
    }
    await_end(pid);
    let ended = monotonic();
    // Not before: if the command were the last to hold its pipes, their end would wake the client
    // while the command dies, which made `true` 30 us slower on a machine with two processors.
    drop(streams);
    finish(pid, ended, &shared, &mut counters, kept)
}

/// Tells the client of the child, and waits for its word; whether it came. A client that is gone
/// sends none.
fn announce(socket: BorrowedFd<'_>, pid: libc::pid_t) -> bool {
    let words = [ANNOUNCE, u64::try_from(pid).unwrap_or(0)];
    send(socket, &words, None).is_ok()
        && matches!(receive::<ASK_WORDS>(socket), Ok(Packet::Whole(..)))
}

type Counters = [Option<File>; CounterName::ALL.len()];

fn open_counters(wanted: u64, pid: libc::pid_t) -> Counters {
    std::array::from_fn(|n| {
        let event = CounterName::ALL[n].event();
        let open = || perf_event::open(event, Target::Awaiting(pid)).ok();
        (wanted >> n & 1 == 1).then(open)?.map(|(file, _)| file)
    })
}

/// Returns as soon as the child is dead, but leaves it to be waited for: until then its pid is its.
fn await_end(pid: libc::pid_t) {
    loop {
        // SAFETY: all-zero is a valid siginfo, and the call fills it.
        let result = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let id = libc::id_t::try_from(pid).unwrap_or(0);
            libc::waitid(libc::P_PID, id, &raw mut info, libc::WEXITED | libc::WNOWAIT)
        };
        if result == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}

fn finish(
    pid: libc::pid_t,
    ended: Timestamp,
    shared: &Shared,
    counters: &mut Counters,
    kept: &[libc::pid_t],
) -> Reply {
    // From here on the handler does nothing; what it did before is seen.
    COMMAND.store(0, Ordering::Relaxed);
    let killed = KILLED.load(Ordering::Relaxed);
    if killed && LEADS.load(Ordering::Relaxed) {
        // Members of the group that did not heed SIGTERM.
        // SAFETY: a plain system call; the pid was not yet waited for.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
    }
    let mut reply = Reply::default();
    for (n, counter) in counters.iter_mut().enumerate() {
        let value = counter.as_mut().and_then(perf_event::read);
        reply.counters[n] = value.map(|value| CounterName::ALL[n].in_our_unit(value));
    }
    let (status, usage) = wait(pid);
    if killed {
        orphans::kill_all_but(kept);
    }
    let (step, errno) = shared.failure();
    reply.step = step;
    reply.errno = errno;
    reply.status = u64::from(status.cast_unsigned());
    reply.wall = shared.began().map_or(Span::ZERO, |began| ended - began);
    reply.cost = Cost::of(&usage).since(shared.cost());
    reply.peak_memory = peak_memory(&usage);
    reply
}

/// Waits for a child: its status and what it used, with those of its descendants it waited for.
fn wait(pid: libc::pid_t) -> (libc::c_int, libc::rusage) {
    let mut status = 0;
    // SAFETY: all-zero is a valid rusage; status and usage outlive the call.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        while libc::wait4(pid, &raw mut status, 0, &raw mut usage) < 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
        (status, usage)
    }
}
