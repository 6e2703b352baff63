//! Contact history: a tangential spring for every pair of the list, and the rest of the memory in addition if a law
//! needs it.

use crate::dim::{Dim, Vector};
use crate::lane::MapInlined;
use crate::lane::{Four, InLanes, LANES, Lanes, in_lanes};
use crate::law::soft::{SoftMemory, Turning};

/// Wake distance of a pair that touches: such a pair is always awake.
const TOUCHING: f32 = f32::NEG_INFINITY;

/// Memories, one for each pair. Those of pairs that do not touch are empty.
#[derive(Clone, Debug, Default)]
pub struct History<D: Dim> {
    /// How far grains must have travelled since the list was made before the pair may touch [m].
    wake: Vec<f32>,
    /// Tangential springs.
    springs: Vec<D::Vec>,
    /// The memories without their springs, whose fields are unused here; no elements if springs are enough.
    memories: Vec<SoftMemory<D>>,
}

impl<D: Dim> History<D> {
    /// Empty memories for `count` pairs.
    pub fn new(count: usize, keeps_whole_memories: bool) -> History<D> {
        let memories = if keeps_whole_memories { count } else { 0 };
        History {
            wake: vec![0.0; count],
            springs: vec![D::Vec::ZERO; count],
            memories: vec![SoftMemory::default(); memories],
        }
    }

    /// All of it as slices.
    pub fn slice(&mut self) -> HistorySlice<'_, D> {
        HistorySlice { wake: &mut self.wake, springs: &mut self.springs, memories: &mut self.memories }
    }

    /// Memory of a pair, if it touches.
    pub fn get(&self, index: usize) -> Option<SoftMemory<D>> {
        if self.wake[index] != TOUCHING {
            return None;
        }
        let rest = self.memories.get(index).copied().unwrap_or_default();
        Some(SoftMemory { spring: self.springs[index], ..rest })
    }

    /// Copies the memory of a pair of another history, if it touches.
    pub fn copy_from(&mut self, index: usize, other: &History<D>, from: usize) {
        if let Some(memory) = other.get(from) {
            self.set(index, memory);
        }
    }

    /// Sets the memory of a pair that touches.
    pub fn set(&mut self, index: usize, memory: SoftMemory<D>) {
        self.wake[index] = TOUCHING;
        self.slice().store(index, &memory);
    }
}

/// Fraction of its gap after which a pair is checked again: half, as both grains may approach, less the rounding of the
/// travels that are added up.
const AWAKE_AFTER: f64 = 0.49;

/// History of some of the pairs.
#[derive(Debug)]
pub struct HistorySlice<'s, D: Dim> {
    wake: &'s mut [f32],
    /// See [`History::springs`].
    pub springs: &'s mut [D::Vec],
    memories: &'s mut [SoftMemory<D>],
}

/// Finds the pairs that may touch.
struct Wake<'w> {
    wake: &'w [f32],
    travelled: f64,
    awake: &'w mut Vec<u32>,
}

/// Which of four pairs must be checked, for every bit mask of the sleeping ones, and how many they are.
const AWAKE: [([u32; LANES], usize); 1 << LANES] = {
    let mut all = [([0; LANES], 0); 1 << LANES];
    let mut k = 0;
    while k < LANES << LANES {
        let (asleep, lane) = (k / LANES, k % LANES);
        let (awake, count) = &mut all[asleep];
        if asleep & (1 << lane) == 0 {
            awake[*count] = lane as u32;
            *count += 1;
        }
        k += 1;
    }
    all
};

impl InLanes for Wake<'_> {
    type Output = ();

    /// Writes four pairs at a time, but counts only those that are awake.
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        let Wake { wake, travelled, awake } = self;
        awake.resize(wake.len() + LANES, 0);
        let (fours, rest) = wake.as_chunks::<LANES>();
        let (mut count, all_gone) = (0, Four::splat(lanes, travelled));
        for (k, four) in fours.iter().enumerate() {
            let (awake_here, number) = AWAKE[Four::load(lanes, &four.map_inlined(f64::from)).mask_greater(all_gone)];
            awake[count..count + LANES].copy_from_slice(&awake_here.map_inlined(|lane| (LANES * k) as u32 + lane));
            count += number;
        }
        for (index, at) in (LANES * fours.len()..).zip(rest) {
            awake[count] = index as u32;
            count += usize::from(f64::from(*at) <= travelled);
        }
        awake.truncate(count);
    }
}

