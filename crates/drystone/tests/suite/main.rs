//! All tests against the public interface, in one program: each program compiles the generic code of every method anew,
//! so that one takes a third of the time of ten. The package `drystone-tests` compiles them with less optimisation than the
//! library that they call. `cargo test -p drystone-tests --test suite validation` runs one part.

mod architecture;
mod arguments;
mod bad_scenarios;
mod book;
mod bounds;
mod certify;
mod constraints;
mod contact_problems;
mod determinism;
mod examples;
mod laws;
mod layers;
mod monitors;
mod passing;
mod recording;
mod reference;
mod scenarios;
mod start;
mod type_names;
mod validation;
