//! What the pairs of a list remember: a spring each, or everything if a law asks for it.

use crate::dim::{Dim, Vector};
use crate::lane::{Four, InLanes, LANES, Lanes, in_lanes};
use crate::law::soft::{Memory, Turning};

/// A pair that touches is awake.
const TOUCHING: f32 = f32::NEG_INFINITY;

/// Memories, one slot a pair. Slots of pairs that do not touch are empty.
#[derive(Clone, Debug, Default)]
pub struct Store<D: Dim> {
    /// How far grains must have gone since the list was made before the pair may touch [m].
    wake: Vec<f32>,
    /// Tangential springs; empty if whole memories are kept.
    springs: Vec<D::Vec>,
    /// Whole memories; empty if springs are enough.
    memories: Vec<Memory<D>>,
}

impl<D: Dim> Store<D> {
    /// Empty slots for `count` pairs.
    pub fn new(count: usize, is_whole: bool) -> Store<D> {
        let (springs, memories) = if is_whole { (0, count) } else { (count, 0) };
        Store {
            wake: vec![0.0; count],
            springs: vec![D::Vec::ZERO; springs],
            memories: vec![Memory::default(); memories],
        }
    }

    /// The slots as slices.
    pub fn slots(&mut self) -> Slots<'_, D> {
        Slots { wake: &mut self.wake, springs: &mut self.springs, memories: &mut self.memories }
    }

    /// What a slot remembers, if its pair touches.
    pub fn get(&self, slot: usize) -> Option<Memory<D>> {
        if self.wake[slot] != TOUCHING {
            return None;
        }
        Some(match self.springs.get(slot) {
            Some(spring) => Memory { spring: *spring, ..Memory::default() },
            None => self.memories[slot],
        })
    }

    /// Takes over what a slot of another store remembers, if its pair touches.
    pub fn take_over(&mut self, slot: usize, other: &Store<D>, from: usize) {
        if let Some(memory) = other.get(from) {
            self.set(slot, memory);
        }
    }

    /// Lets a slot remember a pair that touches.
    pub fn set(&mut self, slot: usize, memory: Memory<D>) {
        self.wake[slot] = TOUCHING;
        match self.springs.get_mut(slot) {
            Some(spring) => *spring = memory.spring,
            None => self.memories[slot] = memory,
        }
    }
}

/// Part of its gap after which a pair is looked at again: half, as both grains may come nearer, less what rounding of the
/// ways that add up can amount to.
const AWAKE_AFTER: f64 = 0.49;

/// Slots of some of the pairs.
#[derive(Debug)]
pub struct Slots<'s, D: Dim> {
    wake: &'s mut [f32],
    /// See [`Store::springs`].
    pub springs: &'s mut [D::Vec],
    memories: &'s mut [Memory<D>],
}

/// Looks for the pairs that may touch.
struct Wake<'w> {
    wake: &'w [f32],
    gone: f64,
    awake: &'w mut Vec<u32>,
}

/// Which of four pairs are awake, by the bits of those that sleep, and how many they are.
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

    /// Four pairs at a time are written, and only those counted that are awake.
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        let Wake { wake, gone, awake } = self;
        awake.resize(wake.len() + LANES, 0);
        let (fours, rest) = wake.as_chunks::<LANES>();
        let (mut count, all_gone) = (0, Four::splat(lanes, gone));
        for (k, four) in fours.iter().enumerate() {
            let (awake_here, number) = AWAKE[Four::load(lanes, &four.map(f64::from)).mask_greater(all_gone)];
            awake[count..count + LANES].copy_from_slice(&awake_here.map(|lane| (LANES * k) as u32 + lane));
            count += number;
        }
        for (slot, at) in (LANES * fours.len()..).zip(rest) {
            awake[count] = slot as u32;
            count += usize::from(f64::from(*at) <= gone);
        }
        awake.truncate(count);
    }
}

