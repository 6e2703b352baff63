//! The law between two materials, as `[[contact]]` of the resolved scenario writes it.

use toml::{Table, Value};

use super::kinds;
use super::scene::{as_number, number};

/// Contact laws between two materials. Without friction, bounce and the rest these numbers are zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Law {
    /// Sliding friction.
    pub friction: Friction,
    /// Bounce.
    pub restitution: Restitution,
    /// Lever of the rolling torque, if the contact resists rolling.
    pub rolling: Option<Lever>,
    /// Lever of the torsion torque, if the contact resists torsion.
    pub torsion: Option<Lever>,
    /// Largest tensile force [N].
    pub cohesion: f64,
}

/// Coefficients of friction.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Friction {
    at_rest: f64,
    sliding: f64,
    /// Slip speed of the decay from one to the other [m/s].
    decay: Option<f64>,
}

/// Coefficients of restitution.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Restitution {
    normal: f64,
    /// Approach speed from which the bodies yield, and the power of the decrease.
    plastic: Option<(f64, f64)>,
    tangential: f64,
}

/// Largest torque over the force that presses the surfaces together [m].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lever {
    /// The length itself.
    Length(f64),
    /// Times the reduced radius.
    Ratio(f64),
    /// Amplitude and loss.
    Roughness(f64, f64),
    /// Loss and modulus.
    Hysteresis(f64, f64),
}

impl Law {
    /// Reads a law; an error says what is not supported.
    pub(crate) fn read(table: &Table) -> Result<Law, String> {
        let mut law = Law::default();
        for (key, value) in table {
            match key.as_str() {
                "between" | "md" => {}
                "friction" => law.friction = Friction::read(value)?,
                "restitution" => law.restitution = Restitution::read(value)?,
                "rolling" => law.rolling = Some(Lever::read(value)?),
                "torsion" => law.torsion = Some(Lever::read(value)?),
                "cohesion" => law.cohesion = tensile_force(value)?,
                other => return Err(format!("laws with `{other}`")),
            }
        }
        Ok(law)
    }

    /// Friction of a contact that did not slide in the step before, and of one that did, at the slip speed before.
    pub(crate) fn friction(&self, slip: f64) -> [f64; 2] {
        let Friction { at_rest, sliding, decay } = self.friction;
        let weakened = decay.map_or(sliding, |decay| sliding + (at_rest - sliding) * (-slip / decay).exp());
        [at_rest, weakened]
    }

    /// Largest change of the friction with the slip speed [s/m].
    pub(crate) fn friction_slope(&self) -> f64 {
        let Friction { at_rest, sliding, decay } = self.friction;
        decay.map_or(0.0, |decay| (at_rest - sliding) / decay)
    }

    /// e_n at an approach speed, and e_t.
    pub(crate) fn restitution(&self, approach: f64) -> [f64; 2] {
        let Restitution { normal, plastic, tangential } = self.restitution;
        let normal = match plastic {
            Some((from, power)) if approach > from => normal * (approach / from).powf(-power),
            _ => normal,
        };
        [normal, tangential]
    }

    /// Whether the contact resists turning.
    pub(crate) fn has_torque(&self) -> bool {
        self.rolling.is_some() || self.torsion.is_some()
    }
}

impl Lever {
    /// Its length under the force `press`, between surfaces of the reduced radius; `depth` of bodies in the plane.
    pub(crate) fn length(&self, press: f64, reduced_radius: f64, depth: Option<f64>) -> f64 {
        match *self {
            Lever::Length(length) => length,
            Lever::Ratio(ratio) => ratio * reduced_radius,
            Lever::Roughness(amplitude, loss) => loss * (amplitude * reduced_radius).sqrt(),
            Lever::Hysteresis(loss, modulus) => {
                // the contact patch of Hertz: between cylinders, between spheres
                loss * match depth {
                    Some(depth) => (4.0 * press * reduced_radius / (std::f64::consts::PI * modulus * depth)).sqrt(),
                    None => (3.0 * press * reduced_radius / (4.0 * modulus)).cbrt(),
                }
            }
        }
    }

