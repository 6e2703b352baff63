//! Tests of the method as a whole, on worlds made by hand.
