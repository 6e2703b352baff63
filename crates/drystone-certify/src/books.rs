//! Momentum and energy of a frame against the row of `series.csv` of its step, and the ledger since the start.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::judge::{Check, Judge};
use super::scene::Scheme;
use super::solids;
use super::space::{add, cross, dot, norm, scale};
use super::step::{Body, Step};
use drystone_files::record::frame::CellState;
use drystone_files::record::npz::invalid;

/// `series.csv`: its columns by name without unit, its rows by step.
pub(crate) struct Series {
    columns: HashMap<String, usize>,
    rows: HashMap<u64, Vec<f64>>,
}

/// A row of the series.
pub(crate) struct Row<'s> {
    columns: &'s HashMap<String, usize>,
    numbers: &'s [f64],
}

impl Row<'_> {
    /// The number in a column, if there is one.
    pub(crate) fn get(&self, name: &str) -> Option<f64> {
        self.columns.get(name).map(|column| self.numbers[*column])
    }
}

impl Series {
    /// Reads the table of a run.
    pub(crate) fn read(path: &Path) -> io::Result<Series> {
        let text = std::fs::read_to_string(path);
        text.and_then(|text| Series::parse(&text).map_err(invalid))
            .map_err(|error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display())))
    }

    fn parse(text: &str) -> Result<Series, String> {
        let mut lines = text.lines();
        let header = lines.next().ok_or("it is empty")?;
        let name = |cell: &str| cell.split(" [").next().unwrap_or_default().to_string();
        let columns: HashMap<String, usize> = header.split(',').map(name).zip(0..).collect();
        let step = *columns.get("step").ok_or("it has no column `step`")?;
        let mut rows = HashMap::new();
        for (k, line) in lines.enumerate() {
            let numbers: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
            let numbers = numbers.map_err(|error| format!("line {}: {error}", k + 2))?;
            if numbers.len() != columns.len() {
                return Err(format!("line {} has {} numbers for {} columns", k + 2, numbers.len(), columns.len()));
            }
            rows.insert(numbers[step] as u64, numbers);
        }
        Ok(Series { columns, rows })
    }

    /// The row of a step, if it has one.
    pub(crate) fn row(&self, step: u64) -> Option<Row<'_>> {
        Some(Row { columns: &self.columns, numbers: self.rows.get(&step)? })
    }
}

/// Sums over all grains that can move, and over pistons, whose potential energy is measured from where they started.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    kinetic: f64,
    potential: f64,
    /// Sum of m |g| |x|: what the potential energy is rounded against [J].
    potential_size: f64,
    momentum: [f64; 3],
    /// Sum of m |v| [kg m/s].
    momentum_size: f64,
    /// Of grains about the origin: orbit and spin.
    angular: [f64; 3],
    /// Sum of m |x| |v| + |I w| [kg m2/s].
    angular_size: f64,
}

fn totals(step: &Step) -> Totals {
    let (grains, gravity) = (&step.frame.grains, step.scene.gravity);
    // lengths of a cell that follow a stress move like pistons
    let kinetic = step.frame.cell.as_ref().map_or(0.0, energy_of_cell);
    let mut totals = Totals { kinetic, ..Totals::default() };
    for k in (0..grains.mass.len()).filter(|k| step.is_movable(Body::Grain(*k))) {
        let (m, x, v, w) = (grains.mass[k], grains.position[k], grains.velocity[k], grains.angular_velocity[k]);
        let spin = match step.tumbling(k) {
            Some(tumbling) => solids::momentum(grains.orientation[k], tumbling.moments, w),
            None if step.gyration(k).is_finite() => scale(w, step.gyration(k)),
            None => [0.0; 3],
        };
        let seen = add(v, step.home(k).1);
        totals.kinetic += 0.5 * m * (dot(seen, seen) + dot(w, spin));
        totals.angular = add(totals.angular, scale(add(cross(x, v), spin), m));
        totals.angular_size += m * (norm(x) * norm(v) + norm(spin));
        totals.potential -= m * dot(gravity, x);
        totals.potential_size += m * norm(gravity) * norm(x);
        totals.momentum = add(totals.momentum, scale(v, m));
        totals.momentum_size += m * norm(v);
    }
    let walls = &step.frame.wall_states;
    for k in (0..walls.mass.len()).filter(|k| step.is_movable(Body::Wall(*k))) {
        let (m, x, v) = (walls.mass[k], walls.displacement[k], walls.velocity[k]);
        totals.kinetic += 0.5 * m * dot(v, v);
        totals.potential -= m * dot(gravity, x);
        totals.potential_size += m * norm(gravity) * norm(x);
        totals.momentum = add(totals.momentum, scale(v, m));
        totals.momentum_size += m * norm(v);
    }
    totals
}

