//! A file as the Parquet reader takes it.
//!
//! Its own reader for files trusts the lengths that it finds in them: a damaged one asks for more
//! memory than there is, which ends the process. This one knows the file's length.

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

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::with_capacity(HEADER, From { file: Arc::clone(&self.file), at: start }))
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
    file: Arc<File>,
    at: u64,
}

impl Read for From {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at = self.at.saturating_add(read as u64);
        Ok(read)
    }
}
