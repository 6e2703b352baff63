//! Sharing work among threads. Results come back in the order of the work, so they do not depend on the threads.

use std::cell::Cell;
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// Items below which a loop over them is left to one thread although others are awake: with fewer, handing a part over
/// costs more than it saves.
const WORTH_DIVIDING: usize = 4096;

/// The same, if another thread would have to be woken.
const WORTH_WAKING: usize = 32_768;

/// Pieces that each thread gets of a loop: with more than one, a thread that is late holds up less.
const PIECES: usize = 4;

/// Fewest items of a loop that go to a thread together; `None` if one thread does all of them.
fn least_share(items: usize) -> Option<usize> {
    let threads = rayon::current_num_threads();
    let least = if IS_TAKEN.get() { WORTH_DIVIDING } else { WORTH_WAKING };
    (threads > 1 && items >= least).then(|| items / (PIECES * threads))
}

/// `of(k)` for all k below `count`, in their order; `into` keeps its memory.
pub(crate) fn fill<T: Send>(into: &mut Vec<T>, count: usize, of: impl Fn(usize) -> T + Sync + Send) {
    match least_share(count) {
        Some(least) => (0..count).into_par_iter().with_min_len(least).map(of).collect_into_vec(into),
        None => {
            into.clear();
            into.extend((0..count).map(of));
        }
    }
}

/// `of(k)` for all k below `count`, in their order.
pub(crate) fn table<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    let mut all = Vec::new();
    fill(&mut all, count, of);
    all
}

/// Changes every item, given its number.
pub(crate) fn each<T: Send>(items: &mut [T], change: impl Fn(usize, &mut T) + Sync + Send) {
    match least_share(items.len()) {
        Some(least) => {
            items.par_iter_mut().with_min_len(least).enumerate().for_each(|(k, item)| change(k, item));
        }
        None => items.iter_mut().enumerate().for_each(|(k, item)| change(k, item)),
    }
}

/// How many k below `count` have a property.
pub(crate) fn count(count: usize, has: impl Fn(usize) -> bool + Sync + Send) -> usize {
    match least_share(count) {
        Some(least) => (0..count).into_par_iter().with_min_len(least).filter(|k| has(*k)).count(),
        None => (0..count).filter(|k| has(*k)).count(),
    }
}

/// As [`each`], for the items of two slices of the same length.
pub(crate) fn each_of_two<T: Send, U: Send>(
    one: &mut [T],
    other: &mut [U],
    change: impl Fn(usize, &mut T, &mut U) + Sync + Send,
) {
    match least_share(one.len()) {
        Some(least) => {
            let both = one.par_iter_mut().zip(other.par_iter_mut()).with_min_len(least).enumerate();
            both.for_each(|(k, (one, other))| change(k, one, other));
        }
        None => one.iter_mut().zip(other).enumerate().for_each(|(k, (one, other))| change(k, one, other)),
    }
}

/// Whether all k of a range have a property.
pub(crate) fn all(range: Range<usize>, has: impl Fn(usize) -> bool + Sync + Send) -> bool {
    match least_share(range.len()) {
        Some(least) => range.into_par_iter().with_min_len(least).all(has),
        None => range.into_iter().all(has),
    }
}

/// The largest `of(k)` for all k of a range, and at least `start`. It does not depend on the order, unlike a sum.
pub(crate) fn largest(range: Range<usize>, start: f64, of: impl Fn(usize) -> f64 + Sync + Send) -> f64 {
    match least_share(range.len()) {
        Some(least) => range.into_par_iter().with_min_len(least).map(of).reduce(|| start, f64::max),
        None => range.map(of).fold(start, f64::max),
    }
}

thread_local! {
    /// Whether this thread leads a piece of work, or waits to help with one.
    static IS_TAKEN: Cell<bool> = const { Cell::new(false) };
}

/// Threads that have a core of their own.
static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// Does work that distributes small tasks again and again. The helping threads stay awake until it is done, or there has
/// been nothing to do for a while: waking one takes as long as a sweep over thousands of contacts.
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

/// Looks for a task between two looks at the clock, and before the core is offered to others for the first time: about
/// as long as it takes to wake a thread.
const LOOKS: u32 = 256;

/// How long a thread without a task stays awake: a hundred times as long as waking it takes. A task that comes later
/// wakes it.
const PATIENCE: Duration = Duration::from_millis(2);

/// Executes tasks as they arrive. A thread that waits offers its core to whoever needs it.
fn help_until(is_done: &AtomicBool) {
    let (mut looks, mut idle_since) = (0, None);
    while !is_done.load(Ordering::Acquire) {
        if rayon::yield_now() == Some(rayon::Yield::Executed) {
            (looks, idle_since) = (0, None);
            continue;
        }
        looks += 1;
        if looks < LOOKS {
            std::hint::spin_loop();
            continue;
        }
        std::thread::yield_now();
        if looks.is_multiple_of(LOOKS) && idle_since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return;
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
    fn loops_give_the_same_on_any_number_of_threads() {
        for (threads, count) in [(1, 3), (2, 3), (1, 10_001), (2, 10_001), (3, 10_001), (8, 4096), (2, 40_000)] {
            let compare = || {
                let squares: Vec<usize> = (0..count).map(|k| k * k).collect();
                assert_eq!(table(count, |k| k * k), squares, "{count} items on {threads} threads");
                let mut changed = vec![1; count];
                each(&mut changed, |k, item| *item *= k * k);
                assert_eq!(changed, squares);
                assert_eq!(super::count(count, |k| k % 3 == 1), (1..count).step_by(3).len());
                assert_eq!(largest(0..count, 0.0, |k| k as f64), (count - 1) as f64);
                assert!(all(0..count, |k| k < count) && !all(0..count, |k| k + 1 < count));
            };
            on_threads(threads, compare);
            on_threads(threads, || inside(WORTH_SHARING, compare));
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
