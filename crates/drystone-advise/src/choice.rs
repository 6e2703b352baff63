//! The method to take: the cheapest of those that get nothing wrong that matters.

/// Ratio of costs within which they count as the same: what an estimate from trial steps can tell apart.
pub const TOSS_UP: f64 = 2.0;

/// A choice among several methods, by their place in a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The method to take.
    pub best: usize,
    /// The next cheapest one that is as sound.
    pub next: Option<usize>,
    /// Cost of the next one over that of the best; 1 without a next one.
    pub ratio: f64,
    /// Whether the best gets something wrong that matters: none was without.
    pub is_flawed: bool,
}

impl Choice {
    /// Whether both cost the same as far as can be told.
    pub fn is_toss_up(&self) -> bool {
        self.next.is_some() && self.ratio < TOSS_UP
    }
}

/// Chooses the cheapest. `costs` are none where a method cannot run; those with `grave` flaws are taken only if all
/// have some. None if no method can run.
pub fn choose(costs: &[Option<f64>], grave: &[bool]) -> Option<Choice> {
    let mut able: Vec<usize> = (0..costs.len()).filter(|k| costs[*k].is_some()).collect();
    let is_flawed = able.iter().all(|k| grave[*k]);
    able.retain(|k| is_flawed || !grave[*k]);
    let seconds = |k: &usize| costs[*k].unwrap_or(f64::INFINITY);
    able.sort_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    let (best, next) = (*able.first()?, able.get(1).copied());
    let ratio = next.map_or(1.0, |next| seconds(&next) / seconds(&best));
    Some(Choice { best, next, ratio, is_flawed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_without_a_grave_flaw_is_taken() {
        let costs = [Some(30.0), Some(2.0), Some(100.0), None];
        let found = choose(&costs, &[false, true, false, false]).expect("a choice");
        assert_eq!((found.best, found.next, found.is_flawed, found.is_toss_up()), (0, Some(2), false, false));
        let flawed = choose(&costs, &[true; 4]).expect("a choice");
        assert_eq!((flawed.best, flawed.next, flawed.is_flawed), (1, Some(0), true));
    }

    #[test]
    fn a_factor_below_two_is_a_toss_up() {
        assert!(choose(&[Some(10.0), Some(19.0)], &[false; 2]).expect("a choice").is_toss_up());
        assert!(!choose(&[Some(10.0), Some(21.0)], &[false; 2]).expect("a choice").is_toss_up());
        assert!(!choose(&[Some(10.0), None], &[false; 2]).expect("a choice").is_toss_up());
        assert_eq!(choose(&[None, None], &[false; 2]), None);
    }
}
