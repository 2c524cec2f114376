//! Why a request could not be answered.

mod kinds;

pub(crate) use kinds::Classified;

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;

/// Why a request could not be answered: what went wrong, its kind, and what to do.
///
/// The error behind it keeps its type: [`EngineError::downcast_ref`] finds it. Its text is a whole
/// message, to be printed after "error: ".
#[derive(Debug)]
pub struct EngineError {
    kind: ErrorKind,
    source: Box<dyn Error + Send + Sync>,
    /// Further lines: what else to know, or to do.
    advice: Vec<String>,
    /// Which of several questions it is about.
    question: Option<usize>,
}

/// What kind of failure it is; exit codes follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request or its input is wrong: the user can mend it.
    Usage,
    /// A measured command failed.
    Command,
    /// It could not be carried out: the disk is full, a store is locked, a permission is missing.
    CannotBeDone,
    /// The user ended it.
    Interrupted,
    /// A task of a cluster failed, with the status that its controlling process looks for.
    Task(u8),
}

/// A mistake in the request or its input, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Mistake(String);

impl EngineError {
    pub(crate) fn new(
        kind: ErrorKind,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> EngineError {
        EngineError { kind, source: source.into(), advice: Vec::new(), question: None }
    }

    /// A mistake in the request or its input.
    #[must_use]
    pub fn usage(message: impl fmt::Display) -> EngineError {
        EngineError::new(ErrorKind::Usage, Mistake(message.to_string()))
    }

    /// A measured command failed.
    #[must_use]
    pub fn command(message: impl fmt::Display) -> EngineError {
        EngineError::new(ErrorKind::Command, Mistake(message.to_string()))
    }

    /// It could not be carried out, for a reason outside of the request.
    pub(crate) fn cannot_be_done(message: impl fmt::Display) -> EngineError {
        EngineError::new(ErrorKind::CannotBeDone, Mistake(message.to_string()))
    }

    /// The user ended it before there was anything to show.
    #[must_use]
    pub fn interrupted() -> EngineError {
        let text = "interrupted before there was anything to show";
        EngineError::new(ErrorKind::Interrupted, Mistake(text.to_string()))
    }

    /// The user ended it, and what was measured until then is kept.
    pub(crate) fn interrupted_session(id: i64) -> EngineError {
        let text = format!("interrupted; continue with: fathom resume {id}");
        EngineError::new(ErrorKind::Interrupted, Mistake(text))
    }

    /// The user ended the tour, which keeps nothing.
    pub(crate) fn interrupted_tour() -> EngineError {
        let text = "interrupted; nothing was saved, and the temporary files are removed";
        EngineError::new(ErrorKind::Interrupted, Mistake(text.to_string()))
    }

    /// A file that cannot be read or written. `message` says which and what to do.
    #[must_use]
    pub fn file(message: impl fmt::Display, error: io::Error) -> EngineError {
        let kind = error.kind_of_failure();
        EngineError::new(kind, FileTrouble { message: message.to_string(), source: error })
    }

    /// A file that cannot be written.
    #[must_use]
    pub fn writing(path: &Path, error: io::Error) -> EngineError {
        let message =
            format!("{} cannot be written ({error}); choose another file", path.display());
        EngineError::file(message, error)
    }

    /// What kind it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The error behind it, if it is of this type.
    #[must_use]
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.source.downcast_ref()
    }

    /// Whether it is that nobody reads the output any more.
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        let mut next: Option<&(dyn Error + 'static)> = Some(&*self.source);
        while let Some(error) = next {
            if let Some(error) = error.downcast_ref::<io::Error>() {
                return error.kind() == io::ErrorKind::BrokenPipe;
            }
            next = error.source();
        }
        false
    }

    /// The same, with another line of advice.
    #[must_use]
    pub fn with_advice(mut self, line: impl Into<Option<String>>) -> EngineError {
        self.advice.extend(line.into());
        self
    }

    /// The same, about one of several questions, by its place among them.
    #[must_use]
    pub(crate) fn of_question(self, place: impl Into<Option<usize>>) -> EngineError {
        EngineError { question: self.question.or(place.into()), ..self }
    }

    /// The same with the place of the question that it is about: where it was written, or its number.
    #[must_use]
    pub(crate) fn placed(mut self, places: &[String]) -> EngineError {
        match self.question.take() {
            None => self,
            Some(question) => match places.get(question) {
                Some(place) => self.about(place),
                None => self.about(format!("question {}", question + 1)),
            },
        }
    }

    /// The same about something: "runs.csv: ...".
    #[must_use]
    pub(crate) fn about(self, what: impl fmt::Display) -> EngineError {
        let source = About { what: what.to_string(), source: self.source };
        EngineError { source: Box::new(source), ..self }
    }
}

/// An error, and what it is about.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {source}")]
struct About {
    what: String,
    source: Box<dyn Error + Send + Sync>,
}

/// An error of the file system, in words for the user.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct FileTrouble {
    message: String,
    source: io::Error,
}

impl<E: Classified + Error + Send + Sync + 'static> From<E> for EngineError {
    fn from(error: E) -> EngineError {
        EngineError::new(error.kind_of_failure(), error)
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        self.advice.iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

// Not `std::error::Error`: then `From` for every classified error would overlap with core's own.

#[cfg(test)]
mod tests;
