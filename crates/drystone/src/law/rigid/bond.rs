//! The normal law of a cohesive contact: a constant pull up to a range, and the exact work at rupture.

/// The local problem of a contact that bears tension, in one time step. [Brendel section 1.8, Fig. 1.9]
///
/// The graph: up to the pull F_C the contact holds without moving. Then it opens against F_C. It drifts back freely (a
/// weakened contact is not pulled back), and is pushed like any other once the gap is closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CohesiveContact {
    /// F_C dt: the largest pulling impulse [N s].
    pub pull: f64,
    /// How far the contact has opened already [m].
    pub opening: f64,
    /// d_C = E_C / F_C: the opening at which it breaks [m]; `None` for the law without range.
    pub range: Option<f64>,
    /// Normal velocity at the start of the step, positive when opening [m/s].
    pub before: f64,
    /// Length of the step [s].
    pub dt: f64,
    /// Whether it breaks in this step, as far as the solve has found out.
    pub fate: Fate,
}

/// What a solve assumes about a bond between two checks.
///
/// A bond that breaks softens: the more it opens, the less it holds, and sweeps over such a law cycle. So the impulse
/// of a breaking bond is kept constant during the sweeps, and is made exact at every check.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fate {
    /// The impulse at which it breaks [N s]; `None` while it holds.
    breaking: Option<f64>,
    /// How often the solve has changed the assumption.
    turns: u8,
}

/// Largest number of changes of the assumption about one bond in one solve: there are a few while the velocities
/// settle. After that the assumption stays, and if the law disagrees, the residual shows it.
const TURNS: u8 = 7;

/// The result of the normal law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalImpulse {
    /// Normal impulse on b, negative for a pull [N s].
    pub impulse: f64,
    /// Impulse that presses the surfaces together and limits friction: r_n + F_C dt, as in the DMT model [N s].
    pub press: f64,
}

impl NormalImpulse {
    /// Signorini's law, for surfaces that do not stick together.
    pub fn pushed(free: f64, bias: f64, mass_n: f64) -> NormalImpulse {
        let impulse = (-mass_n * (free + bias)).max(0.0);
        NormalImpulse { impulse, press: impulse }
    }
}

impl CohesiveContact {
    /// Normal impulse, given the reduced mass of the contact and the velocity `free` that it would have without any
    /// impulse.
    ///
    /// `bias` is g_pos / dt, the closing velocity that just closes the gap; or e_n u-, less than zero, in a bounce.
    pub fn normal(&self, free: f64, bias: f64, mass_n: f64) -> NormalImpulse {
        let pulls = |impulse: f64| NormalImpulse { impulse, press: impulse + self.pull };
        if free < -bias {
            return pulls(-mass_n * (free + bias)); // pushed: the gap closes
        }
        let held = (-bias).max(0.0); // at rest, or leaving with what a bounce gives
        if free <= held {
            return pulls(0.0); // drifts back
        }
        let pull = self.pull.min(mass_n * (free - held)); // holds, or opens against the whole pull
        match self.energy_left() {
            Some(left) if self.work(pull, free - pull / mass_n) > left => {
                NormalImpulse { impulse: -self.breaking_impulse(free, mass_n, left), press: 0.0 }
            }
            _ => pulls(-pull),
        }
    }

    /// As [`CohesiveContact::normal`], with the assumed fate: the impulse never grows with the velocity.
    pub fn fated_normal(&self, free: f64, bias: f64, mass_n: f64) -> NormalImpulse {
        match self.fate.breaking {
            None => CohesiveContact { range: None, ..*self }.normal(free, bias, mass_n),
            Some(pull) => {
                let impulse = (-mass_n * (free + bias)).max(-pull);
                NormalImpulse { impulse, press: impulse.max(0.0) }
            }
        }
    }

    /// The result of the law if the contact moves with `u` under `impulse`.
    ///
    /// A bond that was found to break and is still pulled stays broken if some impulse below the whole pull does the
    /// remaining work. It stays broken even where it could also hold because its neighbours would hold it back after it
    /// gave way.
    pub fn lawful(&self, u: f64, impulse: f64, bias: f64, mass_n: f64) -> NormalImpulse {
        let broken = (self.fate.breaking.is_some() && impulse < 0.0 && self.before + u > 0.0)
            .then(|| self.energy_left().map(|left| 2.0 * left / (self.before + u)))
            .flatten();
        match broken {
            Some(pull) if pull < self.pull => NormalImpulse { impulse: -pull, press: 0.0 },
            _ => self.normal(u - impulse / mass_n, bias, mass_n),
        }
    }

    /// Checks whether the bond breaks, and at which impulse.
    pub fn settle(&mut self, u: f64, impulse: f64, bias: f64, mass_n: f64) {
        let normal = self.lawful(u, impulse, bias, mass_n);
        let gives_way = normal.impulse < 0.0 && normal.impulse > -self.pull && normal.press == 0.0;
        let breaking = (gives_way && self.range.is_some()).then_some(-normal.impulse);
        if breaking.is_some() != self.fate.breaking.is_some() {
            if self.fate.turns == TURNS {
                return;
            }
            self.fate.turns += 1;
        }
        self.fate.breaking = breaking;
    }

    /// Work against a pulling impulse in a step that ends with the velocity `after`: P (u- + u+) / 2 [J].
    fn work(&self, pull: f64, after: f64) -> f64 {
        0.5 * pull * (self.before + after)
    }

