//! Writing frames beside a run, on a thread of their own.
//!
//! One frame is written at a time, in the order in which they come; whoever brings the next one waits until the last one
//! is on the disk. So at most one frame is held in memory, and no file appears before an earlier one is complete.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;

use super::digest::Digest;
use super::folder::RunFolder;
use super::frame::Frame;
use super::frame_files;

/// Files that were written: their paths in the folder of the run, and their digests.
pub type Written = Vec<(String, Digest)>;

/// A frame to be written.
struct Order {
    frame: Frame,
    /// Times of all frames up to this one [s]: the collection lists them.
    times: Vec<f64>,
}

/// The thread, and the ways to it and back.
struct Worker {
    orders: Sender<Order>,
    results: Receiver<io::Result<Written>>,
    thread: JoinHandle<()>,
}

/// Writes the frames of a run, and the collection that lists them.
pub struct FrameWriter {
    frames: PathBuf,
    collection: PathBuf,
    worker: Option<Worker>,
    is_writing: bool,
}

impl FrameWriter {
    /// A writer for the frames of a run. Its thread starts with the first frame.
    pub fn new(folder: &RunFolder) -> FrameWriter {
        FrameWriter { frames: folder.frames(), collection: folder.collection(), worker: None, is_writing: false }
    }

    /// Takes a frame, the last one of these times [s], and returns before it is written. If the one before it is not
    /// written yet, it waits; returns the files of that one.
    pub fn write(&mut self, frame: Frame, times: &[f64]) -> io::Result<Written> {
        let written = self.finish()?;
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => start(self.frames.clone(), self.collection.clone())?,
        };
        let sent = worker.orders.send(Order { frame, times: times.to_vec() });
        self.worker = Some(worker);
        sent.map_err(|_| ended())?;
        self.is_writing = true;
        Ok(written)
    }

    /// The files of the frame in work if it is written by now; never waits.
    pub fn look(&mut self) -> io::Result<Written> {
        match self.worker.as_ref().filter(|_| self.is_writing).map(|worker| worker.results.try_recv()) {
            None | Some(Err(TryRecvError::Empty)) => Ok(Written::new()),
            Some(Ok(result)) => self.note(result),
            Some(Err(TryRecvError::Disconnected)) => self.note(Err(ended())),
        }
    }

    /// Waits until the frame in work is written; returns its files.
    pub fn finish(&mut self) -> io::Result<Written> {
        match self.worker.as_ref().filter(|_| self.is_writing).map(|worker| worker.results.recv()) {
            None => Ok(Written::new()),
            Some(result) => self.note(result.unwrap_or_else(|_| Err(ended()))),
        }
    }

    fn note(&mut self, result: io::Result<Written>) -> io::Result<Written> {
        self.is_writing = false;
        result
    }
}

impl Drop for FrameWriter {
    /// A frame in work is written to its end, whatever became of the run.
    fn drop(&mut self) {
        if let Some(Worker { orders, thread, .. }) = self.worker.take() {
            drop(orders);
            thread.join().ok();
        }
    }
}

fn start(frames: PathBuf, collection: PathBuf) -> io::Result<Worker> {
    let (orders, received) = channel::<Order>();
    let (results, returned) = channel();
    let work = move || {
        for Order { frame, times } in received {
            let written = write(&frames, &collection, frame, &times);
            if results.send(written).is_err() {
                return;
            }
        }
    };
    let thread = std::thread::Builder::new().name("frames".into()).spawn(work)?;
    Ok(Worker { orders, results: returned, thread })
}

fn write(frames: &std::path::Path, collection: &std::path::Path, frame: Frame, times: &[f64]) -> io::Result<Written> {
    let mut written = frame_files::write(frames, times.len().saturating_sub(1), frame, true)?;
    written.iter_mut().for_each(|(name, _)| *name = format!("frames/{name}"));
    let entries: Vec<(f64, usize)> = times.iter().copied().zip(0..).collect();
    written.push((frame_files::COLLECTION.into(), frame_files::write_collection(collection, &entries)?));
    Ok(written)
}

fn ended() -> io::Error {
    io::Error::other("the thread that writes frames has ended")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(name: &str) -> (RunFolder, super::super::lock::Lock, PathBuf) {
        let path = std::env::temp_dir().join(format!("drystone-frame-writer-{name}-{}", std::process::id()));
        fs::remove_dir_all(&path).ok();
        let (folder, lock) = RunFolder::create(&path, false).unwrap();
        (folder, lock, path)
    }

    fn frame(k: usize) -> Frame {
        Frame { dimension: 2, time: k as f64, step: k as u64, ..Frame::default() }
    }

    /// The same bytes as written one after the other by hand, all of them there when the writer says so.
    #[test]
    fn frames_come_in_their_order_and_are_those_that_were_given() {
        let (folder, _lock, path) = folder("order");
        let by_hand = path.join("by_hand");
        fs::create_dir_all(&by_hand).unwrap();
        let (mut writer, mut written, mut times) = (FrameWriter::new(&folder), Written::new(), Vec::new());
        for k in 0..20 {
            times.push(k as f64);
            written.extend(writer.write(frame(k), &times).unwrap());
            written.extend(writer.look().unwrap());
            frame_files::write(&by_hand, k, frame(k), true).unwrap();
        }
        written.extend(writer.finish().unwrap());
        assert_eq!(writer.finish().unwrap(), [], "each is told once");
        let grains: Vec<&String> =
            written.iter().map(|(name, _)| name).filter(|name| name.contains("grains")).collect();
        assert_eq!(
            grains,
            (0..20).map(|k| format!("frames/grains_{k:06}.vtp")).collect::<Vec<_>>().iter().collect::<Vec<_>>()
        );
        for (name, digest) in written.iter().filter(|(name, _)| name.starts_with("frames/")) {
            assert_eq!(Digest::of_file(&path.join(name), None).unwrap(), *digest);
            assert_eq!(fs::read(path.join(name)).unwrap(), fs::read(by_hand.join(&name["frames/".len()..])).unwrap());
        }
        assert_eq!(fs::read_to_string(folder.collection()).unwrap().matches("grains").count(), 2 * 20);
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn an_error_is_told_by_the_next_look_and_names_the_file() {
        let (folder, _lock, path) = folder("error");
        let mut writer = FrameWriter::new(&folder);
        fs::remove_dir_all(folder.frames()).unwrap();
        writer.write(frame(0), &[0.0]).unwrap();
        let error = loop {
            match writer.look() {
                Ok(written) => assert_eq!(written, []),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().contains("walls_000000.vtp"), "{error}");
        assert_eq!(writer.finish().unwrap(), [], "it is told once");
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_writer_that_is_dropped_completes_its_frame() {
        let (folder, _lock, path) = folder("dropped");
        let mut writer = FrameWriter::new(&folder);
        writer.write(frame(0), &[0.0]).unwrap();
        drop(writer);
        assert_eq!(frame_files::read(&folder.frames(), 0).unwrap(), frame(0));
        fs::remove_dir_all(path).unwrap();
    }
}
