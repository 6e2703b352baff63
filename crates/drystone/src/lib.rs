//! drystone: granular matter by rigid contact and friction alone.

pub mod body;
pub mod contact;
pub mod dim;
pub mod drive;
pub mod input;
pub mod law;
pub(crate) mod list;
pub mod measure;
pub mod method;
pub mod record;
pub mod scenario;
pub mod shape;
pub mod sim;
pub mod wall;
pub mod world;
