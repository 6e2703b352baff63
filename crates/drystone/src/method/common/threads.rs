//! Sharing work among threads. Results come back in the order of the work, so they do not depend on the threads.

use std::cell::Cell;
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

/// Contacts below which waking another thread costs more than it saves.
const WORTH_SHARING: usize = 3000;

/// Number of threads that share this number of contacts.
pub(crate) fn at_hand(contacts: usize) -> usize {
    if contacts < WORTH_SHARING { 1 } else { rayon::current_num_threads() }
}

/// Divides a number of items into chunks, one for each thread.
pub(crate) fn chunks(items: usize, contacts: usize) -> Vec<Range<usize>> {
    let threads = at_hand(contacts).min(items);
    (0..threads).map(|thread| thread * items / threads..(thread + 1) * items / threads).collect()
}

/// Does `work` for every item and returns the results in their order. Items are shared out in chunks, one for each
/// thread: a thread that is given the same items again and again finds them in its caches.
pub(crate) fn map<I: Send, O: Send>(items: Vec<I>, contacts: usize, work: impl Fn(I) -> O + Sync + Send) -> Vec<O> {
    let chunks = chunks(items.len(), contacts);
    let mut items = items.into_iter();
    if chunks.len() < 2 {
        return items.map(work).collect();
    }
    let chunks: Vec<Vec<I>> = chunks.iter().map(|chunk| items.by_ref().take(chunk.len()).collect()).collect();
    let do_chunk = |chunk: Vec<I>| chunk.into_iter().map(&work).collect::<Vec<O>>();
    chunks.into_par_iter().with_max_len(1).flat_map_iter(do_chunk).collect()
}

thread_local! {
    /// Whether this thread leads a piece of work, or waits to help with one.
    static IS_TAKEN: Cell<bool> = const { Cell::new(false) };
}

/// Threads that have a core of their own.
static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// Does work that distributes small tasks again and again. The helping threads stay awake until it is done: waking one
/// takes as long as a sweep over thousands of contacts.
pub(crate) fn inside<R: Send>(contacts: usize, work: impl FnOnce() -> R + Send) -> R {
    if at_hand(contacts) < 2 || IS_TAKEN.get() {
        return work();
    }
    let is_done = AtomicBool::new(false);
    rayon::scope(|scope| {
        scope.spawn_broadcast(|_, thread| {
            // a thread that already leads or helps must not wait for another, which may wait for it
            if thread.index() < *CORES && !IS_TAKEN.replace(true) {
                help_until(&is_done);
                IS_TAKEN.set(false);
            }
        });
        let _lead = Lead::take(&is_done);
        work()
    })
}

/// Looks for a task, one after the other, before a helping thread offers its core to others: some microseconds, in which
/// the next task comes if the leader has one.
const PATIENCE: u32 = 200;

/// Executes tasks as they arrive. A thread that finds none lets other programs have its core: one that used up its
/// share by waiting would be stopped in the middle of the next task.
fn help_until(is_done: &AtomicBool) {
    let mut idle = 0;
    while !is_done.load(Ordering::Acquire) {
        match rayon::yield_now() {
            Some(rayon::Yield::Executed) => idle = 0,
            _ if idle < PATIENCE => {
                idle += 1;
                std::hint::spin_loop();
            }
            _ => std::thread::yield_now(),
        }
    }
}

/// A thread leads as long as this value lives; its helpers are released even if the work panics.
struct Lead<'a> {
    is_done: &'a AtomicBool,
    was_taken: bool,
}

impl Lead<'_> {
    fn take(is_done: &AtomicBool) -> Lead<'_> {
        Lead { is_done, was_taken: IS_TAKEN.replace(true) }
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Release);
        IS_TAKEN.set(self.was_taken);
    }
}

/// Splits a slice into the given ranges, which must be ascending and must not overlap.
pub(crate) fn split<T>(whole: &mut [T], ranges: impl Iterator<Item = std::ops::Range<usize>>) -> Vec<&mut [T]> {
    let (mut rest, mut at) = (whole, 0);
    let take = |range: std::ops::Range<usize>| {
        let (_, from) = std::mem::take(&mut rest).split_at_mut(range.start - at);
        let (part, after) = from.split_at_mut(range.len());
        (rest, at) = (after, range.end);
        part
    };
    ranges.map(take).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads").install(work)
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for (threads, items) in [(1, 5), (2, 0), (2, 1), (2, 5), (3, 2), (3, 17), (8, 4)] {
            let double = || map((0..items).collect(), WORTH_SHARING, |k| 2 * k);
            let expected: Vec<i32> = (0..items).map(|k| 2 * k).collect();
            assert_eq!(on_threads(threads, double), expected, "{items} items on {threads} threads");
            assert_eq!(on_threads(threads, || inside(WORTH_SHARING, double)), expected, "threads that stay awake");
        }
    }

    #[test]
    fn threads_are_let_go_when_the_work_fails() {
        on_threads(2, || {
            let fails = std::panic::catch_unwind(|| inside(WORTH_SHARING, || panic!("on purpose")));
            assert!(fails.is_err());
            let both = inside(WORTH_SHARING, || map(vec![1, 2], WORTH_SHARING, |k| k));
            assert_eq!(both, [1, 2], "the next piece of work finds its threads");
        });
    }
}
