//! The examples of the library run, and what they assert holds.

#[path = "../../examples/contact_problem.rs"]
mod contact_problem;
#[path = "../../examples/own_law.rs"]
mod own_law;
#[path = "../../examples/own_measure.rs"]
mod own_measure;
#[path = "../../examples/record_and_resume.rs"]
mod record_and_resume;
#[path = "../../examples/soft_collision.rs"]
mod soft_collision;
#[path = "../../examples/spheres.rs"]
mod spheres;
#[path = "../../examples/static_friction.rs"]
mod static_friction;
#[path = "../../examples/two_grains.rs"]
mod two_grains;

use std::error::Error;

fn runs(example: fn() -> Result<(), Box<dyn Error>>) {
    example().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn rigid_grains_meet() {
    runs(two_grains::main);
}

#[test]
fn soft_grains_meet() {
    runs(soft_collision::main);
}

#[test]
fn a_block_stays_on_a_slope() {
    runs(static_friction::main);
}

#[test]
fn a_law_of_ones_own_holds() {
    runs(own_law::main);
}

#[test]
fn spheres_settle_in_a_box() {
    runs(spheres::main);
}

#[test]
fn a_measure_of_ones_own_is_observed() {
    runs(own_measure::main);
}

#[test]
fn a_recorded_run_goes_on_with_the_same_bits() {
    runs(record_and_resume::main);
}

#[test]
fn a_contact_problem_is_solved_from_its_matrix() {
    runs(contact_problem::main);
}

/// An example shows one idea: it fits on a screen and a half.
#[test]
fn examples_have_at_most_sixty_lines() {
    for entry in std::fs::read_dir("../drystone/examples").unwrap() {
        let path = entry.unwrap().path();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 60, "{} has {lines} lines", path.display());
    }
}
