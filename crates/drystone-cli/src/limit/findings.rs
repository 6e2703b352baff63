//! What limit analysis has found: summary, tables, pictures, film.

use std::fmt::Write;
use std::path::Path;

use drystone::dim::{Dim, in_space};
use drystone::method::StepReport;
use drystone::record::Frame;
use drystone::record::snapshot::frame_of;
use drystone_statics::limit::{Assembly, Collapse, ContactMotion, Correction, LiveLoad, Mechanism};
use serde_json::{Value as Json, json};

use crate::Failure;
use crate::film::{FilmShape, film_of};
use crate::picture::look::{By, Look};
use crate::picture::scene::Scene;
use crate::picture::{Format, draw};
use crate::scenario::table;

/// How far the fastest point is drawn to move, over the mean radius of the grains: enough to see which joints open.
const WAY: f64 = 0.7;
/// Limits that differ by less than this, over the upper bound, are the same: ten times what counts as convergence.
const SAME: f64 = 1e-3;
/// Pictures of the film.
const PICTURES: usize = 40;

/// A limit load, or that there is none.
pub(super) struct Findings {
    pub(super) title: String,
    /// The live load as it was written.
    pub(super) text: String,
    about: String,
    unit: &'static str,
    bodies: usize,
    contacts: usize,
    found: Option<Found>,
}

/// The three limits of an assembly: see [`drystone_statics::limit::Limit`].
pub(super) struct Limits {
    pub(super) frictionless: Option<f64>,
    pub(super) associated: Collapse,
    pub(super) corrected: Correction,
}

/// The limit and how it falls.
struct Found {
    frictionless: Option<f64>,
    associated: f64,
    corrected: f64,
    rounds: usize,
    converged: bool,
    misfit: f64,
    /// Corrected limits of all starts that have converged, from the lowest on, and number of starts.
    fixed_points: Vec<f64>,
    starts: usize,
    /// Numbers of joints that turn, slide and open.
    counts: [usize; 3],
    contacts_csv: String,
    bodies_csv: String,
    /// The assembly with its forces at the limit.
    at_rest: Frame,
    /// The mechanism, from rest on.
    moving: Vec<Frame>,
}

impl Findings {
    /// Nothing bounds the live load.
    pub(super) fn unbounded<D: Dim>(assembly: &Assembly<D>, load: &LiveLoad) -> Findings {
        let bodies = assembly.rows.iter().flatten().count();
        let (about, unit, contacts) = (super::words(load), load.unit(), assembly.contacts.len());
        Findings { title: String::new(), text: String::new(), about, unit, bodies, contacts, found: None }
    }

    /// It falls. Forces and mechanism are those of the correction, if that has converged.
    pub(super) fn at<D: Dim>(assembly: &Assembly<D>, load: &LiveLoad, limits: Limits) -> Findings {
        let Limits { frictionless, associated, corrected } = limits;
        let shown = if corrected.converged { &corrected.collapse } else { &associated };
        let mechanism = Mechanism::of(assembly, shown);
        let slides: Vec<bool> = mechanism.contacts.iter().map(|motion| *motion == ContactMotion::Slides).collect();
        let at_rest = assembly.frame(&shown.forces, mechanism.zero, &slides);
        let radii: f64 = assembly.world.grains().map(|k| assembly.world.bodies.shape[k].radius()).sum();
        let way = WAY * radii / assembly.world.grains().len() as f64;
        let frame = |k: usize| {
            let part = k as f64 / PICTURES as f64;
            frame_of(&mechanism.moved(assembly, part * way), 1.0, &[], &StepReport::default())
        };
        let found = Found {
            frictionless,
            associated: associated.multiplier,
            corrected: corrected.collapse.multiplier,
            rounds: corrected.rounds,
            converged: corrected.converged,
            misfit: corrected.misfit,
            fixed_points: corrected.fixed_points,
            starts: corrected.starts,
            counts: [ContactMotion::Turns, ContactMotion::Slides, ContactMotion::Opens].map(|m| mechanism.count(m)),
            contacts_csv: contacts_csv(assembly, &mechanism, shown),
            bodies_csv: bodies_csv(assembly, &mechanism),
            at_rest,
            moving: (0..=PICTURES).map(frame).collect(),
        };
        Findings { found: Some(found), ..Findings::unbounded(assembly, load) }
    }

