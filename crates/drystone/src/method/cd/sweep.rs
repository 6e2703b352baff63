//! What a sweep over all contacts changes. [Brendel section 1.5]

/// Sizes that the accelerator looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Increment {
    /// Square of the change [N2 s2].
    pub squared: f64,
    /// Change times the whole way from the impulses before: negative when momentum points the wrong way [N2 s2].
    pub along: f64,
}

impl std::iter::Sum for Increment {
    fn sum<I: Iterator<Item = Increment>>(parts: I) -> Increment {
        parts.fold(Increment::default(), |sum, part| Increment {
            squared: sum.squared + part.squared,
            along: sum.along + part.along,
        })
    }
}
