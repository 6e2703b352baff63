//! The verb impact: what tangential laws make of an oblique collision, beside what was measured.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use drystone::dim::{D2, D3};
use drystone::law::soft::preset::Measured;
use drystone::law::soft::{Preset, TangentialChoice};
use drystone::study::impact::{Numbers, Surfaces, map, measured};

use crate::Failure;
use crate::picture::Format;
use crate::picture::plot::{Axis, Hand, Plot};
use crate::scenario::print;

/// Points of a curve.
const POINTS: usize = 60;
/// Points of the measured lines that are drawn: the fewer, the clearer they are beside the curves.
const DOTS: usize = 24;

/// Draw the slip after an oblique collision over the slip before it, for tangential laws of soft grains.
#[derive(Args)]
pub(crate) struct Impact {
    /// Tangential laws, by the names of `drystone list laws` [default: all].
    #[arg(long, value_delimiter = ',')]
    law: Vec<String>,
    /// Material whose measured friction and restitution the laws get, unless they are given.
    #[arg(long, default_value = "cellulose_acetate")]
    material: String,
    /// Disks (2) or spheres (3) [default: both, disks dashed].
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=3))]
    dimension: Option<u32>,
    /// Coefficient of friction, in place of the measured one.
    #[arg(long, allow_negative_numbers = true)]
    friction: Option<f64>,
    /// Normal restitution, in place of the measured one.
    #[arg(long, allow_negative_numbers = true)]
    restitution: Option<f64>,
    /// Tangential over normal stiffness of springs.
    #[arg(long, alias = "ratio", allow_negative_numbers = true, default_value_t = 2.0 / 7.0)]
    stiffness_ratio: f64,
    /// Coefficient of tangential dashpots over sqrt(k_N m*).
    #[arg(long, allow_negative_numbers = true, default_value_t = 0.2)]
    damping: f64,
    /// Poisson's ratio, for Mindlin's spring.
    #[arg(long, allow_negative_numbers = true, default_value_t = 0.3)]
    poisson: f64,
    /// Largest slip before the collision over the approach velocity [default: twice where sliding takes over].
    #[arg(long)]
    until: Option<f64>,
    /// Picture; the other formats and the table are written next to it.
    #[arg(short, long, default_value = "impact.svg")]
    out: PathBuf,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

/// A curve of the map with its column in the table.
struct Column {
    law: &'static str,
    dimension: u32,
    after: Vec<f64>,
}

