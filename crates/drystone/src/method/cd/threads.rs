//! Sharing work among threads. Results come back in the order of the work, so they do not depend on the threads.

use rayon::prelude::*;

/// Contacts below which waking another thread costs more than it saves.
const WORTH_SHARING: usize = 3000;

/// Does `work` for every item and returns the results in their order.
pub fn map<I: Send, O: Send>(items: Vec<I>, contacts: usize, work: impl Fn(I) -> O + Sync + Send) -> Vec<O> {
    if contacts < WORTH_SHARING || items.len() < 2 || rayon::current_num_threads() < 2 {
        return items.into_iter().map(work).collect();
    }
    items.into_par_iter().with_max_len(1).map(work).collect()
}

/// Does work with the threads at hand: sharing costs less from within them.
pub fn inside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match rayon::current_num_threads() < 2 || rayon::current_thread_index().is_some() {
        true => work(),
        false => rayon::scope(|_| work()),
    }
}

/// Splits a slice into the given ranges, which must rise and not overlap.
pub fn split<T>(whole: &mut [T], ranges: impl Iterator<Item = std::ops::Range<usize>>) -> Vec<&mut [T]> {
    let (mut rest, mut at) = (whole, 0);
    let take = |range: std::ops::Range<usize>| {
        let (_, from) = std::mem::take(&mut rest).split_at_mut(range.start - at);
        let (part, after) = from.split_at_mut(range.len());
        (rest, at) = (after, range.end);
        part
    };
    ranges.map(take).collect()
}
