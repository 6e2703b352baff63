//! The examples of the reference: a part of a scenario for every page, and a small whole one for the first page; and
//! pictures of them.

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

macro_rules! pictures {
    ($($page:literal),+ $(,)?) => {
        /// The page's path, and a picture with the commands that made it, in Markdown.
        const PICTURES: &[(&str, &str)] = &[$(($page, include_str!(concat!("examples/", $page, ".txt")))),+];
    };
}

pictures![
    "index",
    "tilt",
    "cell",
    "contact",
    "contact.md.normal",
    "contact.md.tangential",
    "contact.md.rolling",
    "contact.md.torsion",
    "contact.md.attraction",
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
    find(EXAMPLES, path)
}

/// The picture of the page that begins with the table of a path; empty where there is none.
pub(super) fn picture(path: &str) -> &'static str {
    find(PICTURES, path)
}

fn find(pages: &[(&str, &'static str)], path: &str) -> &'static str {
    let name = if path.is_empty() { "index" } else { path };
    pages.iter().find(|(page, _)| *page == name).map_or("", |(_, text)| text)
}
