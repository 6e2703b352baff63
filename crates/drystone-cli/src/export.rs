//! The verb export: frames in other formats.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use drystone::record::aside::write_aside;
use drystone::record::npz::{self, Writer};
use drystone::record::{Frame, RunFolder, fclib, frame_files};
use drystone::sim::{RunError, problem_after};

use crate::Failure;
use crate::clock::counted;
use crate::folder::{Which, frame, open, title};
use crate::scenario::print;

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// VTK files without compression, one for grains, contacts and walls each.
    Vtk,
    /// Tables: one of grains, one of contacts.
    Csv,
    /// Arrays for NumPy.
    Npz,
    /// The contact problem of the step after the frame, for `drystone solve` and other solvers (FCLIB, HDF5).
    Fclib,
}

/// Write frames in another format.
#[derive(Args)]
pub(crate) struct Export {
    /// Folder of the run.
    folder: PathBuf,
    /// Format.
    #[arg(long)]
    to: Format,
    /// Frame: its number, `first` or `last` [default: all frames].
    #[arg(long)]
    frame: Option<Which>,
    /// Folder to write to [default: <run>/export].
    #[arg(short, long)]
    out: Option<PathBuf>,
}

impl Export {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let folder = open(&self.folder)?;
        let failed = |error: io::Error| Failure::Run(format!("{error} [E103]"));
        let wanted = match self.frame {
            Some(which) => vec![which],
            None => frame_files::numbers(&folder.frames()).map_err(failed)?.into_iter().map(Which::Number).collect(),
        };
        let out = self.out.unwrap_or_else(|| folder.path().join("export"));
        std::fs::create_dir_all(&out)
            .map_err(|error| Failure::Run(format!("cannot make {}: {error} [E103]", out.display())))?;
        let mut written = 0;
        for which in wanted {
            let (number, frame) = frame(&folder, which)?;
            let done = match self.to {
                Format::Vtk => frame_files::write(&out, number, frame, false).map(drop),
                Format::Csv => tables(&out, number, &frame),
                Format::Npz => arrays(&out, number, &frame),
                Format::Fclib if problem(&folder, &out, number, &frame)? => Ok(()),
                Format::Fclib => continue,
            };
            done.map_err(failed)?;
            written += 1;
        }
        print(&format!("{} in {}\n", counted(written, "frame", "frames"), out.display()))
    }
}

/// Writes the problem of the step after a frame; says so and returns false if there is none.
fn problem(folder: &RunFolder, out: &Path, number: usize, frame: &Frame) -> Result<bool, Failure> {
    let problem = problem_after(folder, number).map_err(|error| match error {
        RunError::Scenario(mistakes) => Failure::Mistakes(mistakes),
        RunError::Step(error) => Failure::Run(format!("{error} [{}]", error.code())),
        RunError::File(error) => Failure::Run(format!("{error} [E103]")),
    })?;
    let Some(problem) = problem else {
        eprintln!("note: nothing touches in the step after frame {number}: it has no contact problem");
        return Ok(false);
    };
    let about = format!("{}: step {} from {} s", title(folder)?, frame.step + 1, frame.time);
    fclib::write(&out.join(format!("problem_{number:06}.hdf5")), &problem, &about)
        .map_err(|error| Failure::Run(format!("{error} [E103]")))?;
    Ok(true)
}

/// A named column of numbers, with its unit.
type Columns<'f> = Vec<(String, &'static str, Vec<f64>)>;

fn vector(columns: &mut Columns, name: &str, unit: &'static str, parts: &[&str], rows: &[impl AsRef<[f64]>]) {
    for (axis, part) in parts.iter().enumerate() {
        columns.push((format!("{name}{part}"), unit, rows.iter().map(|row| row.as_ref()[axis]).collect()));
    }
}

fn grain_columns(frame: &Frame) -> Columns<'_> {
    let (grains, axes) = (&frame.grains, ["_x", "_y", "_z"]);
    let mut columns = vec![("id".into(), "", grains.id.iter().map(|id| f64::from(*id)).collect())];
    vector(&mut columns, "", "m", &["x", "y", "z"], &grains.position);
    columns.push(("radius".into(), "m", grains.radius.clone()));
    vector(&mut columns, "velocity", "m/s", &axes, &grains.velocity);
    vector(&mut columns, "angular_velocity", "rad/s", &axes, &grains.angular_velocity);
    vector(&mut columns, "previous_velocity", "m/s", &axes, &grains.previous_velocity);
    vector(&mut columns, "previous_angular_velocity", "rad/s", &axes, &grains.previous_angular_velocity);
    vector(&mut columns, "orientation", "", &["_x", "_y", "_z", "_w"], &grains.orientation);
    columns.push(("mass".into(), "kg", grains.mass.clone()));
    columns.push(("material".into(), "", grains.material.iter().map(|m| f64::from(*m)).collect()));
    columns
}