    fn read(value: &Value) -> Result<Lever, String> {
        let (key, value) = kinds::chosen("levers", value.as_table().ok_or("levers of an unknown form")?)?;
        let place = format!("contact.rolling.{key}");
        let known = value.as_table().filter(|table| kinds::knows_all(&place, table));
        let inner = |name: &str| number(known.ok_or("levers of an unknown form")?, name);
        let plain = || as_number(value).ok_or_else(|| "levers of an unknown form".to_string());
        match key {
            "length" => plain().map(Lever::Length),
            "ratio" => plain().map(Lever::Ratio),
            "roughness" => Ok(Lever::Roughness(inner("amplitude")?, inner("loss")?)),
            "hysteresis" => Ok(Lever::Hysteresis(inner("loss")?, inner("modulus")?)),
            other => Err(format!("levers with `{other}`")),
        }
    }
}

impl Friction {
    fn read(value: &Value) -> Result<Friction, String> {
        match (as_number(value), value.as_table()) {
            (Some(mu), _) => Ok(Friction { at_rest: mu, sliding: mu, decay: None }),
            (_, Some(table)) if kinds::knows_all("contact.friction", table) => Ok(Friction {
                at_rest: number(table, "static")?,
                sliding: number(table, "dynamic")?,
                decay: table.get("decay").and_then(as_number),
            }),
            _ => Err("friction of an unknown form".into()),
        }
    }
}

impl Restitution {
    fn read(value: &Value) -> Result<Restitution, String> {
        let of_normal = |value: &Value| match (as_number(value), value.as_table()) {
            (Some(normal), _) => Ok((normal, None)),
            (_, Some(table)) if kinds::knows_all("contact.restitution.normal", table) => Ok((
                number(table, "below_yield")?,
                Some((number(table, "yield_velocity")?, number(table, "exponent")?)),
            )),
            _ => Err("restitution of an unknown form".to_string()),
        };
        let (normal, tangential) = match value.as_table() {
            None => (value, 0.0),
            Some(table) if kinds::knows_all("contact.restitution", table) => {
                (table.get("normal").ok_or("restitution of an unknown form")?, number(table, "tangential")?)
            }
            Some(_) => return Err("restitution of an unknown form".into()),
        };
        let (normal, plastic) = of_normal(normal)?;
        Ok(Restitution { normal, plastic, tangential })
    }
}

fn tensile_force(value: &Value) -> Result<f64, String> {
    let table = value.as_table().ok_or("cohesion of an unknown form")?;
    match kinds::knows_all("contact.cohesion", table) {
        true => number(table, "force").or_else(|_| number(table, "zero_range")),
        false => Err("cohesion of an unknown form".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(text: &str) -> Result<Law, String> {
        Law::read(&text.parse().unwrap())
    }

    #[test]
    fn every_law_of_a_scenario_is_read() {
        let plain = law("between = [\"a\", \"b\"]\nfriction = 0.5\nrestitution = 0.0").unwrap();
        assert_eq!((plain.friction(3.0), plain.restitution(1.0), plain.cohesion), ([0.5; 2], [0.0; 2], 0.0));
        let rich = law("friction = { static = 0.5, dynamic = 0.3, decay = 0.1 }
            restitution = { normal = { below_yield = 0.8, yield_velocity = 0.1, exponent = 0.25 }, tangential = -0.2 }
            rolling = { ratio = 0.1 }
            torsion = { hysteresis = { loss = 0.1, modulus = 3e10 } }
            cohesion = { force = 2.0, range = 1e-6 }")
        .unwrap();
        // 0.3 + 0.2 / e; sixteen times the yield velocity: half
        assert!((rich.friction(0.1)[1] - 0.373_575_888_234_288_5).abs() < 1e-15 && rich.friction(0.1)[0] == 0.5);
        assert!((rich.restitution(1.6)[0] - 0.4).abs() < 1e-15 && rich.restitution(0.05) == [0.8, -0.2]);
        assert_eq!((rich.cohesion, rich.rolling), (2.0, Some(Lever::Ratio(0.1))));
        // 3 40 1e-3 / (4 3e10) = 1e-12 m3
        assert!((rich.torsion.unwrap().length(40.0, 1e-3, None) - 1e-5).abs() < 1e-18);
    }

    #[test]
    fn what_is_not_known_is_named() {
        assert_eq!(law("friction = 0.5\nglue = 1").unwrap_err(), "laws with `glue`");
        assert!(law("friction = { slow = 0.5 }").is_err() && law("friction = 0.5\nrolling = { area = 1 }").is_err());
    }
}