impl<'s, D: Dim> HistorySlice<'s, D> {
    /// Splits off the first `count` pairs.
    pub fn split_off(&mut self, count: usize) -> HistorySlice<'s, D> {
        fn first<'s, T>(all: &mut &'s mut [T], count: usize) -> &'s mut [T] {
            let (first, rest) = std::mem::take(all).split_at_mut(count);
            *all = rest;
            first
        }
        let memories = count.min(self.memories.len());
        HistorySlice {
            wake: first(&mut self.wake, count),
            springs: first(&mut self.springs, count),
            memories: first(&mut self.memories, memories),
        }
    }

    /// Finds the pairs that may touch, given the distance that no grain has exceeded since the list was built.
    pub fn find_awake(&self, travelled: f64, awake: &mut Vec<u32>) {
        in_lanes(Wake { wake: self.wake, travelled, awake });
    }

    /// Whether a pair cannot touch yet.
    #[inline]
    pub fn sleeps(&self, index: usize, travelled: f64) -> bool {
        f64::from(self.wake[index]) > travelled
    }

    /// Whether a pair touched at the last evaluation.
    #[inline]
    pub fn touches(&self, index: usize) -> bool {
        self.wake[index] == TOUCHING
    }

    /// Records that a pair touches; nothing is written if that is already recorded.
    #[inline(always)]
    pub fn touch(&mut self, index: usize) {
        if self.wake[index] != TOUCHING {
            self.wake[index] = TOUCHING;
        }
    }

    /// Excludes a pair with this gap from checks until its bodies may have closed it; `travelled` is the travel so far.
    /// The wake distance is never rounded up.
    #[inline(always)]
    pub fn sleep(&mut self, index: usize, travelled: f64, gap: f64) {
        self.wake[index] = ((travelled + AWAKE_AFTER * gap) as f32).next_down();
    }

    /// Clears the memory of a pair that has separated.
    #[inline]
    pub fn forget(&mut self, index: usize) {
        if self.touches(index) {
            self.store(index, &SoftMemory::default());
            self.wake[index] = 0.0;
        }
    }

    /// Memory of a pair, turned with the contact.
    #[inline]
    pub fn recall(&self, index: usize, turning: Turning, normal: D::Vec) -> SoftMemory<D> {
        let Some(rest) = self.memories.get(index) else { return self.recall_spring(index, turning, normal) };
        let mut memory = SoftMemory { spring: self.springs[index], ..*rest };
        memory.turn(turning, normal);
        memory
    }

    /// Spring of a pair, turned with the contact.
    #[inline(always)]
    pub fn recall_spring(&self, index: usize, turning: Turning, normal: D::Vec) -> SoftMemory<D> {
        SoftMemory { spring: turning.turn(self.springs[index], D::Vec::ZERO, normal), ..SoftMemory::default() }
    }

    /// Stores the spring of a pair.
    #[inline(always)]
    pub fn store_spring(&mut self, index: usize, spring: D::Vec) {
        self.springs[index] = spring;
    }

    /// Whether the surfaces of a pair have touched and not separated.
    #[inline]
    pub fn is_bound(&self, index: usize) -> bool {
        self.touches(index) && self.memories.get(index).is_some_and(|memory| memory.is_bound)
    }

    /// Stores the memory of a pair.
    #[inline]
    pub fn store(&mut self, index: usize, memory: &SoftMemory<D>) {
        self.springs[index] = memory.spring;
        if let Some(rest) = self.memories.get_mut(index) {
            *rest = SoftMemory { spring: D::Vec::ZERO, ..*memory };
        }
    }

    /// Moves the memory of one pair to another, and clears the first.
    pub fn transfer(&mut self, from: usize, to: usize) {
        self.springs[to] = std::mem::take(&mut self.springs[from]);
        if !self.memories.is_empty() {
            self.memories[to] = std::mem::take(&mut self.memories[from]);
        }
        (self.wake[from], self.wake[to]) = (0.0, TOUCHING);
    }
}
