//! Names of grains: groups, buildings and earlier runs give them, and links, loads and `output.track` use them.

use crate::dim::Dim;
use crate::input::{Placed, Reader, nearest};
use crate::scenario::Scenario;
use crate::world::World;

/// Finds grains by their names.
pub(in crate::scenario) struct Directory<'a, D: Dim> {
    /// The grains.
    pub world: &'a World<D>,
    /// Where mistakes go.
    pub reader: &'a Reader,
}

impl<D: Dim> Scenario<D> {
    /// Ids and names of all grains in ascending order: those `kept` from an earlier run, then those of groups and
    /// buildings, whose numbers stand in `group_of` and whose ids count on from `first`.
    ///
    /// A grain is called like its group or building, with a number if that has several grains.
    pub(in crate::scenario) fn name_grains(
        &self,
        mut kept: Vec<(u32, String)>,
        group_of: &[usize],
        first: u32,
        reader: &Reader,
    ) -> Vec<(u32, String)> {
        let of_groups = self.grains.iter().map(|group| group.name.as_ref());
        let given: Vec<Option<&Placed<String>>> =
            of_groups.chain(self.build.iter().map(|build| build.name())).collect();
        for name in given.iter().flatten() {
            if let Some((_, old)) = kept.iter().find(|(_, old)| family(old) == name.value) {
                let message = format!("the earlier run has a grain \"{old}\" already");
                reader.mistake::<()>("E014", &name.at, message, "give these grains another name");
            }
        }
        let mut total = vec![0_usize; given.len()];
        group_of.iter().for_each(|group| total[*group] += 1);
        let mut count = vec![0_usize; given.len()];
        for (id, &group) in group_of.iter().enumerate() {
            if let Some(name) = given[group] {
                let name =
                    if total[group] == 1 { name.value.clone() } else { format!("{}.{}", name.value, count[group]) };
                kept.push((first + id as u32, name));
            }
            count[group] += 1;
        }
        kept
    }

    /// A directory of the grains of a world.
    pub(in crate::scenario) fn directory<'a>(&'a self, world: &'a World<D>, reader: &'a Reader) -> Directory<'a, D> {
        Directory { world, reader }
    }
}

/// The name without a number: that of the group.
fn family(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((group, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => group,
        _ => name,
    }
}

impl<D: Dim> Directory<'_, D> {
    /// The body of a grain, or a mistake if no grain has this name; `purpose` says what it is wanted for.
    pub(in crate::scenario) fn body(&self, name: &Placed<String>, purpose: &str) -> Option<usize> {
        let names = || self.world.setup.names.iter().map(|(_, name)| name.as_str());
        if let Some((id, _)) = self.world.setup.names.iter().find(|(_, other)| *other == name.value) {
            return self.world.body_of(*id);
        }
        let group = family(&name.value);
        let count = names().filter(|other| family(other) == group).count();
        let help = if count > 1 {
            format!("the group has {count} grains: \"{group}.0\" to \"{group}.{}\"", count - 1)
        } else {
            let mut known: Vec<&str> = names().map(family).collect();
            known.dedup();
            match nearest(group, known.iter().copied()) {
                Some(near) if near != group => format!("did you mean \"{near}\"?"),
                _ if known.is_empty() => format!("add name = \"{group}\" to its [[grains]] or [[build]]"),
                _ => format!("named grains: {}", known.join(", ")),
            }
        };
        self.reader.mistake("E006", &name.at, format!("there is no grain \"{}\"{purpose}", name.value), help)
    }
}
