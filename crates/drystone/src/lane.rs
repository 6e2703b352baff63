//! Four numbers at once: the lanes that a sweep works in.
//!
//! The same arithmetic runs on AVX registers, where the processor has them, or on plain arrays. Both round every
//! operation alike (no fused multiply-add), so the bits of a run do not depend on the processor.
//!
//! Laws are written once over [`Real`], which is one number (`f64`) or one in every lane ([`Four`]): the same formula
//! rounds alike in both, so that four contacts at once are solved to the bit as each of them by itself.

use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of lanes.
pub const LANES: usize = 4;

/// One number for each lane, in memory.
pub type Row = [f64; LANES];

/// A way to compute with four numbers at once. The methods are the operations of the same name, lane by lane.
#[allow(missing_docs)]
pub trait Lanes: Copy {
    /// Four numbers in registers.
    type Reg: Copy;
    fn load(self, row: &Row) -> Self::Reg;
    fn store(self, a: Self::Reg) -> Row;
    fn add(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    fn sub(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    fn mul(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    fn div(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    fn sqrt(self, a: Self::Reg) -> Self::Reg;
    /// `x` in the lanes where a > b, `y` in the others (also where a or b is not a number).
    fn where_greater(self, a: Self::Reg, b: Self::Reg, x: Self::Reg, y: Self::Reg) -> Self::Reg;
    /// Whether a > b in any lane.
    fn any_greater(self, a: Self::Reg, b: Self::Reg) -> bool;
    /// Bits of the lanes where a > b, the first lane lowest.
    fn mask_greater(self, a: Self::Reg, b: Self::Reg) -> usize;
    /// `a` in the lanes where a > b, `b` in the others.
    fn max(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// `a` in the lanes where a < b, `b` in the others.
    fn min(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// The last two lanes change places.
    fn swap_last(self, a: Self::Reg) -> Self::Reg;
    /// Rows become columns.
    fn transpose(self, rows: [Self::Reg; LANES]) -> [Self::Reg; LANES];
}

/// Lanes as plain arrays, for any processor.
#[derive(Clone, Copy, Debug)]
pub struct ArrayLanes;

macro_rules! lane_by_lane {
    ($k:ident, $value:expr) => {
        [
            {
                let $k = 0;
                $value
            },
            {
                let $k = 1;
                $value
            },
            {
                let $k = 2;
                $value
            },
            {
                let $k = 3;
                $value
            },
        ]
    };
}

#[rustfmt::skip]
impl Lanes for ArrayLanes {
    type Reg = Row;
    #[inline(always)] fn load(self, row: &Row) -> Row { *row }
    #[inline(always)] fn store(self, a: Row) -> Row { a }
    #[inline(always)] fn add(self, a: Row, b: Row) -> Row { lane_by_lane!(k, a[k] + b[k]) }
    #[inline(always)] fn sub(self, a: Row, b: Row) -> Row { lane_by_lane!(k, a[k] - b[k]) }
    #[inline(always)] fn mul(self, a: Row, b: Row) -> Row { lane_by_lane!(k, a[k] * b[k]) }
    #[inline(always)] fn div(self, a: Row, b: Row) -> Row { lane_by_lane!(k, a[k] / b[k]) }
    #[inline(always)] fn sqrt(self, a: Row) -> Row { lane_by_lane!(k, a[k].sqrt()) }
    #[inline(always)] fn where_greater(self, a: Row, b: Row, x: Row, y: Row) -> Row {
        lane_by_lane!(k, if a[k] > b[k] { x[k] } else { y[k] })
    }
    #[inline(always)] fn any_greater(self, a: Row, b: Row) -> bool { (0..LANES).any(|k| a[k] > b[k]) }
    #[inline(always)] fn mask_greater(self, a: Row, b: Row) -> usize {
        (0..LANES).map(|k| usize::from(a[k] > b[k]) << k).sum()
    }
    #[inline(always)] fn max(self, a: Row, b: Row) -> Row { self.where_greater(a, b, a, b) }
    #[inline(always)] fn min(self, a: Row, b: Row) -> Row { self.where_greater(b, a, a, b) }
    #[inline(always)] fn swap_last(self, [a, b, c, d]: Row) -> Row { [a, b, d, c] }
    #[inline(always)] fn transpose(self, rows: [Row; LANES]) -> [Row; LANES] {
        lane_by_lane!(k, [rows[0][k], rows[1][k], rows[2][k], rows[3][k]])
    }
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{LANES, Lanes, Row};
    use pulp::x86::V3;
    use std::arch::x86_64::__m256d;

    /// Comparison "greater, ordered, quiet" of the AVX instruction set.
    const GREATER: i32 = 30;
    /// Halves of two registers: both low ones, both high ones.
    const LOW: i32 = 0x20;
    const HIGH: i32 = 0x31;
    /// Order of the lanes in each half: kept in the low one, changed in the high one.
    const SWAP_LAST: i32 = 0b0110;

    #[rustfmt::skip]
    impl Lanes for V3 {
        type Reg = __m256d;
        #[inline(always)] fn load(self, row: &Row) -> __m256d { pulp::cast(*row) }
        #[inline(always)] fn store(self, a: __m256d) -> Row { pulp::cast(a) }
        #[inline(always)] fn add(self, a: __m256d, b: __m256d) -> __m256d { self.avx._mm256_add_pd(a, b) }
        #[inline(always)] fn sub(self, a: __m256d, b: __m256d) -> __m256d { self.avx._mm256_sub_pd(a, b) }
        #[inline(always)] fn mul(self, a: __m256d, b: __m256d) -> __m256d { self.avx._mm256_mul_pd(a, b) }
        #[inline(always)] fn div(self, a: __m256d, b: __m256d) -> __m256d { self.avx._mm256_div_pd(a, b) }
        #[inline(always)] fn sqrt(self, a: __m256d) -> __m256d { self.avx._mm256_sqrt_pd(a) }
        #[inline(always)] fn where_greater(self, a: __m256d, b: __m256d, x: __m256d, y: __m256d) -> __m256d {
            self.avx._mm256_blendv_pd(y, x, self.avx._mm256_cmp_pd::<GREATER>(a, b))
        }
        #[inline(always)] fn any_greater(self, a: __m256d, b: __m256d) -> bool {
            self.mask_greater(a, b) != 0
        }
        #[inline(always)] fn mask_greater(self, a: __m256d, b: __m256d) -> usize {
            self.avx._mm256_movemask_pd(self.avx._mm256_cmp_pd::<GREATER>(a, b)) as usize
        }
        #[inline(always)] fn max(self, a: __m256d, b: __m256d) -> __m256d { self.avx._mm256_max_pd(a, b) }
        #[inline(always)] fn min(self, a: __m256d, b: __m256d) -> __m256d { self.avx._mm256_min_pd(a, b) }
        #[inline(always)] fn swap_last(self, a: __m256d) -> __m256d { self.avx._mm256_permute_pd::<SWAP_LAST>(a) }
        #[inline(always)] fn transpose(self, [a, b, c, d]: [__m256d; LANES]) -> [__m256d; LANES] {
            let avx = self.avx;
            let (even_ab, odd_ab) = (avx._mm256_unpacklo_pd(a, b), avx._mm256_unpackhi_pd(a, b));
            let (even_cd, odd_cd) = (avx._mm256_unpacklo_pd(c, d), avx._mm256_unpackhi_pd(c, d));
            [
                avx._mm256_permute2f128_pd::<LOW>(even_ab, even_cd),
                avx._mm256_permute2f128_pd::<LOW>(odd_ab, odd_cd),
                avx._mm256_permute2f128_pd::<HIGH>(even_ab, even_cd),
                avx._mm256_permute2f128_pd::<HIGH>(odd_ab, odd_cd),
            ]
        }
    }
}

