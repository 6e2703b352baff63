//! What a run leaves behind: frames, series and digests in one folder.

pub mod account;
pub mod aside;
pub mod coded;
pub mod column;
pub mod digest;
pub mod files;
pub mod folder;
pub mod frame;
pub mod frame_files;
pub mod frame_writer;
pub mod intact;
pub mod lock;
pub mod npz;
pub mod seal;
pub mod series;
pub mod vtp;

pub use column::Column;
pub use folder::RunFolder;
pub use frame::Frame;
