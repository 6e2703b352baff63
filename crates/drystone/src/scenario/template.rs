//! Scenarios to start from: the files of the `scenarios` folder.

/// A template: its name, what it is, and the text of the file.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Name for `drystone new`.
    pub name: &'static str,
    /// The scenario.
    pub text: &'static str,
}

macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        /// All templates.
        pub const TEMPLATES: &[Template] =
            &[$(Template { name: $name, text: include_str!(concat!("../../../../scenarios/", $name, ".toml")) }),+];
    };
}

templates![
    "heap",
    "heap3d",
    "drop",
    "collision",
    "shaker",
    "bounce",
    "cradle",
    "rolling",
    "powder",
    "biaxial",
    "biaxial_membrane",
    "drop2500",
    "drum",
    "silo",
    "silo3d",
    "triaxial",
    "triaxial_membrane",
    "mixer",
    "column_collapse",
    "column_collapse3d",
    "janssen",
    "oedometer",
    "soft_oedometer",
    "penetration",
    "pull_out",
    "vibrated_bed",
    "compaction",
    "chain",
    "sound",
    "granular_gas",
    "rapid_gas",
    "sedimented_monolayer",
    "soft_bounce",
    "head_on",
    "oblique",
    "roll_out",
    "detachment",
    "brake_failure",
    "soft_heap",
    "settled_bed",
    "pendulum",
    "double_pendulum",
    "slope_block",
    "dry_oscillator",
    "belt",
    "cannonballs3",
    "cannonballs6",
    "cannonballs10",
    "turning_heap",
    "rest",
    "arch",
    "arch_spreading_supports",
    "rocking_block",
    "domino",
    "card_tower",
    "painleve_rod",
    "tilting_blocks",
    "stones",
    "jammed",
    "jammed3d",
    "stones3d",
    "dry_stone_wall",
    "ballast",
    "ballast_hopper",
    "peanuts",
    "clumps3d",
    "capsules",
    "lees_edwards",
    "plane_shear",
    "pressed_cell",
    "creep",
    "powder_cell",
    "grown",
];

impl Template {
    /// A template by its name.
    pub fn find(name: &str) -> Option<&'static Template> {
        TEMPLATES.iter().find(|template| template.name == name)
    }

    /// What it is: the first line of the file, a comment.
    pub fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }
}
