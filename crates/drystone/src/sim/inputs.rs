//! Copies of the files that a scenario refers to, so that a run folder is complete by itself.

use std::io;
use std::path::Path;

use crate::dim::Dim;
use crate::input::Reader;
use crate::record::RunFolder;
use crate::record::aside::write_digested;
use crate::record::files::Files;
use crate::scenario::Scenario;
use crate::scenario::build::from::EarlierRun;
use crate::scenario::schema::grains::Place;

/// The files that a scenario refers to, read into memory: the run may replace the very folder that they are in.
pub(super) struct Inputs<D: Dim> {
    /// The state of an earlier run that it starts from.
    start: Option<EarlierRun<D>>,
    /// Tables of grains, with the numbers of their groups.
    tables: Vec<(usize, Vec<u8>)>,
}

impl<D: Dim> Inputs<D> {
    /// Reads the files of a scenario; their paths are relative to `folder`.
    pub(super) fn read(scenario: &Scenario<D>, folder: &Path) -> io::Result<Inputs<D>> {
        let reader = Reader::new(folder.to_path_buf());
        let start = scenario.start.as_ref().map(|start| start.read_source::<D>(&reader));
        if let Some(None) = start {
            return Err(io::Error::new(io::ErrorKind::InvalidData, reader.finish().to_string()));
        }
        let mut tables = Vec::new();
        for (k, group) in scenario.grains.iter().enumerate().filter(|_| !scenario.gives_way()) {
            if let Place::File(place) = &group.place {
                let path = folder.join(&place.file.value);
                let named =
                    |error: io::Error| io::Error::new(error.kind(), format!("cannot copy {}: {error}", path.display()));
                tables.push((k, std::fs::read(&path).map_err(named)?));
            }
        }
        Ok(Inputs { start: start.flatten(), tables })
    }

    /// Writes the copies into a run folder and lists them in `files`; returns the scenario that refers to the copies.
    pub(super) fn keep(
        &self,
        scenario: &Scenario<D>,
        folder: &RunFolder,
        files: &mut Files,
    ) -> io::Result<Scenario<D>> {
        let mut kept = scenario.clone();
        if let (Some(start), Some(source)) = (&mut kept.start, &self.start) {
            for (name, digest) in source.keep(&folder.inputs().join("start"))? {
                files.note(format!("inputs/start/{name}"), digest);
            }
            start.origin.get_or_insert_with(|| format!("{} at {} s", start.from.value, source.time()));
            start.from.value = "inputs/start".into();
            start.moving = true; // the copy holds the velocities to start with
        }
        for (k, bytes) in &self.tables {
            let (path, name) = (folder.inputs(), format!("grains_{k}.csv"));
            std::fs::create_dir_all(&path)
                .map_err(|error| io::Error::new(error.kind(), format!("cannot make {}: {error}", path.display())))?;
            let digest = write_digested(&path.join(&name), |out| io::Write::write_all(out, bytes))?;
            files.note(format!("inputs/{name}"), digest);
            if let Place::File(place) = &mut kept.grains[*k].place {
                place.file.value = format!("inputs/{name}");
            }
        }
        kept.give_way();
        Ok(kept)
    }
}
