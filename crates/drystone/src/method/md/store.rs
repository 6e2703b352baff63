//! What the pairs of a list remember: a spring each, or everything if a law asks for it.

use crate::dim::{Dim, Vector};
use crate::law::soft::{Memory, Turning};

/// Memories, one slot a pair. Slots of pairs that do not touch are empty.
#[derive(Clone, Debug, Default)]
pub struct Store<D: Dim> {
    /// Whether the pair touched at the last look.
    pub touched: Vec<bool>,
    /// How far grains must have gone since the list was made before the pair may touch [m]; kept beside springs only.
    pub wake: Vec<f32>,
    /// Tangential springs; empty if whole memories are kept.
    pub springs: Vec<D::Vec>,
    /// Whole memories; empty if springs are enough.
    pub memories: Vec<Memory<D>>,
}

impl<D: Dim> Store<D> {
    /// Empty slots for `count` pairs.
    pub fn new(count: usize, is_whole: bool) -> Store<D> {
        let (springs, memories) = if is_whole { (0, count) } else { (count, 0) };
        Store {
            touched: vec![false; count],
            wake: vec![0.0; springs],
            springs: vec![D::Vec::ZERO; springs],
            memories: vec![Memory::default(); memories],
        }
    }

    /// The slots as slices.
    pub fn slots(&mut self) -> Slots<'_, D> {
        Slots {
            touched: &mut self.touched,
            wake: &mut self.wake,
            springs: &mut self.springs,
            memories: &mut self.memories,
        }
    }

    /// What a slot remembers.
    pub fn get(&self, slot: usize) -> Memory<D> {
        match self.springs.get(slot) {
            Some(spring) => Memory { spring: *spring, ..Memory::default() },
            None => self.memories[slot],
        }
    }

    /// Takes over what a slot of another store remembers, if its pair touched.
    pub fn take_over(&mut self, slot: usize, other: &Store<D>, from: usize) {
        if other.touched[from] {
            self.set(slot, other.get(from));
        }
    }

    /// Lets a slot remember a pair that touches.
    pub fn set(&mut self, slot: usize, memory: Memory<D>) {
        self.touched[slot] = true;
        match self.springs.get_mut(slot) {
            Some(spring) => *spring = memory.spring,
            None => self.memories[slot] = memory,
        }
    }
}

/// Slots of some of the pairs.
#[derive(Debug)]
pub struct Slots<'s, D: Dim> {
    /// See [`Store::touched`].
    pub touched: &'s mut [bool],
    /// See [`Store::wake`].
    pub wake: &'s mut [f32],
    /// See [`Store::springs`].
    pub springs: &'s mut [D::Vec],
    memories: &'s mut [Memory<D>],
}

impl<'s, D: Dim> Slots<'s, D> {
    /// The first `count` slots, and the others.
    pub fn split(self, count: usize) -> (Slots<'s, D>, Slots<'s, D>) {
        let (touched, rest) = self.touched.split_at_mut(count);
        let (wake, other_wake) = self.wake.split_at_mut(count.min(self.wake.len()));
        let (springs, other_springs) = self.springs.split_at_mut(count.min(self.springs.len()));
        let (memories, other_memories) = self.memories.split_at_mut(count.min(self.memories.len()));
        (
            Slots { touched, wake, springs, memories },
            Slots { touched: rest, wake: other_wake, springs: other_springs, memories: other_memories },
        )
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

    /// The spring of a slot that touches, turned with the contact.
    #[inline(always)]
    pub fn recall_spring(&mut self, slot: usize, turning: Turning, normal: D::Vec) -> Memory<D> {
        self.touched[slot] = true;
        match self.springs.get(slot) {
            Some(spring) => Memory { spring: turning.turn(*spring, D::Vec::ZERO, normal), ..Memory::default() },
            None => {
                Memory { spring: turning.turn(self.memories[slot].spring, D::Vec::ZERO, normal), ..Memory::default() }
            }
        }
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
        self.touched[slot] && self.memories.get(slot).is_some_and(|memory| memory.is_bound)
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
        (self.touched[from], self.touched[to]) = (false, true);
    }

    /// Notes whether a pair touches; one that does not any more forgets.
    #[inline]
    pub fn note(&mut self, slot: usize, touches: bool) {
        if self.touched[slot] && !touches {
            self.keep(slot, &Memory::default());
        }
        self.touched[slot] = touches;
    }
}
