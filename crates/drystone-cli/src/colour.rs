//! Whether messages are coloured.

use std::io::IsTerminal;

use clap::ValueEnum;

/// Whether messages are coloured.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Colour {
    /// Sets how mistakes and warnings are drawn from now on.
    pub(crate) fn choose(self) {
        let is_coloured = match self {
            Colour::Auto => return,
            Colour::Always => true,
            Colour::Never => false,
        };
        // signs that are drawn need a terminal that knows them; a file shows what a pipe shows
        let is_drawn = std::io::stderr().is_terminal();
        let chosen = miette::set_hook(Box::new(move |_| {
            let options = miette::MietteHandlerOpts::new().color(is_coloured);
            Box::new(if is_drawn { options } else { options.width(80) }.build())
        }));
        debug_assert!(chosen.is_ok(), "the colour is chosen once");
    }
}
