//! Contact problems stored as a matrix: written, read, solved, and made from worlds.

mod files;
mod packing;
mod solutions;
mod worlds;

use std::path::PathBuf;

/// A file for one test, not there at its start.
fn place(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contact_problems");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    if path.exists() {
        std::fs::remove_file(&path).unwrap();
    }
    path
}
