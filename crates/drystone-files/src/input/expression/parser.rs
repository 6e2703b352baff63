//! From the text of an expression to its terms, with a message at the place where that is not possible.

use std::ops::RangeInclusive;

use super::super::magnitude::{FUNCTIONS, Magnitude, Refusal};
use super::super::reader::nearest;
use super::super::units;
use super::{Part, PlacedRefusal, Term};

/// Largest depth of brackets and powers within each other.
const DEEPEST: usize = 50;

/// Reads a text from left to right; every function reads what binds at least as strongly as its name says.
pub(super) struct Parser<'t> {
    text: &'t str,
    place: usize,
    depth: usize,
    known: &'t [&'t str],
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, known: &'t [&'t str]) -> Parser<'t> {
        Parser { text, place: 0, depth: 0, known }
    }

    /// All of the text.
    pub(super) fn whole(&mut self) -> Result<Term, PlacedRefusal> {
        let term = self.sum()?;
        match self.peek() {
            None => Ok(term),
            Some(_) => Err(self.misplaced(&term)),
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.place..]
    }

    fn skip(&mut self) {
        self.place = self.text.len() - self.rest().trim_start().len();
    }

    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    /// Goes past a character if it is one of these.
    fn take(&mut self, signs: &[char]) -> Option<char> {
        let sign = self.peek().filter(|sign| signs.contains(sign))?;
        self.place += sign.len_utf8();
        Some(sign)
    }

    fn fail<T>(&self, from: usize, message: impl Into<String>, help: impl Into<String>) -> Result<T, PlacedRefusal> {
        Err((Refusal::of_form(message, help), from..self.text.len().min(self.place.max(from + 1))))
    }

    fn sum(&mut self) -> Result<Term, PlacedRefusal> {
        let mut left = self.product()?;
        while let Some(operator) = self.take(&['+', '-', '−']) {
            let operator = if operator == '+' { '+' } else { '-' };
            left = combined(left, operator, self.product()?);
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Term, PlacedRefusal> {
        let mut left = self.signed()?;
        while let Some(operator) = self.take(&['*', '/', '·']) {
            let operator = if operator == '/' { '/' } else { '*' };
            left = combined(left, operator, self.signed()?);
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Term, PlacedRefusal> {
        self.skip();
        let start = self.place;
        let Some(sign) = self.take(&['+', '-', '−']) else { return self.power() };
        if let Some(second) = self.peek().filter(|second| "+-−".contains(*second)) {
            return self.fail(start, format!("`{sign}` and `{second}` in a row"), "keep one sign");
        }
        let inner = self.power()?;
        let at = start..inner.at.end;
        Ok(if sign == '+' { inner } else { Term { part: Part::Negated(Box::new(inner)), at } })
    }

    fn power(&mut self) -> Result<Term, PlacedRefusal> {
        let base = self.value()?;
        if self.take(&['^']).is_none() {
            return Ok(base);
        }
        if matches!(&base.part, Part::Magnitude(magnitude) if magnitude.unit.is_some())
            && !self.text[base.at.clone()].ends_with(')')
        {
            let own = &self.text[base.at.clone()];
            let help = format!("write ({own})^n if both have it; that of a unit is a number, as in 4 m^2");
            return self.fail(base.at.start, format!("whether `{own}` or its unit has this power is not clear"), help);
        }
        self.deeper()?;
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(combined(base, '^', exponent))
    }

    fn deeper(&mut self) -> Result<(), PlacedRefusal> {
        self.depth += 1;
        match self.depth > DEEPEST {
            true => self.fail(self.place, "brackets or powers nested too deep", format!("{DEEPEST} levels at most")),
            false => Ok(()),
        }
    }

    /// A number, a name, a function, or something in brackets.
    fn value(&mut self) -> Result<Term, PlacedRefusal> {
        let Some(first) = self.peek() else {
            let message = if self.text.trim().is_empty() { "there is nothing in it" } else { "it ends too early" };
            return self.fail(self.text.len(), message, "a number, a name or a bracket must stand there");
        };
        let start = self.place;
        if first == '(' {
            self.place += 1;
            let mut term = self.inside(start)?;
            term.at = start..self.place;
            return Ok(term);
        }
        if first.is_ascii_digit() || first == '.' {
            return self.number();
        }
        let word = self.word();
        if word.is_empty() {
            self.place += first.len_utf8();
            let help = "there are + - * / ^ ( ), numbers with units, names and functions";
            return self.fail(start, format!("a number or a name must stand where `{first}` is"), help);
        }
        self.place += word.len();
        let is_known = self.known.contains(&word);
        let part = match FUNCTIONS.iter().find(|(function, ..)| *function == word) {
            Some((name, least, most)) if !is_known => self.call(start, name, *least..=*most)?,
            _ if !is_known && self.peek() == Some('(') => {
                let functions: Vec<&str> = FUNCTIONS.iter().map(|(function, ..)| *function).collect();
                let help = match nearest(word, functions.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("functions: {}; products are written with `*`", functions.join(", ")),
                };
                return self.fail(start, format!("there is no function `{word}`"), help);
            }
            _ if word == "pi" && !is_known => Part::Magnitude(Magnitude::bare(std::f64::consts::PI)),
            _ => Part::Name(word.to_string()),
        };
        Ok(Term { part, at: start..self.place.min(self.text.len()) })
    }

    /// The content of a bracket that was opened at `start`.
    fn inside(&mut self, start: usize) -> Result<Term, PlacedRefusal> {
        self.deeper()?;
        let term = self.sum()?;
        self.depth -= 1;
        match self.take(&[')']) {
            Some(_) => Ok(term),
            None if self.peek().is_none() => self.fail(start, "a bracket is not closed", "add `)`"),
            None => Err(self.misplaced(&term)),
        }
    }

    fn call(&mut self, start: usize, name: &'static str, takes: RangeInclusive<usize>) -> Result<Part, PlacedRefusal> {
        let open = self.place;
        if self.take(&['(']).is_none() {
            return self.fail(start, format!("`{name}` is a function"), format!("write {name}(...)"));
        }
        self.deeper()?;
        let mut arguments = vec![self.sum()?];
        while self.take(&[',']).is_some() {
            arguments.push(self.sum()?);
        }
        self.depth -= 1;
        if self.take(&[')']).is_none() {
            return match self.peek() {
                None => self.fail(open, "a bracket is not closed", "add `)`"),
                Some(_) => Err(self.misplaced(&arguments[arguments.len() - 1])),
            };
        }
        let count = arguments.len();
        if !takes.contains(&count) {
            let (least, most) = takes.into_inner();
            let wanted = if least == most { least.to_string() } else { format!("{least} or more") };
            return self.fail(
                start,
                format!("`{name}` takes {wanted} arguments, not {count}"),
                "separate them by commas",
            );
        }
        Ok(Part::Call(name, arguments))
    }

    /// The longest known name here, or else a word.
    fn word(&self) -> &'t str {
        let rest = self.rest();
        let own = rest.find(|c: char| !is_of_word(c)).map_or(rest, |end| &rest[..end]);
        let ends = |name: &str| !rest[name.len()..].starts_with(is_of_word);
        let known = self.known.iter().filter(|name| !name.is_empty() && rest.starts_with(**name) && ends(name));
        known
            .map(|name| &rest[..name.len()])
            .max_by_key(|name| name.len())
            .filter(|k| k.len() >= own.len())
            .unwrap_or(own)
    }

    /// A number and the unit behind it.
    fn number(&mut self) -> Result<Term, PlacedRefusal> {
        let start = self.place;
        self.place += number_length(self.rest());
        let bare = self.place;
        while let Some(end) = self.unit_end(self.place == bare) {
            self.place = end;
        }
        let text = self.text[start..bare].replace('_', "") + &self.text[bare..self.place];
        let at = start..self.place;
        match units::parse(&text) {
            Ok(number) => Ok(Term { part: Part::Magnitude(number.into()), at }),
            Err(why) => {
                Err((Refusal { code: "E004", ..Refusal::of_form(why, "write a number and a unit: 40 mm") }, at))
            }
        }
    }

    /// The end of a unit that begins here, with or without a slash or a dot before it, and belongs to the preceding
    /// number. The first unit has no slash of its own: in `x / 2 / s` the 2 is not a frequency.
    fn unit_end(&self, is_first: bool) -> Option<usize> {
        let spaces = |at: usize| self.text.len() - self.text[at..].trim_start().len();
        let mut at = spaces(self.place);
        let one = self.text[at..].strip_prefix('1').filter(|rest| rest.trim_start().starts_with('/'));
        if let Some(rest) = one {
            at = spaces(self.text.len() - rest.len()); // 2 1/s
        }
        let sign = self.text[at..].chars().next().filter(|sign| ['/', '·'].contains(sign));
        if sign.is_some() && is_first && one.is_none() {
            return None;
        }
        at = spaces(at + sign.map_or(0, char::len_utf8));
        let here = Parser { place: at, ..*self };
        let word = if self.text[at..].starts_with('%') { "%" } else { here.word() };
        let mut end = at + word.len();
        if self.known.contains(&word) || !units::is_unit(word) || self.text[end..].trim_start().starts_with('(') {
            return None;
        }
        let after = &self.text[end..];
        if let Some(power) = after.strip_prefix('^') {
            let digits = power.strip_prefix('-').unwrap_or(power);
            let count = digits.bytes().take_while(u8::is_ascii_digit).count();
            end += if count > 0 { 1 + power.len() - digits.len() + count } else { 0 };
        } else if after.starts_with(['²', '³']) {
            end += '²'.len_utf8();
        }
        Some(end)
    }

    /// The fault of text after a value that is not an operator.
    fn misplaced(&mut self, before: &Term) -> PlacedRefusal {
        self.skip();
        let (start, before) = (self.place, &self.text[before.at.clone()]);
        let word = self.word();
        if word.is_empty() {
            let sign = self.rest().chars().next().unwrap_or(' ');
            let help = "there are + - * / ^ ( ), numbers with units, names and functions";
            let help =
                if sign == '(' { format!("a product is written with `*`: {before} * (...)") } else { help.into() };
            return (Refusal::of_form(format!("`{sign}` does not belong there"), help), start..start + sign.len_utf8());
        }
        let at = start..start + word.len();
        let last = before.rsplit(['+', '-', '*', '/', '^', '(', ' ']).find(|part| !part.is_empty()).unwrap_or(before);
        let is_number = last.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        if !is_number || word.starts_with(|c: char| c.is_ascii_digit()) {
            let help = "a product is written with `*`";
            return (Refusal::of_form(format!("an operator is missing before `{word}`"), help), at);
        }
        let why = units::parse(&format!("1 {word}")).err().unwrap_or_else(|| format!("`{word}` is not a unit here"));
        let help = format!("a product with a parameter is written with `*`: {last} * {word}");
        (Refusal { code: "E004", ..Refusal::of_form(why, help) }, at)
    }
}

fn combined(left: Term, operator: char, right: Term) -> Term {
    let at = left.at.start..right.at.end;
    Term { part: Part::Combined(operator, Box::new([left, right])), at }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() && !['²', '³'].contains(&c) || c == '_'
}

/// How many leading bytes are a number without a sign.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let plain =
        |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_')).count();
    let end = plain(0);
    if !matches!(bytes.get(end), Some(b'e' | b'E')) {
        return end;
    }
    let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
    let digits = bytes[end + 1 + sign..].iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 { end } else { end + 1 + sign + digits }
}
