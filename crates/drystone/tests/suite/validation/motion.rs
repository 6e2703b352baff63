//! Motion that grains are given at the start.

use std::path::Path;

use drystone::dim::{D2, D3, Dim};
use drystone::scenario::Scenario;
use drystone::sim::Simulation;

/// A free grain keeps its angular velocity: after 0.1 s at 20 rad/s it has turned by 2 rad.
#[test]
fn a_grain_turns_as_it_was_told() {
    let text = |dimension: &str, method: &str, grain: &str| {
        format!(
            "{dimension}\nstop = {{ at = \"0.1 s\" }}\nmethod = {method}
            material = [{{ name = \"sand\", density = 1000 }}]
            [[contact]]
            between = [\"sand\", \"sand\"]
            friction = 0.5
            md.normal = {{ law = \"hooke\", stiffness = \"1e5 N/m\", restitution = 0.5 }}
            [[grains]]
            material = \"sand\"\n{grain}"
        )
    };
    for method in ["{ cd = { time_step = 1e-3 } }", "{ use = \"md\", md = { time_step = 1e-4 } }"] {
        let grain =
            "shape = { kind = \"disk\", radius = 0.1 }\nplace = { how = \"at\", points = [[0, 0]] }\nspin = -20";
        let scenario = Scenario::<D2>::parse(&text("dimension = 2\ngravity = [0, 0]", method, grain)).unwrap();
        let again = Scenario::<D2>::parse(&scenario.to_toml()).unwrap();
        let mut run = Simulation::new(&again, Path::new(".")).unwrap();
        run.run().unwrap();
        let angle = run.world().bodies.pose[0].q;
        assert!((D2::rot_numbers(angle)[0] + 2.0).abs() < 1e-12, "{method}: {angle:?}");
        let grain = "shape = { kind = \"sphere\", radius = 0.1 }\nplace = { how = \"at\", points = [[0, 0, 0]] }\nspin = [0, \"20 rad/s\", 0]";
        let scenario = Scenario::<D3>::parse(&text("dimension = 3\ngravity = [0, 0, 0]", method, grain)).unwrap();
        let again = Scenario::<D3>::parse(&scenario.to_toml()).unwrap();
        let mut run = Simulation::new(&again, Path::new(".")).unwrap();
        run.run().unwrap();
        let q = D3::quaternion(run.world().bodies.pose[0].q);
        assert!((q[1].abs() - 1f64.sin()).abs() < 1e-12, "{method}: {q:?}");
    }
}