/// Kinetic energy of the lengths of a cell that follow a stress, and of its images that slide under one [J].
fn energy_of_cell(cell: &CellState) -> f64 {
    let Some(press) = &cell.press else { return 0.0 };
    let mut squares: f64 = (0..3).filter(|axis| press.follows[*axis]).map(|axis| cell.stretching[axis].powi(2)).sum();
    if let (Some(plane), Some(_)) = (cell.shear, press.shear) {
        squares += (cell.rate * cell.lengths[plane.across]).powi(2);
    }
    0.5 * press.mass * squares
}

/// Part of its energy that a run of soft grains may lose or gain by the length of its steps.
const SOFT_LEDGER: f64 = 1e-2;

/// The ledger of a run, frame after frame.
#[derive(Default)]
pub(crate) struct Ledger {
    start: Option<(f64, u64)>,
    size: f64,
    contacts: usize,
    /// Collisions of the whole run, if there were any: each adds to the energy that they took.
    collisions: f64,
}

impl Ledger {
    /// The ledger of a run with so many collisions of hard grains.
    pub(crate) fn after(collisions: f64) -> Ledger {
        Ledger { collisions, ..Ledger::default() }
    }

    /// Checks a frame against its row and against the first frame.
    pub(crate) fn check(&mut self, step: &Step, row: Option<&Row>, judge: &mut Judge) {
        let totals = totals(step);
        let leave_out = |judge: &mut Judge, checks: &[Check], why: &str| {
            checks.iter().for_each(|check| judge.leave_out(*check, why));
        };
        match row {
            Some(_) if step.scene.is_continued && step.frame.step == 0 => {
                leave_out(judge, &[Check::Series], "the start of a run that goes on from another");
            }
            Some(row) => compare_notes(step, row, judge),
            None => {
                let why = "frames at times that series.csv has no row for";
                leave_out(judge, &[Check::Momentum, Check::Energy, Check::Series], why);
            }
        }
        if !step.scene.pistons_stay {
            let why = "runs in which a wall is a piston in some stages only";
            return leave_out(judge, &[Check::Momentum, Check::Energy, Check::Ledger], why);
        }
        if step.scene.tilts {
            return leave_out(judge, &[Check::Momentum, Check::Energy, Check::Ledger], super::TILTS);
        }
        if step.scene.has_membrane {
            return leave_out(judge, &[Check::Ledger], super::MEMBRANE);
        }
        if let Some(row) = row {
            compare_sums(step, &totals, row, judge);
        }
        match (step.scene.scheme, row.and_then(|row| row.get("elastic_energy"))) {
            _ if step.scene.grains_vary => {
                judge.leave_out(Check::Ledger, super::VARY);
            }
            _ if step.scene.alters => {
                judge.leave_out(Check::Ledger, "runs whose stages change gravity, laws or parameters");
            }
            (Scheme::Soft, Some(elastic)) => self.close_soft(step, &totals, elastic, judge),
            (Scheme::Soft, None) => judge.leave_out(Check::Ledger, "frames without `elastic_energy` in series.csv"),
            _ if !step.frame.grains.faces.is_empty() => {
                let why = "polyhedra: the energy with which a free one turns swings with the square of the step";
                judge.leave_out(Check::Ledger, why);
            }
            _ => self.close(step, &totals, judge),
        }
    }

    /// K + U + E + D - W of soft grains is constant, within the accuracy of short steps: forces do their work at
    /// instants.
    fn close_soft(&mut self, step: &Step, totals: &Totals, elastic: f64, judge: &mut Judge) {
        let frame = step.frame;
        if frame.step == 0 {
            return; // the contacts have not been evaluated yet
        }
        let energy = totals.kinetic + totals.potential + elastic + frame.dissipated - frame.wall_work;
        let turned_over = elastic + frame.dissipated.abs() + frame.wall_work.abs();
        self.size = self.size.max(totals.kinetic + totals.potential_size + turned_over);
        let (start, _) = *self.start.get_or_insert((energy, frame.step));
        if self.size > 0.0 || energy.is_nan() {
            judge.see(Check::Ledger, (energy - start).abs() / self.size, SOFT_LEDGER, || {
                format!("{:.3e} J of {:.3e} J", energy - start, self.size)
            });
        }
    }