/// Work that can be done in any lanes. Its parts must be `#[inline(always)]`, or they miss the registers.
pub trait InLanes {
    /// What comes out.
    type Output;
    /// Does it.
    fn run<S: Lanes>(self, lanes: S) -> Self::Output;
}

static PLAIN_ONLY: AtomicBool = AtomicBool::new(false);

/// Keeps to plain arrays from now on, or not: to measure what registers are worth. Results do not change by a bit.
pub fn plain_only(yes: bool) {
    PLAIN_ONLY.store(yes, Ordering::Relaxed);
}

/// Does the work in the widest lanes that the processor has.
pub fn in_lanes<W: InLanes>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if !PLAIN_ONLY.load(Ordering::Relaxed) {
        struct Job<W>(pulp::x86::V3, W);
        impl<W: InLanes> pulp::NullaryFnOnce for Job<W> {
            type Output = W::Output;
            #[inline(always)]
            fn call(self) -> W::Output {
                self.1.run(self.0)
            }
        }
        if let Some(v3) = pulp::x86::V3::try_new() {
            return pulp::Simd::vectorize(v3, Job(v3, work));
        }
    }
    work.run(ArrayLanes)
}

/// Calls `each` with the first `count` lanes, one after the other; all of them without a test in between.
#[inline(always)]
pub fn each_lane(count: usize, mut each: impl FnMut(usize)) {
    match count {
        LANES => {
            lane_by_lane!(lane, each(lane));
        }
        fewer => (0..fewer).for_each(each),
    }
}