impl<'s, D: Dim> Slots<'s, D> {
    /// Takes the first `count` slots away.
    pub fn split_off(&mut self, count: usize) -> Slots<'s, D> {
        fn first<'s, T>(all: &mut &'s mut [T], count: usize) -> &'s mut [T] {
            let (first, rest) = std::mem::take(all).split_at_mut(count);
            *all = rest;
            first
        }
        let (springs, memories) = (count.min(self.springs.len()), count.min(self.memories.len()));
        Slots {
            wake: first(&mut self.wake, count),
            springs: first(&mut self.springs, springs),
            memories: first(&mut self.memories, memories),
        }
    }

    /// Finds the slots of pairs that may touch, given how far no grain went since the list was made.
    pub fn find_awake(&self, gone: f64, awake: &mut Vec<u32>) {
        in_lanes(Wake { wake: self.wake, gone, awake });
    }

    /// Whether a pair cannot touch yet.
    #[inline]
    pub fn sleeps(&self, slot: usize, gone: f64) -> bool {
        f64::from(self.wake[slot]) > gone
    }

    /// Whether a pair touched at the last look.
    #[inline]
    pub fn touches(&self, slot: usize) -> bool {
        self.wake[slot] == TOUCHING
    }

    /// Notes that a pair touches; nothing is written if that is known.
    #[inline(always)]
    pub fn touch(&mut self, slot: usize) {
        if self.wake[slot] != TOUCHING {
            self.wake[slot] = TOUCHING;
        }
    }

    /// Whether pairs that do not touch may be left alone: one that attracts is not, as it may be bound.
    pub fn may_rest(&self) -> bool {
        self.memories.is_empty()
    }

    /// Leaves a pair with this gap alone until two bodies that went `gone` so far may have closed it. Not rounded up.
    #[inline(always)]
    pub fn rest(&mut self, slot: usize, gone: f64, gap: f64) {
        self.wake[slot] = ((gone + AWAKE_AFTER * gap) as f32).next_down();
    }

    /// Lets a pair forget that has parted.
    #[inline]
    pub fn part(&mut self, slot: usize) {
        if self.touches(slot) {
            self.keep(slot, &Memory::default());
            self.wake[slot] = 0.0;
        }
    }

    /// What a slot remembers, turned with the contact.
    #[inline]
    pub fn recall(&self, slot: usize, turning: Turning, normal: D::Vec) -> Memory<D> {
        match self.springs.get(slot) {
            Some(spring) => Memory { spring: turning.turn(*spring, D::Vec::ZERO, normal), ..Memory::default() },
            None => {
                let mut memory = self.memories[slot];
                memory.turn(turning, normal);
                memory
            }
        }
    }

    /// The spring of a slot, turned with the contact.
    #[inline(always)]
    pub fn recall_spring(&self, slot: usize, turning: Turning, normal: D::Vec) -> Memory<D> {
        let spring = self.springs.get(slot).copied().unwrap_or_else(|| self.memories[slot].spring);
        Memory { spring: turning.turn(spring, D::Vec::ZERO, normal), ..Memory::default() }
    }

    /// Lets a slot remember a spring.
    #[inline(always)]
    pub fn keep_spring(&mut self, slot: usize, spring: D::Vec) {
        match self.springs.get_mut(slot) {
            Some(kept) => *kept = spring,
            None => self.memories[slot].spring = spring,
        }
    }

    /// Whether the surfaces of a slot have touched and not parted.
    #[inline]
    pub fn is_bound(&self, slot: usize) -> bool {
        self.touches(slot) && self.memories.get(slot).is_some_and(|memory| memory.is_bound)
    }

    /// Lets a slot remember.
    #[inline]
    pub fn keep(&mut self, slot: usize, memory: &Memory<D>) {
        match self.springs.get_mut(slot) {
            Some(spring) => *spring = memory.spring,
            None => self.memories[slot] = *memory,
        }
    }

    /// Lets a slot take over what another remembers, which forgets.
    pub fn pass(&mut self, from: usize, to: usize) {
        if self.springs.is_empty() {
            self.memories[to] = std::mem::take(&mut self.memories[from]);
        } else {
            self.springs[to] = std::mem::take(&mut self.springs[from]);
        }
        (self.wake[from], self.wake[to]) = (0.0, TOUCHING);
    }
}
