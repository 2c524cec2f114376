//! A folder of traces that is being written.

use super::error::shown;
use super::part_name::is_part_name;
use super::pieces::parts;
use super::{MANIFEST, SamplerWriter, TraceError};
use fathom_record::trace::Manifest;
use fathom_record::whole_file::{NewFile, is_temporary};
use fathom_record::whole_folder::{Incomplete, NewFolder};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A folder of traces that is being written.
#[derive(Debug)]
pub struct TraceFolder {
    path: PathBuf,
    manifest: Manifest,
}

impl TraceFolder {
    /// Makes the folder and writes its manifest. A folder that is there already must be empty.
    pub fn create(path: &Path, manifest: Manifest) -> Result<TraceFolder, TraceError> {
        match names(path)? {
            Some(names) if !names.is_empty() => Err(TraceError::Occupied { folder: shown(path) }),
            Some(_) => TraceFolder::begin(path, manifest),
            None => {
                fs::create_dir_all(path).map_err(|error| TraceError::io("made", path, error))?;
                TraceFolder::begin(path, manifest)
            }
        }
    }

    /// As [`create`](TraceFolder::create), but traces that are there already are deleted: the
    /// manifest, the files that it names, and their parts. Files of others stay. A folder that is not
    /// empty and has no manifest of traces is refused.
    pub fn replace(path: &Path, manifest: Manifest) -> Result<TraceFolder, TraceError> {
        let Some(own) = own_files(path)? else { return TraceFolder::create(path, manifest) };
        for name in own.iter().filter(|name| *name != MANIFEST) {
            let file = path.join(name);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(TraceError::io("deleted", &file, error));
                }
                _ => {}
            }
        }
        // The manifest stays to the end: a folder that is half deleted can still be replaced.
        TraceFolder::begin(path, manifest)
    }

    /// Makes a folder of traces that is there whole or not at all; `fill` writes its files. With
    /// `replace`, earlier traces stay until these can take their place, and files of others stay.
    pub fn create_whole<E: From<TraceError>>(
        path: &Path,
        manifest: Manifest,
        replace: bool,
        fill: impl Fn(&TraceFolder) -> Result<(), E>,
    ) -> Result<Manifest, E> {
        let in_place = |manifest: Manifest| {
            let make = if replace { TraceFolder::replace } else { TraceFolder::create };
            let folder = make(path, manifest)?;
            fill(&folder)?;
            Ok(folder.manifest)
        };
        let own = match names(path)?.is_some_and(|names| !names.is_empty()) {
            true if replace => own_files(path)?.unwrap_or_default(),
            true => return Err(TraceError::Occupied { folder: shown(path) }.into()),
            false => Vec::new(),
        };
        // The folder that it is in may belong to someone else.
        let Ok(new) = NewFolder::create(path) else { return in_place(manifest) };
        let folder = TraceFolder::begin(new.place(), manifest)?;
        fill(&folder)?;
        match new.complete(|name| own.iter().any(|own| name == own.as_str())) {
            Ok(()) => Ok(folder.manifest),
            // The root of a file system has no other name.
            Err(Incomplete::NotRenamed(_)) => in_place(folder.manifest),
            Err(Incomplete::LeftBehind(old, error)) => {
                Err(TraceError::io("emptied", &old, error).into())
            }
        }
    }

    fn begin(path: &Path, manifest: Manifest) -> Result<TraceFolder, TraceError> {
        let folder = TraceFolder { path: path.to_path_buf(), manifest };
        folder.write(&folder.manifest)?;
        Ok(folder)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Changes the manifest, here and in its file, which has the old one or the new one at any time.
    /// After an error neither is changed.
    pub fn update(&mut self, change: impl FnOnce(&mut Manifest)) -> Result<(), TraceError> {
        let mut changed = self.manifest.clone();
        change(&mut changed);
        self.write(&changed)?;
        self.manifest = changed;
        Ok(())
    }

    /// Begins the file of a sampler, which the manifest must name: readers would not find it after a
    /// kill otherwise.
    pub fn writer(&self, file: &str) -> Result<SamplerWriter, TraceError> {
        let names_it = |run: &&fathom_record::trace::TraceRun| {
            run.samplers.iter().any(|sampler| sampler.file == file)
        };
        match self.manifest.runs.iter().find(names_it) {
            Some(run) => SamplerWriter::new(self.path.clone(), file, Some(&run.id)),
            None => Err(TraceError::Unfit {
                file: shown(&self.path.join(file)),
                what: "no sampler in the manifest uses this file".to_string(),
                remedy: "add it to the manifest first".to_string(),
            }),
        }
    }

    fn write(&self, manifest: &Manifest) -> Result<(), TraceError> {
        let path = self.path.join(MANIFEST);
        let mut files = manifest.runs.iter().flat_map(|run| &run.samplers);
        if let Some(sampler) =
            files.find(|sampler| is_part_name(&sampler.file) || sampler.file == MANIFEST)
        {
            return Err(TraceError::Unfit {
                file: shown(&path),
                what: format!(
                    "sampler {:?} has the file {:?}, a name that Fathom reserves",
                    sampler.name, sampler.file
                ),
                remedy: "choose another file name".to_string(),
            });
        }
        let text = manifest
            .write()
            .map_err(|source| TraceError::Manifest { file: shown(&path), source })?;
        write_whole(&path, text.as_bytes())
    }
}

/// Whole or not at all. A kill cannot harm what the kernel has; waiting for the disk would disturb
/// what is measured.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TraceError> {
    let write = || {
        let mut new = NewFile::create(path)?;
        new.write_all(bytes)?;
        new.complete(false)
    };
    write().map_err(|error| TraceError::io("written", path, error))
}

/// The names of the traces' files in a folder that may be replaced, and of what earlier ones left; `None`
/// if nothing is there.
fn own_files(path: &Path) -> Result<Option<Vec<String>>, TraceError> {
    let Some(found) = names(path)?.filter(|names| !names.is_empty()) else { return Ok(None) };
    let refused = |why: String| TraceError::NotReplaceable { folder: shown(path), why };
    if !found.iter().any(|name| name == MANIFEST) {
        return Err(refused("it is missing".to_string()));
    }
    let file = path.join(MANIFEST);
    let text = fs::read_to_string(&file).map_err(|error| refused(error.to_string()))?;
    let old = Manifest::read(&text).map_err(|error| refused(error.to_string()))?;
    let mut own = vec![MANIFEST.to_string()];
    for sampler in old.runs.iter().flat_map(|run| &run.samplers) {
        own.push(sampler.file.clone());
        for part in parts(path, &sampler.file)? {
            own.extend(part.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    own.extend(found.into_iter().filter(|name| is_temporary(name)));
    Ok(Some(own))
}

/// What is in the folder; `None` if there is no such folder.
fn names(path: &Path) -> Result<Option<Vec<String>>, TraceError> {
    let failed = |error| TraceError::io("read", path, error);
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(TraceError::NotAFolder { folder: shown(path) });
        }
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    Ok(Some(names))
}