/// The lanes by their numbers.
pub(crate) const EACH: [usize; LANES] = [0, 1, 2, 3];

/// Arrays of a few elements, mapped without a call.
///
/// `map` of the standard library is a function that the compiler may leave in another codegen unit: without
/// link-time optimisation every load of a kernel became a call. The same holds for `from_fn` and `each_ref`, and for
/// the derived default of an array: kernels map [`EACH`], and write zeros.
pub trait MapInlined<T> {
    /// As many elements of another type.
    type Of<U>;
    /// `each` of every element, in their order.
    fn map_inlined<U>(self, each: impl FnMut(T) -> U) -> Self::Of<U>;
}

macro_rules! map_inlined {
    ($($count:literal: $($element:ident)*;)*) => {$(
        impl<T> MapInlined<T> for [T; $count] {
            type Of<U> = [U; $count];
            #[inline(always)]
            fn map_inlined<U>(self, mut each: impl FnMut(T) -> U) -> [U; $count] {
                let [$($element),*] = self;
                [$(each($element)),*]
            }
        }
    )*};
}

map_inlined! { 2: a b; 3: a b c; 4: a b c d; 5: a b c d e; 6: a b c d e f; }

/// Four numbers: arithmetic as with one.
#[derive(Clone, Copy)]
pub struct Four<S: Lanes> {
    value: S::Reg,
    lanes: S,
}

#[rustfmt::skip]
impl<S: Lanes> Four<S> {
    /// From memory.
    #[inline(always)] pub fn load(lanes: S, row: &Row) -> Self { Four { value: lanes.load(row), lanes } }
    /// With numbers from memory added.
    #[inline(always)] pub fn plus(self, row: &Row) -> Self { self + Four::load(self.lanes, row) }
    /// Taken from numbers in memory.
    #[inline(always)] pub fn minus_from(self, row: &Row) -> Self { Four::load(self.lanes, row) - self }
    /// The same number in every lane.
    #[inline(always)] pub fn splat(lanes: S, number: f64) -> Self { Four::load(lanes, &[number; LANES]) }
    /// To memory.
    #[inline(always)] pub fn row(self) -> Row { self.lanes.store(self.value) }
    /// The last two change places.
    #[inline(always)] pub fn swap_last(self) -> Self { Four { value: self.lanes.swap_last(self.value), ..self } }
    /// Whether it is greater in any lane.
    #[inline(always)] pub fn any_greater(self, than: Self) -> bool { self.lanes.any_greater(self.value, than.value) }
    /// Bits of the lanes where it is greater, the first lane lowest.
    #[inline(always)] pub fn mask_greater(self, than: Self) -> usize { self.lanes.mask_greater(self.value, than.value) }
    /// Rows become columns.
    #[inline(always)] pub fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let lanes = rows[0].lanes;
        lanes.transpose(rows.map_inlined(|row| row.value)).map_inlined(|value| Four { value, lanes })
    }
}

#[rustfmt::skip]
mod arithmetic {
    use super::*;
    impl<S: Lanes> Add for Four<S> {
        type Output = Self;
        #[inline(always)] fn add(self, b: Self) -> Self { Four { value: self.lanes.add(self.value, b.value), ..self } }
    }
    impl<S: Lanes> Sub for Four<S> {
        type Output = Self;
        #[inline(always)] fn sub(self, b: Self) -> Self { Four { value: self.lanes.sub(self.value, b.value), ..self } }
    }
    impl<S: Lanes> Mul for Four<S> {
        type Output = Self;
        #[inline(always)] fn mul(self, b: Self) -> Self { Four { value: self.lanes.mul(self.value, b.value), ..self } }
    }
    impl<S: Lanes> Div for Four<S> {
        type Output = Self;
        #[inline(always)] fn div(self, b: Self) -> Self { Four { value: self.lanes.div(self.value, b.value), ..self } }
    }
    impl<S: Lanes> Neg for Four<S> {
        type Output = Self;
        #[inline(always)] fn neg(self) -> Self { Four::splat(self.lanes, 0.0) - self }
    }
}

