//! Mistakes: what is wrong in a scenario, where, and what to write instead. All of a file are reported together.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};

/// A text that scenarios are read from: a file, or a `--set` of the command line.
#[derive(Debug)]
pub struct Text {
    /// Name for messages.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A place in a text.
#[derive(Clone, Debug, Default)]
pub struct Span {
    /// The text; `None` for values that nobody wrote (defaults).
    pub text: Option<Arc<Text>>,
    /// Bytes from .. to.
    pub range: Range<usize>,
}

impl Span {
    /// Line and column of the start, counted from 1.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let text = &self.text.as_ref()?.text;
        let before = &text[..self.range.start.min(text.len())];
        let line_start = before.rfind('\n').map_or(0, |k| k + 1);
        Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
    }
}

/// One mistake; or a warning, if its code starts with W: the scenario runs all the same.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// Code for `drystone explain`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// Where.
    pub at: Span,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Mistake {}

impl Diagnostic for Mistake {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }
    fn severity(&self) -> Option<Severity> {
        Some(if self.code.starts_with('W') { Severity::Warning } else { Severity::Error })
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.help.is_empty()).then(|| Box::new(&self.help) as Box<dyn fmt::Display + 'a>)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.at.text.as_ref()?;
        let label = LabeledSpan::new(None, self.at.range.start, self.at.range.len());
        Some(Box::new(std::iter::once(label)))
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.at.text.as_ref().map(|text| text as &dyn SourceCode)
    }
}

impl SourceCode for Text {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        let (data, span, line, column, lines) =
            (contents.data(), *contents.span(), contents.line(), contents.column(), contents.line_count());
        Ok(Box::new(miette::MietteSpanContents::new_named(self.name.clone(), data, span, line, column, lines)))
    }
}

/// All the mistakes of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Mistakes(pub Vec<Mistake>);

impl Mistakes {
    /// `Ok` if there are none.
    pub fn into_result<T>(self, value: Option<T>) -> Result<T, Mistakes> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => Err(self),
        }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mistake in &self.0 {
            write!(f, "error[{}]: ", mistake.code)?;
            if let (Some(text), Some((line, column))) = (&mistake.at.text, mistake.at.line_column()) {
                write!(f, "{}:{line}:{column}: ", text.name)?;
            }
            writeln!(f, "{mistake}")?;
            if !mistake.help.is_empty() {
                writeln!(f, "  help: {}", mistake.help)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}
