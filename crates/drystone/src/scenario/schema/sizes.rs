//! How the radii of grains are distributed.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use crate::input::quantity::{LARGEST, Length, Number};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Node, Raw, Reader, Value, csv};
use crate::list::{list, record};

list! {
    /// How radii are distributed (by number of grains).
    pub enum Sizes by key or Constant(Length) {
        /// Uniform between two values.
        "uniform" => Uniform([Length; 2]),
        /// A normal distribution, cut at both ends.
        "normal" => Normal(NormalSizes),
        /// A normal distribution of the logarithm, cut at both ends where asked for.
        "lognormal" => Lognormal(Lognormal),
        /// Density of r^-exponent between two values.
        "power_law" => PowerLaw(PowerLaw),
        /// Rows of radius and weight (by number): a list, or the name of a CSV file.
        "table" => Table(Weights),
    }
}

record! {
    /// A normal distribution, cut at both ends.
    pub struct NormalSizes at span {
        /// Mean.
        mean: Length where POSITIVE,
        /// Standard deviation.
        deviation: Length where POSITIVE,
        /// Smallest radius.
        min: Length where POSITIVE,
        /// Largest radius.
        max: Length where POSITIVE,
    }
}

record! {
    /// A normal distribution of the logarithm.
    pub struct Lognormal at span {
        /// Median.
        median: Length where POSITIVE,
        /// Standard deviation of the natural logarithm.
        sigma: Number where POSITIVE,
        /// Smallest radius.
        min: Option<Length> where POSITIVE,
        /// Largest radius.
        max: Option<Length> where POSITIVE,
    }
}

record! {
    /// A power law.
    pub struct PowerLaw at span {
        /// Exponent: the density falls like r^-exponent.
        exponent: Number where NOT_NEGATIVE,
        /// Smallest radius.
        min: Length where POSITIVE,
        /// Largest radius.
        max: Length where POSITIVE,
    }
}

/// Radii with their weights.
#[derive(Clone, Debug)]
pub struct Weights(pub Vec<(f64, f64)>);

impl Value for Weights {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let rows = match &node.value {
            Raw::Text(file) => {
                let rows = csv::numbers(reader, &node.at, file, 2)?;
                rows.into_iter().map(|row| (row.numbers[0], row.numbers[1])).collect()
            }
            _ => {
                let rows = Vec::<(Length, Number)>::read(node, reader)?;
                rows.into_iter().map(|(radius, weight)| (radius.0, weight.0)).collect::<Vec<_>>()
            }
        };
        let is_weight = |weight: f64| weight == 0.0 || weight >= 1.0 / LARGEST;
        if rows.iter().any(|(radius, weight)| *radius < 1.0 / LARGEST || !is_weight(*weight))
            || rows.iter().all(|(_, w)| *w == 0.0)
        {
            let message = format!("`{}` must hold radii above zero with weights of zero or more", node.path);
            return reader.mistake("E007", &node.at, message, "write [[\"1 mm\", 3], [\"2 mm\", 1]]");
        }
        Some(Weights(rows))
    }
    fn write(&self) -> toml::Value {
        let row = |(radius, weight): &(f64, f64)| toml::Value::Array(vec![(*radius).into(), (*weight).into()]);
        toml::Value::Array(self.0.iter().map(row).collect())
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"type": ["array", "string"]})
    }
}

/// Least share of a distribution that must lie between its bounds: a grain then takes a thousand draws, and a million
/// grains half a minute.
const LEAST_SHARE: f64 = 1e-3;

impl Sizes {
    /// Smallest and largest radius that can be drawn [m].
    pub fn range(&self) -> (f64, f64) {
        match self {
            Sizes::Constant(radius) => (**radius, **radius),
            Sizes::Uniform([low, high]) => (**low, **high),
            Sizes::Normal(normal) => (*normal.min, *normal.max),
            Sizes::Lognormal(log) => (log.min.map_or(0.0, |min| *min), log.max.map_or(f64::INFINITY, |max| *max)),
            Sizes::PowerLaw(law) => (*law.min, *law.max),
            Sizes::Table(Weights(rows)) => {
                rows.iter().fold((f64::INFINITY, 0.0), |(low, high), (r, _)| (low.min(*r), f64::max(high, *r)))
            }
        }
    }

    /// What is wrong with the distribution, if anything, and what to write instead.
    pub fn fault(&self) -> Option<(String, &'static str)> {
        let (low, high) = self.range();
        if low > high {
            let message = format!("the smallest radius ({low} m) is above the largest ({high} m)");
            Some((message, "write the smaller one first, or as `min`"))
        } else if self.share_between_bounds() < LEAST_SHARE {
            let message = "less than a thousandth of the distribution is between min and max".into();
            Some((message, "choose them around the mean, or write one radius"))
        } else {
            None
        }
    }

    /// Share of the untruncated distribution between its bounds; draws outside are repeated.
    fn share_between_bounds(&self) -> f64 {
        let below = |deviations: f64| 0.5 * libm::erfc(-deviations / std::f64::consts::SQRT_2);
        let (low, high) = self.range();
        match self {
            Sizes::Normal(NormalSizes { mean, deviation, .. }) => {
                let share = |radius: f64| below((radius - **mean) / **deviation);
                share(high) - share(low)
            }
            Sizes::Lognormal(Lognormal { median, sigma, .. }) => {
                let share = |radius: f64| below(libm::log(radius / **median) / **sigma);
                share(high) - share(low)
            }
            _ => 1.0,
        }
    }

