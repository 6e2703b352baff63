//! What a checkpoint records of the files of its run: which there were by then, and what they held.

use std::io;
use std::path::Path;

use serde_json::Value as Json;

use super::coded::{coded, prefixed};
use super::digest::Digest;
use super::files::Files;
use super::npz::{Arrays, invalid};
use super::seal;

/// Layout of a checkpoint; a file with another number is refused.
pub const VERSION: u64 = 11;

/// What a checkpoint records of the files of its run.
#[derive(Clone, Debug)]
pub struct Account {
    /// Files written by then.
    pub files: Files,
    /// Bytes of the series and of the table of events.
    pub lengths: [u64; 2],
    /// Whether the run has come to its end.
    pub finished: bool,
}

/// A complete and unaltered checkpoint: its arrays, its notes, and the files of its run.
pub struct Opened {
    /// The arrays.
    pub arrays: Arrays,
    /// The notes.
    pub notes: Json,
    /// The files of the run.
    pub files: Files,
}

/// Reads what a checkpoint records of the files of its run.
pub fn account(path: &Path) -> io::Result<Account> {
    let read = || {
        let Opened { notes, files, .. } = open(path)?;
        let length = |key: &str| notes[key].as_u64();
        let lengths = length("series_length").zip(length("events_length"));
        let account = lengths.zip(notes["finished"].as_bool()).map(|((series, events), finished)| Account {
            files,
            lengths: [series, events],
            finished,
        });
        account.ok_or_else(|| invalid("its notes are not complete".into()))
    };
    read().map_err(|error| prefixed(&format!("cannot read {}", path.display()), error))
}

/// Whether a checkpoint is of a layout that keeps digests of files; an error if it cannot be read at all.
pub fn keeps_digests(path: &Path) -> io::Result<bool> {
    let (_, notes) = open_notes(path)?;
    notes["version"].as_u64().map(|version| version >= 9).ok_or_else(|| invalid("its notes are not complete".into()))
}

fn open_notes(path: &Path) -> io::Result<(Arrays, Json)> {
    let mut file = Arrays::open(path)?;
    let notes = serde_json::from_slice(&file.flat::<u8>("notes_json")?)?;
    Ok((file, notes))
}

/// Opens a checkpoint that is complete, unaltered and of this layout; an altered one is an error with code E254.
pub fn open(path: &Path) -> io::Result<Opened> {
    let is_whole = seal::is_whole(path)?;
    let (mut arrays, notes) = open_notes(path)?;
    if notes["version"].as_u64() != Some(VERSION) {
        return Err(invalid(format!("it has layout {}, this program reads layout {VERSION}", notes["version"])));
    }
    if !is_whole {
        return Err(coded(io::ErrorKind::InvalidData, "E254", "it was changed since the run wrote it".into()));
    }
    let digests: Vec<u8> = arrays.table::<u8>("file_digests", Digest::LENGTH)?.concat();
    let files = Files::from_columns([&arrays.flat::<u8>("file_names")?, &digests]);
    let files = files.ok_or_else(|| invalid("its list of files does not fit".into()))?;
    Ok(Opened { arrays, notes, files })
}
