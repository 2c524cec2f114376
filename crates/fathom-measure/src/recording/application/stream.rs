//! Listens to a pipe while a program writes to it.

use super::heard::{Heard, counted};
use super::listener::LineListener;
use super::listening::Bell;
use super::pass_on::Tee;
use fathom_sys::pipes;
use std::io::{self, Read};
use std::os::fd::AsFd;

/// How much room is asked for in a pipe: a program that prints much in a short time goes on while
/// we are not on a processor. The kernel grants it to every user by default.
const ROOM: i32 = 1 << 20;

/// Blocks in which the usual libraries print to a pipe are multiples of this.
const BLOCK: usize = 4096;

/// Reads a pipe until it ends or the bell rings, and then what is in it.
pub(super) struct Stream<F> {
    file: F,
    tee: Option<Tee>,
    listener: LineListener,
    buffer: Vec<u8>,
    reads: u64,
    /// Reads that found the pipe so full that the program may have had to wait. Writes do not share
    /// pages of it unless they fit, so that a full pipe may hold half of its room.
    full_reads: u64,
    /// Reads that ended within a line and at the end of a block.
    block_reads: u64,
}

impl<F: AsFd> Stream<F>
where
    for<'a> &'a F: Read,
{
    pub(super) fn new(file: F, tee: Option<Tee>, listener: LineListener) -> Stream<F> {
        const LEAST: usize = 1 << 16;
        // What the kernel grants; if it does not say, what it usually has.
        let room = pipes::set_room(&file, ROOM).unwrap_or(LEAST).max(LEAST);
        let buffer = vec![0; room];
        Stream { file, tee, listener, buffer, reads: 0, full_reads: 0, block_reads: 0 }
    }

    pub(super) fn listen(mut self, bell: &Bell, source: String) -> Heard {
        let result = self.read_all(bell);
        self.listener.end();
        let mut heard = self.listener.tell(source);
        if let Err(error) = result {
            heard.note(format!("could not read it to the end: {error}"));
        }
        if let Some(failure) = self.tee.as_ref().and_then(Tee::failure) {
            heard.note(failure);
        }
        if self.full_reads > 0 {
            heard.note(format!(
                "output arrived faster than Fathom could read it: the pipe was full, or half \
                 full, at {} of {}, which may have slowed the program down",
                counted(self.full_reads, "reading", "readings"),
                self.reads
            ));
        }
        if self.block_reads >= 3 && self.block_reads * 2 > self.reads {
            heard.note(format!(
                "lines arrived in blocks of {BLOCK} bytes, so many have the time of the last line \
                 of their block. Make the program print line by line (stdbuf -oL PROGRAM, python3 \
                 -u)."
            ));
        }
        heard
    }

    fn read_all(&mut self, bell: &Bell) -> io::Result<()> {
        loop {
            let [_, rings] = pipes::wait_readable([self.file.as_fd(), bell.as_fd()], None)?;
            if rings {
                // What is there now, and no more: a process that the command left behind may go on
                // writing for ever.
                let mut waiting = pipes::waiting(&self.file);
                while waiting > 0 {
                    match self.read_some()? {
                        Some(count @ 1..) => waiting = waiting.saturating_sub(count),
                        _ => break,
                    }
                }
                return Ok(());
            }
            if self.read_some()? == Some(0) {
                return Ok(());
            }
        }
    }

    /// Reads once; how much, or `None` if there was nothing after all. At the end it is 0.
    fn read_some(&mut self) -> io::Result<Option<usize>> {
        let waits = |kind| matches!(kind, io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted);
        let [ready] = pipes::wait_readable([self.file.as_fd()], Some(std::time::Duration::ZERO))?;
        if !ready {
            return Ok(None);
        }
        let count = match (&self.file).read(&mut self.buffer) {
            Ok(count) => count,
            Err(error) if waits(error.kind()) => return Ok(None),
            Err(error) => return Err(error),
        };
        let bytes = self.buffer.get(..count).unwrap_or_default();
        self.listener.hear(bytes);
        if let Some(tee) = &mut self.tee {
            tee.pass(bytes);
        }
        self.reads += u64::from(count > 0);
        let is_full = count >= self.buffer.len() / 2;
        self.full_reads += u64::from(is_full);
        // A full pipe is cut anywhere.
        let is_block = !is_full && count > 0 && count % BLOCK == 0;
        self.block_reads += u64::from(is_block && self.listener.is_within_line());
        Ok(Some(count))
    }
}