    /// What the user must know beside the numbers.
    pub(super) fn warnings(&self) -> Vec<String> {
        let Some(found) = self.found.as_ref().filter(|found| !found.converged) else { return Vec::new() };
        vec![format!(
            "the correction for real friction did not converge in {} rounds: friction is {:.1e} of the largest force beyond \
             the cones; only the upper bound holds, and forces and mechanism are those of friction that dilates",
            found.rounds, found.misfit
        )]
    }

    pub(super) fn summary(&self) -> String {
        let mut rows = vec![
            ("scenario", self.title.clone()),
            ("live load", format!("{}: {}", self.text, self.about)),
            ("assembly", format!("{} bodies that can move, {} contacts", self.bodies, self.contacts)),
        ];
        match &self.found {
            None => rows.push(("limit", "none: forces in balance exist whatever the factor".into())),
            Some(found) => {
                let unit = self.unit;
                if let Some(certain) = found.frictionless.filter(|certain| *certain > SAME * found.associated.abs()) {
                    rows.push(("certain", format!("{} {unit}, needs no friction", six(certain))));
                }
                rows.push(("corrected", found.correction(unit)));
                rows.push(("upper bound", format!("{} {unit}, with friction that dilates", six(found.associated))));
                let [turns, slides, opens] = found.counts;
                let text = format!("joints: {turns} turn about a corner, {slides} slide, {opens} open");
                rows.push(("mechanism", text));
            }
        }
        table(rows.iter().map(|(name, text)| (*name, text.as_str())))
    }

    pub(super) fn json(&self) -> Json {
        let mut json = json!({
            "title": self.title, "load": self.text, "unit": self.unit, "bodies": self.bodies,
            "contacts": self.contacts, "bounded": self.found.is_some(),
        });
        if let Some(found) = &self.found {
            let [turns, slides, opens] = found.counts;
            json["frictionless"] = found.frictionless.into();
            json["associated"] = found.associated.into();
            json["corrected"] = if found.converged { found.corrected.into() } else { Json::Null };
            json["correction"] = json!({
                "converged": found.converged, "rounds": found.rounds, "misfit": found.misfit, "last": found.corrected,
                "starts": found.starts, "fixed_points": found.fixed_points,
            });
            json["joints"] = json!({ "turn": turns, "slide": slides, "open": opens });
        }
        json
    }

    pub(super) fn tables(&self) -> Vec<(&'static str, Vec<u8>)> {
        let Some(found) = &self.found else { return Vec::new() };
        let bytes = |text: &String| text.clone().into_bytes();
        vec![("contacts.csv", bytes(&found.contacts_csv)), ("bodies.csv", bytes(&found.bodies_csv))]
    }

    /// Forces at the limit and the mechanism: also as SVG in the plane.
    pub(super) fn pictures(&self, scene: &Scene) -> Result<Vec<(&'static str, Vec<u8>)>, Failure> {
        let Some(found) = &self.found else { return Ok(Vec::new()) };
        let forces = Look { scene: scene.clone(), forces: Some(true), ..Look::default() };
        let mechanism = found.mechanism(scene);
        let last = &found.moving[PICTURES];
        let mut files = Vec::new();
        for (name, frame, look) in [("forces", &found.at_rest, &forces), ("mechanism", last, &mechanism)] {
            let title = format!("{}: {name} at {} {}", self.title, number(found.shown()), self.unit);
            let formats = if frame.dimension == 2 { &[Format::Svg, Format::Png][..] } else { &[Format::Png] };
            for format in formats {
                let file = match (name, format) {
                    ("forces", Format::Svg) => "forces.svg",
                    ("forces", Format::Png) => "forces.png",
                    (_, Format::Svg) => "mechanism.svg",
                    (_, Format::Png) => "mechanism.png",
                };
                files.push((file, draw(frame, &title, *format, look).map_err(Failure::Run)?));
            }
        }
        Ok(files)
    }

