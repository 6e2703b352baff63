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
    /// Range of bytes in the text.
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

    /// A part of a string value that stands here: bytes of its content. All of it, if it is written with escapes.
    pub fn within(&self, content: &str, part: Range<usize>) -> Span {
        let source = self.text.as_ref().and_then(|text| text.text.get(self.range.clone())).unwrap_or_default();
        let quote = usize::from(source.starts_with(['"', '\'']));
        let is_plain = source.get(quote..).is_some_and(|inner| inner.starts_with(content));
        let is_part = part.start < part.end && part.end <= content.len();
        if !(is_plain && is_part && content.is_char_boundary(part.start) && content.is_char_boundary(part.end)) {
            return self.clone();
        }
        let start = self.range.start + quote;
        Span { text: self.text.clone(), range: start + part.start..start + part.end }
    }
}

/// Bytes of a line, or of a message, that are shown at most: a thousand brackets show no more than a hundred.
const LONGEST: usize = 200;

/// A text that is short enough to be shown: of a long one its beginning and its end.
pub(super) fn shortened(text: String) -> String {
    let length = text.chars().count();
    if length <= 5 * LONGEST {
        return text;
    }
    let (first, last) = (text.chars().take(2 * LONGEST), text.chars().skip(length - LONGEST));
    first.chain(" ... ".chars()).chain(last).collect()
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
        let label = LabeledSpan::new(None, self.at.range.start, self.at.range.len().min(LONGEST));
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
        if contents.data().len() > 2 * LONGEST + span.len() {
            return Ok(Box::new(self.excerpt(span)));
        }
        let (data, span, line, column, lines) =
            (contents.data(), *contents.span(), contents.line(), contents.column(), contents.line_count());
        Ok(Box::new(miette::MietteSpanContents::new_named(self.name.clone(), data, span, line, column, lines)))
    }
}

impl Text {
    /// The text around a place in a line that is too long to be shown.
    fn excerpt(&self, span: &miette::SourceSpan) -> miette::MietteSpanContents<'_> {
        let start = span.offset().min(self.text.len());
        let line = self.text[..start].rfind('\n').map_or(0, |k| k + 1);
        let end = self.text[start..].find('\n').map_or(self.text.len(), |k| start + k);
        let boundary = |mut place: usize| {
            while !self.text.is_char_boundary(place) {
                place -= 1;
            }
            place
        };
        let (from, to) = (boundary(start.saturating_sub(LONGEST / 2).max(line)), boundary((start + LONGEST).min(end)));
        let (number, column) = (self.text[..line].matches('\n').count(), self.text[line..from].chars().count());
        let shown = (from, to - from).into();
        miette::MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[from..to],
            shown,
            number,
            column,
            1,
        )
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