/// A number, or one in every lane: what a law is written over that is solved for one contact or for four at once.
pub trait Real: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    /// The same number, in every lane that this one has.
    fn all(self, number: f64) -> Self;
    /// Zero.
    #[inline(always)]
    fn zero(self) -> Self {
        self.all(0.0)
    }
    /// One.
    #[inline(always)]
    fn one(self) -> Self {
        self.all(1.0)
    }
    /// Zero minus this, which is also how lanes do it.
    #[inline(always)]
    fn negated(self) -> Self {
        self.zero() - self
    }
    /// Square root.
    fn sqrt(self) -> Self;
    /// `yes` where this is greater than `than`, `no` elsewhere (also where one of them is not a number).
    fn choose_greater(self, than: Self, yes: Self, no: Self) -> Self;
    /// This where it is greater, the other elsewhere.
    fn max(self, other: Self) -> Self;
    /// This where it is less, the other elsewhere.
    fn min(self, other: Self) -> Self;
}

#[rustfmt::skip]
impl Real for f64 {
    #[inline(always)] fn all(self, number: f64) -> f64 { number }
    #[inline(always)] fn sqrt(self) -> f64 { f64::sqrt(self) }
    #[inline(always)] fn choose_greater(self, than: f64, yes: f64, no: f64) -> f64 { if self > than { yes } else { no } }
    #[inline(always)] fn max(self, other: f64) -> f64 { if self > other { self } else { other } }
    #[inline(always)] fn min(self, other: f64) -> f64 { if self < other { self } else { other } }
}

#[rustfmt::skip]
impl<S: Lanes> Real for Four<S> {
    #[inline(always)] fn all(self, number: f64) -> Self { Four::splat(self.lanes, number) }
    #[inline(always)] fn sqrt(self) -> Self { Four { value: self.lanes.sqrt(self.value), ..self } }
    #[inline(always)] fn choose_greater(self, than: Self, yes: Self, no: Self) -> Self {
        Four { value: self.lanes.where_greater(self.value, than.value, yes.value, no.value), ..self }
    }
    #[inline(always)] fn max(self, other: Self) -> Self { Four { value: self.lanes.max(self.value, other.value), ..self } }
    #[inline(always)] fn min(self, other: Self) -> Self { Four { value: self.lanes.min(self.value, other.value), ..self } }
}

/// A vector by its components: one vector, or one in every lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberArray<X, const N: usize>(pub [X; N]);

/// What [`NumberArray`] of any number do.
pub trait NumberVector:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<<Self as NumberVector>::Number, Output = Self>
{
    /// What its components are.
    type Number: Real;
    /// Scalar product.
    fn dot(self, other: Self) -> Self::Number;
    /// Length.
    fn norm(self) -> Self::Number;
}

/// Four vectors, one for each lane.
pub trait FourVector<S: Lanes>: NumberVector<Number = Four<S>> {
    /// In memory.
    type Rows;
    /// From memory.
    fn load(lanes: S, rows: &Self::Rows) -> Self;
    /// To memory.
    fn rows(self) -> Self::Rows;
    /// `yes` in the lanes where `this` is greater than `than`, `no` in the others.
    fn choose(this: Four<S>, than: Four<S>, yes: Self, no: Self) -> Self;
}

#[rustfmt::skip]
impl<X: Real, const N: usize> NumberVector for NumberArray<X, N> {
    type Number = X;
    #[inline(always)] fn dot(self, other: Self) -> X {
        let mut sum = self.0[0] * other.0[0];
        let mut k = 1;
        while k < N { sum = sum + self.0[k] * other.0[k]; k += 1; }
        sum
    }
    #[inline(always)] fn norm(self) -> X {
        if N == 1 { self.0[0].max(self.0[0].negated()) } else { self.dot(self).sqrt() }
    }
}

