//! The files that a run writes: frames, series, checkpoints and its report, in one folder. Formats without physics are
//! those of `drystone_files::record`.

pub(crate) mod checkpoint;
pub mod fclib;
pub mod report;
pub(crate) mod schedule;
pub mod snapshot;

pub use drystone_files::record::{
    Column, RunFolder, account, aside, coded, digest, files, folder, frame, frame_files, frame_writer, intact, lock,
    npz, seal, series, vtp,
};
pub use frame::Frame;
pub use report::{Report, Warning};
