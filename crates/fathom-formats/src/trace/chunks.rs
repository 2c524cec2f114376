//! A file as the Parquet reader takes it.
//!
//! Its own reader for files trusts the lengths that it finds in them: a damaged one asks for more
//! memory than there is, which ends the process. This one knows the file's length.

use super::footer;
use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Headers of pages are read through it; most have fewer bytes.
const HEADER: usize = 512;

pub(super) struct Chunks {
    file: Arc<File>,
    length: u64,
}

impl Chunks {
    pub(super) fn new(file: File) -> io::Result<Chunks> {
        let length = file.metadata()?.len();
        Ok(Chunks { file: Arc::new(file), length })
    }
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Chunks {
    type T = BufReader<From>;

    /// What the Parquet reader reads so is the description of a page, and the end of the file.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let chunks = Chunks { file: Arc::clone(&self.file), length: self.length };
        Ok(BufReader::with_capacity(HEADER, From { chunks, at: start, is_walked: false }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF(format!(
                "the file has {} bytes, but should have {length} after the first {start}",
                self.length
            )));
        }
        let mut buffer = vec![0; length];
        self.file.read_exact_at(&mut buffer, start)?;
        Ok(buffer.into())
    }
}

/// The file from some byte on, without the position that its descriptor has.
pub(super) struct From {
    chunks: Chunks,
    at: u64,
    is_walked: bool,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Only now: the Parquet reader also asks for the file from a page's data on, and reads none of it.
        if !self.is_walked {
            self.is_walked = true;
            let flaw = footer::flaw_of_page(&self.chunks, self.at).map_err(io::Error::other)?;
            if let Some(what) = flaw {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("in a page, {what}"),
                ));
            }
        }
        let read = self.chunks.file.read_at(buffer, self.at)?;
        self.at = self.at.saturating_add(read as u64);
        Ok(read)
    }
}