#[rustfmt::skip]
impl<S: Lanes, const N: usize> FourVector<S> for NumberArray<Four<S>, N> {
    type Rows = [Row; N];
    #[inline(always)] fn load(lanes: S, rows: &[Row; N]) -> Self {
        let mut out = [Four::load(lanes, &rows[0]); N];
        let mut k = 1;
        while k < N { out[k] = Four::load(lanes, &rows[k]); k += 1; }
        Self(out)
    }
    #[inline(always)] fn rows(self) -> [Row; N] {
        let mut out = [[0.0; LANES]; N];
        let mut k = 0;
        while k < N { out[k] = self.0[k].row(); k += 1; }
        out
    }
    #[inline(always)] fn choose(this: Four<S>, than: Four<S>, yes: Self, no: Self) -> Self {
        yes.zip(no, |yes, no| this.choose_greater(than, yes, no))
    }
}

#[rustfmt::skip]
impl<X: Real, const N: usize> NumberArray<X, N> {
    #[inline(always)] fn zip(self, other: Self, f: impl Fn(X, X) -> X) -> Self {
        let mut out = self.0;
        let mut k = 0;
        while k < N { out[k] = f(self.0[k], other.0[k]); k += 1; }
        Self(out)
    }
}

#[rustfmt::skip]
mod vectors {
    use super::*;
    impl<X: Real, const N: usize> Add for NumberArray<X, N> {
        type Output = Self;
        #[inline(always)] fn add(self, b: Self) -> Self { self.zip(b, |a, b| a + b) }
    }
    impl<X: Real, const N: usize> Sub for NumberArray<X, N> {
        type Output = Self;
        #[inline(always)] fn sub(self, b: Self) -> Self { self.zip(b, |a, b| a - b) }
    }
    impl<X: Real, const N: usize> Mul<X> for NumberArray<X, N> {
        type Output = Self;
        #[inline(always)] fn mul(self, s: X) -> Self { self.zip(self, |a, _| a * s) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Everything([Row; 4]);
    impl InLanes for Everything {
        type Output = Vec<Row>;
        #[inline(always)]
        fn run<S: Lanes>(self, lanes: S) -> Vec<Row> {
            let [a, b, c, d] = self.0.map(|row| Four::load(lanes, &row));
            let mut rows = vec![(a + b).row(), (a - b).row(), (a * b).row(), (a / b).row(), (-a).row(), c.sqrt().row()];
            rows.extend([a.max(b).row(), a.choose_greater(b, c, d).row()]);
            rows.extend(Four::transpose([a, b, c, d]).map(Four::row));
            rows.extend([b.max(a).row(), a.swap_last().row(), a.min(b).row(), b.min(a).row()]);
            rows.push([a.any_greater(b), b.any_greater(a), a.any_greater(a), d.any_greater(c)].map(f64::from));
            rows.push([(a, b), (b, a), (c, d), (d, c)].map(|(one, other)| one.mask_greater(other) as f64));
            rows
        }
    }

    #[test]
    fn registers_and_arrays_round_alike() {
        let rows = || {
            Everything([
                [1.0, -2.5, 1e300, 0.0],
                [3.0, -2.5, 1e-300, f64::NAN],
                [2.0, 0.1, 1.0 / 3.0, 7.0],
                [-1.0, f64::INFINITY, 5e-324, 0.3],
            ])
        };
        let bits = |rows: Vec<Row>| {
            rows.concat().into_iter().map(|x| if x.is_nan() { 1 } else { x.to_bits() }).collect::<Vec<_>>()
        };
        let (wide, plain) = (bits(in_lanes(rows())), bits(rows().run(ArrayLanes)));
        assert_eq!(wide, plain);
        assert_eq!(rows().run(ArrayLanes)[8], [1.0, 3.0, 2.0, -1.0], "rows become columns");
        assert_eq!(rows().run(ArrayLanes)[7], [-1.0, f64::INFINITY, 1.0 / 3.0, 0.3], "only the third is greater");
        assert_eq!(rows().run(ArrayLanes)[13], [1.0, -2.5, 0.0, 1e300], "the last two change places");
        assert_eq!(rows().run(ArrayLanes)[16], [1.0, 1.0, 0.0, 1.0], "in one lane, in one lane, in none, in one lane");
    }
}