fn contact_columns(frame: &Frame) -> Columns<'_> {
    let (contacts, axes) = (&frame.contacts, ["_x", "_y", "_z"]);
    let mut columns = vec![
        ("a".into(), "", contacts.a.iter().map(|a| f64::from(*a)).collect()),
        ("b".into(), "", contacts.b.iter().map(|b| f64::from(*b)).collect()),
    ];
    vector(&mut columns, "normal", "", &axes, &contacts.normal);
    columns.push(("gap".into(), "m", contacts.gap.clone()));
    columns.push(("normal_force".into(), "N", contacts.normal_force.clone()));
    vector(&mut columns, "tangential_force", "N", &axes, &contacts.tangential_force);
    vector(&mut columns, "torque", "N m", &axes, &contacts.torque);
    columns.push(("friction".into(), "", contacts.friction.clone()));
    vector(&mut columns, "bias", "m/s", &axes, &contacts.bias);
    columns.push(("regime".into(), "", contacts.regime.iter().map(|r| f64::from(*r)).collect()));
    columns
}

fn tables(out: &Path, number: usize, frame: &Frame) -> io::Result<()> {
    table(&out.join(format!("grains_{number:06}.csv")), grain_columns(frame))?;
    table(&out.join(format!("contacts_{number:06}.csv")), contact_columns(frame))
}

fn table(path: &Path, columns: Columns) -> io::Result<()> {
    write_aside(path, |file| {
        let header = |(name, unit, _): &(String, &str, Vec<f64>)| {
            if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") }
        };
        writeln!(file, "{}", columns.iter().map(header).collect::<Vec<_>>().join(","))?;
        for row in 0..columns.first().map_or(0, |(_, _, numbers)| numbers.len()) {
            let cells: Vec<String> = columns.iter().map(|(_, _, numbers)| numbers[row].to_string()).collect();
            writeln!(file, "{}", cells.join(","))?;
        }
        Ok(())
    })
}

fn arrays(out: &Path, number: usize, frame: &Frame) -> io::Result<()> {
    npz::write(&out.join(format!("frame_{number:06}.npz")), |file| add_all(file, frame))
}

fn add_all(file: &mut Writer, frame: &Frame) -> io::Result<()> {
    let (grains, contacts) = (&frame.grains, &frame.contacts);
    file.add("time", 0, [frame.time])?;
    file.add("step", 0, [frame.step])?;
    file.add("time_step", 0, [frame.time_step])?;
    file.add("residual", 0, [frame.residual])?;
    file.add("force_error", 0, [frame.force_error])?;
    file.add("velocity_error", 0, [frame.velocity_error])?;
    file.add("overlap_growth", 0, [frame.overlap_growth])?;
    file.add("converged", 0, [u8::from(frame.converged)])?;
    file.add("dissipated_energy", 0, [frame.dissipated])?;
    file.add("wall_work", 0, [frame.wall_work])?;
    file.add("position", 3, grains.position.as_flattened())?;
    file.add("radius", 0, &grains.radius)?;
    file.add("velocity", 3, grains.velocity.as_flattened())?;
    file.add("angular_velocity", 3, grains.angular_velocity.as_flattened())?;
    file.add("previous_velocity", 3, grains.previous_velocity.as_flattened())?;
    file.add("previous_angular_velocity", 3, grains.previous_angular_velocity.as_flattened())?;
    file.add("orientation", 4, grains.orientation.as_flattened())?;
    file.add("mass", 0, &grains.mass)?;
    file.add("id", 0, &grains.id)?;
    file.add("material", 0, &grains.material)?;
    file.add("contact_a", 0, &contacts.a)?;
    file.add("contact_b", 0, &contacts.b)?;
    file.add("contact_normal", 3, contacts.normal.as_flattened())?;
    file.add("contact_gap", 0, &contacts.gap)?;
    file.add("contact_normal_force", 0, &contacts.normal_force)?;
    file.add("contact_tangential_force", 3, contacts.tangential_force.as_flattened())?;
    file.add("contact_torque", 3, contacts.torque.as_flattened())?;
    file.add("contact_friction", 0, &contacts.friction)?;
    file.add("contact_bias", 3, contacts.bias.as_flattened())?;
    file.add("contact_regime", 0, &contacts.regime)?;
    file.add("wall_displacement", 3, frame.wall_states.displacement.as_flattened())?;
    file.add("wall_velocity", 3, frame.wall_states.velocity.as_flattened())?;
    file.add("wall_previous_velocity", 3, frame.wall_states.previous_velocity.as_flattened())?;
    file.add("wall_mass", 0, &frame.wall_states.mass)?;
    file.add("wall_drive", 3, frame.wall_states.drive.as_flattened())?;
    file.add("wall_force", 3, frame.wall_states.force.as_flattened())
}
