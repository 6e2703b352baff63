//! What a run leaves behind: frames, series, checkpoints and its report, in one folder.

pub mod aside;
pub mod certify;
pub mod checkpoint;
pub mod coded;
pub mod column;
pub mod digest;
pub mod fclib;
pub mod files;
pub mod folder;
pub mod frame;
pub mod frame_files;
pub mod intact;
pub mod lock;
pub mod npz;
pub mod report;
pub mod schedule;
pub mod seal;
pub mod series;
pub mod snapshot;
pub mod vtp;

pub use column::Column;
pub use folder::RunFolder;
pub use frame::Frame;
pub use report::{Report, Warning};