    /// Draws a radius.
    pub fn draw(&self, random: &mut PortableRandom) -> f64 {
        match self {
            Sizes::Constant(radius) => **radius,
            Sizes::Uniform([low, high]) => **low + (**high - **low) * random.unit(),
            Sizes::Normal(NormalSizes { mean, deviation, min, max, .. }) => {
                random.until(|random| **mean + **deviation * random.normal(), **min, **max)
            }
            Sizes::Lognormal(log) => {
                let (low, high) = self.range();
                random.until(|random| *log.median * libm::exp(*log.sigma * random.normal()), low, high)
            }
            Sizes::PowerLaw(PowerLaw { exponent, min, max, .. }) => {
                // the inverse of the cumulated distribution
                let p = 1.0 - **exponent;
                let u = random.unit();
                if p == 0.0 {
                    **min * libm::pow(**max / **min, u)
                } else {
                    let (a, b) = (libm::pow(**min, p), libm::pow(**max, p));
                    libm::pow(a + (b - a) * u, 1.0 / p).clamp(**min, **max)
                }
            }
            Sizes::Table(Weights(rows)) => {
                let mut left = random.unit() * rows.iter().map(|(_, weight)| weight).sum::<f64>();
                for (radius, weight) in rows {
                    left -= weight;
                    if left < 0.0 {
                        return *radius;
                    }
                }
                rows[rows.len() - 1].0
            }
        }
    }
}

/// Random numbers that are the same on every platform.
pub struct PortableRandom(Pcg64);

impl PortableRandom {
    /// A stream of numbers; different streams of one seed are independent.
    pub fn new(seed: u64, stream: u64) -> PortableRandom {
        PortableRandom(Pcg64::new(u128::from(seed), u128::from(stream)))
    }

    /// Between 0 and 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normally distributed with mean 0 and deviation 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let (u, angle) = (1.0 - self.unit(), 2.0 * std::f64::consts::PI * self.unit());
        (-2.0 * libm::log(u)).sqrt() * libm::cos(angle)
    }

    /// Draws until the number lies between the bounds.
    fn until(&mut self, mut draw: impl FnMut(&mut PortableRandom) -> f64, low: f64, high: f64) -> f64 {
        loop {
            let number = draw(self);
            if low <= number && number <= high {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::quantity::Quantity;

    fn moments(sizes: &Sizes) -> (f64, f64, f64, f64) {
        let mut random = PortableRandom::new(7, 0);
        let radii: Vec<f64> = (0..100_000).map(|_| sizes.draw(&mut random)).collect();
        let mean = radii.iter().sum::<f64>() / 1e5;
        let variance = radii.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>() / 1e5;
        let low = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let high = radii.iter().copied().fold(0.0, f64::max);
        (mean, variance.sqrt(), low, high)
    }

    /// Means of 1e5 draws lie within 4 standard errors of the exact ones.
    fn near(measured: f64, exact: f64, deviation: f64) {
        assert!((measured - exact).abs() < 4.0 * deviation / 1e5f64.sqrt(), "{measured} for {exact}");
    }

    #[test]
    fn means_and_bounds_are_those_of_the_distributions() {
        let span = Default::default;
        let (mean, deviation, low, high) = moments(&Sizes::Uniform([Quantity(1.0), Quantity(3.0)]));
        near(mean, 2.0, deviation);
        near(deviation, 1.0 / 3.0f64.sqrt(), 1.0);
        assert!(low >= 1.0 && high < 3.0);

        let normal = NormalSizes {
            mean: Quantity(2.0),
            deviation: Quantity(0.1),
            min: Quantity(1.8),
            max: Quantity(2.2),
            span: span(),
        };
        let (mean, deviation, low, high) = moments(&Sizes::Normal(normal));
        near(mean, 2.0, deviation);
        near(deviation, 0.1 * 0.774_129f64.sqrt(), 0.1); // variance of a normal cut at two deviations: 1 - 4 phi(2) / erf
        assert!(low >= 1.8 && high <= 2.2);

        let log = Lognormal { median: Quantity(1.0), sigma: Quantity(0.3), min: None, max: None, span: span() };
        let (mean, deviation, ..) = moments(&Sizes::Lognormal(log));
        near(mean, (0.045f64).exp(), deviation);

        let law = PowerLaw { exponent: Quantity(3.0), min: Quantity(1.0), max: Quantity(4.0), span: span() };
        let (mean, deviation, low, high) = moments(&Sizes::PowerLaw(law));
        near(mean, (1.0 - 0.25) / 0.5 / (1.0 - 1.0 / 16.0), deviation); // integral r^-2 over integral r^-3
        assert!(low >= 1.0 && high <= 4.0);

        let (mean, deviation, ..) = moments(&Sizes::Table(Weights(vec![(1.0, 3.0), (2.0, 0.0), (5.0, 1.0)])));
        near(mean, 2.0, deviation);
    }
}