    /// K + U + D - W is constant, up to what the scheme adds.
    ///
    /// Contacts do the work r . (u + u+) / 2, so that dK = m g . (v + v+) / 2 dt - D + W. Implicit Euler moves the
    /// grains with v+, dU = - m g . v+ dt; the difference m g . (v+ - v) dt / 2 adds up to the change of g . P dt / 2,
    /// P the momentum. The midpoint scheme moves them with (v + v+) / 2 and has no difference.
    fn close(&mut self, step: &Step, totals: &Totals, judge: &mut Judge) {
        let frame = step.frame;
        let scheme = match step.scene.scheme {
            Scheme::Euler => 0.5 * frame.time_step * dot(step.scene.gravity, totals.momentum),
            Scheme::Midpoint | Scheme::Soft | Scheme::Flight => 0.0,
        };
        let energy = totals.kinetic + totals.potential + frame.dissipated - frame.wall_work + scheme;
        let size = totals.kinetic + totals.potential_size + frame.dissipated.abs() + frame.wall_work.abs();
        self.size = self.size.max(size);
        self.contacts = self.contacts.max(frame.contacts.a.len());
        let (start, first_step) = *self.start.get_or_insert((energy, frame.step));
        if self.size > 0.0 || energy.is_nan() {
            // a rounding of positions in every step, all in one direction at worst; the many terms of a step add up at
            // random
            let steps = frame.step.saturating_sub(first_step).max(1) as f64;
            let terms = (step.found.len() + self.contacts) as f64;
            let sums = steps * (1.0 + self.contacts as f64).sqrt() + terms + self.collisions;
            let limit = f64::EPSILON * (8.0 + sums);
            judge.see(Check::Ledger, (energy - start).abs() / self.size, limit, || {
                format!("{:.3e} J of {:.3e} J", energy - start, self.size)
            });
        }
    }
}

/// Roundings of a sum over `count` grains, one in the run and one here, and a few for its terms.
fn rounding(count: usize) -> f64 {
    (16.0 + 2.0 * count as f64) * f64::EPSILON
}

fn compare_sums(step: &Step, totals: &Totals, row: &Row, judge: &mut Judge) {
    let limit = rounding(step.found.len());
    let ratio = |off: f64, size: f64| if off == 0.0 { 0.0 } else { off.abs() / size };
    for (check, name, value, size) in [
        (Check::Energy, "kinetic_energy", totals.kinetic, totals.kinetic),
        (Check::Energy, "potential_energy", totals.potential, totals.potential_size),
        (Check::Momentum, "momentum_x", totals.momentum[0], totals.momentum_size),
        (Check::Momentum, "momentum_y", totals.momentum[1], totals.momentum_size),
        (Check::Momentum, "momentum_z", totals.momentum[2], totals.momentum_size),
        (Check::Momentum, "angular_momentum_x", totals.angular[0], totals.angular_size),
        (Check::Momentum, "angular_momentum_y", totals.angular[1], totals.angular_size),
        (Check::Momentum, "angular_momentum_z", totals.angular[2], totals.angular_size),
    ] {
        let is_of_space = ["momentum_z", "angular_momentum_x", "angular_momentum_y"].contains(&name);
        match row.get(name) {
            Some(stated) => judge.see(check, ratio(value - stated, size), limit, || name.into()),
            None if is_of_space && step.frame.dimension == 2 => {}
            None if name.starts_with("angular") => {} // not every series has it
            None => judge.leave_out(check, format!("`{name}`: series.csv has no such column")),
        }
    }
}

/// Numbers that a frame and its row must state alike, bit for bit.
fn compare_notes(step: &Step, row: &Row, judge: &mut Judge) {
    let frame = step.frame;
    let count = |wanted: fn(u8) -> bool| frame.contacts.regime.iter().filter(|regime| wanted(**regime)).count() as f64;
    for (name, here) in [
        ("time", frame.time),
        ("residual", frame.residual),
        ("dissipated_energy", frame.dissipated),
        ("wall_work", frame.wall_work),
        ("contacts", count(|regime| regime != 0)),
        ("sliding_contacts", count(|regime| regime == 2)),
    ] {
        if let Some(there) = row.get(name) {
            judge.require(Check::Series, here == there, || {
                format!("`{name}` is {here} in the frame, {there} in series.csv")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_step() {
        let series = Series::parse("time [s],step,kinetic_energy [J]\n0,0,0\n0.5,4,1e-3\n").unwrap();
        let row = series.row(4).unwrap();
        assert_eq!((row.get("time"), row.get("kinetic_energy"), row.get("momentum_x")), (Some(0.5), Some(1e-3), None));
        assert!(series.row(3).is_none());
        assert_eq!(Series::parse("time,step\n1\n").err().as_deref(), Some("line 2 has 1 numbers for 2 columns"));
        assert!(Series::parse("time,step\n1,x\n").err().is_some_and(|fault| fault.starts_with("line 2")));
    }
}
