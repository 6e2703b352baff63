//! The examples of the reference: a part of a scenario for every page, and a small whole one for the first page.

macro_rules! examples {
    ($($page:literal),+ $(,)?) => {
        /// The page's path and its example.
        const EXAMPLES: &[(&str, &str)] = &[$(($page, include_str!(concat!("examples/", $page, ".toml")))),+];
    };
}

examples![
    "index",
    "tilt",
    "cell",
    "material",
    "contact",
    "contact.md",
    "contact.md.normal",
    "contact.md.tangential",
    "contact.md.rolling",
    "contact.md.torsion",
    "contact.md.attraction",
    "start",
    "grains",
    "grains.shape",
    "grains.place",
    "build",
    "wall",
    "wall.drive",
    "load",
    "constraint",
    "spring",
    "stage",
    "stop",
    "method",
    "method.cd",
    "method.md",
    "method.dae",
    "method.ed",
    "output",
];

/// The example of the page that begins with the table of a path. A page without one has an empty example, and a test says
/// so.
pub(super) fn example(path: &str) -> &'static str {
    let name = if path.is_empty() { "index" } else { path };
    EXAMPLES.iter().find(|(page, _)| *page == name).map_or("", |(_, example)| example)
}
