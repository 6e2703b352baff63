//! What people write for drystone, and what its runs leave behind: scenarios, frames, tables, digests, run folders.
//!
//! There is no physics here. The simulator (`drystone`) writes these files, and the certificate (`drystone-certify`)
//! reads them without knowing the simulator.

pub mod input;
pub mod record;
