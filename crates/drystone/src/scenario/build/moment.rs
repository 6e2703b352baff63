//! Moments of an earlier run: its end, the end of a stage, a frame.

use std::sync::Arc;

use crate::input::{Node, Raw, Text};
use crate::record::{RunFolder, frame_files};

/// A moment of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scenario) enum Moment {
    /// At the end of the run.
    End,
    /// At the end of the stage with this number.
    Stage(usize),
    /// In the frame with this number, which does not hold the history of contacts.
    Frame(usize),
}

impl Moment {
    /// The moment that the text after `@` names. If a stage has the name of a frame, the stage is meant.
    pub(super) fn read(text: Option<&str>, stages: &[&str], folder: &RunFolder) -> Option<Moment> {
        let Some(text) = text else { return Some(Moment::End) };
        if let Some(stage) = stages.iter().position(|name| *name == text) {
            return Some(Moment::Stage(stage));
        }
        // a run without frames has no frame 0 either, and is refused
        let numbers = || frame_files::numbers(&folder.frames()).unwrap_or_default();
        let frame = match text {
            "first" => numbers().first().copied().unwrap_or(0),
            "last" => numbers().last().copied().unwrap_or(0),
            number => number.parse().ok()?,
        };
        Some(Moment::Frame(frame))
    }
}

/// The text of the scenario of a run, and its tree; an error message if it is not TOML.
pub(in crate::scenario) fn read_tree(folder: &RunFolder) -> Result<(String, Node), String> {
    let text = std::fs::read_to_string(folder.scenario()).map_err(|error| error.to_string())?;
    let (tree, mistakes) = Node::parse(&Arc::new(Text { name: "scenario.toml".into(), text: text.clone() }));
    match mistakes.first() {
        Some(mistake) => Err(mistake.message.clone()),
        None => Ok((text, tree)),
    }
}

/// Names of the stages of a scenario, in their order.
pub(in crate::scenario) fn stage_names(tree: &Node) -> Vec<&str> {
    let mut names = Vec::new();
    for stage in tree.get("stage").map_or(&[][..], Node::items) {
        if let Some(Raw::Text(name)) = stage.get("name").map(|name| &name.value) {
            names.push(name.as_str());
        }
    }
    names
}
