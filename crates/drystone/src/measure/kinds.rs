//! The form of the list of measures: which of their sides each has.

/// A measure as the side that is asked for, if it has that side.
macro_rules! side {
    (world: world $(frame)?, $measure:ident) => {
        Some(&$measure)
    };
    (world: frame, $measure:ident) => {
        None
    };
    (frame: $(world)? frame, $measure:ident) => {
        Some(&$measure)
    };
    (frame: world, $measure:ident) => {
        None
    };
}

/// Declares the list: a word, the measure, and whether it measures a world, a frame, or both.
macro_rules! measures {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident {
            $( $(#[doc = $doc:literal])+ $key:literal => $measure:ident of $($side:ident) and + ),+ $(,)?
        }
    ) => {
        $crate::list::list! {
            $(#[doc = $about])+
            pub enum $name by name { $( $(#[doc = $doc])+ $key => $measure ),+ }
        }

        impl $name {
            /// It as a measure of a world, if it is one.
            pub fn of_world<D: $crate::dim::Dim>(self) -> Option<&'static dyn Measure<D>> {
                match self { $( $name::$measure => $crate::measure::kinds::side!(world: $($side)+, $measure), )+ }
            }

            /// It as a measure of a frame, if it is one.
            pub fn of_frame(self) -> Option<&'static dyn FrameMeasure> {
                match self { $( $name::$measure => $crate::measure::kinds::side!(frame: $($side)+, $measure), )+ }
            }
        }
    };
}

pub(crate) use {measures, side};
