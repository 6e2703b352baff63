//! Cohesion: contacts that resist being pulled apart.

use crate::input::Flat;
use crate::input::quantity::{Energy, Force, Length};
use crate::input::value::POSITIVE;
use crate::list::{list, record};

list! {
    /// Cohesion: a contact bears a tensile force, up to a distance.
    pub enum Cohesion by leading key {
        /// A largest tensile force F_C that holds up to the distance d_C; separation takes the energy F_C d_C.
        "force" => Bond(Bond),
        /// A largest tensile force at zero distance only: the time step becomes part of the physics.
        "zero_range" => ZeroRange(ZeroRange),
    }
}

record! {
    /// A tensile force up to a distance. [Brendel section 1.8, fig. 1.9 b]
    pub struct Bond {
        /// Largest tensile force F_C.
        force: Force where POSITIVE,
        /// How far it reaches.
        reach: Flat<Reach>,
    }
}

list! {
    /// How far a tensile force reaches.
    pub enum Reach by leading key {
        /// The energy that separation takes.
        "energy" => ByEnergy(ByEnergy),
        /// The distance at which the contact breaks.
        "range" => ByRange(ByRange),
    }
}

record! {
    /// The energy that separation takes.
    pub struct ByEnergy {
        /// Energy E_C = F_C d_C that separation takes.
        energy: Energy where POSITIVE,
    }
}

record! {
    /// The distance at which the contact breaks.
    pub struct ByRange {
        /// Distance d_C at which the contact breaks.
        range: Length where POSITIVE,
    }
}

record! {
    /// A tensile force at zero distance only. [Brendel section 1.8, fig. 1.9 a]
    pub struct ZeroRange {
        /// Largest tensile force F_C.
        zero_range: Force where POSITIVE,
    }
}

impl Cohesion {
    /// Largest tensile force F_C [N].
    pub fn force(&self) -> f64 {
        match self {
            Cohesion::Bond(bond) => *bond.force,
            Cohesion::ZeroRange(law) => *law.zero_range,
        }
    }

    /// Distance d_C = E_C / F_C at which the contact breaks [m]; zero for the law without range.
    pub fn range(&self) -> f64 {
        match self {
            Cohesion::Bond(bond) => match &*bond.reach {
                Reach::ByEnergy(reach) => *reach.energy / *bond.force,
                Reach::ByRange(reach) => *reach.range,
            },
            Cohesion::ZeroRange(_) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{mistakes, read};
    use super::*;
    use crate::input::Value;

    #[test]
    fn energy_and_range_say_the_same() {
        let by_energy = read::<Cohesion>("{ force = \"2 mN\", energy = \"1 nJ\" }");
        let by_range = read::<Cohesion>("{ force = \"2 mN\", range = \"0.5 um\" }");
        for cohesion in [by_energy, by_range] {
            assert_eq!(cohesion.force(), 2e-3);
            assert!((cohesion.range() - 5e-7).abs() < 1e-21);
            let again = read::<Cohesion>(&cohesion.write().to_string());
            assert_eq!((again.force(), again.range()), (cohesion.force(), cohesion.range()));
        }
    }

    #[test]
    fn zero_range_is_only_had_by_name() {
        let cohesion = read::<Cohesion>("{ zero_range = \"1 mN\" }");
        assert_eq!((cohesion.force(), cohesion.range()), (1e-3, 0.0));
        assert_eq!(mistakes::<Cohesion>("{ force = \"1 mN\", range = 0 }"), ["E007"]);
    }

    #[test]
    fn wrong_forms_are_named() {
        assert_eq!(mistakes::<Cohesion>("{ force = 1, energy = 1, range = 1 }"), ["E015"]);
        assert_eq!(mistakes::<Cohesion>("{ force = 1 }"), ["E005"]);
        assert_eq!(mistakes::<Cohesion>("{ force = 1, rang = 1 }"), ["E002"]);
        assert_eq!(mistakes::<Cohesion>("{ energy = 1 }"), ["E005"]);
        assert_eq!(mistakes::<Cohesion>("{ force = 1, range = 1, zero_range = 1 }"), ["E015"]);
        assert_eq!(mistakes::<Cohesion>("\"1 mN\""), ["E003"]);
    }
}