impl Impact {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.check_ranges()?;
        let material = self.material()?;
        let surfaces = self.surfaces(&material)?;
        let end = self.until.unwrap_or(2.0 * surfaces.braking::<D3>());
        if end == 0.0 {
            return Err(Failure::Usage("without friction nothing takes over sliding: add --until".into()));
        }
        let before: Vec<f64> = (0..=POINTS).map(|k| end * k as f64 / POINTS as f64).collect();
        let numbers = Numbers { ratio: self.stiffness_ratio, damping: self.damping, poisson: self.poisson };
        let mut columns = Vec::new();
        for law in self.laws()? {
            let soft = surfaces.law(law, &numbers)?;
            for dimension in [3, 2].into_iter().filter(|d| self.dimension.is_none_or(|wanted| wanted == *d)) {
                let after = if dimension == 3 { map::<D3>(&soft, &before) } else { map::<D2>(&soft, &before) };
                columns.push(Column { law, dimension, after });
            }
        }
        let plot = self.plot(&material, &surfaces, &before, &columns);
        let files = [
            ("svg", plot.draw(Format::Svg).map_err(Failure::Run)?),
            ("png", plot.draw(Format::Png).map_err(Failure::Run)?),
            ("csv", table(self.is_measured().then_some(&material), &before, &columns).into_bytes()),
        ];
        let mut told = String::new();
        for (end, _) in &files {
            refuse_to_overwrite(&self.out.with_extension(end), self.force)?;
        }
        for (end, content) in files {
            let path = self.out.with_extension(end);
            std::fs::write(&path, content)
                .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))?;
            let _ = writeln!(told, "{}", path.display());
        }
        print(&told)
    }

    /// Refuses numbers that are none of their kind.
    fn check_ranges(&self) -> Result<(), Failure> {
        for (option, number, range, is_within) in [
            ("friction", self.friction, "zero or more", (|x| x >= 0.0) as fn(f64) -> bool),
            ("restitution", self.restitution, "more than 0, and 1 at most", |x| x > 0.0 && x <= 1.0),
            ("stiffness-ratio", Some(self.stiffness_ratio), "more than zero", |x| x > 0.0),
            ("damping", Some(self.damping), "zero or more", |x| x >= 0.0),
            ("poisson", Some(self.poisson), "from 0 to 0.5", |x| (0.0..=0.5).contains(&x)),
            ("until", self.until, "more than zero", |x| x > 0.0),
        ] {
            if let Some(number) = number.filter(|x| !(x.is_finite() && is_within(*x))) {
                return Err(Failure::Usage(format!("--{option} takes a number, {range}, not {number} [E007]")));
            }
        }
        Ok(())
    }

    /// Friction and restitution: those given, and measured ones for the others.
    fn surfaces(&self, material: &Measured) -> Result<Surfaces, Failure> {
        let restitution = self.restitution.or(material.restitution.map(|(restitution, _)| restitution));
        let Some(restitution) = restitution else {
            return Err(Failure::Usage(format!(
                "no restitution was measured for `{}`: add --restitution, or take soda_lime_glass or cellulose_acetate",
                self.material
            )));
        };
        Ok(Surfaces { friction: self.friction.unwrap_or(material.friction.0), restitution })
    }

    /// Whether friction and restitution are those measured.
    fn is_measured(&self) -> bool {
        self.friction.is_none() && self.restitution.is_none()
    }

    /// What was measured of the material.
    fn material(&self) -> Result<Measured, Failure> {
        let named = Preset::ALL.iter().find(|preset| preset.name() == self.material);
        named.map(|preset| preset.measured()).ok_or_else(|| {
            let known: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
            let of_word: Vec<&str> =
                known.iter().copied().filter(|name| name.split('_').any(|word| word == self.material)).collect();
            let meant = if of_word.is_empty() { known } else { of_word };
            Failure::Usage(format!(
                "there is no measured material `{}`: take one of {}",
                self.material,
                meant.join(", ")
            ))
        })
    }

    /// Names of the laws that were asked for.
    fn laws(&self) -> Result<Vec<&'static str>, Failure> {
        let known = || TangentialChoice::KINDS.iter().map(|(name, _)| *name);
        if self.law.is_empty() {
            return Ok(known().collect());
        }
        let find = |wanted: &String| {
            known().find(|name| name == wanted).ok_or_else(|| {
                let all: Vec<&str> = known().collect();
                Failure::Usage(format!("there is no tangential law `{wanted}`: take some of {}", all.join(", ")))
            })
        };
        self.law.iter().map(find).collect()
    }

    fn plot(&self, material: &Measured, surfaces: &Surfaces, before: &[f64], columns: &[Column]) -> Plot {
        let what = match self.dimension {
            Some(2) => "disks",
            Some(_) => "spheres",
            None => "spheres (lines) and disks (dashes)",
        };
        let surfaces = match self.is_measured() {
            true => self.material.replace('_', " "),
            false => format!("friction {}, restitution {}", surfaces.friction, surfaces.restitution),
        };
        let title = format!("Oblique impact, {surfaces}: {what}");
        let mut plot = Plot::new(&title, Axis::linear("Slip before / approach"), Axis::linear("Slip after / approach"));
        let points = |after: &[f64]| before.iter().copied().zip(after.iter().copied()).collect::<Vec<_>>();
        let mut last = "";
        for Column { law, dimension, after } in columns {
            let hand = if *dimension == 2 && self.dimension.is_none() { Hand::Dashes } else { Hand::Line };
            match *law == last {
                true => plot.again("", hand, points(after)),
                false => plot.curve(law.replace('_', " "), hand, points(after)),
            }
            last = law;
        }
        // spheres were measured
        if self.dimension != Some(2) && self.is_measured() {
            let end = before.last().copied().unwrap_or(0.0);
            let at = (1..=DOTS).map(|k| end * k as f64 / DOTS as f64);
            let dots = at.filter_map(|x| Some((x, measured::<D3>(material, x)?)));
            plot.curve("fit of Foerster et al. 1994", Hand::Dots, dots.collect());
        }
        plot
    }
}

fn refuse_to_overwrite(path: &Path, force: bool) -> Result<(), Failure> {
    match path.exists() && !force {
        true => Err(Failure::Usage(format!("{} exists already: replace it with --force [E105]", path.display()))),
        false => Ok(()),
    }
}

/// Column names and rows: psi_1, every law, and the lines that were fitted to the measurement, if there was one.
fn table(material: Option<&Measured>, before: &[f64], columns: &[Column]) -> String {
    let mut text = String::from("psi1");
    for Column { law, dimension, .. } in columns {
        let _ = write!(text, ",{law}_{dimension}d");
    }
    text += if material.is_some() { ",measured_3d\n" } else { "\n" };
    for (k, psi) in before.iter().enumerate() {
        let _ = write!(text, "{psi:.6}");
        for column in columns {
            let _ = write!(text, ",{:.6}", column.after[k]);
        }
        if let Some(material) = material {
            let _ = write!(text, ",{}", measured::<D3>(material, *psi).map_or(String::new(), |y| format!("{y:.6}")));
        }
        text.push('\n');
    }
    text
}