    /// The energy that breaking the bond still takes [J].
    fn energy_left(&self) -> Option<f64> {
        Some(self.pull / self.dt * (self.range? - self.opening))
    }

    /// The impulse P whose work P (u- + u+) / 2 is what is left of E_C: the smaller root of P^2 / m - s P + 2 E = 0
    /// with s = u- + u_free, in the form that loses no digits.
    fn breaking_impulse(&self, free: f64, mass_n: f64, work: f64) -> f64 {
        let sum = self.before + free;
        4.0 * work / (sum + (sum * sum - 8.0 * work / mass_n).sqrt())
    }

    /// The opening after a step that ended with the normal velocity `after`; `None` when the bond is broken.
    ///
    /// It is the work done over F_C, so that a bond that breaks has cost E_C; a weakened contact drifts back freely.
    pub fn opened(&self, normal: NormalImpulse, after: f64) -> Option<f64> {
        if normal.impulse > 0.0 {
            return Some(0.0);
        }
        if normal.press == 0.0 && (self.range.is_none() || normal.impulse > -self.pull) {
            return None;
        }
        let way = match normal.impulse {
            0.0 => 0.5 * (self.before + after) * self.dt,
            pull => self.work(-pull, after) / self.pull * self.dt,
        };
        Some((self.opening + way).max(0.0)) // never below zero: closed gaps are left to Signorini's law
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOND: CohesiveContact = CohesiveContact {
        pull: 0.2,
        opening: 0.0,
        range: Some(0.5),
        before: 0.0,
        dt: 0.1,
        fate: Fate { breaking: None, turns: 0 },
    }; // F_C = 2, E_C = 1

    #[test]
    fn the_graph_has_its_five_parts() {
        let of = |free| BOND.normal(free, 0.0, 1.0);
        assert_eq!(of(-0.3), NormalImpulse { impulse: 0.3, press: 0.5 });
        assert_eq!(of(0.1), NormalImpulse { impulse: -0.1, press: 0.1 });
        assert_eq!(of(0.3), NormalImpulse { impulse: -0.2, press: 0.0 });
        let weak = CohesiveContact { opening: 0.1, ..BOND };
        assert_eq!(weak.normal(-0.3, 1.0, 1.0), NormalImpulse { impulse: 0.0, press: 0.2 }, "not pulled back");
        assert_eq!(weak.normal(-1.5, 1.0, 1.0).impulse, 0.5, "pushed together");
    }

    #[test]
    fn breaking_costs_the_binding_energy_whatever_the_step() {
        // two bodies of reduced mass 2 kg part with 1.5 m/s: 2.25 J, of which the bond takes 1 J
        for dt in [1e-4, 1e-2, 0.3, 10.0] {
            let (mass, mut u) = (2.0, 1.5);
            let mut opening = 0.0;
            let mut steps = 0;
            loop {
                let bond =
                    CohesiveContact { pull: 2.0 * dt, opening, range: Some(0.5), before: u, dt, fate: Fate::default() };
                let normal = bond.normal(u, opening / dt, mass);
                u += normal.impulse / mass;
                steps += 1;
                match bond.opened(normal, u) {
                    Some(next) => opening = next,
                    None => break,
                }
                assert!(steps < 100_000);
            }
            assert!((0.5 * mass * u * u - 1.25).abs() < 1e-12, "dt {dt}: {u} m/s after {steps} steps");
        }
    }

    #[test]
    fn looks_find_the_impulse_of_rupture() {
        let mass = 1.0;
        let mut bond = BOND;
        bond.settle(7.8, -0.2, 0.0, mass); // 0.2 N s over (0 + 7.8) m/s / 2: 0.78 J of 1 J
        assert_eq!(bond.fated_normal(8.0, 0.0, mass), NormalImpulse { impulse: -0.2, press: 0.0 }, "holds");
        bond.settle(19.8, -0.2, 0.0, mass);
        let broken = bond.normal(20.0, 0.0, mass);
        assert_eq!(bond.fated_normal(20.0, 0.0, mass), broken, "breaks by the law");
        assert_eq!(bond.fated_normal(19.0, 0.0, mass), broken, "until looked at");
        assert_eq!(
            bond.fated_normal(-3.0, 0.0, mass),
            NormalImpulse { impulse: 3.0, press: 3.0 },
            "pushed like any other"
        );
        // neighbours hold it back: it does the work that is left at another impulse
        bond.settle(15.0, broken.impulse, 0.0, mass);
        assert_eq!(bond.fated_normal(15.0, 0.0, mass).impulse, -2.0 / 15.0);
    }

    #[test]
    fn a_slow_pair_never_parts() {
        let (mass, mut u, mut opening, dt) = (2.0, 0.99, 0.0, 1e-3); // 0.98 J against 1 J
        for _ in 0..5000 {
            let bond =
                CohesiveContact { pull: 2.0 * dt, opening, range: Some(0.5), before: u, dt, fate: Fate::default() };
            let normal = bond.normal(u, opening / dt, mass);
            u += normal.impulse / mass;
            opening = bond.opened(normal, u).expect("it holds");
        }
        assert_eq!(u, 0.0);
        assert!((opening - 0.49005).abs() < 1e-4, "stops where the work is spent: {opening}"); // m u^2 / (2 F_C)
    }
}
