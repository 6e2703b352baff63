//! The queue of events: the next one of every grain, in bins of time. [Paul07]
//!
//! A bin holds a list; when its time comes, its grains are put in order by a heap. So an event costs about the same
//! whatever the number of grains. Events after the horizon are not kept. Events at the same time come in the order of
//! their grains.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No grain, no bin.
const NONE: u32 = u32::MAX;
/// The bin whose time has come.
const HEAP: u32 = u32::MAX - 1;

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

/// Where the event of a grain is kept.
#[derive(Clone, Copy)]
struct Link {
    time: f64,
    bin: u32,
    before: u32,
    after: u32,
}

/// The queue.
pub(super) struct EventQueue {
    links: Vec<Link>,
    bins: Vec<u32>,
    bins_per_second: f64,
    current: usize,
    heap: BinaryHeap<Reverse<(Moment, u32)>>,
    horizon: f64,
}

impl EventQueue {
    /// An empty queue for the events of so many grains from 0 to `horizon`.
    pub(super) fn new(grains: usize, bins: usize, horizon: f64) -> EventQueue {
        let nowhere = Link { time: f64::INFINITY, bin: NONE, before: NONE, after: NONE };
        EventQueue {
            links: vec![nowhere; grains],
            bins: vec![NONE; bins],
            bins_per_second: bins as f64 / horizon,
            current: 0,
            heap: BinaryHeap::new(),
            horizon,
        }
    }

    /// Sets the time of the next event of a grain, in place of the one it had.
    pub(super) fn schedule(&mut self, grain: u32, time: f64) {
        self.unlink(grain);
        let link = &mut self.links[grain as usize];
        (link.time, link.bin) = (time, NONE);
        if time > self.horizon {
            return;
        }
        let bin = ((time * self.bins_per_second) as usize).min(self.bins.len() - 1);
        if bin <= self.current {
            link.bin = HEAP;
            self.heap.push(Reverse((Moment(time), grain)));
            return;
        }
        let first = std::mem::replace(&mut self.bins[bin], grain);
        (link.bin, link.before, link.after) = (bin as u32, NONE, first);
        if first != NONE {
            self.links[first as usize].before = grain;
        }
    }

    fn unlink(&mut self, grain: u32) {
        let Link { bin, before, after, .. } = self.links[grain as usize];
        if bin == NONE || bin == HEAP {
            return; // an entry of the heap is skipped when its time has changed
        }
        match before {
            NONE => self.bins[bin as usize] = after,
            _ => self.links[before as usize].after = after,
        }
        if after != NONE {
            self.links[after as usize].before = before;
        }
    }

    /// The grain whose event comes next, and its time [s]; none before the horizon.
    pub(super) fn next(&mut self) -> Option<Due> {
        loop {
            while let Some(Reverse((Moment(time), grain))) = self.heap.pop() {
                let link = &mut self.links[grain as usize];
                if link.bin == HEAP && link.time == time {
                    link.bin = NONE;
                    return Some(Due { time, grain });
                }
            }
            self.current = (self.current + 1..self.bins.len()).find(|bin| self.bins[*bin] != NONE)?;
            let mut grain = std::mem::replace(&mut self.bins[self.current], NONE);
            while grain != NONE {
                let link = &mut self.links[grain as usize];
                link.bin = HEAP;
                self.heap.push(Reverse((Moment(link.time), grain)));
                grain = link.after;
            }
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
