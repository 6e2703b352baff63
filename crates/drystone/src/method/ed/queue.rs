//! The queue of events: the next one of every grain, in bins of time. [Paul07]
//!
//! A bin holds a list; when its time comes, its events are put in order by a heap. So an event costs about the same
//! whatever the number of grains. Events after the horizon are not kept. Events at the same time come in the order of
//! their grains.
//!
//! A grain that gets another event leaves the old one where it is: it is passed over when its time comes, because the
//! grain then has another time. So nothing but the grain and one bin is touched, wherever the others are in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No event.
const NONE: u32 = u32::MAX;

/// A time in the order of numbers.
#[derive(Clone, Copy, PartialEq)]
struct Moment(f64);

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// An event in a bin.
#[derive(Clone, Copy)]
struct Entry {
    time: f64,
    grain: u32,
    /// The next one in the bin, or the next free place.
    next: u32,
}

/// The queue.
pub(super) struct EventQueue {
    /// Time of the next event of every grain; infinite for none before the horizon.
    times: Vec<f64>,
    entries: Vec<Entry>,
    /// The first free place among the entries: those that were in use last come first.
    free: u32,
    /// First event of every bin.
    bins: Vec<u32>,
    bins_per_second: f64,
    current: usize,
    heap: BinaryHeap<Reverse<(Moment, u32)>>,
    horizon: f64,
}

impl EventQueue {
    /// An empty queue for the events of so many grains from 0 to `horizon`.
    pub(super) fn new(grains: usize, bins: usize, horizon: f64) -> EventQueue {
        EventQueue {
            times: vec![f64::INFINITY; grains],
            entries: Vec::with_capacity(grains + grains / 4),
            free: NONE,
            bins: vec![NONE; bins],
            bins_per_second: bins as f64 / horizon,
            current: 0,
            heap: BinaryHeap::new(),
            horizon,
        }
    }

    /// Sets the time of the next event of a grain, in place of the one it had.
    pub(super) fn schedule(&mut self, grain: u32, time: f64) {
        if time > self.horizon {
            self.times[grain as usize] = f64::INFINITY;
            return;
        }
        self.times[grain as usize] = time;
        let bin = ((time * self.bins_per_second) as usize).min(self.bins.len() - 1);
        if bin <= self.current {
            self.heap.push(Reverse((Moment(time), grain)));
            return;
        }
        let next = self.bins[bin];
        self.bins[bin] = self.keep(Entry { time, grain, next });
    }

    fn keep(&mut self, entry: Entry) -> u32 {
        let place = self.free;
        if place == NONE {
            self.entries.push(entry);
            return self.entries.len() as u32 - 1;
        }
        self.free = std::mem::replace(&mut self.entries[place as usize], entry).next;
        place
    }

    /// The grain whose event comes next, and its time [s]; none before the horizon.
    pub(super) fn next(&mut self) -> Option<Due> {
        loop {
            while let Some(Reverse((Moment(time), grain))) = self.heap.pop() {
                if self.times[grain as usize] == time {
                    self.times[grain as usize] = f64::INFINITY;
                    return Some(Due { time, grain });
                }
            }
            self.current = (self.current + 1..self.bins.len()).find(|bin| self.bins[*bin] != NONE)?;
            self.open(self.current);
        }
    }

    /// Puts the events of a bin in order.
    fn open(&mut self, bin: usize) {
        let mut place = std::mem::replace(&mut self.bins[bin], NONE);
        while place != NONE {
            let Entry { time, grain, next } = self.entries[place as usize];
            if self.times[grain as usize] == time {
                self.heap.push(Reverse((Moment(time), grain)));
            }
            self.entries[place as usize].next = std::mem::replace(&mut self.free, place);
            place = next;
        }
    }
}

/// An event that is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Due {
    /// When [s].
    pub time: f64,
    /// Whose.
    pub grain: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator, so that the order is nobody's choice.
    fn draw(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn events_come_in_their_order_also_when_they_change() {
        let (mut seed, mut times) = (3, vec![f64::INFINITY; 50]);
        let mut queue = EventQueue::new(50, 20, 1.0);
        let (mut now, mut seen) = (0.0, 0);
        for (grain, time) in times.iter_mut().enumerate() {
            *time = 1.2 * draw(&mut seed);
            queue.schedule(grain as u32, *time);
        }
        loop {
            let expected = (0..50).min_by(|a, b| times[*a].total_cmp(&times[*b])).unwrap();
            let Some(due) = queue.next() else {
                assert!(times[expected] > 1.0, "{expected} at {} is forgotten", times[expected]);
                break;
            };
            assert_eq!(due, Due { time: times[expected], grain: expected as u32 });
            assert!(due.time >= now);
            (now, seen) = (due.time, seen + 1);
            // the grain and another one get new events
            for grain in [expected, (50.0 * draw(&mut seed)) as usize] {
                times[grain] = now + 0.1 * draw(&mut seed);
                queue.schedule(grain as u32, times[grain]);
            }
        }
        assert!(seen > 300, "{seen}");
    }

    #[test]
    fn at_the_same_time_the_first_grain_comes_first() {
        let mut queue = EventQueue::new(4, 3, 1.0);
        for grain in [2, 0, 3, 1] {
            queue.schedule(grain, 0.5);
        }
        queue.schedule(0, 0.5);
        let order: Vec<u32> = std::iter::from_fn(|| queue.next()).map(|due| due.grain).collect();
        assert_eq!(order, [0, 1, 2, 3]);
    }
}
