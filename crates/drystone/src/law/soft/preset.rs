//! Measured materials by name: friction, and where it is known restitution, with their references.

use crate::list::list;

list! {
    /// Measured pairs of materials: spheres unless the name says otherwise.
    pub enum Preset by name {
        /// Soda lime glass, 3 mm: mu 0.092 +- 0.006, e 0.97 +- 0.01, beta_0 0.44 +- 0.07 [Foerster94].
        "soda_lime_glass" => SodaLimeGlass,
        /// Fresh glass: mu 0.048 +- 0.006 [Lorenz97].
        "fresh_glass" => FreshGlass,
        /// Spent glass: mu 0.177 +- 0.020 [Lorenz97].
        "spent_glass" => SpentGlass,
        /// Spent glass, one sphere stationary: mu 0.126 +- 0.014 [Lorenz97].
        "spent_glass_stationary" => SpentGlassStationary,
        /// Cellulose acetate, 6 mm: mu 0.25 +- 0.02, e 0.87 +- 0.02, beta_0 0.43 +- 0.06 [Foerster94].
        "cellulose_acetate" => CelluloseAcetate,
        /// Cellulose acetate in a friction cell: mu 0.22 to 0.33 [Mullier91].
        "cellulose_acetate_cell" => CelluloseAcetateCell,
        /// Nylon: mu 0.175 +- 0.1 [Labous97].
        "nylon" => Nylon,
        /// Acrylic: mu 0.096 +- 0.006 [Lorenz97].
        "acrylic" => Acrylic,
        /// Polystyrene: mu 0.189 +- 0.009 [Lorenz97].
        "polystyrene" => Polystyrene,
        /// Stainless steel: mu 0.099 +- 0.008 [Lorenz97].
        "stainless_steel" => StainlessSteel,
        /// Acrylic on an aluminium plate: mu 0.14 [Mullier91].
        "acrylic_on_aluminium" => AcrylicOnAluminium,
        /// Radish seeds on an aluminium plate: mu 0.19 [Mullier91].
        "radish_seeds_on_aluminium" => RadishSeedsOnAluminium,
        /// Fresh glass on an aluminium plate: mu 0.131 +- 0.007 [Lorenz97].
        "fresh_glass_on_aluminium" => FreshGlassOnAluminium,
        /// Spent glass on an aluminium plate: mu 0.126 +- 0.009 [Lorenz97].
        "spent_glass_on_aluminium" => SpentGlassOnAluminium,
        /// A glass plate on a glass plate: mu 0.4 [Beare35].
        "glass_plates" => GlassPlates,
        /// A glass plate on a nickel plate: mu 0.56 [Beare35].
        "glass_on_nickel" => GlassOnNickel,
        /// A glass plate on a carbon plate: mu 0.18 [Beare35].
        "glass_on_carbon" => GlassOnCarbon,
    }
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Coefficient of sliding friction and its uncertainty.
    pub friction: (f64, f64),
    /// Normal restitution and its uncertainty.
    pub restitution: Option<(f64, f64)>,
    /// Tangential restitution of sticking impacts beta_0 and its uncertainty.
    pub tangential: Option<(f64, f64)>,
}

impl Preset {
    /// What was measured: friction by [Wassgren09 "Friction Values"], e and beta_0 by [Cornell99].
    pub fn measured(self) -> Measured {
        let only = |mu, spread| Measured { friction: (mu, spread), restitution: None, tangential: None };
        match self {
            Preset::SodaLimeGlass => {
                Measured { friction: (0.092, 0.006), restitution: Some((0.97, 0.01)), tangential: Some((0.44, 0.07)) }
            }
            Preset::CelluloseAcetate => {
                Measured { friction: (0.25, 0.02), restitution: Some((0.87, 0.02)), tangential: Some((0.43, 0.06)) }
            }
            Preset::FreshGlass => only(0.048, 0.006),
            Preset::SpentGlass => only(0.177, 0.020),
            Preset::SpentGlassStationary => only(0.126, 0.014),
            Preset::CelluloseAcetateCell => only(0.275, 0.055), // the middle of 0.22 to 0.33
            Preset::Nylon => only(0.175, 0.1),
            Preset::Acrylic => only(0.096, 0.006),
            Preset::Polystyrene => only(0.189, 0.009),
            Preset::StainlessSteel => only(0.099, 0.008),
            Preset::AcrylicOnAluminium => only(0.14, 0.0),
            Preset::RadishSeedsOnAluminium => only(0.19, 0.0),
            Preset::FreshGlassOnAluminium => only(0.131, 0.007),
            Preset::SpentGlassOnAluminium => only(0.126, 0.009),
            Preset::GlassPlates => only(0.4, 0.0),
            Preset::GlassOnNickel => only(0.56, 0.0),
            Preset::GlassOnCarbon => only(0.18, 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_seventeen_rows_and_the_words_state_its_numbers() {
        assert_eq!(Preset::ALL.len(), 17);
        for (preset, (name, about)) in Preset::ALL.iter().zip(Preset::KINDS) {
            let (mu, _) = preset.measured().friction;
            assert!(about.contains(&format!("mu {mu}")) || *name == "cellulose_acetate_cell", "{name}: {about}");
        }
    }
}