    /// The mechanism as a film.
    pub(super) fn film(&self, scene: &Scene, out: &Path) -> Result<(), Failure> {
        let Some(found) = &self.found else { return Ok(()) };
        film_of(&found.moving, &self.title, &found.mechanism(scene), FilmShape { out, rate: 20.0, width: 800 })
    }
}

impl Found {
    /// The corrected limit in words: whether all starts agree, or which ones they find.
    fn correction(&self, unit: &str) -> String {
        if !self.converged {
            return "NOT converged".into();
        }
        let (count, size) = (self.fixed_points.len(), self.associated.abs());
        let mut others: Vec<f64> = self.fixed_points.clone();
        others.dedup_by(|next, last| (*next - *last).abs() <= SAME * size);
        let found = match others.as_slice() {
            [_] if count < self.starts => format!("{count} of {} starts converge, and agree", self.starts),
            [_] => format!("{count} of {} starts agree", self.starts),
            [_, above @ ..] => format!(
                "the lowest that {} starts find; others: {}. Between it and the upper bound the past decides",
                self.starts,
                above.iter().map(|other| six(*other)).collect::<Vec<_>>().join(", ")
            ),
            [] => String::new(),
        };
        format!("{} {unit}, without dilatancy: {found}", six(self.corrected))
    }

    /// The multiplier whose forces and mechanism are shown.
    fn shown(&self) -> f64 {
        if self.converged { self.corrected } else { self.associated }
    }

    /// Bodies where the mechanism brings them, coloured by how far.
    fn mechanism(&self, scene: &Scene) -> Look<'_> {
        Look { scene: scene.clone(), by: Some(By::Displacement), since: Some(&self.at_rest), ..Look::default() }
    }
}

fn contacts_csv<D: Dim>(assembly: &Assembly<D>, mechanism: &Mechanism<D>, collapse: &Collapse) -> String {
    let mut text = String::from("a,b");
    D::AXES.iter().for_each(|axis| text += &format!(",{axis} [m]"));
    text += ",friction [1],normal_force [N],tangential_force [N],motion,opening [1],slip [1]\n";
    for (k, contact) in assembly.contacts.iter().enumerate() {
        let name = |body: u32| assembly.world.name(body as usize);
        let _ = write!(text, "{},{}", name(contact.key.a), name(contact.key.b));
        in_space(contact.point)[..D::DIMENSION].iter().for_each(|x| text += &format!(",{x:.9e}"));
        let own = &collapse.forces[contact.first..contact.first + contact.width];
        let tangential = own[1..].iter().map(|t| t * t).sum::<f64>().sqrt();
        let ([opening, slip], motion) = (mechanism.slips[k], mechanism.contacts[k].word());
        let _ =
            writeln!(text, ",{},{:.9e},{tangential:.9e},{motion},{opening:.3e},{slip:.3e}", contact.friction, own[0]);
    }
    text
}

fn bodies_csv<D: Dim>(assembly: &Assembly<D>, mechanism: &Mechanism<D>) -> String {
    let mut text = String::from("body");
    D::AXES.iter().for_each(|axis| text += &format!(",v{axis} [1]"));
    let spins = if D::DIMENSION == 2 { &["z"][..] } else { &["x", "y", "z"] };
    spins.iter().for_each(|axis| text += &format!(",w{axis} [1/m]"));
    text.push('\n');
    for (body, twist) in mechanism.twists.iter().enumerate().filter(|(body, _)| assembly.rows[*body].is_some()) {
        text += &assembly.world.name(body);
        in_space(twist.v)[..D::DIMENSION].iter().for_each(|v| text += &format!(",{v:.6e}"));
        let w = D::spin3(twist.w);
        let w = if D::DIMENSION == 2 { &w[2..] } else { &w[..] };
        w.iter().for_each(|w| text += &format!(",{w:.6e}"));
        text.push('\n');
    }
    text
}

/// Six digits after the point; zero has no sign.
fn six(value: f64) -> String {
    let text = format!("{value:.6}");
    if text == "-0.000000" { text[1..].to_string() } else { text }
}

fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) { format!("{value:.3e}") } else { format!("{value:.4}") }
}
