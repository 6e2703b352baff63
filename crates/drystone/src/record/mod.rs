//! What a run leaves behind: frames, series, checkpoints and its report, in one folder.

pub mod aside;
pub mod certify;
pub mod checkpoint;
pub mod fclib;
pub mod folder;
pub mod frame;
pub mod frame_files;
pub mod npz;
pub mod report;
pub mod schedule;
pub mod series;
pub mod snapshot;
pub mod vtp;

pub use folder::RunFolder;
pub use frame::Frame;
pub use report::{Report, Warning};
